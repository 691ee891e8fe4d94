//! Time, and who took ours.
//!
//! The clock is [`Instant`]: nanoseconds of the monotonic clock. Nothing here is counted in ticks or called cycles.

use std::time::{Duration, Instant};

/// The smallest step that the clock shows, its own cost included.
pub(crate) fn granularity() -> Duration {
    (0..100)
        .map(|_| {
            let start = Instant::now();
            loop {
                let step = start.elapsed();
                if !step.is_zero() {
                    return step;
                }
            }
        })
        .min()
        .unwrap_or_default()
}

/// How often the system has taken the CPU away from the calling thread against its will; always 0 where it does not
/// tell.
pub(crate) fn preemptions() -> i64 {
    #[cfg(target_os = "linux")]
    {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: `usage` has room for what the call writes, and all zeroes are a valid `rusage`.
        unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init().ru_nivcsw
        }
    }
    #[cfg(not(target_os = "linux"))]
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves() {
        let step = granularity();
        assert!(step > Duration::ZERO && step < Duration::from_millis(20), "{step:?}");
    }

    #[test]
    fn preemptions_never_go_back() {
        let before = preemptions();
        assert!(before >= 0);
        assert!(preemptions() >= before);
    }
}
