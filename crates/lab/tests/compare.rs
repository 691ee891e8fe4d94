//! `compare` compares positions, tells changes that were made, and refuses by name what is not the same work.

mod synthetic;

use fairlane_lab::compare::{Comparison, Matched, Row, compare};
use fairlane_lab::contest::Label;
use fairlane_lab::regression::{Limit, Outcome, judge, unused};
use fairlane_lab::report::comparison::{markdown, text};
use fairlane_lab::report::regressions;
use fairlane_lab::run::{Run, Verdict};

/// The run again, every sample of `name` taking `factor` of its time, with other noise.
fn rerun(name: &str, factor: f64) -> Run {
    let mut run = synthetic::run();
    for (at, contest) in run.contests.iter_mut().enumerate() {
        let size = contest.size.parse().unwrap();
        *contest = synthetic::contest(&contest.id, size, contest.unit, 100 + at as u64);
        let twin = contest.control.iter_mut().map(|c| (&c.contestant, &mut c.samples));
        let rows = contest.contestants.iter_mut().map(|c| (&c.name, &mut c.samples)).chain(twin);
        for (_, samples) in rows.filter(|(who, _)| *who == name) {
            samples.iter_mut().flatten().for_each(|ns| *ns *= factor);
        }
        synthetic::rejudge(contest, run.settings.confidence);
    }
    run
}

fn row<'a>(matched: &'a Matched, name: &str) -> &'a Row {
    matched.rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no {name} in {matched:#?}"))
}

fn refused(comparison: &Comparison) -> String {
    comparison.refused.iter().map(|refused| format!("{}: {}\n", refused.contest, refused.why)).collect()
}

#[test]
fn a_run_again_has_not_changed() {
    let comparison = compare(&synthetic::run(), &rerun("", 1.0));
    assert!(comparison.same_machine);
    assert_eq!(comparison.refused, []);
    assert_eq!(comparison.contests.len(), 3);
    for row in comparison.contests.iter().flat_map(|matched| &matched.rows) {
        assert!(!row.changed, "{row:#?}");
        let time = row.time.expect("the same machine");
        assert!(time.low <= 1.0 && 1.0 <= time.high, "{row:#?}");
        assert!(row.change.low <= row.change.estimate && row.change.estimate <= row.change.high);
    }
}

#[test]
fn a_gain_is_told_in_place_and_time() {
    let comparison = compare(&synthetic::run(), &rerun("fairlane/avx512", 0.8));
    for matched in &comparison.contests {
        assert_eq!(matched.base, "keccak-asm", "the fastest outside library");
        let gained = row(matched, "fairlane/avx512");
        assert!(gained.changed && (gained.change.estimate - 0.8).abs() < 0.01, "{gained:#?}");
        let time = gained.time.unwrap();
        assert!(time.low < 0.8 && 0.8 < time.high && time.high < 0.85, "{gained:#?}");
        assert!(!row(matched, "fairlane/avx2").changed);
        assert!(!row(matched, "tiny-keccak").changed);
    }
    assert!(text(&comparison, 120).contains("gained"));
    assert!(markdown(&comparison).contains("gained"));
}

#[test]
fn another_machine_gets_no_ratio_of_times() {
    let mut other = rerun("", 1.0);
    other.machine.cpu = "Another CPU".to_owned();
    let comparison = compare(&synthetic::run(), &other);
    assert!(!comparison.same_machine);
    assert!(comparison.contests.iter().flat_map(|matched| &matched.rows).all(|row| row.time.is_none()));
    assert!(comparison.notes.iter().any(|note| note.contains("Another CPU")));

    let mut turbo = rerun("", 1.0);
    turbo.machine.measured_mhz = 3200.0;
    let comparison = compare(&synthetic::run(), &turbo);
    assert!(comparison.same_machine);
    assert!(comparison.notes.iter().any(|note| note.contains("times differ by that alone")), "{:?}", comparison.notes);

    let mut slower = rerun("", 1.0);
    slower.machine.measured_mhz = 2000.0;
    let comparison = compare(&synthetic::run(), &slower);
    assert!(!comparison.same_machine);
    assert!(comparison.notes.iter().any(|note| note.contains("3000 MHz and 2000 MHz")), "{:?}", comparison.notes);
}

