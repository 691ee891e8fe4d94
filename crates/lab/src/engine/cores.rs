//! The cores that a race runs on: which ones, and what is known of their neighbours.
//!
//! A race begins on the core that is quietest then. Before each heat it looks again, and moves if the core has turned
//! bad and another is better.

use super::pin::{self, Pinned};
use super::probe::{self, Neighbour};
use std::collections::HashMap;
use std::time::Duration;

/// The core's state before a race is read from so many probes, [`BETWEEN`] apart: a fifth of a second.
const LOOKS: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(2);

/// The cores of a race.
pub(crate) struct Cores {
    /// Those that the system allows, the ones in use first; empty where it does not say.
    cpus: Vec<u32>,
    /// What the probes showed, by the number of threads, since the race's own may disturb each other, and by the place
    /// in `cpus` or, where the system tells CPUs apart, the CPU.
    neighbours: HashMap<(u32, u32), Neighbour>,
    /// Gives the thread its CPUs back in the end.
    pinned: Option<Pinned>,
}

impl Cores {
    /// Pins the calling thread to the quietest core, where the system allows it.
    pub(crate) fn choose() -> Self {
        let cpus = pin::by_quiet(&pin::allowed());
        let pinned = cpus.first().and_then(|cpu| Pinned::to(*cpu));
        Self { cpus, neighbours: HashMap::new(), pinned }
    }

    /// The CPUs that may be used, those in use first.
    pub(crate) fn cpus(&self) -> &[u32] {
        &self.cpus
    }

    /// The CPU that the calling thread is pinned to.
    pub(crate) fn pinned(&self) -> Option<u32> {
        self.pinned.as_ref().and(self.cpus.first().copied())
    }

    fn key(&self, threads: u32, worker: u32) -> (u32, u32) {
        (threads, self.cpus.get(worker as usize).copied().unwrap_or(worker))
    }

    /// What is known of the cores of so many workers. [`Self::learnt`] takes it back.
    pub(crate) fn neighbours(&mut self, threads: u32) -> Vec<Neighbour> {
        (0..threads).map(|worker| self.neighbours.remove(&self.key(threads, worker)).unwrap_or_default()).collect()
    }

    /// Takes note of what a heat has learnt.
    pub(crate) fn learnt(&mut self, neighbours: Vec<Neighbour>) {
        let threads = neighbours.len() as u32;
        for (worker, neighbour) in (0..).zip(neighbours) {
            self.neighbours.insert(self.key(threads, worker), neighbour);
        }
    }

    /// The share of probes that a neighbour disturbs now on the core in use. It is too low where the neighbour never
    /// rests: then nothing shows what the core can do.
    pub(crate) fn disturbed(&mut self) -> f64 {
        let mut known = self.neighbours(1);
        let readings: Vec<_> = (0..LOOKS)
            .map(|_| {
                std::thread::sleep(BETWEEN);
                let reading = probe::probe();
                known[0].learn(reading);
                reading
            })
            .collect();
        let disturbed = readings.iter().filter(|reading| reading.0 > known[0].limit()).count();
        self.learnt(known);
        disturbed as f64 / f64::from(LOOKS)
    }

    /// Moves to the quietest core if the one in use is disturbed and another is not.
    pub(crate) fn choose_anew(&mut self) {
        let bad = |known: &Neighbour| {
            let readings = [(); 3].map(|()| probe::probe().0);
            readings.iter().all(|reading| *reading > known.limit())
        };
        let known = self.neighbours.get(&self.key(1, 0));
        if self.pinned.is_some() && self.cpus.len() > 1 && known.is_some_and(bad) {
            self.cpus = pin::by_quiet(&self.cpus);
            pin::move_to(self.cpus[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::Reading;

    #[test]
    fn what_was_learnt_of_a_core_stays_with_it() {
        let mut cores = Cores { cpus: vec![3, 5], neighbours: HashMap::new(), pinned: None };
        let mut known = cores.neighbours(1);
        known[0].learn(Reading(1.2));
        cores.learnt(known);
        cores.cpus = vec![5, 3];
        assert_eq!(cores.neighbours(1)[0].best(), None);
        cores.cpus = vec![3, 5];
        assert!(cores.neighbours(2)[0].best().is_none(), "with two threads it is another matter");
        assert!(cores.neighbours(1)[0].best().is_some());
    }

    #[test]
    fn a_thread_that_may_use_nothing_else_stays() {
        let mut cores = Cores::choose();
        let before = cores.pinned();
        let share = cores.disturbed();
        assert!((0.0..=1.0).contains(&share), "{share}");
        cores.cpus.truncate(1);
        cores.choose_anew();
        assert_eq!(cores.pinned(), before);
    }
}
