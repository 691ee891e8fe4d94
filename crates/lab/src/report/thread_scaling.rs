//! Scaling over threads: each contest that was raced at several thread counts, as measured at each.
//!
//! Every thread does the whole work of the contest, so speeds of all threads together are compared. Different thread
//! counts share no rounds: a ratio takes in all that the two intervals allow.

use super::section::{Cell, Section, Table};
use super::{numbers, wording};
use crate::engine::statistics::Enclosed;
use crate::run::{ContestResult, Run};

/// The section; `None` if no contest was raced at several thread counts.
pub(super) fn section(run: &Run) -> Option<Section> {
    let mut tables = Vec::new();
    for (at, contest) in run.contests.iter().enumerate() {
        let same = |other: &&ContestResult| (&other.id, &other.size) == (&contest.id, &contest.size);
        if run.contests[..at].iter().any(|other| same(&other)) {
            continue;
        }
        let counts: Vec<&ContestResult> = run.contests.iter().filter(same).collect();
        if counts.len() > 1 {
            tables.push(speeds(&counts, run.settings.confidence));
        }
    }
    let about = format!(
        "Operations a second of all threads together, each of a batch counted, as measured at each number of threads, \
         and how many times those of the first. All intervals of one contestant hold together with {} confidence.",
        numbers::confidence(run.settings.confidence)
    );
    (!tables.is_empty()).then_some(Section { title: "Scaling over threads", about, tables })
}

fn speeds(counts: &[&ContestResult], confidence: f64) -> Table {
    let error = (1.0 - confidence) / counts.len() as f64;
    let in_a_call = counts[0].size.value().map_or(1.0, |size| size.count as f64);
    let speed = |contest: &ContestResult, name: &str| {
        let contestant = contest.contestants.iter().find(|contestant| contestant.name == name)?;
        let time = contest.enclosed_time_of(contestant, error)?;
        Some(time.inverse().times(1e9 * in_a_call * f64::from(contest.threads)))
    };
    let threads = |contest: &&ContestResult| match contest.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let mut head = vec!["contestant".to_owned()];
    head.extend(counts.iter().map(threads));
    head.extend(counts[1..].iter().map(|contest| format!("{} over {}", threads(contest), threads(&counts[0]))));
    let row = |name: &str| {
        let speeds: Vec<Option<Enclosed>> = counts.iter().map(|contest| speed(contest, name)).collect();
        let ratio = |speed: &Option<Enclosed>| Some(numbers::ratio(&speed.as_ref()?.over(speeds[0]?)));
        let cells = speeds.iter().map(|speed| speed.map(numbers::enclosed)).chain(speeds[1..].iter().map(ratio));
        std::iter::once(name.to_owned()).chain(cells.map(Option::unwrap_or_default)).map(Cell::from).collect()
    };
    Table {
        title: format!("{}, {}", counts[0].id, wording::work(&counts[0].size, counts[0].unit)),
        note: String::new(),
        head,
        rows: counts[0].contestants.iter().map(|contestant| row(&contestant.name)).collect(),
    }
}
