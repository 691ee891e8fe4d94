//! `fairlane encrypt`, `decrypt` and `keygen`: sealed files and pipes, as `docs/sealed.md` describes them.

mod keygen;
mod secret;

pub(crate) use keygen::{Args as KeygenArgs, run as keygen};

use crate::endpoints::{Content, Destination, Input, existing};
use crate::failure::{Failure, Outcome, experimental, reason};
use crate::files::keep_apart;
use crate::interrupt;
use crate::names::quote;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fairlane::sealed::{Algorithm, CostError, Error, MAX_LENGTH, Opener, Options, PassphraseCost, seal};
use secret::{OpenArgs, SealArgs};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The suffix of an encrypted file's name.
const SUFFIX: &str = ".sealed";

/// The least memory in KiB of a passphrase's cost.
const LEAST_MEMORY: u32 = 8192;

/// Encrypt and authenticate a file or a pipe
///
/// The data is encrypted under the key of --key FILE (see fairlane keygen), to the recipients of --recipient FILE (see
/// fairlane kem), or under a passphrase. Without these options, the command asks for a passphrase on the terminal.
/// Without FILE, or if FILE is -, it reads standard input and writes standard output. An output file gets its name only
/// when it is complete.
#[derive(clap::Args, Debug)]
pub(crate) struct EncryptArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    secret: SealArgs,
    /// The AEAD; kusumi512-poly1305, which nobody but its authors has analysed, needs --experimental
    #[arg(short, long, value_name = "NAME", default_value_t, value_parser = algorithm_parser())]
    algo: Algorithm,
    /// The cost of trying a passphrase: Argon2id with m KiB of memory, at least 8192, t passes and p lanes
    #[arg(long, value_name = "COST", default_value_t, value_parser = cost, conflicts_with_all = ["key", "recipient"])]
    argon2: PassphraseCost,
}

/// Decrypt the output of fairlane encrypt
///
/// Only verified data is written. An output file gets its name only when all of it was verified. A pipe receives data
/// chunk by chunk, so when a later chunk turns out to be damaged, the verified beginning was already written: check the
/// exit code before you use it.
#[derive(clap::Args, Debug)]
pub(crate) struct DecryptArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    secret: OpenArgs,
    /// The most memory in MiB that a file may demand for its passphrase, and half of the most that it may go over in
    /// all passes: a file of somebody else says what it costs to try
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    max_memory: u32,
}

#[derive(clap::Args, Debug)]
struct CommonArgs {
    /// The file to read; - is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The file to write; - is standard output. The default is FILE with .sealed appended or removed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
    /// Allow what nobody but its authors has analysed: kusumi512-poly1305 and keys of clwe
    #[arg(long)]
    experimental: bool,
}

/// A cost that makes it expensive to try passphrases; files of others may have a lower one.
fn cost(text: &str) -> Result<PassphraseCost, String> {
    let cost: PassphraseCost = text.parse().map_err(|error: CostError| error.to_string())?;
    if cost.memory() < LEAST_MEMORY {
        return Err(format!(
            "{} KiB of memory stop nobody who tries passphrases: m is at least {LEAST_MEMORY}",
            cost.memory()
        ));
    }
    Ok(cost)
}

/// Refuses a cost of more than `max` MiB of memory, or of more than two passes over so much.
fn affordable(cost: PassphraseCost, max: u32) -> Result<(), String> {
    let (memory, passes) = (u64::from(cost.memory()), u64::from(cost.passes()));
    let needed = memory.max((memory * passes).div_ceil(2)).div_ceil(1024);
    if needed <= u64::from(max) {
        return Ok(());
    }
    Err(format!("its passphrase costs {cost}, which is more than --max-memory {max} allows; {needed} would do"))
}

fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.iter().map(|algorithm| algorithm.name()))
        .try_map(|name| name.parse::<Algorithm>())
}

/// Runs `fairlane encrypt`.
pub(crate) fn encrypt(args: &EncryptArgs) -> Outcome {
    if !args.algo.reviewed() && !args.common.experimental {
        return Err(Failure::experimental(args.algo.name()));
    }
    args.secret.check()?;
    let (input, mut output) = args.common.open(Content::Binary, &args.secret.files())?;
    if input.length().is_some_and(|length| length > MAX_LENGTH) {
        return Err(explain(Error::TooLong, &input.name, &output));
    }
    let secret = args.secret.get(args.common.experimental)?;
    let options = Options { algorithm: args.algo, cost: args.argon2, experimental: args.common.experimental };
    let (name, reader) = input.reader(!output.is_terminal());
    seal(reader, &mut output, secret.get(), &options).map_err(|error| explain(error, &name, &output))?;
    output.finish()
}

