//! How a race is run. [`race`] takes a [`RaceConfig`] and returns a [`Run`].
//!
//! A *heat* is one contest at one size and thread count. Each heat has four steps:
//!
//! 1. `agreement`: all contestants answer the same inputs; those with a wrong answer are disqualified;
//! 2. `rounds`: interleaved samples on the threads of `workers`, in the order of `order`, at the places of `placement`
//!    and `stack_offset`, with `probe` between them;
//! 3. `judging`, by [`statistics`] and [`backends`]: ratios, intervals, verdicts, ranks;
//! 4. [`allocations`], `peak_stack`, `pmu`, [`callgrind`], `energy`: allocations and heap, stack, cycles, instructions,
//!    code and energy, counted outside the samples; `cold`: single calls with cold caches.
//!
//! Several processes may each run the whole race for a part of the time; [`merge`] joins their runs.

pub mod agreement;
pub mod allocations;
pub mod backends;
pub mod callgrind;
pub(crate) mod clock;
mod cold;
mod consensus;
mod cores;
mod energy;
mod heat;
mod judging;
mod merge;
mod order;
pub(crate) mod peak_stack;
mod pin;
mod placement;
mod pmu;
pub mod probe;
mod rounds;
mod stack_offset;
pub mod statistics;
mod workers;

use cold::Flush;
pub(crate) use cores::Cores;
use energy::Packages;
pub use merge::merge;
pub use rounds::Counts;

use crate::contest::{Absent, Contest, ContestId, Contestant, Size};
use crate::machine;
use crate::run::{ContestResult, Machine, Run, RunUnit, SCHEMA, Settings, Text, Warning};
use fairlane_common::time;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A contest and its contestants.
pub struct Entry {
    /// The contest.
    pub contest: Contest,
    /// The contestants; names are unique.
    pub contestants: Vec<Contestant>,
}

/// What to race, and how.
pub struct RaceConfig {
    /// The contests in the order in which they run.
    pub entries: Vec<Entry>,
    /// Sizes to run instead of each contest's own. One that a contest does not take is skipped there.
    pub sizes: Option<Vec<Size>>,
    /// Thread counts: each contest and size runs once with each.
    pub threads: Vec<u32>,
    /// Contestants that are unavailable: copied into the run.
    pub absent: Vec<Absent>,
    /// Names of the fairlane backends that could enter: copied into the run.
    pub backends: Vec<String>,
    /// Seconds of measuring aimed at for each heat.
    pub seconds_per_contest: f64,
    /// Seconds that the whole race may take longer to wait for a quiet core, where a heat has too few clean samples in
    /// four times its time.
    pub patience: f64,
    /// Operations in a sample and before it, if they should not follow from the contestants' times.
    pub counts: Counts,
    /// Confidence that all intervals of one heat hold together.
    pub confidence: f64,
    /// Take each contest's quick sizes and be content with fewer rounds.
    pub quick: bool,
    /// Copied into the run; the caller acts on it.
    pub strict: bool,
    /// Keep samples that a neighbour disturbed, and give no verdicts: for a machine that is never quiet.
    pub keep_disturbed: bool,
    /// The control's ratio may differ from 1 by this much before a heat is unfit.
    pub control_limit: f64,
    /// Count instructions and code with valgrind for contestants that it can run.
    pub callgrind: bool,
    /// Also time single calls with cold caches.
    pub cold: bool,
    /// Also count the energy that processor packages take.
    pub energy: bool,
    /// Also tell the most heap and stack that an operation has in use at once.
    pub memory: bool,
    /// The command line, as a line that can be run again.
    pub command: String,
    /// Which of several processes this is.
    pub process: Process,
}

/// One of several processes that run the same race one after the other; [`merge`] joins what they found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number, from 0.
    pub index: u32,
    /// How many there are.
    pub of: u32,
}

impl RaceConfig {
    /// A config with the default settings: one thread, full sizes, 3 seconds a heat, 95 % confidence, 2 % control
    /// limit.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            sizes: None,
            threads: vec![1],
            absent: Vec::new(),
            backends: Vec::new(),
            seconds_per_contest: 3.0,
            patience: 0.0,
            counts: Counts::default(),
            confidence: 0.95,
            quick: false,
            strict: false,
            keep_disturbed: false,
            control_limit: 0.02,
            callgrind: false,
            cold: false,
            energy: false,
            memory: false,
            command: String::new(),
            process: Process { index: 0, of: 1 },
        }
    }

    /// The sizes that `contest` runs at under this config.
    pub fn sizes_of(&self, contest: &Contest) -> Vec<Size> {
        match &self.sizes {
            Some(sizes) => sizes.iter().copied().filter(|size| contest.takes(*size)).collect(),
            None if self.quick => contest.quick_sizes.to_vec(),
            None => contest.sizes.to_vec(),
        }
    }

    /// Limits the time of each heat so that all of them end within about `seconds`, even if every one is extended
    /// because of disturbances.
    pub fn fit_into(&mut self, seconds: f64) {
        let each = seconds / self.heats().max(1) as f64 / f64::from(rounds::PATIENCE);
        self.seconds_per_contest = self.seconds_per_contest.min(each);
    }

    /// The heats in their order, as [`Settings::plan`] spells them.
    fn plan(&self) -> Vec<String> {
        let mut plan = Vec::new();
        for entry in &self.entries {
            for size in self.sizes_of(&entry.contest) {
                plan.extend(self.threads.iter().map(|threads| planned(&entry.contest.id, &size, (*threads).max(1))));
            }
        }
        plan
    }

    /// How many heats the config runs.
    pub fn heats(&self) -> usize {
        self.entries.iter().map(|entry| self.sizes_of(&entry.contest).len() * self.threads.len()).sum()
    }
}

