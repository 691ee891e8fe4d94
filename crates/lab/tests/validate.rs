//! `validate` accepts a run as the race writes it and names the place of every kind of edit by hand.

mod synthetic;

use fairlane_lab::contest::Size;
use fairlane_lab::report::json;
use fairlane_lab::run::{ProcessPart, Ratio, Remark, Run, RunUnit, Text, Verdict, Warning};
use fairlane_lab::validate::validate;

#[test]
fn genuine_runs_pass() {
    assert_eq!(validate(&synthetic::run()), []);

    let mut interrupted = synthetic::run();
    interrupted.interrupted = true;
    interrupted.contests.pop();
    interrupted.seal();
    assert_eq!(validate(&interrupted), []);

    let mut disturbed = synthetic::run();
    disturbed.contests[0].contestants.pop();
    disturbed.contests[0].dropped -= 1;
    disturbed.warnings.push("keccak256/message 32: tiny-keccak is left out: it was disturbed in every round".into());
    synthetic::rejudge(&mut disturbed.contests[0], disturbed.settings.confidence);
    disturbed.seal();
    assert_eq!(validate(&disturbed), []);
    let Some(said) = disturbed.warnings.last_mut() else { panic!("the warning") };
    *said = "keccak256/message 32: tiny-keccak is left out: samples of it took no time, so they are too short for its \
             clock"
        .into();
    disturbed.seal();
    assert_eq!(validate(&disturbed), []);

    // Nothing was dropped as disturbed, but some samples took no time.
    let mut kept = synthetic::run();
    kept.settings.keep_disturbed = true;
    kept.contests.iter_mut().for_each(|contest| drop(contest.judge(&kept.settings)));
    kept.warnings.push(Text::of(Warning::KeepsDisturbed));
    kept.seal();
    assert!(kept.contests.iter().all(|contest| contest.dropped > 0));
    assert_eq!(validate(&kept), []);

    let mut nobody = synthetic::run();
    let contest = &mut nobody.contests[2];
    contest.disqualified[0].name = "the only one".to_owned();
    contest.contestants.clear();
    (contest.control, contest.fit) = (None, false);
    (contest.rounds, contest.dropped, contest.ops_per_sample) = (0, 0, 0);
    nobody.seal();
    assert_eq!(validate(&nobody), []);

    // As versions before the seal wrote them.
    let mut old = synthetic::run();
    old.settings.plan.clear();
    (old.settings.patience, old.seal) = (0.0, None);
    assert_eq!(validate(&old), []);
}

#[test]
fn genuine_runs_pass_from_their_text() {
    let text = json::text(&synthetic::run());
    assert_eq!(validate(&json::parse(&text).unwrap()), []);
}

type Edit = fn(&mut Run);

