//! Runs the command in a folder of its own, as a user would.

// Not every test file needs every helper.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The command of this build, to be run in `folder`.
pub(crate) fn fairlane(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairlane"));
    for variable in ["FAIRLANE_BACKEND", "RUST_BACKTRACE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the command with these arguments.
pub(crate) fn run<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Output {
    fairlane(folder).args(args).output().unwrap()
}

/// Runs a command with `input` on its standard input.
pub(crate) fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Whether one of `signals` is in a set of signals of a process, such as `SigCgt`, the signals that it handles. Always
/// false on systems other than Linux.
pub(crate) fn has_signal(set: &str, process: &str, signals: &[u32]) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let has = status.lines().find_map(|line| line.strip_prefix(set)?.strip_prefix(':'));
    let has = has.map_or(0, |has| u64::from_str_radix(has.trim(), 16).unwrap());
    signals.iter().any(|signal| has & 1 << (signal - 1) != 0)
}

/// SIGHUP, SIGINT (Ctrl-C), SIGTERM.
const INTERRUPTS: &[u32] = &[1, 2, 15];

/// Whether the parent of the tests has interrupts ignored, as a shell does with Ctrl-C for background jobs and `nohup`
/// with SIGHUP. The command leaves them ignored, so there is nothing to test.
pub(crate) fn interrupts_are_ignored() -> bool {
    let ignored = has_signal("SigIgn", "self", INTERRUPTS);
    if ignored {
        eprintln!("skipped: interrupts are ignored in this environment");
    }
    ignored
}

/// A folder for one test.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The exit code; a command killed by a signal has none.
pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("the command ended by itself")
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that the command failed with exit code `expected` and one error line, which contains all of `words`.
#[track_caller]
pub(crate) fn refused(output: &Output, expected: i32, words: &[&str]) {
    let said = stderr(output);
    assert_eq!(code(output), expected, "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("fairlane: "), "{said}");
    for word in words {
        assert!(said.contains(word), "{said:?} does not contain {word:?}");
    }
}
