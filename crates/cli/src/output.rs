//! Standard output: text, records and tables.

use crate::failure::{Failure, Outcome};
use crate::standard::{Stdout, stdout};
use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use fairlane_common::terminal::wrap;
use std::io::{BufWriter, IsTerminal, Write};
use terminal_size::terminal_size;

/// Spaces between the columns of a table.
const GAP: usize = 2;

/// Buffered standard output. On a terminal, every record is flushed at once.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    terminal: bool,
}

impl Output {
    /// Buffers the standard output of this process.
    pub(crate) fn new() -> Result<Self, Failure> {
        let stdout = stdout().map_err(|error| Failure::stdout(&error))?;
        Ok(Self { terminal: stdout.is_terminal(), stdout: BufWriter::with_capacity(1 << 16, stdout) })
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Writes one record, which includes its end of line.
    pub(crate) fn write(&mut self, record: &[u8]) -> Outcome {
        let written = self.stdout.write_all(record);
        let written = if self.terminal { written.and_then(|()| self.stdout.flush()) } else { written };
        written.map_err(|error| Failure::stdout(&error))
    }

    /// Flushes the output and returns the error if it could not be written.
    pub(crate) fn finish(mut self) -> Outcome {
        self.stdout.flush().map_err(|error| Failure::stdout(&error))
    }
}

/// Prints a whole text.
pub(crate) fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

/// Prints bytes that need not be text.
pub(crate) fn print_bytes(bytes: &[u8]) -> Outcome {
    let mut output = Output::new()?;
    output.write(bytes)?;
    output.finish()
}

/// Prints a whole text to standard error. A write error is ignored.
#[cfg(feature = "race")]
pub(crate) fn print_aside(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints a whole text with colours. They are removed for a pipe, a terminal without colours and if `NO_COLOR` is set.
#[cfg(feature = "race")]
pub(crate) fn print_coloured(text: &str) -> Outcome {
    let printed = stdout().and_then(|stdout| anstream::AutoStream::auto(stdout).write_all(text.as_bytes()));
    printed.map_err(|error| Failure::stdout(&error))
}

/// Formats a table without rules, at most `width` columns wide. Long cells are broken between words. If even the
/// longest words do not fit side by side, each row becomes several lines.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>, width: usize) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let cells = |at: usize| head.get(at).copied().into_iter().chain(rows.iter().map(move |row| row[at].as_str()));
    let word = |at| cells(at).flat_map(str::split_whitespace).map(|word| word.chars().count()).max().unwrap_or(0);
    let columns = rows.first().map_or(0, Vec::len);
    let words: Vec<usize> = (0..columns).map(|at| word(at) + GAP).collect();
    if words.iter().sum::<usize>() > width {
        return rows.iter().map(|row| stacked(head, row, width)).collect::<String>().trim_end().to_owned();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width as u16);
    if !head.is_empty() {
        table.set_header(head);
    }
    table.add_rows(&rows);
    for (column, word) in table.column_iter_mut().zip(words) {
        column.set_padding((0, GAP as u16)).set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(word as u16)));
    }
    table.trim_fmt()
}

/// Formats a row as lines: the first cell, then the other cells, each after its column's name.
fn stacked(head: &[&str], row: &[String], width: usize) -> String {
    let mut text = wrap(&row[0], width, 0);
    for (at, cell) in row.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty()) {
        let what = head.get(at).map(|name| format!("{}: ", name.to_lowercase())).unwrap_or_default();
        text += &wrap(&(what + cell), width, 2);
    }
    text
}

/// The width of text in columns: the terminal's or, without a terminal, the variable `COLUMNS` or 80.
pub(crate) fn width() -> usize {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = terminal_size().map(|(width, _)| width.0).or_else(told).filter(|&width| width > 0);
    width.map_or(80, usize::from).max(40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_break_between_words_or_become_lines() {
        let rows = || [vec!["sm4".to_owned(), "avx512-gfni, avx2-gfni".to_owned()]];
        let head = ["PRIMITIVE", "TAKES"];
        assert_eq!(table(&head, rows(), 80), "PRIMITIVE  TAKES\nsm4        avx512-gfni, avx2-gfni");
        assert_eq!(table(&head, rows(), 26), "PRIMITIVE  TAKES\nsm4        avx512-gfni,\n           avx2-gfni");
        assert_eq!(table(&head, rows(), 24), "sm4\n  takes: avx512-gfni,\n  avx2-gfni");
        assert_eq!(table(&[], rows(), 15), "sm4\n  avx512-gfni,\n  avx2-gfni");
    }
}
