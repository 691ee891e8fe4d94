//! Several processes' runs of one race become one run, which says what all of them found.

mod synthetic;

use fairlane_lab::engine::merge;
use fairlane_lab::report::{Format, json};
use fairlane_lab::run::{ContestResult, Remark, Run, Text, Verdict, Warning};
use fairlane_lab::validate::validate;

/// What process `number` found: `keccak-asm` is slower by so much of its time than elsewhere.
fn part(number: usize, slower: f64) -> Run {
    let mut run = synthetic::run();
    let settings = run.settings.clone();
    for contest in &mut run.contests {
        let own = contest.contestants.iter_mut().find(|own| own.name == "keccak-asm").unwrap();
        own.samples.iter_mut().flatten().for_each(|ns| *ns *= 1.0 + slower);
        own.ops_per_sample = 800 - number as u64;
        // The first process counts for all.
        (own.code_bytes, own.microjoules_per_op) = if number == 0 { (Some(640), Some(9.5)) } else { (None, None) };
        (own.peak_heap_bytes, own.peak_stack_bytes) = (Some(100 * number as u64), (number < 3).then_some(2048));
        // Nothing in these samples tells the two apart.
        if number % 2 == 1 {
            contest.control.as_mut().unwrap().contestant = "fairlane/avx2".to_owned();
        }
        contest.judge(&settings).unwrap();
    }
    run.seal();
    run
}

#[test]
fn all_processes_are_one_run() {
    let parts: Vec<Run> = (0..5).map(|number| part(number, 0.01 * number as f64)).collect();
    let alone = parts[0].clone();
    let run = merge(&parts, "fairlane race --processes 5 keccak".to_owned());
    assert_eq!(validate(&run), []);
    assert_eq!(validate(&json::parse(&json::text(&run)).unwrap()), []);
    assert_eq!(run.settings.processes, 5);
    assert!((run.settings.seconds_per_contest - 15.0).abs() < 1e-9);
    assert_eq!(run.settings.command, "fairlane race --processes 5 keccak");
    assert_eq!(run.warnings, alone.warnings);

    let (contest, before) = (&run.contests[0], &alone.contests[0]);
    assert_eq!((contest.rounds, contest.dropped), (5 * before.rounds, 5 * before.dropped));
    let controls: Vec<&str> = contest.processes.iter().map(|process| process.control.as_str()).collect();
    assert_eq!(controls, ["fairlane/avx512", "fairlane/avx2", "fairlane/avx512", "fairlane/avx2", "fairlane/avx512"]);
    let find = |name: &str| contest.contestants.iter().find(|own| own.name == name).unwrap();
    let asm = find("keccak-asm");
    assert_eq!((asm.samples.len(), asm.ops_per_sample), (5 * before.rounds as usize, 796));
    assert_eq!((asm.code_bytes, asm.microjoules_per_op), (Some(640), Some(9.5)));
    assert_eq!((asm.peak_heap_bytes, asm.peak_stack_bytes), (Some(400), Some(2048)));
    let report = Format::Markdown.to_text(std::slice::from_ref(&run)).unwrap();
    assert!(report.contains("controls: fairlane/avx512 and fairlane/avx2 against themselves"), "{report}");
    // From the first process's 1.24 to the last one's, 4 % more.
    assert!(asm.ratio.low < 1.24 && asm.ratio.high > 1.24 * 1.038, "{:?}", asm.ratio);
    assert_ne!(find("fairlane/avx2").verdict, Verdict::Slower);
    assert!(contest.fit);
}

#[test]
fn a_clock_that_moved_in_one_process_is_told() {
    let mut parts: Vec<Run> = (0..5).map(|number| part(number, 0.0)).collect();
    parts[2].contests[0].mhz = [3010.0, 2400.0];
    let mut run = merge(&parts, "fairlane race".to_owned());
    assert_eq!(validate(&run), []);
    let said = "keccak256/message 32: the clock moved from 3010 to 2400 MHz";
    assert!(run.warnings.iter().any(|warning| warning.as_str() == said), "{:?}", run.warnings);
    let contest = &run.contests[0];
    assert!(contest.contestants.iter().all(|own| contest.cycles_per_byte_of(own).is_none()));
    // Files of earlier versions do not say so.
    run.warnings.retain(|warning| warning.as_str() != said);
    run.seal();
    assert_eq!(validate(&run), []);
}

