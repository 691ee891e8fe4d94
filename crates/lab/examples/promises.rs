//! How well does the race keep its promises? The experiments of docs/measuring.md, each for so many seconds:
//!
//! ```sh
//! cargo run --release -p fairlane-lab --example promises -- verdicts 1800 RUNS target/release/fairlane
//! cargo run --release -p fairlane-lab --example promises -- processes 1800 RUNS target/release/fairlane sm4/ctr
//! cargo run --release -p fairlane-lab --example promises -- same 600
//! cargo run --release -p fairlane-lab --example promises -- injected 600
//! ```
//!
//! - `verdicts`: how many heats of `fairlane race` have a verdict, how often does an interval miss the median of all
//!   runs, by how far it reaches beyond the medians of the processes and what it leaves for drift, and how often does
//!   `compare` find a change?
//! - `processes`: how often do intervals miss the median of all processes, and how often does `compare` find a change
//!   between runs of one program?
//! - `same`: how often is one of two contestants of the same code called slower?
//! - `injected`: how often is 1 %, and half of it, found, where one contestant does 202 or 201 times what the other
//!   does 200 times?
//!
//! The first two keep their runs in the folder RUNS, and count all that are there; with 0 seconds they race nothing.
//! What follows the program are arguments of its race. Each heat of the others runs in a process of its own, for half a
//! second. The intervals of the tables are exact (Clopper and Pearson) at 95 % confidence, for counts that are
//! independent of each other.

use fairlane_lab::compare::compare;
use fairlane_lab::contest::{Contest, Contestant, Operation};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests::select;
use fairlane_lab::engine::statistics::{Comparison, DRIFT, Processes, Samples, reach, share};
use fairlane_lab::engine::{self, Entry, RaceConfig};
use fairlane_lab::report::json;
use fairlane_lab::run::{ContestResult, Run, Verdict};
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

type Failed = Box<dyn Error>;

/// Processes of a full race.
const TOGETHER: usize = 5;

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["verdicts", seconds, runs, program @ ..] => verdicts(&gathered(seconds, runs, program, &[])?),
        ["processes", seconds, runs, program @ ..] => {
            let runs = gathered(seconds, runs, program, &["--processes", "1"])?;
            intervals(&runs);
            changes(&runs.chunks_exact(TOGETHER).map(joined).collect::<Vec<_>>());
        }
        ["same", seconds] => heats(seconds, &[("same code", 1, 1)])?,
        ["injected", seconds] => heats(seconds, &[("1 % more", 200, 202), ("0.5 % more", 200, 201)])?,
        ["heat", number, times, more] => println!("{}", heat(number.parse()?, times.parse()?, more.parse()?)?),
        _ => return Err("an experiment and its seconds; the source says which there are".into()),
    }
    Ok(())
}

/// Races for so long, a run a file, and reads all runs of the folder.
fn gathered(seconds: &str, runs: &str, program: &[&str], more: &[&str]) -> Result<Vec<Run>, Failed> {
    let until = Instant::now() + Duration::from_secs_f64(seconds.parse()?);
    fs::create_dir_all(runs)?;
    let files = || fs::read_dir(runs)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, Failed>>();
    while Instant::now() < until {
        let (program, arguments) = program.split_first().ok_or("a program that races is missing")?;
        let path = Path::new(runs).join(format!("{:04}.json", files()?.len()));
        let page = env::temp_dir().join("fairlane-promises.html");
        let mut race = Command::new(program);
        race.arg("race").args(more).arg("--json").arg(&path).arg("--html").arg(page).args(arguments);
        // 1: a contest was not fit under --strict, which is no failure here.
        if !matches!(race.output()?.status.code(), Some(0 | 1)) {
            return Err(format!("{race:?} failed").into());
        }
    }
    let mut files = files()?;
    files.sort();
    files.iter().map(|path| Ok(json::read(path)?)).collect()
}

fn header(what: &str) {
    println!("{what:44}{:>8}{:>8}{:>10}   95 % interval", "of", "count", "share");
}

fn line(what: &str, count: u64, of: u64) {
    let (low, high) = exact(count, of);
    let share = 100.0 * count as f64 / of.max(1) as f64;
    println!("{what:44}{of:>8}{count:>8}{share:>8.2} %   [{:.2} %, {:.2} %]", 100.0 * low, 100.0 * high);
}

