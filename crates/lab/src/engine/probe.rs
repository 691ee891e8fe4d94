//! The neighbour probe: is anybody else using this core?
//!
//! On a shared host the sibling hardware thread belongs to a stranger. While it works, ours gets about half of the
//! core, and nothing tells us. A probe runs two short loops:
//!
//! - a *chain* of dependent additions, one a cycle on every core made: its time follows the clock, and a
//!   sibling, which needs only the other execution ports, does not slow it;
//! - an *issue* loop of independent additions that takes every issue slot: a working sibling slows it at once.
//!
//! Their ratio is cycles an instruction: a constant of the core that no change of clock moves. A
//! [`Neighbour`] learns the best ratio that this core shows, and calls a probe clean if it comes within
//! [`TOLERANCE`] of it. On an Emerald Rapids server the ratio repeats within ±0.5 % when the sibling rests
//! and doubles when it works.
//!
//! What a probe cannot see: a neighbour that comes and goes between two probes, and one that wears out a shared
//! cache or memory from another core. The median over many rounds and the A/A control are there for those.

use super::clock;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A probe is clean if its ratio is at most this much above the best (0.03 = 3 %).
pub const TOLERANCE: f64 = 0.03;

/// The best ratio is the lowest that one probe in this many shows; rarer ones are slips of the clock.
const CONFIRMED: u32 = 200;

/// Steps of the ratio's histogram: each is 0.5 % wide.
const STEP: f64 = 0.005;

/// Cycles of the chain where the clock is fine enough.
const CHAIN: u32 = 2048;

/// Instructions of the issue loop: as long as the chain on a core that issues six a cycle.
const ISSUE: u32 = 6 * CHAIN;

/// What one probe saw: time of the issue loop over time of the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading(pub f64);

/// Probes the core that the calling thread is on: about 15 µs.
pub fn probe() -> Reading {
    let longer = coarseness();
    // After other work the front end needs several microseconds until it feeds the core at full rate.
    for _ in 0..10 {
        loops::issue(ISSUE);
    }
    let mut ratios = [(); 5].map(|()| {
        let start = Instant::now();
        loops::chain(longer * CHAIN);
        let middle = Instant::now();
        loops::issue(longer * ISSUE);
        middle.elapsed().as_secs_f64() / (middle - start).as_secs_f64().max(1e-9)
    });
    // The middle one: an interrupt or a step of the clock inside one pair is no neighbour.
    ratios.sort_by(f64::total_cmp);
    Reading(ratios[2])
}

/// How much longer the loops must be because this system's clock moves in large steps.
fn coarseness() -> u32 {
    static FOUND: OnceLock<u32> = OnceLock::new();
    *FOUND.get_or_init(|| (clock::granularity().as_nanos() / 25).clamp(1, 8) as u32)
}

/// The core's clock in MHz now, from the time that a chain of known length takes: about 1 ms.
pub fn measured_mhz() -> f64 {
    let time = |cycles: u32| {
        let start = Instant::now();
        loops::chain(cycles);
        start.elapsed()
    };
    // The difference of two lengths leaves out the clock's own cost; the shortest of each, interrupts.
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    for _ in 0..20 {
        short = short.min(time(CHAIN));
        long = long.min(time(33 * CHAIN));
    }
    f64::from(32 * CHAIN) / long.saturating_sub(short).as_secs_f64().max(1e-9) / 1e6
}

/// What is known of one core: the ratios seen so far.
#[derive(Clone, Debug, Default)]
pub struct Neighbour {
    steps: BTreeMap<i32, u32>,
    seen: u32,
}

impl Neighbour {
    /// Takes note of a reading.
    pub fn learn(&mut self, reading: Reading) {
        *self.steps.entry(step(reading)).or_default() += 1;
        self.seen += 1;
    }

    /// The best ratio so far that is no slip; `None` before the first reading.
    pub fn best(&self) -> Option<f64> {
        let mut below = 0;
        for (step, count) in &self.steps {
            below += count;
            if below > self.seen / CONFIRMED {
                return Some((f64::from(*step) * STEP).exp());
            }
        }
        None
    }

    /// The highest ratio that is clean, as far as is known by now: ask again when more is known.
    pub fn limit(&self) -> f64 {
        self.best().map_or(0.0, |best| best * (1.0 + TOLERANCE))
    }
}

/// The ratio's step on a logarithmic scale.
fn step(reading: Reading) -> i32 {
    (reading.0.max(1e-6).ln() / STEP).round() as i32
}

/// The two loops in assembly, so that no compiler changes them; never inlined, so that there is one copy to warm up.
#[cfg(target_arch = "x86_64")]
mod loops {
    use std::arch::asm;

    /// `n` dependent additions (a multiple of 64), a cycle each. Register operands: some cores fold immediates away.
    #[inline(never)]
    pub(super) fn chain(n: u32) {
        // SAFETY: only the named registers and the flags change.
        unsafe {
            asm!(
                "2:", ".rept 64", "add {a}, {k}", ".endr", "dec {n:e}", "jnz 2b",
                a = inout(reg) 1_u64 => _, k = in(reg) 3_u64, n = inout(reg) (n / 64).max(1) => _,
                options(nomem, nostack),
            );
        }
    }

