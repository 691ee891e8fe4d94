//! Two runs of the same contests: on two machines, of two builds, or on two dates.
//!
//! What is compared are *positions*: a contestant's time over the time of a common *base* contestant of the same run,
//! paired by round, so that neither machine's clock matters. Only runs of the same kind of machine get a ratio of times
//! too. Contests whose work is not the same are refused by name.

use crate::contest::{ContestId, Label, Size};
use crate::engine::statistics::{self, Enclosed, Samples};
use crate::report::wording;
use crate::run::{Build, ContestResult, ContestantResult, Machine, Ratio, Run, RunUnit, Text, Verdict};
use std::fmt;

/// Clocks that differ by more than this are not the same kind of machine; one machine's moves with its load.
const CLOCK_TOLERANCE: f64 = 0.1;
/// A difference of clocks above this is noted.
const STEADY_CLOCK: f64 = 0.01;

/// The comparison of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Whether both runs are of the same CPU model at the same clock: only then are there ratios of times.
    pub same_machine: bool,
    /// Whether the compiler was told the same in both builds; if not, only installed libraries ran the same code.
    pub same_code: bool,
    /// Confidence that all intervals of one contest hold together: the lower of the two runs'.
    pub confidence: f64,
    /// Where the runs differ as wholes (machine, build, fairlane), and their warnings: one line each.
    pub notes: Vec<String>,
    /// The contests that both runs hold, in the order of the first run.
    pub contests: Vec<Matched>,
    /// The contests that cannot be compared.
    pub refused: Vec<Refused>,
}

/// A contest that cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Which one.
    pub contest: Key,
    /// Why, in one line.
    pub why: String,
}

/// A contest that both runs hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// Which one.
    pub contest: Key,
    /// The contestant that all positions are relative to.
    pub base: String,
    /// No change of position finer than this is told: both runs' noise floors together. Null if a run gives no verdict.
    pub floor: Option<f64>,
    /// The contestants that both runs timed, in the order of the first.
    pub rows: Vec<Row>,
    /// The contestants that differ in version, path or labels, or are in one run only: one line each.
    pub notes: Vec<String>,
}

/// One contestant in both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its time over the base's time in the first and in the second run; 1, 1, 1 for the base.
    pub position: [Ratio; 2],
    /// Its rank among all contestants of the first and of the second run.
    pub rank: [u32; 2],
    /// Second position over first: below 1, it has gained on the base.
    pub change: Ratio,
    /// Whether `change` is beyond its interval and the floor; never for the base.
    pub changed: bool,
    /// Its time in the second run over its time in the first, on the same kind of machine: the base's, times `change`.
    /// The base's samples are not paired: the interval covers the noise inside each run, not what differs between them
    /// (clock, load, memory layout).
    pub time: Option<Ratio>,
}

/// Names one contest of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The contest's id.
    pub id: Text<ContestId>,
    /// Its size as the run spells it.
    pub size: Text<Size>,
    /// What it counts in, for its size in words.
    pub unit: RunUnit,
    /// Its threads.
    pub threads: u32,
}

impl Key {
    /// The key of a contest.
    pub fn of(contest: &ContestResult) -> Self {
        Self { id: contest.id.clone(), size: contest.size.clone(), unit: contest.unit, threads: contest.threads }
    }

    /// Whether a contest is the one of this key. What it counts in is no part of the question: it makes the work
    /// differ.
    pub fn is_of(&self, contest: &ContestResult) -> bool {
        (&contest.id, &contest.size, contest.threads) == (&self.id, &self.size, self.threads)
    }

    /// The contest of that key in a run.
    pub fn find<'a>(&self, run: &'a Run) -> Option<&'a ContestResult> {
        run.contests.iter().find(|contest| self.is_of(contest))
    }
}

/// Prints `keccak256/message, 1 KiB`, and the threads unless there is only one.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&wording::heading(&self.id, &self.size, self.unit, self.threads))
    }
}

