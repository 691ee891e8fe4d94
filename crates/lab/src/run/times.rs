//! Times and speeds as reports show them: they follow from the ratios, so that no two figures of a contest contradict
//! each other.
//!
//! A contestant's own median is taken over its own rounds, a ratio over the rounds that it shares with the fastest. Two
//! medians of different rounds have a quotient that may lie outside the ratio's interval, so a report shows the
//! fastest's time times the ratio.

use super::{ContestResult, ContestantResult, Ratio};
use crate::engine::statistics::{Comparison, Enclosed};

impl ContestResult {
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

    /// The time of an operation with its interval, which fails with probability `error` at most: what the intervals of
    /// the fastest's time and of the ratio allow. `None` if there are too few rounds.
    pub(crate) fn enclosed_time_of(&self, contestant: &ContestantResult, error: f64) -> Option<Enclosed> {
        let own = || Enclosed::of(&contestant.samples, error);
        let Some(base) = self.base().filter(|base| base.name != contestant.name) else { return own() };
        match Comparison::of(&contestant.samples, &base.samples, &self.process_rounds(), error / 2.0) {
            Some(Comparison { ratio, enough: true }) => Some(Enclosed::of(&base.samples, error / 2.0)?.by(ratio)),
            Some(_) => None,
            None => own(),
        }
    }
}