/// The same contests raced by a debug build: what it compiled takes eight times as long, what is installed does not.
fn debug_build(installed: &str) -> [Run; 2] {
    let [mut release, mut debug] = [synthetic::run(), rerun("", 1.0)];
    debug.build.profile = "debug-plain".to_owned();
    debug.build.opt_level = "0".to_owned();
    debug.build.debug_assertions = true;
    debug.build.profile_settings = vec!["package.fairlane.opt-level = 0".to_owned()];
    debug.warnings = vec!["this is a debug build".into()];
    for contest in &mut release.contests {
        let row = contest.contestants.iter_mut().find(|c| c.name == installed);
        row.into_iter().for_each(|c| c.labels.push(Label::Installed));
    }
    for contest in &mut debug.contests {
        let control = contest.control.as_mut().expect("a control");
        assert_ne!(control.contestant, installed);
        control.samples.iter_mut().flatten().for_each(|ns| *ns *= 8.0);
        for contestant in &mut contest.contestants {
            if contestant.name == installed {
                contestant.labels.push(Label::Installed);
            } else {
                contestant.samples.iter_mut().flatten().for_each(|ns| *ns *= 8.0);
            }
        }
        synthetic::rejudge(contest, debug.settings.confidence);
    }
    [debug, release]
}

#[test]
fn two_builds_are_compared_by_what_neither_compiled() {
    let [debug, release] = debug_build("tiny-keccak");
    let comparison = compare(&debug, &release);
    assert!(comparison.same_machine && !comparison.same_code);
    assert_eq!(comparison.refused, []);
    let notes = comparison.notes.join("\n");
    for line in [
        "profile: debug-plain and release",
        "opt-level: 0 and 3",
        "debug assertions: on and off",
        "profile sets: package.fairlane.opt-level = 0 and codegen-units = 1",
    ] {
        assert!(notes.contains(line), "no '{line}' in {notes}");
    }
    assert!(!notes.contains("compiler"), "{notes}");
    for matched in &comparison.contests {
        assert_eq!(matched.base, "tiny-keccak", "installed, though not the fastest");
        assert!(!matched.notes.iter().any(|note| note.contains("the base")), "{:?}", matched.notes);
        assert_eq!(matched.rows.len(), 4, "matched by name");
        for row in matched.rows.iter().filter(|row| row.name != matched.base) {
            let time = row.time.expect("the same machine");
            assert!(row.changed && row.change.low < 0.125 && 0.125 < row.change.high, "{row:#?}");
            assert!(time.low < 0.125 && 0.125 < time.high, "{row:#?}");
        }
    }
    let text = text(&comparison, 200);
    for part in ["The builds differ", "times as fast\n", "gained       8.0"] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    assert!(markdown(&comparison).contains("- opt-level: 0 and 3\n"));
}

#[test]
fn two_builds_without_anything_installed_say_so() {
    let [debug, release] = debug_build("");
    let comparison = compare(&debug, &release);
    let matched = &comparison.contests[0];
    assert_eq!(matched.base, "keccak-asm");
    let note = "the base, keccak-asm, is not the same code in both builds";
    assert!(matched.notes.iter().any(|told| told == note), "{:?}", matched.notes);
    let gained = row(matched, "fairlane/avx512");
    assert!(!gained.changed, "as much as the base: {gained:#?}");
    assert!((gained.time.unwrap().estimate - 0.125).abs() < 0.01, "{gained:#?}");
}

#[test]
fn what_an_old_file_does_not_tell_of_its_build_is_no_difference() {
    let [_, mut old] = debug_build("");
    old.build.opt_level.clear();
    old.build.profile_settings.clear();
    assert!(compare(&old, &synthetic::run()).same_code);
}

