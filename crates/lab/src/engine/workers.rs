//! The threads that run a sample, in step with each other.
//!
//! The calling thread is worker 0; the others are spawned, and meet it at a barrier before and after each sample. They
//! wait there by spinning, since a thread that sleeps wakes too late to be timed.

use super::clock;
use super::pin::Pinned;
use super::probe::{self, Reading};
use super::stack_offset;
use crate::contest::Operation;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one worker runs: its own instance of each entrant's operation, and its own buffers.
pub(crate) struct WorkerState {
    pub(crate) ops: Vec<Operation>,
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

impl WorkerState {
    /// Runs an entrant's operation `times` times. Returns how long that took, if it measures that itself; `None` if it
    /// panicked.
    pub(crate) fn run(&mut self, entrant: usize, times: u64) -> Option<Option<Duration>> {
        let Self { ops, input, output } = self;
        let op = &mut ops[entrant];
        catch_unwind(AssertUnwindSafe(|| op.repeat(times, input, output))).ok()
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

/// The workers of one heat, which run what the calling thread tells them.
pub(crate) struct Workers<'a> {
    shared: &'a Shared,
    state: WorkerState,
}

struct Shared {
    barrier: Barrier,
    command: Mutex<Command>,
    reports: Vec<Mutex<Report>>,
}

#[derive(Clone, Copy)]
enum Command {
    Probe,
    Sample { entrant: usize, warm_up: u64, ops: u64, offset_step: u32 },
    Exit,
}

#[derive(Clone, Copy)]
struct Report {
    reading: Reading,
    preempted: bool,
    panicked: bool,
}

/// Runs `direct` with one worker a state, worker i pinned to CPU i of `cpus` (worker 0 is the caller and pins itself).
/// Returns the caller's state for more.
pub(crate) fn with<R>(
    mut states: Vec<WorkerState>,
    cpus: &[u32],
    direct: impl FnOnce(&mut Workers<'_>) -> R,
) -> (R, WorkerState) {
    let nothing = Report { reading: Reading(0.0), preempted: false, panicked: false };
    let shared = Shared {
        barrier: Barrier::new(states.len()),
        command: Mutex::new(Command::Probe),
        reports: states.iter().map(|_| Mutex::new(nothing)).collect(),
    };
    let own = states.remove(0);
    std::thread::scope(|scope| {
        for (i, mut state) in states.into_iter().enumerate() {
            let shared = &shared;
            scope.spawn(move || {
                let worker = i + 1;
                let _pinned = cpus.get(worker).and_then(|cpu| Pinned::to(*cpu));
                while shared.work(worker, &mut state).is_some() {}
            });
        }
        let mut guard = ExitOnDrop(Workers { shared: &shared, state: own });
        let result = direct(&mut guard.0);
        let state = std::mem::replace(
            &mut guard.0.state,
            WorkerState { ops: Vec::new(), input: Vec::new(), output: Vec::new() },
        );
        (result, state)
    })
}

impl Workers<'_> {
    /// Runs an entrant `warm_up` times untimed, then `ops` times timed, on every worker at once, with one offset of the
    /// stack; then probes.
    pub(crate) fn sample(&mut self, entrant: usize, warm_up: u64, ops: u64, offset_step: u32) -> Sample {
        let time = self.send(Command::Sample { entrant, warm_up, ops, offset_step });
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
        self.send(Command::Probe);
        self.shared.reports.iter().map(|report| lock(report).reading).collect()
    }

    fn send(&mut self, command: Command) -> Duration {
        *lock(&self.shared.command) = command;
        self.shared.work(0, &mut self.state).unwrap_or_default()
    }
}

/// Ends the workers, also when the caller panics: they would wait for ever.
struct ExitOnDrop<'a>(Workers<'a>);

impl Drop for ExitOnDrop<'_> {
    fn drop(&mut self) {
        self.0.send(Command::Exit);
    }
}

impl Shared {
    /// One worker's part of the command, from barrier to barrier: the time it took, or `None` to leave.
    fn work(&self, worker: usize, state: &mut WorkerState) -> Option<Duration> {
        self.barrier.wait();
        let command = *lock(&self.command);
        let mut report = Report { reading: Reading(0.0), preempted: false, panicked: false };
        let mut time = Duration::ZERO;
        match command {
            Command::Exit => return None,
            Command::Probe => {}
            Command::Sample { entrant, warm_up, ops, offset_step } => stack_offset::run_at(offset_step, &mut || {
                let warm = state.run(entrant, warm_up);
                let preemptions = clock::preemptions();
                self.barrier.wait();
                let start = Instant::now();
                let ran = state.run(entrant, ops);
                self.barrier.wait();
                time = ran.flatten().unwrap_or_else(|| start.elapsed());
                report.preempted = clock::preemptions() != preemptions;
                report.panicked = warm.is_none() || ran.is_none();
            }),
        }
        report.reading = probe::probe();
        *lock(&self.reports[worker]) = report;
        self.barrier.wait();
        Some(time)
    }
}

/// Locks a mutex that cannot be poisoned: no code that panics runs under it.
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

    fn states(workers: usize, op: impl Fn() -> Operation) -> Vec<WorkerState> {
        (0..workers).map(|_| WorkerState { ops: vec![op()], input: vec![1; 8], output: vec![0; 8] }).collect()
    }

    #[test]
    fn every_worker_runs_every_operation() {
        for count in [1, 2, 3] {
            let calls = Arc::new(AtomicU64::new(0));
            let make = || {
                let calls = Arc::clone(&calls);
                Operation::to_output(move |input, output| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    output.copy_from_slice(input);
                })
            };
            let (readings, state) = with(states(count, make), &[], |workers| {
                let sample = workers.sample(0, 3, 7, 5);
                assert!(!sample.panicked && sample.time > Duration::ZERO);
                assert_eq!(sample.readings.len(), count);
                workers.probe()
            });
            assert_eq!(readings.len(), count);
            assert_eq!(calls.load(Ordering::Relaxed), 10 * count as u64);
            assert_eq!(state.output, state.input);
        }
    }

    #[test]
    fn a_panic_in_an_operation_is_told_and_stops_nobody() {
        let make = || Operation::to_output(|_, _| panic!("an operation that panics, as this test wants"));
        let (panicked, _) =
            with(states(2, make), &[], |workers| [workers.sample(0, 0, 1, 0), workers.sample(0, 1, 1, 0)]);
        assert!(panicked.iter().all(|sample| sample.panicked));
    }

    #[test]
    #[should_panic(expected = "the director")]
    fn a_panic_of_the_director_sends_the_workers_home() {
        with(states(2, || Operation::to_output(|_, _| ())), &[], |workers| {
            workers.probe();
            assert!(workers.sample(0, 0, 1, 0).panicked, "the director");
        });
    }
}
