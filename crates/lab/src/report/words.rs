//! How a size, a speed, a ratio or a verdict is spelled: the same in every report.

use crate::contest::{Label, Size};
use crate::engine::statistics::Enclosed;
use crate::run::{
    Against, Allocations, Build, ContestResult, ContestantResult, Ratio, RunKind, RunUnit, Settings, Verdict,
};
use std::collections::BTreeMap;
use std::io;

/// A number with four significant digits, never in exponent form: `5.421`, `741.0`, `12345`.
pub fn number(x: f64) -> String {
    let digits = if x.is_finite() && x != 0.0 { x.abs().log10().floor() as i32 + 1 } else { 1 };
    format!("{x:.*}", (4 - digits).clamp(0, 12) as usize)
}

/// A duration given in ns, in the unit that suits it: `812.0 ns`, `1.941 µs`.
pub fn time(ns: f64) -> String {
    let (value, unit) = in_unit(ns);
    format!("{} {unit}", number(value))
}

fn in_unit(ns: f64) -> (f64, &'static str) {
    match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    }
}

/// A number and its interval: `5.421 [5.409, 5.433]`.
pub fn enclosed(Enclosed { low, median, high }: Enclosed) -> String {
    format!("{} [{}, {}]", number(median), number(low), number(high))
}

/// A duration given in ns and its interval, in the unit that suits it: `5.421 [5.409, 5.433] µs`.
pub fn enclosed_time(ns: Enclosed) -> String {
    let (value, unit) = in_unit(ns.median);
    format!("{} {unit}", enclosed(ns.times(value / ns.median)))
}

/// A speed in megabytes (10⁶ bytes) a second, without the unit; empty where bytes make no sense.
pub fn megabytes(bytes_per_second: Option<f64>) -> String {
    bytes_per_second.map(|speed| number(speed / 1e6)).unwrap_or_default()
}

/// A ratio and its interval, `1.24× [1.23, 1.26]`, its ends rounded outwards: as many digits as the interval is worth,
/// and enough to see on which side of 1 it lies.
pub fn ratio(ratio: &Ratio) -> String {
    let Ratio { estimate, low, high } = *ratio;
    let coarsest = if estimate < 10.0 { 2 } else { i32::from(estimate < 100.0) };
    let finest = [high - low, low - 1.0, 1.0 - high].into_iter().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    // The nudges keep 1.001 − 1 = 0.000999… from a fourth digit, and 1.23 × 100 = 122.999… from becoming 1.22.
    let digits = ((-finest.log10() - 1e-6).ceil() as i32).clamp(coarsest, 6) as usize;
    let step = 10f64.powi(digits as i32);
    let low = (low * step + 1e-6).floor() / step;
    let high = (high * step - 1e-6).ceil() / step;
    format!("{estimate:.digits$}× [{low:.digits$}, {high:.digits$}]")
}

/// A fraction as per cent: `0.40 %`.
pub fn percent(fraction: f64) -> String {
    format!("{:.2} %", fraction * 100.0)
}

/// A confidence as per cent without needless digits: `95 %`, `99.5 %`.
pub fn confidence(fraction: f64) -> String {
    let percent = format!("{:.3}", fraction * 100.0);
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}

/// A size as a reader says it: `32 B`, `1 KiB`, `1024 × 32 B`; what is no size is given back as it is.
pub fn size(text: &str) -> String {
    let bytes = |n: usize| match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    };
    match text.parse::<Size>() {
        Ok(Size { count: 1, bytes: n }) => bytes(n),
        Ok(Size { count, bytes: n }) => format!("{count} × {}", bytes(n)),
        Err(_) => text.to_owned(),
    }
}

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

/// A contestant's ratio as a table shows it: the fastest, and who would be, has no interval to itself.
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
        Label::KeyNotPrepared => "key not prepared",
        Label::DrawsRandomness => "draws its own randomness",
        Label::Vendored => "vendored",
        Label::Installed => "installed",
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

