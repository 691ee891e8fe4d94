//! Cycles and instructions of an operation, where the kernel lets a process count them.
//!
//! Virtual machines often offer no counters: then everything here is `None`, and the run says so.

/// The two counters of the calling thread, user mode only.
#[cfg(target_os = "linux")]
pub(crate) struct Pmu {
    group: perf_event::Group,
    cycles: perf_event::Counter,
    instructions: perf_event::Counter,
}

/// No counters here.
#[cfg(not(target_os = "linux"))]
pub(crate) enum Pmu {}

#[cfg(target_os = "linux")]
impl Pmu {
    /// Opens the counters; `None` if there are none, or none that count.
    pub(crate) fn open() -> Option<Self> {
        use perf_event::{Builder, Group, events::Hardware};
        let mut group = Group::new().ok()?;
        let cycles = group.add(&Builder::new(Hardware::CPU_CYCLES)).ok()?;
        let instructions = group.add(&Builder::new(Hardware::INSTRUCTIONS)).ok()?;
        let mut pmu = Self { group, cycles, instructions };
        let works = pmu.count(|| {
            super::probe::probe();
        });
        works.is_some_and(|[cycles, instructions]| cycles > 0 && instructions > 0).then_some(pmu)
    }

    /// Cycles and instructions of `f`; `None` if somebody else had the counters meanwhile.
    fn count(&mut self, f: impl FnOnce()) -> Option<[u64; 2]> {
        self.group.reset().ok()?;
        self.group.enable().ok()?;
        f();
        self.group.disable().ok()?;
        let counts = self.group.read().ok()?;
        let whole = counts.time_enabled() == counts.time_running();
        whole.then(|| [counts[&self.cycles], counts[&self.instructions]])
    }

    /// Cycles and instructions an operation, given a function that runs it a number of times.
    ///
    /// The difference of two counts leaves out the price of counting; of five, the middle one is taken.
    pub(crate) fn per_op(&mut self, times: u64, mut run: impl FnMut(u64)) -> Option<[f64; 2]> {
        let mut found = [Vec::new(), Vec::new()];
        for _ in 0..5 {
            let few = self.count(|| run(1))?;
            let many = self.count(|| run(1 + times))?;
            for (found, (few, many)) in found.iter_mut().zip(few.into_iter().zip(many)) {
                found.push(many.saturating_sub(few) as f64 / times as f64);
            }
        }
        Some(found.map(|mut counts| {
            counts.sort_by(f64::total_cmp);
            counts[2]
        }))
    }
}

#[cfg(not(target_os = "linux"))]
impl Pmu {
    /// There are none.
    pub(crate) fn open() -> Option<Self> {
        None
    }

    /// Never called: there is no value to call it on.
    pub(crate) fn per_op(&mut self, _times: u64, _run: impl FnMut(u64)) -> Option<[f64; 2]> {
        match *self {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn counts_or_says_that_it_cannot() {
        let Some(mut pmu) = Pmu::open() else {
            println!("no performance counters here: skipped");
            return;
        };
        let mut sum = 0_u64;
        let found = pmu.per_op(100, |times| {
            for i in 0..1000 * times {
                sum = black_box(sum ^ i);
            }
        });
        let Some([cycles, instructions]) = found else {
            println!("somebody else had the counters meanwhile: skipped");
            return;
        };
        assert!(instructions > 1000.0 && instructions < 100_000.0, "{instructions}");
        assert!(cycles > 100.0, "{cycles}");
    }
}
