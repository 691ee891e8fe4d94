//! Checks for values that no machine can produce.

use super::Findings;
use crate::engine::callgrind::LINE;
use crate::engine::peak_stack;
use crate::run::{ContestResult, ContestantResult, Run};
use std::collections::HashMap;

/// Clocks that a CPU may have, in MHz.
const CLOCKS: std::ops::RangeInclusive<f64> = 100.0..=10_000.0;
/// No thread reads memory, its nearest cache included, faster than 100 bytes a nanosecond *and* computes with it.
const LEAST_NS_PER_BYTE: f64 = 0.01;
/// No clock that a program can read tells a shorter sample from nothing.
const SHORTEST_SAMPLE_NS: f64 = 100.0;
/// No core retires 16 instructions a cycle; six times that, for under callgrind a library may take a longer path.
const MOST_INSTRUCTIONS_PER_CYCLE: f64 = 100.0;
/// No machine's packages draw 10 kW: eight of 500 W take less than half of that.
const MOST_WATTS: f64 = 10_000.0;
/// No process has more memory than addresses.
const MOST_HEAP: u64 = 1 << 57;
/// Two clocks, the contest's and that of the samples, may differ by so much.
const ROOM: f64 = 1.01;
/// Rows of samples from this length on are never equal by chance.
const TELLING: usize = 5;

pub(super) fn check(run: &Run, contest: &ContestResult, place: &str, findings: &mut Findings) {
    for (at, mhz) in contest.mhz.iter().enumerate() {
        clock(*mhz, &format!("{place}.mhz[{at}]"), findings);
    }
    super::share(contest.stolen, format!("{place}.stolen"), findings);
    let nothing = contest.nothing_ns.unwrap_or(1.0);
    let what = format!("{nothing} ns is no time of an operation that does nothing");
    findings.require(nothing > 0.0 && nothing < 1e6, format!("{place}.nothing_ns"), what);
    duration(contest, place, findings);
    // Each row of samples with the first contestant that has it.
    let mut rows = HashMap::new();
    for (at, contestant) in contest.contestants.iter().enumerate() {
        let place = format!("{place}.contestants[{at}]");
        speed(run, contest, contestant, &place, findings);
        counts(run, contest, contestant, &place, findings);
        let row: Vec<_> = contestant.samples.iter().map(|sample| sample.map(f64::to_bits)).collect();
        let first = rows.entry(row).or_insert(at);
        if let Some(other) = contest.contestants[..at].get(*first)
            && contestant.samples.len() >= TELLING
        {
            findings.require(false, format!("{place}.samples"), format!("the same as those of '{}'", other.name));
        }
    }
    if let Some(control) = &contest.control {
        let copied = |c: &&ContestantResult| control.samples.len() >= TELLING && c.samples == control.samples;
        if let Some(other) = contest.contestants.iter().find(copied) {
            findings.require(
                false,
                format!("{place}.control.samples"),
                format!("the same as those of '{}'", other.name),
            );
        }
    }
}

pub(super) fn clock(mhz: f64, place: &str, findings: &mut Findings) {
    findings.require(CLOCKS.contains(&mhz), place, format!("{mhz} MHz is no clock of a CPU"));
}

/// The kept samples were taken one after the other within the contest's time.
fn duration(contest: &ContestResult, place: &str, findings: &mut Findings) {
    let Some(seconds) = contest.seconds else { return };
    let time = |samples: &[Option<f64>], ops: u64| samples.iter().flatten().sum::<f64>() * ops as f64;
    let ns: f64 = contest.contestants.iter().map(|own| time(&own.samples, contest.ops_of(own))).sum();
    let samples = 1e-9 * ns;
    let what = format!("the contest took {seconds} s, but its samples make {samples} s");
    findings.require(seconds.is_finite() && samples <= ROOM * seconds, format!("{place}.seconds"), what);
}

