//! The search for leaks: its statistics on made-up times of known distributions, its controls, every contestant, and
//! the column of reports.

mod synthetic;

use fairlane_lab::contest::{Algorithm, Contest};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests;
use fairlane_lab::leak::found::{ContestLeaks, Leaks, Searched, Verdict};
use fairlane_lab::leak::statistics::{Samples, TESTS, examine, threshold};
use fairlane_lab::leak::{Config, Entry, Secret, search};
use fairlane_lab::report::Format;
use std::sync::atomic::AtomicBool;

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About a normal distribution.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Now and then something.
    fn rarely(&mut self, share: f64, what: f64) -> f64 {
        if self.uniform() < share { what } else { 0.0 }
    }
}

/// The time of the sample with this number.
type Times = fn(&mut Random, usize) -> f64;

/// Distributions that times have: of a quiet core, with rare long ones, in two heaps, on a clock of large steps, on a
/// machine whose speed changes from block to block.
const DISTRIBUTIONS: [(&str, Times); 5] = [
    ("quiet", |random, _| 100.0 + random.normal()),
    ("rare long ones", |random, _| {
        let long = 3000.0 * random.uniform();
        100.0 + random.normal() + random.rarely(0.02, long)
    }),
    ("two heaps", |random, _| 100.0 + random.normal() + random.rarely(0.4, 25.0)),
    ("coarse clock", |random, _| ((100.0 + 4.0 * random.normal()) / 10.0).floor() * 10.0),
    ("drift", |random, at| 100.0 + 20.0 * ((at / 64) as f64 / 7.0).sin() + random.normal()),
];

/// Samples that a block has in one state of the cache.
const BLOCKS: [usize; 4] = [4, 8, 16, 32];

/// Samples in blocks of 32, whose second class is changed.
fn samples(random: &mut Random, count: usize, times: Times, change: impl Fn(&mut Random, f64) -> f64) -> Samples {
    in_blocks(random, count, 32, times, change)
}

/// The same in blocks of another length.
fn in_blocks(
    random: &mut Random,
    count: usize,
    len: usize,
    times: Times,
    change: impl Fn(&mut Random, f64) -> f64,
) -> Samples {
    let mut samples = Samples::default();
    for from in (0..count).step_by(len) {
        let block: Vec<(f64, bool)> = (from..from + len)
            .map(|at| {
                let (time, second) = (times(random, at), random.bits() >> 63 == 1);
                (if second { change(random, time) } else { time }, second)
            })
            .collect();
        samples.extend(block);
    }
    samples
}

#[test]
fn chance_is_called_a_leak_no_more_often_than_is_said() {
    const RUNS: usize = 400;
    const RATE: f64 = 0.05;
    let threshold = threshold(RATE, TESTS);
    for (name, times) in DISTRIBUTIONS {
        let mut random = Random(1);
        let alarms = (0..RUNS)
            .filter(|_| {
                let samples = samples(&mut random, 2048, times, |_, time| time);
                examine(&samples, threshold).expect("enough samples").score > threshold
            })
            .count();
        // Four standard deviations above what the stated rate gives.
        let most = RATE * RUNS as f64 + 4.0 * (RUNS as f64 * RATE * (1.0 - RATE)).sqrt();
        assert!(alarms as f64 <= most, "{name}: {alarms} of {RUNS}");
    }
}

#[test]
fn the_smallest_shift_that_is_said_to_be_found_is_found() {
    const RUNS: usize = 200;
    let threshold = threshold(1e-5, 2 * TESTS);
    // On a coarse clock a shift of less than a step does not move all times, so that the figure says nothing there.
    for (name, times) in DISTRIBUTIONS.into_iter().filter(|(name, _)| *name != "coarse clock") {
        for len in BLOCKS {
            let mut random = Random(2);
            let told = in_blocks(&mut random, 4096, len, times, |_, time| time);
            let shift = examine(&told, threshold).unwrap().found_from_ns.unwrap();
            let found = (0..RUNS)
                .filter(|_| {
                    let samples = in_blocks(&mut random, 4096, len, times, |_, time| time + shift);
                    examine(&samples, threshold).unwrap().score > threshold
                })
                .count();
            // Four standard deviations below 95 %.
            assert!(found >= 177, "{name}, blocks of {len}: {found} of {RUNS} at {shift} ns");
        }
    }
}

#[test]
fn a_difference_is_told_in_full_however_short_blocks_are() {
    let (_, times) = DISTRIBUTIONS[0];
    for len in BLOCKS {
        let mut random = Random(5);
        let samples = in_blocks(&mut random, 1 << 17, len, times, |_, time| time + 100.0);
        let told = examine(&samples, 5.0).unwrap().difference_ns;
        // Times below the 10 % quantile or above the 90 % quantile count as that, which takes about 2 ns.
        assert!((96.0..=101.0).contains(&told.estimate), "blocks of {len}: {told:?}");
    }
}

#[test]
fn a_difference_in_rare_times_only_is_found() {
    let threshold = threshold(1e-5, 2 * TESTS);
    let (_, times) = DISTRIBUTIONS[0];
    let finding =
        examine(&samples(&mut Random(3), 8192, times, |random, time| time + random.rarely(0.04, 200.0)), threshold);
    let finding = finding.unwrap();
    assert!(finding.score > threshold, "{finding:?}");
    assert!(finding.by.contains("99 %"), "{}", finding.by);
    let interval = finding.difference_ns;
    assert!(interval.low <= interval.estimate && interval.estimate <= interval.high);
}

