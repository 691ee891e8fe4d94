//! In every table of every report, the quotient of two times or speeds is the quotient of the ratios beside them.

mod synthetic;

use fairlane_lab::contest::Size;
use fairlane_lab::report::Format;
use fairlane_lab::run::{ContestResult, ContestantResult, Run, RunUnit};

/// The first number of a text in its unit: ns for a time, anything for what has none.
fn value(text: &str) -> f64 {
    let number = text.split(|c: char| !c.is_ascii_digit() && c != '.').find(|part| !part.is_empty());
    let number: f64 = number.and_then(|part| part.parse().ok()).unwrap_or_else(|| panic!("no number in '{text}'"));
    let unit = [(" µs", 1e3), (" ms", 1e6), (" GB/s", 1e3)].into_iter().find(|(unit, _)| text.contains(unit));
    number * unit.map_or(1.0, |(_, factor)| factor)
}

/// Asserts that `one` is `ratio` times `base` but for the rounding of numbers with three digits or more.
#[track_caller]
fn agree(one: f64, base: f64, ratio: f64, what: &str) {
    assert!((one / base / ratio - 1.0).abs() < 0.006, "{one} over {base} is not {ratio}: {what}");
}

fn text(format: Format, run: &Run) -> String {
    format.to_text(std::slice::from_ref(run)).expect("a report")
}

/// The contestants with their ratios, as displayed.
fn ratios(contest: &ContestResult) -> impl Iterator<Item = (&ContestantResult, f64)> {
    contest.contestants.iter().map(|c| (c, c.ratio.estimate))
}

/// The cells of the Markdown table behind `title`, without its head.
fn table<'a>(markdown: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = markdown.split_once(title).unwrap_or_else(|| panic!("no '{title}' in\n{markdown}"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn own_medians_would_contradict() {
    let run = synthetic::drifting();
    let contest = &run.contests[0];
    let base = contest.base().expect("the fastest");
    let outside = |(c, _): &(&ContestantResult, f64)| {
        let quotient = c.ns_per_op / base.ns_per_op;
        quotient < c.ratio.low || quotient > c.ratio.high
    };
    assert!(ratios(contest).filter(outside).count() >= 2);
    assert_eq!(fairlane_lab::validate::validate(&run), [], "the run's own fields are medians");
}

#[test]
fn in_the_verdicts() {
    let run = synthetic::drifting();
    for contest in &run.contests {
        let block = fairlane_lab::report::verdicts::contest(contest, &run.settings, 120);
        let cells = |name: &str| -> Vec<&str> {
            let line = block.lines().find(|line| line.split("  ").any(|cell| cell.trim() == name));
            let cells = line.unwrap_or_else(|| panic!("no {name} in\n{block}")).split("  ").map(str::trim);
            cells.filter(|cell| !cell.is_empty()).collect()
        };
        let base = cells(&contest.base().expect("the fastest").name);
        for (c, ratio) in ratios(contest) {
            let (own, at) = (cells(&c.name), if contest.unit == RunUnit::Bytes { 3 } else { 2 });
            agree(value(own[at]), value(base[at]), ratio, &block);
            if contest.unit == RunUnit::Bytes {
                agree(value(base[2]), value(own[2]), ratio, &block);
            }
        }
    }
}

#[test]
fn in_markdown() {
    let run = synthetic::drifting();
    let text = text(Format::Markdown, &run);
    for (contest, title) in run.contests.iter().zip(["### 32 B", "### 1 KiB", "### 1 in a call"]) {
        let rows = table(&text, title);
        let at = |name: &str| rows[0].iter().position(|head| *head == name);
        let (time, name) = (at("time/op").expect("times"), contest.base().expect("the fastest").name.as_str());
        let base = rows.iter().find(|row| row[1] == name).expect("the fastest");
        for (c, ratio) in ratios(contest) {
            let own = rows.iter().find(|row| row[1] == c.name).expect("a row");
            agree(value(own[time]), value(base[time]), ratio, &text);
            if let Some(speed) = at("MB/s") {
                agree(value(base[speed]), value(own[speed]), ratio, &text);
            }
        }
    }
}

#[test]
fn in_pictures() {
    let run = synthetic::drifting();
    let svg = text(Format::Svg("keccak256-message-32-b"), &run);
    let texts: Vec<&str> = svg.split("</text>").filter_map(|part| part.rsplit('>').next()).map(str::trim).collect();
    let speed = |name: &str| value(texts[texts.iter().position(|text| *text == name).expect("a row") + 2]);
    let contest = &run.contests[0];
    let base = speed(&contest.base().expect("the fastest").name);
    for (c, ratio) in ratios(contest) {
        agree(base, speed(&c.name), ratio, &svg);
    }
}

#[test]
fn in_templates() {
    let run = synthetic::drifting();
    for (contest, size) in run.contests.iter().zip(["32", "1KiB", "1"]) {
        let base = &contest.base().expect("the fastest").name;
        for (c, ratio) in ratios(contest) {
            let fill = |what: &str, name: &str| {
                value(&text(Format::Template(&format!("{{{{{what} {} {size} {name}}}}}", contest.id)), &run))
            };
            agree(fill("time", &c.name), fill("time", base), ratio, &c.name);
            if contest.unit == RunUnit::Bytes {
                agree(fill("speed", base), fill("speed", &c.name), ratio, &c.name);
                agree(fill("cycles", &c.name), fill("cycles", base), ratio, &c.name);
            }
        }
    }
}

#[test]
fn in_sections_of_several_contests() {
    let mut run = synthetic::drifting();
    for (seed, id) in ["ml-kem-768/keygen", "ml-kem-768/encaps"].into_iter().enumerate() {
        let mut contest = synthetic::contest(id, Size::one(1), RunUnit::Operations, 20 + seed as u64);
        synthetic::drift(&mut contest);
        run.contests.push(contest);
    }
    let mut two = run.contests[0].clone();
    two.threads = 2;
    run.contests.push(two);
    let text = text(Format::Markdown, &run);
    for (title, columns) in [
        (
            "## Key exchange by its parts",
            [(1, "ml-kem-768/keygen"), (2, "ml-kem-768/encaps"), (3, "ml-kem-768/decaps")],
        ),
        ("## Scaling over threads", [(1, "keccak256/message"); 3]),
    ] {
        let rows = table(&text, title);
        for (column, id) in columns {
            let contest = run.contests.iter().find(|contest| contest.id == id).expect("a contest");
            let cell = |name: &str| value(rows.iter().find(|row| row[0] == name).expect("a row")[column]);
            let base = cell(&contest.base().expect("the fastest").name);
            for (c, ratio) in ratios(contest) {
                let (own, base) =
                    if column == 1 && id.starts_with("kec") { (base, cell(&c.name)) } else { (cell(&c.name), base) };
                agree(own, base, ratio, &text);
            }
        }
    }
}
