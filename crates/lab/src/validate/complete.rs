//! Checks that nothing is missing: every contest that was planned, every contestant at every size, every warning.

use super::Findings;
use crate::engine;
use crate::run::{ContestResult, Remark, Run, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// Every contest that was planned, once, and every contestant at every size of its contest.
pub(super) fn check(run: &Run, findings: &mut Findings) {
    let (held, planned) = (run.contests.len(), run.settings.planned as usize);
    let whole = if run.interrupted { held <= planned } else { held == planned };
    findings.require(whole, "contests", format!("{held} contests where {planned} were planned"));
    let plan = &run.settings.plan;
    if !plan.is_empty() {
        let what = format!("{} contests where settings.planned says {planned}", plan.len());
        findings.require(plan.len() == planned, "settings.plan", what);
        for (at, contest) in run.contests.iter().enumerate() {
            let name = engine::planned(&contest.id, &contest.size, contest.threads);
            let what = format!("'{name}' where '{}' was planned", plan.get(at).map_or("nothing", String::as_str));
            findings.require(plan.get(at) == Some(&name), format!("contests[{at}]"), what);
        }
    }

    let mut seen = BTreeSet::new();
    let mut entered: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (at, contest) in run.contests.iter().enumerate() {
        let new = seen.insert((&*contest.id, &*contest.size, contest.threads));
        findings.require(new, format!("contests[{at}]"), "this contest, size and thread count stands here twice");
        entered.entry(&contest.id).or_default().extend(names(contest));
    }
    if run.interrupted {
        return;
    }
    for (at, contest) in run.contests.iter().enumerate() {
        let here: BTreeSet<&str> = names(contest).collect();
        let all = &entered[contest.id.as_str()];
        if here.len() == all.len() || findings.is_full() {
            continue;
        }
        // One that was disturbed in every round is left out, or the whole contest is, and a warning says so.
        let about = run.warnings.iter().filter_map(|warning| match warning.value() {
            Some(Warning::Contest { id, what, .. }) if *id == contest.id => Some(what),
            _ => None,
        });
        let about: Vec<_> = about.collect();
        if contest.contestants.is_empty() && !about.is_empty() {
            continue;
        }
        for name in all.difference(&here).filter(|name| !about.iter().any(|what| what.leaves_out(name))) {
            let what = format!("'{name}' entered this contest at another size or thread count, but is not here");
            findings.require(false, format!("contests[{at}].contestants"), what);
        }
    }
}

/// Every warning that what the run holds calls for, and none about a contest that is not here.
pub(super) fn warnings(run: &Run, findings: &mut Findings) {
    let mut wanted: Vec<String> = run.doubts().iter().map(ToString::to_string).collect();
    for contest in run.contests.iter().filter(|contest| !contest.contestants.is_empty()) {
        let of_several = !contest.processes.is_empty();
        for mut doubt in contest.doubts(&run.settings, run.interrupted) {
            match &mut doubt {
                // Earlier versions looked only at the first process before, and at the last one after.
                Remark::ClockMoved { .. } if of_several => continue,
                Remark::Unfit { names, .. } => names.truncate(1),
                _ => {}
            }
            wanted.push(format!("{} {}: {doubt}", contest.id, contest.size));
        }
    }
    // As this version says it; of several controls earlier ones named only the first.
    let said: BTreeSet<String> = run
        .warnings
        .iter()
        .map(|warning| match warning.value().cloned() {
            Some(Warning::Contest { id, size, what: Remark::Unfit { mut names, off, limit } }) => {
                names.truncate(1);
                Warning::Contest { id, size, what: Remark::Unfit { names, off, limit } }.to_string()
            }
            Some(known) => known.to_string(),
            None => warning.to_string(),
        })
        .collect();
    for wanted in wanted {
        let there = said.contains(&wanted);
        findings.require(there, "warnings", format!("there is no '{wanted}'"));
    }
    let held: BTreeSet<_> =
        run.contests.iter().map(|contest| (contest.id.to_string(), contest.size.to_string())).collect();
    for (at, warning) in run.warnings.iter().enumerate() {
        if let Some(Warning::Contest { id, size, .. }) = warning.value() {
            let here = held.contains(&(id.to_string(), size.to_string()));
            let what = format!("about {id} {size}, which is not here");
            findings.require(here || run.interrupted, format!("warnings[{at}]"), what);
        }
    }
}

/// All contestants of a contest, timed or disqualified.
fn names(contest: &ContestResult) -> impl Iterator<Item = &str> {
    let timed = contest.contestants.iter().map(|c| c.name.as_str());
    timed.chain(contest.disqualified.iter().map(|d| d.name.as_str()))
}
