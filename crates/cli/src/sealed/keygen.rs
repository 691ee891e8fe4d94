//! `fairlane keygen`: a new key file.

use super::interrupt;
use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use fairlane::sealed::{Access, Existing, Key, NewFile};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    interrupt::install()?;
    let file = SecretFile::begin(&args.file)?;
    let key = Key::generate().map_err(Failure::failed)?;
    file.write(&key.to_text())
}

/// The file of a new secret: for its owner only, never in the place of another, and never standard output.
pub(crate) struct SecretFile {
    file: NewFile,
    name: String,
}

impl SecretFile {
    /// Begins it.
    pub(crate) fn begin(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::misuse(
                "a key is for a file, not for standard output: name one (./- if it is to be called -)",
            ));
        }
        let name = quote(path.as_os_str());
        match interrupt::begin(path, Existing::Keep, Access::Private) {
            Ok(file) => Ok(Self { file, name }),
            Err(error) => Err(cannot_write(&name, &error)),
        }
    }

    /// Writes all of it and gives it its name.
    pub(crate) fn write(self, text: &str) -> Outcome {
        let Self { mut file, name } = self;
        let written = file.write_all(text.as_bytes()).and_then(|()| interrupt::finish(file));
        written.map_err(|error| cannot_write(&name, &error))
    }
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Misuse(format!("{name} is there already: a key is never overwritten, choose another name"))
        }
        _ => Failure::Failed(format!("cannot write {name}: {}", reason(error))),
    }
}