/// A heat as [`Settings::plan`] spells it.
pub(crate) fn planned(id: &dyn fmt::Display, size: &dyn fmt::Display, threads: u32) -> String {
    format!("{id} {size} {threads}")
}

/// One contest at one size and thread count, as an [`Observer`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct Heat {
    /// Its place in the config, from 0.
    pub index: usize,
    /// Heats in the config.
    pub total: usize,
    /// The contest's id.
    pub id: ContestId,
    /// The size.
    pub size: Size,
    /// The unit of its speed.
    pub unit: RunUnit,
    /// Threads that run it at once.
    pub threads: u32,
}

/// Follows a race: a progress bar, a log. Every method is optional.
///
/// No method is called between the start and the end of a sample.
pub trait Observer {
    /// The race begins on this CPU, of whose probes a neighbour disturbs this share.
    fn begins(&mut self, cpu: Option<u32>, disturbed: f64) {
        let _ = (cpu, disturbed);
    }

    /// A heat begins.
    fn begun(&mut self, heat: &Heat) {
        let _ = heat;
    }

    /// `done` rounds of about `of` are measured. The guess `of` moves while the heat runs.
    fn round(&mut self, done: u32, of: u32) {
        let _ = (done, of);
    }

    /// The times in ns that contestants took for an operation in the last round, before it is known which samples
    /// count.
    fn sampled(&mut self, times: &mut dyn Iterator<Item = (&str, f64)>) {
        let _ = times;
    }

    /// A heat is over.
    fn finished(&mut self, result: &ContestResult) {
        let _ = result;
    }

    /// A warning, which the run's `warnings` will hold.
    fn note(&mut self, line: &str) {
        let _ = line;
    }
}

/// Ignores everything.
impl Observer for () {}

/// Describes the machine as a run does, without a race.
pub fn this_machine() -> Machine {
    machine::machine(pmu::Pmu::open().is_some(), 0, machine::load())
}

/// Runs the config.
///
/// `stop` ends it after the current sample; what was measured till then is kept, and the run says that it was
/// interrupted. The calling thread is pinned to one CPU meanwhile, where the system allows it.
pub fn race(config: &RaceConfig, observer: &mut dyn Observer, stop: &AtomicBool) -> Run {
    let started = time::now();
    let load = machine::load();
    let mut cores = Cores::choose();
    let pinned = cores.pinned();
    let disturbed = cores.disturbed();
    observer.begins(pinned, disturbed);
    let pmu = pmu::Pmu::open();
    let machine = Machine { disturbed: Some(disturbed), ..machine::machine(pmu.is_some(), cores.cpus().len(), load) };
    let settings = Settings {
        seconds_per_contest: config.seconds_per_contest,
        processes: 1,
        patience: config.patience,
        iterations: config.counts.iterations,
        warm_up: config.counts.warm_up,
        confidence: config.confidence,
        quick: config.quick,
        strict: config.strict,
        keep_disturbed: config.keep_disturbed,
        control_limit: config.control_limit,
        floor_limit: Some(statistics::FLOOR_LIMIT),
        pinned_cpu: pinned,
        planned: config.heats() as u32,
        plan: config.plan(),
        backends: config.backends.clone(),
        command: config.command.clone(),
    };
    let mut run = Run {
        schema: SCHEMA.to_owned(),
        fairlane: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        interrupted: false,
        machine,
        build: machine::build(),
        settings: settings.clone(),
        absent: config.absent.clone(),
        warnings: Vec::new(),
        contests: Vec::new(),
        seal: None,
        leaks: None,
    };
    let mut session = heat::Session {
        config,
        settings,
        cores,
        patience: Duration::try_from_secs_f64(config.patience).unwrap_or_default(),
        pmu,
        nothing_ns: rounds::nothing_ns(),
        callgrind: false,
        flush: config.cold.then(Flush::new),
        packages: None,
        stop,
        observer,
        warnings: Vec::new(),
    };
    run.doubts().into_iter().for_each(|doubt| session.warn(doubt));
    if config.callgrind {
        match callgrind::available() {
            Ok(()) => session.callgrind = true,
            Err(why) => session.warn(Warning::Other(why)),
        }
    }
    if config.energy {
        match Packages::open(Path::new(energy::FOLDER)) {
            Ok(packages) => session.packages = Some(packages),
            Err(why) => session.warn(Warning::Other(why)),
        }
    }
    run.contests = heats(config, &mut session);
    run.interrupted = stop.load(Ordering::Relaxed);
    run.warnings = session.warnings;
    run.seal();
    run
}

/// All heats, one after the other.
fn heats(config: &RaceConfig, session: &mut heat::Session<'_>) -> Vec<ContestResult> {
    let total = config.heats();
    let mut contests = Vec::new();
    let mut index = 0;
    for entry in &config.entries {
        let id = entry.contest.id;
        let unit = RunUnit::from(entry.contest.unit);
        let sizes = config.sizes_of(&entry.contest);
        if sizes.is_empty() {
            session.warn(Warning::NoSize { id: Text::of(id), takes: entry.contest.takes_what() });
        }
        for size in sizes {
            for threads in &config.threads {
                if session.stop.load(Ordering::Relaxed) {
                    return contests;
                }
                let heat = Heat { index, total, id, size, unit, threads: (*threads).max(1) };
                index += 1;
                session.observer.begun(&heat);
                if let Some(result) = session.run(&heat, entry) {
                    session.observer.finished(&result);
                    contests.push(result);
                }
            }
        }
    }
    contests
}
