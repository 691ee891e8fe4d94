//! How a race is run. [`race`] takes a [`Plan`] and returns a [`Run`].
//!
//! A *heat* is one contest at one size and thread count. Each heat goes through the same rooms:
//!
//! 1. `agreement`: who computes the right thing; the others are disqualified by name;
//! 2. `rounds`: interleaved samples on a `crew` of threads, in the order of `order`, watched by `probe`;
//! 3. [`statistics`] and [`backends`]: ratios, intervals, verdicts, ranks;
//! 4. [`allocations`], `pmu`, [`callgrind`]: what an operation asks for besides time, outside the samples.

pub mod agreement;
pub mod allocations;
pub mod backends;
pub mod callgrind;
mod clock;
mod crew;
mod depth;
mod heat;
mod order;
mod pin;
mod pmu;
pub mod probe;
mod rounds;
pub mod statistics;

pub use rounds::Counts;

use crate::contest::{Absent, Contest, Contestant, Size};
use crate::machine;
use crate::run::{ContestResult, Machine, Run, RunUnit, SCHEMA, Settings};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A contest and those who enter it.
pub struct Entry {
    /// The contest.
    pub contest: Contest,
    /// Those who enter; names are unique.
    pub contestants: Vec<Contestant>,
}

/// What is to be raced, and how.
pub struct Plan {
    /// The contests in the order in which they run.
    pub entries: Vec<Entry>,
    /// Sizes to run instead of each contest's own. One that a contest does not take is skipped there.
    pub sizes: Option<Vec<Size>>,
    /// Thread counts: each contest and size runs once with each.
    pub threads: Vec<u32>,
    /// Libraries that are not here: copied into the run.
    pub absent: Vec<Absent>,
    /// Names of the fairlane backends that could enter: copied into the run.
    pub backends: Vec<String>,
    /// Seconds of measuring aimed at for each heat.
    pub seconds_per_contest: f64,
    /// Operations a sample, and before it, if they are not to follow from the contestants' times.
    pub counts: Counts,
    /// Confidence that all intervals of one heat hold together.
    pub confidence: f64,
    /// Take each contest's quick sizes and be content with fewer rounds.
    pub quick: bool,
    /// Copied into the run; what follows from it is the caller's business.
    pub strict: bool,
    /// Keep samples that a neighbour disturbed, and give no verdicts: for a machine that is never quiet.
    pub keep_disturbed: bool,
    /// The control's ratio may differ from 1 by this much before a heat is unfit.
    pub control_limit: f64,
    /// Count instructions with valgrind for contestants that it can run.
    pub callgrind: bool,
    /// The command line that asked for this, as a line that can be run again.
    pub command: String,
}

impl Plan {
    /// A plan with the default settings: one thread, full sizes, 3 seconds a heat, 95 % confidence, 2 % control limit.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            sizes: None,
            threads: vec![1],
            absent: Vec::new(),
            backends: Vec::new(),
            seconds_per_contest: 3.0,
            counts: Counts::default(),
            confidence: 0.95,
            quick: false,
            strict: false,
            keep_disturbed: false,
            control_limit: 0.02,
            callgrind: false,
            command: String::new(),
        }
    }

    /// The sizes that `contest` runs at under this plan.
    pub fn sizes_of(&self, contest: &Contest) -> Vec<Size> {
        match &self.sizes {
            Some(sizes) => sizes.iter().copied().filter(|size| contest.takes(*size)).collect(),
            None if self.quick => contest.quick_sizes.to_vec(),
            None => contest.sizes.to_vec(),
        }
    }

    /// Gives each heat no more time than lets all of them end within about `seconds`, even where neighbours try the
    /// patience of every one.
    pub fn fit_into(&mut self, seconds: f64) {
        let each = seconds / self.heats().max(1) as f64 / f64::from(rounds::PATIENCE);
        self.seconds_per_contest = self.seconds_per_contest.min(each);
    }

    /// How many heats the plan runs.
    pub fn heats(&self) -> usize {
        self.entries.iter().map(|entry| self.sizes_of(&entry.contest).len() * self.threads.len()).sum()
    }
}

/// One contest at one size and thread count, as a [`Watch`] is told of it.
#[derive(Clone, Copy, Debug)]
pub struct Heat {
    /// Its place in the plan, from 0.
    pub index: usize,
    /// Heats in the plan.
    pub total: usize,
    /// The contest's id.
    pub id: &'static str,
    /// The size.
    pub size: Size,
    /// What it counts in.
    pub unit: RunUnit,
    /// Threads that run it at once.
    pub threads: u32,
}

