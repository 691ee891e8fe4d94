//! The table of one heat: a contest at one size and thread count, with each contestant's interval drawn in its row.

use super::interval::Axis;
use super::parts::scrolling;
use crate::report::provenance;
use crate::report::result_columns::Column;
use crate::report::verdicts::outcome;
use crate::report::wording;
use crate::run::{ContestResult, ContestantResult, Run};
use maud::{Markup, html};

/// The heat under its size.
pub(super) fn heat(run: &Run, heat: &ContestResult, anchor: &str) -> Markup {
    let title = wording::size_and_threads(&heat.size, heat.unit, heat.threads);
    html! {
        div.heat #(anchor) {
            h3 { (title) @if !heat.fit { " " span.tag.bad { "unfit" } } }
            @if heat.contestants.is_empty() {
                p { (outcome(heat, &run.settings)) }
            } @else {
                (scrolling(&format!("Results of {}", wording::contest(heat)), &table(run, heat, anchor)))
            }
            @for warning in provenance::warnings_of(run, heat) {
                p.out { span.tag.bad { "warning" } " " (warning) }
            }
            @for out in &heat.disqualified {
                p.out {
                    span.tag.bad { "disqualified" } " " (out.name) " (" (out.library) " " (out.version) "): " (out.why)
                }
            }
            @if !heat.contestants.is_empty() {
                p.measured {
                    @if none_allocates(&heat.contestants) { "No contestant allocates. " }
                    (provenance::how_measured(heat))
                }
            }
        }
    }
}

fn table(run: &Run, heat: &ContestResult, anchor: &str) -> Markup {
    let columns = columns(heat);
    let axis = Axis::of(format!("g{anchor}"), heat);
    html! {
        table.results {
            caption { (outcome(heat, &run.settings)) }
            thead {
                tr {
                    @for column in &columns {
                        th.(class(column)) { (column.name) }
                        @if column.name == "contestant" {
                            th.p { span.hidden { "ratio, drawn" } (axis.head()) }
                        }
                    }
                }
            }
            tbody {
                @for contestant in &heat.contestants {
                    tr {
                        @for column in &columns { (cell(column, heat, contestant, &axis)) }
                    }
                }
            }
        }
    }
}

const ALLOCATIONS: &str = "allocations/op";

/// Whether a column of allocations would say 0 throughout.
fn none_allocates(all: &[ContestantResult]) -> bool {
    all.iter().all(|c| wording::allocations(c.allocations) == "0")
}

/// The columns that every table begins with, the picture among them. The style knows their cells by their places: a
/// page has thousands.
const FIRST: [&str; 4] = ["rank", "contestant", "ratio", "verdict"];

fn place(column: &Column) -> Option<usize> {
    FIRST.iter().position(|name| *name == column.name)
}

/// How a contestant did, its ratio first, beside its picture.
fn columns(heat: &ContestResult) -> Vec<Column> {
    let shown =
        |column: &Column| !column.identity && (column.name != ALLOCATIONS || !none_allocates(&heat.contestants));
    let mut columns: Vec<Column> = Column::shown(heat).into_iter().filter(shown).collect();
    columns.sort_by_key(|column| place(column).unwrap_or(FIRST.len()));
    columns
}

/// A contestant's name stands at the head of its row, with its picture behind it.
fn cell(column: &Column, heat: &ContestResult, contestant: &ContestantResult, axis: &Axis) -> Markup {
    let text = (column.cell)(heat, contestant);
    html! {
        @if column.name == "contestant" {
            th { (text) }
            td { (axis.row(contestant)) }
        } @else {
            td class=[place(column).is_none().then(|| class(column))] { (text) }
        }
    }
}

/// What the style calls a column.
fn class(column: &Column) -> &'static str {
    match column.name {
        "rank" => "k",
        "contestant" => "c",
        "ratio" => "r",
        "verdict" => "v",
        "MB/s" => "m",
        "time/op" => "t",
        ALLOCATIONS => "a",
        "cycles/op" => "y",
        _ => "i",
    }
}
