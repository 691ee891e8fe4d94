//! The terminal's short form: one block a contest, with who won, by how much, and how sure that is.
//!
//! Text only; whoever calls prints it.

use super::columns::{self, Edge, lines, shorten, wrap};
use super::words;
use crate::run::{ContestResult, ContestantResult, Run, RunKind, Settings, Verdict};

/// The verdicts of a run in lines of at most `width` characters (names are shortened before numbers are).
pub fn run(run: &Run, width: usize) -> String {
    let mut blocks: Vec<String> = run.contests.iter().map(|c| contest(c, &run.settings, width)).collect();
    let mut last = String::new();
    for absent in &run.absent {
        last += &wrap(&format!("not here: {}: {}", absent.library, absent.why), width, 0);
    }
    for warning in &run.warnings {
        last += &wrap(&format!("warning: {warning}"), width, 0);
    }
    if run.interrupted {
        last += &wrap("warning: interrupted; this is what was measured till then", width, 0);
    }
    if !last.is_empty() {
        blocks.push(last);
    }
    blocks.join("\n")
}

/// The verdict of one contest as a block of lines.
pub fn contest(contest: &ContestResult, settings: &Settings, width: usize) -> String {
    let mut text = wrap(&words::contest(contest), width, 0);
    if contest.kind == RunKind::OneJob {
        text += &wrap(words::kind(contest), width, 2);
    }
    text += &wrap(&outcome(contest, settings), width, 2);
    text += &table(&contest.contestants, width);
    for line in words::functions(contest).iter().chain(&words::backends(contest)) {
        text += &wrap(line, width, 2);
    }
    for out in &contest.disqualified {
        text += &wrap(&format!("disqualified: {} {}: {}", out.name, out.version, out.why), width, 2);
    }
    text
}

/// The verdict of one contest in a sentence or two.
pub fn outcome(contest: &ContestResult, settings: &Settings) -> String {
    let all = &contest.contestants;
    if all.is_empty() {
        return "Nobody was timed.".to_owned();
    }
    let with =
        |verdict| -> Vec<&str> { all.iter().filter(|c| c.verdict == verdict).map(|c| c.name.as_str()).collect() };
    let front = [with(Verdict::Fastest), with(Verdict::Tie)].concat();
    let undecided = with(Verdict::Undecided);
    match (front.is_empty(), undecided.is_empty()) {
        (true, _) => no_verdict(contest, settings),
        (false, true) => ranking(all, &front),
        (false, false) => {
            format!("{} Undecided for want of clean rounds: {}.", ranking(all, &front), words::list(&undecided))
        }
    }
}

fn no_verdict(contest: &ContestResult, settings: &Settings) -> String {
    if settings.keep_disturbed {
        return format!("No verdict: disturbed samples are kept here, and {} were disturbed.", contest.disturbed);
    }
    match &contest.control {
        Some(control) if (control.ratio.estimate - 1.0).abs() > settings.control_limit => format!(
            "No verdict: unfit, for {} entered twice takes {} its own time.",
            control.contestant,
            words::ratio(&control.ratio)
        ),
        Some(_) => {
            format!("No verdict: too few clean rounds of {}, {} samples were dropped.", contest.rounds, contest.dropped)
        }
        None => "No verdict: cut short before the control could be judged.".to_owned(),
    }
}

/// Who leads, and by how much over the next; `front` are those that nobody is faster than.
fn ranking(all: &[ContestantResult], front: &[&str]) -> String {
    if all.len() == 1 {
        return format!("{} ran alone: nobody to compare with.", front[0]);
    }
    let first = match front {
        [one] => format!("{one} is fastest"),
        many => format!("{} tie", words::list(many)),
    };
    let Some(next) = all.iter().find(|c| c.verdict == Verdict::Slower) else { return format!("{first}.") };
    let level: Vec<&str> =
        all.iter().filter(|c| c.verdict == Verdict::Slower && c.rank == next.rank).map(|c| c.name.as_str()).collect();
    let whose = if front.len() == 1 { "its time".to_owned() } else { format!("the time of {}", front[0]) };
    let ratio = words::ratio(&next.ratio);
    match level.as_slice() {
        [one] => format!("{first}; next, {one} takes {ratio} {whose}."),
        many => format!("{first}; next, {} tie: {} takes {ratio} {whose}.", words::list(many), next.name),
    }
}

/// Columns: place, name, speed, time, ratio. What does not fit the width goes: the time first, then the ends of names.
fn table(contestants: &[ContestantResult], width: usize) -> String {
    let speed = |c: &ContestantResult| match c.bytes_per_second {
        Some(_) => format!("{} MB/s", words::megabytes(c.bytes_per_second)),
        None => String::new(),
    };
    // Where nobody has a verdict, the sentence above has said so.
    let nobody = contestants.iter().all(|c| c.verdict == Verdict::Undecided);
    let ratio = |c: &ContestantResult| match c.verdict {
        Verdict::Fastest => String::new(),
        Verdict::Slower => words::ratio(&c.ratio),
        Verdict::Tie => format!("{} tie", words::ratio(&c.ratio)),
        Verdict::Undecided if nobody => words::ratio_cell(c),
        Verdict::Undecided => format!("{} undecided", words::ratio_cell(c)),
    };
    let column = |edge, cell: &dyn Fn(&ContestantResult) -> String| (edge, contestants.iter().map(cell).collect());
    let mut columns: Vec<(Edge, Vec<String>)> = vec![
        column(Edge::Right, &|c| c.rank.to_string()),
        column(Edge::Left, &|c| words::plain(&c.name)),
        column(Edge::Right, &speed),
        column(Edge::Right, &|c| words::time(c.ns_per_op)),
        column(Edge::Left, &ratio),
    ];
    let excess = |columns: &[(Edge, Vec<String>)]| {
        lines(columns).lines().map(|line| line.chars().count()).max().unwrap_or(0).saturating_sub(width)
    };
    if excess(&columns) > 0 && contestants.iter().all(|c| c.bytes_per_second.is_some()) {
        columns.remove(3);
    }
    let names = columns::width(&columns[1].1).saturating_sub(excess(&columns)).max(8);
    for name in &mut columns[1].1 {
        *name = shorten(name, names);
    }
    lines(&columns)
}
