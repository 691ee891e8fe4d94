//! The terminal's short form: one block a contest, with who won, by how much, and how sure that is.
//!
//! Text only; whoever calls prints it.

use super::columns::{self, Edge, lines, shorten, wrap};
use super::words;
use crate::run::{ContestResult, ContestantResult, Run, RunKind, Settings, Verdict};
use std::collections::BTreeSet;

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

/// Who leads a contest and who comes next.
pub(super) struct Standings<'a> {
    /// Those that nobody is faster than; nobody, where there is no verdict.
    pub(super) front: Vec<&'a ContestantResult>,
    /// The best of those that are slower, and who ties with it.
    pub(super) next: Vec<&'a ContestantResult>,
    /// Those of whom nothing can be said.
    pub(super) undecided: Vec<&'a ContestantResult>,
}

impl<'a> Standings<'a> {
    /// The standings of a contest.
    pub(super) fn of(contest: &'a ContestResult) -> Self {
        let with = |verdict| contest.contestants.iter().filter(move |c| c.verdict == verdict);
        let next = with(Verdict::Slower).next().map(|best| best.rank);
        Self {
            front: with(Verdict::Fastest).chain(with(Verdict::Tie)).collect(),
            next: with(Verdict::Slower).filter(|c| Some(c.rank) == next).collect(),
            undecided: with(Verdict::Undecided).collect(),
        }
    }
}

/// The best of those that are slower and somebody else's: of another library or, where functions race, of another
/// function. If there is nobody else, the best of those that are slower; nobody, where there is no verdict.
pub(super) fn rival<'a>(contest: &'a ContestResult, standings: &Standings) -> Option<&'a ContestantResult> {
    let first = standings.front.first()?;
    let slower = || contest.contestants.iter().filter(|c| c.verdict == Verdict::Slower);
    let other = |c: &&ContestantResult| match contest.kind {
        RunKind::OneFunction => c.library != first.library,
        RunKind::OneJob => c.function != first.function,
    };
    slower().find(other).or_else(|| slower().next())
}

/// The names of contestants as a sentence lists them.
pub(super) fn names(contestants: &[&ContestantResult]) -> String {
    words::list(&contestants.iter().map(|c| c.name.as_str()).collect::<Vec<_>>())
}

/// The verdict of one contest in a sentence or two.
pub fn outcome(contest: &ContestResult, settings: &Settings) -> String {
    if contest.contestants.is_empty() {
        return "Nobody was timed.".to_owned();
    }
    let standings = Standings::of(contest);
    match (standings.front.is_empty(), standings.undecided.is_empty()) {
        (true, _) => no_verdict(contest, settings),
        (false, true) => ranking(contest, &standings),
        (false, false) => format!(
            "{} Undecided for want of clean rounds: {}.",
            ranking(contest, &standings),
            names(&standings.undecided)
        ),
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

/// Who leads, and by how much over the next.
fn ranking(contest: &ContestResult, Standings { front, next, .. }: &Standings) -> String {
    if contest.contestants.len() == 1 {
        return format!("{} ran alone: nobody to compare with.", front[0].name);
    }
    let first = match front.as_slice() {
        [one] => format!("{} is fastest", one.name),
        many => format!("{} tie", names(many)),
    };
    let Some(best) = next.first() else { return format!("{first}.") };
    let whose = if front.len() == 1 { "its time".to_owned() } else { format!("the time of {}", front[0].name) };
    let ratio = words::ratio(&best.ratio);
    match next.as_slice() {
        [one] => format!("{first}; next, {} takes {ratio} {whose}.", one.name),
        many => format!("{first}; next, {} tie: {} takes {ratio} {whose}.", names(many), best.name),
    }
}

/// Columns: place, name, speed, time, ratio. What does not fit the width goes: the time first, then the ends of names.
/// Where those tell them apart, a contestant takes two lines.
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
    let room = columns::width(&columns[1].1).saturating_sub(excess(&columns)).max(8);
    let whole = columns[1].1.clone();
    for name in &mut columns[1].1 {
        *name = shorten(name, room);
    }
    let different: BTreeSet<&String> = columns[1].1.iter().collect();
    if different.len() == whole.len() && excess(&columns) == 0 {
        return lines(&columns);
    }
    let (_, ranks) = columns.remove(0);
    columns.remove(0);
    let place = columns::width(&ranks);
    let named = |((rank, name), numbers): ((&String, &String), &str)| {
        let name = shorten(name, width.saturating_sub(place + 4));
        format!("  {rank:>place$}  {name}\n{:place$}{numbers}\n", "")
    };
    ranks.iter().zip(&whole).zip(lines(&columns).lines()).map(named).collect()
}
