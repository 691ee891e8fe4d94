//! The threads that run a sample: one, or several in step.
//!
//! The calling thread is worker 0; the others are spawned, and meet it at a barrier before and after each sample. They
//! wait there by spinning, since a thread that sleeps wakes too late to be timed.

use super::clock;
use super::depth;
use super::pin::Pinned;
use super::probe::{self, Reading};
use crate::contest::Op;
use std::hint::{black_box, spin_loop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one worker has in front of it: its own instance of each entrant's operation, and its own buffers.
pub(crate) struct Bench {
    pub(crate) ops: Vec<Op>,
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

impl Bench {
    /// Runs an entrant's operation `times` times; false if it panicked.
    pub(crate) fn run(&mut self, entrant: usize, times: u64) -> bool {
        let Self { ops, input, output } = self;
        let op = &mut ops[entrant];
        catch_unwind(AssertUnwindSafe(|| {
            for _ in 0..times {
                op.run(black_box(input), black_box(output));
            }
        }))
        .is_ok()
    }
}

/// One timed sample.
#[derive(Debug)]
pub(crate) struct Sample {
    /// From the common start until the last worker ended.
    pub(crate) time: Duration,
    /// What each worker's probe saw right after.
    pub(crate) readings: Vec<Reading>,
    /// Whether the system took the CPU away from a worker.
    pub(crate) preempted: bool,
    /// Whether the operation panicked.
    pub(crate) panicked: bool,
}

/// The workers of one heat, at the calling thread's command.
pub(crate) struct Crew<'a> {
    shared: &'a Shared,
    bench: Bench,
}

struct Shared {
    barrier: Barrier,
    job: Mutex<Job>,
    reports: Vec<Mutex<Report>>,
}

#[derive(Clone, Copy)]
enum Job {
    Probe,
    Sample { entrant: usize, warm_up: u64, ops: u64, depth: u32 },
    Leave,
}

#[derive(Clone, Copy)]
struct Report {
    reading: Reading,
    preempted: bool,
    panicked: bool,
}

/// Runs `direct` with one worker a bench, worker i pinned to CPU i of `cpus` (worker 0 is the caller and pins itself).
/// Returns the caller's bench for more.
pub(crate) fn with<R>(mut benches: Vec<Bench>, cpus: &[u32], direct: impl FnOnce(&mut Crew<'_>) -> R) -> (R, Bench) {
    let nothing = Report { reading: Reading(0.0), preempted: false, panicked: false };
    let shared = Shared {
        barrier: Barrier::new(benches.len()),
        job: Mutex::new(Job::Probe),
        reports: benches.iter().map(|_| Mutex::new(nothing)).collect(),
    };
    let own = benches.remove(0);
    std::thread::scope(|scope| {
        for (i, mut bench) in benches.into_iter().enumerate() {
            let shared = &shared;
            scope.spawn(move || {
                let worker = i + 1;
                let _pinned = cpus.get(worker).and_then(|cpu| Pinned::to(*cpu));
                while shared.work(worker, &mut bench).is_some() {}
            });
        }
        let mut dismiss = Dismiss(Crew { shared: &shared, bench: own });
        let result = direct(&mut dismiss.0);
        let bench =
            std::mem::replace(&mut dismiss.0.bench, Bench { ops: Vec::new(), input: Vec::new(), output: Vec::new() });
        (result, bench)
    })
}

impl Crew<'_> {
    /// Runs an entrant `warm_up` times untimed, then `ops` times timed, on every worker at once, at one depth of the
    /// stack; then probes.
    pub(crate) fn sample(&mut self, entrant: usize, warm_up: u64, ops: u64, depth: u32) -> Sample {
        let time = self.order(Job::Sample { entrant, warm_up, ops, depth });
        let reports: Vec<Report> = self.shared.reports.iter().map(|report| *lock(report)).collect();
        Sample {
            time,
            readings: reports.iter().map(|report| report.reading).collect(),
            preempted: reports.iter().any(|report| report.preempted),
            panicked: reports.iter().any(|report| report.panicked),
        }
    }

    /// Probes every worker's core.
    pub(crate) fn probe(&mut self) -> Vec<Reading> {
        self.order(Job::Probe);
        self.shared.reports.iter().map(|report| lock(report).reading).collect()
    }

    fn order(&mut self, job: Job) -> Duration {
        *lock(&self.shared.job) = job;
        self.shared.work(0, &mut self.bench).unwrap_or_default()
    }
}

/// Sends the workers home, also when the director panics: they would wait for ever.
struct Dismiss<'a>(Crew<'a>);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.order(Job::Leave);
    }
}

