//! Pinning threads to CPUs, where the system allows it.

use super::probe;

/// Pins the calling thread to one CPU until dropped, then gives it back all that it had.
pub(crate) struct Pinned {
    #[cfg(target_os = "linux")]
    before: Option<rustix::thread::CpuSet>,
}

/// The CPUs that the calling thread may use, the last first, as the first serves most interrupts; empty where the
/// system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn allowed() -> Vec<u32> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU as u32).rev().filter(|cpu| allowed.is_set(*cpu as usize)).collect()
}

/// The CPUs that the calling thread may use; empty where the system does not say.
#[cfg(not(target_os = "linux"))]
pub(crate) fn allowed() -> Vec<u32> {
    Vec::new()
}

/// The same CPUs, the quietest first; among equals the order stays.
pub(crate) fn by_quiet(cpus: &[u32]) -> Vec<u32> {
    let mut cpus: Vec<(f64, u32)> = cpus
        .iter()
        .map(|cpu| {
            let _pinned = Pinned::to(*cpu);
            let mut ratios: Vec<f64> = (0..21).map(|_| probe::probe().0).collect();
            ratios.sort_by(f64::total_cmp);
            // In steps of the tolerance: a finer difference says nothing about the next minute.
            ((ratios[10] / probe::TOLERANCE).round(), *cpu)
        })
        .collect();
    cpus.sort_by(|a, b| a.0.total_cmp(&b.0));
    cpus.into_iter().map(|(_, cpu)| cpu).collect()
}

/// Moves a thread that is pinned to another CPU.
pub(crate) fn move_to(cpu: u32) {
    // What the new pin would give back is only the old one.
    std::mem::forget(Pinned::to(cpu));
}

impl Pinned {
    /// Pins the calling thread; `None` if the system refuses.
    #[cfg(target_os = "linux")]
    pub(crate) fn to(cpu: u32) -> Option<Self> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let before = sched_getaffinity(None).ok();
        let mut only = CpuSet::new();
        only.set(cpu as usize);
        sched_setaffinity(None, &only).ok()?;
        Some(Self { before })
    }

    /// Pins the calling thread; `None` if the system refuses.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn to(_cpu: u32) -> Option<Self> {
        None
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // A CPU that went away meanwhile is no reason to stop: the thread stays where it is.
            let _ = rustix::thread::sched_setaffinity(None, before);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn sorting_by_quiet_loses_no_cpu() {
        let all = allowed();
        let mut sorted = by_quiet(&all);
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(sorted, all);
    }

    #[test]
    fn pins_and_gives_back() {
        let all = allowed();
        assert!(!all.is_empty());
        if let Some(pinned) = Pinned::to(all[0]) {
            assert_eq!(allowed(), [all[0]]);
            drop(pinned);
        }
        assert_eq!(allowed(), all);
    }
}
