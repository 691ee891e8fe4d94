//! `fairlane race --list`: what can be raced, and which libraries are unavailable, and why.

use super::args::Args;
use crate::failure::Outcome;
use crate::files::keep_apart;
use crate::output::{print, table, width};
use crate::pending::Pending;
use fairlane_common::terminal::wrap;
use fairlane_lab::contest::{Contest, Contestant, Kind, Size};
use fairlane_lab::engine::{Entry, RaceConfig};
use fairlane_lab::report::wording;
use fairlane_lab::run::RunUnit;
use serde_json::{Value, json};

/// Prints the list: a line for each contest, all about each, or all as JSON.
pub(crate) fn list(config: &RaceConfig, args: &Args) -> Outcome {
    if let Some(path) = &args.json {
        keep_apart(path, &args.files())?;
        return Pending::check_own(path, args.force)?.write(format!("{:#}\n", as_json(config)).as_bytes());
    }
    let mut text = if args.verbose {
        config.entries.iter().map(|entry| contest(config, entry) + "\n").collect()
    } else {
        let rows = config.entries.iter().map(|entry| line(config, entry));
        format!("{}\n\n", table(&["CONTEST", "SIZES", "CONTESTANTS"], rows, width()))
    };
    if !config.absent.is_empty() {
        let rows = config.absent.iter().map(|absent| vec![absent.library.clone(), absent.why.clone()]);
        text += &format!("Unavailable\n{}\n", table(&["LIBRARY", "WHY"], rows, width()));
    }
    print(&text)
}

/// A contest's id, its range of sizes, and how many contestants it has.
fn line(config: &RaceConfig, Entry { contest, contestants }: &Entry) -> Vec<String> {
    let sizes = config.sizes_of(contest);
    let work = |size: &Size| wording::work(&size.to_string(), RunUnit::from(contest.unit));
    let range = match sizes.as_slice() {
        [] => String::new(),
        [one] => work(one),
        [first, .., last] => format!("{} to {}", work(first), work(last)),
    };
    vec![contest.id.to_string(), range, contestants.len().to_string()]
}

/// All about a contest.
fn contest(config: &RaceConfig, Entry { contest, contestants }: &Entry) -> String {
    let rows = contestants.iter().map(|Contestant { name, version, backend, labels, .. }| {
        vec![name.clone(), version.clone(), backend.clone(), wording::labels(labels)]
    });
    let contestants = table(&["CONTESTANT", "VERSION", "PATH", "LABELS"], rows, width());
    let about = format!("{} (suite {}): {}", contest.id, contest.suite, contest.about);
    let job = match contest.kind {
        Kind::OneFunction(_) | Kind::Own(_) => String::new(),
        Kind::OneJob(_) => wrap("one job: the contestants are different functions that do the same work", width(), 0),
    };
    let sizes = format!(
        "takes {}; sizes: {}; with --quick: {}",
        contest.takes_what(),
        sizes(&config.sizes_of(contest)).join(", "),
        sizes(contest.quick_sizes).join(", ")
    );
    format!("{}{job}{}{contestants}\n", wrap(&about, width(), 0), wrap(&sizes, width(), 0))
}

fn sizes(sizes: &[Size]) -> Vec<String> {
    sizes.iter().map(ToString::to_string).collect()
}

/// The list for programs, with the words of a run's file.
fn as_json(config: &RaceConfig) -> Value {
    let contestant = |c: &Contestant| {
        json!({
            "name": c.name, "function": c.function, "library": c.library, "version": c.version, "backend": c.backend,
            "labels": c.labels, "how_to_use": c.how_to_use,
        })
    };
    let contest = |Entry { contest, contestants }: &Entry| {
        let Contest { id, suite, about, unit, quick_sizes, .. } = contest;
        json!({
            "id": id.to_string(), "suite": suite, "about": about, "unit": RunUnit::from(*unit),
            "sizes": sizes(&config.sizes_of(contest)), "quick_sizes": sizes(quick_sizes),
            "contestants": contestants.iter().map(contestant).collect::<Vec<_>>(),
        })
    };
    json!({ "contests": config.entries.iter().map(contest).collect::<Vec<_>>(), "absent": config.absent })
}
