//! Pinning threads to CPUs, where the system allows it.

use super::probe;

/// Pins the calling thread to one CPU until dropped, then gives it back all that it had.
pub(crate) struct Pinned {
    #[cfg(target_os = "linux")]
    before: Option<rustix::thread::CpuSet>,
}

/// The CPUs that the calling thread may use, the quietest first; empty where the system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn cpus() -> Vec<u32> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    let mut cpus: Vec<(f64, u32)> = (0..CpuSet::MAX_CPU as u32)
        .rev() // among equals the last: the first serves most interrupts
        .filter(|cpu| allowed.is_set(*cpu as usize))
        .map(|cpu| {
            let _pinned = Pinned::to(cpu);
            let mut ratios: Vec<f64> = (0..21).map(|_| probe::probe().0).collect();
            ratios.sort_by(f64::total_cmp);
            // In steps of the tolerance: a finer difference says nothing about the next minute.
            ((ratios[10] / probe::TOLERANCE).round(), cpu)
        })
        .collect();
    cpus.sort_by(|a, b| a.0.total_cmp(&b.0));
    cpus.into_iter().map(|(_, cpu)| cpu).collect()
}

/// The CPUs that the calling thread may use, the quietest first; empty where the system does not say.
#[cfg(not(target_os = "linux"))]
pub(crate) fn cpus() -> Vec<u32> {
    let _ = probe::probe;
    Vec::new()
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
    fn pins_and_gives_back() {
        let all = cpus();
        assert!(!all.is_empty());
        if let Some(pinned) = Pinned::to(all[0]) {
            assert_eq!(cpus(), [all[0]]);
            drop(pinned);
        }
        assert_eq!(cpus().len(), all.len());
    }
}
