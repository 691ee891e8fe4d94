//! The page of several runs: machines, builds or dates side by side. Ratios only, because times of
//! different machines say little beside each other.

use super::environment;
use super::interval::{Axis, WIDE};
use super::parts::{command, scrolling};
use crate::compare::{Comparison, Key, Matched, compare, work_differs};
use crate::report::side_by_side::{builds, cell, contestants, keys, names};
use crate::report::standings::Standings;
use crate::report::verdicts;
use crate::report::{comparison, escape, numbers, provenance, wording};
use crate::run::{ContestResult, Run, RunKind};
use fairlane_common::terminal::Edge;
use maud::{Markup, html};

/// What stands in the page.
pub(super) fn body(runs: &[Run]) -> Markup {
    let names = names(runs);
    let mut keys = keys(runs);
    // What can be held side by side comes first.
    keys.sort_by_key(|key| !shared(key, runs));
    let common = keys.iter().filter(|key| runs.iter().all(|run| key.find(run).is_some())).count();
    let comparison = if let [a, b] = runs { Some(compare(a, b)) } else { None };
    html! {
        header {
            h1 { "Races side by side" }
            p.lead { (runs.len()) " runs, " (keys.len()) " heats in all, " (common) " of them in every run" }
        }
        main #main {
            @if runs.is_empty() { p.empty { "No run was given." } }
            @if common == 0 && !runs.is_empty() {
                p.empty { "These runs have no contest in common at one size and thread count: there is nothing to \
                 compare." }
            }
            @if !keys.is_empty() { (fastest(runs, &names, &keys)) }
            (who(runs, &names))
            @for (n, key) in keys.iter().enumerate().filter(|(_, key)| shared(key, runs)) {
                (section(runs, &names, n, key, comparison.as_ref()))
            }
            @if let Some(comparison) = &comparison { (differences(comparison)) }
        }
    }
}

/// Whether at least two runs have this heat.
fn shared(key: &Key, runs: &[Run]) -> bool {
    runs.iter().filter(|run| key.find(run).is_some()).count() > 1
}

/// Which run is which.
fn who(runs: &[Run], names: &[String]) -> Markup {
    html! {
        section #runs aria-labelledby="runs-title" {
            h2 #runs-title { "Runs" }
            @for (run, name) in runs.iter().zip(names) {
                h3 { "Run " (name) }
                (environment::warnings(run))
                dl {
                    dt { "Machine" } dd { (provenance::machine(&run.machine)) }
                    dt { "Build" } dd { (provenance::build(&run.fairlane, &run.build)) }
                    dt { "Measured" } dd { (run.started) }
                }
                (command(&escape::plain(&run.settings.command)))
            }
        }
    }
}

/// The first table: the fastest contestant, a row for each heat, a column for each run.
fn fastest(runs: &[Run], names: &[String], keys: &[Key]) -> Markup {
    let table = html! {
        table.fastest {
            caption { "The fastest in each run, and " (wording::MARGIN) ". Blank: not in that run." }
            thead {
                tr {
                    th { "contest" }
                    th { "size" }
                    @for (run, name) in runs.iter().zip(names) {
                        th { "run " (name) span.at { (run.machine.cpu) } span.at { (run.started) } }
                    }
                }
            }
            tbody {
                @for (n, key) in keys.iter().enumerate() {
                    tr {
                        th.c {
                            @if shared(key, runs) { a href={ "#k" (n) } { (key.id) } } @else { (key.id) }
                        }
                        td.s { (wording::size_and_threads(&key.size, key.unit, key.threads)) }
                        @for (run, name) in runs.iter().zip(names) {
                            td data-run=(name) { @if let Some(heat) = key.find(run) { (winner(heat)) } }
                        }
                    }
                }
            }
        }
    };
    html! {
        section #verdicts aria-labelledby="verdicts-title" {
            h2 #verdicts-title { "Verdicts" }
            #tools hidden {}
            (scrolling("Verdicts of all runs", &table))
        }
    }
}

fn winner(heat: &ContestResult) -> Markup {
    let standings = Standings::of(heat);
    let Standings { front, .. } = &standings;
    html! {
        @if front.is_empty() {
            span.tag.bad { (if heat.fit { "no verdict" } else { "unfit" }) }
        } @else {
            @if front.len() > 1 { span.tag { "tie" } " " }
            (verdicts::names(front))
            @if let Some(next) = standings.next {
                span.at { (numbers::ratio(&next.ratio)) " over " (next.name) }
            }
        }
    }
}