/// Looks on while a race runs: a progress bar, a log. Every method may be left out.
///
/// No method is called between the start and the end of a sample.
pub trait Watch {
    /// A heat begins.
    fn begun(&mut self, heat: &Heat) {
        let _ = heat;
    }

    /// `done` rounds of about `of` are measured. The guess `of` moves while the heat runs.
    fn round(&mut self, done: u32, of: u32) {
        let _ = (done, of);
    }

    /// A heat is over.
    fn finished(&mut self, result: &ContestResult) {
        let _ = result;
    }

    /// A line for the reader, also found in the run's `warnings`.
    fn note(&mut self, line: &str) {
        let _ = line;
    }
}

/// Watches nothing.
impl Watch for () {}

/// Describes the machine as a run does, for who does not race.
pub fn this_machine() -> Machine {
    machine::machine(pmu::Pmu::open().is_some(), 0, machine::load())
}

/// Runs the plan.
///
/// `stop` ends it after the current sample; what was measured till then is kept, and the run says that it was
/// interrupted. The calling thread is pinned to one CPU meanwhile, where the system allows it.
pub fn race(plan: &Plan, watch: &mut dyn Watch, stop: &AtomicBool) -> Run {
    let started = machine::now();
    let load = machine::load();
    let cpus = pin::cpus();
    let pinned = cpus.first().and_then(|cpu| pin::Pinned::to(*cpu));
    let pmu = pmu::Pmu::open();
    let machine = machine::machine(pmu.is_some(), cpus.len(), load);
    let build = machine::build();
    let mut track = heat::Track {
        plan,
        neighbours: HashMap::new(),
        pmu,
        callgrind: false,
        stop,
        watch,
        warnings: Vec::new(),
        cpus,
    };
    if build.is_debug() {
        track.warn(
            "this is a debug build, as no program ships: build with --release unless that is the question".to_owned(),
        );
    }
    if plan.keep_disturbed {
        track.warn(
            "disturbed samples are kept, so there are no verdicts; leave out --keep-disturbed to get them".to_owned(),
        );
    }
    if load.is_some_and(|load| load >= f64::from(machine.cpus)) {
        track.warn(format!(
            "others use this machine: load {:.1} on {} CPUs at the start",
            load.unwrap_or_default(),
            machine.cpus
        ));
    }
    if plan.callgrind {
        match callgrind::available() {
            Ok(()) => track.callgrind = true,
            Err(why) => track.warn(why),
        }
    }
    let contests = heats(plan, &mut track);
    let interrupted = stop.load(Ordering::Relaxed);
    let warnings = track.warnings;
    Run {
        schema: SCHEMA.to_owned(),
        fairlane: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        interrupted,
        machine,
        build,
        settings: Settings {
            seconds_per_contest: plan.seconds_per_contest,
            iterations: plan.counts.iterations,
            warm_up: plan.counts.warm_up,
            confidence: plan.confidence,
            quick: plan.quick,
            strict: plan.strict,
            keep_disturbed: plan.keep_disturbed,
            control_limit: plan.control_limit,
            pinned_cpu: pinned.and(track.cpus.first().copied()),
            planned: plan.heats() as u32,
            backends: plan.backends.clone(),
            command: plan.command.clone(),
        },
        absent: plan.absent.clone(),
        warnings,
        contests,
    }
}

/// All heats, one after the other.
fn heats(plan: &Plan, track: &mut heat::Track<'_>) -> Vec<ContestResult> {
    let total = plan.heats();
    let mut contests = Vec::new();
    let mut index = 0;
    for entry in &plan.entries {
        let id = entry.contest.id;
        let unit = RunUnit::from(entry.contest.unit);
        let sizes = plan.sizes_of(&entry.contest);
        if sizes.is_empty() {
            track.warn(format!("{id} takes {}: none of the sizes given fits it", entry.contest.takes_what()));
        }
        for size in sizes {
            for threads in &plan.threads {
                if track.stop.load(Ordering::Relaxed) {
                    return contests;
                }
                let heat = Heat { index, total, id, size, unit, threads: (*threads).max(1) };
                index += 1;
                track.watch.begun(&heat);
                if let Some(result) = track.run(&heat, entry) {
                    track.watch.finished(&result);
                    contests.push(result);
                }
            }
        }
    }
    contests
}
