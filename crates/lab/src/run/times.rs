//! Times and speeds as reports show them: they follow from the ratios, so that no two figures of a contest contradict
//! each other.
//!
//! A contestant's own median is taken over its own rounds, a ratio over the rounds that it shares with the fastest. Two
//! medians of different rounds have a quotient that may lie outside the ratio's interval, so a report shows the
//! fastest's time times the ratio.

use super::{ContestResult, ContestantResult, Ratio};
use crate::engine::statistics::{Comparison, Enclosed};

impl ContestResult {
    /// The clock in MHz before and after the rounds, of each process.
    pub fn clocks(&self) -> impl Iterator<Item = f64> {
        let [before, after] = self.mhz;
        let processes = self.processes.iter().flat_map(|process| process.mhz);
        [before].into_iter().chain(processes).chain([after])
    }

    /// The slowest and the fastest of these, the earlier one first.
    pub(crate) fn clock_extremes(&self) -> [f64; 2] {
        let clocks = || self.clocks().enumerate();
        let least = clocks().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        let most = clocks().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        if least.0 <= most.0 { [least.1, most.1] } else { [most.1, least.1] }
    }

    /// The contestants that were entered twice, each once.
    pub fn controls(&self) -> Vec<&str> {
        let of_processes = self.processes.iter().map(|process| &process.control);
        let mut controls: Vec<&str> = Vec::new();
        for control in self.control.iter().map(|control| &control.contestant).chain(of_processes) {
            if !controls.contains(&control.as_str()) {
                controls.push(control);
            }
        }
        controls
    }

    /// The contestant that all ratios of the contest are relative to.
    pub fn base(&self) -> Option<&ContestantResult> {
        self.contestants.iter().find(|c| c.ratio == Ratio { estimate: 1.0, low: 1.0, high: 1.0 })
    }

    /// The time of an operation in ns: that of the fastest, times the contestant's ratio. A contestant without a ratio
    /// keeps its own median.
    pub fn time_of(&self, contestant: &ContestantResult) -> f64 {
        match self.base() {
            Some(base) if contestant.ratio.estimate.is_finite() => base.ns_per_op * contestant.ratio.estimate,
            _ => contestant.ns_per_op,
        }
    }

    /// The bytes a second of all threads that follow from [`Self::time_of`]; `None` where bytes make no sense.
    pub fn speed_of(&self, contestant: &ContestantResult) -> Option<f64> {
        contestant.bytes_per_second.map(|own| own * contestant.ns_per_op / self.time_of(contestant))
    }

    /// Cycles a byte that follow from [`Self::time_of`] and the clock, which a chain of dependent instructions
    /// measured; `None` where bytes make no sense, or if the clock moved by more than one part in a hundred.
    pub fn cycles_per_byte_of(&self, contestant: &ContestantResult) -> Option<f64> {
        let [before, after] = self.clock_extremes();
        let steady = (before / after - 1.0).abs() < 0.01 && self.bytes_per_op > 0;
        steady.then(|| self.time_of(contestant) * f64::midpoint(before, after) / 1e3 / self.bytes_per_op as f64)
    }

    /// The time of an operation with its interval, which fails with probability `error` at most: what the intervals of
    /// the fastest's time and of the ratio allow. `None` if there are too few rounds.
    pub(crate) fn enclosed_time_of(&self, contestant: &ContestantResult, error: f64) -> Option<Enclosed> {
        let processes = self.by_process();
        let own = || Enclosed::of(&contestant.samples, &processes, error);
        let Some(base) = self.base().filter(|base| base.name != contestant.name) else { return own() };
        match Comparison::of(&contestant.samples, &base.samples, &processes, error / 2.0) {
            Some(Comparison { ratio, enough: true }) => {
                Some(Enclosed::of(&base.samples, &processes, error / 2.0)?.by(ratio))
            }
            Some(_) => None,
            None => own(),
        }
    }
}

impl ContestantResult {
    /// The time in ns of a single call with cold caches that so large a share of the calls does not exceed; `None`
    /// where none was timed.
    pub fn cold_within(&self, share: f64) -> Option<f64> {
        within(self.cold.clone(), share)
    }

    /// The same of an operation in its samples, each of which is a mean over many.
    pub fn sample_within(&self, share: f64) -> Option<f64> {
        within(self.samples.iter().flatten().copied().collect(), share)
    }
}

/// The least of the values that so large a share of them does not exceed.
fn within(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let place = (share * values.len() as f64).ceil() as usize;
    values.get(place.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_values_is_within() {
        let values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_eq!(
            [0.5, 0.99, 1.0].map(|share| within(values.clone(), share)),
            [Some(100.0), Some(198.0), Some(200.0)]
        );
        assert_eq!((within(vec![3.0], 0.01), within(Vec::new(), 0.5)), (Some(3.0), None));
    }
}