/// What was edited, and a place that must be named.
const EDITS: &[(&str, Edit)] = &[
    ("schema", |run| run.schema = "fairlane-race-2".into()),
    ("fairlane", |run| run.fairlane.clear()),
    ("started", |run| run.started = "2026-02-30T12:00:00Z".into()),
    ("started", |run| run.started = "2931-02-20T12:00:00Z".into()),
    ("machine.cpu", |run| run.machine.cpu.clear()),
    ("machine.cpus", |run| run.machine.cpus = 0),
    ("machine.load", |run| run.machine.load = Some(-1.0)),
    ("machine.disturbed", |run| run.machine.disturbed = Some(1.5)),
    ("machine.measured_mhz", |run| run.machine.measured_mhz = 3.0),
    ("settings.seconds_per_contest", |run| run.settings.seconds_per_contest = f64::NAN),
    ("settings.patience", |run| run.settings.patience = -1.0),
    ("settings.confidence", |run| run.settings.confidence = 95.0),
    ("settings.control_limit", |run| run.settings.control_limit = 0.0),
    ("settings.floor_limit", |run| run.settings.floor_limit = Some(0.9)),
    ("settings.command", |run| run.settings.command.clear()),
    // Intervals of another confidence are other intervals.
    ("contests[0].contestants[2].ratio", |run| run.settings.confidence = 0.999),
    // Completeness.
    ("contests", |run| drop(run.contests.remove(2))),
    ("settings.plan", |run| drop(run.settings.plan.pop())),
    ("settings.plan", |run| {
        run.contests.remove(2);
        run.settings.planned = 2;
    }),
    ("contests[1]", |run| run.settings.plan.swap(1, 2)),
    // Warnings that follow from the rest.
    ("warnings", |run| run.build.profile = "debug".into()),
    ("warnings", |run| run.machine.load = Some(64.0)),
    ("warnings", |run| run.contests[0].mhz[1] = 2000.0),
    ("warnings", |run| run.settings.keep_disturbed = true),
    ("warnings[1]", |run| {
        run.warnings.push("keccak256/message 4096: tiny-keccak is left out: it was disturbed in every round".into());
    }),
    ("contests[3]", |run| {
        let twice = run.contests[0].clone();
        run.contests.push(twice);
    }),
    ("contests[0].contestants", |run| drop(run.contests[0].contestants.pop())),
    ("contests[1].disqualified[0].name", |run| run.contests[1].disqualified[0].name = "tiny-keccak".into()),
    ("contests[1].disqualified[0].why", |run| run.contests[1].disqualified[0].why.clear()),
    ("contests[0].contestants[3].name", |run| run.contests[0].contestants[3].name = "fairlane/avx2".into()),
    // The contest.
    ("contests[0].about", |run| run.contests[0].about.clear()),
    ("contests[0].size", |run| run.contests[0].size = "0".into()),
    ("contests[0].size", |run| run.contests[0].size = "1KiB".into()),
    ("contests[0].threads", |run| run.contests[0].threads = 0),
    ("contests[0].contestants[0].bytes_per_second", |run| run.contests[0].threads = 2),
    ("contests[0].bytes_per_op", |run| run.contests[0].bytes_per_op = 0),
    ("contests[0].bytes_per_op", |run| run.contests[0].bytes_per_op = 64),
    ("contests[2].bytes_per_op", |run| run.contests[2].bytes_per_op = 32),
    ("contests[0].ops_per_sample", |run| run.contests[0].ops_per_sample = 0),
    ("contests[0].ops_per_sample", |run| run.settings.iterations = Some(7)),
    ("contests[0].ops_per_sample", |run| {
        run.settings.iterations = Some(1000);
        run.contests[0].contestants[1].ops_per_sample = 7;
    }),
    // Several processes.
    ("contests[0].processes", |run| run.contests[0].processes = vec![process(60), process(1)]),
    ("contests[0].processes", |run| run.contests[0].processes = vec![process(30), process(30)]),
    ("contests[0].processes[0].control", |run| {
        run.settings.processes = 2;
        run.contests[0].processes = vec![ProcessPart { control: "fairlane/avx2".into(), ..process(30) }, process(30)];
    }),
    ("contests[0].reach", |run| run.contests[0].reach = 0.1),
    ("contests[0].processes[1].mhz", |run| {
        run.settings.processes = 2;
        run.contests[0].processes = vec![process(30), ProcessPart { mhz: [3000.0, 3.0], ..process(30) }];
    }),
    // The samples would have taken longer than the contest.
    ("contests[0].seconds", |run| run.contests[0].contestants[2].ops_per_sample *= 1000),
    ("contests[0].seconds", |run| run.contests[0].seconds = Some(1e-6)),
    ("contests[0].nothing_ns", |run| run.contests[0].nothing_ns = Some(-1.0)),
    ("contests[0].stolen", |run| run.contests[0].stolen = Some(-0.1)),
    ("contests[0].contestants[0].samples", |run| run.contests[0].rounds += 1),
    ("contests[0].dropped", |run| run.contests[0].dropped = 0),
    ("contests[0].disturbed", |run| run.contests[0].disturbed = 1),
    // Disturbed samples are dropped or kept, and where they are kept nothing is fit.
    ("contests[0].disturbed", |run| {
        run.settings.keep_disturbed = true;
        run.contests[0].disturbed = 5 * 60 + 1;
    }),
    ("contests[0].fit", |run| run.settings.keep_disturbed = true),
    ("contests[0].backends", |run| run.contests[0].backends[0].against = "tiny-keccak".into()),
    ("contests[0].backends[0].speedup", |run| run.contests[0].backends[0].speedup.estimate *= 1.1),
    ("contests[0].mhz[1]", |run| run.contests[0].mhz[1] = f64::INFINITY),
    // The control.
    ("contests[0].control", |run| run.contests[0].control = None),
    ("contests[0].control.contestant", |run| control(run).contestant = "nobody".into()),
    ("contests[0].control.ratio", |run| control(run).ratio = Ratio { estimate: 1.0, low: 1.0, high: 1.0 }),
    ("contests[0].control.floor", |run| control(run).floor = 0.0),
    ("contests[0].control.samples", |run| control(run).samples.truncate(9)),
    ("contests[0].control.samples", |run| {
        run.contests[0].control.as_mut().unwrap().samples = run.contests[0].contestants[0].samples.clone();
    }),
    ("contests[0].fit", |run| run.contests[0].fit = false),
    ("contests[0].fit", |run| run.settings.control_limit = 1e-9),
    // A contestant.
    ("contests[0].contestants[2].ns_per_op", |run| run.contests[0].contestants[2].ns_per_op *= 0.99),
    ("contests[0].contestants[2].bytes_per_second", |run| {
        run.contests[0].contestants[2].bytes_per_second = Some(1e9);
    }),
    ("contests[0].contestants[2].bytes_per_second", |run| run.contests[0].contestants[2].bytes_per_second = None),
    ("contests[2].contestants[2].bytes_per_second", |run| run.contests[2].contestants[2].bytes_per_second = Some(1.0)),
    ("contests[0].contestants[2].ratio", |run| run.contests[0].contestants[2].ratio.estimate = 1.1),
    ("contests[0].contestants[2].ratio", |run| run.contests[0].contestants[2].ratio.low = 1.3),
    ("contests[0].contestants[2].ratio", |run| run.contests[0].contestants[2].ratio.high = f64::NAN),
    ("contests[0].contestants[0].ratio", |run| run.contests[0].contestants[0].ratio.high = 1.01),
    ("contests[0].contestants[2].verdict", |run| run.contests[0].contestants[2].verdict = Verdict::Tie),
    ("contests[0].contestants[1].verdict", |run| run.contests[0].contestants[1].verdict = Verdict::Slower),
    ("contests[0].contestants[0].verdict", |run| run.contests[0].contestants[0].verdict = Verdict::Tie),
    ("contests[0].contestants[3].rank", |run| run.contests[0].contestants[3].rank = 3),
    ("contests[0].contestants[2]", |run| run.contests[0].contestants.swap(1, 2)),
    ("contests[0].contestants[1].ns_per_op", |run| samples(run, 1).fill(Some(500.0))),
    ("contests[0].contestants[1].samples", |run| samples(run, 1)[0] = Some(-1.0)),
    ("contests[0].contestants[1].samples", |run| samples(run, 1).fill(None)),
    ("contests[0].contestants[1].samples", |run| samples(run, 1).truncate(9)),
    ("contests[0].dropped", |run| samples(run, 1)[5] = None),
    ("contests[0].contestants[3].samples", |run| {
        run.contests[0].contestants[3].samples = run.contests[0].contestants[2].samples.clone();
    }),
    ("contests[0].contestants[2].allocations", |run| {
        run.contests[0].contestants[2].allocations.as_mut().unwrap().count = 0.0;
    }),
    ("contests[0].contestants[2].cycles_per_op", |run| run.contests[0].contestants[2].cycles_per_op = Some(1500.0)),
    ("contests[0].contestants[2].cycles_per_op", |run| {
        run.machine.pmu = true;
        run.contests[0].contestants[2].cycles_per_op = Some(5.0);
    }),
    ("contests[0].contestants[2].instructions_per_op", |run| {
        run.contests[0].contestants[2].instructions_per_op = Some(1e9);
    }),
    ("contests[0].contestants[2].code_bytes", |run| run.contests[0].contestants[2].code_bytes = Some(0)),
    ("contests[0].contestants[2].code_bytes", |run| run.contests[0].contestants[2].code_bytes = Some(100)),
    ("contests[0].contestants[2].code_bytes", |run| run.contests[0].contestants[2].code_bytes = Some(64 << 30)),
    ("contests[0].contestants[2].peak_heap_bytes", |run| {
        (run.contests[0].contestants[2].allocations, run.contests[0].contestants[2].peak_heap_bytes) = (None, Some(64));
    }),
    ("contests[0].contestants[2].peak_heap_bytes", |run| {
        run.contests[0].contestants[2].peak_heap_bytes = Some(u64::MAX);
    }),
    ("contests[0].contestants[2].peak_stack_bytes", |run| {
        run.contests[0].contestants[2].peak_stack_bytes = Some(8 << 20);
    }),
    ("contests[0].contestants[2].microjoules_per_op", |run| {
        run.contests[0].contestants[2].microjoules_per_op = Some(0.0);
    }),
    ("contests[0].contestants[2].microjoules_per_op", |run| {
        run.contests[0].contestants[2].microjoules_per_op = Some(f64::NAN);
    }),
    ("contests[0].contestants[2].microjoules_per_op", |run| {
        run.contests[0].contestants[2].microjoules_per_op = Some(1e6);
    }),
];

