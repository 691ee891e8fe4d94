//! The warnings that follow from what a run holds: the race gives them, and `validate` reports those that are
//! missing.

use super::{ContestResult, Remark, Run, Settings, Verdict, Warning};

/// A change of the clock during a contest by more than this is a warning.
const CLOCK_MOVED: f64 = 0.05;

impl Run {
    /// The warnings about the build, the settings and the machine.
    pub(crate) fn doubts(&self) -> Vec<Warning> {
        let mut doubts = Vec::new();
        if self.build.is_debug() {
            doubts.push(Warning::DebugBuild);
        }
        if self.settings.keep_disturbed {
            doubts.push(Warning::KeepsDisturbed);
        }
        let cpus = self.machine.cpus;
        doubts
            .extend(self.machine.load.filter(|load| *load >= f64::from(cpus)).map(|load| Warning::Load { load, cpus }));
        doubts
    }
}

impl ContestResult {
    /// Whether the twins differ, or may differ, by so much that the contest says nothing, and by how much.
    pub(crate) fn unfit(&self, settings: &Settings) -> Option<Remark> {
        let rules = settings.rules();
        let control = self.control.as_ref()?;
        let off = control.ratio.estimate - 1.0;
        if off.abs() > rules.control_limit {
            let names = self.controls().into_iter().map(str::to_owned).collect();
            return Some(Remark::Unfit { names, off: 100.0 * off, limit: 100.0 * rules.control_limit });
        }
        let noisy = control.floor > rules.floor_limit;
        noisy.then_some(Remark::Noisy { floor: 100.0 * control.floor, limit: 100.0 * rules.floor_limit })
    }

    /// The remarks on a contest that was measured. One that was `stopped` early says nothing of too few rounds.
    pub(crate) fn doubts(&self, settings: &Settings, stopped: bool) -> Vec<Remark> {
        let mut doubts = Vec::new();
        if let Some(unfit) = self.unfit(settings) {
            doubts.push(unfit);
        } else if !stopped
            && !settings.keep_disturbed
            && self.contestants.iter().any(|c| c.verdict == Verdict::Undecided)
        {
            doubts.push(Remark::Undecided { dropped: self.dropped, rounds: self.rounds });
        }
        doubts.extend(clock_moved(self.clock_extremes()));
        doubts
    }
}

/// The remark on a clock of so many MHz before and after, if it moved.
pub(crate) fn clock_moved([before, after]: [f64; 2]) -> Option<Remark> {
    ((after / before - 1.0).abs() > CLOCK_MOVED).then_some(Remark::ClockMoved { before, after })
}