/// Compares run `a` with a later, other run `b`.
pub fn compare(a: &Run, b: &Run) -> Comparison {
    let same_machine = same_machine(&a.machine, &b.machine);
    let builds = builds(&a.build, &b.build);
    let same_code = builds.is_empty();
    let confidence = a.settings.confidence.min(b.settings.confidence);
    let terms = Terms { confidence, same_machine, same_code };
    let mut contests = Vec::new();
    let mut refused = Vec::new();
    for first in &a.contests {
        let contest = Key::of(first);
        let matched = match contest.find(b) {
            Some(second) => matched(first, second, &terms),
            None => Err(only_in("first", &contest, b)),
        };
        match matched {
            Ok(matched) => contests.push(matched),
            Err(why) => refused.push(Refused { contest, why }),
        }
    }
    for contest in b.contests.iter().map(Key::of).filter(|key| key.find(a).is_none()) {
        let why = only_in("second", &contest, a);
        refused.push(Refused { contest, why });
    }
    Comparison { same_machine, same_code, confidence, notes: notes(a, b, builds, same_machine), contests, refused }
}

/// Why the work of two contests of the same id is not the same, if it is not.
pub fn work_differs(a: &ContestResult, b: &ContestResult) -> Option<String> {
    if a.about != b.about {
        Some(format!("the work is not the same: '{}' and '{}'", a.about, b.about))
    } else if a.kind != b.kind {
        Some("one is of one function, the other of one job".to_owned())
    } else if a.unit != b.unit {
        Some("one counts bytes, the other operations".to_owned())
    } else if a.bytes_per_op != b.bytes_per_op {
        Some(format!("an operation is {} bytes and {} bytes", a.bytes_per_op, b.bytes_per_op))
    } else {
        None
    }
}

fn same_machine(a: &Machine, b: &Machine) -> bool {
    a.arch == b.arch
        && a.cpu == b.cpu
        && a.cpu_id == b.cpu_id
        && same_clock(a.measured_mhz, b.measured_mhz, CLOCK_TOLERANCE)
}

fn same_clock(a: f64, b: f64, tolerance: f64) -> bool {
    a.max(b) <= a.min(b) * (1.0 + tolerance)
}

/// Why a contest that only one run holds cannot be compared, with what the `other` run has instead.
fn only_in(side: &str, key: &Key, other: &Run) -> String {
    let near: Vec<String> = other
        .contests
        .iter()
        .filter(|c| c.id == key.id)
        .map(|c| wording::size_and_threads(&c.size, c.unit, c.threads))
        .collect();
    if near.is_empty() {
        format!("only the {side} run has it")
    } else {
        format!("only the {side} run has this size and these threads; the other has {}", wording::list(&near))
    }
}

/// How two builds differ in what the compiler was told, a line each. What a file from earlier times does not tell is no
/// difference.
fn builds(a: &Build, b: &Build) -> Vec<String> {
    let mut notes = vec![differ("compiler", &a.rustc, &b.rustc), differ("profile", &a.profile, &b.profile)];
    if !a.opt_level.is_empty() && !b.opt_level.is_empty() {
        notes.push(differ("opt-level", &a.opt_level, &b.opt_level));
        notes.push(differ("debug assertions", wording::on(a.debug_assertions), wording::on(b.debug_assertions)));
        notes.push(differ("profile sets", &a.profile_settings.join(", "), &b.profile_settings.join(", ")));
    }
    notes.push(differ("target", &a.target, &b.target));
    notes.push(differ("compiler flags", &a.rustflags, &b.rustflags));
    notes.into_iter().flatten().collect()
}

/// Names both values of what differs.
fn differ(what: &str, a: &str, b: &str) -> Option<String> {
    let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    (a != b).then(|| format!("{what}: {} and {}", or_none(a), or_none(b)))
}

/// Where the runs differ as wholes, and what each warns of.
fn notes(a: &Run, b: &Run, builds: Vec<String>, same_machine: bool) -> Vec<String> {
    let wholes = [
        differ("fairlane", &a.fairlane, &b.fairlane),
        differ("CPU", &a.machine.cpu, &b.machine.cpu),
        differ("CPU id", &a.machine.cpu_id, &b.machine.cpu_id),
        differ("architecture", &a.machine.arch, &b.machine.arch),
        differ("system", &a.machine.os, &b.machine.os),
        differ("cargo features", &a.build.features.join(" "), &b.build.features.join(" ")),
    ];
    let mut notes: Vec<String> = wholes.into_iter().flatten().chain(builds).collect();
    let [first, second] = [a, b].map(|run| run.machine.measured_mhz);
    if same_machine && !same_clock(first, second, STEADY_CLOCK) {
        notes.push(format!("clock: {first:.0} MHz and {second:.0} MHz; times differ by that alone"));
    } else if !same_machine && a.machine.cpu == b.machine.cpu && a.machine.cpu_id == b.machine.cpu_id {
        notes.push(format!("clock: {first:.0} MHz and {second:.0} MHz, so times are not compared"));
    }
    for (run, which) in [(a, "first"), (b, "second")] {
        match run.warnings.len() {
            0 => {}
            1 => notes.push(format!("the {which} run has a warning: {}", run.warnings[0])),
            count => notes.push(format!("the {which} run has {count} warnings, which its report shows")),
        }
        if run.interrupted {
            notes.push(format!("the {which} run was interrupted"));
        }
    }
    notes
}

