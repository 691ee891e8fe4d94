//! `fairlane hash`: prints and checks checksums as sha256sum does.

mod algorithm;
mod check;
mod compute;
mod format;
mod pool;
mod progress;
mod sum;

use crate::failure::{Failure, Outcome};
use algorithm::{Algorithm, MAX_LENGTH};
use check::Check;
use format::Style;
use std::ffi::OsString;

/// Print or check checksums, as sha256sum does
///
/// Without FILE, or if FILE is -, the command reads standard input. Several files are hashed at once, on all cores and
/// in the lanes of vector registers. The lines are in the order of the files.
///
/// keccak224 to keccak512 are Keccak with its original padding, as Ethereum uses it. They are NOT SHA-3: keccak256
/// and sha3-256 give different digests of the same file.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The hash function; required unless --check reads lines with tags
    #[arg(short, long, value_parser = algorithm::parser(), value_name = "NAME", required_unless_present = "check")]
    algo: Option<Algorithm>,
    /// The length of the digest in bits, for shake, turboshake, kt128, kt256 and blake3
    #[arg(short, long, value_name = "BITS")]
    length: Option<usize>,
    /// Read checksum lines from the files and check them
    #[arg(short, long)]
    check: bool,
    /// Print BSD-style lines: TAG (FILE) = HEX
    #[arg(long, conflicts_with = "check")]
    tag: bool,
    /// End lines with NUL, and do not escape names
    #[arg(short, long, conflicts_with = "check")]
    zero: bool,
    /// Mark the file as read in binary mode (it makes no difference)
    #[arg(short, long, conflicts_with = "check", overrides_with = "text")]
    binary: bool,
    /// Mark the file as read in text mode (the default; it makes no difference)
    #[arg(short, long, conflicts_with = "check", overrides_with = "binary")]
    text: bool,
    /// With --check: ignore files that do not exist
    #[arg(long)]
    ignore_missing: bool,
    /// With --check: print no OK lines
    #[arg(long, overrides_with_all = ["status", "warn"])]
    quiet: bool,
    /// With --check: print nothing; only the exit code tells the result
    #[arg(long, overrides_with_all = ["quiet", "warn"])]
    status: bool,
    /// With --check: fail if a line is improperly formatted
    #[arg(long)]
    strict: bool,
    /// With --check: warn of every improperly formatted line
    #[arg(short, long, overrides_with_all = ["quiet", "status"])]
    warn: bool,
    /// The files to hash or, with --check, to read checksum lines from
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
}

/// Runs the command.
pub(crate) fn run(mut args: Args) -> Outcome {
    let length = args.length.map(|bits| bytes(bits, args.algo)).transpose()?;
    if args.files.is_empty() {
        args.files.push("-".into());
    }
    if args.check {
        let check = Check {
            algorithm: args.algo,
            length,
            ignore_missing: args.ignore_missing,
            quiet: args.quiet,
            status: args.status,
            strict: args.strict,
            warn: args.warn,
        };
        return check.run(&args.files);
    }
    for (given, name) in [
        (args.ignore_missing, "ignore-missing"),
        (args.quiet, "quiet"),
        (args.status, "status"),
        (args.strict, "strict"),
        (args.warn, "warn"),
    ] {
        if given {
            return Err(Failure::Misuse(format!("the --{name} option is meaningful only with --check")));
        }
    }
    let algorithm = args.algo.ok_or_else(|| Failure::misuse("--algo NAME is required"))?;
    let style = Style { tag: args.tag, zero: args.zero, binary: args.binary };
    sum::sum(algorithm, length.unwrap_or(algorithm.default_output_size()), style, args.files)
}

/// Converts `--length` to bytes, if the algorithm allows that length.
fn bytes(bits: usize, algorithm: Option<Algorithm>) -> Result<usize, Failure> {
    let misuse = |why: String| Err(Failure::Misuse(format!("--length {bits}: {why}")));
    if bits == 0 || !bits.is_multiple_of(8) || bits / 8 > MAX_LENGTH {
        return misuse(format!("a length is a multiple of 8 bits, from 8 to {}", MAX_LENGTH * 8));
    }
    match algorithm {
        Some(algorithm) if !algorithm.allows(bits / 8) => misuse(format!(
            "{} digests have {} bits, no other length",
            algorithm.tag(),
            algorithm.default_output_size() * 8
        )),
        _ => Ok(bits / 8),
    }
}