/// Edits that only the seal shows.
const SEALED: &[Edit] = &[
    |run| run.seal = None,
    |run| run.machine.cpu = "Another CPU".into(),
    |run| run.build.rustflags = "-Ctarget-cpu=native".into(),
    |run| run.build.commit = "0123456789012345678901234567890123456789".into(),
    |run| run.contests[0].contestants[3].version = "0.0.1".into(),
    |run| run.contests[0].mhz = [2990.0, 2990.0],
    |run| run.absent.clear(),
    |run| run.warnings.clear(),
    |run| run.settings.control_limit = 0.5,
    |run| run.started = "2026-01-30T12:00:00Z".into(),
    // The slowest samples nulled, and everything that follows from them computed anew.
    |run| {
        let kept = samples(run, 1);
        let mut slow: Vec<usize> = (0..kept.len()).filter(|at| kept[*at].is_some()).collect();
        slow.sort_by(|a, b| kept[*b].partial_cmp(&kept[*a]).unwrap());
        slow.truncate(5);
        slow.iter().for_each(|at| kept[*at] = None);
        run.contests[0].dropped += 5;
        synthetic::rejudge(&mut run.contests[0], run.settings.confidence);
    },
];

/// A name may hold the comma that stands between names in a warning.
#[test]
fn names_with_commas_are_no_findings() {
    let mut run = synthetic::run();
    let name = "keccak, in C";
    for contest in &mut run.contests {
        contest.contestants.iter_mut().filter(|own| own.name == "tiny-keccak").for_each(|own| own.name = name.into());
    }
    let contest = &mut run.contests[0];
    contest.contestants.retain(|own| own.name != name);
    contest.dropped -= 1;
    synthetic::rejudge(contest, run.settings.confidence);
    let names = vec![name.to_owned(), "reference".to_owned()];
    let what = Remark::ReferencesLeftOut { names };
    run.warnings.push(Text::of(Warning::Contest { id: contest.id.clone(), size: contest.size.clone(), what }));
    run.seal();
    assert_eq!(validate(&run), []);
    assert_eq!(validate(&json::parse(&json::text(&run)).unwrap()), []);
}

