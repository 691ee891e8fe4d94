//! What a search found, in words.

use super::found::{ContestLeaks, Control, Leaks, Searched, State, StateFound, Verdict, found_from, samples, telling};
use crate::contest::Label;
use crate::report::numbers;
use crate::report::wording::{list, work};
use crate::run::{ContestResult, LeakFound, RunUnit};

/// What stands above the columns of [`row`].
pub const COLUMNS: [&str; 5] = ["CONTESTANT", "TOLD APART", "DIFFERENCE, ns", "FOUND FROM", "SAMPLES"];

/// What the columns mean, a sentence each.
pub const LEGEND: &str = "TOLD APART: whether the times of the two classes differ. DIFFERENCE: how much longer the \
    second class takes, with its 95 % interval; with *, while the first cache was emptied before. FOUND FROM: the \
    smallest detectable shift of one class's times (95 % power), in ns. Not told apart does not \
    mean constant-time: see docs/leak.md.";

/// A contest, its size and its classes: `sm4/gcm-open, 64 B: key fixed or random`.
pub fn heading(contest: &ContestLeaks) -> String {
    let ContestLeaks { id, size, secret, classes: [first, second], .. } = contest;
    let unit = if size.contains('x') { RunUnit::Operations } else { RunUnit::Bytes };
    format!("{id}, {}: {secret}, {first} or {second}", work(size, unit))
}

/// A contestant's row.
pub fn row(one: &Searched) -> Vec<String> {
    let apart = match (one.verdict, &one.failed) {
        (Verdict::Failed, why) => why.as_deref().unwrap_or_default().to_owned(),
        (Verdict::ToldApart, _) if one.labels.contains(&Label::ConstantTime) => "yes, against its label".to_owned(),
        (verdict, _) => short(verdict).to_owned(),
    };
    cells(&one.name, apart, one.verdict, &one.states)
}

/// A control's row.
pub fn control_row(control: &Control) -> Vec<String> {
    let apart = format!("{}, {}", short(control.verdict), must(control));
    cells(&control.name, apart, control.verdict, &control.states)
}

/// Whether a control is as it must be.
pub(super) fn must(control: &Control) -> &'static str {
    if control.behaves() { "as it must be" } else { "as it must not be" }
}

/// What stands above the columns of [`control_row`].
pub const CONTROL_COLUMNS: [&str; 5] = ["CONTROL", "TOLD APART", "DIFFERENCE, ns", "FOUND FROM", "SAMPLES"];

fn short(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::ToldApart => "yes",
        Verdict::NotToldApart => "no",
        Verdict::Undecided => "undecided",
        Verdict::Failed => "failed",
    }
}

fn cells(name: &str, apart: String, verdict: Verdict, states: &[StateFound]) -> Vec<String> {
    let difference = telling(verdict, states).map_or_else(String::new, |found| {
        let emptied = if found.state == State::Emptied { "*" } else { "" };
        difference(found) + emptied
    });
    let from = found_from(states).map_or_else(String::new, ns);
    let count = match samples(states) {
        0 => String::new(),
        count => numbers::number(count as f64),
    };
    vec![name.to_owned(), apart, difference, from, count]
}

/// By how many nanoseconds the second class takes longer, with its interval.
pub(super) fn difference(found: &StateFound) -> String {
    let difference = &found.finding.difference_ns;
    let [estimate, low, high] = [difference.estimate, difference.low, difference.high].map(ns);
    format!("{estimate} [{low}, {high}]")
}

/// A verdict in words.
pub fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::ToldApart => "told apart",
        Verdict::NotToldApart => "not told apart",
        Verdict::Undecided => "undecided",
        Verdict::Failed => "not measured",
    }
}

/// Nanoseconds with as many places as say something.
pub(super) fn ns(ns: f64) -> String {
    let text = match ns.abs() {
        size if size < 9.995 => format!("{ns:.2}"),
        size if size < 99.95 => format!("{ns:.1}"),
        _ => format!("{ns:.0}"),
    };
    // No zero has a sign.
    let zero = text.trim_start_matches('-').chars().all(|c| "0.".contains(c));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// The cell of a report's column.
pub fn cell(leak: Option<&LeakFound>) -> String {
    match leak {
        None => String::new(),
        Some(LeakFound::ToldApart(secrets)) => format!("told apart: {}", secrets.join(", ")),
        Some(LeakFound::NotToldApart(secrets)) => format!("not told apart: {}", secrets.join(", ")),
        Some(LeakFound::Undecided(secrets)) => format!("undecided: {}", secrets.join(", ")),
    }
}

/// The same below a contest's table on a terminal, a line for those of whom the same is said:
/// `secrets by time not told apart: key, message; of fairlane/avx2 and sm4`.
pub fn lines(contest: &ContestResult) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for contestant in &contest.contestants {
        let cell = cell(contestant.leak.as_ref());
        match said.iter_mut().find(|(of, _)| *of == cell) {
            _ if cell.is_empty() => {}
            Some((_, names)) => names.push(&contestant.name),
            None => said.push((cell, vec![&contestant.name])),
        }
    }
    said.into_iter().map(|(cell, names)| format!("secrets by time {cell}; of {}", list(&names))).collect()
}

/// Sentences on how it was searched, and what chance does.
pub fn how(leaks: &Leaks) -> String {
    let settings = &leaks.settings;
    let pairs: usize = leaks.contests.iter().map(|contest| contest.contestants.len()).sum();
    let total: usize =
        leaks.contests.iter().flat_map(|contest| &contest.contestants).map(|one| samples(&one.states)).sum();
    format!(
        "{pairs} pairs of classes, {} clean samples in all. Told apart: a z-score of {:.2} or more in one of {} tests, \
         which chance gives to a pair at a rate of {:e}, and to any of these {pairs} at {:.1e} at most.",
        numbers::number(total as f64),
        settings.threshold,
        settings.tests,
        settings.false_alarms,
        settings.false_alarms * pairs as f64,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_short_and_zero_has_no_sign() {
        assert_eq!([0.0, -0.001, 1.234, -12.34, 123.4].map(ns), ["0.00", "0.00", "1.23", "-12.3", "123"]);
    }
}
