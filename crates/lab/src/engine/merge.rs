//! Several processes' runs of one race, joined: their samples one after the other, judged together.
//!
//! Where code, stack and heap lie is drawn anew for every process, and so is much of what a kernel's speed hangs on.
//! What one process finds is exact for that process only.

use super::statistics::{DRIFT, reach};
use crate::run::{ContestResult, ContestantResult, ProcessPart, Remark, Run, Settings, Text, Warning};
use std::collections::BTreeSet;

/// Joins the runs of one race by several processes, in their order. The command is that of the race.
///
/// # Panics
///
/// If there is no run.
pub fn merge(parts: &[Run], command: String) -> Run {
    let mut run = parts.first().expect("the run of a process").clone();
    if parts.len() == 1 {
        run.settings.command = command;
        run.seal();
        return run;
    }
    let sum = |of: fn(&Settings) -> f64| parts.iter().map(|part| of(&part.settings)).sum();
    run.settings = Settings {
        processes: parts.len() as u32,
        seconds_per_contest: sum(|settings| settings.seconds_per_contest),
        patience: sum(|settings| settings.patience),
        command,
        ..run.settings
    };
    run.interrupted = parts.iter().any(|part| part.interrupted);
    let shares: Vec<f64> = parts.iter().filter_map(|part| part.machine.disturbed).collect();
    run.machine.disturbed = (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64);

    run.contests.clear();
    let mut told = Vec::new();
    for plan in plan(parts) {
        let found: Vec<&ContestResult> = parts.iter().filter_map(|part| find(part, plan)).collect();
        let (contest, warnings) = joined(&found, lost(parts, plan), &run.settings, run.interrupted);
        told.extend(left_out_by_all(parts, &contest).map(|what| about(&contest, what)));
        told.extend(warnings);
        run.contests.push(contest);
    }
    let mut warnings: Vec<Text<Warning>> = run.doubts().into_iter().map(Text::of).collect();
    let kept = parts.iter().flat_map(|part| &part.warnings).filter(|warning| !is_of_one_process(warning));
    for warning in kept.cloned().chain(told.into_iter().map(Text::of)) {
        if !warnings.iter().any(|other| **other == *warning) {
            warnings.push(warning);
        }
    }
    run.warnings = warnings;
    run.seal();
    run
}

/// Every contest that one of them held, in the order in which it was raced.
fn plan(parts: &[Run]) -> Vec<&ContestResult> {
    // Where a process was interrupted, another may have held more.
    parts.iter().map(|part| &part.contests).max_by_key(|contests| contests.len()).into_iter().flatten().collect()
}

fn find<'a>(part: &'a Run, wanted: &ContestResult) -> Option<&'a ContestResult> {
    let key = |contest: &ContestResult| (contest.id.to_string(), contest.size.to_string(), contest.threads);
    part.contests.iter().find(|contest| key(contest) == key(wanted))
}

/// What the processes' warnings say of a contest.
fn remarks<'a>(parts: &'a [Run], contest: &'a ContestResult) -> impl Iterator<Item = &'a Remark> + 'a {
    parts.iter().flat_map(|part| &part.warnings).filter_map(move |warning| match warning.value() {
        Some(Warning::Contest { id, size, what }) if *id == contest.id && *size == contest.size => Some(what),
        _ => None,
    })
}

/// Rounds of the processes that could not judge a contest, because their control had no samples.
fn lost(parts: &[Run], contest: &ContestResult) -> u32 {
    let rounds = |what: &Remark| match what {
        Remark::ControlDisturbed { rounds } => *rounds,
        _ => 0,
    };
    remarks(parts, contest).map(rounds).sum()
}

/// Contestants that no process has samples of, though some tried, with the first reason that was given.
fn left_out_by_all<'a>(parts: &'a [Run], contest: &'a ContestResult) -> impl Iterator<Item = Remark> + 'a {
    let mut names = BTreeSet::new();
    remarks(parts, contest).filter_map(move |what| {
        let name = match what {
            // Where nobody was timed, another remark says so.
            Remark::ContestantDisturbed { name } if !contest.contestants.is_empty() => name,
            Remark::ContestantTooShort { name } => name,
            _ => return None,
        };
        let known = contest.contestants.iter().any(|own| own.name == *name)
            || contest.disqualified.iter().any(|wrong| wrong.name == *name);
        (!known && names.insert(name)).then(|| what.clone())
    })
}

/// A warning about a contest.
fn about(contest: &ContestResult, what: Remark) -> Warning {
    Warning::Contest { id: contest.id.clone(), size: contest.size.clone(), what }
}

/// Whether all processes together may say otherwise.
fn is_of_one_process(warning: &Text<Warning>) -> bool {
    match warning.value() {
        Some(Warning::Contest { what, .. }) => matches!(
            what,
            Remark::Unfit { .. }
                | Remark::Noisy { .. }
                | Remark::Undecided { .. }
                | Remark::ClockMoved { .. }
                | Remark::ControlDisturbed { .. }
                | Remark::ContestantDisturbed { .. }
                | Remark::ContestantTooShort { .. }
        ),
        // Said again of the run as a whole.
        Some(Warning::Load { .. }) => true,
        _ => false,
    }
}

