//! The first table of the page: for each suite, contest and size the fastest contestant, its margin and the noise
//! floor.

use super::group::{Group, heat_anchor};
use super::interval::{Axis, NARROW};
use super::parts::{each_once, scrolling};
use crate::report::standings::Standings;
use crate::report::verdicts::names;
use crate::report::{numbers, wording};
use crate::run::{ContestResult, ContestantResult, RunKind};
use maud::{Markup, html};

/// The verdicts of a run, suite by suite.
pub(super) fn section(groups: &[Group], contests: &[ContestResult]) -> Markup {
    let suites = each_once(groups.iter().map(|group| group.suite));
    html! {
        section #verdicts aria-labelledby="verdicts-title" {
            h2 #verdicts-title { "Verdicts" }
            @if groups.is_empty() {
                p.empty { "This run holds no contest: nothing was raced, or it was interrupted before the first was \
                 done." }
            } @else {
                (glance(&suites, groups))
                p.note {
                    "A margin is " (wording::MARGIN) ", drawn as a dot. The noise floor is the far end of \
                     the interval of an A/A control: in each process another of the fast contestants is entered twice. \
                     With several processes it is never below 0.5 %. A smaller difference is reported as a tie."
                    @if let Some(ties) = wording::ties(contests) { " " (ties) }
                }
                #tools hidden {}
            }
            @let axis = axis(groups);
            @for (n, suite) in suites.iter().enumerate() { (self::suite(n, suite, groups, &axis)) }
        }
    }
}

/// Every suite in a line.
fn glance(suites: &[&str], groups: &[Group]) -> Markup {
    html! {
        p { "In how many heats each library is the fastest, alone or in a tie:" }
        dl.glance {
            @for (n, suite) in suites.iter().enumerate() {
                dt { a href={ "#suite-" (n) } { (suite) } }
                dd { (tally(&heats(suite, groups))) }
            }
        }
    }
}

/// The heats of a suite.
fn heats<'a>(suite: &str, groups: &[Group<'a>]) -> Vec<&'a ContestResult> {
    groups.iter().filter(|group| group.suite == suite).flat_map(|group| group.heats.iter().copied()).collect()
}

/// The axis of all margins of the page.
fn axis(groups: &[Group]) -> Axis {
    let heats = groups.iter().flat_map(|group| &group.heats);
    let margins = heats.filter_map(|heat| Standings::of(heat).next).map(|next| &next.ratio);
    Axis::new("margins".to_owned(), NARROW, margins, None)
}

fn suite(n: usize, suite: &str, groups: &[Group], axis: &Axis) -> Markup {
    let of_suite = || groups.iter().filter(|group| group.suite == suite);
    let first = n == 0;
    let label = format!("Verdicts of suite {suite}");
    let table = html! {
        table.verdicts {
            caption { span.hidden { (label) } }
            thead {
                tr {
                    th.c { "contest" }
                    th.s { "size" }
                    th.w { "fastest" }
                    th.p { span.hidden { "margin, drawn" } @if first { (axis.head()) } @else { (axis.again()) } }
                    th.r { "margin" }
                    th.x { "over" }
                    th.f.n { "noise floor" }
                    th.e { "remarks" }
                }
            }
            tbody {
                @for group in of_suite() {
                    @for (k, heat) in group.heats.iter().enumerate() {
                        (line(group, k, heat, axis))
                    }
                }
            }
        }
    };
    html! {
        div.suite {
            h3 #{ "suite-" (n) } { "Suite " (suite) }
            (scrolling(&label, &table))
        }
    }
}

/// The libraries (where functions race, each function of one) that were among the fastest, and in how many heats, most
/// often first; and how many heats have a verdict.
fn wins<'a>(heats: impl IntoIterator<Item = &'a ContestResult>) -> (Vec<(String, usize)>, usize) {
    let mut wins: Vec<(String, usize)> = Vec::new();
    let mut judged = 0;
    for heat in heats {
        let front = Standings::of(heat).front;
        judged += usize::from(!front.is_empty());
        let who = |c: &&ContestantResult| match heat.kind {
            RunKind::OneFunction => c.library.clone(),
            RunKind::OneJob => format!("{}'s {}", c.library, c.function),
        };
        for winner in each_once(front.iter().map(who)) {
            match wins.iter_mut().find(|(name, _)| *name == winner) {
                Some((_, count)) => *count += 1,
                None => wins.push((winner, 1)),
            }
        }
    }
    // In the order of the run where they won as often.
    wins.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    (wins, judged)
}

/// The run in a sentence.
pub(super) fn sentence(contests: &[ContestResult]) -> String {
    let (wins, judged) = wins(contests);
    let most = wins.first().map_or(0, |(_, count)| *count);
    let names: Vec<&str> = wins.iter().take_while(|(_, count)| *count == most).map(|(name, _)| name.as_str()).collect();
    match (contests, names.as_slice()) {
        ([], _) => "Nothing was raced".to_owned(),
        (_, []) => "No verdict".to_owned(),
        ([_], [name]) => format!("{name} is the fastest"),
        ([_], _) => format!("{} tie", wording::list(&names)),
        (_, [name]) => format!("{name} is the fastest, alone or in a tie, in {most} of {judged} heats"),
        (_, _) => {
            format!("{} are the fastest, alone or in a tie, in {most} of {judged} heats each", wording::list(&names))
        }
    }
}

/// How often each library was among the fastest, as a list.
fn tally(heats: &[&ContestResult]) -> String {
    let (wins, judged) = wins(heats.iter().copied());
    let unjudged = heats.len() - judged;
    let Some(((first, most), rest)) = wins.split_first() else { return "no verdict".to_owned() };
    let heats = if judged == 1 { "heat" } else { "heats" };
    let mut text = format!("{first} in {most} of {judged} {heats}");
    rest.iter().take(3).for_each(|(name, count)| text += &format!(", {name} in {count}"));
    match rest.len().saturating_sub(3) {
        0 => {}
        1 => text += ", 1 other in fewer or as many",
        others => text += &format!(", {others} others in fewer or as many"),
    }
    match unjudged {
        0 => text,
        more => text + &format!("; {more} more without a verdict"),
    }
}

fn line(group: &Group, k: usize, heat: &ContestResult, axis: &Axis) -> Markup {
    let standings = Standings::of(heat);
    let Standings { front, undecided, .. } = &standings;
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
            th.c { a href={ "#" (heat_anchor(group.n, k)) } { (group.id) } }
            td.s { (wording::size_and_threads(&heat.size, heat.unit, heat.threads)) }
            td.w {
                @if !judged { span.none { "no verdict" } }
                @if front.len() > 1 { span.tag { "tie" } " " }
                (names(front))
            }
            @match standings.next {
                Some(next) => {
                    td.p { (axis.mark(&next.ratio, "slower")) }
                    td.r { (numbers::ratio(&next.ratio)) }
                    td.x { (next.name) }
                }
                None => { td.p {} td.r {} td.x {} }
            }
            td.f.n { (heat.control.as_ref().map(|control| numbers::percent(control.floor)).unwrap_or_default()) }
            td.e {
                @if !heat.fit { span.tag.bad { "unfit" } " " }
                (remarks.join(", "))
            }
        }
    }
}
