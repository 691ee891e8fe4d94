//! Where a run's figures come from, in sentences of plain text: machine, build, settings, warnings, and how each
//! contest was measured. Every document escapes them in its own way.

use super::{numbers, wording};
use crate::run::{Build, ContestResult, ContestantResult, Machine, Run, Settings};

/// Everything that a reader should know before believing the numbers.
pub(super) fn warnings(run: &Run) -> Vec<String> {
    let interrupted =
        run.interrupted.then(|| "Interrupted: only the contests that were finished before are here.".to_owned());
    run.warnings.iter().map(ToString::to_string).chain(interrupted).collect()
}

/// What the run's warnings say of one contest at one size, without its name.
pub(super) fn warnings_of(run: &Run, contest: &ContestResult) -> Vec<String> {
    run.remarks_on(contest).map(ToString::to_string).collect()
}

/// The machine in one line.
pub(crate) fn machine(machine: &Machine) -> String {
    let mut facts = vec![
        machine.cpu.clone(),
        machine.cpu_id.clone(),
        machine.arch.clone(),
        machine.os.clone(),
        format!("{} logical CPU{} to run on", machine.cpus, if machine.cpus == 1 { "" } else { "s" }),
        format!("clock measured at {:.0} MHz", machine.measured_mhz),
    ];
    facts.extend(machine.hypervisor.as_ref().map(|name| format!("under {name}")));
    facts.extend(machine.governor.as_ref().map(|name| format!("governor {name}")));
    facts.extend(machine.load.map(|load| format!("load {load:.2} at the start")));
    let disturbed = machine.disturbed.map(|share| format!("{:.0} % of probes disturbed at the start", 100.0 * share));
    facts.extend(disturbed);
    facts.retain(|fact| !fact.is_empty());
    facts.join(", ")
}

/// The build in one line.
pub(crate) fn build(fairlane: &str, build: &Build) -> String {
    let flags = match build.rustflags.as_str() {
        "" => "default flags".to_owned(),
        flags => format!("flags {flags}"),
    };
    let profile = wording::profile(build);
    let mut line = format!("fairlane {fairlane}, {}, {profile}, {}, {flags}", build.rustc, build.target);
    if !build.features.is_empty() {
        line += &format!(", cargo features {}", build.features.join(" "));
    }
    if let Some(commit) = build.commit.get(..12) {
        line += &format!(", commit {commit}");
    }
    line
}

/// How it was measured in one line.
pub(super) fn measured(run: &Run) -> String {
    let Settings {
        seconds_per_contest, processes, confidence, control_limit, pinned_cpu, quick, keep_disturbed, ..
    } = &run.settings;
    let pinned = pinned_cpu.map_or_else(|| "not pinned to a CPU".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    let quick = if *quick { ", quick" } else { "" };
    let kept = if *keep_disturbed { ", disturbed samples kept, so without verdicts" } else { "" };
    let counts = wording::counts(&run.settings);
    let floor = run
        .settings
        .floor_limit
        .map_or_else(String::new, |limit| format!(", or if its noise floor is above {}", numbers::percent(limit)));
    let processes = if *processes > 1 { format!(" in {processes} processes") } else { String::new() };
    format!(
        "{}, {seconds_per_contest} s a contest{processes}{counts}{quick}, {pinned}{kept}. Contestants ran in turns, in \
         rounds of rotated order; a ratio is the median over the rounds of time over the fastest's time. All intervals of one contest hold together with {} \
         confidence. A contest is unfit if its control differs from 1 by more than {}{floor}.",
        run.started,
        numbers::confidence(*confidence),
        numbers::percent(*control_limit),
    )
}

/// Why there are no cycles, where there are none.
pub(super) fn cycles(run: &Run) -> Option<String> {
    let counted = run.contests.iter().flat_map(|c| &c.contestants).any(|c| c.instructions_per_op.is_some());
    let instructions = if counted { "; instructions were counted by callgrind" } else { "" };
    (!run.machine.pmu)
        .then(|| format!("not counted, because this system offers no performance counters{instructions}."))
}

/// What code, heap, stack and energy are, each with its name, where they were counted.
pub(super) fn on_request(run: &Run) -> Vec<(&'static str, &'static str)> {
    let any = |counted: fn(&ContestantResult) -> bool| run.contests.iter().flat_map(|c| &c.contestants).any(counted);
    let code = any(|c| c.code_bytes.is_some()).then_some((
        "Code",
        "the cache lines of 64 bytes, in all object files, whose instructions an operation executed under callgrind.",
    ));
    let energy = any(|c| c.microjoules_per_op.is_some()).then_some((
        "Energy",
        "that of all processor packages while a contestant ran alone, the median of three runs. Idle cores, neighbours \
         and the memory controller are counted too, so only differences between contestants of one heat mean something; \
         there are no intervals, and no verdict follows.",
    ));
    let heap = any(|c| c.peak_heap_bytes.is_some()).then_some((
        "Heap",
        "the most bytes that an operation held at once, beyond those at its start, as the allocator rounds them up.",
    ));
    let stack = any(|c| c.peak_stack_bytes.is_some()).then_some((
        "Stack",
        "how deep an operation wrote, beyond one that does nothing, on the thread that calls it; what it sets aside \
         below that and never writes is not seen.",
    ));
    [code, heap, stack, energy].into_iter().flatten().collect()
}

/// Rounds, drops, control and clock of one contest in one line.
pub(super) fn how_measured(contest: &ContestResult) -> String {
    let ContestResult { rounds, ops_per_sample, dropped, disturbed, .. } = contest;
    let kept = if *disturbed > 0 { format!(" and {disturbed} disturbed ones kept") } else { String::new() };
    let control = match &contest.control {
        Some(control) => {
            let (ratio, floor) = (numbers::ratio(&control.ratio), numbers::percent(control.floor));
            let whose = match contest.controls().as_slice() {
                [one] => format!("control: {one} against itself"),
                several => format!("controls: {} against themselves", wording::list(several)),
            };
            format!("{whose} {ratio}, so the floor is {floor}")
        }
        None => "control not reached".to_owned(),
    };
    let processes = match contest.processes.len() {
        0 | 1 => String::new(),
        several => format!(" in {several} processes"),
    };
    let [before, after] = contest.mhz;
    let clock = match contest.processes.len() {
        0 | 1 => format!("{before:.0} MHz before, {after:.0} MHz after"),
        _ => {
            let [least, most] = [f64::min, f64::max].map(|of| contest.clocks().reduce(of).unwrap_or_default());
            format!("{least:.0} to {most:.0} MHz before and after each")
        }
    };
    format!(
        "{rounds} rounds{processes}, {ops_per_sample} operations in a sample of the fastest; {dropped} samples \
         dropped{kept}; {control}; clock {clock}."
    )
}
