//! Markdown templates: a text in which `{{…}}` stands for a figure of a run. The pages of `docs/results` are made so,
//! and no figure of a race is typed in them.
//!
//! Runs are named A, B, … in the order given; `B:sm3/message` is a contest of the second, without a letter of the
//! first. HEATS is a contest (`*` for anything) and a list of sizes (`*` for all), with `@2` for two threads. NAME is a
//! contestant's name or pattern; `a|b` is either, and of several that fit the fastest is meant. Of several heats a
//! figure is the range: `1.15 to 1.19`.
//!
//! | expression | filled in |
//! | --- | --- |
//! | `date A`, `machine A`, `build A`, `command A` | when, where and how a run was made |
//! | `disturbed A` | the share of probes that were disturbed before a run |
//! | `clock`, `libraries`, `fit`, `warnings` | of all runs: range of the clock, other libraries, number of decided heats, what the runs warn of |
//! | `time HEATS NAME`, `speed HEATS NAME` | the time of an operation, which follows from the ratio; bytes a second |
//! | `cycles HEATS NAME` | cycles a byte: time × the clock, where the clock was steady |
//! | `allocations HEATS NAME` | count and bytes of an operation |
//! | `cold HEATS NAME` | of one heat: median and 99th percentile of single calls with cold caches |
//! | `ratio HEATS NAME over NAME` | time over time (of the fastest without `over`), paired by round, with interval |
//! | `factor HEATS NAME over NAME` | the same without the interval |
//! | `rival HEATS NAME` | the time of the fastest other library (where ciphers race, of another cipher) over NAME's, and its name |
//! | `medians HEATS NAME over HEATS NAME` | of two heats, so unpaired; of a message and of all threads together |
//! | `contest ID NAME` | a table: contestants (all without NAME) by size, time over the fastest's |
//! | `table CORNER \| HEAD=VALUE \| …` | a table; its rows are lines `LABEL = EXPRESSION; …`, with `%` for VALUE |
//!
//! In a table, a `?` before an expression leaves the cell blank where the run has no such contestant.
//!
//! A ratio that the race does not tell from 1 is marked `tie`; one without a verdict is `no verdict`.

use super::escape::{escape, plain, table};
use super::standings::{Standings, is_other};
use super::{numbers, provenance, side_by_side, wording};
use crate::compare::floor;
use crate::contest::Size;
use crate::contests::glob;
use crate::engine::statistics::{Comparison, share};
use crate::run::{ContestResult, ContestantResult, Machine, Ratio, Remark, Run, Verdict, Warning};
use std::collections::BTreeSet;

/// Fills in a template.
///
/// # Errors
/// The first expression that is none or asks for what no run holds, with its line.
pub fn fill(template: &str, runs: &[Run]) -> Result<String, String> {
    fill_with(template, |expression| evaluate(expression, runs))
}

/// Fills in a template with what `evaluate` makes of each expression.
pub(crate) fn fill_with(template: &str, evaluate: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text += before;
        let line = template[..template.len() - after.len()].matches('\n').count() + 1;
        let (expression, after) =
            after.split_once("}}").ok_or_else(|| format!("line {line}: '{{{{' without '}}}}'"))?;
        text += &evaluate(expression).map_err(|why| format!("line {line}: {{{{{expression}}}}}: {why}"))?;
        rest = after;
    }
    Ok(text + rest)
}

