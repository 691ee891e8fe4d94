//! How a command ends: what is said on standard error, and with which exit code.

use fairlane_lab::report::escape::plain;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) use fairlane_lab::report::escape::reason;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Asked for something that cannot be: one line, exit code 2.
    Misuse(String),
    /// A check failed, or a file could not be read or written: one line, exit code 1.
    Failed(String),
    /// The same, where every line was already said.
    Reported,
    /// Ctrl-C ended it early: what was done till then is kept, exit code 130 as after any Ctrl-C.
    Interrupted,
    /// Nobody reads standard output any more: an end, not a failure.
    ClosedPipe,
}

/// What every command returns.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    /// A failure that is somebody else's error, told as it tells itself.
    pub(crate) fn failed(error: impl Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Misuse told in one line.
    pub(crate) fn misuse(error: impl Display) -> Self {
        Self::Misuse(error.to_string())
    }

    /// What a failed write to standard output means.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(format!("write error: {}", reason(error)))
        }
    }

    /// Says it, and gives the exit code.
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
            Self::Interrupted => {
                complain("interrupted; what was measured till then is kept");
                ExitCode::from(130)
            }
            Self::Reported => ExitCode::from(1),
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

/// One line on standard error, whatever names it holds. A standard error that cannot be written to is no reason to stop.
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
