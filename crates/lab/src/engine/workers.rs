//! The threads that run a sample, in step with each other.
//!
//! The calling thread is worker 0; the others are spawned, and meet it at a barrier before and after each sample. They
//! wait there by spinning, since a thread that sleeps wakes too late to be timed.

use super::clock;
use super::pin::Pinned;
use super::placement::{Buffer, Entrant, Moving};
use super::probe::{self, Reading};
use super::stack_offset;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one worker runs: its own instance of each entrant's operation, and its own buffers.
#[derive(Default)]
pub(crate) struct WorkerState<'a> {
    pub(crate) entrants: Vec<Entrant<'a>>,
    pub(crate) input: Buffer,
    pub(crate) output: Buffer,
}

impl WorkerState<'_> {
    /// Brings the buffers and an entrant's operation to their places in a round; false if the entrant panicked.
    fn settle(&mut self, entrant: usize, round: u32) -> bool {
        self.input.settle(round, Moving::Input);
        self.output.settle(round, Moving::Output);
        self.entrants[entrant].settle(round, entrant)
    }

    /// Runs an entrant's operation `times` times. Returns how long that took, if it measures that itself; `None` if it
    /// panicked.
    pub(crate) fn run(&mut self, entrant: usize, times: u64) -> Option<Option<Duration>> {
        let Self { entrants, input, output } = self;
        let op = &mut entrants[entrant].op;
        catch_unwind(AssertUnwindSafe(|| op.repeat(times, input.bytes(), output.bytes_mut()))).ok()
    }
}

/// One timed sample.
#[derive(Debug)]
pub(crate) struct Sample {
    /// From the common start until the last worker ended; the longest time of all workers if they measure it themselves.
    pub(crate) time: Duration,
    /// What each worker's probe saw right after.
    pub(crate) readings: Vec<Reading>,
    /// Whether the system took the CPU away from a worker for too long.
    pub(crate) preempted: bool,
    /// Whether the operation panicked.
    pub(crate) panicked: bool,
}

/// The workers of one heat, which run what the calling thread tells them.
pub(crate) struct Workers<'a, 's> {
    shared: &'a Shared,
    state: WorkerState<'s>,
}

struct Shared {
    barrier: Barrier,
    command: Mutex<Command>,
    reports: Vec<Mutex<Report>>,
}

#[derive(Clone, Copy)]
enum Command {
    Probe,
    Sample { entrant: usize, warm_up: u64, ops: u64, round: u32 },
    Exit,
}

#[derive(Clone, Copy)]
struct Report {
    reading: Reading,
    preempted: bool,
    panicked: bool,
    /// How long the operations took, if they measure that themselves.
    own: Option<Duration>,
}

/// Runs `direct` with one worker a state, worker i pinned to CPU i of `cpus` (worker 0 is the caller and pins itself).
/// Returns the caller's state for more.
pub(crate) fn with<'s, R>(
    mut states: Vec<WorkerState<'s>>,
    cpus: &[u32],
    direct: impl FnOnce(&mut Workers<'_, 's>) -> R,
) -> (R, WorkerState<'s>) {
    let nothing = Report { reading: Reading(0.0), preempted: false, panicked: false, own: None };
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
        let state = std::mem::take(&mut guard.0.state);
        (result, state)
    })
}