fn verdicts(runs: &[Run]) {
    header(&format!("{} runs", runs.len()));
    let heats: Vec<&ContestResult> = runs.iter().flat_map(|run| &run.contests).collect();
    let count = |is: fn(&ContestResult) -> bool| heats.iter().filter(|heat| is(heat)).count() as u64;
    let fastest = |heat: &ContestResult| heat.contestants.iter().any(|own| own.verdict == Verdict::Fastest);
    line("heats with a fastest contestant", count(fastest), heats.len() as u64);
    line("heats with a verdict on every contestant", count(|heat| heat.fit), heats.len() as u64);
    let mut unfit: Vec<String> = heats.iter().filter(|heat| !heat.fit).map(|heat| heat.id.to_string()).collect();
    unfit.sort();
    println!("not all decided: {}", unfit.join(", "));
    reaches(runs);
    changes(runs);
}

/// How often intervals miss the median of all runs, by how far they reach beyond the medians of the processes and what
/// they leave for drift.
fn reaches(runs: &[Run]) {
    let other_reaches = [0.0, 0.2, 0.4, 0.5, 0.75, 1.0].map(|reach| (reach, 0.0));
    let other_drifts = [0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01].map(|drift| (reach(TOGETHER), drift));
    for (reach, drift) in other_reaches.into_iter().chain(other_drifts) {
        let (mut all, mut missed, mut heats, mut with_miss, mut widths) = (0, 0, 0, 0, Vec::new());
        let mut places = BTreeMap::new();
        for contest in runs.first().iter().flat_map(|run| &run.contests) {
            let again = |run: &Run| {
                let mut heat = ContestResult { reach, drift, ..find(run, contest)?.clone() };
                heat.judge(&run.settings).map(|_| heat)
            };
            let judged: Vec<ContestResult> = runs.iter().filter_map(again).collect();
            let of = |name: &str| {
                let all = judged.iter().flat_map(|heat| heat.contestants.iter().filter(|own| own.name == name));
                let mut ratios: Vec<f64> = all.map(|own| own.ratio.estimate).collect();
                ratios.sort_by(f64::total_cmp);
                ratios[ratios.len() / 2]
            };
            for heat in &judged {
                // The first is the fastest, whose ratio to itself is 1.
                let ratios = heat.contestants.iter().skip(1).filter(|own| own.verdict != Verdict::Undecided);
                let misses: Vec<bool> = ratios
                    .inspect(|own| widths.push(own.ratio.high / own.ratio.low - 1.0))
                    .map(|own| !(own.ratio.low..=own.ratio.high).contains(&of(&own.name)))
                    .collect();
                all += misses.len() as u64;
                missed += misses.iter().filter(|miss| **miss).count() as u64;
                heats += 1;
                with_miss += u64::from(misses.contains(&true));
                if misses.contains(&true) {
                    *places.entry(format!("{} {}", contest.id, contest.size)).or_insert(0) += 1;
                }
            }
        }
        widths.sort_by(f64::total_cmp);
        let width = 100.0 * widths.get(widths.len() / 2).copied().unwrap_or_default();
        header(&format!("reach {reach}, drift {drift}: {width:.2} % wide"));
        line("intervals that miss", missed, all);
        line("heats with one that misses", with_miss, heats);
        let places: Vec<String> = places.into_iter().map(|(place, count)| format!("{place} ({count})")).collect();
        println!("these: {}", places.join(", "));
    }
}

/// The samples of two contestants in each process.
type Pair<'a> = Vec<(&'a Samples, &'a Samples)>;

/// Intervals of one process and of five together, against the median of what all processes say.
fn intervals(runs: &[Run]) {
    let Some(first) = runs.first() else { return println!("no runs") };
    header(&format!("{} processes, {} contests", runs.len(), first.contests.len()));
    for together in [1, TOGETHER] {
        let (mut all, mut missed, mut heats, mut with_miss) = (0, 0, 0, 0);
        for contest in &first.contests {
            let held: Vec<&ContestResult> = runs.iter().filter_map(|run| find(run, contest)).collect();
            let pairs = pairs(&held);
            let error = share(pairs.len() + 2, first.settings.confidence);
            // For each pair, which of the groups miss.
            let misses: Vec<Vec<bool>> = pairs.iter().map(|pair| misses(pair, together, error)).collect();
            for group in 0..misses.iter().map(Vec::len).min().unwrap_or(0) {
                let wrong = misses.iter().filter(|pair| pair[group]).count() as u64;
                all += misses.len() as u64;
                missed += wrong;
                heats += 1;
                with_miss += u64::from(wrong > 0);
            }
        }
        let of = if together == 1 { "one process".to_owned() } else { format!("{together} processes") };
        line(&format!("{of}: intervals that miss"), missed, all);
        line(&format!("{of}: heats with one that misses"), with_miss, heats);
    }
}