/// A run in which the clock moved, and more than earlier versions saw: what this one says of that, and what they did.
fn whose_clock_moved() -> (Run, &'static str, &'static str) {
    let mut parts: Vec<Run> = (0..5).map(|number| part(number, 0.0)).collect();
    parts[2].contests[0].mhz = [3010.0, 2400.0];
    parts[4].contests[0].mhz = [2800.0, 2700.0];
    let new = "keccak256/message 32: the clock moved from 3010 to 2400 MHz";
    let old = "keccak256/message 32: the clock moved from 3000 to 2700 MHz";
    (merge(&parts, "fairlane race".to_owned()), new, old)
}

#[test]
fn a_clock_that_earlier_versions_saw_move_must_be_told() {
    let (mut run, new, old) = whose_clock_moved();
    assert_eq!(validate(&run), []);
    let at = run.warnings.iter().position(|warning| warning.as_str() == new).unwrap();
    run.warnings[at] = old.into();
    run.seal();
    assert_eq!(validate(&run), []);
    run.warnings.remove(at);
    run.seal();
    let findings = validate(&run);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].place == "warnings" && findings[0].what.contains(new), "{findings:#?}");
}

#[test]
fn what_is_judged_anew_tells_once_that_the_clock_moved() {
    let (today, new, old) = whose_clock_moved();
    let mut run = today.clone();
    let at = run.warnings.iter().position(|warning| warning.as_str() == new).unwrap();
    run.warnings[at] = old.into();
    run.judge_anew();
    assert_eq!(run, today);
}

/// A file does not tell where a name ends that holds a comma.
#[test]
fn unfit_controls_whose_names_hold_commas_are_no_findings() {
    let mut parts = [part(0, 0.0), part(1, 0.0)];
    for part in &mut parts {
        let settings = part.settings.clone();
        let contest = &mut part.contests[0];
        let names = contest.contestants.iter_mut().map(|own| &mut own.name);
        let control = contest.control.as_mut().unwrap();
        for name in names.chain([&mut control.contestant]) {
            *name = name.replace("fairlane/", "Keccak, in ");
        }
        control.samples.iter_mut().flatten().for_each(|ns| *ns *= 1.05);
        contest.judge(&settings).unwrap();
        part.contests.truncate(1);
        (part.settings.planned, part.settings.plan) = (1, vec![part.settings.plan[0].clone()]);
    }
    let run = merge(&parts, "fairlane race".to_owned());
    let said = "unfit: Keccak, in avx512, Keccak, in avx2 and their twins differ by ";
    assert!(run.warnings.iter().any(|warning| warning.contains(said)), "{:?}", run.warnings);
    assert_eq!(validate(&run), []);
    assert_eq!(validate(&json::parse(&json::text(&run)).unwrap()), []);
}

/// Two heats share no rounds: what processes of each differ by is in both intervals.
#[test]
fn ratios_between_heats_reach_over_what_processes_differ_by() {
    let parts: Vec<Run> = (0..5).map(|number| part(number, 0.01 * number as f64)).collect();
    let run = merge(&parts, "fairlane race".to_owned());
    let template = "{{medians keccak256/message 1KiB keccak-asm over keccak256/message 32 keccak-asm}}";
    let text = Format::Template(template).to_text(&[run]).unwrap();
    let ends = text.split_once('[').unwrap().1.trim_end_matches(']').split_once(", ").unwrap();
    let [low, high]: [f64; 2] = [ends.0, ends.1].map(|end| end.parse().unwrap());
    // From 1 to 1.04 each, and half of that beyond at both ends; pooled rounds would say less than 1.1.
    assert!(high / low > 1.12, "{text}");
}

/// A run that other rules judged becomes the one that today's rules make of its samples.
#[test]
fn a_run_is_judged_anew() {
    let parts: Vec<Run> = (0..3).map(|number| part(number, 0.01 * number as f64)).collect();
    let today = merge(&parts, "fairlane race".to_owned());
    let mut old = today.clone();
    old.settings.floor_limit = None;
    for contest in &mut old.contests {
        contest.reach = 0.5;
        contest.judge(&old.settings).unwrap();
    }
    old.seal();
    assert_ne!(old.contests, today.contests);
    old.judge_anew();
    assert_eq!(old, today);
    assert_eq!(validate(&old), []);

    let twin = old.contests[0].control.as_mut().unwrap().samples.iter_mut();
    twin.enumerate()
        .for_each(|(n, sample)| *sample = sample.map(|ns| ns * [0.8, 0.8, 0.8, 1.0, 1.25, 1.25, 1.25][n % 7]));
    old.judge_anew();
    assert!(!old.contests[0].fit);
    assert!(old.warnings.iter().any(|warning| warning.contains("unfit: the noise floor is ")), "{:?}", old.warnings);
    assert_eq!(validate(&old), []);
}

#[test]
fn one_process_is_the_run_itself() {
    let run = synthetic::run();
    let merged = merge(std::slice::from_ref(&run), run.settings.command.clone());
    assert_eq!(merged, run);
}

