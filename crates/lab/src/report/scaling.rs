//! What more threads bring: each contest that was raced at several thread counts, as measured at each.
//!
//! Every thread does the whole work of the contest, so speeds of all threads together are compared. Different thread counts
//! share no rounds: a ratio takes in all that the two intervals allow.

use super::words::{self, escape, table};
use crate::engine::statistics::Enclosed;
use crate::run::{ContestResult, Run};

/// The tables; nothing where each contest was raced at one thread count.
pub(super) fn render(run: &Run) -> String {
    let mut text = String::new();
    for (at, contest) in run.contests.iter().enumerate() {
        let same = |other: &&ContestResult| (&other.id, &other.size) == (&contest.id, &contest.size);
        if run.contests[..at].iter().any(|other| same(&other)) {
            continue;
        }
        let counts: Vec<&ContestResult> = run.contests.iter().filter(same).collect();
        if counts.len() > 1 {
            let title = escape(&format!("{}, {}", contest.id, words::work(&contest.size, contest.unit)));
            text += &format!("### {title}\n\n{}\n", speeds(&counts, run.settings.confidence));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "## Scaling over threads\n\nOperations a second of all threads together, as measured at each count, and how many \
         times those of the first. All intervals of one contestant hold together with {} confidence.\n\n{text}",
        words::confidence(run.settings.confidence)
    )
}

fn speeds(counts: &[&ContestResult], confidence: f64) -> String {
    let error = (1.0 - confidence) / counts.len() as f64;
    let speed = |contest: &ContestResult, name: &str| {
        let contestant = contest.contestants.iter().find(|contestant| contestant.name == name)?;
        let time = Enclosed::of(&contestant.samples, error)?;
        Some(time.inverse().times(1e9 * f64::from(contest.threads)))
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
        let ratio = |speed: &Option<Enclosed>| Some(words::ratio(&speed.as_ref()?.over(speeds[0]?)));
        let cells = speeds.iter().map(|speed| speed.map(words::enclosed)).chain(speeds[1..].iter().map(ratio));
        std::iter::once(escape(name)).chain(cells.map(Option::unwrap_or_default)).collect()
    };
    let rows: Vec<Vec<String>> = counts[0].contestants.iter().map(|contestant| row(&contestant.name)).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    table(&head, &head[1..], &rows)
}
