//! A run in the files of criterion 0.5 and later, for tools such as critcmp: of each contestant in each contest
//! `CONTEST/CONTESTANT/SIZE/new/` with `benchmark.json`, `sample.json`, `estimates.json` and `tukey.json`.
//!
//! As criterion does, each contestant is described by its own samples alone, with bootstrapped intervals of 95 %; the
//! race's ratios, which are paired by round, are not in these files. With several processes, whose samples may differ in
//! length, `iters` is the fewest operations that a sample of any of them held, and all times are those of so many.

use super::bootstrap::{self, Estimate, percentile};
use super::wording;
use crate::run::{ContestResult, ContestantResult, Run};
use serde_json::{Value, json};

/// What stands in a file of one contestant.
type Content = fn(&ContestResult, &ContestantResult) -> Value;

/// The files of one benchmark.
const FILES: [(&str, Content); 4] =
    [("benchmark", benchmark), ("sample", sample), ("estimates", estimates), ("tukey", tukey)];

/// One file of a run.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path within the folder of all benchmarks.
    pub path: String,
    contest: usize,
    contestant: usize,
    kind: usize,
}

/// The files of a run.
pub fn files(run: &Run) -> Vec<File> {
    let mut files = Vec::new();
    for (contest, heat) in run.contests.iter().enumerate() {
        for (contestant, c) in heat.contestants.iter().enumerate() {
            let folder = folder(heat, c);
            let file = |(kind, (name, _)): (usize, &(&str, _))| File {
                path: format!("{folder}/new/{name}.json"),
                contest,
                contestant,
                kind,
            };
            files.extend(FILES.iter().enumerate().map(file));
        }
    }
    files
}

/// The content of a file; `None` if the run has no such contestant.
pub fn render(run: &Run, file: &File) -> Option<String> {
    let contest = run.contests.get(file.contest)?;
    Some(format!("{}\n", (FILES.get(file.kind)?.1)(contest, contest.contestants.get(file.contestant)?)))
}

/// Group, function and value, each as criterion makes it safe for a file's name.
fn folder(contest: &ContestResult, contestant: &ContestantResult) -> String {
    let safe = |name: &str| -> String {
        let odd = |c: char| c.is_control() || "?\"/\\*<>:|^".contains(c);
        name.chars()
            .map(|c| if odd(c) { '_' } else { c })
            .take(64)
            .collect::<String>()
            .trim_matches(['.', ' '])
            .to_owned()
    };
    [&contest.id, contestant.name.as_str(), &value(contest)].map(safe).join("/")
}

/// `1024`, `1024x32, 2 threads`.
fn value(contest: &ContestResult) -> String {
    if contest.threads == 1 {
        contest.size.to_string()
    } else {
        format!("{}, {} threads", contest.size, contest.threads)
    }
}

fn benchmark(contest: &ContestResult, contestant: &ContestantResult) -> Value {
    let full = format!("{}/{}/{}", contest.id, contestant.name, value(contest));
    let bytes = contest.bytes_per_op * u64::from(contest.threads);
    json!({
        "group_id": *contest.id, "function_id": contestant.name, "value_str": value(contest),
        "throughput": contestant.bytes_per_second.map(|_| json!({ "Bytes": bytes })),
        "full_id": full, "directory_name": folder(contest, contestant),
        "title": format!("{}: {}", wording::contest(contest), contestant.name),
    })
}

fn kept(contestant: &ContestantResult) -> Vec<f64> {
    contestant.samples.iter().flatten().copied().collect()
}

fn sample(contest: &ContestResult, contestant: &ContestantResult) -> Value {
    let ops = contest.ops_of(contestant) as f64;
    let times: Vec<f64> = kept(contestant).into_iter().map(|ns| ns * ops).collect();
    json!({ "sampling_mode": "Flat", "iters": vec![ops; times.len()], "times": times })
}

fn estimates(_: &ContestResult, contestant: &ContestantResult) -> Value {
    let estimate = |Estimate { point, low, high, error }: &Estimate| {
        json!({
            "confidence_interval": {
                "confidence_level": bootstrap::CONFIDENCE, "lower_bound": low, "upper_bound": high,
            },
            "point_estimate": point, "standard_error": error,
        })
    };
    let [mean, median, median_abs_dev, std_dev] = bootstrap::estimates(&kept(contestant)).each_ref().map(estimate);
    json!({
        "mean": mean, "median": median, "median_abs_dev": median_abs_dev, "slope": null, "std_dev": std_dev,
    })
}

/// The fences of outliers, severe and mild, below and above.
fn tukey(_: &ContestResult, contestant: &ContestantResult) -> Value {
    let ns = &mut kept(contestant);
    let [first, third] = [0.25, 0.75].map(|share| percentile(ns, share));
    let [mild, severe] = [1.5, 3.0].map(|times| times * (third - first));
    json!([first - severe, first - mild, third + mild, third + severe])
}