#[test]
fn who_is_wrong_in_one_process_is_disqualified() {
    let mut parts = [part(0, 0.0), part(1, 0.0)];
    let contest = &mut parts[1].contests[0];
    let at = contest.contestants.iter().position(|own| own.name == "tiny-keccak").unwrap();
    contest.contestants.remove(at);
    contest.disqualified[0].name = "tiny-keccak".to_owned();
    let run = merge(&parts, "fairlane race".to_owned());
    let contest = &run.contests[0];
    assert!(contest.contestants.iter().all(|own| own.name != "tiny-keccak"));
    assert!(contest.disqualified.iter().any(|wrong| wrong.name == "tiny-keccak"));
    // The other process timed it.
    assert_eq!(contest.contestants.len(), 3);
}

#[test]
fn who_was_left_out_by_one_process_keeps_the_other_ones_samples() {
    let mut parts = [part(0, 0.0), part(1, 0.0)];
    let settings = parts[1].settings.clone();
    let contest = &mut parts[1].contests[0];
    contest.contestants.retain(|own| own.name != "tiny-keccak");
    contest.judge(&settings).unwrap();
    let left_out = about(contest, Remark::ContestantTooShort { name: "tiny-keccak".to_owned() });
    parts[1].warnings.push(left_out);
    let run = merge(&parts, "fairlane race".to_owned());
    assert_eq!(validate(&run), []);
    assert!(run.warnings.iter().all(|warning| !warning.contains("is left out")), "{:?}", run.warnings);
    let contest = &run.contests[0];
    let own = contest.contestants.iter().find(|own| own.name == "tiny-keccak").unwrap();
    assert_eq!(own.samples[60..], vec![None; 60]);
}

#[test]
fn who_is_left_out_by_every_process_is_named_with_the_reason() {
    let name = || "tiny-keccak".to_owned();
    for what in [Remark::ContestantDisturbed { name: name() }, Remark::ContestantTooShort { name: name() }] {
        let mut parts = [part(0, 0.0), part(1, 0.0)];
        for part in &mut parts {
            let settings = part.settings.clone();
            let contest = &mut part.contests[0];
            contest.contestants.retain(|own| own.name != name());
            contest.judge(&settings).unwrap();
            let left_out = about(contest, what.clone());
            part.warnings.push(left_out);
            part.seal();
        }
        let run = merge(&parts, "fairlane race".to_owned());
        assert_eq!(validate(&run), []);
        assert!(run.contests[0].contestants.iter().all(|own| own.name != name()));
        let sorted = |run: &Run| {
            let mut warnings: Vec<String> = run.warnings.iter().map(ToString::to_string).collect();
            warnings.sort_unstable();
            warnings
        };
        assert_eq!(sorted(&run), sorted(&parts[0]));
    }
}

/// A warning about a contest.
fn about(contest: &ContestResult, what: Remark) -> Text<Warning> {
    Text::of(Warning::Contest { id: contest.id.clone(), size: contest.size.clone(), what })
}

/// The reason that the processes gave stands, and their rounds add up.
#[test]
fn a_contest_that_no_process_judged_says_why() {
    let too_short = || Remark::ContestantTooShort { name: "fairlane/avx512".to_owned() };
    let no_control = |rounds| Remark::ControlDisturbed { rounds };
    for (given, becomes) in [(too_short(), too_short()), (no_control(30), no_control(60))] {
        let mut parts = [part(0, 0.0), part(1, 0.0)];
        for part in &mut parts {
            let contest = &mut part.contests[2];
            (contest.control, contest.fit) = (None, false);
            (contest.rounds, contest.dropped, contest.ops_per_sample) = (0, 0, 0);
            contest.contestants.clear();
            contest.backends.clear();
            contest.disqualified.clear();
            let said = about(contest, given.clone());
            part.warnings.push(said);
            part.seal();
        }
        let run = merge(&parts, "fairlane race".to_owned());
        assert_eq!(validate(&run), []);
        let said: Vec<&Remark> = run.remarks_on(&run.contests[2]).collect();
        assert_eq!(said, [&becomes]);
    }
}

#[test]
fn an_interrupted_process_leaves_what_the_others_found() {
    let mut parts = [part(0, 0.0), part(1, 0.0)];
    parts[1].interrupted = true;
    parts[1].contests.truncate(1);
    let run = merge(&parts, "fairlane race".to_owned());
    assert!(run.interrupted);
    assert_eq!(validate(&run), []);
    assert_eq!(run.contests.iter().map(|contest| contest.processes.len()).collect::<Vec<_>>(), [2, 1, 1]);
}
