//! The page of a run holds what the run holds, whatever stands in it, and is whole.

mod synthetic;

use fairlane_lab::report::html::{figure, figure_names, render};
use fairlane_lab::report::{json, numbers, wording};
use fairlane_lab::run::{ContestResult, Ratio, Run, Verdict};
use flate2::read::GzDecoder;
use html5gum::{DefaultEmitter, Token, Tokenizer};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Elements that have no end.
const VOID: [&str; 6] = ["meta", "link", "input", "br", "hr", "img"];

/// Elements of pictures that are often empty.
const DRAWN: [&str; 4] = ["circle", "path", "rect", "use"];

/// What a parser makes of a page.
#[derive(Default)]
struct Page {
    /// The text of every element of a name, in order.
    texts: Vec<(String, String)>,
    /// Every attribute, with its element.
    attributes: Vec<(String, String, String)>,
}

impl Page {
    /// Parses a page; every element must end where it should. Those within a table may leave their ends to what
    /// follows.
    fn parse(text: &str) -> Self {
        let depth = |name: &str| match name {
            "thead" | "tbody" => 1,
            "tr" => 2,
            "td" | "th" => 3,
            _ => 0,
        };
        let mut page = Self::default();
        let mut open: Vec<(String, usize)> = Vec::new();
        let mut emitter = DefaultEmitter::default();
        // Only so are styles and scripts no markup.
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(text, emitter).flatten() {
            match token {
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    for (key, value) in &tag.attributes {
                        let [key, value] = [&key.0, &value.0].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                        page.attributes.push((name.clone(), key, value));
                    }
                    let closes = |(open, _): &(String, usize)| (1..=depth(open)).contains(&depth(&name));
                    while open.last().is_some_and(closes) {
                        open.pop();
                    }
                    let is_drawn = tag.self_closing && DRAWN.contains(&name.as_str());
                    if !is_drawn && !VOID.contains(&name.as_str()) {
                        assert!(!tag.self_closing, "<{name}/>");
                        page.texts.push((name.clone(), String::new()));
                        open.push((name, page.texts.len() - 1));
                    }
                }
                Token::EndTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    while name == "table" && open.last().is_some_and(|(open, _)| depth(open) > 0) {
                        open.pop();
                    }
                    let (opened, _) = open.pop().unwrap_or_else(|| panic!("</{name}> ends nothing"));
                    assert_eq!(opened, name, "an element ends in another");
                }
                Token::String(text) => {
                    for (_, at) in &open {
                        page.texts[*at].1 += &String::from_utf8_lossy(&text);
                    }
                }
                Token::Error(error) => panic!("{error:?}"),
                Token::Comment(_) => panic!("a comment: did a name begin one?"),
                Token::Doctype(_) => {}
            }
        }
        assert!(open.is_empty(), "never ended: {open:?}");
        let ids: Vec<&str> = page.values("id").collect();
        let once: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(once.len(), ids.len(), "an id stands twice");
        for link in page.values("href").filter_map(|link| link.strip_prefix('#')) {
            assert!(once.contains(&link), "a link to nowhere: {link}");
        }
        page
    }

    fn texts(&self, element: &str) -> impl Iterator<Item = &str> {
        self.texts.iter().filter(move |(name, _)| name == element).map(|(_, text)| text.as_str())
    }

    fn values(&self, attribute: &str) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(move |(_, key, _)| key == attribute).map(|(.., value)| value.as_str())
    }

    /// The runs inside, as text.
    fn runs(&self, kind: &str) -> Vec<&str> {
        let kinds = self.attributes.iter().filter(|(name, key, _)| name == "script" && key == "type");
        assert!(kinds.clone().all(|(.., value)| value == kind), "{:?}", kinds.collect::<Vec<_>>());
        self.texts("script").filter(|text| !text.contains("use strict")).collect()
    }
}

fn committed(name: &str) -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs").join(format!("{name}.gz"));
    json::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn all_committed() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs");
    let files = std::fs::read_dir(folder).expect("docs/results").map(|entry| entry.expect("an entry").path());
    files.collect()
}

