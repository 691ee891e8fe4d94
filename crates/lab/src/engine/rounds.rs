//! The rounds: in each, every contestant is sampled once, in rotating order; only undisturbed samples count.

use super::order::williams;
use super::placement::Entrant;
use super::probe::{Neighbour, Reading};
use super::workers::{WorkerState, Workers};
use crate::contest::{Operation, Size};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A sample lasts about this long, whoever runs; five times as long with several threads, which start and end a little
/// apart. With equal times and not equal operations, a slow contestant loses no more samples to neighbours than a fast
/// one, and a slow reference does not decide how many rounds there are.
const SAMPLE_NS: f64 = 200e3;

/// A sample begins with this much of the same work untimed: caches, branch predictor and clock settle.
const WARM_UP_NS: f64 = 30e3;

/// More rounds than this tell nothing more.
const MOST_ROUNDS: u32 = 500;

/// If too few samples are clean, a heat continues for up to this many times its time.
pub(super) const PATIENCE: u32 = 4;

/// It continues for at least this long, however short its time.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// Before a round the heat waits at most this long for a quiet core. Then it goes on, as it may be wrong about what is
/// quiet.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// An entrant may have one sample that took no time by its clock, or this share of them. Only the shortest samples come
/// out as 0, so the median of the rest is too large: it moves up by half as many places as there are zeros. That is
/// half a place, or half a place in a hundred rounds, which is well inside the interval of any number of rounds. More
/// of them mean that the clock cannot tell the samples' length.
const FEW_ZEROS: f64 = 0.01;

/// Between two looks while it waits.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Time an operation takes, roughly: doubles until 1 ms is full, then takes the shortest of a few such runs. `None` if
/// the operation panics.
pub(crate) fn estimate_ns(state: &mut WorkerState<'_>, entrant: usize) -> Option<f64> {
    const FULL: Duration = Duration::from_millis(1);
    let mut time = |ops: u64| {
        let start = Instant::now();
        state.run(entrant, ops).map(|own| own.unwrap_or_else(|| start.elapsed()))
    };
    let mut ops = 1;
    let mut shortest = time(ops)?;
    while shortest < FULL {
        ops *= 2;
        shortest = time(ops)?;
    }
    let mut repeats = 4;
    // Somebody may have cut in; a long operation is not asked again for that.
    while repeats > 0 && shortest < 20 * FULL {
        shortest = shortest.min(time(ops)?);
        repeats -= 1;
    }
    Some(shortest.as_nanos() as f64 / ops as f64)
}

/// Time of an operation that does nothing: what the harness adds to every other one.
pub(super) fn nothing_ns() -> Option<f64> {
    let make = |_: Size| Operation::to_output(|_, _| ());
    let mut state = WorkerState { entrants: vec![Entrant::new(&make, Size::one(1))], ..WorkerState::default() };
    estimate_ns(&mut state, 0)
}

/// How many operations a sample holds, and how many come untimed before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SampleSize {
    /// Operations a sample, an entrant.
    pub(crate) ops: Vec<u64>,
    /// Untimed operations before each sample, an entrant.
    warm_up: Vec<u64>,
}

impl SampleSize {
    /// From each entrant's rough time an operation.
    pub(crate) fn new(ns: &[f64], threads: usize, granularity: Duration) -> Self {
        let sample = SAMPLE_NS.max(1000.0 * granularity.as_nanos() as f64) * if threads > 1 { 5.0 } else { 1.0 };
        let ops = |ns: &f64| (sample / ns.max(0.1)).ceil().max(1.0) as u64;
        let warm_up = |ns: &f64| {
            // One long operation warms itself up.
            if *ns * 4.0 > SAMPLE_NS { 0 } else { (WARM_UP_NS / ns.max(0.1)).ceil() as u64 }
        };
        Self { ops: ns.iter().map(ops).collect(), warm_up: ns.iter().map(warm_up).collect() }
    }

