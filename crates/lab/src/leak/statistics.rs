//! Can two classes of secrets be told apart by the times that they take?
//!
//! Each sample's class was drawn by a coin that knows nothing of the time. So, if times do not depend on the class, any
//! other outcome of the coins was as likely. Each of nine numbers (`FEATURES`) is computed for every sample; the
//! difference of its means in the two classes, within groups of samples that were taken shortly after each other, is
//! compared with the spread that other outcomes of the coins would give it, whatever the distribution of the times is.
//! A number is told apart if its difference is more than so many times that spread that chance does so with the stated
//! rate; the rate is divided by the number of tests.

use std::iter::once;
use std::ops::Range;

/// What a sample's time is turned into. The first six say at which part of the distribution the classes differ, the
/// other three by how much.
const FEATURES: [Feature; 9] = [
    Feature::Above(0.10),
    Feature::Above(0.30),
    Feature::Above(0.50),
    Feature::Above(0.70),
    Feature::Above(0.90),
    Feature::Above(0.99),
    Feature::Cut(0.75),
    Feature::Cut(0.90),
    Feature::Cut(0.99),
];

/// The cut with which differences are told in nanoseconds.
const TOLD: Feature = Feature::Cut(0.90);

/// How many tests are made of the samples in one state of the cache.
pub const TESTS: usize = FEATURES.len();

/// Fewer samples of a class than this tell nothing.
pub const FEWEST: usize = 500;

/// A group has at least as many samples, unless there are fewer in all: the median of a few would follow the classes
/// that they happen to be of, and hide a part of their difference.
const GROUP: usize = 64;

/// The quantile of the normal distribution that power is told with: 95 % lie below.
const POWER: f64 = 1.645;

#[derive(Clone, Copy, PartialEq)]
enum Feature {
    /// 1 for times above this quantile of all times, 0 for others.
    Above(f64),
    /// The time itself; those beyond this quantile, or as far below at the other end, count as the quantile.
    Cut(f64),
}

/// The samples of one contestant in one state of the cache.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Nanoseconds of each.
    pub times: Vec<f64>,
    /// Whether it was of the second class.
    pub second: Vec<bool>,
    /// Where groups end: how many samples there were then. Times are compared within their group, so that a drift of
    /// the machine's speed adds no noise. Samples after the last end belong to the last group.
    ends: Vec<usize>,
}

impl Samples {
    /// Takes in another block.
    pub fn extend(&mut self, block: impl IntoIterator<Item = (f64, bool)>) {
        for (time, second) in block {
            self.times.push(time);
            self.second.push(second);
        }
        if self.times.len() - self.ends.last().unwrap_or(&0) >= GROUP {
            self.ends.push(self.times.len());
        }
    }

    fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let inner = &self.ends[..self.ends.len().saturating_sub(1)];
        let starts = once(0).chain(inner.iter().copied());
        starts.zip(inner.iter().copied().chain(once(self.times.len()))).map(|(start, end)| start..end)
    }
}

/// A difference in nanoseconds with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// Mean of the second class less that of the first.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What the samples in one state of the cache say.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Samples of the first and of the second class.
    pub samples: [usize; 2],
    /// The largest of the nine differences, in units of what chance spreads it by.
    pub score: f64,
    /// Which that is, in words.
    pub by: String,
    /// Median time in nanoseconds.
    pub median_ns: f64,
    /// How much longer the second class takes: the means of times, each tenth at either end cut to where it begins.
    pub difference_ns: Difference,
    /// The smallest shift of all times of one class that would be found in 95 of 100 such measurements; null if all
    /// times are the same, so that there is no telling.
    pub found_from_ns: Option<f64>,
}

/// Looks for a difference of the classes. `threshold` is the score that is called one: see [`threshold`]. None if
/// there are too few samples.
#[must_use]
pub fn examine(samples: &Samples, threshold: f64) -> Option<Finding> {
    let times = centred(samples);
    let second = samples.second.iter().filter(|second| **second).count();
    let counts = [times.len() - second, second];
    if counts.iter().any(|count| *count < FEWEST) {
        return None;
    }
    let mut sorted = times.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut best = (0.0, FEATURES[0]);
    let mut found_from_ns = f64::INFINITY;
    for feature in FEATURES {
        let found = Contrast::of(&feature.of(&times, &sorted), samples);
        if found.by_chance == 0.0 {
            continue;
        }
        let score = found.difference / found.by_chance;
        if score.abs() > f64::abs(best.0) {
            best = (score, feature);
        }
        if let Some(moving) = feature.moving(&times, &sorted) {
            found_from_ns = found_from_ns.min((threshold + POWER) * found.by_chance / moving);
        }
    }
    let Contrast { difference: estimate, error, .. } = Contrast::of(&TOLD.of(&times, &sorted), samples);
    let half = 1.96 * error;
    Some(Finding {
        samples: counts,
        score: best.0.abs(),
        by: best.1.in_words(),
        median_ns: quantile(&sorted, 0.5),
        difference_ns: Difference { estimate, low: estimate - half, high: estimate + half },
        found_from_ns: Some(found_from_ns).filter(|ns| ns.is_finite()),
    })
}

/// The score that chance exceeds with this rate, if so many tests are made together: the normal distribution's quantile
/// of both tails, by bisection.
pub fn threshold(false_alarms: f64, tests: usize) -> f64 {
    let tail = false_alarms / tests as f64 / 2.0;
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if upper_tail(middle) > tail { low = middle } else { high = middle }
    }
    high
}

