//! Many runs of the same contests in the order of time: how contestants moved from commit to commit.
//!
//! As in [`compare`](crate::compare), what is followed are *positions*: a contestant's time over that of a *base* of
//! the same run, paired by round, so that a clock of another speed does not matter. Positions depend on the CPU, so
//! only runs of the latest run's CPU are followed.

use crate::compare::{Key, interval, work_differs};
use crate::engine::statistics::share;
use crate::run::{ContestResult, ContestantResult, Ratio, Run};
use std::cmp::Reverse;

/// What became of contests over many runs.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The runs, earliest first.
    pub runs: Vec<Stamp>,
    /// How many other runs were of another CPU.
    pub elsewhere: usize,
    /// The contests that two of the runs hold at least, in the order of the latest.
    pub tracks: Vec<Track>,
}

/// What names one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The day on which it began, as in `2026-11-24`.
    pub day: String,
    /// The commit that it was built from, seven digits; empty if the run does not say.
    pub commit: String,
}

/// One contest over the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Which one.
    pub contest: Key,
    /// The contestant that all positions are relative to.
    pub base: String,
    /// The contestants that have two points at least, in the order of the latest run.
    pub lines: Vec<Line>,
}

/// One contestant of one contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Where it stood, earliest first.
    pub points: Vec<Point>,
}

/// Where a contestant stood in one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The run's place in [`History::runs`].
    pub run: usize,
    /// Nanoseconds of an operation.
    pub time: f64,
    /// Its time over the base's; all of one contest and run hold together with the run's confidence.
    pub position: Ratio,
}

/// Follows the chosen contestants of the chosen contests. Runs without the base of a contest, or in which its work was
/// another, have no point there.
pub fn follow(
    mut runs: Vec<Run>,
    contests: impl Fn(&str) -> bool,
    contestants: impl Fn(&ContestantResult) -> bool,
) -> History {
    runs.sort_by(|a, b| a.started.cmp(&b.started));
    let all = runs.len();
    if let Some(latest) = runs.last().map(|run| run.machine.clone()) {
        runs.retain(|Run { machine, .. }| (&machine.cpu, &machine.cpu_id) == (&latest.cpu, &latest.cpu_id));
    }
    let mut keys: Vec<Key> = Vec::new();
    for key in runs.iter().rev().flat_map(|run| run.contests.iter().map(Key::of)) {
        if contests(&key.id) && !keys.contains(&key) {
            keys.push(key);
        }
    }
    let tracks = keys.into_iter().filter_map(|key| track(key, &runs, &contestants)).collect();
    let stamp = |run: &Run| Stamp {
        day: run.started.chars().take(10).collect(),
        commit: run.build.commit.chars().take(7).collect(),
    };
    History { runs: runs.iter().map(stamp).collect(), elsewhere: all - runs.len(), tracks }
}

/// A contest in the runs that hold it with the latest one's work; none if no contestant can be followed.
fn track(key: Key, runs: &[Run], wanted: impl Fn(&ContestantResult) -> bool) -> Option<Track> {
    let mut heats: Vec<(usize, f64, &ContestResult)> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        heats.extend(key.find(run).map(|heat| (at, run.settings.confidence, heat)));
    }
    let latest = heats.last()?.2;
    heats.retain(|(_, _, heat)| work_differs(heat, latest).is_none());
    let base = base(&heats)?;
    let mut lines = Vec::new();
    for own in latest.contestants.iter().filter(|own| own.name != base.name && wanted(own)) {
        let points: Vec<Point> = heats
            .iter()
            .filter_map(|&(run, confidence, heat)| {
                let base = heat.contestants.iter().find(|c| is_same(c, base))?;
                let own = heat.contestants.iter().find(|c| c.name == own.name)?;
                let error = share(heat.contestants.len(), confidence);
                let position = interval(heat, &own.samples, &base.samples, error)?;
                Some(Point { run, time: heat.time_of(own), position })
            })
            .collect();
        if points.len() > 1 {
            lines.push(Line { name: own.name.clone(), points });
        }
    }
    let base = base.name.clone();
    (!lines.is_empty()).then_some(Track { contest: key, base, lines })
}

/// The base: an outside library if there is one, since fairlane is what changes; of these the one that most runs have
/// in the same version, then the fastest of the latest.
fn base<'a>(heats: &[(usize, f64, &'a ContestResult)]) -> Option<&'a ContestantResult> {
    let (_, _, latest) = heats.last()?;
    let runs =
        |c: &ContestantResult| heats.iter().filter(|(_, _, h)| h.contestants.iter().any(|o| is_same(o, c))).count();
    let outside = |c: &ContestantResult| !c.library.starts_with("fairlane");
    // The first of those that are alike: contestants stand fastest first.
    latest.contestants.iter().min_by_key(|c| (Reverse(outside(c)), Reverse(runs(c))))
}

/// Whether two contestants are one and the same thing in two runs.
fn is_same(a: &ContestantResult, b: &ContestantResult) -> bool {
    (&a.name, &a.version, &a.backend) == (&b.name, &b.version, &b.backend)
}
