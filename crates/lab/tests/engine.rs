//! A whole race with made-up contestants. Asserts what is said of whom, and of speed only what no machine can miss.

use fairlane_lab::contest::{Absent, Contest, Contestant, Label, Op, Size, Unit};
use fairlane_lab::engine::{Entry, Heat, Plan, Watch, race};
use fairlane_lab::run::{ContestResult, Run, Verdict};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Folds the message into 8 bytes, `work` times over: time in proportion to `work`, and the answer that of one time.
fn fold(work: u32) -> impl Fn(Size) -> Op + Send + Sync {
    move |size| {
        Box::new(move |input, output| {
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
    id: "fold/message",
    suite: "fold",
    about: "folds a message into 8 bytes",
    unit: Unit::Bytes,
    batch: false,
    sizes: &[Size::one(1000), Size::one(64)],
    quick_sizes: &[Size::one(64)],
    input_len: Size::total,
    output_len: |size| 8 * size.count,
    reference: |size| fold(1)(size),
};

fn contestant(name: &str, make: impl Fn(Size) -> Op + Send + Sync + 'static) -> Contestant {
    Contestant {
        name: name.to_owned(),
        library: "made up".to_owned(),
        version: "1.0".to_owned(),
        backend: "scalar".to_owned(),
        labels: vec![],
        how_to_use: "not at all".to_owned(),
        valgrind: false,
        make: Box::new(make),
    }
}

/// A quick plan of one short heat.
fn plan(contestants: Vec<Contestant>) -> Plan {
    Plan {
        quick: true,
        seconds_per_contest: 0.2,
        control_limit: 0.5, // a test must pass on a busy machine too
        command: "fairlane race fold --quick".to_owned(),
        ..Plan::new(vec![Entry { contest: CONTEST, contestants }])
    }
}

/// Two races at once would disturb each other.
static TRACK: Mutex<()> = Mutex::new(());

fn go(plan: &Plan) -> Run {
    let _alone = TRACK.lock().unwrap_or_else(PoisonError::into_inner);
    race(plan, &mut (), &AtomicBool::new(false))
}

fn names(result: &ContestResult) -> Vec<&str> {
    result.contestants.iter().map(|contestant| contestant.name.as_str()).collect()
}

/// Every row is whole, and every cell is a time.
fn check_arithmetic(result: &ContestResult) {
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
    let wrong = |size| -> Op {
        let mut op = fold(1)(size);
        Box::new(move |input, output| {
            op(input, output);
            output[7] ^= 0x80;
        })
    };
    let calls = AtomicU32::new(0);
    let changing = move |size| -> Op {
        let (mut op, salt) = (fold(1)(size), calls.fetch_add(1, Ordering::Relaxed));
        let mut calls = 0;
        Box::new(move |input, output| {
            op(input, output);
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
        contestant("panics", |_| Box::new(|_, _| panic!("wanted by this test"))),
        contestant("changes", changing),
        contestant("silent", |_| Box::new(|_, _| ())),
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

    if !result.fit {
        return eprintln!("skipped the verdicts: this machine is too disturbed to judge: {:?}", run.warnings);
    }
    check_arithmetic(result);
    assert_eq!(names(result), ["fast", "three times", "reference"]);
    assert_ne!(result.control.as_ref().unwrap().contestant, "reference");
    let [fast, three, reference] = &result.contestants[..] else { unreachable!() };
    assert_eq!((fast.verdict, fast.rank), (Verdict::Fastest, 1), "{:?}", run.warnings);
    assert_eq!((three.verdict, three.rank), (Verdict::Slower, 2));
    assert_eq!((reference.verdict, reference.rank), (Verdict::Slower, 3));
    assert!((1.3..6.0).contains(&three.ratio.estimate), "{:?}", three.ratio);
    assert_eq!(fast.allocations, None, "this binary does not count");
    assert!(result.ops_per_sample > 100);
}

#[test]
fn several_threads_run_the_same_work_at_once() {
    let mut plan = plan(vec![contestant("fast", fold(1)), contestant("slow", fold(4))]);
    plan.threads = vec![1, 2];
    let run = go(&plan);
    let threads: Vec<u32> = run.contests.iter().map(|result| result.threads).collect();
    assert_eq!(threads, [1, 2]);
    for result in &run.contests {
        // On a machine with too little room for two threads every sample may be disturbed: then nothing is claimed.
        if result.control.is_some() {
            check_arithmetic(result);
            assert_eq!(names(result)[0], "fast");
        }
    }
}

/// Sets the stop flag in the third round, and remembers what it is told.
struct Stopper<'a> {
    stop: &'a AtomicBool,
    begun: Vec<String>,
    finished: usize,
}

impl Watch for Stopper<'_> {
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
    // On a machine so busy that no sample of three rounds is clean, nobody has a result.
    assert_eq!(result.rounds, if result.contestants.is_empty() { 0 } else { 3 });
    assert!(!result.fit && result.contestants.iter().all(|c| c.verdict == Verdict::Undecided));
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
    let late = |size| -> Op {
        let (mut op, mut calls) = (fold(1)(size), 0_u64);
        Box::new(move |input, output| {
            op(input, output);
            calls += 1;
            assert!(calls < 50_000, "worn out (wanted by this test)");
        })
    };
    let result = go(&plan(vec![contestant("late", late), contestant("fast", fold(1))])).contests.remove(0);
    assert_eq!(names(&result), ["fast"]);
    assert_eq!(result.disqualified[0].why, "size 64: panicked while it was timed");
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
    assert!(run.warnings.iter().any(|line| line.contains("takes no batch")), "{:?}", run.warnings);
}
