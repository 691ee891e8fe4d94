//! From how many messages on the batch path is faster: a contest of many against its contest of one, by size. Where
//! operations are counted, it is operations.
//!
//! The two are different heats, so their samples are not paired: a factor here is a quotient of two medians, its
//! interval the one that both medians' intervals allow ([`compare`](crate::compare) does the same between two runs),
//! and nothing is called faster within both noise floors.

use super::group::{Group, anchor};
use super::parts::scrolling;
use crate::compare::{floor, median, over};
use crate::contest::{ContestId, Size};
use crate::report::{numbers, wording};
use crate::run::{ContestResult, Ratio, Run, RunUnit};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a message, and how many are in a call.
type Place = (usize, usize);

/// A batch against single messages.
struct Cell<'a> {
    batch: &'a str,
    one: &'a str,
    /// How many times as fast each is done in the batch.
    speedup: Ratio,
    said: Said,
}

/// What may be said of it.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Faster,
    Level,
    Slower,
    Undecided,
}

/// The map of a batch contest; nothing for other contests, or where no size of a message was raced in both.
pub(super) fn section(run: &Run, group: &Group, groups: &[Group]) -> Markup {
    let Some(single) = single(group, groups) else { return html! {} };
    let cells = cells(run, group, single);
    if cells.is_empty() {
        return html! {};
    }
    let lengths: BTreeSet<usize> = cells.keys().map(|(bytes, _)| *bytes).collect();
    let counts: BTreeSet<usize> = cells.keys().map(|(_, count)| *count).collect();
    let unit = group.heats[0].unit;
    let (one, many) = match unit {
        RunUnit::Bytes => ("message", "messages"),
        RunUnit::Operations => ("operation", "operations"),
    };
    let table = html! {
        table.map {
            caption {
                "How many times as fast each " (one) " is done in a batch by the fastest of " (group.id) " as alone \
                 by the fastest of "
                a href={ "#" (anchor(single.n)) } { (single.id) }
                "; from two heats, so of medians that are not paired. Blank: not raced in both."
            }
            thead {
                tr {
                    th { (if unit == RunUnit::Bytes { one } else { "against" }) }
                    @for count in &counts { th.n { (count) " in a call" } }
                    th { "so the batch is faster" }
                }
            }
            tbody {
                @for bytes in &lengths {
                    tr {
                        th { (wording::work(&Size::one(*bytes).to_string(), unit)) }
                        @for count in &counts {
                            @match cells.get(&(*bytes, *count)) {
                                Some(cell) => { (show(cell)) }
                                None => { td {} }
                            }
                        }
                        @let said = cells.range((*bytes, 0)..=(*bytes, usize::MAX)).map(|((_, n), cell)| (*n, cell.said));
                        td { (from(said, many)) }
                    }
                }
            }
        }
    };
    html! {
        h3 { "From how many " (many) " on" }
        (scrolling(&format!("Batches of {}", group.id), &table))
    }
}

fn show(cell: &Cell) -> Markup {
    let (class, said) = match cell.said {
        Said::Faster => ("n faster", "▲"),
        Said::Level => ("n level", "="),
        Said::Slower => ("n slower", "▼"),
        Said::Undecided => ("n", "?"),
    };
    let in_words = match cell.said {
        Said::Faster => "faster",
        Said::Level => "level",
        Said::Slower => "slower",
        Said::Undecided => "undecided",
    };
    let who = if cell.batch == cell.one { cell.batch.to_owned() } else { format!("{} to {}", cell.batch, cell.one) };
    html! {
        td.(class) {
            span aria-hidden="true" { (said) " " } span.hidden { (in_words) ": " }
            (numbers::ratio(&cell.speedup))
            span.at { (who) }
        }
    }
}

/// From which count on all are faster that were raced.
fn from(said: impl DoubleEndedIterator<Item = (usize, Said)>, many: &str) -> String {
    let said: Vec<(usize, Said)> = said.collect();
    let faster = said.iter().rev().take_while(|(_, said)| *said == Said::Faster).count();
    match said.get(said.len() - faster) {
        None => match said.last() {
            Some((most, Said::Undecided)) => format!("undecided: no verdict at {most}"),
            _ => "at no count raced".to_owned(),
        },
        Some((least, _)) if faster == said.len() => format!("from {least} {many} on, the fewest raced"),
        Some((least, _)) => format!("from {least} {many} on"),
    }
}

/// The contest of one that a batch contest belongs to: of the same function and, but for the word for many, job.
fn single<'a, 'b>(group: &Group, groups: &'b [Group<'a>]) -> Option<&'b Group<'a>> {
    let is_batch = group.heats.iter().any(|heat| heat.size.value().is_some_and(|size| size.count > 1));
    let batch = group.heats.first()?.id.value().filter(|_| is_batch)?;
    let one = ContestId::new(batch.algorithm, batch.job.of_one()?);
    groups.iter().find(|other| other.heats.first().is_some_and(|heat| heat.id.value() == Some(&one)))
}

/// What is known, by place.
fn cells<'a>(run: &Run, group: &Group<'a>, single: &Group<'a>) -> BTreeMap<Place, Cell<'a>> {
    let size = |heat: &ContestResult| heat.size.value().copied();
    let mut pairs: Vec<(Place, &'a ContestResult, &'a ContestResult)> = Vec::new();
    for batch in &group.heats {
        let Some(Size { count, bytes }) = size(batch).filter(|size| size.count > 1) else { continue };
        let is_one = |one: &&&ContestResult| size(one) == Some(Size::one(bytes)) && one.threads == batch.threads;
        // Of several thread counts the fewest threads.
        if let Some(one) = single.heats.iter().find(is_one)
            && pairs.iter().all(|(key, ..)| *key != (bytes, count))
        {
            pairs.push(((bytes, count), *batch, *one));
        }
    }
    let error = (1.0 - run.settings.confidence) / (2 * pairs.len()).max(1) as f64;
    pairs.iter().filter_map(|(key, batch, one)| Some((*key, cell(batch, one, key.1, error)?))).collect()
}

fn cell<'a>(batch: &'a ContestResult, one: &'a ContestResult, count: usize, error: f64) -> Option<Cell<'a>> {
    let (many, alone) = (batch.contestants.first()?, one.contestants.first()?);
    let Ratio { estimate, low, high } = over(median(one, alone, error)?, median(batch, many, error)?);
    let times = count as f64;
    let speedup = Ratio { estimate: estimate * times, low: low * times, high: high * times };
    let said = match floor(batch, one) {
        None => Said::Undecided,
        Some(floor) if speedup.low > 1.0 && speedup.estimate > 1.0 + floor => Said::Faster,
        Some(floor) if speedup.high < 1.0 && speedup.estimate < 1.0 / (1.0 + floor) => Said::Slower,
        Some(_) => Said::Level,
    };
    Some(Cell { batch: &many.name, one: &alone.name, speedup, said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_from_which_all_are_faster() {
        let said = |all: &[(usize, Said)]| from(all.iter().copied(), "messages");
        assert_eq!(said(&[(2, Said::Level), (8, Said::Faster), (64, Said::Faster)]), "from 8 messages on");
        assert_eq!(said(&[(2, Said::Faster), (8, Said::Slower), (64, Said::Faster)]), "from 64 messages on");
        assert_eq!(said(&[(2, Said::Faster)]), "from 2 messages on, the fewest raced");
        assert_eq!(said(&[(2, Said::Faster), (8, Said::Undecided)]), "undecided: no verdict at 8");
        assert_eq!(said(&[(2, Said::Faster), (8, Said::Level)]), "at no count raced");
    }
}
