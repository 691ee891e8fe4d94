//! What a backend brings: fairlane's own backends against each other, from the samples of one heat.
//!
//! Paired by round like every ratio of a race, and not a quotient of two ratios to the fastest, whose errors would add
//! up.

use super::statistics::{Comparison, Processes, share};
use crate::run::{Against, ContestantResult};
use fairlane_lanes::Backend;

/// Every pair of fairlane's backends that compute the same function, the better of the two against the other; those
/// pairs are left out that share too few clean rounds for an interval.
///
/// `contestants` are all of the heat, whose intervals hold together with `confidence`.
pub fn against(contestants: &[ContestantResult], processes: &Processes, confidence: f64) -> Vec<Against> {
    let error = share(contestants.len() + 1, confidence);
    let level = |c: &ContestantResult| Backend::ALL.iter().position(|backend| backend.name() == c.backend);
    let mut own: Vec<(&str, usize, &ContestantResult)> = contestants
        .iter()
        .filter(|c| c.library == "fairlane")
        .filter_map(|c| Some((c.function.as_str(), level(c)?, c)))
        .collect();
    own.sort_by_key(|(function, level, _)| (*function, std::cmp::Reverse(*level)));
    let mut pairs = Vec::new();
    for (at, (function, _, better)) in own.iter().enumerate() {
        for (_, _, other) in own[at + 1..].iter().take_while(|(other, ..)| other == function) {
            let found = Comparison::of(&other.samples, &better.samples, processes, error);
            if let Some(found) = found.filter(|found| found.enough) {
                let (contestant, against) = (better.name.clone(), other.name.clone());
                pairs.push(Against { contestant, against, speedup: found.ratio });
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Ratio, Verdict};

    fn row(name: &str, function: &str, library: &str, ns: f64) -> ContestantResult {
        ContestantResult {
            name: name.to_owned(),
            function: function.to_owned(),
            library: library.to_owned(),
            version: String::new(),
            backend: name.rsplit('/').next().unwrap_or_default().to_owned(),
            labels: Vec::new(),
            how_to_use: String::new(),
            ns_per_op: ns,
            bytes_per_second: None,
            ratio: Ratio { estimate: 1.0, low: 1.0, high: 1.0 },
            verdict: Verdict::Undecided,
            rank: 1,
            allocations: None,
            cycles_per_op: None,
            instructions_per_op: None,
            ops_per_sample: 1,
            // A machine that slows down hits both alike: by rounds the ratio is exact.
            samples: (0..20).map(|round| Some(ns * f64::from(1 + round))).collect(),
            cold: Vec::new(),
            code_bytes: None,
            microjoules_per_op: None,
            peak_heap_bytes: None,
            peak_stack_bytes: None,
            leak: None,
        }
    }

    #[test]
    fn pairs_of_one_function_the_better_first() {
        let all = [
            row("A: fairlane/avx2", "A", "fairlane", 30.0),
            row("B: fairlane/avx2", "B", "fairlane", 7.0),
            row("A: fairlane/avx512", "A", "fairlane", 20.0),
            row("A: other/avx512", "A", "other", 10.0),
            row("A: fairlane/scalar", "A", "fairlane", 60.0),
        ];
        let told: Vec<(String, String, f64)> = against(&all, &Processes::default(), 0.95)
            .into_iter()
            .map(|pair| (pair.contestant, pair.against, pair.speedup.estimate))
            .collect();
        let expected = [("avx512", "avx2", 1.5), ("avx512", "scalar", 3.0), ("avx2", "scalar", 2.0)];
        let name = |backend| format!("A: fairlane/{backend}");
        assert_eq!(told.len(), expected.len(), "{told:?}");
        for ((better, other, speedup), expected) in told.iter().zip(expected) {
            assert_eq!((better, other), (&name(expected.0), &name(expected.1)));
            assert!((speedup - expected.2).abs() < 1e-9, "{told:?}");
        }
    }

    #[test]
    fn too_few_rounds_tell_nothing() {
        let mut all = [row("fairlane/avx2", "A", "fairlane", 2.0), row("fairlane/avx512", "A", "fairlane", 1.0)];
        all[0].samples[4..].fill(None);
        assert_eq!(against(&all, &Processes::default(), 0.95), []);
    }
}