fn evaluate(expression: &str, runs: &[Run]) -> Result<String, String> {
    if let Some(table) = expression.strip_prefix("table ") {
        return table_of(table, runs);
    }
    let words = words(expression);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["date", run] => Ok(date(&named(run, runs)?.started)),
        ["machine", run] => Ok(escape(&provenance::machine(&named(run, runs)?.machine))),
        ["build", run] => named(run, runs).map(|run| escape(&provenance::build(&run.fairlane, &run.build))),
        ["command", run] => Ok(plain(&named(run, runs)?.settings.command)),
        ["disturbed", run] => disturbed(&named(run, runs)?.machine),
        ["clock"] => Ok(clock(runs)),
        ["libraries"] => Ok(libraries(runs)),
        ["fit"] => Ok(fit(runs)),
        ["warnings"] => Ok(escape(&warnings(runs))),
        ["contest", id] => contest(id, "*", runs),
        ["contest", id, name] => contest(id, name, runs),
        ["time", id, size, name] => range(&heats(id, size, runs)?, name, |c, heat| Some((heat.time_of(c), time))),
        ["speed", id, size, name] => range(&heats(id, size, runs)?, name, |c, heat| Some((heat.speed_of(c)?, speed))),
        ["cycles", id, size, name] => {
            range(&heats(id, size, runs)?, name, |c, heat| Some((heat.cycles_per_byte_of(c)?, digits)))
        }
        ["allocations", id, size, name] => {
            let heats = heats(id, size, runs)?;
            let each: BTreeSet<String> = heats
                .iter()
                .map(|heat| Ok(wording::allocations(heat.find(name)?.allocations)))
                .collect::<Result<_, String>>()?;
            Ok(each.into_iter().collect::<Vec<_>>().join(" to "))
        }
        ["cold", id, size, name] => cold(&heats(id, size, runs)?, name),
        ["ratio", id, size, name] => ratio(&heats(id, size, runs)?, name, None, true),
        ["ratio", id, size, name, "over", base] => ratio(&heats(id, size, runs)?, name, Some(base), true),
        ["factor", id, size, name] => ratio(&heats(id, size, runs)?, name, None, false),
        ["factor", id, size, name, "over", base] => ratio(&heats(id, size, runs)?, name, Some(base), false),
        ["rival", id, size, name] => rival(&heats(id, size, runs)?, name),
        ["medians", id, size, name, "over", other_id, other_size, other] => {
            medians(&heats(id, size, runs)?, name, &heats(other_id, other_size, runs)?, other)
        }
        _ => Err("no such expression".to_owned()),
    }
}

/// The words of an expression; one in quotes may have spaces.
fn words(expression: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in expression.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(String::new()),
            c => words.last_mut().expect("one at least").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The run of a letter.
fn named<'a>(letter: &str, runs: &'a [Run]) -> Result<&'a Run, String> {
    let at = side_by_side::names(runs).iter().position(|name| name == letter);
    at.map(|at| &runs[at]).ok_or_else(|| format!("there is no run {letter}"))
}

/// A contest at a size, with the confidence of its run.
struct Heat<'a> {
    contest: &'a ContestResult,
    confidence: f64,
}

fn heats<'a>(id: &str, sizes: &str, runs: &'a [Run]) -> Result<Vec<Heat<'a>>, String> {
    let (run, id) = id.split_once(':').unwrap_or(("A", id));
    let run = named(run, runs)?;
    let (sizes, threads) = sizes.split_once('@').unwrap_or((sizes, "1"));
    let threads: u32 = threads.parse().map_err(|_| format!("'{threads}' is no number of threads"))?;
    let sizes = match sizes {
        "*" => None,
        sizes => Some(sizes.split(',').map(str::parse::<Size>).collect::<Result<Vec<_>, _>>()?),
    };
    let fits = |contest: &&ContestResult| {
        glob(id, &contest.id)
            && contest.threads == threads
            && sizes.as_ref().is_none_or(|sizes| contest.size.value().is_some_and(|size| sizes.contains(size)))
    };
    let heats: Vec<Heat> =
        run.contests.iter().filter(fits).map(|contest| Heat { contest, confidence: run.settings.confidence }).collect();
    if heats.is_empty() { Err("the run has no such heat".to_owned()) } else { Ok(heats) }
}

/// What the race says of one contestant's time over another's.
enum Said {
    Differ(Ratio),
    Tie(Ratio),
    NoVerdict,
}