/// One contest as several processes held it, and the warnings about it. Some could not judge `lost` rounds of it.
fn joined(found: &[&ContestResult], lost: u32, settings: &Settings, stopped: bool) -> (ContestResult, Vec<Warning>) {
    let mut contest = found[0].clone();
    contest.disqualified = Vec::new();
    for disqualified in found.iter().flat_map(|part| &part.disqualified) {
        if !contest.disqualified.iter().any(|other| other.name == disqualified.name) {
            contest.disqualified.push(disqualified.clone());
        }
    }
    // Those that judged nobody have no samples.
    let held: Vec<&ContestResult> = found.iter().copied().filter(|part| part.control.is_some()).collect();
    let Some(first) = held.first() else {
        let nobody = (lost > 0).then(|| about(&contest, Remark::ControlDisturbed { rounds: lost }));
        return (contest, nobody.into_iter().collect());
    };
    let sum = |of: fn(&ContestResult) -> u32| held.iter().map(|part| of(part)).sum();
    let total = |of: fn(&ContestResult) -> Option<f64>| held.iter().map(|part| of(part)).sum::<Option<f64>>();
    contest = ContestResult {
        rounds: sum(|part| part.rounds),
        disturbed: sum(|part| part.disturbed),
        mhz: [first.mhz[0], held[held.len() - 1].mhz[1]],
        seconds: total(|part| part.seconds),
        stolen: total(|part| part.stolen).map(|stolen| stolen / held.len() as f64),
        pinned_cpu: first.pinned_cpu,
        processes: held.iter().filter_map(|part| process(part)).collect(),
        reach: reach(held.len()),
        drift: DRIFT,
        control: first.control.clone(),
        contestants: contestants(&held, &contest),
        ..contest
    };
    if let Some(control) = &mut contest.control {
        control.samples =
            held.iter().filter_map(|part| part.control.as_ref()).flat_map(|c| c.samples.clone()).collect();
    }
    let mut warnings = Vec::new();
    match contest.judge(settings) {
        Some(left_out) => {
            warnings.extend(left_out.into_iter().map(|name| Remark::ContestantDisturbed { name }));
            warnings.extend(contest.doubts(settings, stopped));
            contest.ops_per_sample = contest.contestants.first().map_or(0, |fastest| fastest.ops_per_sample);
        }
        None => {
            warnings.push(Remark::ControlDisturbed { rounds: contest.rounds });
            contest = ContestResult {
                contestants: Vec::new(),
                processes: Vec::new(),
                reach: 0.0,
                drift: 0.0,
                control: None,
                fit: false,
                backends: Vec::new(),
                ..contest
            };
            (contest.rounds, contest.dropped, contest.disturbed, contest.ops_per_sample) = (0, 0, 0, 0);
        }
    }
    let warnings = warnings.into_iter().map(|what| about(&contest, what)).collect();
    (contest, warnings)
}

fn process(part: &ContestResult) -> Option<ProcessPart> {
    let control = part.control.as_ref()?.contestant.clone();
    Some(ProcessPart { rounds: part.rounds, control, mhz: part.mhz, pinned_cpu: part.pinned_cpu })
}

/// Every contestant that was never disqualified, with the samples of all processes; nulls where one left it out.
fn contestants(held: &[&ContestResult], contest: &ContestResult) -> Vec<ContestantResult> {
    let mut all: Vec<ContestantResult> = Vec::new();
    for one in held.iter().flat_map(|part| &part.contestants) {
        let known = all.iter().any(|other| other.name == one.name);
        let wrong = contest.disqualified.iter().any(|other| other.name == one.name);
        if known || wrong {
            continue;
        }
        let (mut all_samples, mut cold) = (Vec::new(), Vec::new());
        let (mut peak_heap_bytes, mut peak_stack_bytes) = (None, None);
        let mut ops = u64::MAX;
        for part in held {
            let found = part.contestants.iter().find(|other| other.name == one.name);
            ops = ops.min(found.map_or(u64::MAX, |own| own.ops_per_sample));
            match found {
                Some(own) => {
                    all_samples.extend_from_slice(&own.samples);
                    cold.extend_from_slice(&own.cold);
                    peak_heap_bytes = peak_heap_bytes.max(own.peak_heap_bytes);
                    peak_stack_bytes = peak_stack_bytes.max(own.peak_stack_bytes);
                }
                None => all_samples.resize(all_samples.len() + part.rounds as usize, None),
            }
        }
        all.push(ContestantResult {
            samples: all_samples,
            ops_per_sample: ops,
            cold,
            peak_heap_bytes,
            peak_stack_bytes,
            ..one.clone()
        });
    }
    all
}
