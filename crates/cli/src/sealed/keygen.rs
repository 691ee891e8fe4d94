//! `fairlane keygen`: a new key file.

use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use fairlane::sealed::Key;
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
    let key = Key::generate().map_err(Failure::failed)?;
    let name = quote(args.file.as_os_str());
    write_private(&args.file, key.to_text().as_bytes()).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Misuse(format!("{name} is there already: a key is never overwritten, choose another name"))
        }
        _ => Failure::Failed(format!("cannot write {name}: {}", reason(&error))),
    })
}

/// Writes a new file, whole or not at all. Temporary files have the mode 0600.
fn write_private(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".fairlane-").suffix(".part").tempfile_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}