fn process(rounds: u32) -> ProcessPart {
    ProcessPart { rounds, control: "fairlane/avx512".into(), mhz: [3000.0, 3000.0], pinned_cpu: None }
}

fn control(run: &mut Run) -> &mut fairlane_lab::run::Control {
    run.contests[0].control.as_mut().unwrap()
}

fn samples(run: &mut Run, contestant: usize) -> &mut Vec<Option<f64>> {
    &mut run.contests[0].contestants[contestant].samples
}

#[test]
fn every_edit_is_found_and_its_place_named() {
    for (number, (place, edit)) in EDITS.iter().enumerate() {
        let mut run = synthetic::run();
        edit(&mut run);
        let findings = validate(&run);
        let named = findings.iter().any(|finding| finding.place == *place);
        assert!(named, "edit {number} of {place} found only {findings:#?}");
        assert!(findings.iter().all(|finding| !finding.to_string().contains('\n')), "{findings:#?}");
    }
}

#[test]
fn every_edit_breaks_the_seal() {
    let all = SEALED.iter().chain(EDITS.iter().map(|(_, edit)| edit));
    for (number, edit) in all.enumerate() {
        let mut run = synthetic::run();
        edit(&mut run);
        let broken = validate(&run).iter().any(|finding| finding.place == "seal.digest");
        assert!(broken, "edit {number}");
    }
}

