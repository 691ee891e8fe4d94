//! `fairlane race`: runs a race and prints its verdicts.

mod args;
mod config;
mod list;
mod one_contestant;
mod plugin_host;
mod processes;
mod progress;
mod reports;

pub(crate) use args::{Args, backend, seconds};
pub(crate) use config::{Choice, command_line, matches_result};
pub(crate) use one_contestant::{Args as OneContestantArgs, run as one_contestant};
pub(crate) use plugin_host::{Args as PluginHostArgs, ServeArgs, run as plugin_host, serve as serve_contestants};

use crate::failure::{Failure, Outcome, complain};
use crate::interrupt::install_after;
use crate::names::quote;
use crate::output::{print_coloured, width};
use crate::runs::read_leaks;
use crate::secret_files::{about, read_private};
use fairlane_common::terminal::wrap;
use fairlane_lab::engine;
use fairlane_lab::report::Format;
use fairlane_lab::run::{ContestResult, Run, check_key};
use std::io::Write;
use std::mem;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use zeroize::Zeroizing;

/// Set by the first Ctrl-C.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    let config = config::config(args)?;
    if args.list {
        return list::list(&config, args);
    }
    if args.part.is_some() {
        return processes::part(&config);
    }
    // A path that cannot be written is reported before the race, not after it.
    let reports = reports::Reports::check(args)?;
    let key = args.sign.as_deref().map(signing_key).transpose()?;
    // So is a file of leaks that cannot be read.
    let leaks = args.leaks.as_deref().map(read_leaks).transpose()?;
    install_after(&STOP)?;
    let mut run = match processes::count(args, &config) {
        1 => engine::race(&config, &mut progress::Progress::new(config.process), &STOP),
        count => processes::race(&config, count, &STOP)?,
    };
    if let Some(key) = key {
        run.sign(&key).map_err(Failure::failed)?;
    }

    if let (Some(leaks), Some(path)) = (leaks, &args.leaks) {
        leaks.join(&mut run).unwrap_or_else(|why| complain(format_args!("--leaks {}: {why}", quote(path.as_os_str()))));
    }

    // A failed output does not keep the others from being written.
    let mut outcomes = reports.write(&run);
    let runs = std::slice::from_ref(&run);
    let verdicts = if args.is_main() {
        Format::Overview(width()).to_text(runs).map_err(Failure::failed)? + &wrap(&reports.paths(), width(), 0)
    } else {
        Format::Verdicts(width()).to_text(runs).map_err(Failure::failed)?
    };
    if reports.use_stdout() {
        eprint_coloured(&verdicts);
    } else {
        outcomes.push(print_coloured(&verdicts));
    }
    outcomes.push(judge(&run, args.strict));
    finish(outcomes)
}

/// Prints a text with colours to standard error. A write error is ignored.
fn eprint_coloured(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Reads the key of `--sign`, and checks it before a race is spent on it.
fn signing_key(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let mut bytes = read_private(path)?;
    let text = String::from_utf8(mem::take(&mut *bytes)).map(Zeroizing::new);
    let text = text.map_err(|_| about(path, "not text; give an Ed25519 key in PEM"))?;
    check_key(&text).map_err(|why| about(path, why))?;
    Ok(text)
}

/// The outcome of a race, for the exit code.
fn judge(run: &Run, strict: bool) -> Outcome {
    if run.interrupted {
        return Err(Failure::Interrupted);
    }
    let unfit = run.contests.iter().filter(|contest| !contest.fit).count();
    let disqualified = run.contests.iter().map(|contest: &ContestResult| contest.disqualified.len()).sum::<usize>();
    if strict && (unfit > 0 || disqualified > 0) {
        let of = run.contests.len();
        let help = if run.settings.keep_disturbed {
            "with --keep-disturbed no contest is fit for a verdict"
        } else {
            "race on a quieter machine or with a longer --time"
        };
        return Err(Failure::Failed(format!(
            "--strict: {unfit} of {of} contests unfit for a verdict, {disqualified} contestants disqualified; {help}"
        )));
    }
    Ok(())
}

/// Returns the most serious failure and prints the others.
fn finish(outcomes: Vec<Outcome>) -> Outcome {
    let mut failures: Vec<Failure> = outcomes.into_iter().filter_map(Result::err).collect();
    failures.sort_by_key(|failure| matches!(failure, Failure::ClosedPipe));
    let mut failures = failures.into_iter();
    let Some(first) = failures.next() else { return Ok(()) };
    for other in failures {
        if let Failure::Failed(line) | Failure::Misuse(line) = other {
            complain(line);
        }
    }
    Err(first)
}