impl Workers<'_, '_> {
    /// Runs an entrant `warm_up` times untimed, then `ops` times timed, on every worker at once, with buffers, contexts
    /// and stack at their places in the round; then probes.
    pub(crate) fn sample(&mut self, entrant: usize, warm_up: u64, ops: u64, round: u32) -> Sample {
        let time = self.send(Command::Sample { entrant, warm_up, ops, round });
        let reports: Vec<Report> = self.shared.reports.iter().map(|report| *lock(report)).collect();
        Sample {
            time: reports.iter().filter_map(|report| report.own).max().unwrap_or(time),
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
struct ExitOnDrop<'a, 's>(Workers<'a, 's>);

impl Drop for ExitOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.send(Command::Exit);
    }
}

impl Shared {
    /// One worker's part of the command, from barrier to barrier: the time it took, or `None` to leave.
    fn work(&self, worker: usize, state: &mut WorkerState<'_>) -> Option<Duration> {
        self.barrier.wait();
        let command = *lock(&self.command);
        let mut report = Report { reading: Reading(0.0), preempted: false, panicked: false, own: None };
        let mut time = Duration::ZERO;
        match command {
            Command::Exit => return None,
            Command::Probe => {}
            Command::Sample { entrant, warm_up, ops, round } => {
                let settled = state.settle(entrant, round);
                stack_offset::run_at(round, &mut || {
                    let warm = state.run(entrant, warm_up);
                    let (preemptions, cpu_time) = (clock::preemptions(), clock::cpu_time());
                    self.barrier.wait();
                    let start = Instant::now();
                    let ran = state.run(entrant, ops);
                    self.barrier.wait();
                    let elapsed = start.elapsed();
                    report.preempted = clock::preemptions() != preemptions && clock::was_taken(elapsed, cpu_time);
                    time = elapsed;
                    report.own = ran.flatten();
                    report.panicked = !settled || warm.is_none() || ran.is_none();
                });
            }
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
    use crate::contest::{Foreign, Operation, Size};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    fn states(workers: usize, make: &(dyn Fn(Size) -> Operation + Send + Sync)) -> Vec<WorkerState<'_>> {
        let state = || WorkerState {
            entrants: vec![Entrant::new(make, Size::one(8))],
            input: Buffer::new(&[1; 8]),
            output: Buffer::new(&[0; 8]),
        };
        (0..workers).map(|_| state()).collect()
    }

    #[test]
    fn every_worker_runs_every_operation() {
        for count in [1, 2, 3] {
            let calls = Arc::new(AtomicU64::new(0));
            let make = |_: Size| {
                let calls = Arc::clone(&calls);
                Operation::to_output(move |input, output| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    output.copy_from_slice(input);
                })
            };
            let (readings, state) = with(states(count, &make), &[], |workers| {
                let sample = workers.sample(0, 3, 7, 5);
                assert!(!sample.panicked && sample.time > Duration::ZERO);
                assert_eq!(sample.readings.len(), count);
                workers.probe()
            });
            assert_eq!(readings.len(), count);
            assert_eq!(calls.load(Ordering::Relaxed), 10 * count as u64);
            assert_eq!(state.output.bytes(), state.input.bytes());
        }
    }

    #[test]
    fn of_operations_that_time_themselves_the_slowest_counts() {
        struct Slower(u64);
        impl Foreign for Slower {
            fn run(&mut self, _: u64, _: &[u8], _: &mut [u8]) -> Option<Duration> {
                Some(Duration::from_secs(self.0))
            }

            fn answer(&mut self, _: &[u8], _: &mut [u8]) {}
        }
        let made = AtomicU64::new(0);
        let make = |_: Size| Operation::Foreign(Box::new(Slower(1 + made.fetch_add(1, Ordering::Relaxed))));
        let (sample, _) = with(states(3, &make), &[], |workers| workers.sample(0, 0, 1, 0));
        assert_eq!(sample.time, Duration::from_secs(3));
    }

    #[test]
    fn a_panic_in_an_operation_is_told_and_stops_nobody() {
        let make = |_: Size| Operation::to_output(|_, _| panic!("an operation that panics, as this test wants"));
        let (panicked, _) =
            with(states(2, &make), &[], |workers| [workers.sample(0, 0, 1, 0), workers.sample(0, 1, 1, 0)]);
        assert!(panicked.iter().all(|sample| sample.panicked));
    }

    #[test]
    #[should_panic(expected = "the director")]
    fn a_panic_of_the_director_sends_the_workers_home() {
        with(states(2, &|_: Size| Operation::to_output(|_, _| ())), &[], |workers| {
            workers.probe();
            assert!(workers.sample(0, 0, 1, 0).panicked, "the director");
        });
    }
}
