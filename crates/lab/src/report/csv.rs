//! Runs as comma-separated values (RFC 4180): a line for each contestant of each contest, for spreadsheets and scripts.
//!
//! Times and speeds are those of every report: they follow from the ratios. A cell is empty where nothing was measured.

use super::escape::plain;
use super::{side_by_side, wording};
use crate::run::{ContestResult, ContestantResult, Run};
use serde::Serialize;

/// The names of the columns.
pub const HEAD: [&str; 39] = [
    "run",
    "started",
    "cpu",
    "contest",
    "suite",
    "size",
    "threads",
    "unit",
    "bytes_per_op",
    "fit",
    "floor",
    "contestant",
    "function",
    "library",
    "version",
    "backend",
    "labels",
    "rank",
    "verdict",
    "ratio",
    "ratio_low",
    "ratio_high",
    "ns_per_op",
    "bytes_per_second",
    "allocations_per_op",
    "allocated_bytes_per_op",
    "cycles_per_op",
    "instructions_per_op",
    "rounds",
    "samples_kept",
    "ops_per_sample",
    "p99_ns_of_samples",
    "cold_median_ns",
    "cold_p99_ns",
    "cycles_per_byte_by_clock",
    "code_bytes",
    "microjoules_per_op",
    "peak_heap_bytes",
    "peak_stack_bytes",
];

/// The document.
pub fn render(runs: &[Run]) -> String {
    let mut text = line(&HEAD.map(str::to_owned));
    for (run, name) in runs.iter().zip(side_by_side::names(runs)) {
        for contest in &run.contests {
            text.extend(contest.contestants.iter().map(|c| line(&cells(&name, run, contest, c))));
        }
    }
    text
}

fn cells(name: &str, run: &Run, contest: &ContestResult, c: &ContestantResult) -> [String; 39] {
    let optional = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    [
        name.to_owned(),
        run.started.clone(),
        run.machine.cpu.clone(),
        contest.id.to_string(),
        contest.suite.clone(),
        contest.size.to_string(),
        contest.threads.to_string(),
        word(&contest.unit),
        contest.bytes_per_op.to_string(),
        contest.fit.to_string(),
        optional(contest.control.as_ref().map(|control| control.floor)),
        c.name.clone(),
        c.function.clone(),
        c.library.clone(),
        c.version.clone(),
        c.backend.clone(),
        c.labels.iter().map(word).collect::<Vec<_>>().join(" "),
        c.rank.to_string(),
        word(&c.verdict),
        c.ratio.estimate.to_string(),
        c.ratio.low.to_string(),
        c.ratio.high.to_string(),
        contest.time_of(c).to_string(),
        optional(contest.speed_of(c)),
        optional(c.allocations.map(|made| made.count)),
        optional(c.allocations.map(|made| made.bytes)),
        optional(c.cycles_per_op),
        optional(c.instructions_per_op),
        contest.rounds.to_string(),
        c.samples.iter().flatten().count().to_string(),
        contest.ops_of(c).to_string(),
        optional(c.sample_within(0.99)),
        optional(c.cold_within(0.5)),
        optional(c.cold_within(0.99)),
        optional(contest.cycles_per_byte_of(c)),
        wording::bytes(c.code_bytes),
        optional(c.microjoules_per_op),
        wording::bytes(c.peak_heap_bytes),
        wording::bytes(c.peak_stack_bytes),
    ]
}

/// A value of few, as a run's file spells it.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn line(cells: &[String]) -> String {
    let quoted = |cell: &String| match plain(cell) {
        cell if cell.contains(['"', ',']) => format!("\"{}\"", cell.replace('"', "\"\"")),
        cell => cell,
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}