/// Not faster than memory, than one clock cycle, than the clock that timed it.
fn speed(run: &Run, contest: &ContestResult, contestant: &ContestantResult, place: &str, findings: &mut Findings) {
    let ns = contestant.ns_per_op;
    let place = format!("{place}.ns_per_op");
    let least = LEAST_NS_PER_BYTE * contest.bytes_per_op as f64;
    findings.require(ns >= least, &place, format!("{ns} ns for {} bytes is faster than memory", contest.bytes_per_op));
    let mhz = contest.mhz.iter().fold(run.machine.measured_mhz, |a, b| a.max(*b));
    findings.require(ns >= 1e3 / mhz, &place, format!("{ns} ns is less than a cycle at {mhz} MHz"));
    let sample = ns * contest.ops_of(contestant) as f64;
    // The user may ask for fewer operations than can be timed well.
    let long = run.settings.iterations.is_some() || sample >= SHORTEST_SAMPLE_NS;
    findings.require(long, &place, format!("a sample of {sample} ns is too short to be timed"));
}

/// Counts that can be counts, and none that this machine could not make.
fn counts(run: &Run, contest: &ContestResult, contestant: &ContestantResult, place: &str, findings: &mut Findings) {
    let count = |x: f64| x.is_finite() && x >= 0.0;
    if let Some(allocations) = contestant.allocations {
        let possible = count(allocations.count) && count(allocations.bytes);
        let sound = possible && (allocations.count > 0.0 || allocations.bytes == 0.0);
        let what = format!("{} calls for {} bytes", allocations.count, allocations.bytes);
        findings.require(sound, format!("{place}.allocations"), what);
    }
    let cold = contestant.cold.iter().all(|ns| count(*ns));
    findings.require(cold, format!("{place}.cold"), "a time that is none");
    if let Some(cycles) = contestant.cycles_per_op {
        let at = format!("{place}.cycles_per_op");
        findings.require(run.machine.pmu, &at, "the machine had no counter of cycles");
        let mhz = 1e3 * cycles / contestant.ns_per_op;
        findings.require(
            CLOCKS.contains(&mhz),
            &at,
            format!("{cycles} cycles in {} ns are {mhz} MHz", contestant.ns_per_op),
        );
    }
    let mhz = contest.mhz.iter().fold(run.machine.measured_mhz, |a, b| a.max(*b));
    let most = MOST_INSTRUCTIONS_PER_CYCLE * contestant.ns_per_op * mhz / 1e3;
    if let Some(instructions) = contestant.instructions_per_op {
        let what = format!("{instructions} in {} ns are more than a core can run", contestant.ns_per_op);
        findings.require(instructions > 0.0 && instructions <= most, format!("{place}.instructions_per_op"), what);
    }
    if let Some(bytes) = contestant.code_bytes {
        // Each line has an instruction that runs.
        let lines = bytes / LINE;
        let sound = bytes > 0 && bytes % LINE == 0 && lines as f64 <= most;
        let what = format!("{bytes} bytes are no cache lines that a core can run in {} ns", contestant.ns_per_op);
        findings.require(sound, format!("{place}.code_bytes"), what);
    }
    if let Some(bytes) = contestant.peak_heap_bytes {
        let sound = contestant.allocations.is_some() && bytes <= MOST_HEAP;
        let what = format!("{bytes} bytes are no heap of a process whose allocations were counted");
        findings.require(sound, format!("{place}.peak_heap_bytes"), what);
    }
    if let Some(bytes) = contestant.peak_stack_bytes {
        let what = format!("{bytes} bytes are more than the stack that was watched");
        findings.require(bytes <= peak_stack::MOST, format!("{place}.peak_stack_bytes"), what);
    }
    if let Some(energy) = contestant.microjoules_per_op {
        let watts = 1e3 * energy / contestant.ns_per_op;
        let what = format!("{energy} µJ in {} ns are {watts} W", contestant.ns_per_op);
        findings.require(watts > 0.0 && watts <= MOST_WATTS, format!("{place}.microjoules_per_op"), what);
    }
}