fn unpack(packed: &str) -> String {
    let bytes = data_encoding::BASE64.decode(packed.as_bytes()).expect("base64");
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzip");
    text
}

/// The words for every number that a run's tables may hold.
fn numbers(run: &Run) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    for contest in &run.contests {
        for c in &contest.contestants {
            numbers.extend([
                numbers::megabytes(contest.speed_of(c)),
                numbers::time(contest.time_of(c)),
                wording::ratio_cell(c),
            ]);
            // The margin of who has no interval to itself is told all the same.
            numbers.extend([numbers::ratio(&c.ratio), c.rank.to_string(), wording::allocations(c.allocations)]);
            numbers.extend([c.cycles_per_op, c.instructions_per_op].into_iter().flatten().map(numbers::number));
        }
        numbers.extend(contest.control.iter().map(|control| numbers::percent(control.floor)));
        numbers.extend(contest.backends.iter().map(|pair| numbers::ratio(&pair.speedup)));
    }
    numbers
}

#[test]
fn every_number_of_a_table_is_in_the_run() {
    for run in [synthetic::drifting(), committed("sm-debug.json"), committed("keccak256-native.json")] {
        let known = numbers(&run);
        let text = render(std::slice::from_ref(&run));
        let page = Page::parse(&text);
        let cells = page.texts.iter().zip(1..).filter(|((name, _), _)| name == "td").map(|((_, text), _)| text.trim());
        let mut checked = 0;
        for cell in cells.filter(|cell| cell.starts_with(|c: char| c.is_ascii_digit())) {
            let is_size = run.contests.iter().any(|c| wording::size_and_threads(&c.size, c.unit, c.threads) == cell);
            let is_remark = cell.ends_with("disqualified") || cell.ends_with("undecided");
            assert!(known.contains(cell) || is_size || is_remark, "'{cell}' is not of the run");
            checked += 1;
        }
        let rows: usize = run.contests.iter().map(|contest| contest.contestants.len()).sum();
        assert!(checked > 3 * rows, "{checked} of {rows} rows");
        for contest in &run.contests {
            for c in &contest.contestants {
                let time = numbers::time(contest.time_of(c));
                for told in [time, wording::ratio_cell(c), numbers::megabytes(contest.speed_of(c))] {
                    assert!(told.is_empty() || page.texts("td").any(|cell| cell == told), "{told}");
                }
            }
        }
    }
}

#[test]
fn the_run_in_the_page_is_the_run() {
    let run = synthetic::run();
    let text = render(std::slice::from_ref(&run));
    let page = Page::parse(&text);
    let [held] = page.runs("application/json")[..] else { panic!("one run") };
    assert_eq!(json::parse(held).expect("a run"), run);

    let large = committed("sm-default.json");
    let text = render(std::slice::from_ref(&large));
    let page = Page::parse(&text);
    let [held] = page.runs("application/gzip")[..] else { panic!("one run") };
    assert_eq!(json::parse(&unpack(held)).expect("a run"), large);
}

/// Of a run that would make a page too large there is everything but the samples, and the page says so.
#[test]
fn a_large_run_is_there_without_its_samples() {
    let mut run = committed("kem-default.json");
    run.contests.extend(committed("sm-default.json").contests);
    let text = render(std::slice::from_ref(&run));
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
    assert!(text.contains("what can be saved here has every result") && text.contains("run-without-samples.json"));
    let page = Page::parse(&text);
    let [held] = page.runs("application/gzip")[..] else { panic!("one run") };
    let held = json::parse(&unpack(held)).expect("a run");
    assert_eq!(held.contests.len(), run.contests.len());
    assert!(held.contests.iter().flat_map(|c| &c.contestants).all(|c| c.samples.is_empty()));
}

