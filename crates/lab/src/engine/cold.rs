//! Calls with cold caches: what one operation costs in the middle of other work.
//!
//! Before each call a buffer that is larger than a core's caches is written, so that message, keys, tables and code
//! come from memory. Branch predictors and the pages that the processor knows are not made to forget. Clocks need some
//! 20 ns a reading, which is part of each time.

use std::hint::black_box;
use std::time::Instant;

/// Calls of each contestant, over all processes.
pub(super) const CALLS: u32 = 200;

/// More than the second-level cache and a core's share of the third.
const BYTES: usize = 64 << 20;
const LINE: usize = 64;

/// What pushes everything else out of the caches.
pub(super) struct Flush(Vec<u8>);

impl Flush {
    pub(super) fn new() -> Self {
        Self(vec![1; BYTES])
    }

    /// Nanoseconds of each of `calls` calls, caches flushed before.
    pub(super) fn times(&mut self, calls: u32, mut call: impl FnMut()) -> Vec<f64> {
        let timed = |_| {
            for at in (0..self.0.len()).step_by(LINE) {
                self.0[at] = self.0[at].wrapping_add(1);
            }
            black_box(&self.0);
            let start = Instant::now();
            call();
            start.elapsed().as_nanos() as f64
        };
        (0..calls).map(timed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_is_timed_alone() {
        let mut calls = 0;
        let times = Flush::new().times(3, || calls += 1);
        assert_eq!((times.len(), calls), (3, 3));
        assert!(times.iter().all(|ns| *ns >= 0.0), "{times:?}");
    }
}