fn find<'a>(run: &'a Run, wanted: &ContestResult) -> Option<&'a ContestResult> {
    run.contests.iter().find(|contest| contest.id == wanted.id && contest.size == wanted.size)
}

/// Every contestant against the fastest of the first process, where all processes timed both.
fn pairs<'a>(held: &[&'a ContestResult]) -> Vec<Pair<'a>> {
    let Some(base) = held.first().and_then(|contest| contest.contestants.first()) else { return Vec::new() };
    let samples = |contest: &'a ContestResult, name: &str| {
        contest.contestants.iter().find(|own| own.name == name).map(|own| own.samples.as_slice())
    };
    let others = held[0].contestants.iter().filter(|own| own.name != base.name);
    others
        .filter_map(|own| {
            held.iter().map(|contest| samples(contest, &own.name).zip(samples(contest, &base.name))).collect()
        })
        .collect()
}

/// For each group of so many processes, whether its interval misses the median of all processes.
fn misses(pair: &Pair<'_>, together: usize, error: f64) -> Vec<bool> {
    let alone =
        |(a, b): &(&Samples, &Samples)| Some(Comparison::of(a, b, &Processes::default(), error)?.ratio.estimate);
    let mut estimates: Vec<f64> = pair.iter().filter_map(alone).collect();
    estimates.sort_by(f64::total_cmp);
    let Some(truth) = estimates.get(estimates.len() / 2) else { return Vec::new() };
    let interval = |group: &[(&Samples, &Samples)]| {
        let rounds = group.iter().map(|(a, _)| a.len() as u32).collect();
        let processes = Processes { rounds, reach: reach(group.len()), drift: DRIFT };
        let join = |of: fn(&(&Samples, &Samples)) -> Vec<Option<f64>>| group.iter().flat_map(of).collect::<Vec<_>>();
        let (a, b) = (join(|pair| pair.0.to_vec()), join(|pair| pair.1.to_vec()));
        Comparison::of(&a, &b, &processes, error).filter(|found| found.enough).map(|found| found.ratio)
    };
    let groups = pair.chunks_exact(together).filter_map(interval);
    groups.map(|ratio| !(ratio.low..=ratio.high).contains(truth)).collect()
}

fn joined(parts: &[Run]) -> Run {
    engine::merge(parts, String::new())
}

/// Changes that `compare` finds between any two runs.
fn changes(runs: &[Run]) {
    let (mut pairs, mut with_change, mut rows, mut changed) = (0, 0, 0, 0);
    for (at, first) in runs.iter().enumerate() {
        for second in &runs[at + 1..] {
            let compared = compare(first, second);
            let others = |contest: &&fairlane_lab::compare::Matched| contest.floor.is_some();
            let judged = compared.contests.iter().filter(others);
            let found: Vec<bool> = judged
                .flat_map(|contest| contest.rows.iter().filter(|row| row.name != contest.base))
                .map(|row| row.changed)
                .collect();
            let wrong = found.iter().filter(|changed| **changed).count() as u64;
            pairs += 1;
            with_change += u64::from(wrong > 0);
            rows += found.len() as u64;
            changed += wrong;
        }
    }
    header(&format!("compare: {} runs of {TOGETHER} processes", runs.len()));
    line("contestants that have changed", changed, rows);
    line("pairs of runs with a change", with_change, pairs);
}