/// As many heats and contestants as there are, each with all that can be told of it.
#[test]
fn the_page_of_a_full_race_of_all_suites_is_small() {
    let mut run = committed("keccak256-default.json");
    for other in ["sha3-256/message", "shake128/message"] {
        let message = run.contests.iter().filter(|contest| contest.id == "keccak256/message");
        let renamed: Vec<_> = message.map(|heat| ContestResult { id: other.into(), ..heat.clone() }).collect();
        run.contests.extend(renamed);
    }
    for name in ["arx-default.json", "sm-default.json", "kalyna-default.json", "kem-default.json"] {
        run.contests.extend(committed(name).contests);
    }
    let text = render(std::slice::from_ref(&run));
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
    let page = Page::parse(&text);
    assert_eq!(page.texts("table").filter(|table| table.contains("time/op")).count(), run.contests.len());
    // What a heat takes, with its part of its contest: a new one of 15 contestants must not need the next page.
    let rows: usize = run.contests.iter().map(|contest| contest.contestants.len()).sum();
    assert!(text.len() / rows < 650, "{} bytes a row", text.len() / rows);
    assert!(text.contains("names the file after"), "the samples are nowhere");
}

#[test]
fn pages_of_all_committed_runs_are_whole_and_small() {
    let paths = all_committed();
    assert!(paths.len() >= 4, "{paths:?}");
    for path in paths {
        let text = render(&[json::read(&path).expect("a run")]);
        assert!(text.len() < 2_000_000, "{}: {} bytes", path.display(), text.len());
        let page = Page::parse(&text);
        // Only what is known by its hash runs.
        assert!(text.contains("default-src 'none'"));
        assert_eq!(text.matches("'sha256-").count(), 2);
        assert!(page.attributes.iter().all(|(_, key, _)| key != "style" && !key.starts_with("on")));
        // Nothing is loaded: no source, no style or picture from elsewhere.
        assert_eq!(page.values("src").count() + page.values("srcset").count(), 0);
        assert!(page.values("href").all(|link| link.starts_with('#') || link == "data:,"), "{}", path.display());
        let style = page.texts("style").collect::<String>();
        assert!(!style.contains("url(") && !style.contains("@import"));
        // Who sees no table is told what it is.
        assert_eq!(page.texts("table").count(), page.texts("caption").count());
        assert!(page.texts("th").count() > 0);
    }
}

#[test]
fn the_first_view_says_who_won_and_what_is_unfit() {
    let mut run = synthetic::run();
    run.contests[1].fit = false;
    run.contests[1].contestants.iter_mut().for_each(|c| c.verdict = Verdict::Undecided);
    let text = render(&[run]);
    let page = Page::parse(&text);
    let verdicts = page.texts("table").next().expect("the verdicts");
    for part in
        ["keccak256/message", "32 B", "fairlane/avx512", "tie", "keccak-asm", "no verdict", "unfit", "1 disqualified"]
    {
        assert!(verdicts.contains(part), "no '{part}' in {verdicts}");
    }
    for part in [
        "the clock is not fixed",
        "Botan (installed)",
        "libbotan-3.so not found",
        "other digest at 136 bytes",
        "How to use the winner",
        "fairlane race keccak256/message --size 32,1024 --time 3 --processes 1",
        "What the backends bring",
        "against itself",
    ] {
        assert!(text.contains(part), "no '{part}'");
    }
}

/// From two messages on, and not before, by the medians of two heats.
#[test]
fn batches_are_held_against_single_messages() {
    let text = render(&[committed("keccak256-default.json")]);
    let page = Page::parse(&text);
    let map = page.texts("table").find(|table| table.contains("in a call")).expect("the map");
    assert!(map.contains("from 2 messages on, the fewest raced"), "{map}");
    assert!(!render(&[synthetic::run()]).contains("From how many messages on"));
}

