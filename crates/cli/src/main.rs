//! The `fairlane` command: parses the arguments, calls the libraries and prints the results.
//!
//! | file | command |
//! | --- | --- |
//! | `cpu` | `fairlane cpu`: the CPU, its features and the backends |
//! | `race` | `fairlane race`: which implementation is fastest on this machine |
//! | `leak` | `fairlane leak`: can two classes of secrets be told apart by the time of an operation |
//! | `runs`, `compare`, `history` | `fairlane report`, `validate`, `compare`, `history`: reading runs of races |
//! | `hash` | `fairlane hash`: checksums |
//! | `sealed` | `fairlane encrypt`, `decrypt` and `keygen`: authenticated encryption of files and pipes |
//! | `kem` | `fairlane kem`: key pairs, shared secrets, encapsulation keys as images |
//! | `pages`, `examples` | `fairlane completions` and `fairlane man` |
//!
//! `race`, `leak`, `runs`, `compare`, `history` and `pending`, their outputs, are in builds with the feature `race`
//! only. The commands share the other files: `failure` (exit codes, error lines), `output` and `standard` (standard
//! output and input), `files` and `endpoints` (what is read and written), `secret_files`, `interrupt` (Ctrl-C),
//! `progress`, `throughput` and `names`.

#[cfg(feature = "race")]
mod compare;
mod cpu;
mod endpoints;
mod examples;
mod failure;
mod files;
mod hash;
#[cfg(feature = "race")]
mod history;
mod interrupt;
mod kem;
#[cfg(feature = "race")]
mod leak;
mod names;
mod output;
mod pages;
#[cfg(feature = "race")]
mod pending;
mod progress;
#[cfg(feature = "race")]
mod race;
#[cfg(feature = "race")]
mod runs;
mod sealed;
mod secret_files;
mod standard;
mod throughput;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use failure::{Failure, Outcome};
use fairlane_common::suggest::did_you_mean;
use fairlane_lanes::{AllowListError, Backend};
use std::process::ExitCode;

#[cfg(feature = "race")]
fairlane_lab::count_allocations!();

#[derive(Parser, Debug)]
#[command(name = "fairlane", version, max_term_width = 100, about = ABOUT, after_help = after())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Whether the race and what reads its files are in this build.
const RACE: bool = cfg!(feature = "race");

const ABOUT: &str = if RACE {
    "Fast cryptographic primitives, and a race that says which implementation is fastest on this machine"
} else {
    "Checksums, and encryption of files"
};

/// The names of the commands that need the race.
const OF_THE_RACE: &[&str] = &["race", "leak", "report", "validate", "compare", "history"];

fn after() -> String {
    let (begin, codes) = if RACE {
        (
            "Begin with `fairlane race`, which races all suites in under three minutes.\n",
            "3 a regression that fairlane compare was to find, or a leak that fairlane leak found,\n\
             125 nothing that git bisect can use, 130 interrupted.",
        )
    } else {
        ("", "130 interrupted. This build has no race.")
    };
    format!(
        "{begin}Exit codes: 0 success, 1 a check failed or a file could not be read or written, 2 misuse,\n{codes}\n\
         FAIRLANE_BACKEND=scalar,avx2 limits every command to these backends; `fairlane cpu` lists all\n\
         backends."
    )
}

