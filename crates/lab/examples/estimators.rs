//! Which estimator of a ratio errs least? An experiment on the committed runs, for docs/measuring.md:
//! `cargo run --release -p fairlane-lab --example estimators`
//!
//! In every heat one contestant was raced against itself, so that the true ratio is 1. Each estimator is given the same
//! clean rounds of all these pairs; its estimates' distance from 1 is its error.

use fairlane_lab::run::{ContestResult, Run};
use flate2::read::GzDecoder;
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

/// Both samples of a contestant and its twin, ns an operation, in one round.
type Round = (f64, f64);

/// The natural logarithm of the ratio, from rounds.
type Estimator = fn(&[Round]) -> f64;

const ESTIMATORS: [(&str, Estimator); 6] = [
    ("median of the ratios of rounds", |rounds| median(logs(rounds))),
    ("the same of rounds in which both are below their medians", |rounds| {
        let (a, b) = rows(rounds);
        let (a, b) = (median(a), median(b));
        let lower: Vec<Round> = rounds.iter().copied().filter(|round| round.0 <= a && round.1 <= b).collect();
        median(logs(if lower.len() < 5 { rounds } else { &lower }))
    }),
    ("Hodges-Lehmann of the ratios of rounds", |rounds| {
        let logs = logs(rounds);
        let pairs = (0..logs.len()).flat_map(|i| (i..logs.len()).map(move |j| (i, j)));
        median(pairs.map(|(i, j)| f64::midpoint(logs[i], logs[j])).collect())
    }),
    ("middle of the shortest half of the ratios", |rounds| {
        let logs = sorted(logs(rounds));
        let half = logs.len().div_ceil(2).max(1);
        let shortest = logs.windows(half).min_by(|a, b| (a[half - 1] - a[0]).total_cmp(&(b[half - 1] - b[0])));
        shortest.map_or(f64::NAN, |window| window.iter().sum::<f64>() / half as f64)
    }),
    ("ratio of the lower quartiles", |rounds| quantiles(rounds, 4)),
    ("ratio of the lowest deciles", |rounds| quantiles(rounds, 10)),
];

/// Rounds that are used of each heat: what a race of normal length has, and what the longest has.
const ROUNDS: [usize; 2] = [40, 500];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs");
    let mut pairs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".json.gz") {
            let run: Run = serde_json::from_reader(GzDecoder::new(File::open(path)?))?;
            pairs.extend(run.contests.iter().filter_map(with_itself).filter(|rounds| rounds.len() >= 20));
        }
    }
    for most in ROUNDS {
        println!(
            "\n{} heats, the first {most} clean rounds of each: distance of the estimate from 1, in %",
            pairs.len()
        );
        println!("{:58}{:>8}{:>8}{:>8}{:>8}{:>8}", "", "median", "p90", "p97", "max", "rms");
        for (name, estimate) in ESTIMATORS {
            let error = |rounds: &Vec<Round>| 100.0 * estimate(&rounds[..most.min(rounds.len())]).abs();
            let errors = sorted(pairs.iter().map(error).collect());
            let at = |share: f64| errors[((errors.len() - 1) as f64 * share).round() as usize];
            let rms = (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
            println!("{name:58}{:8.3}{:8.3}{:8.3}{:8.3}{rms:8.3}", at(0.5), at(0.9), at(0.97), at(1.0));
        }
    }
    Ok(())
}

/// The rounds of a heat's control in which both samples count.
fn with_itself(contest: &ContestResult) -> Option<Vec<Round>> {
    let (twin, original) = (&contest.control.as_ref()?.samples, contest.originals()?);
    Some(original.iter().zip(twin).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect())
}

fn rows(rounds: &[Round]) -> (Vec<f64>, Vec<f64>) {
    rounds.iter().copied().unzip()
}

fn logs(rounds: &[Round]) -> Vec<f64> {
    rounds.iter().map(|(a, b)| (a / b).ln()).collect()
}

fn quantiles(rounds: &[Round], part: usize) -> f64 {
    let (a, b) = rows(rounds);
    let low = |row| sorted(row)[rounds.len() / part];
    (low(a) / low(b)).ln()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(values: Vec<f64>) -> f64 {
    let values = sorted(values);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}
