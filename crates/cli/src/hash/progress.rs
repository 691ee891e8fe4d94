//! The progress bar of hashing, which several threads report to, on standard error if that is a terminal.

use crate::progress::{LONG, byte_bar};
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Counts the bytes hashed so far and, once the work takes long, shows them in a bar.
pub(super) struct Progress {
    bytes: AtomicU64,
    started: Instant,
    terminal: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Starts at zero bytes.
    pub(super) fn new() -> Self {
        Self {
            bytes: AtomicU64::new(0),
            started: Instant::now(),
            terminal: io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }

    /// Counts `bytes` more bytes as hashed.
    pub(super) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Relaxed);
    }

    /// Updates the bar: `done` of `files` files are finished. `total` computes the bytes of all files, or `None` if
    /// that is unknown; it is called once, when the bar first appears.
    pub(super) fn update(&self, done: usize, files: usize, total: impl FnOnce() -> Option<u64>) {
        if !self.terminal || self.started.elapsed() < LONG {
            return;
        }
        let bar = self.bar.get_or_init(|| byte_bar(total(), self.started));
        bar.set_message(format!("{done}/{files} files"));
        bar.set_position(self.bytes.load(Relaxed));
        bar.tick();
    }

    /// Runs `print` while the bar is hidden.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
