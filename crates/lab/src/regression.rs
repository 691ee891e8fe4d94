//! Regressions between two runs: contestants that have surely lost more to the base than a limit allows.

use crate::compare::{Comparison, Matched, Row};
use crate::contests::glob;
use crate::report::numbers;
use std::str::FromStr;

/// How much slower a contestant may become: `2%` or `0.02` in all contests, `keccak256/*=1%` in some.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The contests that it holds for, as a pattern of ids; all where there is none.
    pub contests: Option<String>,
    /// The fraction of its time: 0.02.
    pub fraction: f64,
}

impl Limit {
    /// Whether it holds for a contest.
    fn holds_for(&self, contest: &Matched) -> bool {
        self.contests.as_ref().is_none_or(|pattern| glob(pattern, &contest.contest.id))
    }

    /// The limit of a contest: the last one given whose pattern matches, or else the last one for all contests.
    fn of<'a>(contest: &Matched, limits: &'a [Self]) -> Option<&'a Self> {
        let held = limits.iter().rev().filter(|limit| limit.holds_for(contest));
        held.clone().find(|limit| limit.contests.is_some()).or_else(|| held.clone().next())
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (contests, number) = match text.rsplit_once('=') {
            Some((pattern, number)) => (Some(pattern.to_owned()), number),
            None => (None, text),
        };
        let (number, unit) = number.strip_suffix('%').map_or((number, 1.0), |number| (number.trim_end(), 100.0));
        let fraction = number.parse::<f64>().ok().map(|number| number / unit);
        match fraction.filter(|fraction| (0.0..1.0).contains(fraction)) {
            Some(fraction) => Ok(Self { contests, fraction }),
            None => Err("a limit is a share below 100 %, such as 2%, 0.02 or keccak256/*=1%".to_owned()),
        }
    }
}

/// What may be said of one contestant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It has not surely lost more than its limit.
    Within,
    /// Its whole interval is beyond the limit, and so is the noise floor.
    Regression,
    /// One of the runs gives no verdict in this contest.
    Undecided,
    /// It is the base, or its contest has no limit.
    NotJudged,
}

/// One contestant against its limit.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The contest.
    pub contest: &'a Matched,
    /// The contestant.
    pub row: &'a Row,
    /// The limit of the contest, as a fraction.
    pub limit: Option<f64>,
    /// What may be said.
    pub outcome: Outcome,
}

impl Judged<'_> {
    /// The change in one line: `fairlane/avx2 takes 1.05× [1.04, 1.06] its time in the first run, measured by
    /// keccak-asm; the limit is 2.00 %`.
    pub fn line(&self) -> String {
        let (name, change, base) = (&self.row.name, numbers::ratio(&self.row.change), &self.contest.base);
        let limit = self.limit.map(|limit| format!("; the limit is {}", numbers::percent(limit))).unwrap_or_default();
        format!("{name} takes {change} its time in the first run, measured by {base}{limit}")
    }
}

/// Every contestant of a comparison against the limit of its contest.
pub fn judge<'a>(comparison: &'a Comparison, limits: &[Limit]) -> Vec<Judged<'a>> {
    let judged = |contest: &'a Matched| {
        let limit = Limit::of(contest, limits).map(|limit| limit.fraction);
        contest.rows.iter().map(move |row| {
            let outcome = match limit {
                Some(_) if row.name == contest.base => Outcome::NotJudged,
                Some(_) if contest.floor.is_none() => Outcome::Undecided,
                Some(limit) if row.changed && row.change.low > 1.0 + limit => Outcome::Regression,
                Some(_) => Outcome::Within,
                None => Outcome::NotJudged,
            };
            Judged { contest, row, limit, outcome }
        })
    };
    comparison.contests.iter().flat_map(judged).collect()
}

/// The first pattern of the limits that matches no contest of the comparison.
pub fn unused<'a>(comparison: &Comparison, limits: &'a [Limit]) -> Option<&'a str> {
    let is_used = |limit: &&Limit| comparison.contests.iter().any(|contest| limit.holds_for(contest));
    limits.iter().filter(|limit| !is_used(limit)).find_map(|limit| limit.contests.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_shares_of_some_or_all_contests() {
        let limit = |text: &str| text.parse::<Limit>().map(|limit| (limit.contests, limit.fraction));
        assert_eq!(limit("2%"), Ok((None, 0.02)));
        assert_eq!(limit("0.02"), Ok((None, 0.02)));
        assert_eq!(limit("keccak256/*=1.5 %"), Ok((Some("keccak256/*".to_owned()), 0.015)));
        for wrong in ["2", "-1%", "100%", "much", "sm3/message=", "nan", ""] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }
}
