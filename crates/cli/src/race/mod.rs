//! `fairlane race`: runs a race and prints its verdicts.

mod config;
mod list;
mod one_contestant;
mod progress;
mod reports;

pub(crate) use one_contestant::{Args as OneContestantArgs, run as one_contestant};

use crate::failure::{Failure, Outcome, complain};
use crate::output::{eprint_coloured, print, print_coloured, width};
use fairlane_lab::contest::Size;
use fairlane_lab::engine;
use fairlane_lab::report::Format;
use fairlane_lab::report::terminal::wrap;
use fairlane_lab::run::{ContestResult, Run};
use fairlane_lanes::Backend;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Race implementations side by side on this machine, and say who is faster, by how much and how surely
///
/// Without a suite or contest, a selection from all suites is raced in under three minutes. One line per contest says
/// which contestant is fastest and by how much; the full report is written to fairlane-race.html and
/// fairlane-race.json. `fairlane race --list` shows what can be raced. Ctrl-C ends the race early and keeps what was
/// measured.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Suites (keccak, arx, sm, kalyna, ml-kem, clwe), contests (sha3-256/message) or patterns ('*/batch', '*' for all)
    #[arg(value_name = "SUITE|CONTEST")]
    contests: Vec<String>,
    /// Race at these sizes instead of the contests' own: 32, 1KiB or, for a batch, 1024x32
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    size: Vec<Size>,
    /// Race only these contestants: a name, a library or a pattern such as 'fairlane/*'
    ///
    /// Where different functions do one job, names begin with the function: "Kusumi-512: fairlane/avx2". There a
    /// pattern may match the whole name or the part after the function, so that 'fairlane/*' selects fairlane with each
    /// function.
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    contestant: Vec<String>,
    /// Race only these backends of fairlane; with two, such as avx2,avx512, the race reports the speed-up of the better
    /// one
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    backend: Vec<Backend>,
    /// Run this many threads at once; several counts are raced one after the other
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Vec<u32>,
    /// Seconds of measuring for each contest, size and thread count; the default is 3, or less to finish in three
    /// minutes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Operations in each sample, instead of as many as take the fastest contestant 200 µs
    ///
    /// With --warm-up 100 --iterations 1000, a sample is what a simple benchmark measures. The race still alternates
    /// between contestants until the time is up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    iterations: Option<u64>,
    /// Untimed operations before each sample, instead of as many as take 30 µs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    warm_up: Option<u64>,
    /// Fewer sizes and fewer rounds; this is the default without a suite or contest
    #[arg(long)]
    quick: bool,
    /// Exit code 1 if a contestant is disqualified or undecided, or a contest unfit
    #[arg(long)]
    strict: bool,
    /// Keep samples that another process disturbed, and give no verdicts: for a machine that is never quiet, and for
    /// tests
    ///
    /// Samples in which the race was preempted are kept as well. Ratios and intervals then include whatever else the
    /// machine was doing. The run says so, and no contest of it is fit: with --strict the exit code is 1.
    #[arg(long)]
    keep_disturbed: bool,
    /// Also count instructions with valgrind, for the contestants that it can run
    #[arg(long)]
    callgrind: bool,
    /// Write the run to this file, for validate, compare and report; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the run to this file as a Markdown document; - is standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the run to this file as a page for a browser, which needs nothing beside it; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Do not race: list contests, sizes and contestants, and which libraries are unavailable, and why
    #[arg(long)]
    list: bool,
}

impl Args {
    /// Whether no contest was named, so that the default selection is raced.
    fn is_main(&self) -> bool {
        self.contests.is_empty()
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a race takes from 0.01 to 86400 seconds".to_owned()),
    }
}

/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    let config = config::config(args)?;
    if args.list {
        return print(&list::list(&config));
    }
    // A path that cannot be written is reported before the race, not after it.
    let reports = reports::Reports::check(args)?;
    ctrlc::set_handler(|| {
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(Failure::failed)?;
    let run = engine::race(&config, &mut progress::Progress::new(), &STOP);

    // Every output is tried, so that one that fails costs none of the others.
    let mut outcomes = reports.write(&run);
    let runs = std::slice::from_ref(&run);
    let verdicts = if args.is_main() {
        Format::Overview(width()).to_text(runs).map_err(Failure::failed)? + &wrap(&reports.told(), width(), 0)
    } else {
        Format::Verdicts(width()).to_text(runs).map_err(Failure::failed)?
    };
    if reports.take_stdout() {
        eprint_coloured(&verdicts);
    } else {
        outcomes.push(print_coloured(&verdicts));
    }
    outcomes.push(judge(&run, args.strict));
    finish(outcomes)
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
            "nothing is fit with --keep-disturbed"
        } else {
            "a quieter machine or a longer --time helps the first"
        };
        return Err(Failure::Failed(format!(
            "--strict: {unfit} of {of} contests unfit, {disqualified} contestants disqualified; {help}"
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
