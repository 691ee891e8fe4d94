//! `fairlane race`: runs a race and prints its verdicts.

mod list;
mod one_contestant;
mod plan;
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
/// Without a suite or contest: a quick pass of all suites in under three minutes, then a line a contest with who won and by
/// how much; the full report is left in fairlane-race.html and fairlane-race.json, which replace those of the last pass.
/// `fairlane race --list` tells what can be raced. Ctrl-C ends the race early and keeps what was measured.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Suites (keccak, arx, sm, kalyna, ml-kem, clwe), contests (sha3-256/message) or patterns ('*/batch', '*' for all)
    #[arg(value_name = "SUITE|CONTEST")]
    contests: Vec<String>,
    /// Race at these sizes instead of the contests' own: 32, 1KiB or, for a batch, 1024x32
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    size: Vec<Size>,
    /// Let only these enter: a name, a library or a pattern such as 'fairlane/*'
    ///
    /// In a contest of one job, names begin with the function: "Kusumi-512: fairlane/avx2". There a pattern means the
    /// whole name or what stands behind the function, so that 'fairlane/*' is fairlane with each of them.
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    contestant: Vec<String>,
    /// Let only these backends of fairlane enter; with two, such as avx2,avx512, the race says what the better one brings
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    backend: Vec<Backend>,
    /// Race on so many threads at once; several counts are raced one after the other
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Vec<u32>,
    /// Seconds of measuring for each contest, size and thread count; if not given 3, or less to be done in three minutes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// So many operations in each sample, instead of what takes the fastest contestant 200 µs
    ///
    /// With --warm-up 100 --iterations 1000, a sample is what many a benchmark is as a whole. The race still takes samples
    /// in turns, until the time is up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    iterations: Option<u64>,
    /// So many untimed operations before each sample, instead of what takes 30 µs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    warm_up: Option<u64>,
    /// Fewer sizes and less certainty, as always without a suite or contest
    #[arg(long)]
    quick: bool,
    /// Exit code 1 if a contestant is disqualified or undecided, or a contest unfit
    #[arg(long)]
    strict: bool,
    /// Keep samples that a neighbour disturbed, and give no verdicts: for a machine that is never quiet, and for tests
    ///
    /// Samples in which the system took the CPU away from the race are kept as well. Ratios and intervals are then those
    /// of whatever the machine was doing. The run says so, and no contest of it is fit: with --strict the exit code is 1.
    #[arg(long)]
    keep_disturbed: bool,
    /// Also count instructions, by valgrind, of the contestants that it can run
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
    /// Whether it is the quick pass of all suites: no contest was named.
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
    let plan = plan::plan(args)?;
    if args.list {
        return print(&list::list(&plan));
    }
    // A path that cannot be written is to be found before the race, not after it.
    let reports = reports::Reports::check(args)?;
    ctrlc::set_handler(|| {
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(Failure::failed)?;
    let run = engine::race(&plan, &mut progress::Progress::new(), &STOP);

    // Everything is tried, so that a closed pipe or a full disk costs no more than it must.
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

/// What is fit to be the exit code of a race that ended.
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

/// The worst of what happened is returned, the rest said.
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
