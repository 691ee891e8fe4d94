//! How far the reading has come, on standard error when it is a terminal.

use super::interrupt;
use crate::bar;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal, Read};
use std::time::Instant;

/// A reader that shows a bar when the work is long.
pub(crate) struct Watched<R> {
    reader: R,
    length: Option<u64>,
    read: u64,
    started: Instant,
    shown: bool,
    bar: Option<ProgressBar>,
}

impl<R: Read> Watched<R> {
    /// Of `length` bytes, if that is known; `shown` is whether a bar is wanted at all.
    pub(crate) fn new(reader: R, length: Option<u64>, shown: bool) -> Self {
        let shown = shown && io::stderr().is_terminal();
        Self { reader, length, read: 0, started: Instant::now(), shown, bar: None }
    }

    fn show(&mut self) {
        if self.bar.is_none() && self.started.elapsed() > bar::LONG {
            let bar = bar::bytes(self.length);
            interrupt::clear(&bar);
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
        }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.read += read as u64;
        if self.shown {
            self.show();
        }
        Ok(read)
    }
}

impl<R> Drop for Watched<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