impl<'a> Heat<'a> {
    /// The fastest contestant of a name or pattern.
    fn find(&self, patterns: &str) -> Result<&'a ContestantResult, String> {
        let fits = |c: &&ContestantResult| patterns.split('|').any(|pattern| glob(pattern, &c.name));
        let found = self.contest.contestants.iter().find(fits);
        found.ok_or_else(|| format!("{} has no contestant '{patterns}'", wording::contest(self.contest)))
    }

    /// The time of `a` over that of `b`, or of the fastest.
    fn compare(&self, a: &ContestantResult, b: Option<&ContestantResult>) -> Said {
        let undecided = |c: &ContestantResult| c.verdict == Verdict::Undecided;
        if undecided(a) || b.is_some_and(undecided) {
            return Said::NoVerdict;
        }
        let one = Ratio { estimate: 1.0, low: 1.0, high: 1.0 };
        let Some(b) = b.filter(|b| b.ratio != one) else {
            return if a.verdict == Verdict::Slower { Said::Differ(a.ratio) } else { Said::Tie(a.ratio) };
        };
        let error = share(self.contest.contestants.len() + 1, self.confidence);
        match Comparison::of(&a.samples, &b.samples, &self.contest.by_process(), error) {
            Some(Comparison { ratio, enough: true }) => {
                let floor = self.contest.control.as_ref().map_or(0.0, |control| control.floor);
                let outside = ratio.low > 1.0 || ratio.high < 1.0;
                let far = ratio.estimate.max(1.0 / ratio.estimate) - 1.0 > floor;
                if outside && far { Said::Differ(ratio) } else { Said::Tie(ratio) }
            }
            _ => Said::NoVerdict,
        }
    }
}

/// A figure and how it is written.
type Figure = (f64, fn(f64) -> String);

