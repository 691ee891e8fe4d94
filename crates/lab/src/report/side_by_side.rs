//! Several runs as one Markdown document: for each contest the ratios only, a column a run.
//!
//! Times of different machines say little beside each other; the winner on each, and its margin, do.

use super::escape::{escape, table};
use super::markdown::{again, warnings};
use super::provenance;
use super::wording;
use crate::compare::{Key, work_differs};
use crate::run::{ContestResult, ContestantResult, Run, RunKind, Verdict};

/// The document.
pub fn render(runs: &[Run]) -> String {
    let mut text = "# Races side by side\n\n".to_owned();
    for (run, name) in runs.iter().zip(names(runs)) {
        text += &format!("## Run {name}\n\n{}", warnings(run));
        text += &format!("- Machine: {}\n", escape(&provenance::machine(&run.machine)));
        text += &format!("- Build: {}\n", escape(&provenance::build(&run.fairlane, &run.build)));
        text += &format!("- Measured: {}\n\n", escape(&run.started));
        text += &again(&run.settings.command);
    }
    text += "## Ratios\n\nA cell is the contestant's time over the time of the fastest of the same run, with its \
     interval; in \
             parentheses its rank there, and \"undecided\" where that run gives no verdict. Blank: not measured in \
             that run.\n\n";
    for key in keys(runs) {
        text += &section(&key, runs);
    }
    text
}

/// A, B, … Z, then 27, 28, …
pub(super) fn names(runs: &[Run]) -> Vec<String> {
    (0..runs.len()).map(|n| if n < 26 { char::from(b'A' + n as u8).to_string() } else { (n + 1).to_string() }).collect()
}

/// Every contest that a run holds, in the order of the first run that holds it.
pub(super) fn keys(runs: &[Run]) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for contest in runs.iter().flat_map(|run| &run.contests) {
        if !keys.iter().any(|key| key.is_of(contest)) {
            keys.push(Key::of(contest));
        }
    }
    keys
}

fn section(key: &Key, runs: &[Run]) -> String {
    let mut entries: Vec<Option<&ContestResult>> = runs.iter().map(|run| key.find(run)).collect();
    let Some(first) = entries.iter().copied().flatten().next() else { return String::new() };
    let mut text = format!("### {}\n\n{}\n\n", escape(&wording::contest(first)), escape(&first.about));
    text += &wording::conditions(first).map(|line| format!("{}\n\n", escape(&line))).unwrap_or_default();
    if first.kind == RunKind::OneJob {
        text += &format!("{}\n\n", wording::kind(first));
    }
    let names = names(runs);
    for (entry, name) in entries.iter_mut().zip(&names) {
        if let Some(why) = entry.and_then(|contest| work_differs(first, contest)) {
            text += &format!("Left out, because its work differs: run {name}, {}.\n\n", escape(&why));
            *entry = None;
        }
    }
    let head: Vec<&str> = std::iter::once("contestant").chain(names.iter().map(String::as_str)).collect();
    let rows: Vec<Vec<String>> = contestants(&entries)
        .into_iter()
        .map(|name| std::iter::once(escape(name)).chain(entries.iter().map(|entry| cell(*entry, name))).collect())
        .collect();
    text += &table(&head, &head[1..], &rows);
    for name in contestants(&entries) {
        text += &builds(name, &entries, &names).map(|line| format!("\n{}\n", escape(&line))).unwrap_or_default();
    }
    for (contest, run) in entries.iter().zip(&names).filter_map(|(entry, run)| Some(((*entry)?, run))) {
        let kept = (contest.disturbed > 0).then(|| format!("{} disturbed samples kept", contest.disturbed));
        for line in wording::backends(contest).into_iter().chain(kept) {
            text += &format!("\nRun {run}: {}.\n", escape(&line));
        }
        for out in &contest.disqualified {
            text += &format!("\n**Disqualified** in run {run}: {}: {}\n", escape(&out.name), escape(&out.why));
        }
    }
    text + "\n"
}

/// Every contestant of any run, in the order of the first run that timed it.
pub(super) fn contestants<'a>(entries: &[Option<&'a ContestResult>]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for contestant in entries.iter().flatten().flat_map(|contest| &contest.contestants) {
        if !names.contains(&contestant.name.as_str()) {
            names.push(contestant.name.as_str());
        }
    }
    names
}

pub(super) fn cell(entry: Option<&ContestResult>, name: &str) -> String {
    let found = entry.and_then(|contest| contest.contestants.iter().find(|c| c.name == name));
    let undecided = |c: &ContestantResult| if c.verdict == Verdict::Undecided { ", undecided" } else { "" };
    found.map(|c| format!("{} ({}{})", wording::ratio_cell(c), c.rank, undecided(c))).unwrap_or_default()
}

/// The versions and paths of a contestant where they are not the same in all runs.
pub(super) fn builds(name: &str, entries: &[Option<&ContestResult>], names: &[String]) -> Option<String> {
    let found: Vec<(&String, String)> = entries
        .iter()
        .zip(names)
        .filter_map(|(entry, run)| Some((run, entry.as_ref()?.contestants.iter().find(|c| c.name == name)?)))
        .map(|(run, c)| (run, format!("{} {} on {}", c.library, c.version, c.backend)))
        .collect();
    let differs = found.iter().any(|(_, build)| *build != found[0].1);
    let each: Vec<String> = found.iter().map(|(run, build)| format!("{build} in {run}")).collect();
    differs.then(|| format!("{name} differs between the runs: {}.", wording::list(&each)))
}
