//! What is made of several contests: the parts of an exchange, and what more threads bring.

use super::scrolling;
use crate::report::chapter::{Cell, Chapter, Table};
use crate::report::{exchange, scaling};
use crate::run::Run;
use maud::{Markup, html};

/// The chapters that a run has, each with what a link to it names.
pub(super) fn chapters(run: &Run) -> Vec<(&'static str, Chapter)> {
    let all = [("exchange", exchange::chapter(run)), ("scaling", scaling::chapter(run))];
    all.into_iter().filter_map(|(anchor, chapter)| Some((anchor, chapter?))).collect()
}

/// The section of one chapter.
pub(super) fn section(anchor: &str, chapter: &Chapter) -> Markup {
    html! {
        section.chapter #(anchor) aria-labelledby={ (anchor) "-title" } {
            h2 #{ (anchor) "-title" } { (chapter.title) }
            p.about { (chapter.about) }
            @for table in &chapter.tables {
                h3 { (table.title) }
                (scrolling(&table.title, &self::table(table)))
            }
        }
    }
}

fn table(table: &Table) -> Markup {
    html! {
        table.parts {
            caption {
                @if table.note.is_empty() { span.hidden { (table.title) } } @else { (table.note) }
            }
            thead { tr { @for (at, name) in table.head.iter().enumerate() { th.n[at > 0] { (name) } } } }
            tbody {
                @for row in &table.rows {
                    tr {
                        @for (at, Cell { number, beside }) in row.iter().enumerate() {
                            @if at == 0 { th { (number) } } @else {
                                td.n { (number) @if let Some(beside) = beside { span.at { (beside) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}
