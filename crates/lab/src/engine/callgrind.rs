//! Instructions and code of an operation as valgrind's callgrind counts them: the same on every run, on a machine
//! without counters too.
//!
//! The race runs this very program again under valgrind, as
//! `PROGRAM one-contestant CONTEST SIZE CONTESTANT OPS`, which must call [`replay`]. Only what one function of it does
//! is counted: how a program starts differs from run to run. valgrind knows no AVX-512 and no GFNI, and hides them from
//! the program, so those contestants are not run, and `FAIRLANE_BACKEND` is narrowed to backends that it can run. A
//! library that chooses its own path may choose another one there than in the race.

mod code;

pub(crate) use code::LINE;

use crate::contest::{Contest, ContestId, Contestant, Operation, Size};
use fairlane_lanes::Backend;
use std::fmt::Display;
use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

/// The sub-command that must call [`replay`].
pub const SUBCOMMAND: &str = "one-contestant";

/// Nanoseconds' worth of operations that are counted: some ten million instructions, a second or so under valgrind.
const WORTH: f64 = 1e6;

/// Operations that are counted, at most.
const MOST_OPS: f64 = 1e5;

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
    let ops = (WORTH / ns_per_op.max(1.0)).ceil().clamp(1.0, MOST_OPS);
    let failed = |error: &dyn Display| format!("callgrind's file about {} in {}: {error}", contestant.name, contest.id);
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let path = folder.path().join("callgrind.out");
    collect(contest.id, size, &contestant.name, ops as u64, &path)?;
    let file = File::open(&path).map_err(|error| failed(&error))?;
    let code = code::read(BufReader::new(file)).map_err(|why| failed(&why))?;
    if code.instructions == 0 {
        return Err(failed(&"the operation is not in it; are this program's symbols stripped?"));
    }
    Ok(Counted { instructions_per_op: code.instructions as f64 / ops, code_bytes: code.bytes })
}

/// What the program does under valgrind: one contestant, `ops` times, after a first time that is not counted.
pub fn replay(contest: &Contest, contestant: &Contestant, size: Size, ops: u64) {
    let mut op = (contestant.make)(size);
    let input = contest.input(size, 0);
    let mut output = vec![0; contest.output_bytes(size)];
    op.run(&input, &mut output);
    counted_by_callgrind(&mut op, ops, &input, &mut output);
}

/// The part of the name of the next function by which callgrind knows it.
const COUNTED: &str = "counted_by_callgrind";

#[inline(never)]
fn counted_by_callgrind(op: &mut Operation, ops: u64, input: &[u8], output: &mut [u8]) {
    black_box(op.repeat(ops, input, output));
}

/// Runs one whole process, and has callgrind write to `path` how often each instruction of the operations ran.
fn collect(contest: ContestId, size: Size, contestant: &str, ops: u64, path: &Path) -> Result<(), String> {
    let program =
        std::env::current_exe().map_err(|error| format!("callgrind: this program is not to be found: {error}"))?;
    // callgrind replaces what follows a per cent sign.
    let path = path.to_string_lossy().replace('%', "%%");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={path}")])
        .arg(format!("--toggle-collect=*{COUNTED}*"))
        .args(["--dump-instr=yes", "--dump-line=no", "--compress-pos=no", "--compress-strings=no"])
        .arg(program)
        .args([SUBCOMMAND, &contest.to_string(), &size.to_string(), contestant, &ops.to_string()])
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