#[test]
fn other_work_is_refused_by_name() {
    let a = synthetic::run();
    let mut b = rerun("", 1.0);
    b.contests[0].about = "with the key schedule".to_owned();
    b.contests[1].threads = 2;
    b.contests.remove(2);
    let comparison = compare(&a, &b);
    assert_eq!(comparison.contests, []);
    let refused = refused(&comparison);
    for line in [
        "keccak256/message, 32 B: the work is not the same: 'one message at a time; nothing is left outside' and 'with \
         the key schedule'\n",
        "keccak256/message, 1 KiB: only the first run has this size and these threads; the other has 32 B and 1 KiB, 2 threads\n",
        "keccak256/message, 1 KiB, 2 threads: only the second run has this size and these threads; the other has 32 B and 1 KiB\n",
        "ml-kem-768/decaps, 1 in a call: only the first run has it\n",
    ] {
        assert!(refused.contains(line), "no '{line}' in\n{refused}");
    }
    assert!(text(&comparison, 200).contains("not compared: keccak256/message, 32 B: "));
    assert!(markdown(&comparison).contains("- ml-kem-768/decaps, 1 in a call: only the first run has it\n"));
}

#[test]
fn contests_without_a_common_contestant_are_refused() {
    let mut other = rerun("", 1.0);
    other.contests[0].contestants.iter_mut().for_each(|c| c.name += "-ng");
    other.contests[1].bytes_per_op *= 2;
    let refused = refused(&compare(&synthetic::run(), &other));
    assert!(refused.contains("32 B: no contestant was timed in both runs"), "{refused}");
    assert!(refused.contains("1 KiB: an operation is 1024 bytes and 2048 bytes"), "{refused}");
}

#[test]
fn other_versions_and_paths_are_named() {
    let mut other = rerun("", 1.0);
    let contest = &mut other.contests[0];
    for contestant in &mut contest.contestants {
        match contestant.name.as_str() {
            "keccak-asm" => contestant.version = "2.0.0".to_owned(),
            "fairlane/avx2" => contestant.backend = "scalar".to_owned(),
            _ => {}
        }
    }
    contest.contestants.iter_mut().for_each(|c| c.verdict = Verdict::Undecided);
    let matched = &compare(&synthetic::run(), &other).contests[0];
    assert_eq!(matched.base, "tiny-keccak", "what is not the same in both is no base");
    let notes = matched.notes.join("\n");
    assert!(notes.contains("keccak-asm is not the same: version keccak-asm 1.2.3 and keccak-asm 2.0.0"), "{notes}");
    assert!(notes.contains("fairlane/avx2 is not the same: path avx2 and scalar"), "{notes}");
    assert!(notes.contains("without verdicts in the second run"), "{notes}");
    assert!(matched.floor.is_none() && matched.rows.iter().all(|row| !row.changed));
}

#[test]
fn too_few_rounds_give_no_row() {
    let mut short = rerun("", 1.0);
    for contestant in &mut short.contests[0].contestants {
        contestant.samples.truncate(4);
    }
    let matched = &compare(&synthetic::run(), &short).contests[0];
    assert_eq!(matched.rows.len(), 1, "only the base: {matched:#?}");
    assert!(matched.notes.iter().any(|note| note.starts_with("tiny-keccak: too few rounds")), "{:?}", matched.notes);
}

#[test]
fn the_base_has_rounds_enough() {
    let mut short = rerun("", 1.0);
    let fastest = short.contests[0].contestants.iter_mut().find(|c| c.name == "keccak-asm").unwrap();
    fastest.samples[4..].fill(None);
    let matched = &compare(&synthetic::run(), &short).contests[0];
    assert_eq!(matched.base, "tiny-keccak");
    assert_eq!(matched.rows.len(), 3, "{matched:#?}");
}

fn limits(texts: &[&str]) -> Vec<Limit> {
    texts.iter().map(|text| text.parse().expect("a limit")).collect()
}

