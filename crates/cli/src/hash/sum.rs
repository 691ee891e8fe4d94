//! `fairlane hash FILE…`: prints a checksum line for every file.

use super::algorithm::Algorithm;
use super::format::{Style, line};
use super::pool::{Job, hash_files};
use crate::failure::{Failure, Outcome, complain, reason};
use crate::names::{quote, to_bytes};
use crate::output::Output;
use std::ffi::OsString;

/// Prints the lines in the order of the files. A file that cannot be read is reported and skipped.
pub(crate) fn sum(algorithm: Algorithm, length: usize, style: Style, files: Vec<OsString>) -> Outcome {
    let jobs: Vec<Job> = files.into_iter().map(|name| Job { name, algorithm, length }).collect();
    let mut output = Output::new();
    let mut unreadable = false;
    hash_files(&jobs, |number, hashed| {
        let name = &jobs[number].name;
        match hashed {
            Ok(digest) => output.write(&line(style, algorithm, &digest, to_bytes(name))),
            Err(error) => {
                unreadable = true;
                complain(format_args!("{}: {}", quote(name), reason(&error)));
                Ok(())
            }
        }
    })?;
    output.finish()?;
    if unreadable { Err(Failure::Reported) } else { Ok(()) }
}
