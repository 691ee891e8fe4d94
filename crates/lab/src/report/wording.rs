//! How contests, verdicts, labels, builds and allocations are put in words, the same in every report.

use super::numbers::{number, ratio, size, time};
use crate::contest::{Label, Size};
use crate::run::{
    Against, Allocations, Build, ContestResult, ContestantResult, Ratio, RunKind, RunUnit, Settings, Verdict,
};
use std::collections::BTreeMap;

/// A size as the work of one call: `1024 × 32 B`; where operations are counted, bytes say nothing: `64 in a call`.
pub fn work(text: &str, unit: RunUnit) -> String {
    match (unit, text.parse::<Size>()) {
        (RunUnit::Operations, Ok(Size { count, .. })) => format!("{count} in a call"),
        _ => size(text),
    }
}

/// A contest at its size and threads: `keccak256/message, 1 KiB` or `keccak256/message, 1 KiB, 4 threads`.
pub fn contest(contest: &ContestResult) -> String {
    heading(&contest.id, &contest.size, contest.unit, contest.threads)
}

/// The same from its parts.
pub fn heading(id: &str, size: &str, unit: RunUnit, threads: u32) -> String {
    format!("{id}, {}", size_and_threads(size, unit, threads))
}

/// The work of a call and the threads, of which one is not worth a word: `1 KiB`, `1 KiB, 4 threads`.
pub fn size_and_threads(size: &str, unit: RunUnit, threads: u32) -> String {
    match threads {
        1 => work(size, unit),
        threads => format!("{}, {threads} threads", work(size, unit)),
    }
}

/// A verdict in words; the ratio stands beside it, so that it is not repeated here.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fastest => "fastest",
        Verdict::Tie => "tie with the fastest",
        Verdict::Slower => "slower",
        Verdict::Undecided => "undecided",
    }
}

/// A contestant's ratio as a table shows it: that of the fastest is 1, without an interval.
pub fn ratio_cell(contestant: &ContestantResult) -> String {
    match contestant.ratio {
        Ratio { low: 1.0, high: 1.0, .. } => "1".to_owned(),
        ref other => ratio(other),
    }
}

/// A label in words.
pub fn label(label: Label) -> &'static str {
    match label {
        Label::ConstantTime => "constant time",
        Label::NotConstantTime => "not constant time",
        Label::Reference => "reference",
        Label::Ffi => "FFI",
        Label::OneByOne => "one by one",
        Label::KeyScheduleInside => "key schedule inside",
        Label::ContextInside => "context inside",
        Label::CopiesFirst => "copies first",
        Label::KeyNotPrepared => "key not prepared",
        Label::DrawsRandomness => "draws its own randomness",
        Label::Vendored => "vendored",
        Label::Installed => "installed",
        Label::PlugIn => "plug-in",
        Label::TimedByItself => "timed by the plug-in itself",
        Label::Key128 => "128-bit key",
        Label::Key256 => "256-bit key",
        Label::Key512 => "512-bit key",
        Label::Standard => "standard",
        Label::Analysed => "analysed",
        Label::NoOutsideAnalysis => "no outside analysis",
    }
}

/// Labels in words, separated by commas.
pub fn labels(labels: &[Label]) -> String {
    labels.iter().copied().map(label).collect::<Vec<_>>().join(", ")
}

/// What of a contest's work is timed, in a line; nothing for a run that does not say.
pub fn conditions(contest: &ContestResult) -> Option<String> {
    Some(contest.conditions.to_string()).filter(|line| !line.is_empty())
}

/// What a verdict compares where not all computed one thing; empty where they did.
pub fn kind(contest: &ContestResult) -> &'static str {
    match contest.kind {
        RunKind::OneFunction => "",
        RunKind::OneJob => "One job: different functions. A verdict here compares ciphers, not implementations of one.",
    }
}

/// What the margin of a contest is over: the next library or, where functions race, the next cipher.
pub fn rivals(contest: &ContestResult) -> &'static str {
    match contest.kind {
        RunKind::OneFunction => "library",
        RunKind::OneJob => "cipher",
    }
}

/// What a margin is, the same in every report.
pub const MARGIN: &str =
    "the time of the next library (in contests between ciphers, the next cipher) over the fastest's, with its interval";

/// How ranks are read; `None` where all contestants of each contest have places of their own.
pub fn ties(contests: &[ContestResult]) -> Option<&'static str> {
    let tied = |contest: &ContestResult| {
        let judged = contest.contestants.iter().filter(|c| c.verdict != Verdict::Undecided);
        let mut ranks: Vec<u32> = judged.map(|c| c.rank).collect();
        ranks.sort_unstable();
        ranks.windows(2).any(|pair| pair[0] == pair[1])
    };
    contests.iter().any(tied).then_some(
        "Rank: 1 for the fastest and for all that tie with it; for others 1, and 1 more for each contestant that is \
         surely faster. Those that share a rank leave out the ranks that they would fill: 1, 1, 3. An \
         undecided contestant has the last rank; where nobody has a verdict, all have rank 1.",
    )
}

