//! Checks that a run is consistent: [`validate`] recomputes everything that follows from the samples, and checks that
//! the rest is complete and plausible, and the seal unbroken.
//!
//! It cannot know whether the samples themselves were measured: who edits a run with care, and seals it again, passes.
//! Only a signature says who vouches for a run.

mod arithmetic;
mod complete;
mod date;
mod plausible;

use crate::contest::Size;
use crate::engine::statistics::FLOOR_LIMIT;
use crate::report::escape;
use crate::run::{ContestResult, Machine, Run, RunUnit, SCHEMA, Settings};
use fairlane_common::time;
use std::collections::BTreeSet;
use std::fmt;

/// Something in a run that is wrong, impossible or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: `contests[3].contestants[1].ratio`.
    pub place: String,
    /// What is wrong there, in one line.
    pub what: String,
}

/// One line, whatever the names in the file hold.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, escape::plain(&self.what))
    }
}

/// The most findings of a run; a last one says how many more there are.
pub const MOST_FINDINGS: usize = 1000;

/// Everything that is wrong with a run, in the order of its fields; empty for a run as the race wrote it. After
/// [`MOST_FINDINGS`] they are only counted.
pub fn validate(run: &Run) -> Vec<Finding> {
    let mut findings = Findings::default();
    head(run, &mut findings);
    of_machine(&run.machine, &mut findings);
    settings(&run.settings, &mut findings);
    complete::check(run, &mut findings);
    complete::warnings(run, &mut findings);
    for (at, contest) in run.contests.iter().enumerate() {
        let place = format!("contests[{at}]");
        self::contest(contest, &place, &mut findings);
        arithmetic::check(run, contest, &place, &mut findings);
        plausible::check(run, contest, &place, &mut findings);
    }
    if let Some((field, what)) = run.broken_seal() {
        findings.require(false, format!("seal.{field}"), what);
    }
    findings.list()
}

/// Collects findings, and counts those that are too many.
#[derive(Default)]
struct Findings {
    kept: Vec<Finding>,
    more: usize,
}

impl Findings {
    /// Notes `what` of `place` unless `holds`.
    fn require(&mut self, holds: bool, place: impl Into<String>, what: impl Into<String>) {
        if holds {
            return;
        }
        if self.is_full() {
            self.more += 1;
        } else {
            self.kept.push(Finding { place: place.into(), what: escape::short(&what.into()) });
        }
    }

    /// Whether what follows is only counted.
    fn is_full(&self) -> bool {
        self.kept.len() >= MOST_FINDINGS
    }

    fn list(mut self) -> Vec<Finding> {
        if self.more > 0 {
            let what = format!("at least {} more findings, which are not listed", self.more);
            self.kept.push(Finding { place: "run".to_owned(), what });
        }
        self.kept
    }
}

fn head(run: &Run, findings: &mut Findings) {
    let found = &run.schema;
    findings.require(found == SCHEMA, "schema", format!("'{found}' is not '{SCHEMA}', which this version reads"));
    findings.require(!run.fairlane.is_empty(), "fairlane", "no version");
    let date = date::is_utc(&run.started);
    findings.require(date, "started", format!("'{}' is not a date such as 2026-01-31T12:00:00Z", run.started));
    // Clocks and their time zones may be wrong by less than a day.
    let past = !date || run.started < time::from_now(86_400);
    findings.require(past, "started", format!("{} is in the future", run.started));
}

fn of_machine(machine: &Machine, findings: &mut Findings) {
    for (text, name) in [(&machine.arch, "arch"), (&machine.os, "os"), (&machine.cpu, "cpu")] {
        findings.require(!text.is_empty(), format!("machine.{name}"), "empty");
    }
    findings.require(machine.cpus > 0, "machine.cpus", "a race needs a CPU");
    if let Some(load) = machine.load {
        findings.require((0.0..=1e5).contains(&load), "machine.load", format!("{load} is no load average"));
    }
    share(machine.disturbed, "machine.disturbed", findings);
    plausible::clock(machine.measured_mhz, "machine.measured_mhz", findings);
}

/// A part of a whole, if it is known.
fn share(share: Option<f64>, place: impl Into<String>, findings: &mut Findings) {
    let share = share.unwrap_or_default();
    findings.require((0.0..=1.0).contains(&share), place, format!("{share} is no share from 0 to 1"));
}

fn settings(settings: &Settings, findings: &mut Findings) {
    let Settings { seconds_per_contest, confidence, control_limit, .. } = *settings;
    let seconds = seconds_per_contest.is_finite() && seconds_per_contest > 0.0;
    findings.require(
        seconds,
        "settings.seconds_per_contest",
        format!("{seconds_per_contest} is no time to measure for"),
    );
    let patience = settings.patience;
    let bearable = patience.is_finite() && patience >= 0.0;
    findings.require(bearable, "settings.patience", format!("{patience} is no time to wait for"));
    let level = (0.5..1.0).contains(&confidence);
    findings.require(level, "settings.confidence", format!("{confidence} is no confidence from 0.5 to below 1"));
    let limit = control_limit > 0.0 && control_limit < 1.0;
    findings.require(limit, "settings.control_limit", format!("{control_limit} is no limit between 0 and 1"));
    let floor = settings.floor_limit;
    let known = floor.is_none_or(|limit| limit == FLOOR_LIMIT);
    findings.require(known, "settings.floor_limit", format!("{floor:?} is neither null nor {FLOOR_LIMIT}"));
    findings.require(!settings.command.is_empty(), "settings.command", "empty");
}

/// A contest's own fields.
fn contest(contest: &ContestResult, place: &str, findings: &mut Findings) {
    for (text, name) in [(&*contest.id, "id"), (&contest.suite, "suite"), (&contest.about, "about")] {
        findings.require(!text.is_empty(), format!("{place}.{name}"), "empty");
    }
    match contest.size.parse::<Size>() {
        Err(why) => findings.require(false, format!("{place}.size"), why),
        Ok(size) => {
            let spelled = size.to_string();
            let same = contest.size == spelled;
            findings.require(same, format!("{place}.size"), format!("'{}' is written '{spelled}'", contest.size));
            let bytes = if contest.unit == RunUnit::Bytes { size.total() as u64 } else { 0 };
            let what = format!("{} where size and unit make {bytes}", contest.bytes_per_op);
            findings.require(contest.bytes_per_op == bytes, format!("{place}.bytes_per_op"), what);
        }
    }
    findings.require(contest.threads > 0, format!("{place}.threads"), "0 threads ran nothing");
    let timed = contest.ops_per_sample > 0 || contest.contestants.is_empty();
    findings.require(timed, format!("{place}.ops_per_sample"), "0 operations are no sample");

    let mut seen = BTreeSet::new();
    for (at, contestant) in contest.contestants.iter().enumerate() {
        let new = seen.insert(&contestant.name);
        let what = format!("'{}' stands here twice", contestant.name);
        findings.require(new, format!("{place}.contestants[{at}].name"), what);
    }
    for (at, out) in contest.disqualified.iter().enumerate() {
        let new = seen.insert(&out.name);
        let what = format!("'{}' stands here twice, or is timed and disqualified", out.name);
        findings.require(new, format!("{place}.disqualified[{at}].name"), what);
        findings.require(!out.why.is_empty(), format!("{place}.disqualified[{at}].why"), "no reason");
    }
}