/// Of a KEM it is operations, and a kept key is held against a kept key.
#[test]
fn a_kem_has_maps_and_chapters() {
    let text = render(&[committed("kem-default.json")]);
    let page = Page::parse(&text);
    let map =
        |of: &str| page.texts("table").find(|table| table.contains("so the batch is faster") && table.contains(of));
    assert!(map("ml-kem-768/batch-keygen").expect("a map").contains("as alone by the fastest of ml-kem-768/keygen"));
    let kept = map("clwe-512/batch-decaps").expect("a map");
    assert!(kept.contains("clwe-512/decaps-prepared") && kept.contains("1 in a call"), "{kept}");
    assert!(text.contains("From how many operations on") && !text.contains("From how many messages on"));
    assert!(text.contains("Key exchange by its parts") && !text.contains("Scaling over threads"));
    let text = render(&[committed("kem-threads.json")]);
    assert!(Page::parse(&text).texts("table").any(|table| table.contains("2 threads over 1 thread")));
}

#[test]
fn threads_and_sizes_have_curves() {
    let mut run = synthetic::run();
    let mut four = run.contests[1].clone();
    four.threads = 4;
    run.contests.push(four);
    let text = render(&[run]);
    let page = Page::parse(&text);
    let charts: Vec<&str> = page.texts("figcaption").collect();
    assert_eq!(
        charts,
        ["One message: time over the fastest's, by message size", "1 KiB: time over the fastest's, by threads"]
    );
    assert!(text.contains("1 KiB, 4 threads") && text.contains("--threads 1,4"));
}

const HOSTILE: &str =
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \"' &amp; \u{1b}[2J\u{0} ]]>";

#[test]
fn names_with_markup_stay_names() {
    let mut run = synthetic::run();
    let odd = || HOSTILE.to_owned();
    run.machine.cpu = odd();
    run.machine.features.push(odd());
    run.settings.command = odd();
    run.build.rustflags = odd();
    run.warnings.push(odd().into());
    run.absent[0].library = odd();
    for contest in &mut run.contests[..2] {
        contest.id = odd().into();
        contest.about = odd();
        contest.suite = odd();
        contest.disqualified[0].why = odd();
        for c in &mut contest.contestants {
            c.name += HOSTILE;
            c.how_to_use = odd();
            c.version = odd();
        }
        contest.backends.iter_mut().for_each(|pair| pair.contestant += HOSTILE);
    }
    for runs in [vec![run.clone()], vec![run.clone(), run.clone(), synthetic::run()]] {
        let text = render(&runs);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "a control character");
        let page = Page::parse(&text);
        assert_eq!(page.texts("img").count(), 0);
        assert_eq!(page.texts("script").count(), runs.len() + 1);
        for (held, run) in page.runs("application/json").into_iter().zip(&runs) {
            assert_eq!(json::parse(held).expect("a run"), *run);
        }
    }
    // What is copied to a shell is one word there.
    let text = render(&[run]);
    assert!(text.contains("fairlane race '&lt;/script&gt;&lt;script&gt;alert(1)"), "the command is quoted");
}

#[test]
fn what_is_no_number_breaks_nothing() {
    let mut run = synthetic::run();
    for (c, odd) in run.contests[0].contestants.iter_mut().zip([f64::NAN, f64::INFINITY, 0.0, -1.0]) {
        c.ns_per_op = odd;
        c.bytes_per_second = Some(odd);
        c.ratio = Ratio { estimate: odd, low: odd, high: odd };
    }
    run.contests[0].control.as_mut().expect("a control").floor = f64::NAN;
    run.machine.measured_mhz = f64::NAN;
    run.contests[1].size = "odd".into();
    run.contests[1].contestants.clear();
    run.contests[2].contestants.truncate(1);
    for runs in [vec![run.clone()], vec![run, synthetic::run()]] {
        let text = render(&runs);
        let page = Page::parse(&text);
        for key in ["d", "x", "y", "cx", "width", "viewbox"] {
            assert!(page.values(key).all(|value| !value.contains("NaN") && !value.contains("inf")), "{key}");
        }
        assert!(text.contains("No contestant was timed.") || runs.len() > 1);
    }
}

