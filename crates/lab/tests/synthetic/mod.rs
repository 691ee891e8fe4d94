//! A small run as the race would write it, made from seeded noise: what the tests of reports and checks work on.

// Not every test file needs every helper.
#![allow(dead_code)]

use fairlane_lab::contest::{Absent, Conditions, Label, Size};
use fairlane_lab::engine::statistics::{FLOOR_LIMIT, median};
use fairlane_lab::run::{
    Allocations, Build, ContestResult, ContestantResult, Control, Disqualified, Machine, Ratio, Run, RunKind, RunUnit,
    SCHEMA, Settings, Verdict,
};

const ROUNDS: usize = 60;
const CONFIDENCE: f64 = 0.95;
const CONTROL_LIMIT: f64 = 0.02;

/// Two sizes of one contest and one that counts operations. `fairlane/avx2` ties with `fairlane/avx512`; `tiny-keccak`
/// takes 2.4 times, `keccak-asm` 1.24 times their time; `broken` was disqualified.
pub(crate) fn run() -> Run {
    let contests = vec![
        contest("keccak256/message", Size::one(32), RunUnit::Bytes, 1),
        contest("keccak256/message", Size::one(1024), RunUnit::Bytes, 2),
        contest("ml-kem-768/decaps", Size::one(1), RunUnit::Operations, 3),
    ];
    let mut run = Run {
        schema: SCHEMA.to_owned(),
        fairlane: "0.1.0".to_owned(),
        started: "2026-01-31T12:00:00Z".to_owned(),
        interrupted: false,
        machine: Machine {
            arch: "x86_64".to_owned(),
            os: "Linux 6.1".to_owned(),
            cpu: "Synthetic CPU | 3 GHz".to_owned(),
            cpu_id: "family 6 model 143 stepping 8".to_owned(),
            features: vec!["avx2".to_owned(), "avx512f".to_owned()],
            cpus: 2,
            hypervisor: Some("KVM".to_owned()),
            governor: None,
            load: Some(0.25),
            measured_mhz: 3000.0,
            pmu: false,
            disturbed: Some(0.05),
        },
        build: Build {
            rustc: "rustc 1.95.0".to_owned(),
            profile: "release".to_owned(),
            opt_level: "3".to_owned(),
            debug_assertions: false,
            profile_settings: vec!["codegen-units = 1".to_owned()],
            target: "x86_64-unknown-linux-gnu".to_owned(),
            rustflags: String::new(),
            target_features: vec!["sse2".to_owned()],
            features: Vec::new(),
            commit: String::new(),
            program: String::new(),
        },
        settings: settings(&contests),
        absent: vec![Absent { library: "Botan (installed)".to_owned(), why: "libbotan-3.so not found".to_owned() }],
        warnings: vec!["the clock is not fixed".into()],
        contests,
        seal: None,
        leaks: None,
    };
    run.seal();
    run
}

fn settings(contests: &[ContestResult]) -> Settings {
    Settings {
        seconds_per_contest: 3.0,
        processes: 1,
        patience: 45.0,
        iterations: None,
        warm_up: None,
        confidence: CONFIDENCE,
        quick: false,
        strict: false,
        keep_disturbed: false,
        control_limit: CONTROL_LIMIT,
        floor_limit: Some(FLOOR_LIMIT),
        pinned_cpu: Some(1),
        planned: contests.len() as u32,
        plan: contests.iter().map(|c| format!("{} {} {}", c.id, c.size, c.threads)).collect(),
        backends: vec!["scalar".to_owned(), "avx2".to_owned()],
        command: "fairlane race keccak".to_owned(),
    }
}

/// The same on a machine that slows down during each contest, where each contestant lost other samples: medians of own
/// rounds say other things than ratios.
pub(crate) fn drifting() -> Run {
    let mut run = run();
    for contest in &mut run.contests {
        drift(contest);
    }
    run.seal();
    run
}

/// Makes the machine slow down during a contest, and drops early samples of one contestant, late ones of another.
pub(crate) fn drift(contest: &mut ContestResult) {
    let twin = contest.control.iter_mut().map(|control| &mut control.samples);
    for samples in contest.contestants.iter_mut().map(|c| &mut c.samples).chain(twin) {
        for (round, sample) in samples.iter_mut().enumerate() {
            *sample = sample.map(|ns| ns * (1.0 + round as f64 / ROUNDS as f64));
        }
    }
    for contestant in &mut contest.contestants {
        match contestant.name.as_str() {
            "keccak-asm" => contestant.samples[..ROUNDS / 2].fill(None),
            "tiny-keccak" => contestant.samples[ROUNDS / 2..].fill(None),
            _ => {}
        }
    }
    let all = contest.contestants.iter().flat_map(|c| &c.samples);
    contest.dropped = all.filter(|sample| sample.is_none()).count() as u32;
    rejudge(contest, CONFIDENCE);
}

