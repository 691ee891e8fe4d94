//! How a command ends: the exit code and the line on standard error.

use fairlane_common::terminal::plain;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) use fairlane_common::terminal::reason;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong or ask for something impossible: one line, exit code 2.
    Misuse(String),
    /// A check failed, or a file could not be read or written: one line, exit code 1.
    Failed(String),
    /// `fairlane compare` found a regression that was to fail, or `fairlane leak` a leak: one line, exit code 3.
    #[cfg_attr(not(feature = "race"), expect(dead_code))]
    Regression(String),
    /// Nothing can be said of a commit, for `git bisect run`: one line, exit code 125.
    #[cfg_attr(not(feature = "race"), expect(dead_code))]
    Skip(String),
    /// As `Failed`, but all lines were already printed.
    Reported,
    /// Ctrl-C ended a race or a search for leaks early, whose results so far are kept: exit code 130, as after any
    /// Ctrl-C.
    #[cfg_attr(not(feature = "race"), expect(dead_code))]
    Interrupted,
    /// The reader of standard output has closed the pipe: exit code 0.
    ClosedPipe,
}

/// The result of every command.
pub(crate) type Outcome = Result<(), Failure>;

/// The same, but a closed pipe is no end: for a command whose exit code says what it has found, read or not.
pub(crate) fn unless_closed(outcome: Outcome) -> Outcome {
    if matches!(outcome, Err(Failure::ClosedPipe)) { Ok(()) } else { outcome }
}

impl Failure {
    /// A failure with the message of `error`.
    pub(crate) fn failed(error: impl Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Misuse with the message of `error`.
    pub(crate) fn misuse(error: impl Display) -> Self {
        Self::Misuse(error.to_string())
    }

    /// The failure with more at the end of its line.
    pub(crate) fn with(self, more: &str) -> Self {
        match self {
            Self::Misuse(line) => Self::Misuse(line + more),
            Self::Failed(line) => Self::Failed(line + more),
            other => other,
        }
    }

    /// The refusal of an algorithm or a KEM that nobody but its authors has analysed, and what to do.
    pub(crate) fn experimental(name: &str) -> Self {
        Self::Misuse(experimental(name))
    }

    /// The failure for an error while writing to standard output.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(format!("write error: {}", reason(error)))
        }
    }

    /// Prints the line, if there is one, and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Misuse(line) => {
                complain(line);
                ExitCode::from(2)
            }
            Self::Failed(line) => {
                complain(line);
                ExitCode::from(1)
            }
            Self::Regression(line) => {
                complain(line);
                ExitCode::from(3)
            }
            Self::Skip(line) => {
                complain(line);
                ExitCode::from(125)
            }
            Self::Interrupted => {
                complain("interrupted; the measurements so far are kept");
                ExitCode::from(130)
            }
            Self::Reported => ExitCode::from(1),
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

/// Why an algorithm or a KEM is refused, and what to do.
pub(crate) fn experimental(name: &str) -> String {
    format!("{name} has not been analysed by anyone but its authors: give --experimental to use it all the same")
}

/// Prints one line to standard error. Control characters are escaped, and a write error is ignored.
pub(crate) fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "fairlane: {}", plain(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_failure() {
        assert!(matches!(Failure::stdout(&io::ErrorKind::BrokenPipe.into()), Failure::ClosedPipe));
        assert!(matches!(Failure::stdout(&io::ErrorKind::StorageFull.into()), Failure::Failed(_)));
    }
}