/// A key of RFC 8032 (test 1), as openssl writes it.
const KEY: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
";
const PUBLIC_KEY: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
";
const OTHER_PUBLIC_KEY: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=
-----END PUBLIC KEY-----
";

#[test]
fn a_signature_shows_who_vouches_for_a_run() {
    let mut run = synthetic::run();
    assert_eq!(run.is_signed_by(PUBLIC_KEY), Ok(false));
    run.sign(KEY).unwrap();
    assert_eq!(validate(&run), []);
    for run in [json::parse(&json::text(&run)).unwrap(), json::decode(&json::compressed(&run)).unwrap()] {
        assert_eq!(validate(&run), []);
        assert_eq!(run.is_signed_by(PUBLIC_KEY), Ok(true));
        assert_eq!(run.is_signed_by(OTHER_PUBLIC_KEY), Ok(false));
    }

    // Sealed again after an edit, but with the signature of what it was.
    let mut edited = run.clone();
    edited.machine.cpu = "Another CPU".into();
    let signature = edited.seal.as_ref().unwrap().signature.clone();
    edited.seal();
    edited.seal.as_mut().unwrap().signature = signature;
    assert!(validate(&edited).iter().any(|finding| finding.place == "seal.signature"));
    assert_eq!(edited.is_signed_by(PUBLIC_KEY), Ok(false));

    for not_a_key in ["", "key", PUBLIC_KEY] {
        assert!(run.sign(not_a_key).is_err(), "{not_a_key}");
    }
    for not_a_key in ["", "key", KEY] {
        assert!(run.is_signed_by(not_a_key).is_err(), "{not_a_key}");
    }
}

/// A consistent lie: all samples of the contest are scaled and everything else computed anew.
#[test]
fn impossible_speeds_are_found() {
    let scaled = |factor: f64, size: Size| {
        let mut run = synthetic::run();
        run.contests[0] = synthetic::contest("keccak256/message", size, RunUnit::Bytes, 1);
        let contest = &mut run.contests[0];
        let twin = &mut contest.control.as_mut().unwrap().samples;
        let rows = contest.contestants.iter_mut().map(|c| &mut c.samples);
        for sample in rows.chain([twin]).flatten().flatten() {
            *sample *= factor;
        }
        synthetic::rejudge(contest, run.settings.confidence);
        run.seal();
        validate(&run).into_iter().map(|finding| finding.to_string()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(scaled(1.0, Size::one(32)), "");
    assert!(scaled(1e-3, Size::one(1 << 20)).contains("contests[0].contestants[0].ns_per_op: "));
    assert!(scaled(1e-3, Size::one(1 << 20)).contains("faster than memory"));
    assert!(scaled(1e-5, Size::one(32)).contains("less than a cycle"));
    assert!(scaled(1e-5, Size::one(32)).contains("too short to be timed"));
}