    /// With the counts of the command line instead.
    pub(crate) fn with(mut self, counts: Counts) -> Self {
        if let Some(ops) = counts.iterations {
            self.ops.fill(ops);
        }
        if let Some(ops) = counts.warm_up {
            self.warm_up.fill(ops);
        }
        self
    }
}

/// Counts of operations that the command line gives; `None` leaves them to `SampleSize::new`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Operations a sample.
    pub iterations: Option<u64>,
    /// Untimed operations before each sample.
    pub warm_up: Option<u64>,
}

/// When a heat ends, and which samples count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRule {
    /// Time aimed at.
    pub(crate) time: Duration,
    /// Time that may be spent beyond [`Self::patience`] if too few samples are clean.
    pub(crate) more: Duration,
    /// Rounds that count wanted of every pair.
    pub(crate) rounds: u32,
    /// Whether disturbed samples count, too.
    pub(crate) keep_disturbed: bool,
}

impl StopRule {
    /// How long the heat may take in any case.
    pub(crate) fn patience(&self) -> Duration {
        self.time.saturating_mul(PATIENCE).max(LEAST_PATIENCE)
    }
}

/// The samples of all rounds.
#[derive(Debug)]
pub(crate) struct Rounds {
    /// ns an operation, a row an entrant; `None` where the sample does not count, or was too short for the clock.
    pub(crate) samples: Vec<Vec<Option<f64>>>,
    /// Samples of each entrant that were not clean, but count.
    pub(crate) disturbed: Vec<u32>,
    /// Whole rounds.
    pub(crate) count: u32,
}

/// Why rounds cannot go on with an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It panicked.
    Panicked(usize),
    /// More than a few of its samples took no time by its clock.
    TooShort(usize),
}

/// Runs rounds until the time is up and every pair of entrants has enough clean rounds, `stop` is set, or patience
/// ends.
///
/// A round that `stop` cuts is left out. `told` hears of the rounds done, of about how many there will be, and of the
/// last one's times.
///
/// # Errors
///
/// The first entrant that cannot be timed, and why.
pub(crate) fn run(
    workers: &mut Workers<'_, '_>,
    size: &SampleSize,
    length: StopRule,
    neighbours: &mut [Neighbour],
    stop: &AtomicBool,
    told: &mut dyn FnMut(u32, u32, &[f64]),
) -> Result<Rounds, Failure> {
    let entrants = size.warm_up.len();
    let orders = williams(entrants);
    let mut log = Log { entrants, keep_disturbed: length.keep_disturbed, ..Log::default() };
    let patience = length.patience() + length.more;
    let start = Instant::now();
    while log.rounds() < MOST_ROUNDS {
        let elapsed = start.elapsed();
        let enough = || log.fewest_shared(neighbours) >= length.rounds;
        if elapsed >= length.time && (elapsed >= patience || enough()) {
            break;
        }
        let mut round = vec![TimedSample::default(); entrants];
        log.note(workers.probe(), neighbours);
        let wait = LONGEST_WAIT.min(patience.saturating_sub(start.elapsed()));
        wait_for_quiet(workers, &mut log, neighbours, wait, stop);
        for entrant in &orders[log.rounds() as usize % orders.len()] {
            if stop.load(Ordering::Relaxed) {
                return Ok(log.read(neighbours));
            }
            let ops = size.ops[*entrant];
            let sample = workers.sample(*entrant, size.warm_up[*entrant], ops, log.rounds());
            if sample.panicked {
                return Err(Failure::Panicked(*entrant));
            }
            log.note(sample.readings, neighbours);
            round[*entrant] = TimedSample {
                ns_per_op: rounded(sample.time.as_nanos() as f64 / ops as f64),
                after: log.readings.len() - 1,
                preempted: sample.preempted,
            };
        }
        let times: Vec<f64> = round.iter().map(|taken| taken.ns_per_op).collect();
        log.taken.push(round);
        told(log.rounds(), expected_rounds(log.rounds(), start.elapsed(), length), &times);
        if let Some(entrant) = log.too_short() {
            return Err(Failure::TooShort(entrant));
        }
    }
    Ok(log.read(neighbours))
}

