//! Every report of a run holds what the run holds, and a run's JSON comes back as it went.

mod synthetic;

use fairlane_lab::contest::{Label, Size};
use fairlane_lab::report::{Format, criterion, csv, json, numbers, overview, verdicts};
use fairlane_lab::run::{Run, RunKind, RunUnit, Settings, Verdict};
use fairlane_lab::validate::validate;
use std::path::Path;

/// The runs as a Markdown document.
fn markdown(runs: &[Run]) -> String {
    Format::Markdown.to_text(runs).expect("a document")
}

/// The cells of the first table row that begins with `cell` in column `column`.
fn row<'a>(markdown: &'a str, column: usize, cell: &str) -> Vec<&'a str> {
    let cells = |line: &'a str| line.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>();
    let mut rows = markdown.lines().filter(|line| line.starts_with('|')).map(cells);
    rows.find(|cells| cells.get(column) == Some(&cell)).unwrap_or_else(|| panic!("no row of {cell} in\n{markdown}"))
}

#[test]
fn markdown_holds_every_contestant() {
    let run = synthetic::run();
    let text = markdown(std::slice::from_ref(&run));
    for contest in &run.contests {
        assert!(text.contains(&format!("## {}\n", contest.id)), "{text}");
        for contestant in &contest.contestants {
            let cells = row(&text, 1, &contestant.name);
            assert_eq!(cells[0], contestant.rank.to_string());
            assert_eq!(cells[2], format!("{} {}", contestant.library, contestant.version));
        }
    }
    assert!(row(&text, 1, "keccak-asm").contains(&"slower"), "{text}");
    assert!(row(&text, 1, "fairlane/avx512").contains(&"tie with the fastest"), "{text}");
    for part in
        ["**Disqualified**: broken", "Botan (installed)", "    fairlane race keccak\n", "95 %", "against itself"]
    {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    let warning = text.find("> **Warning**: the clock is not fixed").expect("the warning");
    assert!(warning < text.find("Machine:").expect("the machine"), "warnings come first");
    assert!(text.contains("# Race on Synthetic CPU \\| 3 GHz\n"), "pipes are escaped");
}

#[test]
fn markdown_leaves_blank_what_was_not_measured() {
    let mut run = synthetic::run();
    run.contests.truncate(1);
    run.contests[0].contestants[2].allocations = None;
    run.contests[0].contestants[2].name = "odd|name\nof two lines".to_owned();
    run.contests[0].contestants[3].instructions_per_op = None;
    let text = markdown(&[run]);
    let odd = text
        .lines()
        .find(|line| line.starts_with("| 3 | odd\\|name of two lines |"))
        .expect("the odd name on one line");
    assert!(odd.contains("|  |"), "{odd}");
    assert!(!text.contains("cycles/op"), "no column of cycles without counters:\n{text}");
    assert!(text.contains("instructions/op"), "{text}");
}

/// Code, heap, stack and energy have columns where they were counted, and are said to be what they are.
#[test]
fn what_is_counted_on_request_is_shown_where_it_was_counted() {
    let mut run = synthetic::run();
    let heads = ["code bytes", "heap bytes", "stack bytes", "µJ/op", "- Code: ", "- Heap: ", "- Stack: ", "- Energy: "];
    let before = markdown(&[run.clone()]);
    assert!(heads.iter().all(|head| !before.contains(head)), "{before}");
    let text = json::text(&run);
    let fields = ["code_bytes", "microjoules_per_op", "peak_heap_bytes", "peak_stack_bytes"];
    assert!(fields.iter().all(|field| !text.contains(field)), "earlier versions can read it");

    let asm = run.contests[0].contestants.iter_mut().find(|own| own.name == "keccak-asm").unwrap();
    (asm.code_bytes, asm.microjoules_per_op) = (Some(5184), Some(12.345));
    (asm.peak_heap_bytes, asm.peak_stack_bytes) = (Some(96), Some(1480));
    run.seal();
    assert_eq!(validate(&run), []);
    assert_eq!(json::parse(&json::text(&run)).unwrap(), run);
    let text = markdown(&[run.clone()]);
    assert!(heads.iter().all(|head| text.contains(head)), "{text}");
    assert!(row(&text, 1, "keccak-asm").ends_with(&["5000", "5184", "96", "1480", "12.35", "constant time"]), "{text}");
    assert!(row(&text, 1, "tiny-keccak").ends_with(&["5000", "", "", "", "", "constant time"]), "{text}");
    assert_eq!(text.matches("code bytes").count(), 1, "the other contests have no such column:\n{text}");

    let csv = csv::render(std::slice::from_ref(&run));
    let asm = csv.lines().find(|line| line.contains(",keccak-asm,")).unwrap();
    let head = csv.lines().next().unwrap();
    assert!(head.ends_with(",code_bytes,microjoules_per_op,peak_heap_bytes,peak_stack_bytes"), "{head}");
    assert!(asm.ends_with(",5184,12.345,96,1480"), "{asm}");
    let shown = verdicts::run(&run, 100);
    let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    for line in
        ["one operation instructions code bytes heap bytes stack bytes µJ", "keccak-asm 5000 5184 96 1480 12.35"]
    {
        assert!(lines.contains(&line.split(' ').collect()), "no '{line}' in\n{shown}");
    }
    assert!(shown.contains("Energy: that of all processor packages"), "{shown}");
}

/// One name may stand for different algorithms in a run of several contests.
#[test]
fn markdown_tells_how_to_use_a_contestant_in_each_contest() {
    let mut run = synthetic::run();
    let once = markdown(&[run.clone()]);
    assert!(once.contains("| contestant | how |\n"), "one way each needs no contests:\n{once}");

    for contest in &mut run.contests {
        let own = format!("crate fairlane: {}", contest.id);
        contest.contestants.iter_mut().filter(|c| c.library == "fairlane").for_each(|c| c.how_to_use = own.clone());
    }
    let text = markdown(&[run]);
    let (_, ways) = text.split_once("## How to use them\n\n").expect("the section");
    for (name, contest, how) in [
        ("fairlane/avx512", "keccak256/message", "crate fairlane: keccak256/message"),
        ("fairlane/avx512", "ml-kem-768/decaps", "crate fairlane: ml-kem-768/decaps"),
        ("keccak-asm", "", "cargo add it"),
    ] {
        let row = format!("| {name} | {contest} | {how} |\n");
        assert_eq!(ways.matches(&row).count(), 1, "{row} in\n{ways}");
    }
    assert_eq!(ways.matches("| fairlane/avx512 |").count(), 2, "two sizes of a contest are one:\n{ways}");
}

#[test]
fn markdown_puts_the_parts_of_an_exchange_together() {
    let mut run = synthetic::run();
    assert!(!markdown(&[run.clone()]).contains("Key exchange by its parts"), "two parts are missing");
    for (seed, id) in
        ["ml-kem-768/keygen", "ml-kem-768/encaps", "clwe-768/keygen", "clwe-768/encaps", "clwe-768/decaps"]
            .into_iter()
            .enumerate()
    {
        run.contests.push(synthetic::contest(id, Size::one(32), RunUnit::Operations, 20 + seed as u64));
    }
    let text = markdown(&[run]);
    let (_, text) = text.split_once("## Key exchange by its parts\n").expect("the section");
    assert!(text.contains("Encapsulation key 1184 bytes, decapsulation key 64 (seeds) or 2400"), "{text}");
    let cells = row(text, 0, "tiny-keccak");
    // The synthetic work is 560 ns, or 405 for decapsulation here, and this contestant takes 2.4 times.
    let (time, share) = cells[1].split_once(" µs, ").expect("a time and its share");
    assert!(time.starts_with("1.34") && share.starts_with("36.") && share.ends_with("] %"), "{text}");
    assert!(cells[4].starts_with("3.6") && cells[5].starts_with("273"), "{text}");
    assert!(text.contains("CLWE-768 over ML-KEM-768"), "{text}");
    assert!(!text.contains("Scaling over threads"), "{text}");
}

#[test]
fn markdown_puts_thread_counts_side_by_side() {
    let mut run = synthetic::run();
    let mut two = run.contests[0].clone();
    two.threads = 2;
    run.contests.insert(1, two);
    let text = markdown(&[run]);
    let (_, text) = text.split_once("## Scaling over threads\n").expect("the section");
    assert!(text.contains("2 threads over 1 thread") && text.contains("### keccak256/message, 32 B\n"), "{text}");
    assert!(row(text, 0, "keccak-asm")[3].starts_with("2.0"), "{text}");
}

#[test]
fn runs_side_by_side_show_ratios_only() {
    let mut runs = [synthetic::run(), synthetic::run()];
    runs[1].contests[0].contestants.remove(2);
    runs[1].contests[0].contestants[1].version = "9.9.9".to_owned();
    runs[1].contests[1].about = "other work".to_owned();
    let text = markdown(&runs);
    assert!(!text.contains("MB/s"), "{text}");
    assert_eq!(row(&text, 0, "keccak-asm")[2], "", "blank where it was not measured:\n{text}");
    assert!(text.contains("run B, the work is not the same: 'one message"), "{text}");
    assert!(text.contains("9.9.9 on "), "{text}");
    assert_eq!(markdown(&[]), "");
}

#[test]
fn verdicts_name_the_winner_and_the_margin() {
    let mut run = synthetic::run();
    let text = verdicts::run(&run, 100);
    assert!(text.contains("keccak256/message, 1 KiB\n"), "{text}");
    assert!(
        text.contains("fairlane/avx2 and fairlane/avx512 tie")
            || text.contains("fairlane/avx512 and fairlane/avx2 tie")
    );
    assert!(text.contains("the next library, keccak-asm, takes 1.2"), "{text}");
    assert!(text.contains("disqualified: broken 0.1.0: other digest"), "{text}");

    let Run { contests, settings, .. } = &mut run;
    let contest = &mut contests[0];
    let first = contest.contestants[0].name.clone();
    contest.contestants.remove(1);
    assert!(
        verdicts::outcome(contest, settings)
            .starts_with(&format!("{first} is fastest; the next library, keccak-asm, takes 1.2"))
    );
    contest.contestants[2].verdict = Verdict::Undecided;
    assert!(
        verdicts::outcome(contest, settings).ends_with("Undecided, because too few rounds were clean: tiny-keccak.")
    );
    contest.contestants.truncate(1);
    assert_eq!(
        verdicts::outcome(contest, settings),
        format!("{first} ran alone: there is nothing to compare it with.")
    );

    contest.contestants[0].verdict = Verdict::Undecided;
    assert!(verdicts::outcome(contest, settings).starts_with("No verdict: too few clean rounds"));
    for limit in [|own: &mut Settings| own.floor_limit = Some(1e-9), |own: &mut Settings| own.control_limit = 1e-9] {
        limit(settings);
        assert!(
            verdicts::outcome(contest, settings)
                .starts_with("No verdict: unfit, because fairlane/avx512, entered twice, takes")
        );
    }
    contest.control = None;
    assert!(verdicts::outcome(contest, settings).starts_with("No verdict: cut short"));
    contest.contestants.clear();
    assert_eq!(verdicts::outcome(contest, settings), "No contestant was timed.");
}

/// The margin is over the next other library in every report, whatever of the winner's own is between.
#[test]
fn the_next_is_another_library_in_every_report() {
    let mut run = synthetic::run();
    let contest = &mut run.contests[0];
    contest.contestants[2].library = "fairlane".to_owned();
    contest.contestants[2].name = "fairlane/scalar".to_owned();
    let margin = numbers::ratio(&contest.contestants[3].ratio);
    let outcome = verdicts::outcome(contest, &run.settings);
    assert!(outcome.contains(&format!("the next library, tiny-keccak, takes {margin} the time")), "{outcome}");
    run.contests.truncate(1);
    let line = shown(&run, 200).lines().nth(1).expect("a line").to_owned();
    assert!(line.contains(&margin) && line.contains("tiny-keccak") && !line.contains("scalar"), "{line}");
    let text = Format::Html.to_text(std::slice::from_ref(&run)).expect("a page");
    let (_, first) = text.split_once("<tbody>").expect("verdicts");
    assert!(first.split("</table>").next().expect("a table").contains(&margin), "{margin}");

    let contest = &mut run.contests[0];
    contest.contestants[3].library = "fairlane".to_owned();
    let outcome = verdicts::outcome(contest, &run.settings);
    assert!(outcome.ends_with(" tie; no other library took part."), "{outcome}");
    assert!(shown(&run, 200).contains("no other library"), "{}", shown(&run, 200));
}

#[test]
fn a_race_of_several_contests_ends_with_a_line_for_each() {
    let mut run = synthetic::run();
    assert!(!verdicts::run(&run, 80).contains("noise floor: "));
    run.contests.push(synthetic::contest("sm3/message", Size::one(32), RunUnit::Bytes, 9));
    let text = verdicts::run(&run, 80);
    let (_, summary) = text.split_once("\ncontest ").expect("the head of the summary");
    for contest in &run.contests {
        assert!(summary.contains(contest.id.as_str()), "{text}");
    }
    assert!(summary.contains("margin: ") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_line_explains_shared_ranks() {
    let mut run = synthetic::run();
    for text in [verdicts::run(&run, 200), markdown(&[run.clone()]), Format::Html.to_text(&[run.clone()]).unwrap()] {
        assert_eq!(text.matches("share a rank").count(), 1, "{text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("An undecided contestant has the last rank"), "{text}");
    }
    run.contests.iter_mut().for_each(|contest| drop(contest.contestants.remove(1)));
    assert!(!verdicts::run(&run, 200).contains("share a rank") && !markdown(&[run]).contains("share a rank"));
}

#[test]
fn every_report_says_what_the_better_backend_brings() {
    let run = synthetic::run();
    let [pair] = &run.contests[0].backends[..] else { panic!("{:?}", run.contests[0].backends) };
    assert_eq!((pair.contestant.as_str(), pair.against.as_str()), ("fairlane/avx512", "fairlane/avx2"));
    let line = format!("avx512 is {} as fast as avx2", numbers::ratio(&pair.speedup));
    assert!(verdicts::run(&run, 100).contains(&format!("\n  {line}\n")), "{}", verdicts::run(&run, 100));
    let text = markdown(std::slice::from_ref(&run));
    assert!(text.contains(&format!("\n- {line}\n\n")), "{text}");
    let text = markdown(&[run.clone(), run]);
    assert!(text.contains(&format!("\nRun B: {line}.\n")), "{text}");
}

#[test]
fn short_operations_are_told_what_the_harness_takes() {
    let mut run = synthetic::run();
    let line = "an operation that does nothing takes 30.00 ns here";
    let reports = |run: &Run| {
        let run = std::slice::from_ref(run);
        [verdicts::run(&run[0], 200), markdown(run), Format::Html.to_text(run).unwrap()]
    };
    assert!(reports(&run).iter().all(|text| !text.contains("that does nothing")));
    run.contests[0].nothing_ns = Some(30.0);
    for text in reports(&run) {
        assert_eq!(text.matches(line).count(), 1, "{text}");
    }
}

#[test]
fn unfit_contests_say_nothing_of_backends() {
    let mut run = synthetic::run();
    let settings = run.settings.clone();
    let contest = &mut run.contests[0];
    assert!(!contest.backends.is_empty());
    contest.control.as_mut().unwrap().samples.iter_mut().flatten().for_each(|ns| *ns *= 1.03);
    contest.judge(&settings).unwrap();
    assert!(contest.backends.is_empty() && !contest.fit);
}

#[test]
fn every_report_says_what_one_job_compares() {
    let mut run = synthetic::run();
    let contest = &mut run.contests[0];
    contest.kind = RunKind::OneJob;
    for contestant in &mut contest.contestants {
        let own = contestant.library == "fairlane";
        contestant.function = if own { "Kusumi-512" } else { "ChaCha20" }.to_owned();
        contestant.labels.extend(if own {
            [Label::Key512, Label::NoOutsideAnalysis]
        } else {
            [Label::Key256, Label::Standard]
        });
    }
    let text = verdicts::contest(contest, &run.settings, 100);
    for line in
        ["One job: different functions.", "Kusumi-512: 512-bit key, no outside analysis", "Kusumi-512: avx512 is"]
    {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    let both = markdown(&[run.clone(), run.clone()]);
    let text = markdown(&[run]);
    assert!(both.contains("One job: different functions.") && text.contains("One job: different functions."), "{text}");
    assert!(text.contains("- ChaCha20: 256-bit key, standard\n"), "{text}");
    assert!(row(&text, 1, "keccak-asm").contains(&"constant time, 256-bit key, standard"), "{text}");
}

#[test]
fn disturbed_samples_that_were_kept_are_told() {
    let mut run = synthetic::run();
    run.settings.keep_disturbed = true;
    run.contests[0].disturbed = 17;
    run.contests[0].contestants.iter_mut().for_each(|c| c.verdict = Verdict::Undecided);
    let outcome = verdicts::outcome(&run.contests[0], &run.settings);
    assert_eq!(outcome, "No verdict: disturbed samples are kept here, and 17 were disturbed.");
    let text = markdown(std::slice::from_ref(&run));
    assert!(text.contains("disturbed samples kept, so without verdicts"), "{text}");
    assert!(text.contains("samples dropped and 17 disturbed ones kept"), "{text}");

    let text = markdown(&[synthetic::run(), run]);
    assert_eq!(text.matches("disturbed samples kept.").count(), 1, "{text}");
    assert!(text.contains("\nRun B: 17 disturbed samples kept.\n"), "{text}");
    assert!(row(&text, 0, "keccak-asm")[2].ends_with(", undecided)"), "{text}");
    assert!(!row(&text, 0, "keccak-asm")[1].contains("undecided"), "{text}");
}

/// What an older fairlane wrote says nothing of kinds, functions and pairs of backends, has no plan and no seal.
#[test]
fn older_files_can_be_read() {
    let mut value = serde_json::to_value(synthetic::run()).unwrap();
    for field in ["keep_disturbed", "patience", "plan"] {
        assert!(value["settings"].as_object_mut().unwrap().remove(field).is_some(), "{field}");
    }
    for field in ["commit", "program"] {
        assert!(value["build"].as_object_mut().unwrap().remove(field).is_some(), "{field}");
    }
    assert!(value.as_object_mut().unwrap().remove("seal").is_some());
    for contest in value["contests"].as_array_mut().unwrap() {
        for field in ["kind", "disturbed", "backends", "seconds", "stolen"] {
            assert!(contest.as_object_mut().unwrap().remove(field).is_some(), "{field}");
        }
        for contestant in contest["contestants"].as_array_mut().unwrap() {
            contestant.as_object_mut().unwrap().remove("function");
        }
    }
    let run = json::parse(&value.to_string()).expect("an older file");
    assert_eq!(validate(&run), []);
}

#[test]
fn verdicts_keep_to_the_width() {
    for width in [60, 80, 120] {
        let text = verdicts::run(&synthetic::run(), width);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{width}:\n{text}");
    }
    let mut run = synthetic::run();
    run.contests[0].contestants[0].name = "a-name-of-a-contestant-that-is-longer-than-others".to_owned();
    let block = verdicts::contest(&run.contests[0], &run.settings, 60);
    assert!(block.contains('…'), "{block}");
    // Names that would be one without their ends.
    for (contestant, backend) in run.contests[0].contestants.iter_mut().zip(["avx512", "avx2", "scalar"]) {
        contestant.name = format!("Threefish-512-CTR: fairlane/{backend}");
    }
    for width in [40, 60] {
        let block = verdicts::contest(&run.contests[0], &run.settings, width);
        for whole in ["  1  Threefish-512-CTR: fairlane/avx512\n", "CTR: fairlane/avx2\n", "CTR: fairlane/scalar\n"] {
            assert!(block.contains(whole), "{block}");
        }
        assert!(block.lines().all(|line| line.chars().count() <= width), "{block}");
    }
}

/// Nobody may read a run's odd names as commands to the terminal.
#[test]
fn verdicts_hold_no_control_characters() {
    let mut run = synthetic::run();
    run.contests[0].contestants[0].name = "\x1b[2Jname".to_owned();
    run.contests[0].contestants[0].verdict = Verdict::Fastest;
    run.warnings.push("\x07".into());
    assert!(verdicts::run(&run, 80).chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn json_comes_back_and_keeps_samples_on_a_line() {
    let run = synthetic::run();
    let text = json::text(&run);
    assert_eq!(json::parse(&text).expect("its own text"), run);
    assert_eq!(text, json::text(&json::parse(&text).unwrap()));
    let samples = text.lines().filter(|line| line.contains("\"samples\": [")).count();
    assert_eq!(samples, 3 * 5, "four contestants and the control in each of three contests");
    assert!(text.lines().filter(|line| line.contains("\"samples\"")).all(|line| line.contains(']')));
    assert!(text.contains("\n  \"fairlane\": \"0.1.0\",\n"), "the rest is indented");
}

#[test]
fn a_compressed_run_comes_back_and_a_damaged_one_is_refused() {
    let run = synthetic::run();
    let packed = Format::Json { gzip: true }.to_bytes(std::slice::from_ref(&run)).expect("a run");
    assert!(packed.len() < json::text(&run).len() / 2, "{} bytes", packed.len());
    assert_eq!(json::decode(&packed).expect("a run"), run);
    assert_eq!(json::decode(json::text(&run).as_bytes()).expect("a run"), run);
    let path = std::env::temp_dir().join(format!("fairlane-lab-{}.json.gz", std::process::id()));
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let error = json::read(&path).expect_err("half a run").to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("compressed by gzip, but damaged or cut short"), "{error}");
}

#[test]
fn every_format_has_one_entry() {
    let run = [synthetic::run()];
    for (format, part) in [
        (Format::Json { gzip: false }, "\"schema\": \"fairlane-race-1\""),
        (Format::Markdown, "# Race on "),
        (Format::Html, "<!DOCTYPE html>"),
        (Format::Svg("keccak256-message-32-b"), "<svg"),
        (Format::Template("on {{date A}}"), "on 31 January 2026"),
        (Format::Csv, "keccak256/message,keccak,32,1,bytes,32,true,"),
        (Format::Criterion(&criterion::files(&run[0])[0]), "\"group_id\":\"keccak256/message\""),
        (Format::Hyperfine, "\"command\": \"keccak256/message, 32 B: fairlane/avx"),
        (Format::Verdicts(80), "keccak256/message, 32 B"),
        (Format::Overview(80), "noise floor"),
    ] {
        let text = format.to_text(&run).expect("a report");
        assert!(text.contains(part), "{format:?}: {text}");
        assert_eq!(format.to_bytes(&run).expect("a report"), text.as_bytes());
    }
    let two = [run[0].clone(), run[0].clone()];
    assert!(Format::Json { gzip: false }.to_text(&two).is_err() && Format::Overview(80).to_text(&two).is_err());
    assert!(Format::Hyperfine.to_text(&two).is_err() && Format::Csv.to_text(&two).is_ok());
    assert!(Format::Svg("none").to_text(&run).is_err() && Format::Template("{{none}}").to_text(&run).is_err());
}

/// What a page of `docs/results` says is what the run holds.
#[test]
fn a_template_is_filled_from_the_run() {
    let run = [synthetic::run()];
    let fill = |text: &str| Format::Template(text).to_text(&run).unwrap_or_else(|error| error.to_string());
    let asm = run[0].contests[0].contestants.iter().find(|c| c.name == "keccak-asm").expect("keccak-asm");
    assert_eq!(fill("{{ratio keccak256/message 32 keccak-asm}}"), numbers::ratio(&asm.ratio));
    assert_eq!(fill("{{factor keccak256/message 32 fairlane/avx2 over fairlane/avx512}}"), "1.00 (tie)");
    assert_eq!(fill("{{factor keccak256/message * tiny-keccak over keccak-asm}}"), "1.93 to 1.94");
    assert!(fill("{{rival keccak256/message 1KiB fairlane/*}}").ends_with("], keccak-asm"));
    assert!(
        fill("{{medians keccak256/message 1KiB tiny-keccak over keccak256/message 32 tiny-keccak}}").starts_with("9.")
    );
    assert!(fill("{{time ml-kem-768/decaps * keccak-asm}}").ends_with(" ns"));
    let mut cold = run.clone();
    cold[0].contests[0].contestants[0].cold = (1..=200).map(|i| f64::from(10 * i)).collect();
    let text = format!("{{{{cold keccak256/message 32 {}}}}}", cold[0].contests[0].contestants[0].name);
    assert_eq!(Format::Template(&text).to_text(&cold).unwrap(), "1.00 µs, 1.98 µs");
    assert!(fill(&text).ends_with("the run has no cold calls"));
    assert!(fill("{{fit}}").starts_with("All 3 heats have a verdict"));
    let table = fill("{{table size | 32 B=32 | 1 KiB=1KiB\nasm = factor keccak256/message % keccak-asm\n}}");
    assert!(table.starts_with("| size | 32 B | 1 KiB |\n| --- | ---: | ---: |\n| asm | 1.24 | 1.24 |"), "{table}");
    let contest = fill("{{contest keccak256/message}}");
    assert!(contest.contains("| tiny-keccak | 2.40 | 2.40 |") && contest.contains(" tie |"), "{contest}");
    for wrong in ["{{speed keccak256/message 33 x}}", "{{time keccak256/message 32 x}}", "{{date B}}", "{{ratio}}"] {
        assert!(fill(wrong).starts_with("line 1: "), "{wrong}: {}", fill(wrong));
    }
}

fn refusal(text: &str) -> String {
    let path = std::env::temp_dir().join(format!("fairlane-lab-{}-{:p}.json", std::process::id(), text));
    std::fs::write(&path, text).unwrap();
    let error = json::read(&path).expect_err("no run").to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(!error.contains('\n') && error.contains(&path.display().to_string()), "{error}");
    error
}

#[test]
fn files_that_are_no_run_are_refused_in_one_line() {
    let text = json::text(&synthetic::run());
    let missing = json::read(Path::new("/no/such/run.json")).expect_err("no file").to_string();
    assert!(missing.starts_with("cannot read '/no/such/run.json': "), "{missing}");
    assert!(!missing.contains("os error"), "{missing}");
    assert!(refusal(&text[..text.len() / 2]).contains("is cut short: its JSON stops at line"));
    assert!(refusal("").contains("is empty"));
    assert!(refusal("PNG").contains("not JSON"));
    assert!(refusal("{}").contains("not a race"));
    assert!(refusal("[1, 2]").contains("not a race"));
    assert!(refusal(&text.replace("fairlane-race-1", "fairlane-race-9")).contains("of schema 'fairlane-race-9'"));
    assert!(
        refusal("{\"schema\": \"https://json-schema.org/\\n\"}").contains("of schema 'https://json-schema.org/\\n'")
    );
    let field = refusal(&text.replacen("\"rustc\"", "\"rustic\"", 1));
    assert!(field.contains("unknown field `rustic`") && field.contains("line "), "{field}");
    assert!(refusal(&text.replacen("\"rounds\": 60", "\"rounds\": \"60\"", 1)).contains("invalid type"));
    // Deep nesting does not overflow the stack.
    let [open, close] = ["[", "]"].map(|bracket| bracket.repeat(100_000));
    assert!(refusal(&open).contains("is cut short"));
    assert!(refusal(&format!("{open}{close}")).contains("not a race"));
    let nested = format!("{{\"schema\": \"fairlane-race-1\", \"contests\": {open}{close}}}");
    assert!(refusal(&nested).contains("not a valid race"));
    assert!(refusal(&nested.replace("contests", "other")).contains("not a valid race"));
}

/// `FAIRLANE_BLESS=1 cargo test -p fairlane-lab --test report` writes the schema anew.
#[test]
fn the_committed_schema_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/race-1.json");
    let current = json::schema();
    if std::env::var_os("FAIRLANE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, format!("{current:#}\n")).expect("the schema folder can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let committed = serde_json::from_str(&committed).unwrap_or(serde_json::Value::Null);
    assert!(
        committed == current,
        "schema/race-1.json is stale: FAIRLANE_BLESS=1 cargo test -p fairlane-lab --test report writes it anew"
    );
}

/// The schema lists every field that a run has, and no other.
#[test]
fn the_schema_names_the_fields_of_a_run() {
    let schema = json::schema();
    let value: serde_json::Value = serde_json::to_value::<Run>(synthetic::run()).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().map(|o| o.keys().cloned().collect::<Vec<_>>());
    assert_eq!(keys(&schema["properties"]), keys(&value));
    assert_eq!(schema["properties"]["schema"]["const"], "fairlane-race-1");
}

/// What a terminal shows, without its colours.
fn shown(run: &Run, width: usize) -> String {
    let text = overview::run(run, width);
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').expect("a colour ends").1)
}

#[test]
fn the_overview_has_a_line_a_contest_and_fits_every_width() {
    let run = synthetic::run();
    for width in [40, 60, 80, 100, 200] {
        let text = shown(&run, width);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}\n{text}");
        for part in
            ["keccak256/message, 32 B", "ml-kem-768/decaps", "1.24", "disqualified: broken", "unavailable: Botan"]
        {
            assert!(text.contains(part), "no '{part}' at {width} in\n{text}");
        }
    }
    // Whatever is folded is still there.
    for width in [60, 80, 100] {
        let whole = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let narrow = whole(&shown(&run, width));
        for name in ["fairlane/avx512", "fairlane/avx2", "keccak-asm"] {
            assert!(!narrow.contains('…'), "{width}\n{}", shown(&run, width));
            assert!(shown(&run, width).contains(name) || width < 100, "no {name} at {width}");
        }
    }
    let wide = shown(&run, 200);
    let line = wide.lines().find(|line| line.starts_with("keccak256/message, 1 KiB")).unwrap();
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let [_, fastest, speed, margin, over, floor] = cells[..] else { panic!("{wide}") };
    assert!(fastest.starts_with("tie of 2: ") && fastest.contains("fairlane/avx2"), "{fastest}");
    assert!(speed.ends_with(" MB/s") && floor.ends_with(" %"), "{line}");
    assert!(margin.starts_with("1.24") && over == "keccak-asm", "{line}");
}

#[test]
fn the_overview_says_why_there_is_no_verdict() {
    let mut run = synthetic::run();
    for contestant in &mut run.contests[0].contestants {
        contestant.verdict = Verdict::Undecided;
    }
    run.contests[2].contestants.clear();
    run.interrupted = true;
    run.warnings = ["first", "second", "third\x07"].map(Into::into).into();
    let text = shown(&run, 100);
    for part in ["no verdict", "too few clean rounds", "no contestant was timed", "1 more", "interrupted: "] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    run.settings.keep_disturbed = true;
    assert!(shown(&run, 100).contains("disturbed ones kept"));
    run.contests.truncate(1);
    assert!(!shown(&run, 100).contains(" % to "), "one floor is no range");
    run.contests.clear();
    assert!(shown(&run, 40).starts_with("margin: "), "a head without lines says nothing");
}

#[test]
fn a_template_says_what_its_runs_warn_of() {
    let mut runs = [synthetic::run(), synthetic::run()];
    runs[0].warnings.push("others use this machine: load 2.5 on 2 CPUs at the start".into());
    runs[0].warnings.push("keccak256/message 32: the clock moved from 4196 to 3896 MHz".into());
    runs[0].warnings.push("keccak256/message 1024: the clock moved from 4196 to 3896 MHz".into());
    runs[1].warnings.push("keccak256/message 32: unfit: the noise floor is 13.9 %, the limit is 10 %".into());
    assert_eq!(
        Format::Template("{{warnings}} {{disturbed B}}").to_text(&runs).expect("a text"),
        "others used the machine at the start, whose load was 2.5 (run A); the clock is not fixed (run A); \
         the clock is not fixed (run B); the clock moved by more than 5 % in 2 of 6 heats; 0.7 % of all samples were \
         dropped. 5 %"
    );
    assert!(
        Format::Template("{{warnings}}").to_text(&runs[1..]).expect("a text").starts_with("the clock is not fixed; ")
    );
}

#[test]
fn csv_has_a_line_a_contestant_and_a_cell_a_column() {
    let mut run = synthetic::run();
    run.contests[0].contestants[0].version = "1, \"two\"\n".to_owned();
    run.contests[0].contestants[2].ops_per_sample = 800;
    let text = Format::Csv.to_text(&[run.clone(), run.clone()]).expect("a table");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 12);
    assert!(text.ends_with("\r\n") && lines[1].starts_with("A,2026-01-31T12:00:00Z,") && lines[13].starts_with("B,"));
    assert!(lines[1].contains(",\"1, \"\"two\"\" \","), "{}", lines[1]);
    let columns = lines[0].split(',').count();
    assert!(lines[2..].iter().filter(|line| !line.contains('"')).all(|line| line.split(',').count() == columns));
    let at = |name: &str| lines[0].split(',').position(|column| column == name).expect("a column");
    let (contest, asm) = (&run.contests[0], lines.iter().find(|line| line.contains(",keccak-asm,")).expect("a line"));
    let c = contest.contestants.iter().find(|c| c.name == "keccak-asm").expect("keccak-asm");
    let cell = |name: &str| asm.split(',').nth(at(name)).expect("a cell");
    assert_eq!(cell("ns_per_op").parse(), Ok(contest.time_of(c)));
    assert_eq!((cell("verdict"), cell("cycles_per_op")), ("slower", ""), "blank where nothing was counted");
    assert_eq!(cell("ops_per_sample"), "800", "its own, not the fastest's");
}

#[test]
fn other_benchmarks_tools_find_their_files() {
    let mut run = synthetic::run();
    run.contests[1].contestants[2].ops_per_sample = 800;
    let (contest, c) = (&run.contests[1], &run.contests[1].contestants[2]);
    let parse = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("JSON");

    let hyperfine = parse(Format::Hyperfine.to_text(std::slice::from_ref(&run)).expect("a file"));
    let results = hyperfine["results"].as_array().expect("results");
    assert_eq!(results.len(), 12);
    let entry = results.iter().find(|entry| entry["command"] == "keccak256/message, 1 KiB: keccak-asm").expect("one");
    let near =
        |value: &serde_json::Value, ns: f64| (value.as_f64().expect("a number") / (ns * 1e-9) - 1.0).abs() < 0.01;
    assert!(near(&entry["median"], c.ns_per_op) && near(&entry["mean"], c.ns_per_op), "{entry}");
    assert_eq!(entry["times"].as_array().map(Vec::len), Some(c.samples.iter().flatten().count()));
    assert_eq!((&entry["user"], &entry["system"]), (&0.0.into(), &0.0.into()));

    let files = criterion::files(&run);
    let file = |name: &str| {
        let path = format!("keccak256_message/keccak-asm/1024/new/{name}.json");
        let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path} in {files:?}"));
        parse(Format::Criterion(file).to_text(std::slice::from_ref(&run)).expect("a file"))
    };
    assert_eq!(files.len(), 4 * 12);
    assert_eq!(file("benchmark")["throughput"]["Bytes"], contest.bytes_per_op);
    assert_eq!(file("benchmark")["directory_name"], "keccak256_message/keccak-asm/1024");
    let estimates = file("estimates");
    for name in ["mean", "median", "median_abs_dev", "std_dev"] {
        let [low, point, high] = ["lower_bound", "", "upper_bound"].map(|end| match end {
            "" => estimates[name]["point_estimate"].as_f64().expect("a number"),
            end => estimates[name]["confidence_interval"][end].as_f64().expect("a number"),
        });
        assert!(low <= point && point <= high && low < high, "{name}: {low} {point} {high}");
    }
    let median = estimates["median"]["point_estimate"].as_f64().expect("a number");
    assert!((median / c.ns_per_op - 1.0).abs() < 1e-9);
    let sample = file("sample");
    assert_eq!(sample["iters"][0], 800.0, "its own, not the fastest's");
    let per_op = sample["times"][0].as_f64().expect("a time") / sample["iters"][0].as_f64().expect("a count");
    assert!((per_op / c.samples[0].expect("a sample") - 1.0).abs() < 1e-9);
    assert_eq!(file("tukey").as_array().map(Vec::len), Some(4));
}
