//! One contest over all of its sizes and threads: a description of the work, line charts, a table for each heat, the
//! contestants, how to use the winner, and the command that runs the contest again.

use super::group::{Group, anchor, heat_anchor};
use super::parts::{command, each_once, scrolling};
use super::ratio_curves::curves;
use super::{batches, results};
use crate::report::result_columns::COLUMNS;
use crate::report::standings::Standings;
use crate::report::{escape, numbers, wording};
use crate::run::{ContestResult, ContestantResult, Run, RunKind};
use maud::{Markup, html};

/// So many contests of a page are not folded.
const UNFOLDED: usize = 3;

/// The section of a contest.
pub(super) fn section(run: &Run, group: &Group, groups: &[Group]) -> Markup {
    let first = group.heats[0];
    html! {
        section.contest #(anchor(group.n)) aria-labelledby={ (anchor(group.n)) "t" } {
            details open[groups.len() <= UNFOLDED] {
                summary { h2 #{ (anchor(group.n)) "t" } { (group.id) } }
                p.about { (first.about) }
                @if let Some(line) = wording::conditions(first) { p.about { (line) } }
                @if first.kind == RunKind::OneJob { p.note { (wording::kind(first)) } (functions(group)) }
                (curves(group))
                (batches::section(run, group, groups))
                @for (k, heat) in group.heats.iter().enumerate() {
                    (results::heat(run, heat, &heat_anchor(group.n, k)))
                    @if let Some(line) = wording::harness(heat) { p.note { (line) } }
                }
                (backends(group))
                (contestants(group))
                (winners(group))
                h3 { "Run this contest again" }
                (command(&again(run, group)))
            }
        }
    }
}

/// What is known of each function of one job.
fn functions(group: &Group) -> Markup {
    let lines = each_once(group.heats.iter().flat_map(|heat| wording::functions(heat)));
    html! { ul { @for line in &lines { li { (line) } } } }
}

/// What fairlane's better backends bring: a line a pair, a column a heat.
fn backends(group: &Group) -> Markup {
    let held = group.heats.iter().flat_map(|heat| &heat.backends);
    let pairs = each_once(held.map(|pair| (pair.contestant.as_str(), pair.against.as_str())));
    if pairs.is_empty() {
        return html! {};
    }
    let cell = |heat: &ContestResult, (own, other): (&str, &str)| {
        let found = heat.backends.iter().find(|pair| pair.contestant == own && pair.against == other);
        found.map(|pair| numbers::ratio(&pair.speedup)).unwrap_or_default()
    };
    let table = html! {
        table.grid {
            caption { "How many times as fast one backend of fairlane is as another, paired by round" }
            thead {
                tr {
                    th { "backend" }
                    th { "against" }
                    @for heat in &group.heats { th.n { (wording::size_and_threads(&heat.size, heat.unit, heat.threads)) } }
                }
            }
            tbody {
                @for pair in pairs {
                    tr {
                        th { (pair.0) }
                        td { (pair.1) }
                        @for heat in &group.heats { td.n { (cell(heat, pair)) } }
                    }
                }
            }
        }
    };
    html! {
        h3 { "What the backends bring" }
        (scrolling(&format!("Backends in {}", group.id), &table))
    }
}

/// A contestant as it was, and the heats in which it was that.
type Entrant<'a> = (&'a ContestantResult, Vec<&'a ContestResult>);

/// All contestants; one that was not the same at all sizes has a line for each variant.
fn entrants<'a>(group: &Group<'a>) -> Vec<Entrant<'a>> {
    let heat = group.heats[0];
    let same = |a: &ContestantResult, b: &ContestantResult| {
        let mut identity = COLUMNS.iter().filter(|column| column.identity);
        a.name == b.name
            && a.how_to_use == b.how_to_use
            && identity.all(|column| (column.cell)(heat, a) == (column.cell)(heat, b))
    };
    let mut entrants: Vec<Entrant> = Vec::new();
    for heat in &group.heats {
        for contestant in &heat.contestants {
            match entrants.iter_mut().find(|(known, _)| same(known, contestant)) {
                Some((_, heats)) => heats.push(heat),
                None => entrants.push((contestant, vec![heat])),
            }
        }
    }
    entrants
}

/// The sizes and threads of heats as a sentence lists them.
fn sizes(heats: &[&ContestResult]) -> String {
    wording::list(
        &heats.iter().map(|heat| wording::size_and_threads(&heat.size, heat.unit, heat.threads)).collect::<Vec<_>>(),
    )
}

fn contestants(group: &Group) -> Markup {
    let entrants = entrants(group);
    if entrants.is_empty() {
        return html! {};
    }
    let twice = |name: &str| entrants.iter().filter(|(other, _)| other.name == name).count() > 1;
    let who: Vec<_> = COLUMNS.iter().filter(|column| column.identity).collect();
    let table = html! {
        table.who {
            caption { "Versions, paths and labels are those of the run; constant time is what a library declares" }
            thead {
                tr {
                    th { "contestant" }
                    @for column in &who { th { (column.name) } }
                    th { "how to use it" }
                }
            }
            tbody {
                @for (contestant, heats) in &entrants {
                    tr {
                        th {
                            (contestant.name)
                            @if twice(&contestant.name) { " " span.at { "(" (sizes(heats)) ")" } }
                        }
                        @for column in &who { td { ((column.cell)(heats[0], contestant)) } }
                        td { (contestant.how_to_use) }
                    }
                }
            }
        }
    };
    html! {
        h3 { "Contestants" }
        (scrolling(&format!("Contestants of {}", group.id), &table))
    }
}

/// How to use the fastest contestants, those that were the fastest most often first.
fn winners(group: &Group) -> Markup {
    let is_front = |heat: &ContestResult, who: &str| Standings::of(heat).front.iter().any(|winner| winner.name == who);
    let mut winners: Vec<Entrant> = entrants(group)
        .into_iter()
        .map(|(who, heats)| (who, heats.into_iter().filter(|heat| is_front(heat, &who.name)).collect()))
        .filter(|(who, heats): &Entrant| !heats.is_empty() && !who.how_to_use.is_empty())
        .collect();
    winners.sort_by_key(|(_, heats)| std::cmp::Reverse(heats.len()));
    html! {
        @if !winners.is_empty() {
            h3 { "How to use the winner" }
            dl.ways {
                @for (who, heats) in &winners {
                    dt {
                        (who.name) " "
                        span.at { "fastest, or in a tie, at " (sizes(heats)) }
                    }
                    dd { (who.how_to_use) }
                }
            }
        }
    }
}

/// The command that runs this contest again, with the same time, processes, sizes, threads and counts. It races all that
/// are here by themselves: options that choose contestants or add some are in the command of the whole run.
fn again(run: &Run, group: &Group) -> String {
    let sizes = each_once(group.heats.iter().map(|heat| heat.size.as_str())).join(",");
    let threads = each_once(group.heats.iter().map(|heat| heat.threads.to_string())).join(",");
    let mut line = format!("fairlane race {} --size {}", escape::shell(group.id), escape::shell(&sizes));
    if threads != "1" {
        line += &format!(" --threads {threads}");
    }
    let settings = &run.settings;
    line += &format!(" --time {} --processes {}", settings.seconds_per_contest, settings.processes);
    for (count, option) in [(settings.iterations, "--iterations"), (settings.warm_up, "--warm-up")] {
        line += &count.map(|count| format!(" {option} {count}")).unwrap_or_default();
    }
    for (is, flag) in [(settings.quick, " --quick"), (settings.keep_disturbed, " --keep-disturbed")] {
        line += if is { flag } else { "" };
    }
    line
}
