//! Instructions and code of an operation as valgrind's callgrind counts them: the same on every run, on a machine
//! without counters too.
//!
//! The race runs this very program again under valgrind, as
//! `PROGRAM one-contestant CONTEST SIZE CONTESTANT OPS`, which must call [`replay`]; twice, so that what is not the
//! operation cancels. valgrind knows no AVX-512 and no GFNI, and hides them from the program, so those contestants are
//! not run, and `FAIRLANE_BACKEND` is narrowed to backends that it can run. A library that chooses its own path may
//! choose another one there than in the race.

mod code;

pub(crate) use code::LINE;

use crate::contest::{Contest, ContestId, Contestant, Size};
use code::Code;
use fairlane_lanes::Backend;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

/// The sub-command that must call [`replay`].
pub const SUBCOMMAND: &str = "one-contestant";

/// Nanoseconds' worth of operations that are counted: some ten million instructions, a second or so under valgrind.
const WORTH: f64 = 1e6;

/// Operations that are counted, at most.
const MOST_OPS: u32 = 100_000;

/// Whether valgrind runs here.
///
/// # Errors
///
/// One line that says what to do.
pub fn available() -> Result<(), String> {
    let version = Command::new("valgrind").arg("--version").stdin(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("valgrind does not run ({}): no instructions are counted", output.status)),
        Err(error) => Err(format!("valgrind was not found ({error}): no instructions are counted; install it")),
    }
}

/// Whether valgrind knows the instructions of a backend.
pub fn knows(backend: Backend) -> bool {
    let unknown = |feature: &&str| {
        feature.starts_with("avx512") || ["gfni", "vaes", "vpclmulqdq", "sm3", "sm4"].contains(feature)
    };
    !backend.features().iter().any(unknown)
}

/// What was counted of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// The instructions that it executes.
    pub instructions_per_op: f64,
    /// The bytes of the cache lines that these are in.
    pub code_bytes: u64,
}

/// Counts instructions and code of one contestant's operation, which natively takes `ns_per_op`.
///
/// # Errors
///
/// One line, if valgrind or the program under it fails.
pub fn count(contest: &Contest, contestant: &Contestant, size: Size, ns_per_op: f64) -> Result<Counted, String> {
    let more = (WORTH / ns_per_op.max(1.0)).ceil().clamp(1.0, f64::from(MOST_OPS)) as u64;
    let failed = |error: &dyn Display| format!("callgrind's file about {} in {}: {error}", contestant.name, contest.id);
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let path = folder.path().join("callgrind.out");
    let mut code = Code::default();
    let mut run = |ops: u64, sign| {
        collect(contest.id, size, &contestant.name, ops, &path)?;
        let file = File::open(&path).map_err(|error| failed(&error))?;
        code.add(BufReader::new(file), sign).map_err(|why| failed(&why))
    };
    let (few, many) = (run(1, -1)?, run(1 + more, 1)?);
    Ok(Counted { instructions_per_op: many.saturating_sub(few) as f64 / more as f64, code_bytes: code.bytes() })
}

/// What the program does under valgrind: one contestant, `ops` times, and nothing else.
pub fn replay(contest: &Contest, contestant: &Contestant, size: Size, ops: u64) {
    let mut op = (contestant.make)(size);
    let input = contest.input(size, 0);
    let mut output = vec![0; contest.output_bytes(size)];
    for _ in 0..ops {
        op.run(std::hint::black_box(&input), std::hint::black_box(&mut output));
    }
}

/// Runs one whole process, and has callgrind write to `path` how often each of its instructions ran.
fn collect(contest: ContestId, size: Size, contestant: &str, ops: u64, path: &Path) -> Result<(), String> {
    let program =
        std::env::current_exe().map_err(|error| format!("callgrind: this program is not to be found: {error}"))?;
    // A number of as many digits, so that it takes as long to read.
    let ops = format!("{ops:06}");
    // callgrind replaces what follows a per cent sign.
    let path = path.to_string_lossy().replace('%', "%%");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={path}")])
        .args(["--dump-instr=yes", "--dump-line=no", "--compress-pos=no", "--compress-strings=no"])
        .arg(program)
        .args([SUBCOMMAND, &contest.to_string(), &size.to_string(), contestant, &ops])
        .env("FAIRLANE_BACKEND", backends())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("callgrind: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let last = words.lines().rfind(|line| !line.starts_with("==") && !line.trim().is_empty()).unwrap_or_default();
    Err(format!("callgrind could not run {contestant} in {contest} {size} ({}): {last}", output.status))
}

/// The backends that this process may use and valgrind can run.
fn backends() -> String {
    let allowed = fairlane_lanes::allow_list().ok().flatten();
    let usable = |backend: &&Backend| {
        knows(**backend) && backend.is_available() && allowed.as_ref().is_none_or(|allowed| allowed.contains(backend))
    };
    let names: Vec<&str> = Backend::ALL.iter().filter(usable).map(|backend| backend.name()).collect();
    // An empty list would allow everything.
    if names.is_empty() { Backend::Scalar.name().to_owned() } else { names.join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrows_the_backends() {
        let names = backends();
        assert!(!names.is_empty() && !names.contains("avx512") && !names.contains("gfni"), "{names}");
    }
}