/// The functions of a contest of one job with what is known of each, a line a function; nothing for one function.
pub fn functions(contest: &ContestResult) -> Vec<String> {
    if contest.kind == RunKind::OneFunction {
        return Vec::new();
    }
    let of: BTreeMap<&str, String> = contest
        .contestants
        .iter()
        .map(|c| {
            let known: Vec<Label> = c.labels.iter().copied().filter(|label| label.is_of_function()).collect();
            (c.function.as_str(), labels(&known))
        })
        .collect();
    of.into_iter().map(|(function, known)| format!("{function}: {known}")).collect()
}

/// An operation that takes no more than so many times as long as one that does nothing is told what that takes.
const SHORT: f64 = 20.0;

/// What the harness adds to each time, where that is worth telling.
pub fn harness(contest: &ContestResult) -> Option<String> {
    let (nothing, base) = (contest.nothing_ns?, contest.base()?);
    (contest.time_of(base) < SHORT * nothing).then(|| {
        format!("an operation that does nothing takes {} here, which is part of each time above", time(nothing))
    })
}

/// What else there is to say below a table, a line each: of the functions, of fairlane's backends, of the harness.
pub fn notes(contest: &ContestResult) -> Vec<String> {
    functions(contest).into_iter().chain(backends(contest)).chain(harness(contest)).collect()
}

/// What fairlane's better backends bring, a line a backend: `avx512 is 1.62× [1.61, 1.63] as fast as avx2`.
pub fn backends(contest: &ContestResult) -> Vec<String> {
    let find = |name: &str| contest.contestants.iter().find(|c| c.name == name);
    let line = |pairs: &[Against]| {
        let better = find(&pairs[0].contestant)?;
        let against =
            |pair: &Against| Some(format!("{} as fast as {}", ratio(&pair.speedup), find(&pair.against)?.backend));
        let each: Vec<String> = pairs.iter().filter_map(against).collect();
        let function = if contest.kind == RunKind::OneJob { format!("{}: ", better.function) } else { String::new() };
        Some(format!("{function}{} is {}", better.backend, list(&each)))
    };
    contest.backends.chunk_by(|a, b| a.contestant == b.contestant).filter_map(line).collect()
}

/// A build's profile and what it means: `debug (opt-level 1, debug assertions on, package.fairlane.opt-level = 3)`.
pub fn profile(build: &Build) -> String {
    if build.opt_level.is_empty() {
        return build.profile.clone();
    }
    let facts = [format!("opt-level {}", build.opt_level), format!("debug assertions {}", on(build.debug_assertions))];
    format!("{} ({})", build.profile, [&facts, build.profile_settings.as_slice()].concat().join(", "))
}

/// `on` or `off`.
pub fn on(is: bool) -> &'static str {
    if is { "on" } else { "off" }
}

/// Counts of operations that were asked for: `, 1000 operations a sample, 100 untimed before each sample`; empty for
/// none.
pub fn counts(settings: &Settings) -> String {
    let iterations = settings.iterations.map(|n| format!(", {n} operations a sample"));
    let warm_up = settings.warm_up.map(|n| format!(", {n} untimed before each sample"));
    [iterations, warm_up].into_iter().flatten().collect()
}

/// Allocations of one operation: `0`, `2 (272 B)`; empty where they could not be counted.
pub fn allocations(allocations: Option<Allocations>) -> String {
    let Some(Allocations { count, bytes, includes_c }) = allocations else { return String::new() };
    let plain = |x: f64| if x.fract() == 0.0 { format!("{x:.0}") } else { number(x) };
    let what = if count == 0.0 { "0".to_owned() } else { format!("{} ({} B)", plain(count), plain(bytes)) };
    if includes_c { what } else { format!("{what}, Rust only") }
}

/// A number of bytes, or nothing.
pub fn bytes(bytes: Option<u64>) -> String {
    bytes.map(|bytes| bytes.to_string()).unwrap_or_default()
}

/// The most heap that a contestant held, with what it was counted of.
pub fn heap(contestant: &ContestantResult) -> String {
    let rust_only = contestant.peak_heap_bytes.is_some() && contestant.allocations.is_some_and(|made| !made.includes_c);
    bytes(contestant.peak_heap_bytes) + if rust_only { ", Rust only" } else { "" }
}

/// Names as a sentence lists them: `a`, `a and b`, `a, b and c`.
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::numbers::confidence;

    #[test]
    fn sizes_as_said() {
        assert_eq!(size("32"), "32 B");
        assert_eq!(size("1048576"), "1 MiB");
        assert_eq!(size("1024x1024"), "1024 × 1 KiB");
        assert_eq!(size("odd"), "odd");
        assert_eq!(work("64x32", RunUnit::Bytes), "64 × 32 B");
        assert_eq!(work("64x32", RunUnit::Operations), "64 in a call");
        assert_eq!(size_and_threads("32", RunUnit::Operations, 2), "1 in a call, 2 threads");
        assert_eq!(confidence(0.95), "95 %");
        assert_eq!(confidence(0.995), "99.5 %");
    }
}
