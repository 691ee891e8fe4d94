//! A section of a report that is made of several contests: tables of text, which every document renders in its own way.

use super::escape::{self, escape};

/// Tables under one title.
pub(super) struct Section {
    pub(super) title: &'static str,
    /// What holds for all tables, in sentences.
    pub(super) about: String,
    pub(super) tables: Vec<Table>,
}

/// A table whose first column names its rows; the others are numbers.
pub(super) struct Table {
    pub(super) title: String,
    /// What holds for this table alone, in a sentence; empty for nothing.
    pub(super) note: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A number in words and, where it has one, what belongs to it: its share of a whole.
#[derive(Clone, Default)]
pub(super) struct Cell {
    pub(super) number: String,
    pub(super) beside: Option<String>,
}

impl From<String> for Cell {
    fn from(number: String) -> Self {
        Self { number, beside: None }
    }
}

impl Section {
    /// The section as a part of a Markdown document.
    pub(super) fn markdown(&self) -> String {
        let tables: String = self.tables.iter().map(Table::markdown).collect();
        format!("## {}\n\n{}\n\n{tables}", self.title, escape(&self.about))
    }
}

impl Table {
    fn markdown(&self) -> String {
        let cell = |Cell { number, beside }: &Cell| match beside {
            Some(beside) => escape(&format!("{number}, {beside}")),
            None => escape(number),
        };
        let head: Vec<String> = self.head.iter().map(|name| escape(name)).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", escape(&self.note)) };
        format!("### {}\n\n{note}{}\n", escape(&self.title), escape::table(&head, &head[1..], &rows))
    }
}
