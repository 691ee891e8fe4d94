//! One run as a Markdown document: what a results page in `docs/` is made of.

use super::verdicts::outcome;
use super::words::{self, escape, table};
use super::{exchange, scaling};
use crate::run::{Build, ContestResult, ContestantResult, Machine, Run, RunKind, Settings};
use std::collections::BTreeMap;

/// The document.
pub fn render(run: &Run) -> String {
    let mut text = format!("# Race on {}\n\n", escape(&run.machine.cpu));
    text += &warnings(run);
    text += &facts(run);
    text += &again(&run.settings.command);
    let mut id = None;
    for contest in &run.contests {
        if id != Some(&contest.id) {
            text += &format!("## {}\n\n{}\n\n", escape(&contest.id), escape(&contest.about));
            if contest.kind == RunKind::OneJob {
                text += &format!("{}\n\n", words::kind(contest));
            }
            id = Some(&contest.id);
        }
        text += &contest_section(contest, &run.settings);
    }
    text += &exchange::render(run);
    text += &scaling::render(run);
    text += &how_to_use(run);
    text += &absent(run);
    text
}

/// Everything that a reader should know before believing the numbers; nothing when there is nothing.
pub(super) fn warnings(run: &Run) -> String {
    let mut lines: Vec<String> = run.warnings.iter().map(|warning| escape(warning)).collect();
    if run.interrupted {
        lines.push("Interrupted: only what was measured till then is here.".to_owned());
    }
    lines.iter().map(|line| format!("> **Warning**: {line}\n\n")).collect()
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
    escape(&facts.join(", "))
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
    escape(&line)
}

/// How it was measured in one line.
fn measured(run: &Run) -> String {
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
        escape(&run.started),
        words::confidence(*confidence),
        words::percent(*control_limit),
    )
}

fn facts(run: &Run) -> String {
    let mut text = format!("- Machine: {}\n", machine(&run.machine));
    if !run.machine.features.is_empty() {
        text += &format!("- CPU features: {}\n", escape(&run.machine.features.join(" ")));
    }
    text += &format!("- Build: {}\n", build(&run.fairlane, &run.build));
    text += &format!("- Measured: {}\n", measured(run));
    if !run.machine.pmu {
        let counted = run.contests.iter().flat_map(|c| &c.contestants).any(|c| c.instructions_per_op.is_some());
        text += "- Cycles: not counted, for this system offers no performance counters";
        text += if counted { "; instructions were counted by callgrind.\n" } else { ".\n" };
    }
    text + "\n"
}

/// The command that makes such a run again.
pub(super) fn again(command: &str) -> String {
    // An indented block needs no escapes.
    format!("Run it again:\n\n    {}\n\n", words::plain(command))
}

fn contest_section(contest: &ContestResult, settings: &Settings) -> String {
    let mut text = format!("### {}\n\n", escape(&words::size_and_threads(&contest.size, contest.threads)));
    text += &format!("{}\n\n", escape(&outcome(contest, settings)));
    if !contest.contestants.is_empty() {
        text += &contestants(contest);
        text.push('\n');
    }
    for line in words::functions(contest).iter().chain(&words::backends(contest)) {
        text += &format!("- {}\n", escape(line));
    }
    if contest.kind == RunKind::OneJob || !contest.backends.is_empty() {
        text.push('\n');
    }
    for out in &contest.disqualified {
        let who = escape(&format!("{} ({} {})", out.name, out.library, out.version));
        text += &format!("**Disqualified**: {who}: {}\n\n", escape(&out.why));
    }
    if !contest.contestants.is_empty() {
        text += &format!("{}\n\n", escape(&how_measured(contest)));
    }
    text
}

/// Rounds, drops, control and clock of one contest in one line.
fn how_measured(contest: &ContestResult) -> String {
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

type Cell = fn(&ContestantResult) -> String;

/// Name, whether it is a number, whether it stays when blank throughout, and what stands in it.
const COLUMNS: [(&str, bool, bool, Cell); 12] = [
    ("rank", true, true, |c| c.rank.to_string()),
    ("contestant", false, true, |c| escape(&c.name)),
    ("library", false, true, |c| escape(&format!("{} {}", c.library, c.version))),
    ("path", false, true, |c| escape(&c.backend)),
    ("MB/s", true, false, |c| words::megabytes(c.bytes_per_second)),
    ("time/op", true, true, |c| words::time(c.ns_per_op)),
    ("ratio", true, true, words::ratio_cell),
    ("verdict", false, true, |c| words::verdict(c.verdict).to_owned()),
    ("allocations/op", true, true, |c| words::allocations(c.allocations)),
    ("cycles/op", true, false, |c| c.cycles_per_op.map(words::number).unwrap_or_default()),
    ("instructions/op", true, false, |c| c.instructions_per_op.map(words::number).unwrap_or_default()),
    ("labels", false, true, |c| words::labels(&c.labels)),
];

fn contestants(contest: &ContestResult) -> String {
    let all = &contest.contestants;
    let shown: Vec<_> =
        COLUMNS.into_iter().filter(|(_, _, stays, cell)| *stays || all.iter().any(|c| !cell(c).is_empty())).collect();
    let head: Vec<&str> = shown.iter().map(|(name, ..)| *name).collect();
    let right: Vec<&str> = shown.iter().filter(|(_, number, ..)| *number).map(|(name, ..)| *name).collect();
    let rows: Vec<Vec<String>> = all.iter().map(|c| shown.iter().map(|(.., cell)| cell(c)).collect()).collect();
    table(&head, &right, &rows)
}

/// One way of a contestant, and the contests that take it.
type Way<'a> = (&'a str, Vec<&'a str>);

/// Each contestant's ways: one library has a call for each algorithm. Only who has several needs to be told where.
fn how_to_use(run: &Run) -> String {
    let mut contestants: BTreeMap<&str, Vec<Way>> = BTreeMap::new();
    for contest in &run.contests {
        for c in contest.contestants.iter().filter(|c| !c.how_to_use.is_empty()) {
            let ways = contestants.entry(&c.name).or_default();
            match ways.iter_mut().find(|(how, _)| *how == c.how_to_use) {
                None => ways.push((&c.how_to_use, vec![&contest.id])),
                Some((_, ids)) if !ids.contains(&contest.id.as_str()) => ids.push(&contest.id),
                Some(_) => {}
            }
        }
    }
    if contestants.is_empty() {
        return String::new();
    }
    let several = contestants.values().any(|ways| ways.len() > 1);
    let mut rows = Vec::new();
    for (name, ways) in &contestants {
        for (how, ids) in ways {
            let contests = if ways.len() > 1 { ids.join(", ") } else { String::new() };
            rows.push(if several {
                vec![escape(name), escape(&contests), escape(how)]
            } else {
                vec![escape(name), escape(how)]
            });
        }
    }
    let head: &[&str] = if several { &["contestant", "contests", "how"] } else { &["contestant", "how"] };
    let note = if several { "Where no contests are named, it is the same in all.\n\n" } else { "" };
    format!("## How to use them\n\n{note}{}\n", table(head, &[], &rows))
}

fn absent(run: &Run) -> String {
    if run.absent.is_empty() {
        return String::new();
    }
    let lines: String = run.absent.iter().map(|a| format!("- {}: {}\n", escape(&a.library), escape(&a.why))).collect();
    format!("## Not here\n\n{lines}\n")
}
