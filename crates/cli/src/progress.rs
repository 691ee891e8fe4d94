//! Progress bars for long work over bytes, on standard error if that is a terminal.

use crate::interrupt;
use crate::throughput::{Shown, Throughput};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

/// No bar is shown for work that takes less time than this.
pub(crate) const LONG: Duration = Duration::from_secs(1);

/// How often a bar is drawn when nothing moves, so that its rate falls.
const REDRAWN: Duration = Duration::from_millis(250);

/// A bar over `total` bytes of work that began at `started`, or a spinner if the total is unknown, with room for a
/// message.
pub(crate) fn byte_bar(total: Option<u64>, started: Instant) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes:>10}/{binary_total_bytes} {recent_rate:>12} {recent_left:>4} {msg}",
        ),
        None => (ProgressBar::no_length(), "{spinner} {binary_bytes:>10} {recent_rate:>12} {msg}"),
    };
    let style = ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key("recent_rate", Throughput::since(started, Shown::Rate))
        .with_key("recent_left", Throughput::since(started, Shown::Left));
    let bar = bar.with_style(style);
    bar.enable_steady_tick(REDRAWN);
    bar
}

/// A reader that shows a bar of the bytes read, once reading takes long.
pub(crate) struct ProgressReader<R> {
    reader: R,
    length: Option<u64>,
    read: u64,
    started: Instant,
    shown: bool,
    bar: Option<ProgressBar>,
}

impl<R: Read> ProgressReader<R> {
    /// Wraps a reader of `length` bytes, if that is known. No bar is shown unless `shown` is set.
    pub(crate) fn new(reader: R, length: Option<u64>, shown: bool) -> Self {
        let shown = shown && io::stderr().is_terminal();
        Self { reader, length, read: 0, started: Instant::now(), shown, bar: None }
    }

    fn show(&mut self) {
        if self.bar.is_none() && self.started.elapsed() > LONG {
            let bar = byte_bar(self.length, self.started);
            interrupt::clear_on_interrupt(&bar);
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
        }
    }
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.read += read as u64;
        if self.shown {
            self.show();
        }
        Ok(read)
    }
}

impl<R> Drop for ProgressReader<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
