//! `fairlane race --list`: contests, sizes, contestants, and which libraries are unavailable, and why.

use crate::output::{table, width};
use fairlane_lab::contest::{Contestant, Kind, Size};
use fairlane_lab::engine::{Entry, RaceConfig};
use fairlane_lab::report::terminal::wrap;
use fairlane_lab::report::wording;

/// The list as text.
pub(crate) fn list(config: &RaceConfig) -> String {
    let mut text: String = config.entries.iter().map(|entry| contest(config, entry) + "\n").collect();
    if !config.absent.is_empty() {
        let rows = config.absent.iter().map(|absent| vec![absent.library.clone(), absent.why.clone()]);
        text += &format!("Unavailable\n{}\n", table(&["LIBRARY", "WHY"], rows, width()));
    }
    text
}

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
        sizes(&config.sizes_of(contest)),
        sizes(contest.quick_sizes)
    );
    format!("{}{job}{}{contestants}\n", wrap(&about, width(), 0), wrap(&sizes, width(), 0))
}

fn sizes(sizes: &[Size]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
