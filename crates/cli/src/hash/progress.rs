//! How far long work has come, on standard error when it is a terminal.

use super::pool::Job;
use crate::bar;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Bytes hashed so far and, for long work, a bar that shows them.
pub(crate) struct Progress {
    bytes: AtomicU64,
    started: Instant,
    terminal: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Nothing done yet.
    pub(crate) fn new() -> Self {
        Self {
            bytes: AtomicU64::new(0),
            started: Instant::now(),
            terminal: io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }

    /// That many more bytes are hashed.
    pub(crate) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Relaxed);
    }

    /// Brings the bar up to date: of `jobs`, the first `done` are printed.
    pub(crate) fn tick(&self, jobs: &[Job], done: usize) {
        if !self.terminal || self.started.elapsed() < bar::LONG {
            return;
        }
        let bar = self.bar.get_or_init(|| bar::bytes(total(jobs)));
        bar.set_message(format!("{done}/{} files", jobs.len()));
        bar.set_position(self.bytes.load(Relaxed));
        bar.tick();
    }

    /// Runs `print` while the bar is out of the way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
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

/// Bytes of all files together, if all are regular.
fn total(jobs: &[Job]) -> Option<u64> {
    jobs.iter()
        .map(|job| match std::fs::metadata(&job.name) {
            Ok(metadata) if metadata.is_file() && !job.is_stdin() => Some(metadata.len()),
            // What cannot be read adds nothing to wait for.
            Err(_) if !job.is_stdin() => Some(0),
            _ => None,
        })
        .sum()
}
