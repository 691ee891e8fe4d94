//! Verdicts for a terminal: for each contest a block of lines with the winner, its margin and the interval of that.

use super::standings::{Standings, is_other};
use super::{escape, numbers, overview, provenance, wording};
use crate::leak::wording as leaks;
use crate::run::{ContestResult, ContestantResult, Run, RunKind, Settings, Verdict};
use fairlane_common::terminal::{self, Edge, lines, shorten, wrap};
use std::collections::BTreeSet;

/// The verdicts of more contests than this are summed up at the end.
const SUMMED_UP: usize = 3;

/// The verdicts of a run in lines of at most `width` characters (names are shortened before numbers are), and at the
/// end of several contests a line for each.
pub fn run(run: &Run, width: usize) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for (at, one) in run.contests.iter().enumerate() {
        // What holds for all sizes of a contest is said once.
        let is_new = at == 0 || *run.contests[at - 1].id != *one.id;
        blocks.push(block(one, &run.settings, width, is_new));
    }
    let mut last = String::new();
    for absent in &run.absent {
        last += &wrap(&format!("unavailable: {}: {}", absent.library, absent.why), width, 0);
    }
    for warning in &run.warnings {
        last += &wrap(&format!("warning: {warning}"), width, 0);
    }
    if run.interrupted {
        last += &wrap("warning: interrupted; only the contests that were finished before are here", width, 0);
    }
    if !last.is_empty() {
        blocks.push(last);
    }
    if let Some(ties) = wording::ties(&run.contests) {
        blocks.push(wrap(ties, width, 0));
    }
    for (name, what) in provenance::on_request(run) {
        blocks.push(wrap(&format!("{name}: {what}"), width, 0));
    }
    if run.contests.len() > SUMMED_UP {
        blocks.push(terminal::uncoloured(&overview::table_and_legend(run, width)));
    }
    blocks.join("\n")
}

/// The verdict of one contest as a block of lines.
pub fn contest(contest: &ContestResult, settings: &Settings, width: usize) -> String {
    block(contest, settings, width, true)
}

/// The same, with what the contest is only if it is new.
fn block(contest: &ContestResult, settings: &Settings, width: usize, is_new: bool) -> String {
    let mut text = wrap(&wording::contest(contest), width, 0);
    let kind = (contest.kind == RunKind::OneJob).then(|| wording::kind(contest).to_owned());
    for line in wording::conditions(contest).into_iter().chain(kind).filter(|_| is_new) {
        text += &wrap(&line, width, 2);
    }
    text += &wrap(&outcome(contest, settings), width, 2);
    text += &table(contest, width);
    text += &cold(contest, width);
    text += &counted(contest, width);
    for line in wording::notes(contest) {
        text += &wrap(&line, width, 2);
    }
    for line in leaks::lines(contest) {
        text += &wrap(&line, width, 2);
    }
    for out in &contest.disqualified {
        text += &wrap(&format!("disqualified: {} {}: {}", out.name, out.version, out.why), width, 2);
    }
    text
}

/// Columns of single calls with cold caches, if there are any: name, median, 99th percentile, and that of the samples.
fn cold(contest: &ContestResult, width: usize) -> String {
    let timed: Vec<&ContestantResult> = contest.contestants.iter().filter(|c| !c.cold.is_empty()).collect();
    let time = |ns: Option<f64>| ns.map(numbers::time).unwrap_or_default();
    let columns: [Named; 3] = [
        ("median", &|c| time(c.cold_within(0.5))),
        ("p99", &|c| time(c.cold_within(0.99))),
        ("warm p99", &|c| time(c.sample_within(0.99))),
    ];
    beside(&timed, "one call, caches cold", &columns, width)
}

/// Columns of what was counted besides time, if it was asked for: name, instructions, bytes of code, heap and
/// stack, energy.
fn counted(contest: &ContestResult, width: usize) -> String {
    let asked = |c: &&ContestantResult| {
        let bytes = [c.code_bytes, c.peak_heap_bytes, c.peak_stack_bytes];
        c.microjoules_per_op.is_some() || bytes.iter().any(Option::is_some)
    };
    let counted: Vec<&ContestantResult> = contest.contestants.iter().filter(asked).collect();
    let number = |x: Option<f64>| x.map(numbers::number).unwrap_or_default();
    let instructions = |c: &ContestantResult| number(c.code_bytes.and(c.instructions_per_op));
    let columns: [Named; 5] = [
        ("instructions", &instructions),
        ("code bytes", &|c| wording::bytes(c.code_bytes)),
        ("heap bytes", &wording::heap),
        ("stack bytes", &|c| wording::bytes(c.peak_stack_bytes)),
        ("µJ", &|c| number(c.microjoules_per_op)),
    ];
    beside(&counted, "one operation", &columns, width)
}

/// A column of text below its head.
type Named<'a> = (&'a str, &'a dyn Fn(&ContestantResult) -> String);

