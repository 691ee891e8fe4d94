//! Recomputes what follows from the samples, with the estimator of the race, and compares it with the run.

use super::Findings;
use crate::engine::backends;
use crate::engine::statistics::{self, DRIFT, Judgement, reach};
use crate::run::{Against, ContestResult, ContestantResult, Ratio, Run, RunUnit, Settings};

/// Two computations of one number may differ by this much of it: libraries round logarithms differently, no more.
const ROUNDING: f64 = 1e-9;

pub(super) fn check(run: &Run, contest: &ContestResult, place: &str, findings: &mut Findings) {
    let asked = run.settings.iterations;
    let of_all = contest.contestants.iter().map(|contestant| contest.ops_of(contestant));
    let other = of_all.chain([contest.ops_per_sample]).find(|ops| asked.is_some_and(|asked| asked != *ops));
    let as_asked = contest.contestants.is_empty() || other.is_none();
    let (asked, other) = (asked.unwrap_or_default(), other.unwrap_or_default());
    let what = format!("{other} said, settings.iterations asks for {asked}");
    findings.require(as_asked, format!("{place}.ops_per_sample"), what);
    processes(run, contest, place, findings);
    samples(&run.settings, contest, place, findings);
    for (at, contestant) in contest.contestants.iter().enumerate() {
        speed(contest, contestant, &format!("{place}.contestants[{at}]"), findings);
    }
    judgement(run, contest, place, findings);
}

/// The rounds of several processes add up.
fn processes(run: &Run, contest: &ContestResult, place: &str, findings: &mut Findings) {
    let processes = &contest.processes;
    let rounds: u64 = processes.iter().map(|process| u64::from(process.rounds)).sum();
    for (name, said, ours) in [("reach", contest.reach, reach(processes.len())), ("drift", contest.drift, DRIFT)] {
        let known = said == 0.0 || (said == ours && !processes.is_empty());
        let what = format!("{said} is neither 0 nor, of several processes, {ours}");
        findings.require(known, format!("{place}.{name}"), what);
    }
    let place = format!("{place}.processes");
    let whole = processes.is_empty() || rounds == u64::from(contest.rounds);
    findings.require(whole, &place, format!("{rounds} rounds, but the contest has {}", contest.rounds));
    let (found, said) = (processes.len(), run.settings.processes as usize);
    findings.require(found <= said.max(1), &place, format!("{found}, but settings.processes says {said}"));
    let first = processes.first().zip(contest.control.as_ref());
    let same = first.is_none_or(|(process, control)| process.control == control.contestant);
    findings.require(same, format!("{place}[0].control"), "not the contest's control");
    for (at, process) in processes.iter().enumerate() {
        process.mhz.iter().for_each(|mhz| super::plausible::clock(*mhz, &format!("{place}[{at}].mhz"), findings));
    }
}

/// Every row of samples is one round long a sample, and the dropped ones add up.
fn samples(settings: &Settings, contest: &ContestResult, place: &str, findings: &mut Findings) {
    let mut rows: Vec<(String, &[Option<f64>])> = Vec::new();
    for (at, contestant) in contest.contestants.iter().enumerate() {
        rows.push((format!("{place}.contestants[{at}].samples"), &contestant.samples));
    }
    if let Some(control) = &contest.control {
        rows.push((format!("{place}.control.samples"), &control.samples));
    }
    let (mut all, mut dropped) = (0, 0);
    for (place, row) in rows {
        let rounds = contest.rounds as usize;
        findings.require(row.len() == rounds, &place, format!("{} samples of {rounds} rounds", row.len()));
        let wrong = row.iter().flatten().filter(|ns| !(ns.is_finite() && **ns > 0.0)).count();
        findings.require(wrong == 0, &place, format!("{wrong} samples are no time above 0"));
        all += row.len();
        dropped += row.iter().filter(|sample| sample.is_none()).count();
    }
    let (said, disturbed) = (contest.dropped as usize, contest.disturbed as usize);
    // Where they are kept there are other nulls: what took no time, and all of a process that left the contestant out.
    let kept = disturbed <= if settings.keep_disturbed { all } else { 0 };
    let what =
        format!("{disturbed} of {all} samples, {dropped} dropped: that is not what settings.keep_disturbed says");
    findings.require(kept, format!("{place}.disturbed"), what);
    findings.require(said == dropped, format!("{place}.dropped"), format!("{said} said, {dropped} samples are null"));
}

