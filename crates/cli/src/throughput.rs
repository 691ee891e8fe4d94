//! Rate and time left of a progress bar over bytes, from the last seconds: a pipe that stalls has a rate of zero,
//! however fast it was before.

use indicatif::style::ProgressTracker;
use indicatif::{BinaryBytes, HumanDuration, ProgressState};
use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The time that a rate is taken over.
const WINDOW: Duration = Duration::from_secs(2);

/// Bytes done at recent times.
#[derive(Clone, Debug)]
struct Recent(VecDeque<(Instant, u64)>);

impl Recent {
    fn note(&mut self, now: Instant, bytes: u64) {
        self.0.push_back((now, bytes));
        // The oldest is the last one before the window, so that the whole window is covered.
        while self.0.get(1).is_some_and(|(time, _)| now.duration_since(*time) >= WINDOW) {
            self.0.pop_front();
        }
    }

    /// Bytes a second; `None` if no time has passed.
    fn rate(&self) -> Option<f64> {
        let ((from, before), (to, after)) = (self.0.front()?, self.0.back()?);
        let seconds = to.duration_since(*from).as_secs_f64();
        (seconds > 0.0).then(|| after.saturating_sub(*before) as f64 / seconds)
    }
}

/// What a key of the bar's template shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown {
    /// `57.01 MiB/s`.
    Rate,
    /// `12s`; nothing while there is no end in sight.
    Left,
}

/// A key of a bar's template.
#[derive(Clone, Debug)]
pub(crate) struct Throughput {
    recent: Recent,
    shown: Shown,
}

impl Throughput {
    /// Work that began at `started`.
    pub(crate) fn since(started: Instant, shown: Shown) -> Self {
        Self { recent: Recent([(started, 0)].into()), shown }
    }
}

impl ProgressTracker for Throughput {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, state: &ProgressState, now: Instant) {
        self.recent.note(now, state.pos());
    }

    fn reset(&mut self, _: &ProgressState, now: Instant) {
        self.recent = Recent([(now, 0)].into());
    }

    fn write(&self, state: &ProgressState, text: &mut dyn Write) {
        let Some(rate) = self.recent.rate() else { return };
        let left = state.len().map(|all| all.saturating_sub(state.pos()) as f64 / rate);
        // A text that is not written is a bar without it.
        let _ = match (self.shown, left.and_then(|left| Duration::try_from_secs_f64(left).ok())) {
            (Shown::Rate, _) => write!(text, "{}/s", BinaryBytes(rate as u64)),
            (Shown::Left, Some(left)) => write!(text, "{:#}", HumanDuration(left)),
            (Shown::Left, None) => Ok(()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let start = Instant::now();
        let at = |tenths: u64| start + Duration::from_millis(100 * tenths);
        let mut recent = Recent([(start, 0)].into());
        assert_eq!(recent.rate(), None);
        for tenths in 1..=50 {
            recent.note(at(tenths), 1000 * tenths);
        }
        assert_eq!(recent.rate().map(f64::round), Some(10_000.0));
        // It stalls: after the window nothing is left of what was before.
        recent.note(at(60), 50_000);
        assert!(recent.rate().is_some_and(|rate| rate < 6000.0), "{recent:?}");
        recent.note(at(75), 50_000);
        assert_eq!(recent.rate(), Some(0.0), "{recent:?}");
        // It goes on, more slowly.
        for tenths in 76..=100 {
            recent.note(at(tenths), 50_000 + 10 * (tenths - 75));
        }
        assert_eq!(recent.rate().map(f64::round), Some(100.0));
        assert!(recent.0.len() < 25, "{}", recent.0.len());
    }
}
