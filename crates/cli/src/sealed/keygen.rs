//! `fairlane keygen`: writes a new key file.

use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::secret_files::SecretFile;
use fairlane::sealed::Key;
use std::path::PathBuf;

/// Write a new key file for encrypt and decrypt
///
/// The file holds 64 random bytes as text, and only its owner may read it. Whoever has the key can decrypt everything
/// that was encrypted with it. Without the key nobody can, so keep a copy. An existing file is never overwritten.
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
