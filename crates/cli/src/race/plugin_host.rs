//! The hidden commands that a race runs for its plug-ins: `fairlane plugin-host` for each shared library, and `fairlane
//! serve-contestants` of two builds for `--against`.

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

/// Answer questions about this build's contestants on standard input
#[derive(clap::Args, Debug)]
pub(crate) struct ServeArgs {}

/// Serves this build's contestants.
pub(crate) fn serve() -> Outcome {
    plugin::serve_own().map_err(Failure::failed)
}
