//! The `fairlane` command: parses arguments, prints what the libraries found.
//!
//! | file | command |
//! | --- | --- |
//! | `cpu` | `fairlane cpu`: what this machine offers |
//! | `race` | `fairlane race`: who is faster here |
//! | `runs` | `fairlane report`, `validate`, `compare`: what to do with a run's JSON |
//! | `hash` | `fairlane hash`: checksums |
//! | `sealed` | `fairlane encrypt`, `decrypt` and `keygen`: authenticated encryption of files and pipes |
//! | `kem` | `fairlane kem`: key pairs, shared secrets, keys as colours |
//! | `pages` | `fairlane completions` and `fairlane man` |

mod bar;
mod cpu;
mod failure;
mod files;
mod hash;
mod kem;
mod names;
mod output;
mod pages;
mod race;
mod runs;
mod sealed;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use failure::{Failure, Outcome};
use std::io::{self, Write};
use std::process::ExitCode;

fairlane_lab::count_allocations!();

/// Cryptographic primitives at the speed of this machine, and a race that says who is faster here
#[derive(Parser, Debug)]
#[command(name = "fairlane", version, max_term_width = 100, after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER: &str = "To begin with: `fairlane race`, every suite in under three minutes.\n\
                     Exit codes: 0 all is well, 1 a check failed or a file could not be read or written, 2 misuse,\n\
                     130 interrupted.\n\
                     FAIRLANE_BACKEND=scalar,avx2 limits every command to these backends; `fairlane cpu` lists them.";

#[derive(Subcommand, Debug)]
enum Command {
    Cpu(cpu::Args),
    Race(race::Args),
    Report(runs::ReportArgs),
    Validate(runs::ValidateArgs),
    Compare(runs::CompareArgs),
    Hash(hash::Args),
    Encrypt(sealed::EncryptArgs),
    Decrypt(sealed::DecryptArgs),
    Keygen(sealed::KeygenArgs),
    Kem(kem::Args),
    Completions(pages::CompletionsArgs),
    Man(pages::ManArgs),
    #[command(hide = true)]
    OneContestant(race::OneContestantArgs),
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
        return Err(Failure::Misuse(format!("FAIRLANE_BACKEND: {error}")));
    }
    match cli.command {
        Command::Cpu(args) => cpu::run(&args),
        Command::Race(args) => race::run(&args),
        Command::Report(args) => runs::report(&args),
        Command::Validate(args) => runs::validate(&args),
        Command::Compare(args) => runs::compare(&args),
        Command::Hash(args) => hash::run(args),
        Command::Encrypt(args) => sealed::encrypt(&args),
        Command::Decrypt(args) => sealed::decrypt(&args),
        Command::Keygen(args) => sealed::keygen(&args),
        Command::Kem(args) => kem::run(&args),
        Command::Completions(args) => pages::completions(&args),
        Command::Man(args) => pages::man(&args),
        Command::OneContestant(args) => race::one_contestant(&args),
    }
}

/// What clap has to say: help and version as they are, an error in one line.
fn explain(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        return printed.map_or_else(|error| Failure::stdout(&error).report(), |()| ExitCode::SUCCESS);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    Failure::Misuse(one_line(&error.to_string())).report()
}

/// clap's paragraphs as one line: what is wrong, what would be right, the tip; not the usage.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let said: Vec<String> = text
        .split("\n\n")
        .filter(|paragraph| !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information"))
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    format!("{} (see --help)", said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_refusal_of_an_argument_is_one_line_that_names_it() {
        for (args, names) in [
            (&["hash", "--alg", "x"][..], "--algo"),
            (&["hash", "--algo", "md5"], "sha3-256"),
            (&["race", "--size", "0"], "zero"),
            (&["nonsense"], "nonsense"),
            (&["compare", "a.json"], "<SECOND>"),
        ] {
            let error = Cli::try_parse_from([&["fairlane"], args].concat()).unwrap_err();
            let line = one_line(&error.to_string());
            assert!(line.contains(names) && !line.contains('\n') && !line.contains("Usage"), "{line}");
        }
    }
}
