//! How often do intervals miss what other processes find? An experiment for docs/measuring.md, on runs of one process
//! each, 30 or so, of the same contests:
//!
//! ```sh
//! for i in $(seq 30); do fairlane race --processes 1 --time 1 --json $i.json sm4/ctr keccak256/message; done
//! cargo run --release -p fairlane-lab --example processes -- *.json
//! ```
//!
//! The truth is taken to be the median of what all processes say of a ratio. The intervals of one process are compared
//! with it, then those of five processes together, as `fairlane race --processes 5` makes them.

use fairlane_lab::engine::statistics::{Comparison, Samples, share};
use fairlane_lab::report::json;
use fairlane_lab::run::{ContestResult, Run};
use std::error::Error;
use std::path::Path;

/// The samples of two contestants in each process.
type Pair<'a> = Vec<(&'a Samples, &'a Samples)>;

fn main() -> Result<(), Box<dyn Error>> {
    let runs = std::env::args().skip(1).map(|path| json::read(Path::new(&path))).collect::<Result<Vec<Run>, _>>()?;
    let first = runs.first().ok_or("give the JSON files of several races with --processes 1")?;
    println!("{} processes, {} contests", runs.len(), first.contests.len());
    println!(
        "{:12}{:>11}{:>18}{:>11}{:>26}",
        "processes", "intervals", "miss the truth", "contests", "with one that misses"
    );
    for together in [1, 5] {
        let (mut intervals, mut missed, mut heats, mut with_miss) = (0, 0, 0, 0);
        for contest in &first.contests {
            let held: Vec<&ContestResult> = runs.iter().filter_map(|run| find(run, contest)).collect();
            let pairs = pairs(&held);
            let error = share(pairs.len() + 2, first.settings.confidence);
            // For each pair, which of the groups miss.
            let misses: Vec<Vec<bool>> = pairs.iter().map(|pair| misses(pair, together, error)).collect();
            let groups = misses.iter().map(Vec::len).min().unwrap_or(0);
            for group in 0..groups {
                let wrong = misses.iter().filter(|pair| pair[group]).count();
                intervals += misses.len();
                missed += wrong;
                heats += 1;
                with_miss += usize::from(wrong > 0);
            }
        }
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        println!(
            "{together:<12}{intervals:>11}{:>16.1} %{heats:>11}{:>24.1} %",
            share(missed, intervals),
            share(with_miss, heats)
        );
    }
    Ok(())
}

fn find<'a>(run: &'a Run, wanted: &ContestResult) -> Option<&'a ContestResult> {
    run.contests.iter().find(|contest| contest.id == wanted.id && contest.size == wanted.size)
}

/// Every contestant against the fastest of the first process, where all processes timed both.
fn pairs<'a>(held: &[&'a ContestResult]) -> Vec<Pair<'a>> {
    let Some(base) = held.first().and_then(|contest| contest.contestants.first()) else { return Vec::new() };
    let samples = |contest: &'a ContestResult, name: &str| {
        contest.contestants.iter().find(|own| own.name == name).map(|own| own.samples.as_slice())
    };
    let others = held[0].contestants.iter().filter(|own| own.name != base.name);
    others
        .filter_map(|own| {
            held.iter().map(|contest| samples(contest, &own.name).zip(samples(contest, &base.name))).collect()
        })
        .collect()
}

/// For each group of so many processes, whether its interval misses the median of all processes.
fn misses(pair: &Pair<'_>, together: usize, error: f64) -> Vec<bool> {
    let alone = |(a, b): &(&Samples, &Samples)| Some(Comparison::of(a, b, &[], error)?.ratio.estimate);
    let mut estimates: Vec<f64> = pair.iter().filter_map(alone).collect();
    estimates.sort_by(f64::total_cmp);
    let Some(truth) = estimates.get(estimates.len() / 2) else { return Vec::new() };
    let interval = |group: &[(&Samples, &Samples)]| {
        let rounds: Vec<u32> = group.iter().map(|(a, _)| a.len() as u32).collect();
        let join = |of: fn(&(&Samples, &Samples)) -> Vec<Option<f64>>| group.iter().flat_map(of).collect::<Vec<_>>();
        let (a, b) = (join(|pair| pair.0.to_vec()), join(|pair| pair.1.to_vec()));
        Comparison::of(&a, &b, &rounds, error).filter(|found| found.enough).map(|found| found.ratio)
    };
    let groups = pair.chunks_exact(together).filter_map(interval);
    groups.map(|ratio| !(ratio.low..=ratio.high).contains(truth)).collect()
}