#[test]
fn empty_runs_and_runs_without_a_common_contest_say_so() {
    let mut empty = synthetic::run();
    empty.contests.clear();
    let text = render(&[empty.clone()]);
    Page::parse(&text);
    assert!(text.contains("This run holds no contest"));

    let mut other = synthetic::run();
    other.contests.iter_mut().for_each(|contest| contest.id = format!("{}-other", contest.id).into());
    for runs in [vec![synthetic::run(), other], vec![synthetic::run(), empty.clone()], vec![empty.clone(), empty]] {
        let text = render(&runs);
        Page::parse(&text);
        assert!(text.contains("These runs have no contest in common"));
    }
    let text = render(&[]);
    Page::parse(&text);
    assert!(text.contains("No run was given."));
}

#[test]
fn runs_side_by_side_show_ratios_only() {
    let mut runs = vec![synthetic::run(), synthetic::run(), synthetic::run()];
    runs[1].contests[0].contestants.remove(2);
    runs[1].contests[0].contestants[1].version = "9.9.9".to_owned();
    runs[2].contests[1].about = "other work".to_owned();
    let text = render(&runs);
    let page = Page::parse(&text);
    let visible: String = page.texts("main").collect();
    assert!(!visible.contains("MB/s") && !visible.contains(" ns"), "a time");
    for part in ["run C, the work is not the same", "9.9.9 on ", "Disqualified in run B", "run C"] {
        assert!(visible.contains(part), "no '{part}' in {visible}");
    }
    runs.pop();
    let text = render(&runs);
    Page::parse(&text);
    for part in ["second/first", "How the two runs differ", "What changed, against "] {
        assert!(text.contains(part), "no '{part}'");
    }
}

/// What an older fairlane wrote says nothing of kinds, functions, pairs of backends and later settings.
#[test]
fn older_files_have_a_page() {
    let mut run = serde_json::to_value(committed("keccak256-default.json")).unwrap();
    let forget = |value: &mut serde_json::Value, names: &[&str]| {
        names.iter().for_each(|name| assert!(value.as_object_mut().unwrap().remove(*name).is_some(), "no {name}"));
    };
    forget(&mut run["build"], &["opt_level", "debug_assertions", "profile_settings"]);
    forget(&mut run["settings"], &["iterations", "warm_up", "keep_disturbed"]);
    for contest in run["contests"].as_array_mut().unwrap() {
        forget(contest, &["kind", "disturbed", "backends"]);
        contest["contestants"].as_array_mut().unwrap().iter_mut().for_each(|c| forget(c, &["function"]));
    }
    let text = render(&[serde_json::from_value(run).unwrap()]);
    Page::parse(&text);
    assert!(!text.contains("What the backends bring"));
}

/// A picture as a file is well formed, says what it shows, and loads nothing.
#[test]
fn pictures_need_nothing_beside_them() {
    let mut run = synthetic::run();
    run.machine.cpu = "<b>\u{1b}&".to_owned();
    run.contests[0].contestants[0].ratio = Ratio { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    run.contests.push(ContestResult { size: "64x32".into(), ..run.contests[2].clone() });
    let names = figure_names(&run);
    let has = |name: &str| names.iter().any(|known| known == name);
    assert!(has("keccak256-message-one-message-by-message-size"), "{names:?}");
    assert!(has("ml-kem-768-decaps-1-in-a-call") && has("ml-kem-768-decaps-64-in-a-call"));
    assert_eq!(figure(&run, "none"), None);
    for name in &names {
        let svg = &figure(&run, name).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
        assert!(svg.contains("prefers-color-scheme: dark") && svg.contains("&lt;b&gt; &amp;"), "{svg}");
        assert!(!svg.contains("url(") && !svg.contains("@import"), "{svg}");
        let page = Page::parse(svg);
        assert!(page.texts("title").next().is_some_and(|title| !title.is_empty()), "{name}");
        assert!(page.texts("desc").next().is_some_and(|description| !description.is_empty()), "{name}");
        assert!(page.values("href").all(|link| link.starts_with('#')), "{name}");
        for key in ["d", "x", "y", "cx", "width"] {
            assert!(page.values(key).all(|value| !value.contains("NaN")), "{name}: {key}");
        }
    }
    run.contests.push(run.contests[2].clone());
    assert!(figure_names(&run).iter().any(|name| name.ends_with("-1-in-a-call-2")), "a name stands twice");
}