/// The median time, and the speed that follows from it.
fn speed(contest: &ContestResult, contestant: &ContestantResult, place: &str, findings: &mut Findings) {
    let ns = contestant.ns_per_op;
    match statistics::median(&contestant.samples) {
        Some(median) => {
            findings.require(
                close(ns, median),
                format!("{place}.ns_per_op"),
                format!("{ns} said, the median is {median}"),
            );
        }
        None => findings.require(false, format!("{place}.samples"), "none was kept: nothing was measured"),
    }
    let place = format!("{place}.bytes_per_second");
    match (contest.unit, contestant.bytes_per_second) {
        (RunUnit::Operations, None) => {}
        (RunUnit::Operations, Some(_)) => {
            findings.require(false, place, "a speed in bytes where operations are counted");
        }
        (RunUnit::Bytes, None) => findings.require(false, place, "missing"),
        (RunUnit::Bytes, Some(said)) => {
            let speed = 1e9 * contest.bytes_per_op as f64 / ns * f64::from(contest.threads);
            findings.require(close(said, speed), place, format!("{said} said, bytes and time make {speed}"));
        }
    }
}

/// Ratios, intervals, verdicts, ranks, control and fitness: the race's own judgement of the same samples.
fn judgement(run: &Run, contest: &ContestResult, place: &str, findings: &mut Findings) {
    order(contest, place, findings);
    let Some(control) = &contest.control else {
        findings.require(run.interrupted || contest.contestants.is_empty(), format!("{place}.control"), "missing");
        findings.require(!contest.fit, format!("{place}.fit"), "no contest is fit without a control");
        return;
    };
    let Some(judged) = contest.judged(&run.settings) else {
        let what = format!("'{}' is no contestant here", control.contestant);
        return findings.require(false, format!("{place}.control.contestant"), what);
    };
    if let Some(found) = judged.control {
        ratio(control.ratio, found, &format!("{place}.control.ratio"), findings);
    }
    let floor = format!("{} said, the control makes {}", control.floor, judged.floor);
    findings.require(near(control.floor, judged.floor), format!("{place}.control.floor"), floor);
    let fit = format!("{} said, the samples say {}", contest.fit, judged.fit);
    findings.require(contest.fit == judged.fit, format!("{place}.fit"), fit);
    standings(contest, &judged, place, findings);
    backends(run, contest, place, findings);
}

/// Fairlane's backends against each other; a file from before they were told has none.
fn backends(run: &Run, contest: &ContestResult, place: &str, findings: &mut Findings) {
    let place = format!("{place}.backends");
    let found = backends::against(&contest.contestants, &contest.by_process(), run.settings.confidence);
    let said = &contest.backends;
    if said.is_empty() {
        return;
    }
    let names = |pairs: &[Against]| pairs.iter().map(|p| (p.contestant.clone(), p.against.clone())).collect::<Vec<_>>();
    findings.require(names(said) == names(&found), &place, "not the pairs of backends that stand in this contest");
    for (at, (said, found)) in said.iter().zip(&found).enumerate() {
        ratio(said.speedup, found.speedup, &format!("{place}[{at}].speedup"), findings);
    }
}

fn standings(contest: &ContestResult, judged: &Judgement, place: &str, findings: &mut Findings) {
    for (at, (said, found)) in contest.contestants.iter().zip(&judged.standings).enumerate() {
        let place = format!("{place}.contestants[{at}]");
        if let Some(found) = found.ratio {
            ratio(said.ratio, found, &format!("{place}.ratio"), findings);
        }
        let verdict = format!("{:?} said, ratio and floor allow {:?}", said.verdict, found.verdict);
        findings.require(said.verdict == found.verdict, format!("{place}.verdict"), verdict);
        let rank = format!("{} said, the ratios make {}", said.rank, found.rank);
        findings.require(said.rank == found.rank, format!("{place}.rank"), rank);
    }
}

/// The fastest stands first.
fn order(contest: &ContestResult, place: &str, findings: &mut Findings) {
    for (at, pair) in contest.contestants.windows(2).enumerate() {
        let sorted = pair[0].rank <= pair[1].rank;
        findings.require(sorted, format!("{place}.contestants[{}]", at + 1), "stands behind one of a higher rank");
    }
}

fn ratio(said: Ratio, found: Ratio, place: &str, findings: &mut Findings) {
    let ordered = said.low <= said.estimate && said.estimate <= said.high;
    let spelled = |r: Ratio| format!("{} [{}, {}]", r.estimate, r.low, r.high);
    findings.require(ordered, place, format!("{}: the interval does not hold the estimate", spelled(said)));
    let same = close(said.estimate, found.estimate) && close(said.low, found.low) && close(said.high, found.high);
    findings.require(same, place, format!("{} said, the samples make {}", spelled(said), spelled(found)));
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// For a difference of numbers around 1, whose rounding is that of 1.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING
}
