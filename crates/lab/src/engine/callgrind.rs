//! Instructions an operation as valgrind's callgrind counts them: the same on every run, on a machine without counters
//! too.
//!
//! The race runs this very program again under valgrind, as
//! `PROGRAM one-contestant CONTEST SIZE CONTESTANT OPS`, which must call [`replay`]; twice, so that what is not the
//! operation cancels. valgrind knows no AVX-512 and no GFNI, and hides them from the program, so those contestants are
//! not run, and `FAIRLANE_BACKEND` is narrowed to backends that it can run. A library that chooses its own path may
//! choose another one there than in the race.

use crate::contest::{Contest, ContestId, Contestant, Size};
use fairlane_lanes::Backend;
use std::process::{Command, Stdio};

/// The sub-command that must call [`replay`].
pub const SUBCOMMAND: &str = "one-contestant";

/// Nanoseconds' worth of operations that are counted: some ten million instructions, a second or so under valgrind.
const WORTH: f64 = 1e6;

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

/// Counts one contestant's instructions an operation, which natively takes `ns_per_op`.
///
/// # Errors
///
/// One line, if valgrind or the program under it fails.
pub fn instructions_per_op(
    contest: &Contest,
    contestant: &Contestant,
    size: Size,
    ns_per_op: f64,
) -> Result<f64, String> {
    let more = (WORTH / ns_per_op.max(1.0)).ceil().clamp(1.0, 1e5) as u64;
    let run = |ops: u64| collected(contest.id, size, &contestant.name, ops);
    let (few, many) = (run(1)?, run(1 + more)?);
    Ok(many.saturating_sub(few) as f64 / more as f64)
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

/// Instructions of one whole process.
fn collected(contest: ContestId, size: Size, contestant: &str, ops: u64) -> Result<u64, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("callgrind: this program is not to be found: {error}"))?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([SUBCOMMAND, &contest.to_string(), &size.to_string(), contestant, &ops.to_string()])
        .env("FAIRLANE_BACKEND", backends())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("callgrind: {error}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    match total(&words) {
        Some(total) if output.status.success() => Ok(total),
        _ => {
            let last =
                words.lines().rfind(|line| !line.starts_with("==") && !line.trim().is_empty()).unwrap_or_default();
            Err(format!("callgrind could not run {contestant} in {contest} {size} ({}): {last}", output.status))
        }
    }
}

/// The total in what callgrind prints: `==1234== Collected : 305045`.
fn total(words: &str) -> Option<u64> {
    let line = words.lines().rfind(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
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
    fn reads_what_callgrind_prints() {
        let words =
            "==7== Callgrind\n==7== Events    : Ir\n==7== Collected : 305045\n==7== \n==7== I   refs:      305,045\n";
        assert_eq!(total(words), Some(305_045));
        assert_eq!(total("==7== Callgrind\n"), None);
    }

    #[test]
    fn narrows_the_backends() {
        let names = backends();
        assert!(!names.is_empty() && !names.contains("avx512") && !names.contains("gfni"), "{names}");
    }
}
