//! Checks that nothing is missing: every contest that was planned, every contestant at every size, every warning.

use super::Findings;
use crate::engine;
use crate::run::{ContestResult, Remark, Run, Warning, clock_moved};
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
        // One without samples is left out, or the whole contest is, and a warning says so.
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
    // As this version says it.
    let said: BTreeSet<String> = run
        .warnings
        .iter()
        .map(|warning| warning.value().map_or_else(|| warning.to_string(), ToString::to_string))
        .collect();
    let mut require = |wanted: &str, earlier: Option<String>| {
        let there = said.contains(wanted) || earlier.is_some_and(|earlier| said.contains(&earlier));
        findings.require(there, "warnings", format!("there is no '{wanted}'"));
    };
    for doubt in run.doubts() {
        require(&doubt.to_string(), None);
    }
    for contest in run.contests.iter().filter(|contest| !contest.contestants.is_empty()) {
        let about = |what: &Remark| format!("{} {}: {what}", contest.id, contest.size);
        for doubt in contest.doubts(&run.settings, run.interrupted) {
            let earlier = match &doubt {
                // They looked only at the first process before and at the last one after, and saw less.
                Remark::ClockMoved { .. } => match clock_moved(contest.mhz) {
                    Some(earlier) => Some(earlier),
                    None => continue,
                },
                // Of several controls they named only the first.
                Remark::Unfit { names, off, limit } => {
                    Some(Remark::Unfit { names: names[..1].to_vec(), off: *off, limit: *limit })
                }
                _ => None,
            };
            require(&about(&doubt), earlier.as_ref().map(about));
        }
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
