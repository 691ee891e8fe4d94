//! The clock, and the time for which the system took the CPU away.
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

/// CPU time of the calling thread; `None` where the system does not tell.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        let mut time = std::mem::MaybeUninit::<libc::timespec>::zeroed();
        // SAFETY: `time` has room for what the call writes, and all zeroes are a valid `timespec`.
        let (told, time) = unsafe {
            let told = libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
            (told, time.assume_init())
        };
        (told == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The share of a sample's time that it may lose. A context switch takes more than that of an ordinary sample, which is
/// dropped. A single call of milliseconds may lose some microseconds, or hardly any such call would count.
const TAKEN: f64 = 0.002;

/// Whether the calling thread lost more than that of `time`, at whose beginning its CPU time was `before`. Where that
/// is not known, it did.
pub(crate) fn was_taken(time: Duration, before: Option<Duration>) -> bool {
    let had = cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before));
    had.is_none_or(|had| time.saturating_sub(had).as_secs_f64() > TAKEN * time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_taken_and_work_is_not() {
        if let before @ Some(_) = cpu_time() {
            let start = Instant::now();
            std::thread::sleep(Duration::from_millis(5));
            assert!(was_taken(start.elapsed(), before));
        }
        assert!(was_taken(Duration::from_millis(1), None));
        assert!(!was_taken(Duration::from_nanos(1), cpu_time()));
    }

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
