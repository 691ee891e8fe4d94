//! `fairlane completions` and `fairlane man`: what a package of the command ships beside it.

use crate::Cli;
use crate::failure::Outcome;
use crate::files::{make_folder, write};
use crate::output::print;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Print the completions for a shell
///
/// For bash, for example: fairlane completions bash > ~/.local/share/bash-completion/completions/fairlane
#[derive(clap::Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions.
pub(crate) fn completions(args: &CompletionsArgs) -> Outcome {
    let whole = Cli::command();
    // Without what is hidden, which would be completed.
    let shown = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let mut command = Command::new("fairlane").version(env!("CARGO_PKG_VERSION")).subcommands(shown);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "fairlane", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Print the manual page, or write the pages of all commands into a folder
#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder for fairlane.1, fairlane-race.1 and so on; it is made if it is not there
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints one page, or writes all.
pub(crate) fn man(args: &ManArgs) -> Outcome {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.folder else { return print(&page(&Man::new(command))) };
    make_folder(folder)?;
    write_pages(folder, command)
}

/// The page of a command, and those of all under it.
fn write_pages(folder: &Path, command: Command) -> Outcome {
    let below: Vec<Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let man = Man::new(command);
    write(&folder.join(man.get_filename()), page(&man).as_bytes())?;
    below.into_iter().try_for_each(|command| write_pages(folder, command))
}

fn page(man: &Man) -> String {
    let mut page = Vec::new();
    man.render(&mut page).expect("a vector takes every byte");
    String::from_utf8_lossy(&page).into_owned()
}