    /// `n` independent instructions (a multiple of 48): ten additions to every two that need a slot and no port.
    #[inline(never)]
    pub(super) fn issue(n: u32) {
        // SAFETY: only the named registers and the flags change.
        unsafe {
            asm!(
                "2:", ".rept 4",
                "add {a}, {k}", "add {b}, {k}", "add {c}, {k}", "add {d}, {k}", "add {e}, {k}", "nop",
                "add {f}, {k}", "add {g}, {k}", "add {h}, {k}", "add {i}, {k}", "add {j}, {k}", "nop",
                ".endr", "dec {n:e}", "jnz 2b",
                a = inout(reg) 1_u64 => _, b = inout(reg) 1_u64 => _, c = inout(reg) 1_u64 => _,
                d = inout(reg) 1_u64 => _, e = inout(reg) 1_u64 => _, f = inout(reg) 1_u64 => _,
                g = inout(reg) 1_u64 => _, h = inout(reg) 1_u64 => _, i = inout(reg) 1_u64 => _,
                j = inout(reg) 1_u64 => _, k = in(reg) 3_u64, n = inout(reg) (n / 48).max(1) => _,
                options(nomem, nostack),
            );
        }
    }
}

/// The two loops in assembly, so that no compiler changes them; never inlined, so that there is one copy to warm up.
#[cfg(target_arch = "aarch64")]
mod loops {
    use std::arch::asm;

    /// `n` dependent additions (a multiple of 64), a cycle each.
    #[inline(never)]
    pub(super) fn chain(n: u32) {
        // SAFETY: only the named registers and the flags change.
        unsafe {
            asm!(
                "2:", ".rept 64", "add {a}, {a}, {k}", ".endr", "subs {n:w}, {n:w}, #1", "b.ne 2b",
                a = inout(reg) 1_u64 => _, k = in(reg) 3_u64, n = inout(reg) (n / 64).max(1) => _,
                options(nomem, nostack),
            );
        }
    }

    /// `n` independent instructions (a multiple of 48): ten additions to every two that need a slot and no port.
    #[inline(never)]
    pub(super) fn issue(n: u32) {
        // SAFETY: only the named registers and the flags change.
        unsafe {
            asm!(
                "2:", ".rept 4",
                "add {a}, {a}, {k}", "add {b}, {b}, {k}", "add {c}, {c}, {k}", "add {d}, {d}, {k}",
                "add {e}, {e}, {k}", "nop",
                "add {f}, {f}, {k}", "add {g}, {g}, {k}", "add {h}, {h}, {k}", "add {i}, {i}, {k}",
                "add {j}, {j}, {k}", "nop",
                ".endr", "subs {n:w}, {n:w}, #1", "b.ne 2b",
                a = inout(reg) 1_u64 => _, b = inout(reg) 1_u64 => _, c = inout(reg) 1_u64 => _,
                d = inout(reg) 1_u64 => _, e = inout(reg) 1_u64 => _, f = inout(reg) 1_u64 => _,
                g = inout(reg) 1_u64 => _, h = inout(reg) 1_u64 => _, i = inout(reg) 1_u64 => _,
                j = inout(reg) 1_u64 => _, k = in(reg) 3_u64, n = inout(reg) (n / 48).max(1) => _,
                options(nomem, nostack),
            );
        }
    }
}

/// The two loops where no assembly is written: steps that a compiler neither vectorises nor solves.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod loops {
    use std::hint::black_box;

    /// `n` cycles: pairs of a dependent exclusive-or and addition, a cycle each.
    #[inline(never)]
    pub(super) fn chain(n: u32) {
        let (mut a, xor, add) = black_box((1_usize, 0x5555_5555, 3));
        for _ in 0..n / 2 {
            a = (a ^ xor).wrapping_add(add);
        }
        black_box(a);
    }

    /// About `n` instructions in six independent chains.
    #[inline(never)]
    pub(super) fn issue(n: u32) {
        let (mut a, xor, add) = black_box(([1_usize, 2, 3, 4, 5, 6], 0x5555_5555, 3));
        for _ in 0..n / 12 {
            for word in &mut a {
                *word = (*word ^ xor).wrapping_add(add);
            }
        }
        black_box(a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_clean(neighbour: &Neighbour, ratio: f64) -> bool {
        ratio <= neighbour.limit()
    }

    fn learnt(readings: impl IntoIterator<Item = f64>) -> Neighbour {
        let mut neighbour = Neighbour::default();
        readings.into_iter().for_each(|ratio| neighbour.learn(Reading(ratio)));
        neighbour
    }

    #[test]
    fn knows_nothing_before_the_first_reading() {
        assert_eq!(Neighbour::default().best(), None);
        assert!(!is_clean(&Neighbour::default(), 1.0));
    }

    #[test]
    fn a_busy_sibling_is_dirty_even_if_it_is_busy_most_of_the_time() {
        let neighbour = learnt((0..1000).map(|i| if i % 20 == 0 { 1.2 } else { 2.3 }));
        assert!(is_clean(&neighbour, 1.2));
        assert!(is_clean(&neighbour, 1.22));
        assert!(!is_clean(&neighbour, 1.3));
        assert!(!is_clean(&neighbour, 2.3));
    }

    #[test]
    fn a_slip_of_the_clock_is_not_the_best() {
        let neighbour = learnt((0..1000).map(|i| if i % 500 == 7 { 0.4 } else { 1.2 }));
        assert!(is_clean(&neighbour, 1.2));
    }

    #[test]
    fn what_was_taken_for_clean_is_judged_again_when_better_is_seen() {
        let mut neighbour = learnt([2.3; 50]);
        assert!(is_clean(&neighbour, 2.3));
        [1.2; 10].into_iter().for_each(|ratio| neighbour.learn(Reading(ratio)));
        assert!(!is_clean(&neighbour, 2.3));
    }

    #[test]
    fn the_loops_run_here() {
        let Reading(ratio) = probe();
        assert!(ratio.is_finite() && ratio > 0.0, "{ratio}");
        let mhz = measured_mhz();
        assert!(mhz.is_finite() && mhz > 1.0, "{mhz}");
    }
}