/// A time in the six digits that a sample of 200 µs has on a clock of nanoseconds: more would only make files longer.
fn rounded(ns: f64) -> f64 {
    format!("{ns:.5e}").parse().expect("a number as it was printed")
}

/// Looks at the cores until they are quiet or the time is up: a round that begins disturbed is mostly lost.
fn wait_for_quiet(
    workers: &mut Workers<'_, '_>,
    log: &mut Log,
    neighbours: &mut [Neighbour],
    longest: Duration,
    stop: &AtomicBool,
) {
    let start = Instant::now();
    while !log.keep_disturbed
        && !log.ends_clean(neighbours)
        && start.elapsed() < longest
        && !stop.load(Ordering::Relaxed)
    {
        std::thread::sleep(BETWEEN_LOOKS);
        log.note(workers.probe(), neighbours);
    }
}

/// About how many rounds there will be in all.
fn expected_rounds(done: u32, elapsed: Duration, length: StopRule) -> u32 {
    let in_time = f64::from(done) * length.time.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    (in_time.ceil() as u32).max(length.rounds).min(MOST_ROUNDS).max(done)
}

/// Everything that was seen. Samples are judged clean or not at the end, when most is known of the core.
#[derive(Default)]
struct Log {
    entrants: usize,
    keep_disturbed: bool,
    /// Every probe in order, a reading a worker.
    readings: Vec<Vec<Reading>>,
    /// A row a round, a sample an entrant.
    taken: Vec<Vec<TimedSample>>,
}

/// One sample and where its probes are: the one after it at `after`, the one before it just before that.
#[derive(Clone, Debug, Default)]
struct TimedSample {
    ns_per_op: f64,
    after: usize,
    preempted: bool,
}

impl TimedSample {
    /// Whether it was shorter than a step of its clock.
    fn took_no_time(&self) -> bool {
        self.ns_per_op <= 0.0
    }
}

impl Log {
    fn rounds(&self) -> u32 {
        self.taken.len() as u32
    }

    fn note(&mut self, readings: Vec<Reading>, neighbours: &mut [Neighbour]) {
        for (neighbour, reading) in neighbours.iter_mut().zip(&readings) {
            neighbour.learn(*reading);
        }
        self.readings.push(readings);
    }

    /// Which probes are clean on every worker's core.
    fn clean(&self, neighbours: &[Neighbour]) -> Vec<bool> {
        let limits: Vec<f64> = neighbours.iter().map(Neighbour::limit).collect();
        self.readings.iter().map(|readings| within(readings, &limits)).collect()
    }

    /// Whether the last probe is.
    fn ends_clean(&self, neighbours: &[Neighbour]) -> bool {
        let limits: Vec<f64> = neighbours.iter().map(Neighbour::limit).collect();
        self.readings.last().is_none_or(|readings| within(readings, &limits))
    }

    /// Whether nothing disturbed a sample.
    fn undisturbed(taken: &TimedSample, clean: &[bool]) -> bool {
        !taken.preempted && clean[taken.after - 1] && clean[taken.after]
    }

    /// The first entrant of which more samples than a few took no time.
    fn too_short(&self) -> Option<usize> {
        let few = (FEW_ZEROS * f64::from(self.rounds())).max(1.0);
        let zeros = |entrant: usize| self.taken.iter().filter(|round| round[entrant].took_no_time()).count();
        (0..self.entrants).find(|entrant| zeros(*entrant) as f64 > few)
    }

    /// Whether a sample is kept, as far as the machine goes.
    fn keeps(&self, taken: &TimedSample, clean: &[bool]) -> bool {
        self.keep_disturbed || Self::undisturbed(taken, clean)
    }

