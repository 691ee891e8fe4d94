//! The first view, for who must choose: by suite, a line a contest and size with who won, by how much and how surely.

use super::contest::{Group, heat_anchor};
use super::interval::{Axis, NARROW};
use super::{each_once, scrolling};
use crate::report::verdicts::{Standings, names};
use crate::report::words;
use crate::run::ContestResult;
use maud::{Markup, html};

/// The verdicts of a run, suite by suite.
pub(super) fn section(groups: &[Group]) -> Markup {
    html! {
        section #verdicts aria-labelledby="verdicts-title" {
            h2 #verdicts-title { "Verdicts" }
            @if groups.is_empty() {
                p.empty { "This run holds no contest: nothing was raced, or it was interrupted before the first was done." }
            } @else {
                p.note {
                    "A margin is the next contestant's time over the winner's, with its interval; the dot shows it on a \
                     logarithmic axis. No verdict is finer than the noise floor: what one contestant, entered twice, \
                     differs from itself."
                }
                #tools hidden {}
            }
            @for (n, suite) in each_once(groups.iter().map(|group| group.suite)).into_iter().enumerate() {
                (self::suite(n, suite, groups))
            }
        }
    }
}

fn suite(n: usize, suite: &str, groups: &[Group]) -> Markup {
    let of_suite = || groups.iter().filter(|group| group.suite == suite);
    let heats: Vec<&ContestResult> = of_suite().flat_map(|group| group.heats.iter().copied()).collect();
    let margins: Vec<_> =
        heats.iter().filter_map(|heat| Standings::of(heat).next.first().map(|next| &next.ratio)).collect();
    let axis = Axis::new(format!("s{n}"), NARROW, margins, None);
    let label = format!("Verdicts of suite {suite}");
    let table = html! {
        table.verdicts {
            caption { (tally(&heats)) }
            thead {
                tr {
                    th.c scope="col" { "contest" }
                    th.s scope="col" { "size" }
                    th.w scope="col" { "fastest" }
                    th.p scope="col" { span.hidden { "margin, drawn" } (axis.head()) }
                    th.r scope="col" { "margin" }
                    th.x scope="col" { "next" }
                    th.f.n scope="col" { "noise floor" }
                    th.k scope="col" { "remarks" }
                }
            }
            tbody {
                @for group in of_suite() {
                    @for (k, heat) in group.heats.iter().enumerate() {
                        (line(group, k, heat, &axis))
                    }
                }
            }
        }
    };
    html! {
        div.suite {
            h3 { "Suite " (suite) }
            (scrolling(&label, &table))
        }
    }
}

/// How often each contestant was among the fastest.
fn tally(heats: &[&ContestResult]) -> String {
    let mut wins: Vec<(&str, usize)> = Vec::new();
    let mut judged = 0;
    for heat in heats {
        let front = Standings::of(heat).front;
        judged += usize::from(!front.is_empty());
        for winner in front {
            match wins.iter_mut().find(|(name, _)| *name == winner.name) {
                Some((_, count)) => *count += 1,
                None => wins.push((&winner.name, 1)),
            }
        }
    }
    // In the order of the run where they won as often.
    wins.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let each: Vec<String> = wins.iter().take(4).map(|(name, count)| format!("{name} in {count}")).collect();
    let others = match wins.len().saturating_sub(4) {
        0 => String::new(),
        1 => "; 1 other in fewer or as many".to_owned(),
        count => format!("; {count} others in fewer or as many"),
    };
    let unjudged = match heats.len() - judged {
        0 => String::new(),
        count => format!(" {count} without a verdict."),
    };
    match judged {
        0 => format!("No verdict in {} heats.", heats.len()),
        _ => format!("Fastest, alone or in a tie, of {judged} heats: {}{others}.{unjudged}", each.join(", ")),
    }
}

fn line(group: &Group, k: usize, heat: &ContestResult, axis: &Axis) -> Markup {
    let Standings { front, next, undecided } = Standings::of(heat);
    let judged = !front.is_empty();
    let mut remarks = Vec::new();
    if judged && !undecided.is_empty() {
        remarks.push(format!("{} undecided", undecided.len()));
    }
    if !heat.disqualified.is_empty() {
        remarks.push(format!("{} disqualified", heat.disqualified.len()));
    }
    html! {
        tr {
            th.c scope="row" { a href={ "#" (heat_anchor(group.n, k)) } { (group.id) } }
            td.s { (words::size_and_threads(&heat.size, heat.unit, heat.threads)) }
            td.w {
                @if !judged { span.none { "no verdict" } }
                @if front.len() > 1 { span.tag { "tie" } " " }
                (names(&front))
            }
            @match next.first().filter(|_| judged) {
                Some(best) => {
                    td.p { (axis.mark(&best.ratio, "slower")) }
                    td.r { (words::ratio(&best.ratio)) }
                    td.x { (names(&next)) }
                }
                None => { td.p {} td.r {} td.x {} }
            }
            td.f.n { (heat.control.as_ref().map(|control| words::percent(control.floor)).unwrap_or_default()) }
            td.k {
                @if !heat.fit { span.tag.bad { "unfit" } " " }
                (remarks.join(", "))
            }
        }
    }
}