/// What a verdict compares where not all computed one thing; empty where they did.
pub fn kind(contest: &ContestResult) -> &'static str {
    match contest.kind {
        RunKind::OneFunction => "",
        RunKind::OneJob => "One job: different functions. A verdict here compares ciphers, not implementations of one.",
    }
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

/// Counts of operations that were asked for: `, 1000 operations a sample, 100 untimed before each sample`; empty for none.
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

/// Text that may stand anywhere in Markdown, table cells too: markup is escaped, line ends become spaces.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '<' | '>' | '|' | '~' => escaped.extend(['\\', c]),
            // Only so does a bracket make a link; elsewhere intervals stay readable.
            '(' if escaped.ends_with(']') => escaped.push_str("\\("),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Text in which every control character is a space, so that a name from a file cannot steer a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// What the system says of an error, without Rust's ` (os error 2)`.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A word as a shell takes it: as it is, or quoted. Control characters become spaces.
pub fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-+,@%:=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", plain(word).replace('\'', r"'\''"))
}

/// A Markdown table; the columns named in `right` are numbers. Cells come escaped.
pub fn table(head: &[&str], right: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.to_vec());
    text += &line(head.iter().map(|name| if right.contains(name) { "---:" } else { "---" }).collect());
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (x, text) in
            [(0.0, "0.000"), (0.05421, "0.05421"), (5.4213, "5.421"), (741.04, "741.0"), (12345.4, "12345")]
        {
            assert_eq!(number(x), text);
        }
        assert_eq!(time(812.0), "812.0 ns");
        assert_eq!(time(1941.2), "1.941 µs");
        assert_eq!(time(2.5e9), "2.500 s");
        let ns = Enclosed { low: 998.0, median: 1941.2, high: 2000.0 };
        assert_eq!(enclosed_time(ns), "1.941 [0.9980, 2.000] µs");
    }

    #[test]
    fn ratios_round_outwards() {
        let spell = |estimate, low, high| ratio(&Ratio { estimate, low, high });
        assert_eq!(spell(1.24, 1.23, 1.26), "1.24× [1.23, 1.26]");
        assert_eq!(spell(1.0042, 1.0031, 1.0052), "1.004× [1.003, 1.006]");
        assert_eq!(spell(12.34, 12.01, 12.61), "12.3× [12.0, 12.7]");
        assert_eq!(spell(250.0, 240.0, 260.0), "250× [240, 260]");
        assert_eq!(spell(1.0, 1.0, 1.0), "1.00× [1.00, 1.00]");
    }

    #[test]
    fn ratios_show_their_side_of_one() {
        let spell = |estimate, low, high| ratio(&Ratio { estimate, low, high });
        assert_eq!(spell(1.0042, 1.0013, 1.0159), "1.004× [1.001, 1.016]");
        assert_eq!(spell(1.0042, 1.001, 1.0159), "1.004× [1.001, 1.016]");
        assert_eq!(spell(0.9921, 0.9741, 0.9994), "0.9921× [0.9741, 0.9994]");
        assert_eq!(spell(1.0042, 0.9998, 1.0159), "1.00× [0.99, 1.02]");
    }

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

    #[test]
    fn a_shell_sees_one_word() {
        assert_eq!(shell("keccak256/message"), "keccak256/message");
        assert_eq!(shell("a; b 'c'\n"), r"'a; b '\''c'\'' '");
        assert_eq!(shell(""), "''");
    }

    #[test]
    fn reasons_are_the_systems_words() {
        let missing = std::fs::File::open("/no/such/file").unwrap_err();
        assert!(missing.to_string().contains("os error"));
        assert!(!reason(&missing).contains("os error"));
        assert_eq!(reason(&io::Error::other("plain words")), "plain words");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a|b\nc`d"), "a\\|b c\\`d");
        assert_eq!(escape("[1, 2] [x](y)"), "[1, 2] [x]\\(y)");
    }
}