#[test]
fn a_regression_is_what_is_surely_beyond_the_limit() {
    let slower = compare(&synthetic::run(), &rerun("fairlane/avx512", 1.05));
    let found = |texts: &[&str]| -> Vec<String> {
        let judged = judge(&slower, &limits(texts));
        let of = judged.iter().filter(|judged| judged.outcome == Outcome::Regression);
        of.map(|judged| format!("{}: {}", judged.contest.contest.id, judged.row.name)).collect()
    };
    let [message, decaps] = ["keccak256/message: fairlane/avx512", "ml-kem-768/decaps: fairlane/avx512"];
    assert_eq!(found(&["2%"]), [message, message, decaps]);
    assert_eq!(found(&["ml-kem-768/*=10%", "0.02"]), [message, message], "a named limit comes first");
    assert_eq!(found(&["*=10%", "ml-kem*=2%"]), [decaps], "the last named one holds");
    assert_eq!(found(&["keccak256/*=1%", "keccak256/*=10%"]), [""; 0]);
    assert_eq!(found(&["5%"]), [""; 0], "the interval holds the limit");
    assert_eq!(unused(&slower, &limits(&["2%", "ml-kem*=2%"])), None);
    assert_eq!(unused(&slower, &limits(&["2%", "sm3/*=2%"])), Some("sm3/*"));

    let faster = compare(&synthetic::run(), &rerun("fairlane/avx512", 0.9));
    assert!(judge(&faster, &limits(&["0%"])).iter().all(|judged| judged.outcome != Outcome::Regression));

    let mut undecided = rerun("fairlane/avx512", 2.0);
    for contestant in undecided.contests.iter_mut().flat_map(|contest| &mut contest.contestants) {
        contestant.verdict = Verdict::Undecided;
    }
    let undecided = compare(&synthetic::run(), &undecided);
    let outcomes = judge(&undecided, &limits(&["1%"]));
    assert!(outcomes.iter().all(|judged| [Outcome::Undecided, Outcome::NotJudged].contains(&judged.outcome)));
}

#[test]
fn regressions_are_told_to_programs() {
    let mut second = rerun("fairlane/avx512", 1.05);
    second.contests.remove(2);
    let comparison = compare(&synthetic::run(), &second);
    let judged = judge(&comparison, &limits(&["2%"]));

    let json = regressions::json(&comparison, &judged);
    assert_eq!((&json["schema"], &json["regressions"]), (&"fairlane-compare-1".into(), &2.into()));
    let rows = json["contests"][0]["rows"].as_array().expect("rows");
    let lost: Vec<_> = rows.iter().filter(|row| row["regression"] == true).map(|row| &row["name"]).collect();
    assert_eq!(lost, ["fairlane/avx512"]);
    assert_eq!((&json["contests"][0]["size"], &json["refused"][0]["id"]), (&"32".into(), &"ml-kem-768/decaps".into()));

    let junit = regressions::junit(&comparison, &judged);
    assert!(
        junit.contains("<testsuites name=\"fairlane compare\" tests=\"9\" failures=\"2\" skipped=\"3\">"),
        "{junit}"
    );
    assert_eq!(junit.matches("<testcase ").count(), 9);
    assert_eq!(junit.matches("<failure message=\"fairlane/avx512 takes 1.05").count(), 2, "{junit}");

    let lines = regressions::github(&comparison, &judged);
    assert!(lines.starts_with("::error title=keccak256/message%2C 32 B::fairlane/avx512 takes 1.05"), "{lines}");
    assert!(lines.contains("the limit is 2.00 %25\n") && lines.contains("\n::warning title=ml-kem-768/decaps%2C 1"));
    assert_eq!(lines.lines().count(), 3, "{lines}");
}

#[test]
fn every_width_holds_every_column() {
    let comparison = compare(&synthetic::run(), &rerun("fairlane/avx512", 0.8));
    for width in [40, 60, 80, 120] {
        let text = text(&comparison, width);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        for part in ["tiny-keccak", "second/first", "position", "gained", "time", "base ("] {
            assert!(text.contains(part), "no '{part}' at {width} in\n{text}");
        }
    }
}

/// The quotient of two contestants' ratios of times is that of their positions.
#[test]
fn ratios_of_times_follow_from_positions() {
    let comparison = compare(&synthetic::drifting(), &rerun("fairlane/avx512", 0.8));
    for matched in &comparison.contests {
        let time = |row: &Row| row.time.expect("the same machine").estimate;
        let base = time(row(matched, &matched.base));
        for row in &matched.rows {
            assert!((time(row) / base / row.change.estimate - 1.0).abs() < 1e-9, "{row:#?}");
        }
    }
}
