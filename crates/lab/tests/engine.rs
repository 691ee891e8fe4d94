//! A whole race with made-up contestants. Asserts what is said of whom, and of speed only what no machine can miss.

use fairlane_lab::contest::{
    Absent, Algorithm, Conditions, Contest, ContestId, Contestant, Foreign, Function, Job, Kind, Label, Lengths,
    Operation, Size, Unit,
};
use fairlane_lab::engine::{Counts, Entry, Heat, Observer, RaceConfig, race};
use fairlane_lab::run::{ContestResult, Run, RunKind, Verdict};
use fairlane_lab::validate::validate;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Folds the message into 8 bytes, `work` times over: time in proportion to `work`, and the answer that of one time.
fn fold(work: u32) -> impl Fn(Size) -> Operation + Send + Sync {
    move |size| {
        Operation::to_output(move |input, output| {
            for (message, answer) in input.chunks(size.bytes).zip(output.chunks_mut(8)) {
                let mut state = 0_u64;
                for _ in 0..black_box(work) {
                    state =
                        message.iter().fold(0, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
                }
                answer.copy_from_slice(&state.to_le_bytes());
            }
        })
    }
}

const CONTEST: Contest = Contest {
    id: ContestId::new(Algorithm::Custom("fold"), Job::Message),
    suite: "fold",
    about: "folds a message into 8 bytes",
    conditions: Conditions::KEYLESS,
    kind: Kind::OneFunction(FOLD),
    unit: Unit::Bytes,
    batch: false,
    lengths: Lengths::Any,
    sizes: &[Size::one(1000), Size::one(64)],
    quick_sizes: &[Size::one(64)],
    reference_limit: 999,
    input_len: Size::total,
    output_len: |size| 8 * size.count,
    prepare: |_, _| (),
    accepts: |_, _, _| false,
};

const FOLD: Function = Function { name: "fold", primitive: "", labels: &[], reference: |size| fold(1)(size) };

fn contestant(name: &str, make: impl Fn(Size) -> Operation + Send + Sync + 'static) -> Contestant {
    Contestant {
        name: name.to_owned(),
        function: "fold",
        library: "made up".to_owned(),
        version: "1.0".to_owned(),
        backend: "scalar".to_owned(),
        labels: vec![],
        how_to_use: "not at all".to_owned(),
        valgrind: false,
        make: Box::new(make),
    }
}

/// A quick plan of one short heat, which tells the same however busy the machine is: disturbed samples are kept.
fn plan(contestants: Vec<Contestant>) -> RaceConfig {
    RaceConfig {
        quick: true,
        seconds_per_contest: 0.2,
        keep_disturbed: true,
        command: "fairlane race fold --quick".to_owned(),
        ..RaceConfig::new(vec![Entry { contest: CONTEST, contestants }])
    }
}

/// Two races at once would disturb each other.
static TRACK: Mutex<()> = Mutex::new(());

fn go(plan: &RaceConfig) -> Run {
    let _alone = TRACK.lock().unwrap_or_else(PoisonError::into_inner);
    race(plan, &mut (), &AtomicBool::new(false))
}

/// Those who were timed, in alphabetical order: who is first is the machine's business.
fn names(result: &ContestResult) -> Vec<&str> {
    let mut names: Vec<&str> = result.contestants.iter().map(|contestant| contestant.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// Every row is whole, every cell is a time, and the run is what its samples make it.
fn check(run: &Run, result: &ContestResult) {
    assert_eq!(validate(run), []);
    assert!(!result.fit && result.dropped == 0);
    assert!(result.contestants.iter().all(|c| (c.verdict, c.rank) == (Verdict::Undecided, 1)));
    let control = result.control.as_ref().expect("a control");
    let rows: Vec<&Vec<Option<f64>>> =
        result.contestants.iter().map(|c| &c.samples).chain([&control.samples]).collect();
    assert!(rows.iter().all(|row| row.len() == result.rounds as usize));
    assert!(rows.iter().copied().flatten().flatten().all(|ns| *ns > 0.0));
    assert_eq!(rows.into_iter().flatten().filter(|sample| sample.is_none()).count(), result.dropped as usize);
    for contestant in &result.contestants {
        let ratio = contestant.ratio;
        assert!(ratio.low <= ratio.estimate && ratio.estimate <= ratio.high, "{ratio:?}");
        let speed = 1e9 * result.bytes_per_op as f64 / contestant.ns_per_op * f64::from(result.threads);
        assert_eq!(contestant.bytes_per_second, Some(speed));
    }
}

#[test]
fn the_fast_the_slow_and_those_who_may_not_race() {
    let wrong = |size| {
        let mut op = fold(1)(size);
        Operation::to_output(move |input, output| {
            op.run(input, output);
            output[7] ^= 0x80;
        })
    };
    let calls = AtomicU32::new(0);
    let changing = move |size| {
        let (mut op, salt) = (fold(1)(size), calls.fetch_add(1, Ordering::Relaxed));
        let mut calls = 0;
        Operation::to_output(move |input, output| {
            op.run(input, output);
            calls += 1;
            output[0] ^= u8::from(calls > 2 || salt > 1000);
        })
    };
    let mut reference = contestant("reference", fold(8));
    reference.labels = vec![Label::Reference];
    let contestants = vec![
        contestant("three times", fold(3)),
        contestant("wrong", wrong),
        contestant("half the work", |size| fold(1)(Size::one(size.bytes.div_ceil(2)))),
        contestant("fast", fold(1)),
        contestant("panics", |_| Operation::to_output(|_, _| panic!("wanted by this test"))),
        contestant("changes", changing),
        contestant("silent", |_| Operation::to_output(|_, _| ())),
        reference,
    ];
    let mut plan = plan(contestants);
    plan.absent = vec![Absent { library: "none".to_owned(), why: "not there".to_owned() }];
    plan.backends = vec!["scalar".to_owned()];
    let run = go(&plan);

    assert!(!run.interrupted);
    assert_eq!(run.absent, plan.absent);
    assert_eq!(run.settings.backends, plan.backends);
    assert_eq!((run.settings.command.as_str(), run.settings.planned), (plan.command.as_str(), 1));
    assert!(run.machine.measured_mhz > 0.0 && run.started.ends_with('Z'));

    let [result] = &run.contests[..] else { panic!("one heat, not {}", run.contests.len()) };
    assert_eq!((result.id.as_str(), result.size.as_str(), result.threads), ("fold/message", "64", 1));
    let disqualified: Vec<&str> = result.disqualified.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(disqualified, ["wrong", "half the work", "panics", "changes", "silent"]);
    let why = |name: &str| result.disqualified.iter().find(|one| one.name == name).unwrap().why.as_str();
    assert!(why("wrong").contains("(from byte 7 of 8)"), "{}", why("wrong"));
    assert_eq!(why("panics"), "size 64: panicked: wanted by this test");
    assert_eq!(why("silent"), "size 64: wrote nothing into its 8 bytes of output");

    check(&run, result);
    assert_eq!(names(result), ["fast", "reference", "three times"]);
    assert_ne!(result.control.as_ref().unwrap().contestant, "reference");
    assert!(result.contestants.iter().all(|c| c.allocations.is_none()), "this binary does not count");
    assert!(run.warnings.iter().any(|line| line.contains("--keep-disturbed")), "{:?}", run.warnings);
}

#[test]
fn several_threads_run_the_same_work_at_once() {
    let mut plan = plan(vec![contestant("fast", fold(1)), contestant("slow", fold(4))]);
    plan.threads = vec![1, 2];
    let run = go(&plan);
    let threads: Vec<u32> = run.contests.iter().map(|result| result.threads).collect();
    assert_eq!(threads, [1, 2]);
    for result in &run.contests {
        check(&run, result);
        assert_eq!(names(result), ["fast", "slow"]);
    }
}

/// Sets the stop flag in the third round, and remembers what it is told.
struct Stopper<'a> {
    stop: &'a AtomicBool,
    begun: Vec<String>,
    finished: usize,
}

impl Observer for Stopper<'_> {
    fn begun(&mut self, heat: &Heat) {
        self.begun.push(format!("{} of {}: {} {}", heat.index + 1, heat.total, heat.id, heat.size));
    }

    fn round(&mut self, done: u32, of: u32) {
        assert!(done <= of);
        self.stop.store(done == 3, Ordering::Relaxed);
    }

    fn finished(&mut self, _: &ContestResult) {
        self.finished += 1;
    }
}

#[test]
fn an_interrupted_race_keeps_what_was_measured() {
    let mut plan = plan(vec![contestant("fast", fold(1)), contestant("slow", fold(4))]);
    plan.quick = false; // two sizes
    plan.seconds_per_contest = 60.0;
    let stop = AtomicBool::new(false);
    let mut watch = Stopper { stop: &stop, begun: Vec::new(), finished: 0 };
    let _alone = TRACK.lock().unwrap_or_else(PoisonError::into_inner);
    let run = race(&plan, &mut watch, &stop);
    assert!(run.interrupted);
    assert_eq!(watch.begun, ["1 of 2: fold/message 1000"]);
    assert_eq!((watch.finished, run.contests.len(), run.settings.planned), (1, 1, 2));
    let result = &run.contests[0];
    assert_eq!((result.rounds, names(result)), (3, vec!["fast", "slow"]));
    check(&run, result);
}

#[test]
fn stopped_before_it_began_it_measures_nothing() {
    let run = race(&plan(vec![contestant("fast", fold(1))]), &mut (), &AtomicBool::new(true));
    assert!(run.interrupted && run.contests.is_empty());
}

#[test]
fn nobody_left_to_race_is_told() {
    let run = go(&plan(vec![contestant("a", fold(0)), contestant("b", fold(0))]));
    let result = &run.contests[0];
    assert!(result.contestants.is_empty() && !result.fit && result.control.is_none());
    assert_eq!(result.disqualified.len(), 2);
    assert!(run.warnings.iter().any(|line| line.contains("is it wrong?")), "{:?}", run.warnings);
}

#[test]
fn who_panics_only_when_timed_is_disqualified_and_the_others_race() {
    let late = |size| {
        let (mut op, mut calls) = (fold(1)(size), 0_u64);
        Operation::to_output(move |input, output| {
            op.run(input, output);
            calls += 1;
            // Agreement asks five times, the first sample more.
            assert!(calls < 10, "worn out (wanted by this test)");
        })
    };
    let result = go(&plan(vec![contestant("late", late), contestant("fast", fold(1))])).contests.remove(0);
    assert_eq!(names(&result), ["fast"]);
    assert_eq!(result.disqualified[0].why, "size 64: panicked while it was timed");
}

/// A fold whose own clock steps by a millisecond, as that of a plug-in may.
struct Coarse {
    op: Operation,
    start: Instant,
}

impl Foreign for Coarse {
    fn run(&mut self, times: u64, input: &[u8], output: &mut [u8]) -> Option<Duration> {
        let now = || self.start.elapsed().as_millis() as u64;
        let before = now();
        self.op.repeat(times, input, output);
        Some(Duration::from_millis(now() - before))
    }

    fn answer(&mut self, input: &[u8], output: &mut [u8]) {
        self.op.run(input, output);
    }
}

/// Single operations take no time by such a clock. In the few samples in which it steps they seem to take a thousand
/// times as long as they do, so that nothing may be said of these.
#[test]
fn who_is_too_short_for_its_clock_is_left_out_and_the_others_race() {
    let start = Instant::now();
    let coarse = move |size| Operation::Foreign(Box::new(Coarse { op: fold(1)(size), start }));
    let counts = Counts { iterations: Some(1), warm_up: Some(0) };
    let left_out = "fold/message 64: coarse is left out: samples of it took no time";

    let others = vec![contestant("coarse", coarse), contestant("fast", fold(1)), contestant("slow", fold(4))];
    let run = go(&RaceConfig { counts, ..plan(others) });
    let result = &run.contests[0];
    check(&run, result);
    assert_eq!(names(result), ["fast", "slow"]);
    assert!(result.disqualified.is_empty());
    assert!(run.warnings.iter().any(|line| line.starts_with(left_out)), "{:?}", run.warnings);

    // Alone, it leaves a contest without contestants.
    let run = go(&RaceConfig { counts, ..plan(vec![contestant("coarse", coarse)]) });
    assert!(run.contests[0].contestants.is_empty() && run.contests[0].control.is_none());
    assert_eq!(run.warnings.iter().filter(|line| line.starts_with(left_out)).count(), 1, "{:?}", run.warnings);
    assert_eq!(validate(&run), []);
}

#[test]
fn sizes_given_replace_the_contests_own() {
    let mut plan = plan(vec![contestant("fast", fold(1))]);
    plan.sizes = Some(vec![Size::one(7), Size::batch(3, 7)]);
    assert_eq!(plan.heats(), 1);
    assert_eq!(go(&plan).contests[0].size, "7");
    plan.sizes = Some(vec![Size::batch(3, 7)]);
    let run = go(&plan);
    assert!(run.contests.is_empty());
    assert!(
        run.warnings.iter().any(|line| line.contains("takes one message at a time, of any length")),
        "{:?}",
        run.warnings
    );
}

/// At 64 bytes the reference is timed, at 1000 it is too slow: the run is valid, because a warning says so.
#[test]
fn references_sit_out_where_they_are_too_slow() {
    let reference = Contestant { labels: vec![Label::Reference], ..contestant("reference", fold(1)) };
    let mut plan = plan(vec![reference, contestant("fast", fold(1))]);
    plan.quick = false;
    let run = go(&plan);
    let [large, small] = run.contests.as_slice() else { panic!("two sizes: {:?}", run.contests) };
    assert_eq!((names(large), names(small)), (vec!["fast"], vec!["fast", "reference"]));
    assert!(run.warnings.iter().any(|line| line.contains("1000: too large to time references: reference")));
    check(&run, large);
}

/// Two functions do one job: each is asked by its own reference, and one that gives the other's answer is wrong.
#[test]
fn one_job_of_two_functions() {
    const JOB: Contest = Contest {
        id: ContestId::new(Algorithm::Custom("job"), Job::Message),
        about: "a fold, or its complement",
        kind: Kind::OneJob(&[FOLD, Function { name: "complement", reference: complement, ..FOLD }]),
        ..CONTEST
    };
    let of = |function, name, make: fn(Size) -> Operation| Contestant { function, ..contestant(name, make) };
    let contestants = vec![
        of("fold", "fold: a", |size| fold(1)(size)),
        of("complement", "complement: a", complement),
        of("complement", "complement: b", |size| fold(1)(size)),
    ];
    let mut plan = plan(vec![]);
    plan.entries = vec![Entry { contest: JOB, contestants }];
    let run = go(&plan);
    let result = &run.contests[0];
    assert_eq!((result.kind, names(result)), (RunKind::OneJob, vec!["complement: a", "fold: a"]));
    assert_eq!(result.disqualified[0].name, "complement: b");
    let functions: Vec<&str> = result.contestants.iter().map(|c| c.function.as_str()).collect();
    assert!(functions.contains(&"fold") && functions.contains(&"complement"));
    check(&run, result);
}

/// The complement of the fold, in a buffer of its own.
fn complement(size: Size) -> Operation {
    let mut op = fold(1)(size);
    Operation::to_new_buffer(move |input| op.answer(input, vec![0; 8]).iter().map(|byte| !byte).collect())
}
