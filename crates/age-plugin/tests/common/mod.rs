//! Calls of the program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_age-plugin-pq"));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// Runs it to its end with all of its input.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = program().args(arguments).spawn().unwrap();
    // It may end without having read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// What a successful run prints.
pub(crate) fn printed(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input.as_bytes());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {error}");
    assert_eq!(error, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The line on standard error of a run that fails with this code and prints nothing.
pub(crate) fn refused(arguments: &[&str], input: &[u8], code: i32) -> String {
    let output = run(arguments, input);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let line = error.strip_prefix("age-plugin-pq: ").and_then(|rest| rest.strip_suffix('\n'));
    let line = line.unwrap_or_else(|| panic!("{arguments:?}: {error:?}"));
    assert!(!line.contains('\n'), "{error:?}");
    line.to_owned()
}

/// A new identity and its recipient.
pub(crate) fn new_identity() -> (String, String) {
    let text = printed(&["--generate"], "");
    let lines: Vec<_> = text.lines().collect();
    let [_, recipient, identity] = lines[..] else { panic!("{text}") };
    (identity.to_owned(), recipient.strip_prefix("# public key: ").unwrap().to_owned())
}