/// One contest, judged by the race's own estimator.
pub(crate) fn contest(id: &str, size: Size, unit: RunUnit, seed: u64) -> ContestResult {
    let work = 400.0 + 5.0 * size.bytes as f64;
    let entrants = [
        ("fairlane/avx512", "fairlane", 1.0),
        ("fairlane/avx2", "fairlane", 1.0001),
        ("keccak-asm", "keccak-asm", 1.24),
        ("tiny-keccak", "tiny-keccak", 2.4),
    ];
    let mut noise = Noise(seed);
    let mut rows: Vec<Vec<Option<f64>>> = entrants.iter().map(|(.., slower)| noise.samples(work * slower)).collect();
    let twin = noise.samples(work);
    // As the probe would: some samples were disturbed.
    rows[0][3] = None;
    rows[3][7] = None;
    let bytes_per_op = if unit == RunUnit::Bytes { size.total() as u64 } else { 0 };
    let contestants = entrants.iter().zip(&rows).map(|((name, library, _), samples)| {
        let ns_per_op = median(samples).expect("samples");
        ContestantResult {
            name: (*name).to_owned(),
            function: "Keccak-256".to_owned(),
            library: (*library).to_owned(),
            version: "1.2.3".to_owned(),
            backend: name.strip_prefix("fairlane/").unwrap_or("portable Rust").to_owned(),
            labels: vec![Label::ConstantTime],
            how_to_use: "cargo add it".to_owned(),
            ns_per_op,
            bytes_per_second: (unit == RunUnit::Bytes).then(|| 1e9 * bytes_per_op as f64 / ns_per_op),
            ratio: Ratio { estimate: 1.0, low: 1.0, high: 1.0 },
            verdict: Verdict::Undecided,
            rank: 1,
            allocations: Some(Allocations { count: 1.0, bytes: 32.0, includes_c: true }),
            cycles_per_op: None,
            instructions_per_op: Some(5000.0),
            ops_per_sample: 1000,
            samples: samples.clone(),
            cold: Vec::new(),
            code_bytes: None,
            microjoules_per_op: None,
            peak_heap_bytes: None,
            peak_stack_bytes: None,
            leak: None,
        }
    });
    let mut contest = ContestResult {
        id: id.into(),
        suite: "keccak".to_owned(),
        about: "one message at a time; nothing is left outside".to_owned(),
        conditions: Conditions::KEYLESS,
        kind: RunKind::OneFunction,
        size: size.to_string().into(),
        threads: 1,
        unit,
        bytes_per_op,
        ops_per_sample: 1000,
        rounds: ROUNDS as u32,
        dropped: 2,
        disturbed: 0,
        mhz: [3000.0, 2999.0],
        pinned_cpu: Some(1),
        nothing_ns: Some(2.5),
        processes: Vec::new(),
        reach: 0.0,
        drift: 0.0,
        seconds: Some(3.0),
        stolen: Some(0.0),
        control: Some(Control {
            contestant: entrants[0].0.to_owned(),
            ratio: Ratio { estimate: 1.0, low: 1.0, high: 1.0 },
            floor: 0.0,
            samples: twin,
        }),
        fit: true,
        contestants: contestants.collect(),
        backends: Vec::new(),
        disqualified: vec![Disqualified {
            name: "broken".to_owned(),
            library: "broken".to_owned(),
            version: "0.1.0".to_owned(),
            why: "other digest at 136 bytes".to_owned(),
        }],
    };
    rejudge(&mut contest, CONFIDENCE);
    contest
}

/// Writes into a contest what its samples say.
pub(crate) fn rejudge(contest: &mut ContestResult, confidence: f64) {
    let settings = Settings { confidence, ..settings(std::slice::from_ref(contest)) };
    assert_eq!(contest.judge(&settings), Some(Vec::new()), "a round of all with the fastest");
}

/// Seeded noise (a linear congruential generator with Knuth's constants).
struct Noise(u64);

impl Noise {
    /// From -1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// One row: half a per cent of noise around `ns`.
    fn samples(&mut self, ns: f64) -> Vec<Option<f64>> {
        (0..ROUNDS).map(|_| Some(ns * (1.0 + 0.005 * self.next()))).collect()
    }
}