/// A figure of one contestant in some heats: the least and the most.
fn range(
    heats: &[Heat],
    name: &str,
    figure: impl Fn(&ContestantResult, &ContestResult) -> Option<Figure>,
) -> Result<String, String> {
    let mut found: Vec<Figure> = Vec::new();
    for heat in heats {
        found.extend(figure(heat.find(name)?, heat.contest));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ends = [found.first(), found.last()].map(|end| end.map(|(x, spell)| spell(*x)));
    match ends {
        [Some(least), Some(most)] if least == most => Ok(least),
        [Some(least), Some(most)] => Ok(format!("{least} to {most}")),
        _ => Err("it has no such figure".to_owned()),
    }
}

fn cold(heats: &[Heat], name: &str) -> Result<String, String> {
    let [heat] = heats else { return Err("cold calls are of one heat".to_owned()) };
    let contestant = heat.find(name)?;
    let within = |share| contestant.cold_within(share).map(time).ok_or("the run has no cold calls");
    Ok(format!("{}, {}", within(0.5)?, within(0.99)?))
}

fn ratio(heats: &[Heat], name: &str, base: Option<&str>, interval: bool) -> Result<String, String> {
    let mut found: Vec<(f64, bool)> = Vec::new();
    for heat in heats {
        let base = base.map(|base| heat.find(base)).transpose()?;
        let said = heat.compare(heat.find(name)?, base);
        match said {
            Said::Differ(ratio) | Said::Tie(ratio) if heats.len() == 1 && interval => {
                let tie = if matches!(said, Said::Tie(_)) { " (tie)" } else { "" };
                return Ok(format!("{}{tie}", numbers::ratio(&ratio)));
            }
            Said::Differ(ratio) => found.push((ratio.estimate, false)),
            Said::Tie(ratio) => found.push((ratio.estimate, true)),
            Said::NoVerdict => {}
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some((least, tie)), Some((most, _))) = (found.first(), found.last()) else {
        return Ok("no verdict".to_owned());
    };
    let ties = found.iter().filter(|(_, tie)| *tie).count();
    let ends = [factor(*least, *tie), factor(*most, ties == found.len())];
    Ok(match (&ends, ties) {
        ([least, most], 0) if least == most => least.clone(),
        ([least, most], 0) => format!("{least} to {most}"),
        ([least, most], ties) if ties == found.len() && least == most => format!("{least} (tie)"),
        ([least, most], ties) if ties == found.len() => format!("{least} to {most} (ties)"),
        ([least, most], 1) => format!("{least} to {most} (1 of {} is a tie)", found.len()),
        ([least, most], ties) => format!("{least} to {most} ({ties} of {} are ties)", found.len()),
    })
}

/// A ratio with two decimals, more where it would look like 1 and is not, fewer where it is large.
fn factor(ratio: f64, tie: bool) -> String {
    let least = if ratio < 10.0 { 2 } else { usize::from(ratio < 100.0) };
    let looks_like_one = |text: &str| text.parse() == Ok(1.0);
    let mut texts = (least..=6).map(|digits| format!("{ratio:.digits$}"));
    let first = texts.next().unwrap_or_default();
    if tie || !looks_like_one(&first) { first } else { texts.find(|text| !looks_like_one(text)).unwrap_or(first) }
}

fn rival(heats: &[Heat], name: &str) -> Result<String, String> {
    let [heat] = heats else { return Err("a rival is of one heat".to_owned()) };
    let own = heat.find(name)?;
    let mut others = heat.contest.contestants.iter().filter(|c| is_other(heat.contest, c, own));
    let other = others.next().ok_or("no other library")?;
    let name = escape(&other.name);
    Ok(match heat.compare(other, Some(own)) {
        Said::Differ(ratio) => format!("{}, {name}", numbers::ratio(&ratio)),
        Said::Tie(ratio) => format!("{} (tie), {name}", numbers::ratio(&ratio)),
        Said::NoVerdict => "no verdict".to_owned(),
    })
}

/// The ratio of two medians, which hold for a message and for all threads together.
fn medians(heats: &[Heat], name: &str, others: &[Heat], other: &str) -> Result<String, String> {
    let ([heat], [base]) = (heats, others) else { return Err("medians are of two heats".to_owned()) };
    let (own, base_own) = (heat.find(name)?, base.find(other)?);
    if [own, base_own].iter().any(|c| c.verdict == Verdict::Undecided) {
        return Ok("no verdict".to_owned());
    }
    let median = |heat: &Heat, c: &ContestantResult| {
        let error = (1.0 - heat.confidence) / 2.0;
        let time = heat.contest.enclosed_time_of(c, error).ok_or("too few samples")?;
        let count = heat.contest.size.value().ok_or("a size that is none")?.count as f64;
        Ok::<_, String>(time.times(1.0 / count / f64::from(heat.contest.threads)))
    };
    let ratio = median(heat, own)?.over(median(base, base_own)?);
    let near = floor(heat.contest, base.contest).is_none_or(|floor| (ratio.estimate - 1.0).abs() <= floor);
    let tie = if near || ratio.low <= 1.0 && ratio.high >= 1.0 { " (tie)" } else { "" };
    Ok(format!("{}{tie}", numbers::ratio(&ratio)))
}

/// Contestants by size: time over the fastest's.
fn contest(id: &str, patterns: &str, runs: &[Run]) -> Result<String, String> {
    let heats = heats(id, "*", runs)?;
    let mut names: Vec<(&str, f64)> = Vec::new();
    for c in heats.iter().flat_map(|heat| &heat.contest.contestants) {
        let fits = patterns.split('|').any(|pattern| glob(pattern, &c.name));
        if fits && !names.iter().any(|(name, _)| *name == c.name) {
            let all = heats.iter().flat_map(|heat| &heat.contest.contestants).filter(|other| other.name == c.name);
            let logs: Vec<f64> = all.map(|c| c.ratio.estimate.ln()).collect();
            names.push((&c.name, logs.iter().sum::<f64>() / logs.len() as f64));
        }
    }
    names.sort_by(|a, b| a.1.total_cmp(&b.1));
    let cell = |heat: &Heat, name: &str| {
        let Some(c) = heat.contest.contestants.iter().find(|c| c.name == name) else { return String::new() };
        match c.verdict {
            Verdict::Fastest => "**1**".to_owned(),
            Verdict::Tie => format!("{} tie", factor(c.ratio.estimate, true)),
            Verdict::Slower => factor(c.ratio.estimate, false),
            Verdict::Undecided => "no verdict".to_owned(),
        }
    };
    let fastest = |heat: &Heat| match Standings::of(heat.contest).front.first() {
        Some(first) => heat.contest.speed_of(first).map_or_else(|| time(heat.contest.time_of(first)), speed),
        None => String::new(),
    };
    let size = |heat: &Heat| wording::work(&heat.contest.size, heat.contest.unit);
    let head: Vec<String> =
        std::iter::once("time over the fastest's".to_owned()).chain(heats.iter().map(size)).collect();
    let mut rows: Vec<Vec<String>> = names
        .iter()
        .map(|(name, _)| std::iter::once(escape(name)).chain(heats.iter().map(|heat| cell(heat, name))).collect())
        .collect();
    rows.push(std::iter::once("*the fastest does*".to_owned()).chain(heats.iter().map(fastest)).collect());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    Ok(table(&head, &head[1..], &rows).trim_end().to_owned())
}

/// A table of expressions.
fn table_of(text: &str, runs: &[Run]) -> Result<String, String> {
    let mut lines = text.trim().lines();
    let mut columns = lines.next().unwrap_or_default().split('|').map(str::trim);
    let corner = columns.next().unwrap_or_default();
    let columns: Vec<(&str, &str)> = columns.map(|column| column.split_once('=').unwrap_or((column, column))).collect();
    let mut rows = Vec::new();
    for line in lines {
        let (label, expressions) = line.split_once(" = ").ok_or_else(|| format!("no ' = ' in '{line}'"))?;
        let mut row = vec![label.trim().to_owned()];
        for (_, value) in &columns {
            let parts = expressions.split(';').map(|part| {
                let part = part.trim().replace('%', value);
                match part.strip_prefix('?') {
                    Some(part) => Ok(evaluate(part, runs).unwrap_or_default()),
                    None => evaluate(&part, runs),
                }
            });
            row.push(parts.collect::<Result<Vec<_>, _>>().map_err(|why| format!("{line}: {why}"))?.join("; "));
        }
        rows.push(row);
    }
    let head: Vec<&str> = std::iter::once(corner).chain(columns.iter().map(|(head, _)| *head)).collect();
    Ok(table(&head, &head[1..], &rows).trim_end().to_owned())
}

/// A number with three significant digits.
fn digits(x: f64) -> String {
    let before = if x > 0.0 { x.log10().floor() as i32 + 1 } else { 1 };
    format!("{x:.*}", (3 - before).clamp(0, 12) as usize)
}

fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{} ns", digits(ns)),
        ns if ns < 1e6 => format!("{} µs", digits(ns / 1e3)),
        ns => format!("{} ms", digits(ns / 1e6)),
    }
}