#[derive(Subcommand, Debug)]
enum Command {
    Cpu(cpu::Args),
    #[cfg(feature = "race")]
    Race(Box<race::Args>),
    #[cfg(feature = "race")]
    Leak(leak::Args),
    #[cfg(feature = "race")]
    Report(runs::ReportArgs),
    #[cfg(feature = "race")]
    Validate(runs::ValidateArgs),
    #[cfg(feature = "race")]
    Compare(compare::Args),
    #[cfg(feature = "race")]
    History(history::Args),
    Hash(hash::Args),
    Encrypt(sealed::EncryptArgs),
    Decrypt(sealed::DecryptArgs),
    Keygen(sealed::KeygenArgs),
    Kem(kem::Args),
    Completions(pages::CompletionsArgs),
    Man(pages::ManArgs),
    #[cfg(feature = "race")]
    #[command(hide = true)]
    OneContestant(race::OneContestantArgs),
    #[cfg(feature = "race")]
    #[command(hide = true)]
    PluginHost(race::PluginHostArgs),
    #[cfg(feature = "race")]
    #[command(hide = true)]
    ServeContestants(race::ServeArgs),
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) => return explain(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: Cli) -> Outcome {
    if let Err(error) = fairlane_lanes::allow_list() {
        let meant = match &error {
            AllowListError::Unknown(name) => {
                did_you_mean(name, &Backend::ALL.iter().map(|b| b.name()).collect::<Vec<_>>())
            }
            _ => String::new(),
        };
        return Err(Failure::Misuse(format!("FAIRLANE_BACKEND: {error}{meant}")));
    }
    match cli.command {
        Command::Cpu(args) => cpu::run(&args),
        #[cfg(feature = "race")]
        Command::Race(args) => race::run(&args),
        #[cfg(feature = "race")]
        Command::Leak(args) => leak::run(&args),
        #[cfg(feature = "race")]
        Command::Report(args) => runs::report(&args),
        #[cfg(feature = "race")]
        Command::Validate(args) => runs::validate(&args),
        #[cfg(feature = "race")]
        Command::Compare(args) => compare::run(&args),
        #[cfg(feature = "race")]
        Command::History(args) => history::run(&args),
        Command::Hash(args) => hash::run(args),
        Command::Encrypt(args) => sealed::encrypt(&args),
        Command::Decrypt(args) => sealed::decrypt(&args),
        Command::Keygen(args) => sealed::keygen(&args),
        Command::Kem(args) => kem::run(&args),
        Command::Completions(args) => pages::completions(&args, &Cli::command()),
        Command::Man(args) => pages::man(&args, Cli::command()),
        #[cfg(feature = "race")]
        Command::OneContestant(args) => race::one_contestant(&args),
        #[cfg(feature = "race")]
        Command::PluginHost(args) => race::plugin_host(&args),
        #[cfg(feature = "race")]
        Command::ServeContestants(race::ServeArgs {}) => race::serve_contestants(),
    }
}

/// Prints clap's message: help and version as they are, an error as one line.
fn explain(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return print_help(error).map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    let mut line = one_line(&error.to_string());
    let unknown = error.get(ContextKind::InvalidSubcommand);
    if let Some(ContextValue::String(name)) = unknown.filter(|_| !RACE)
        && OF_THE_RACE.contains(&name.as_str())
    {
        line = format!("this build has no '{name}': build fairlane-cli with its feature `race`, a default one");
    }
    Failure::Misuse(line).report()
}

#[cfg(feature = "race")]
fn print_help(error: &clap::Error) -> Outcome {
    output::print_coloured(&error.render().ansi().to_string())
}

#[cfg(not(feature = "race"))]
fn print_help(error: &clap::Error) -> Outcome {
    output::print(&error.render().to_string())
}

/// Joins clap's paragraphs to one line: what is wrong, what is expected and the tip, without the usage.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let parts: Vec<String> = text
        .split("\n\n")
        .filter(|paragraph| !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information"))
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    format!("{} (see --help)", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_refusal_of_an_argument_is_one_line_that_names_it() {
        let of_all = [
            (&["hash", "--alg", "x"][..], "--algo"),
            (&["hash", "--algo", "md5"], "sha3-256"),
            (&["nonsense"], "nonsense"),
        ];
        let of_the_race = [(&["race", "--size", "0"][..], "zero"), (&["compare", "a.json"], "<SECOND>")];
        for (args, names) in of_all.into_iter().chain(of_the_race.into_iter().filter(|_| RACE)) {
            let error = Cli::try_parse_from([&["fairlane"], args].concat()).unwrap_err();
            let line = one_line(&error.to_string());
            assert!(line.contains(names) && !line.contains('\n') && !line.contains("Usage"), "{line}");
        }
    }
}