/// Runs `fairlane decrypt`.
pub(crate) fn decrypt(args: &DecryptArgs) -> Outcome {
    let (input, mut output) = args.common.open(Content::MaybeText, &args.secret.files())?;
    let (name, reader) = input.reader(!output.is_terminal());
    let opener = Opener::new(reader).map_err(|error| explain(error, &name, &output))?;
    if let Some(cost) = opener.cost() {
        affordable(cost, args.max_memory).map_err(|why| Failure::Failed(format!("{name}: {why}")))?;
    }
    let secret = args.secret.get(&name, &opener)?;
    let opener = if args.common.experimental { opener.allow_experimental() } else { opener };
    opener.open(&mut output, secret.get()).map_err(|error| explain(error, &name, &output))?;
    output.finish()
}

impl CommonArgs {
    /// Opens the input and begins the output, which must not be one of `files`. From here on an interrupt leaves no
    /// unfinished file.
    fn open(&self, content: Content, files: &[(Option<&Path>, &str)]) -> Result<(Input, Destination), Failure> {
        interrupt::install()?;
        let input = Input::open(self.file.as_deref().filter(|file| file.as_os_str() != "-"))?;
        input.keep_apart(files)?;
        let path = match (&self.output, &self.file) {
            (Some(output), _) => output.clone(),
            (None, Some(file)) if file.as_os_str() != "-" => match content {
                Content::Binary => sealed_name(file),
                Content::MaybeText => plain_name(file)?,
            },
            (None, _) => "-".into(),
        };
        keep_apart(&path, files)?;
        let output = Destination::begin(&path, existing(self.force), input.access(), content)?;
        Ok((input, output))
    }
}

fn sealed_name(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(SUFFIX);
    name.into()
}

fn plain_name(file: &Path) -> Result<PathBuf, Failure> {
    let named = file.extension() == Some(OsStr::new(&SUFFIX[1..])) && file.file_stem().is_some();
    let refuse = || {
        let file = quote(file.as_os_str());
        Failure::Misuse(format!("{file} does not end with {SUFFIX}: name the output with -o (- is standard output)"))
    };
    named.then(|| file.with_extension(OsString::new())).ok_or_else(refuse)
}

/// The error line: what failed, for which file, and whether the output is incomplete.
fn explain(error: Error, input: &str, output: &Destination) -> Failure {
    let mut said = match error {
        Error::Read(error) => format!("cannot read {input}: {}", reason(&error)),
        Error::Write(error) => output.cannot_write(&error),
        Error::Experimental(name) => return Failure::Misuse(format!("{input}: {}", experimental(name))),
        error => format!("{input}: {error}"),
    };
    if output.is_incomplete() {
        said += "; the output is incomplete, discard it";
    }
    Failure::Failed(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_have_a_limit() {
        let cost = |memory, passes| PassphraseCost::new(memory, passes, 4).unwrap();
        assert_eq!(affordable(PassphraseCost::default(), 1024), Ok(()));
        assert_eq!(affordable(cost(1 << 20, 2), 1024), Ok(()));
        assert_eq!(
            affordable(cost(1 << 20, 3), 1024).unwrap_err(),
            "its passphrase costs m=1048576,t=3,p=4, which is more than --max-memory 1024 allows; 1536 would do"
        );
        assert_eq!(affordable(cost(1 << 20, 3), 1536), Ok(()));
        assert!(affordable(cost((1 << 20) + 1, 1), 1024).is_err());
        assert!(affordable(cost(8192, 512), 1024).is_err());
    }

    #[test]
    fn names_of_outputs() {
        assert_eq!(sealed_name(Path::new("a/b.txt")), Path::new("a/b.txt.sealed"));
        assert_eq!(plain_name(Path::new("a/b.txt.sealed")).unwrap(), Path::new("a/b.txt"));
        assert_eq!(plain_name(Path::new("x.sealed")).unwrap(), Path::new("x"));
        for none in ["a.txt", "sealed", ".sealed", "a.sealed/..", "x.SEALED"] {
            assert!(matches!(plain_name(Path::new(none)), Err(Failure::Misuse(_))), "{none}");
        }
    }
}