impl Shared {
    /// One worker's part of the job, from barrier to barrier: the time it took, or `None` to leave.
    fn work(&self, worker: usize, bench: &mut Bench) -> Option<Duration> {
        self.barrier.wait();
        let job = *lock(&self.job);
        let mut report = Report { reading: Reading(0.0), preempted: false, panicked: false };
        let mut time = Duration::ZERO;
        match job {
            Job::Leave => return None,
            Job::Probe => {}
            Job::Sample { entrant, warm_up, ops, depth } => depth::run_at(depth, &mut || {
                let warm = bench.run(entrant, warm_up);
                let preemptions = clock::preemptions();
                self.barrier.wait();
                let start = Instant::now();
                let ran = bench.run(entrant, ops);
                self.barrier.wait();
                time = start.elapsed();
                report.preempted = clock::preemptions() != preemptions;
                report.panicked = !(warm && ran);
            }),
        }
        report.reading = probe::probe();
        *lock(&self.reports[worker]) = report;
        self.barrier.wait();
        Some(time)
    }
}

/// A lock that nobody can poison: no code that panics runs under it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A barrier that spins.
struct Barrier {
    workers: usize,
    waiting: AtomicUsize,
    passed: AtomicUsize,
}

impl Barrier {
    fn new(workers: usize) -> Self {
        Self { workers, waiting: AtomicUsize::new(0), passed: AtomicUsize::new(0) }
    }

    fn wait(&self) {
        if self.workers == 1 {
            return;
        }
        let passed = self.passed.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            self.waiting.store(0, Ordering::Relaxed);
            self.passed.store(passed.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0_u32;
        while self.passed.load(Ordering::Acquire) == passed {
            spins = spins.saturating_add(1);
            if spins < 10_000 {
                spin_loop();
            } else {
                // More threads than CPUs, or a long wait between heats: let others run.
                std::thread::yield_now();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    fn benches(workers: usize, op: impl Fn() -> Op) -> Vec<Bench> {
        (0..workers).map(|_| Bench { ops: vec![op()], input: vec![1; 8], output: vec![0; 8] }).collect()
    }

    #[test]
    fn every_worker_runs_every_operation() {
        for workers in [1, 2, 3] {
            let calls = Arc::new(AtomicU64::new(0));
            let make = || {
                let calls = Arc::clone(&calls);
                Op::fill(move |input, output| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    output.copy_from_slice(input);
                })
            };
            let (readings, bench) = with(benches(workers, make), &[], |crew| {
                let sample = crew.sample(0, 3, 7, 5);
                assert!(!sample.panicked && sample.time > Duration::ZERO);
                assert_eq!(sample.readings.len(), workers);
                crew.probe()
            });
            assert_eq!(readings.len(), workers);
            assert_eq!(calls.load(Ordering::Relaxed), 10 * workers as u64);
            assert_eq!(bench.output, bench.input);
        }
    }

    #[test]
    fn a_panic_in_an_operation_is_told_and_stops_nobody() {
        let make = || Op::fill(|_, _| panic!("an operation that panics, as this test wants"));
        let (panicked, _) = with(benches(2, make), &[], |crew| [crew.sample(0, 0, 1, 0), crew.sample(0, 1, 1, 0)]);
        assert!(panicked.iter().all(|sample| sample.panicked));
    }

    #[test]
    #[should_panic(expected = "the director")]
    fn a_panic_of_the_director_sends_the_workers_home() {
        with(benches(2, || Op::fill(|_, _| ())), &[], |crew| {
            crew.probe();
            assert!(crew.sample(0, 0, 1, 0).panicked, "the director");
        });
    }
}
