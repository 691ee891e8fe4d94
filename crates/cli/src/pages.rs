//! `fairlane completions` and `fairlane man`: shell completions and manual pages, for packages of the command.

use crate::RACE;
use crate::examples::sections;
use crate::failure::Outcome;
use crate::files::{make_folder, write};
use crate::output::print;
use clap::Command;
use clap::builder::{PossibleValuesParser, Resettable};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Print the completions for a shell
///
/// An example for bash: fairlane completions bash > ~/.local/share/bash-completion/completions/fairlane
#[derive(clap::Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions of `whole`, the command with all its subcommands.
pub(crate) fn completions(args: &CompletionsArgs, whole: &Command) -> Outcome {
    // Hidden subcommands are left out, since clap_complete would complete them.
    let shown = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned().map(named);
    let mut command = Command::new("fairlane").version(env!("CARGO_PKG_VERSION")).subcommands(shown);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "fairlane", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Fish && RACE {
        // Of arguments without an option, clap_complete leaves the values out here.
        let names = names().join(" ");
        script += &format!("complete -c fairlane -n \"__fish_fairlane_using_subcommand race\" -f -a \"{names}\"\n");
    }
    print(&script)
}

/// What `race` and `leak` take: contests and the beginnings of their names.
#[cfg(feature = "race")]
use fairlane_lab::contests::names;

/// Without the race there are none.
#[cfg(not(feature = "race"))]
fn names() -> [&'static str; 0] {
    []
}

/// The command as shells complete it: names of contests stand for the patterns that `race` takes too.
fn named(command: Command) -> Command {
    match command.get_name() {
        "race" | "leak" => command.mut_arg("contests", |arg| arg.value_parser(PossibleValuesParser::new(names()))),
        _ => command,
    }
}

/// Print the manual page, or write the pages of all commands to a folder
#[derive(clap::Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder for fairlane.1, fairlane-race.1 and so on; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the page of `command`, or writes its page and those of its subcommands.
pub(crate) fn man(args: &ManArgs, command: Command) -> Outcome {
    // The sections at the end of a page say more than the help.
    let mut command = command.disable_help_subcommand(true).after_help(Resettable::Reset);
    command.build();
    let Some(folder) = &args.folder else { return print(&page(&Man::new(command))) };
    make_folder(folder)?;
    write_pages(folder, command)
}

/// Writes the page of a command and, recursively, those of its subcommands.
fn write_pages(folder: &Path, command: Command) -> Outcome {
    let below: Vec<Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let man = Man::new(command);
    write(&folder.join(man.get_filename()), page(&man).as_bytes())?;
    below.into_iter().try_for_each(|command| write_pages(folder, command))
}

fn page(man: &Man) -> String {
    let mut page = Vec::new();
    man.render(&mut page).expect("a vector takes every byte");
    let mut page = String::from_utf8_lossy(&page).into_owned();
    let end = page.find(".SH VERSION").unwrap_or(page.len());
    page.insert_str(end, &sections(man.get_filename().trim_end_matches(".1")));
    page
}
