//! `fairlane hash FILE…`: prints a checksum line for every file.

use super::algorithm::Algorithm;
use super::format::{Style, escape, line};
use super::pool::{Job, hash_files};
use crate::failure::{Failure, Outcome, complain, reason, unless_closed};
use crate::names::{for_terminal, quote, to_bytes};
use crate::output::Output;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// Prints the lines in the order of the files. A file that cannot be read is reported and skipped.
pub(crate) fn sum(algorithm: Algorithm, length: usize, style: Style, files: Vec<OsString>) -> Outcome {
    let jobs: Vec<Job> = files.into_iter().map(|name| Job { name, algorithm, length }).collect();
    let mut output = Output::new()?;
    let terminal = output.is_terminal();
    let mut unreadable = false;
    let written = hash_files(&jobs, |number, hashed| {
        let name = &jobs[number].name;
        match hashed {
            Ok(digest) => output.write(&line(style, algorithm, &digest, shown(name, style, terminal))),
            Err(error) => {
                unreadable = true;
                complain(format_args!("{}: {}", quote(name), reason(&error)));
                Ok(())
            }
        }
    })
    .and_then(|()| output.finish());
    let written = if unreadable { unless_closed(written) } else { written };
    written.and(if unreadable { Err(Failure::Reported) } else { Ok(()) })
}

/// A name as its line has it, and what the line begins with to tell how.
fn shown(name: &OsStr, style: Style, terminal: bool) -> (&'static [u8], Cow<'_, [u8]>) {
    match for_terminal(name) {
        // Its author may be somebody else, and a terminal would obey it.
        quoted @ Cow::Owned(_) if terminal => (b"", quoted),
        _ if style.zero => (b"", to_bytes(name).into()),
        _ => escape(to_bytes(name)),
    }
}