/// The contestants of two contests of one key side by side, or why that cannot be.
fn matched(a: &ContestResult, b: &ContestResult, terms: &Terms) -> Result<Matched, String> {
    if let Some(why) = work_differs(a, b) {
        return Err(why);
    }
    let pairs: Vec<[&ContestantResult; 2]> = a
        .contestants
        .iter()
        .filter_map(|first| Some([first, b.contestants.iter().find(|second| second.name == first.name)?]))
        .collect();
    let heats = [a, b];
    let base = base(heats, &pairs, terms).ok_or("no contestant was timed in both runs")?;
    let floor = floor(a, b);
    let mut notes = contest_notes(a, b, &pairs);
    if !terms.same_code && !is_installed(&base) {
        notes.push(format!("the base, {}, is not the same code in both builds", base[0].name));
    }
    let mut rows = Vec::new();
    for pair in &pairs {
        match row(heats, *pair, base, pairs.len(), floor, terms) {
            Ok(row) => rows.push(row),
            Err(why) => notes.push(why),
        }
    }
    Ok(Matched { contest: Key::of(a), base: base[0].name.clone(), floor, rows, notes })
}

/// What all contests of two runs are judged by.
struct Terms {
    confidence: f64,
    same_machine: bool,
    same_code: bool,
}

impl Terms {
    /// What the positions of a contest may err together, and so much again its times, where these are compared.
    fn error(&self) -> f64 {
        (1.0 - self.confidence) / if self.same_machine { 2.0 } else { 1.0 }
    }
}