    /// Rounds in which both samples are kept, of the pair of entrants that has fewest: pairs are what is compared. A
    /// sample that took no time does not count, but to wait for a quieter machine would not help it.
    fn fewest_shared(&self, neighbours: &[Neighbour]) -> u32 {
        let clean = self.clean(neighbours);
        let keeps = |taken: &TimedSample| self.keeps(taken, &clean);
        let kept = |round: &Vec<TimedSample>| round.iter().map(keeps).collect();
        let rounds: Vec<Vec<bool>> = self.taken.iter().map(kept).collect();
        let shared = |a: usize, b: usize| rounds.iter().filter(|round| round[a] && round[b]).count();
        let pairs = (0..self.entrants).flat_map(|a| (a..self.entrants).map(move |b| shared(a, b)));
        pairs.min().unwrap_or_default() as u32
    }

    fn read(&self, neighbours: &[Neighbour]) -> Rounds {
        let clean = self.clean(neighbours);
        let counts = |taken: &TimedSample| !taken.took_no_time() && self.keeps(taken, &clean);
        let disturbed = |entrant: usize| {
            let counted = self.taken.iter().map(|round| &round[entrant]).filter(|taken| counts(taken));
            counted.filter(|taken| !Self::undisturbed(taken, &clean)).count() as u32
        };
        let sample = |taken: &TimedSample| counts(taken).then_some(taken.ns_per_op);
        let samples = |entrant: usize| self.taken.iter().map(|round| sample(&round[entrant])).collect();
        Rounds {
            samples: (0..self.entrants).map(samples).collect(),
            disturbed: (0..self.entrants).map(disturbed).collect(),
            count: self.rounds(),
        }
    }
}