fn section(runs: &[Run], names: &[String], n: usize, key: &Key, comparison: Option<&Comparison>) -> Markup {
    let mut entries: Vec<Option<&ContestResult>> = runs.iter().map(|run| key.find(run)).collect();
    let Some(first) = entries.iter().copied().flatten().next() else { return html! {} };
    let mut left_out = Vec::new();
    for (entry, name) in entries.iter_mut().zip(names) {
        if let Some(why) = entry.and_then(|contest| work_differs(first, contest)) {
            left_out.push(format!("Left out, because its work differs: run {name}, {why}."));
            *entry = None;
        }
    }
    let matched = comparison.and_then(|all| Some((all, all.contests.iter().find(|matched| matched.contest == *key)?)));
    html! {
        section.contest #{ "k" (n) } aria-labelledby={ "k" (n) "t" } {
            h2 #{ "k" (n) "t" } { (key.id) ", " (wording::size_and_threads(&key.size, key.unit, key.threads)) }
            p.about { (first.about) }
            @if let Some(line) = wording::conditions(first) { p.about { (line) } }
            @if first.kind == RunKind::OneJob { p.note { (wording::kind(first)) } }
            @for line in &left_out { p.note { (line) } }
            (scrolling(&format!("Ratios of {key}"), &ratios(&entries, names, n)))
            @if let Some((comparison, matched)) = matched { (changes(comparison, matched)) }
            (notes(&entries, names))
        }
    }
}

/// A line a contestant, a column a run: its ratio in that run, in words and on one axis.
fn ratios(entries: &[Option<&ContestResult>], names: &[String], n: usize) -> Markup {
    let all = || entries.iter().flatten().flat_map(|heat| &heat.contestants);
    let axis = Axis::new(format!("g{n}"), WIDE, all().map(|c| &c.ratio), None);
    html! {
        table.runs {
            caption {
                "Time over the fastest's of the same run; in parentheses the rank there. Blank: not measured in that \
                 run."
            }
            thead {
                tr {
                    th { "contestant" }
                    @for (at, name) in names.iter().enumerate() {
                        th { "run " (name) @if at == 0 { (axis.head()) } @else { (axis.again()) } }
                    }
                }
            }
            tbody {
                @for name in contestants(entries) {
                    tr {
                        th.c { (name) }
                        @for entry in entries {
                            td {
                                @if let Some(own) = entry.and_then(|heat| heat.contestants.iter().find(|c| c.name == name)) {
                                    (axis.row(own))
                                    span.r { (cell(*entry, name)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Contestants that differ between the runs, disqualified contestants, and the speed-up by backend.
fn notes(entries: &[Option<&ContestResult>], names: &[String]) -> Markup {
    let mut lines: Vec<String> = contestants(entries).iter().filter_map(|name| builds(name, entries, names)).collect();
    for (heat, run) in entries.iter().zip(names).filter_map(|(entry, run)| Some(((*entry)?, run))) {
        let kept = (heat.disturbed > 0).then(|| format!("{} disturbed samples kept", heat.disturbed));
        lines.extend(wording::backends(heat).into_iter().chain(kept).map(|line| format!("Run {run}: {line}.")));
        lines.extend(
            heat.disqualified.iter().map(|out| format!("Disqualified in run {run}: {}: {}", out.name, out.why)),
        );
    }
    html! { @if !lines.is_empty() { ul.notes { @for line in &lines { li { (line) } } } } }
}

/// What changed from the first of two runs to the second.
fn changes(comparison: &Comparison, matched: &Matched) -> Markup {
    let columns = comparison::columns(comparison, matched);
    let table = html! {
        table.changes {
            caption { "What changed, against " (matched.base) " of the same run" }
            thead {
                tr { @for (edge, cells) in &columns { th.n[*edge == Edge::Right] { (cells[0]) } } }
            }
            tbody {
                @for row in 1..=matched.rows.len() {
                    tr {
                        @for (at, (edge, cells)) in columns.iter().enumerate() {
                            @if at == 0 { th { (cells[row]) } }
                            @else { td.n[*edge == Edge::Right] { (cells[row]) } }
                        }
                    }
                }
            }
        }
    };
    html! {
        (scrolling(&format!("Changes of {}", matched.contest), &table))
        @for note in &matched.notes { p.note { (note) } }
    }
}

/// How two runs differ as wholes, what their changes mean, and what cannot be compared.
fn differences(comparison: &Comparison) -> Markup {
    html! {
        section #differences aria-labelledby="differences-title" {
            h2 #differences-title { "How the two runs differ" }
            @if !comparison.contests.is_empty() { p.note { (comparison::legend(comparison)) } }
            @if !comparison.notes.is_empty() { ul { @for note in &comparison.notes { li { (note) } } } }
            @if !comparison.refused.is_empty() {
                h3 { "Not compared" }
                ul { @for refused in &comparison.refused { li { (refused.contest) ": " (refused.why) } } }
            }
        }
    }
}