/// The base: the fastest of the first run that is the same in both and has rounds enough. An outside library if there
/// is one, since fairlane itself is what changes between builds; of two builds whose code differs, one that neither
/// compiled.
fn base<'a>(
    [a, b]: [&ContestResult; 2],
    pairs: &[[&'a ContestantResult; 2]],
    terms: &Terms,
) -> Option<[&'a ContestantResult; 2]> {
    let error = error_of_position(pairs.len(), terms);
    let enough = |[first, second]: &[&ContestantResult; 2]| {
        median(a, first, error).is_some() && median(b, second, error).is_some()
    };
    let same = |pair: &[&ContestantResult; 2]| enough(pair) && difference(pair).is_none();
    let find = |suits: &dyn Fn(&[&ContestantResult; 2]) -> bool| pairs.iter().find(|pair| suits(pair));
    find(&|pair| same(pair) && !terms.same_code && is_installed(pair))
        .or_else(|| find(&|pair| same(pair) && pair[0].library != "fairlane"))
        .or_else(|| find(&same))
        .or_else(|| find(&enough))
        .or(pairs.first())
        .copied()
}

/// Whether it was not compiled with the runs but found on the machine.
fn is_installed(pair: &[&ContestantResult; 2]) -> bool {
    pair.iter().all(|contestant| contestant.labels.contains(&Label::Installed))
}

/// Both contests' floors together; none if one of them gives no verdict.
pub(crate) fn floor(a: &ContestResult, b: &ContestResult) -> Option<f64> {
    let [a, b] =
        [a, b].map(|contest| contest.control.as_ref().filter(|_| judged(contest)).map(|control| control.floor));
    Some((1.0 + a?) * (1.0 + b?) - 1.0)
}

/// Whether the control let anybody be called the fastest.
fn judged(contest: &ContestResult) -> bool {
    contest.contestants.iter().any(|c| c.verdict == Verdict::Fastest)
}

/// One contestant's row, or why there is none.
fn row(
    heats: [&ContestResult; 2],
    [a, b]: [&ContestantResult; 2],
    base: [&ContestantResult; 2],
    pairs: usize,
    floor: Option<f64>,
    terms: &Terms,
) -> Result<Row, String> {
    let is_base = a.name == base[0].name;
    let error = error_of_position(pairs, terms);
    let position = |heat: &ContestResult, own: &ContestantResult, base: &ContestantResult| {
        if is_base {
            Some(Ratio { estimate: 1.0, low: 1.0, high: 1.0 })
        } else {
            interval(heat, &own.samples, &base.samples, error)
        }
    };
    let position = position(heats[0], a, base[0]).zip(position(heats[1], b, base[1]));
    let (first, second) = position.ok_or_else(|| format!("{}: too few rounds in one of the runs to say", a.name))?;
    let change = over(second, first);
    let told = change.low > 1.0 || change.high < 1.0;
    let changed = told && floor.is_some_and(|floor| (change.estimate - 1.0).abs() > floor);
    let time = terms.same_machine.then(|| {
        let error = terms.error() / (2 * pairs) as f64;
        Some(times(over(median(heats[1], base[1], error)?, median(heats[0], base[0], error)?), change))
    });
    Ok(Row {
        name: a.name.clone(),
        position: [first, second],
        rank: [a.rank, b.rank],
        change,
        changed,
        time: time.flatten(),
    })
}

/// What each position may err: two runs, and in each every pair, since the base was chosen by looking at the same
/// samples.
fn error_of_position(pairs: usize, terms: &Terms) -> f64 {
    terms.error() / (pairs * pairs.saturating_sub(1)).max(1) as f64
}

/// A contestant's median time; none if its rounds are too few for an interval.
pub(crate) fn median(heat: &ContestResult, own: &ContestantResult, error: f64) -> Option<Ratio> {
    let Enclosed { low, median, high } = Enclosed::of(&own.samples, &heat.by_process(), error)?;
    Some(Ratio { estimate: median, low, high })
}

/// `a`'s time over `b`'s, paired by round; none if the rounds are too few for the interval to be one.
pub(crate) fn interval(heat: &ContestResult, a: &Samples, b: &Samples, error: f64) -> Option<Ratio> {
    statistics::Comparison::of(a, b, &heat.by_process(), error).filter(|c| c.enough).map(|c| c.ratio)
}

/// The quotient of two ratios that are independent of each other: where both intervals hold, so does this one.
pub(crate) fn over(a: Ratio, b: Ratio) -> Ratio {
    Ratio { estimate: a.estimate / b.estimate, low: a.low / b.high, high: a.high / b.low }
}

/// The product of two ratios: where both intervals hold, so does this one.
fn times(a: Ratio, b: Ratio) -> Ratio {
    Ratio { estimate: a.estimate * b.estimate, low: a.low * b.low, high: a.high * b.high }
}

/// How one contestant is not the same thing in both runs, if it is not.
fn difference([a, b]: &[&ContestantResult; 2]) -> Option<String> {
    let mut what = Vec::new();
    if (&a.library, &a.version) != (&b.library, &b.version) {
        what.push(format!("version {} {} and {} {}", a.library, a.version, b.library, b.version));
    }
    if a.backend != b.backend {
        what.push(format!("path {} and {}", a.backend, b.backend));
    }
    if a.labels != b.labels {
        what.push(format!("labels [{}] and [{}]", wording::labels(&a.labels), wording::labels(&b.labels)));
    }
    (!what.is_empty()).then(|| format!("{} is not the same: {}", a.name, what.join("; ")))
}

/// Everything about one contest that a reader of its rows should know.
fn contest_notes(a: &ContestResult, b: &ContestResult, pairs: &[[&ContestantResult; 2]]) -> Vec<String> {
    let mut notes: Vec<String> = pairs.iter().filter_map(difference).collect();
    for (own, other, which) in [(a, b, "first"), (b, a, "second")] {
        if !judged(own) {
            notes.push(format!("without verdicts in the {which} run, so no change is told"));
        }
        let alone = |name: &str| other.contestants.iter().all(|c| c.name != name);
        let only: Vec<&str> = own.contestants.iter().map(|c| c.name.as_str()).filter(|name| alone(name)).collect();
        if !only.is_empty() {
            notes.push(format!("timed in the {which} run only: {}", wording::list(&only)));
        }
        let out = own.disqualified.iter().map(|d| format!("{} was disqualified in the {which} run: {}", d.name, d.why));
        notes.extend(out);
    }
    notes
}