/// The probability that a normally distributed number exceeds `x`, for x ≥ 0: a continued fraction for far tails, a
/// series near the middle.
fn upper_tail(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let fraction = (1..200).rev().fold(x, |below, n| x + f64::from(n) / below);
    density / fraction
}

/// The times, each less its group's median, plus the median of all.
fn centred(samples: &Samples) -> Vec<f64> {
    let middle = median(&samples.times);
    let mut times = samples.times.clone();
    for group in samples.groups() {
        let shift = middle - median(&times[group.clone()]);
        times[group].iter_mut().for_each(|time| *time += shift);
    }
    times
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// That of a sorted row; 0 of an empty one.
fn quantile(sorted: &[f64], at: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * at).round() as usize).copied().unwrap_or_default()
}

impl Feature {
    fn of(self, times: &[f64], sorted: &[f64]) -> Vec<f64> {
        match self {
            Self::Above(at) => {
                let limit = quantile(sorted, at);
                times.iter().map(|time| f64::from(u8::from(*time > limit))).collect()
            }
            Self::Cut(at) => {
                let (low, high) = (quantile(sorted, 1.0 - at), quantile(sorted, at));
                times.iter().map(|time| time.clamp(low, high)).collect()
            }
        }
    }

    /// Of a shift of all times by a nanosecond, the part by which the mean moves.
    fn moving(self, times: &[f64], sorted: &[f64]) -> Option<f64> {
        let Self::Cut(at) = self else { return None };
        let (low, high) = (quantile(sorted, 1.0 - at), quantile(sorted, at));
        let within = times.iter().filter(|time| **time > low && **time < high).count();
        Some(within as f64 / times.len() as f64).filter(|part| *part > 0.0)
    }

    fn in_words(self) -> String {
        match self {
            Self::Above(at) => format!("share of times above the {:.0} % quantile", 100.0 * at),
            Self::Cut(at) => {
                format!("mean of times cut at the {:.0} and {:.0} % quantiles", 100.0 - 100.0 * at, 100.0 * at)
            }
        }
    }
}

/// The second class's mean less the first's, taken within groups and weighted by how much each says.
struct Contrast {
    difference: f64,
    /// The standard deviation that other outcomes of the coins would give it, the groups' counts of each class being
    /// the same.
    by_chance: f64,
    /// The standard error, whatever the difference and however differently the classes are spread.
    error: f64,
}

impl Contrast {
    fn of(values: &[f64], samples: &Samples) -> Self {
        let coins = samples.second.iter().map(|second| f64::from(u8::from(*second))).collect();
        let [coins, values] = [coins, values.to_vec()].map(|row| less_means(row, samples));
        let squares = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>();
        let weight = squares(&coins);
        let pairs = || coins.iter().zip(&values);
        let difference = pairs().map(|(coin, value)| coin * value).sum::<f64>() / weight;
        let of_group = |group: Range<usize>| {
            squares(&coins[group.clone()]) * squares(&values[group.clone()]) / (group.len() as f64 - 1.0)
        };
        let chance: f64 = samples.groups().map(of_group).sum();
        let rest: f64 = pairs().map(|(coin, value)| (coin * (value - difference * coin)).powi(2)).sum();
        Self { difference, by_chance: chance.sqrt() / weight, error: rest.sqrt() / weight }
    }
}

/// Each number less the mean of its group.
fn less_means(mut row: Vec<f64>, samples: &Samples) -> Vec<f64> {
    for group in samples.groups() {
        let mean = row[group.clone()].iter().sum::<f64>() / group.len() as f64;
        row[group].iter_mut().for_each(|number| *number -= mean);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_tables() {
        for (rate, score) in [(0.05, 1.959_964), (0.01, 2.575_829), (1e-5, 4.417_173), (5.733e-7, 5.0)] {
            assert!((threshold(rate, 1) - score).abs() < 1e-4, "{rate}: {}", threshold(rate, 1));
        }
        assert!(threshold(1e-5, 18) > threshold(1e-5, 9));
    }

    #[test]
    fn both_ways_to_a_tail_agree() {
        assert!((upper_tail(2.999_999) / upper_tail(3.0) - 1.0).abs() < 1e-4);
        assert!((upper_tail(0.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn groups_are_of_64_samples_or_more_and_hold_all() {
        let mut samples = Samples::default();
        assert_eq!(samples.groups().map(|group| group.len()).collect::<Vec<_>>(), [0]);
        for block in [40, 30, 64, 10] {
            samples.extend((0..block).map(|i| (1.0, i % 2 == 0)));
        }
        assert_eq!(samples.groups().collect::<Vec<_>>(), [0..70, 70..144]);
    }

    #[test]
    fn too_few_samples_say_nothing() {
        let mut samples = Samples::default();
        samples.extend((0..900).map(|i| (f64::from(i % 7), i % 2 == 0)));
        assert_eq!(examine(&samples, 5.0), None);
    }

    #[test]
    fn a_clock_that_stands_still_tells_nothing_apart() {
        let mut samples = Samples::default();
        samples.extend((0..2000).map(|i| (20.0, i % 2 == 0)));
        let finding = examine(&samples, 5.0).unwrap();
        assert_eq!((finding.score, finding.difference_ns.estimate), (0.0, 0.0));
        assert_eq!(finding.found_from_ns, None);
    }
}
