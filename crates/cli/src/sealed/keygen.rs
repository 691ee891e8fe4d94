//! `fairlane keygen`: a new key file.

use super::interrupt;
use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use fairlane::sealed::{Access, Existing, Key};
use std::io::{self, Write};
use std::path::PathBuf;

/// Write a new key file, for encrypt and decrypt
///
/// It holds 64 random bytes as text, and only its owner may read it. Whoever has it can decrypt everything that was
/// encrypted with it, and without it nobody can: keep a copy. A file that is there is never overwritten.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The key file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.file.as_os_str() == "-" {
        return Err(Failure::misuse(
            "a key is for a file, not for standard output: name one (./- if it is to be called -)",
        ));
    }
    interrupt::install()?;
    let key = Key::generate().map_err(Failure::failed)?;
    let written = interrupt::begin(&args.file, Existing::Keep, Access::Private).and_then(|mut file| {
        file.write_all(key.to_text().as_bytes())?;
        interrupt::finish(file)
    });
    let name = quote(args.file.as_os_str());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Misuse(format!("{name} is there already: a key is never overwritten, choose another name"))
        }
        _ => Failure::Failed(format!("cannot write {name}: {}", reason(&error))),
    })
}
