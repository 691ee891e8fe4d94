//! A run as hyperfine's JSON (`hyperfine --export-json`), for the scripts that read it: an entry a contestant and
//! contest.
//!
//! Mean, median and deviation are of the contestant's own samples, in seconds an operation. User and system time were
//! not measured, so they are 0.

use super::wording;
use crate::engine::statistics::median;
use crate::run::{ContestResult, ContestantResult, Run};
use serde_json::{Value, json};

/// The document.
pub fn render(run: &Run) -> String {
    let of = |contest: &'_ ContestResult| contest.contestants.iter().map(|c| entry(contest, c)).collect::<Vec<_>>();
    let results: Vec<Value> = run.contests.iter().flat_map(of).collect();
    format!("{:#}\n", json!({ "results": results }))
}

fn entry(contest: &ContestResult, contestant: &ContestantResult) -> Value {
    let seconds = |ns: f64| ns * 1e-9;
    let times: Vec<f64> = contestant.samples.iter().flatten().copied().map(seconds).collect();
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    json!({
        "command": format!("{}: {}", wording::contest(contest), contestant.name),
        "mean": mean,
        "stddev": (times.len() > 1).then(|| (squares / (count - 1.0)).sqrt()),
        "median": median(&contestant.samples).map(seconds),
        "user": 0.0,
        "system": 0.0,
        "min": times.iter().copied().reduce(f64::min),
        "max": times.iter().copied().reduce(f64::max),
        "times": times,
        "parameters": {
            "contest": *contest.id, "size": *contest.size, "threads": contest.threads.to_string(),
            "contestant": contestant.name,
        },
    })
}
