//! Standard output: text, records and tables.

use crate::failure::{Failure, Outcome};
use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Buffered standard output; a terminal sees every record at once.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    terminal: bool,
}

impl Output {
    /// Standard output of this process.
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::with_capacity(1 << 16, io::stdout()), terminal: io::stdout().is_terminal() }
    }

    /// Writes one record, its end of line included.
    pub(crate) fn write(&mut self, record: &[u8]) -> Outcome {
        let written = self.stdout.write_all(record);
        let written = if self.terminal { written.and_then(|()| self.stdout.flush()) } else { written };
        written.map_err(|error| Failure::stdout(&error))
    }

    /// Ends the output: only now is it sure that all of it arrived.
    pub(crate) fn finish(mut self) -> Outcome {
        self.stdout.flush().map_err(|error| Failure::stdout(&error))
    }
}

/// Prints a whole text.
pub(crate) fn print(text: &str) -> Outcome {
    let mut output = Output::new();
    output.write(text.as_bytes())?;
    output.finish()
}

/// Prints a whole text that has colours; a pipe, `NO_COLOR` and a terminal without colours get it plain.
pub(crate) fn print_coloured(text: &str) -> Outcome {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| Failure::stdout(&error))
}

/// The same on standard error, which nobody must read.
pub(crate) fn eprint_coloured(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// A table without lines, in at most `width` columns; what is too long is broken within its cell.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>, width: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width as u16);
    if !head.is_empty() {
        table.set_header(head);
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// Columns that text may take: the terminal's; where there is none, those of the variable `COLUMNS`, or 80.
pub(crate) fn width() -> usize {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = Table::new().width().or_else(told).filter(|&width| width > 0);
    width.map_or(80, usize::from).max(40)
}