/// Races heats of two contestants, a process each, the kinds in turns.
fn heats(seconds: &str, kinds: &[(&str, u32, u32)]) -> Result<(), Failed> {
    let until = Instant::now() + Duration::from_secs_f64(seconds.parse()?);
    let program = env::current_exe()?;
    let mut found = vec![[0_u64; 4]; kinds.len()];
    for number in 0_usize.. {
        if Instant::now() >= until {
            break;
        }
        let kind = number % kinds.len();
        let (_, times, more) = kinds[kind];
        let arguments = ["heat".to_owned(), (number / kinds.len()).to_string(), times.to_string(), more.to_string()];
        let output = Command::new(&program).args(arguments).output()?;
        let said = String::from_utf8(output.stdout)?;
        let place = ["unfit", "tie", "the second", "the first"].iter().position(|word| *word == said.trim());
        found[kind][place.ok_or_else(|| format!("a heat failed: {}", String::from_utf8_lossy(&output.stderr)))?] += 1;
    }
    header("heats of two");
    for ((name, ..), [unfit, tie, second, first]) in kinds.iter().zip(found) {
        let fit = tie + second + first;
        line(&format!("{name}: without a verdict"), unfit, unfit + fit);
        line(&format!("{name}: the second is slower, of those fit"), second, fit);
        line(&format!("{name}: the first is slower, of those fit"), first, fit);
    }
    Ok(())
}

/// The contests of these heats: from input to output, so that a job done many times has the answer of one.
const CONTESTS: [&str; 4] = ["keccak256/message", "sha3-256/message", "sm3/message", "shake128/message"];

/// Races a contestant against itself, where the one does its job so many times and the other so many, and says who is
/// slower. The number chooses the contest and the contestant.
fn heat(number: usize, times: u32, more: u32) -> Result<&'static str, Failed> {
    let contest = select(&CONTESTS[number % CONTESTS.len()..][..1])?.remove(0);
    let all = roster(&contest).contestants.len();
    let at = number / CONTESTS.len() % all.max(1);
    let size = if times == 1 { contest.sizes[number / CONTESTS.len() / all.max(1) % 2] } else { contest.sizes[0] };
    let contestants = vec![repeated(&contest, at, "first", times)?, repeated(&contest, at, "second", more)?];
    let mut config = RaceConfig::new(vec![Entry { contest, contestants }]);
    config.sizes = Some(vec![size]);
    config.seconds_per_contest = 0.5;
    config.quick = true;
    let run = engine::race(&config, &mut (), &AtomicBool::new(false));
    let heat = run.contests.first().filter(|heat| heat.disqualified.is_empty()).ok_or("there was no heat")?;
    let slower = heat.contestants.iter().find(|own| own.verdict == Verdict::Slower);
    Ok(match slower.map(|own| own.name.as_str()) {
        _ if !heat.fit => "unfit",
        None => "tie",
        Some("second") => "the second",
        Some(_) => "the first",
    })
}

/// A contestant of a contest under another name, which does its job so many times in each operation.
fn repeated(contest: &Contest, at: usize, name: &str, times: u32) -> Result<Contestant, Failed> {
    let mut contestants = roster(contest).contestants;
    if at >= contestants.len() {
        return Err("nobody can enter".into());
    }
    let own = contestants.swap_remove(at);
    if times == 1 {
        return Ok(Contestant { name: name.to_owned(), ..own });
    }
    let make = own.make;
    let make = move |size| {
        let mut once = make(size);
        Operation::to_output(move |input, output| {
            for _ in 0..times {
                once.run(black_box(input), black_box(&mut *output));
            }
        })
    };
    Ok(Contestant { name: name.to_owned(), make: Box::new(make), ..own })
}

/// The interval of Clopper and Pearson of a share, at 95 % confidence.
fn exact(count: u64, of: u64) -> (f64, f64) {
    // The share at which so many or fewer are as probable as `tail`.
    let share = |count: u64, tail: f64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if at_most(count, of, middle) > tail { low = middle } else { high = middle }
        }
        low
    };
    let low = if count == 0 { 0.0 } else { share(count - 1, 0.975) };
    let high = if count >= of { 1.0 } else { share(count, 0.025) };
    (low, high)
}

/// The probability of at most so many successes.
fn at_most(count: u64, of: u64, share: f64) -> f64 {
    let mut ln_term = of as f64 * (1.0 - share).ln();
    let mut sum = 0.0;
    for k in 0..=count {
        sum += ln_term.exp();
        ln_term += ((of - k) as f64).ln() - ((k + 1) as f64).ln() + share.ln() - (1.0 - share).ln();
    }
    sum
}