fn speed(bytes: f64) -> String {
    if bytes < 1e9 { format!("{} MB/s", digits(bytes / 1e6)) } else { format!("{} GB/s", digits(bytes / 1e9)) }
}

/// The share of probes that were disturbed before a run or a search.
pub(crate) fn disturbed(machine: &Machine) -> Result<String, String> {
    let share = machine.disturbed.ok_or("the file does not say")?;
    Ok(format!("{:.0} %", 100.0 * share))
}

/// `22 November 2026`, from RFC 3339; any other text as it is.
pub(crate) fn date(started: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let day = started.split('T').next().unwrap_or_default();
    let mut parts = day.split('-').map(str::parse::<usize>);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(Ok(year)), Some(Ok(month @ 1..=12)), Some(Ok(day))) => format!("{day} {} {year}", MONTHS[month - 1]),
        _ => escape(started),
    }
}

fn clock(runs: &[Run]) -> String {
    let all = || runs.iter().flat_map(|run| &run.contests).flat_map(ContestResult::clocks);
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    format!("{:.1} to {:.1} GHz", least / 1e3, most / 1e3)
}

/// Every library with its version, but fairlane's own.
fn libraries(runs: &[Run]) -> String {
    let all = runs.iter().flat_map(|run| &run.contests).flat_map(|contest| &contest.contestants);
    let others = all.filter(|c| !c.library.starts_with("fairlane"));
    let names: BTreeSet<String> = others.map(|c| escape(&format!("{} {}", c.library, c.version))).collect();
    wording::list(&names.into_iter().collect::<Vec<_>>())
}