/// The names of contestants below `head`, and beside them the columns that say something of one; nothing for nobody.
fn beside(contestants: &[&ContestantResult], head: &str, columns: &[Named<'_>], width: usize) -> String {
    if contestants.is_empty() {
        return String::new();
    }
    let below = |head: &str, cells: Vec<String>| std::iter::once(head.to_owned()).chain(cells).collect();
    let others = columns.iter().filter_map(|(head, cell)| {
        let cells: Vec<String> = contestants.iter().map(|c| cell(c)).collect();
        cells.iter().any(|cell| !cell.is_empty()).then(|| (Edge::Right, below(head, cells)))
    });
    let mut columns: Vec<(Edge, Vec<String>)> = others.collect();
    // Two spaces stand before each column.
    let taken: usize = columns.iter().map(|(_, cells)| terminal::width(cells) + 2).sum();
    let room = width.saturating_sub(taken + 2).max(8);
    let names = contestants.iter().map(|c| shorten(&escape::plain(&c.name), room)).collect();
    columns.insert(0, (Edge::Left, below(head, names)));
    lines(&columns)
}

/// The names of contestants as a sentence lists them.
pub(super) fn names(contestants: &[&ContestantResult]) -> String {
    wording::list(&contestants.iter().map(|c| c.name.as_str()).collect::<Vec<_>>())
}

/// The verdict of one contest in a sentence or two.
pub fn outcome(contest: &ContestResult, settings: &Settings) -> String {
    if contest.contestants.is_empty() {
        return "No contestant was timed.".to_owned();
    }
    let standings = Standings::of(contest);
    match (standings.front.is_empty(), standings.undecided.is_empty()) {
        (true, _) => no_verdict(contest, settings),
        (false, true) => ranking(contest, &standings),
        (false, false) => format!(
            "{} Undecided, because too few rounds were clean: {}.",
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
        Some(control) if contest.unfit(settings).is_some() => {
            let (names, ratio) = (contest.controls(), numbers::ratio(&control.ratio));
            let (each, its) = if names.len() == 1 { ("", "its") } else { (" in a process each", "their") };
            let take = if names.len() == 1 { "takes" } else { "take" };
            let names = wording::list(&names);
            format!("No verdict: unfit, because {names}, entered twice{each}, {take} {ratio} {its} own time.")
        }
        Some(_) => {
            format!("No verdict: too few clean rounds of {}, {} samples were dropped.", contest.rounds, contest.dropped)
        }
        None => "No verdict: cut short before the control could be judged.".to_owned(),
    }
}

/// The leaders, and the margin of the next library or cipher.
fn ranking(contest: &ContestResult, Standings { front, next, .. }: &Standings) -> String {
    if contest.contestants.len() == 1 {
        return format!("{} ran alone: there is nothing to compare it with.", front[0].name);
    }
    let first = match front.as_slice() {
        [one] => format!("{} is fastest", one.name),
        many => format!("{} tie", names(many)),
    };
    let kind = wording::rivals(contest);
    let Some(next) = next else {
        let took_part = contest.contestants.iter().any(|c| is_other(contest, c, front[0]));
        return format!("{first}; no other {kind} {}.", if took_part { "is slower" } else { "took part" });
    };
    let whose = if front.len() == 1 { "its time".to_owned() } else { format!("the time of {}", front[0].name) };
    format!("{first}; the next {kind}, {}, takes {} {whose}.", next.name, numbers::ratio(&next.ratio))
}

/// Columns: place, name, speed, time, ratio. What does not fit the width goes: the time first, then the ends of names.
/// Where those tell them apart, a contestant takes two lines.
fn table(contest: &ContestResult, width: usize) -> String {
    let contestants = &contest.contestants;
    let speed = |c: &ContestantResult| match contest.speed_of(c) {
        None => String::new(),
        speed => format!("{} MB/s", numbers::megabytes(speed)),
    };
    // If no contestant has a verdict, the sentence above has said so.
    let none_decided = contestants.iter().all(|c| c.verdict == Verdict::Undecided);
    let ratio = |c: &ContestantResult| match c.verdict {
        Verdict::Fastest => String::new(),
        Verdict::Slower => numbers::ratio(&c.ratio),
        Verdict::Tie => format!("{} tie", numbers::ratio(&c.ratio)),
        Verdict::Undecided if none_decided => wording::ratio_cell(c),
        Verdict::Undecided => format!("{} undecided", wording::ratio_cell(c)),
    };
    let column = |edge, cell: &dyn Fn(&ContestantResult) -> String| (edge, contestants.iter().map(cell).collect());
    let mut columns: Vec<(Edge, Vec<String>)> = vec![
        column(Edge::Right, &|c| c.rank.to_string()),
        column(Edge::Left, &|c| escape::plain(&c.name)),
        column(Edge::Right, &speed),
        column(Edge::Right, &|c| numbers::time(contest.time_of(c))),
        column(Edge::Left, &ratio),
    ];
    let excess = |columns: &[(Edge, Vec<String>)]| {
        lines(columns).lines().map(|line| line.chars().count()).max().unwrap_or(0).saturating_sub(width)
    };
    if excess(&columns) > 0 && contestants.iter().all(|c| c.bytes_per_second.is_some()) {
        columns.remove(3);
    }
    let room = terminal::width(&columns[1].1).saturating_sub(excess(&columns)).max(8);
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
    let place = terminal::width(&ranks);
    let named = |((rank, name), numbers): ((&String, &String), &str)| {
        let name = shorten(name, width.saturating_sub(place + 4));
        format!("  {rank:>place$}  {name}\n{:place$}{numbers}\n", "")
    };
    ranks.iter().zip(&whole).zip(lines(&columns).lines()).map(named).collect()
}
