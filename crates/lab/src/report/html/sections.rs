//! Sections made of several contests: the parts of a key exchange, and the scaling over threads.

use super::parts::scrolling;
use crate::report::section::{Cell, Section, Table};
use crate::report::{key_exchange, thread_scaling};
use crate::run::Run;
use maud::{Markup, html};

/// The sections that a run has, each with what a link to it names.
pub(super) fn sections(run: &Run) -> Vec<(&'static str, Section)> {
    let all = [("exchange", key_exchange::section(run)), ("scaling", thread_scaling::section(run))];
    all.into_iter().filter_map(|(anchor, section)| Some((anchor, section?))).collect()
}

/// The section of one section.
pub(super) fn section(anchor: &str, section: &Section) -> Markup {
    html! {
        section.section #(anchor) aria-labelledby={ (anchor) "-title" } {
            h2 #{ (anchor) "-title" } { (section.title) }
            p.about { (section.about) }
            @for table in &section.tables {
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
