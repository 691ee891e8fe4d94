//! `fairlane plugin-host`, a hidden command that `fairlane race --plugin` runs for each shared library.

use crate::failure::{Failure, Outcome};
use fairlane_lab::contestants::plugin;
use std::path::PathBuf;

/// Answer questions about a shared library on standard input
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The library
    library: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    plugin::serve(&args.library).map_err(Failure::failed)
}