#[test]
fn an_interval_holds_the_shift() {
    let (_, times) = DISTRIBUTIONS[0];
    let mut random = Random(4);
    let held = (0..200)
        .filter(|_| {
            let samples = samples(&mut random, 4096, times, |_, time| time + 0.1);
            let of = examine(&samples, 5.0).unwrap().difference_ns;
            // Cutting both tenths leaves about four fifths of a small shift.
            of.low <= 0.09 && 0.07 <= of.high
        })
        .count();
    assert!(held >= 180, "{held} of 200");
}

fn config(samples: usize, seconds: f64) -> Config {
    Config { samples, seconds, false_alarms: 1e-5, seed: 1, command: "fairlane leak".to_owned() }
}

fn controls(samples: usize, seconds: f64) -> Leaks {
    search(&config(samples, seconds), &[], &mut (), &AtomicBool::new(false))
}

#[test]
fn controls_are_told_apart_if_they_leak_and_else_not() {
    let leaks = controls(20_000, 5.0);
    assert_eq!(leaks.controls.len(), 3);
    for control in &leaks.controls {
        // On a core that is never quiet there may be too few samples; what there is must not be wrong.
        let wrong = if control.leaks { Verdict::NotToldApart } else { Verdict::ToldApart };
        assert_ne!(control.verdict, wrong, "{control:?}");
        assert_ne!(control.verdict, Verdict::Failed, "{control:?}");
    }
}

/// Every contestant of the smallest parameter sets takes part, and answers as the reference does to both classes: to
/// wrong tags and damaged ciphertexts, too.
#[test]
fn every_contestant_can_be_searched() {
    let wanted = |contest: &Contest| match contest.algorithm() {
        Algorithm::Kem(params) => params.k() == 2 && !contest.batch,
        _ => true,
    };
    let entries: Vec<Entry> = contests::all()
        .into_iter()
        .filter(|contest| wanted(contest) && !Secret::of(contest.id).is_empty())
        .map(|contest| {
            let size = *contest.sizes.iter().min_by_key(|size| size.total()).unwrap();
            let contestants = roster(&contest).contestants;
            Entry { contest, size, contestants }
        })
        .collect();
    let leaks = search(&config(1, 0.001), &entries, &mut (), &AtomicBool::new(false));
    let mut seen = 0;
    for contest in &leaks.contests {
        for one in &contest.contestants {
            assert_eq!(one.failed, None, "{} {}: {}", contest.id, contest.secret, one.name);
            seen += 1;
        }
    }
    assert!(seen > 300, "only {seen}");
}

/// A search that found something of two contestants of the synthetic run.
fn found() -> Leaks {
    let run = synthetic::run();
    let heat = &run.contests[0];
    let searched = |at: usize, verdict| {
        let of = &heat.contestants[at];
        Searched {
            name: of.name.clone(),
            library: of.library.clone(),
            version: of.version.clone(),
            backend: of.backend.clone(),
            labels: of.labels.clone(),
            verdict,
            dropped: 0,
            failed: None,
            states: Vec::new(),
        }
    };
    let contest = ContestLeaks {
        id: heat.id.to_string(),
        size: "64".to_owned(),
        secret: Secret::Message,
        classes: Secret::Message.classes().map(str::to_owned),
        contestants: vec![searched(0, Verdict::NotToldApart), searched(1, Verdict::ToldApart)],
    };
    let machine = run.machine.clone();
    Leaks { contests: vec![contest], machine, controls: Vec::new(), ..controls(1, 0.001) }
}

#[test]
fn what_was_found_stands_in_every_report_and_not_in_the_run() {
    let mut run = synthetic::run();
    let before = Format::Json { gzip: false }.to_text(std::slice::from_ref(&run)).unwrap();
    found().join(&mut run).unwrap();
    let runs = std::slice::from_ref(&run);
    assert_eq!(Format::Json { gzip: false }.to_text(runs).unwrap(), before);
    for format in [Format::Markdown, Format::Html, Format::Verdicts(80)] {
        let text = format.to_text(runs).unwrap();
        assert!(text.contains("not told apart: message"), "{format:?}: {text}");
        assert!(text.replace("not told apart", "").contains("told apart: message"), "{format:?}");
        let without = format.to_text(&[synthetic::run()]).unwrap();
        assert!(!without.contains("told apart: "), "{format:?}");
    }
}

#[test]
fn a_search_that_says_nothing_of_a_run_is_refused() {
    let mut run = synthetic::run();
    let elsewhere = Leaks { machine: controls(1, 0.001).machine, ..found() };
    assert!(elsewhere.join(&mut run).unwrap_err().contains("Synthetic CPU"));
    let undecided = Leaks { controls: controls(1, 0.001).controls, ..found() };
    assert!(undecided.join(&mut run).unwrap_err().contains("control"));
    let mut other = found();
    other.contests[0].contestants.iter_mut().for_each(|one| one.version = "9".to_owned());
    other.join(&mut run).unwrap();
    assert!(run.contests[0].contestants.iter().all(|one| one.leak.is_none()));
}

#[test]
fn files_are_read_as_they_were_written_and_others_refused() {
    let leaks = found();
    assert_eq!(Leaks::read(leaks.json().as_bytes()).unwrap(), leaks);
    let packed = leaks.compressed();
    assert_eq!(Leaks::read(&packed).unwrap(), leaks);
    assert!(Leaks::read(&packed[..packed.len() / 2]).unwrap_err().contains("gzip"));
    let foreign = leaks.json().replace("fairlane-leaks-1", "fairlane-leaks-9");
    for wrong in ["", "{}", "[]", foreign.as_str()] {
        let why = Leaks::read(wrong.as_bytes()).unwrap_err();
        assert!(!why.contains('\n'), "{why}");
    }
}