/// How many heats have a verdict of every contestant, and which have not.
fn fit(runs: &[Run]) -> String {
    let all: Vec<&ContestResult> = runs.iter().flat_map(|run| &run.contests).collect();
    let unfit: Vec<String> = all.iter().filter(|heat| !heat.fit).map(|heat| escape(&wording::contest(heat))).collect();
    if unfit.is_empty() {
        return format!("All {} heats have a verdict for every contestant.", all.len());
    }
    format!(
        "Of {} heats {} have a verdict for every contestant. In the others some or all have none, and nothing is said \
         of those: {}.",
        all.len(),
        all.len() - unfit.len(),
        unfit.join("; ")
    )
}

/// What the runs warn of, but for heats without a verdict, and how many samples were dropped; alike warnings together.
fn warnings(runs: &[Run]) -> String {
    let (mut parts, mut loads) = (Vec::new(), Vec::new());
    let (mut moved, mut left_out) = (0, 0);
    for (name, run) in side_by_side::names(runs).iter().zip(runs) {
        let of_run = if runs.len() > 1 { format!(" (run {name})") } else { String::new() };
        for warning in &run.warnings {
            match warning.value() {
                Some(Warning::Load { load, .. }) => loads.push(format!("{load:.1}{of_run}")),
                Some(Warning::Contest { what: Remark::ClockMoved { .. }, .. }) => moved += 1,
                Some(Warning::Contest { what: Remark::ReferencesLeftOut { .. }, .. }) => left_out += 1,
                Some(Warning::Contest {
                    what: Remark::Unfit { .. } | Remark::Noisy { .. } | Remark::Undecided { .. },
                    ..
                }) => {}
                _ => parts.push(format!("{warning}{of_run}")),
            }
        }
    }
    if !loads.is_empty() {
        parts.insert(0, format!("others used the machine at the start, whose load was {}", wording::list(&loads)));
    }
    let heats: Vec<&ContestResult> = runs.iter().flat_map(|run| &run.contests).collect();
    if moved > 0 {
        parts.push(format!("the clock moved by more than 5 % in {moved} of {} heats", heats.len()));
    }
    if left_out > 0 {
        parts.push(format!("references were too slow to be timed in {left_out} heats"));
    }
    let rows = |heat: &&ContestResult| heat.contestants.len() + usize::from(heat.control.is_some());
    let all: usize = heats.iter().map(|heat| rows(heat) * heat.rounds as usize).sum();
    let dropped: usize = heats.iter().map(|heat| heat.dropped as usize).sum();
    parts.push(format!("{:.1} % of all samples were dropped", 100.0 * dropped as f64 / all.max(1) as f64));
    format!("{}.", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_differ_from_one() {
        assert_eq!([digits(0.912), digits(7.5), digits(123.4)], ["0.912", "7.50", "123"]);
        assert_eq!([factor(1.0021, false), factor(1.0021, true), factor(178.2, false)], ["1.002", "1.00", "178"]);
        assert_eq!(
            [speed(741e6), speed(3.986e9), time(121.7), time(2940.0)],
            ["741 MB/s", "3.99 GB/s", "122 ns", "2.94 µs"]
        );
        assert_eq!(date("2026-11-22T17:57:54Z"), "22 November 2026");
    }

    #[test]
    fn words_may_be_quoted() {
        assert_eq!(
            words(" rival sm4/ctr 1KiB \"botan (vendored)\"\n"),
            ["rival", "sm4/ctr", "1KiB", "botan (vendored)"]
        );
        assert_eq!(fill("a {{", &[]), Err("line 1: '{{' without '}}'".to_owned()));
        assert_eq!(fill("a\n{{date A}}", &[]), Err("line 2: {{date A}}: there is no run A".to_owned()));
        assert_eq!(fill("a }} b", &[]), Ok("a }} b".to_owned()));
    }
}
