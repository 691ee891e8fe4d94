//! What a report says of a run as a whole, in sentences and cells of plain text: shared by all documents, each of which
//! escapes it in its own way.

use super::words;
use crate::run::{Build, ContestResult, ContestantResult, Machine, Run, Settings};

/// Everything that a reader should know before believing the numbers.
pub(super) fn warnings(run: &Run) -> Vec<String> {
    let interrupted = run.interrupted.then(|| "Interrupted: only what was measured till then is here.".to_owned());
    run.warnings.iter().cloned().chain(interrupted).collect()
}

/// What the run's warnings say of one contest at one size, without its name. They do not say at how many threads: one
/// that is fit was not called unfit.
pub(super) fn warnings_of<'a>(run: &'a Run, contest: &ContestResult) -> Vec<&'a str> {
    let title = format!("{} {}: ", contest.id, contest.size);
    let of_it = |warning: &&str| !(contest.fit && warning.starts_with("unfit: "));
    run.warnings.iter().filter_map(|warning| warning.strip_prefix(&title)).filter(of_it).collect()
}

/// The machine in one line.
pub(super) fn machine(machine: &Machine) -> String {
    let mut facts = vec![
        machine.cpu.clone(),
        machine.cpu_id.clone(),
        machine.arch.clone(),
        machine.os.clone(),
        format!("{} logical CPUs", machine.cpus),
        format!("clock measured at {:.0} MHz", machine.measured_mhz),
    ];
    facts.extend(machine.hypervisor.as_ref().map(|name| format!("under {name}")));
    facts.extend(machine.governor.as_ref().map(|name| format!("governor {name}")));
    facts.extend(machine.load.map(|load| format!("load {load:.2} at the start")));
    facts.retain(|fact| !fact.is_empty());
    facts.join(", ")
}

/// The build in one line.
pub(super) fn build(fairlane: &str, build: &Build) -> String {
    let flags = match build.rustflags.as_str() {
        "" => "default flags".to_owned(),
        flags => format!("flags {flags}"),
    };
    let profile = words::profile(build);
    let mut line = format!("fairlane {fairlane}, {}, {profile}, {}, {flags}", build.rustc, build.target);
    if !build.features.is_empty() {
        line += &format!(", cargo features {}", build.features.join(" "));
    }
    line
}

/// How it was measured in one line.
pub(super) fn measured(run: &Run) -> String {
    let Settings { seconds_per_contest, confidence, control_limit, pinned_cpu, quick, keep_disturbed, .. } =
        &run.settings;
    let pinned = pinned_cpu.map_or_else(|| "not pinned to a CPU".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    let quick = if *quick { ", quick" } else { "" };
    let kept = if *keep_disturbed { ", disturbed samples kept, so without verdicts" } else { "" };
    let counts = words::counts(&run.settings);
    format!(
        "{}, {seconds_per_contest} s a contest{counts}{quick}, {pinned}{kept}. Contestants ran in turns, in rounds of rotated order; a ratio is the \
         median over the rounds of time over the fastest's time. All intervals of one contest hold together with {} \
         confidence. A contest whose control is off by more than {} is unfit.",
        run.started,
        words::confidence(*confidence),
        words::percent(*control_limit),
    )
}

/// Why there are no cycles, where there are none.
pub(super) fn cycles(run: &Run) -> Option<String> {
    let counted = run.contests.iter().flat_map(|c| &c.contestants).any(|c| c.instructions_per_op.is_some());
    let instructions = if counted { "; instructions were counted by callgrind" } else { "" };
    (!run.machine.pmu).then(|| format!("not counted, for this system offers no performance counters{instructions}."))
}

/// Rounds, drops, control and clock of one contest in one line.
pub(super) fn how_measured(contest: &ContestResult) -> String {
    let ContestResult { rounds, ops_per_sample, dropped, disturbed, mhz: [before, after], .. } = contest;
    let kept = if *disturbed > 0 { format!(" and {disturbed} disturbed ones kept") } else { String::new() };
    let control = match &contest.control {
        Some(control) => format!(
            "control: {} against itself {}, so the floor is {}",
            control.contestant,
            words::ratio(&control.ratio),
            words::percent(control.floor)
        ),
        None => "control not reached".to_owned(),
    };
    format!(
        "{rounds} rounds of {ops_per_sample} operations a sample; {dropped} samples dropped as disturbed{kept}; {control}; \
         clock {before:.0} MHz before, {after:.0} MHz after."
    )
}

/// A column of the table of contestants.
pub(super) struct Column {
    /// What stands above it.
    pub(super) name: &'static str,
    /// Whether its cells are numbers.
    pub(super) number: bool,
    /// Whether it stays when it is blank throughout.
    pub(super) stays: bool,
    /// Whether it tells who a contestant is, and not how it did.
    pub(super) who: bool,
    /// What stands in it.
    pub(super) cell: fn(&ContestantResult) -> String,
}

/// Every column, in order.
pub(super) const COLUMNS: [Column; 12] = [
    number("rank", |c| c.rank.to_string()).stays(),
    text("contestant", |c| c.name.clone()),
    text("library", |c| format!("{} {}", c.library, c.version)).who(),
    text("path", |c| c.backend.clone()).who(),
    number("MB/s", |c| words::megabytes(c.bytes_per_second)),
    number("time/op", |c| words::time(c.ns_per_op)).stays(),
    number("ratio", words::ratio_cell).stays(),
    text("verdict", |c| words::verdict(c.verdict).to_owned()),
    number("allocations/op", |c| words::allocations(c.allocations)).stays(),
    number("cycles/op", |c| c.cycles_per_op.map(words::number).unwrap_or_default()),
    number("instructions/op", |c| c.instructions_per_op.map(words::number).unwrap_or_default()),
    text("labels", |c| words::labels(&c.labels)).who(),
];

const fn number(name: &'static str, cell: fn(&ContestantResult) -> String) -> Column {
    Column { name, number: true, stays: false, who: false, cell }
}

const fn text(name: &'static str, cell: fn(&ContestantResult) -> String) -> Column {
    Column { name, number: false, stays: true, who: false, cell }
}

impl Column {
    const fn stays(self) -> Self {
        Self { stays: true, ..self }
    }

    const fn who(self) -> Self {
        Self { who: true, ..self }
    }

    /// The columns that say something of these contestants.
    pub(super) fn shown(all: &[ContestantResult]) -> Vec<Self> {
        let says = |column: &Self| column.stays || all.iter().any(|c| !(column.cell)(c).is_empty());
        COLUMNS.into_iter().filter(says).collect()
    }
}
