//! `fairlane leak`: searches operations for times that depend on their secrets.

mod progress;

use crate::failure::{Failure, Outcome, unless_closed};
use crate::interrupt::install_after;
use crate::output::{print, print_aside, print_bytes, table, width};
use crate::pending::Pending;
use crate::race::{Choice, STOP, backend, command_line, seconds};
use fairlane_common::terminal::wrap;
use fairlane_lab::contest::{Contest, Size};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests::select;
use fairlane_lab::leak::found::Leaks;
use fairlane_lab::leak::{Config, Entry, Secret, search, wording};
use fairlane_lanes::Backend;
use std::path::PathBuf;

/// What is searched if nothing is named: of each suite the operations that say most.
const DEFAULT: &[&str] = &[
    "chacha20/encrypt",
    "chacha20-poly1305/open",
    "kusumi512-poly1305/open",
    "threefish512/encrypt",
    "sm4/ecb-encrypt",
    "sm4/gcm-open",
    "kalyna-128-256/ecb-encrypt",
    "kalyna-128-256/key-schedule",
    "ml-kem-768/decaps",
    "clwe-768/decaps-prepared",
];

/// The rate at which a contestant is called leaky by chance. A search of a thousand raises a false alarm once in a
/// hundred times.
const FALSE_ALARMS: f64 = 1e-5;

/// Search operations for times that depend on their secrets
///
/// Each contestant's operation is timed with inputs of two classes, such as one key and keys drawn at random, or tags
/// whose first byte is wrong and tags whose last is. The class of each sample is drawn by a coin. If the times of the
/// two classes can be told apart, the operation is not constant-time; if not, no difference larger than the one stated
/// was found on this machine. In every search, controls that leak must be told apart, and one that does not must not
/// be. docs/leak.md says more.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Suites (keccak, arx, sm, kalyna, ml-kem, clwe), contests (sm4/gcm-open), what contests begin with or patterns
    /// ('*/open', '*' for all); the default is a selection that takes a minute or two
    #[arg(value_name = "CONTEST")]
    contests: Vec<String>,
    /// Search only these contestants: a name, a library or a pattern such as 'fairlane/*'
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    contestant: Vec<String>,
    /// Search only these backends of fairlane
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = backend(), hide_possible_values = true)]
    backend: Vec<Backend>,
    /// Search at this size instead of the smallest of each contest: 64, 1KiB or, for a batch, 8x32
    #[arg(long, value_name = "SIZE")]
    size: Option<Size>,
    /// Undisturbed samples of each contestant and pair of classes
    #[arg(
        long,
        value_name = "N",
        default_value = "50000",
        value_parser = clap::value_parser!(u64).range(4000..=100_000_000)
    )]
    samples: u64,
    /// Seconds after which a contestant is left with the samples that it has; ten times as long while they are too few
    /// for a verdict
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    time: f64,
    /// The seed of the coins; the same number gives the same classes in the same order
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Write what was found to this file as JSON, compressed if the name ends in .gz; - is standard output, also
    /// without FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Replace a file that fairlane did not write
    #[arg(short, long)]
    force: bool,
    /// Do not search, but list what can be searched, a line for each contest
    #[arg(long, conflicts_with = "json")]
    list: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    let entries = entries(args)?;
    if args.list {
        return list(&entries);
    }
    let json = args.json.as_deref().map(|path| Pending::check_own(path, args.force)).transpose()?;
    install_after(&STOP)?;
    let config = Config {
        samples: args.samples as usize,
        seconds: args.time,
        false_alarms: FALSE_ALARMS,
        seed: args.seed,
        command: command_line(),
    };
    let aside = json.as_ref().is_some_and(Pending::is_stdout);
    let mut progress = progress::Progress::new(aside);
    let leaks = search(&config, &entries, &mut progress, &STOP);
    progress.end(&leaks);
    let printed = progress.outcome();
    if let Some(json) = json {
        let bytes = if json.is_gzip() { leaks.compressed() } else { leaks.json().into_bytes() };
        unless_closed(json.write(&bytes))?;
    }
    unless_closed(printed).and(judge(&leaks))
}

/// The outcome of a search, for the exit code.
fn judge(leaks: &Leaks) -> Outcome {
    if leaks.interrupted {
        return Err(Failure::Interrupted);
    }
    if let Some(control) = leaks.misbehaving().next() {
        let verdict = wording::words(control.verdict);
        let must = if control.leaks { "must be told apart" } else { "must not be told apart" };
        return Err(Failure::Regression(format!(
            "the control '{}' is {verdict}, but {must}: the search says nothing; take more --samples and --time",
            control.name
        )));
    }
    let mut apart = leaks.told_apart("fairlane");
    let Some((contest, one)) = apart.next() else { return Ok(()) };
    let more = match apart.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(Failure::Regression(format!("told apart: {} in {}{more}", one.name, wording::heading(contest))))
}

/// The contests that are asked for, each with the contestants that may enter.
fn entries(args: &Args) -> Result<Vec<Entry>, Failure> {
    let wanted: Vec<&str> = match args.contests.as_slice() {
        [] if args.list => vec!["*"],
        [] => DEFAULT.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let contests = select(&wanted).map_err(|error| Failure::Misuse(format!("{error} (see fairlane leak --list)")))?;
    let (secret, open): (Vec<Contest>, Vec<Contest>) =
        contests.into_iter().partition(|contest| !Secret::of(contest.id).is_empty());
    if secret.is_empty() {
        let ids: Vec<String> = open.iter().map(|contest| contest.id.to_string()).collect();
        return Err(Failure::Misuse(format!(
            "{}: nothing of it can be searched: its time may depend on what is public (see fairlane leak --list)",
            ids.join(", ")
        )));
    }
    let takes = |contest: &Contest| args.size.is_none_or(|size| contest.takes(size));
    let mut choice = Choice::new(&args.backend, &args.contestant)?;
    let mut entries = Vec::new();
    for contest in secret.into_iter().filter(takes) {
        let smallest = contest.sizes.iter().min_by_key(|size| size.total()).copied();
        let Some(size) = args.size.or(smallest) else { continue };
        let contestants = choice.of(roster(&contest).contestants);
        if !contestants.is_empty() {
            entries.push(Entry { contest, size, contestants });
        }
    }
    if let (true, Some(size)) = (choice.names.is_empty(), args.size) {
        return Err(Failure::Misuse(format!("no chosen contest takes --size {size}; see fairlane race --list")));
    }
    choice.check("search")?;
    Ok(entries)
}

/// Prints a line for each contest: its secrets, their classes, how many contestants it has.
fn list(entries: &[Entry]) -> Outcome {
    let rows = entries.iter().map(|Entry { contest, size, contestants }| {
        let secrets = Secret::of(contest.id).iter().map(|secret| {
            let [first, second] = secret.classes();
            format!("{secret} ({first} or {second})")
        });
        let secrets: Vec<String> = secrets.collect();
        vec![contest.id.to_string(), size.to_string(), secrets.join(", "), contestants.len().to_string()]
    });
    print(&format!("{}\n", table(&["CONTEST", "SIZE", "SECRETS", "CONTESTANTS"], rows, width())))
}

/// Prints to standard output or, if that is taken, to standard error.
fn tell(text: &str, aside: bool) -> Outcome {
    if aside {
        print_aside(text);
        return Ok(());
    }
    print_bytes(text.as_bytes())
}

/// The rows of a table with a heading and a blank line behind.
fn section(heading: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    format!("{}{}\n\n", wrap(heading, width(), 0), table(columns, rows, width()))
}