/// Whether each worker's reading is within its core's limit.
fn within(readings: &[Reading], limits: &[f64]) -> bool {
    readings.iter().zip(limits).all(|(reading, limit)| reading.0 <= *limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Foreign;
    use crate::engine::placement::Buffer;
    use crate::engine::workers;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;

    const STEP: Duration = Duration::from_nanos(25);

    #[test]
    fn samples_of_all_take_as_long() {
        let size = |ops: [u64; 2], warm_up: [u64; 2]| SampleSize { ops: ops.to_vec(), warm_up: warm_up.to_vec() };
        assert_eq!(SampleSize::new(&[200.0, 1000.0], 1, STEP), size([1000, 200], [150, 30]));
        assert_eq!(SampleSize::new(&[200.0, 1000.0], 2, STEP).ops, [5000, 1000]);
        assert_eq!(SampleSize::new(&[2e6, 9e6], 1, STEP), size([1, 1], [0, 0]));
        assert_eq!(SampleSize::new(&[200.0, 2e6], 1, STEP).ops, [1000, 1]);
        let asked = Counts { iterations: Some(1000), warm_up: Some(100) };
        assert_eq!(SampleSize::new(&[2e6, 9e6], 1, STEP).with(asked), size([1000; 2], [100; 2]));
        let size = SampleSize::new(&[200.0, 1000.0], 1, STEP);
        assert_eq!(size.clone().with(Counts::default()), size);
        // A clock that steps by a millisecond needs samples of a second.
        assert_eq!(SampleSize::new(&[1e3], 1, Duration::from_millis(1)).ops, [1_000_000]);
    }

    #[test]
    fn a_sample_counts_if_both_its_probes_are_clean_and_nobody_cut_in() {
        let mut neighbours = [Neighbour::default()];
        let mut log = Log { entrants: 3, ..Log::default() };
        for _ in 0..10 {
            [1.0, 1.01, 2.0, 1.0].into_iter().for_each(|ratio| log.note(vec![Reading(ratio)], &mut neighbours));
            let after = log.readings.len() - 3;
            log.taken
                .push((0..3).map(|i| TimedSample { ns_per_op: 1.0, after: after + i, preempted: false }).collect());
        }
        log.taken[3][0].preempted = true;
        let rounds = log.read(&neighbours);
        assert_eq!(rounds.count, 10);
        assert_eq!(rounds.samples[0].iter().flatten().count(), 9);
        assert_eq!(rounds.samples[0][3], None);
        assert_eq!(rounds.samples[1], [None; 10]);
        assert_eq!(rounds.samples[2], [None; 10]);
        assert_eq!(log.fewest_shared(&neighbours), 0);
        assert_eq!(rounds.disturbed, [0; 3]);

        log.keep_disturbed = true;
        let rounds = log.read(&neighbours);
        assert!(rounds.samples.iter().flatten().all(Option::is_some));
        assert_eq!((rounds.disturbed, log.fewest_shared(&neighbours)), (vec![1, 10, 10], 10));

        // One that took no time is dropped, and not waited for.
        log.taken[5][1].ns_per_op = 0.0;
        let rounds = log.read(&neighbours);
        assert_eq!((rounds.samples[1][5], log.fewest_shared(&neighbours)), (None, 10));
        assert_eq!(rounds.disturbed, [1, 9, 10]);
    }

    #[test]
    fn a_few_samples_may_take_no_time() {
        let sample = |ns_per_op| TimedSample { ns_per_op, after: 1, preempted: false };
        let log = |rounds: usize, zeros: usize| {
            let round = |at: usize| vec![sample(1.0), sample(if at < zeros { 0.0 } else { 1.0 })];
            Log { entrants: 2, taken: (0..rounds).map(round).collect(), ..Log::default() }
        };
        for (rounds, few) in [(0, 0), (1, 1), (40, 1), (199, 1), (200, 2), (500, 5)] {
            assert_eq!(log(rounds, few).too_short(), None, "{few} of {rounds}");
            assert_eq!(log(rounds, few + 1).too_short(), (rounds > 1).then_some(1), "{} of {rounds}", few + 1);
        }
    }

    /// What takes a millisecond by its own clock in every fifth sample, and no time in the others.
    struct Coarse(Arc<AtomicU32>);

    impl Foreign for Coarse {
        fn run(&mut self, times: u64, _: &[u8], _: &mut [u8]) -> Option<Duration> {
            let samples = self.0.fetch_add(u32::from(times > 0), Ordering::Relaxed);
            Some(Duration::from_millis(u64::from(samples % 5 == 4)))
        }

        fn answer(&mut self, _: &[u8], _: &mut [u8]) {}
    }

    /// Only the samples in which its clock stepped would count, and would say what the clock's step is.
    #[test]
    fn what_its_clock_cannot_time_is_found_at_once() {
        let samples = Arc::new(AtomicU32::new(0));
        let coarse = move |_: Size| Operation::Foreign(Box::new(Coarse(Arc::clone(&samples))));
        let mut state = state([copies; 3]);
        state.entrants[1] = Entrant::new(Box::leak(Box::new(coarse)), Size::one(64));
        let size = SampleSize { ops: vec![1; 3], warm_up: vec![0; 3] };
        let length = StopRule { time: Duration::from_secs(60), more: Duration::ZERO, rounds: 40, keep_disturbed: true };
        let mut heard = 0;
        let (rounds, _) = workers::with(vec![state], &[], |workers| {
            run(workers, &size, length, &mut [Neighbour::default()], &AtomicBool::new(false), &mut |done, _, _| {
                heard = done;
            })
        });
        assert_eq!(rounds.unwrap_err(), Failure::TooShort(1));
        assert_eq!(heard, 2);
    }

    fn copies(_: Size) -> Operation {
        Operation::to_output(|input: &[u8], output: &mut [u8]| output.copy_from_slice(input))
    }

    fn panics(_: Size) -> Operation {
        Operation::to_output(|_, _| panic!("an operation that panics, as this test wants"))
    }

    fn state(makes: [fn(Size) -> Operation; 3]) -> WorkerState<'static> {
        let entrant = |make: fn(Size) -> Operation| Entrant::new(Box::leak(Box::new(make)), Size::one(64));
        WorkerState {
            entrants: makes.into_iter().map(entrant).collect(),
            input: Buffer::new(&[1; 64]),
            output: Buffer::new(&[0; 64]),
        }
    }

    #[test]
    fn nothing_takes_next_to_nothing() {
        let ns = nothing_ns().unwrap();
        assert!(ns > 0.0 && ns < 1000.0, "{ns} ns");
    }

    #[test]
    fn everybody_runs_once_a_round_until_time_is_up() {
        let mut state = state([copies; 3]);
        let ns: Vec<f64> = (0..3).map(|i| estimate_ns(&mut state, i).unwrap()).collect();
        let size = SampleSize::new(&ns, 1, STEP);
        let length =
            StopRule { time: Duration::from_millis(30), more: Duration::ZERO, rounds: 3, keep_disturbed: false };
        let (mut neighbours, mut heard) = ([Neighbour::default()], 0);
        let (rounds, _) = workers::with(vec![state], &[], |workers| {
            run(workers, &size, length, &mut neighbours, &AtomicBool::new(false), &mut |done, of, _| {
                heard += 1;
                assert!(done == heard && of >= done);
            })
        });
        let rounds = rounds.unwrap();
        // A machine may be too busy for more than one round before patience ends.
        assert!(rounds.count >= 1 && rounds.count == heard);
        assert!(rounds.samples.iter().all(|row| row.len() == rounds.count as usize));
    }

    #[test]
    fn a_disturbed_core_is_waited_for_but_not_for_ever() {
        let mut neighbours = [Neighbour::default()];
        (0..1000).for_each(|_| neighbours[0].learn(Reading(0.001)));
        let mut log = Log { entrants: 3, ..Log::default() };
        let longest = Duration::from_millis(20);
        let start = Instant::now();
        let ((), _) = workers::with(vec![state([copies; 3])], &[], |workers| {
            log.note(workers.probe(), &mut neighbours);
            wait_for_quiet(workers, &mut log, &mut neighbours, longest, &AtomicBool::new(false));
        });
        assert!(start.elapsed() >= longest && log.readings.len() > 1);

        log.keep_disturbed = true;
        let readings = log.readings.len();
        let ((), _) = workers::with(vec![state([copies; 3])], &[], |workers| {
            wait_for_quiet(workers, &mut log, &mut neighbours, longest, &AtomicBool::new(false));
        });
        assert_eq!(log.readings.len(), readings);
    }

    #[test]
    fn stop_ends_it_at_once() {
        let size = SampleSize::new(&[100.0; 3], 1, STEP);
        let length =
            StopRule { time: Duration::from_secs(60), more: Duration::ZERO, rounds: 1000, keep_disturbed: false };
        let stop = AtomicBool::new(false);
        let (rounds, _) = workers::with(vec![state([copies; 3])], &[], |workers| {
            run(workers, &size, length, &mut [Neighbour::default()], &stop, &mut |done, _, _| {
                stop.store(done == 2, Ordering::Relaxed);
            })
        });
        assert_eq!(rounds.unwrap().count, 2);
    }

    #[test]
    fn who_panics_is_named() {
        let mut state = state([copies, panics, copies]);
        assert_eq!(estimate_ns(&mut state, 1), None);
        let size = SampleSize::new(&[100.0; 3], 1, STEP);
        let length = StopRule { time: Duration::from_secs(1), more: Duration::ZERO, rounds: 1, keep_disturbed: false };
        let (rounds, _) = workers::with(vec![state], &[], |workers| {
            run(workers, &size, length, &mut [Neighbour::default()], &AtomicBool::new(false), &mut |_, _, _| ())
        });
        assert_eq!(rounds.unwrap_err(), Failure::Panicked(1));
    }
}
