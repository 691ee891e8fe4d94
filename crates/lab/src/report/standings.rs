//! Who leads a contest, and whose margin counts.

use crate::run::{ContestResult, ContestantResult, RunKind, Verdict};

/// The leaders of a contest and who comes next.
pub(super) struct Standings<'a> {
    /// The fastest and those that tie with it; empty if there is no verdict.
    pub(super) front: Vec<&'a ContestantResult>,
    /// The best of the slower ones that are somebody else's than all leaders: the margin is its ratio.
    pub(super) next: Option<&'a ContestantResult>,
    /// Those without a verdict.
    pub(super) undecided: Vec<&'a ContestantResult>,
}

impl<'a> Standings<'a> {
    /// The standings of a contest.
    pub(super) fn of(contest: &'a ContestResult) -> Self {
        let with = |verdict| contest.contestants.iter().filter(move |c| c.verdict == verdict);
        let front: Vec<_> = with(Verdict::Fastest).chain(with(Verdict::Tie)).collect();
        let next = with(Verdict::Slower).find(|c| front.iter().all(|leader| is_other(contest, c, leader)));
        Self { next: next.filter(|_| !front.is_empty()), front, undecided: with(Verdict::Undecided).collect() }
    }
}

/// Whether a contestant is somebody else's than `own`: of another library or, where functions race, of another
/// function.
pub(super) fn is_other(contest: &ContestResult, contestant: &ContestantResult, own: &ContestantResult) -> bool {
    match contest.kind {
        RunKind::OneFunction => contestant.library != own.library,
        RunKind::OneJob => contestant.function != own.function,
    }
}
