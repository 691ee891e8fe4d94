//! Builds the configuration of a race from the arguments: contests, contestants, sizes.

use super::args::Args;
use crate::failure::{Failure, Outcome, complain};
use crate::names::quote;
use fairlane_common::suggest::did_you_mean;
use fairlane_lab::contest::{Absent, Contest, Contestant};
use fairlane_lab::contestants::{plugin, roster};
use fairlane_lab::contests::{default_set, glob, own, select};
use fairlane_lab::engine::{Counts, Entry, RaceConfig};
use fairlane_lab::run::ContestantResult;
use fairlane_lanes::{Backend, Unsupported};
use std::collections::BTreeSet;

/// The seconds of measuring in a race of the default selection. With the check of answers and all its patience, the
/// race takes less than three minutes.
const BUDGET: f64 = 120.0;

/// The configuration that the arguments ask for.
pub(crate) fn config(args: &Args) -> Result<RaceConfig, Failure> {
    let cpus = std::thread::available_parallelism().map_or(u32::MAX, |n| n.get() as u32);
    if let Some(threads) = args.threads.iter().find(|&&threads| threads > cpus) {
        return Err(Failure::Misuse(format!("--threads {threads}: this process may use {cpus} CPUs")));
    }
    let one_thread = [(args.callgrind, "--callgrind"), (args.cold, "--cold"), (args.energy, "--energy")];
    if let Some((_, option)) = one_thread.iter().find(|(asked, _)| *asked && !args.threads.contains(&1)) {
        return Err(Failure::Misuse(format!("{option} counts on one thread only: add 1 to --threads")));
    }
    let wanted: Vec<&str> = args.contests.iter().map(String::as_str).collect();
    for path in &args.contest {
        own::load(path).map_err(Failure::Misuse)?;
    }
    for spec in &args.plugin {
        plugin::load(spec).map_err(Failure::Misuse)?;
    }
    if let Some(other) = &args.against {
        plugin::load_builds(other).map_err(|why| Failure::Misuse(format!("--against: {why}")))?;
    }
    let contests = match wanted.as_slice() {
        [] if !args.plugin.is_empty() => of_plugins(),
        [] if args.list => select(&["*"]),
        [] => Ok(default_set()),
        wanted => select(wanted),
    };
    let contests = contests.map_err(|error| Failure::Misuse(format!("{error} (see fairlane race --list)")))?;
    let (entries, absent) = enter(contests, args)?;

    let mut config = RaceConfig::new(entries);
    config.absent = absent;
    config.sizes = (!args.size.is_empty()).then(|| each_once(&args.size));
    config.threads = each_once(&args.threads);
    config.backends = backends(&config);
    if let Some(seconds) = args.time {
        config.seconds_per_contest = seconds;
    } else if args.is_main() {
        config.fit_into(BUDGET);
    }
    if let Some(process) = args.part {
        config.process = process;
    }
    config.seconds_per_contest /= f64::from(config.process.of);
    config.patience = args.patience / f64::from(config.process.of);
    config.counts = Counts { iterations: args.iterations, warm_up: args.warm_up };
    config.quick = args.quick || (args.is_main() && !args.list);
    config.strict = args.strict;
    config.keep_disturbed = args.keep_disturbed;
    // The first process counts for all: instructions are the same in each, and energy has no interval.
    config.callgrind = args.callgrind && config.process.index == 0;
    config.energy = args.energy && config.process.index == 0;
    config.cold = args.cold;
    config.memory = args.memory;
    config.command = command_line();
    if config.heats() == 0 {
        let sizes: Vec<String> = args.size.iter().map(ToString::to_string).collect();
        let takes = |entry: &Entry| format!("{} takes {}", entry.contest.id, entry.contest.takes_what());
        let takes: Vec<String> = config.entries.iter().map(takes).collect();
        return Err(Failure::Misuse(format!(
            "no chosen contest takes --size {} ({}); see fairlane race --list",
            sizes.join(","),
            takes.join("; ")
        )));
    }
    Ok(config)
}

/// The contests that the plug-ins name. A plug-in that failed is reported here, and listed as unavailable in the run.
fn of_plugins() -> Result<Vec<Contest>, String> {
    let (mut named, failed) = plugin::offered();
    failed.iter().for_each(complain);
    let (all, unknown) = (select(&["*"])?, named.first().cloned());
    named.retain(|name| all.iter().any(|contest| contest.id.to_string() == *name));
    match unknown {
        _ if !named.is_empty() => select(&named),
        Some(name) => Err(format!("a plug-in names '{name}', which is no contest without a --contest FILE")),
        None => Err("no plug-in names a contest".to_owned()),
    }
}

/// The patterns of contestants that may enter; all where there are none.
fn patterns(args: &Args) -> Vec<String> {
    match &args.against {
        Some(_) if args.contestant.is_empty() => plugin::BUILDS.map(|kind| format!("*({kind})")).to_vec(),
        _ => args.contestant.clone(),
    }
}

/// The contests with the contestants that may enter, and the unavailable libraries.
fn enter(contests: Vec<Contest>, args: &Args) -> Result<(Vec<Entry>, Vec<Absent>), Failure> {
    let patterns = patterns(args);
    let mut choice = Choice::new(&args.backend, &patterns)?;
    let mut entries = Vec::new();
    let mut absent: Vec<Absent> = Vec::new();
    for contest in contests {
        let roster = roster(&contest);
        for missing in roster.absent {
            if !absent.contains(&missing) {
                absent.push(missing);
            }
        }
        let contestants = choice.of(roster.contestants);
        if !contestants.is_empty() {
            entries.push(Entry { contest, contestants });
        }
    }
    choice.check("race")?;
    Ok((entries, absent))
}

/// What `--backend` and `--contestant` choose of the contestants of several contests.
pub(crate) struct Choice<'a> {
    backends: &'a [Backend],
    /// The patterns of `--contestant`; all are chosen where there are none.
    patterns: &'a [String],
    /// Those of them that nobody matches so far.
    unmatched: Vec<&'a String>,
    /// The names of all that could be chosen.
    pub(crate) names: BTreeSet<String>,
    libraries: BTreeSet<String>,
    /// Whether somebody was chosen.
    any: bool,
}

impl<'a> Choice<'a> {
    /// Refuses backends that this machine does not have.
    pub(crate) fn new(backends: &'a [Backend], patterns: &'a [String]) -> Result<Self, Failure> {
        if let Some(&backend) = backends.iter().find(|backend| !backend.is_available()) {
            return Err(Failure::Misuse(format!(
                "--backend: {}; fairlane cpu lists the available backends",
                Unsupported(backend)
            )));
        }
        let (unmatched, names, libraries) = (patterns.iter().collect(), BTreeSet::new(), BTreeSet::new());
        Ok(Self { backends, patterns, unmatched, names, libraries, any: false })
    }

    /// The chosen ones of a contest.
    pub(crate) fn of(&mut self, contestants: Vec<Contestant>) -> Vec<Contestant> {
        self.names.extend(contestants.iter().map(|contestant| contestant.name.clone()));
        self.libraries.extend(contestants.iter().map(|contestant| contestant.library.clone()));
        let chosen = |one: &Contestant| self.patterns.is_empty() || self.patterns.iter().any(|glob| matches(glob, one));
        let contestants: Vec<Contestant> =
            contestants.into_iter().filter(|one| allowed(self.backends, one) && chosen(one)).collect();
        self.unmatched.retain(|glob| !contestants.iter().any(|contestant| matches(glob, contestant)));
        self.any |= !contestants.is_empty();
        contestants
    }

    /// Refuses a pattern that has chosen nobody, and that nobody is left to `do_what`.
    pub(crate) fn check(&self, do_what: &str) -> Outcome {
        if let Some(pattern) = self.unmatched.first() {
            let names: Vec<String> = self.names.iter().cloned().collect();
            let libraries: Vec<String> = self.libraries.iter().cloned().collect();
            let meant = did_you_mean(pattern, &[names.as_slice(), &libraries].concat());
            return Err(Failure::Misuse(format!(
                "no contestant is called '{pattern}'{meant}; the names are {}",
                names.join(", ")
            )));
        }
        if !self.any {
            return Err(Failure::Misuse(format!(
                "no contestant is left to {do_what}; leave out --contestant or --backend"
            )));
        }
        Ok(())
    }
}

/// Whether `--backend` allows the contestant. The option restricts fairlane's contestants only, of any build.
fn allowed(backends: &[Backend], contestant: &Contestant) -> bool {
    backends.is_empty()
        || contestant.library.split(' ').next() != Some("fairlane")
        || backends.iter().any(|backend| backend.name() == contestant.backend)
}

/// Whether a `--contestant` pattern matches, ignoring case: the name, the name without the function that begins it in a
/// contest of one job, or the library.
fn matches(pattern: &str, contestant: &Contestant) -> bool {
    matches_one(pattern, [&contestant.name, contestant.implementation(), &contestant.library])
}

/// Whether a pattern matches a contestant of a run, as [`matches`] does.
pub(crate) fn matches_result(pattern: &str, contestant: &ContestantResult) -> bool {
    let implementation = contestant.name.rsplit(": ").next().unwrap_or_default();
    matches_one(pattern, [&contestant.name, implementation, &contestant.library])
}

fn matches_one(pattern: &str, names: [&str; 3]) -> bool {
    let pattern = pattern.to_lowercase();
    names.into_iter().any(|name| glob(&pattern, &name.to_lowercase()))
}

/// The backends of fairlane that take part, each once, best last.
fn backends(config: &RaceConfig) -> Vec<String> {
    let entered = |backend: &&Backend| {
        let mut all = config.entries.iter().flat_map(|entry| &entry.contestants);
        all.any(|contestant| contestant.library == "fairlane" && contestant.backend == backend.name())
    };
    Backend::ALL.iter().filter(entered).map(ToString::to_string).collect()
}

/// The items in their order without repetitions, so that nothing is raced twice.
fn each_once<T: Copy + PartialEq>(items: &[T]) -> Vec<T> {
    let mut once = Vec::new();
    for &item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// The command line, quoted for a shell.
pub(crate) fn command_line() -> String {
    let limit = std::env::var_os("FAIRLANE_BACKEND").filter(|value| !value.is_empty());
    let limit = limit.map(|value| format!("FAIRLANE_BACKEND={}", quote(&value)));
    let args = std::env::args_os().skip(1).map(|arg| quote(&arg));
    limit.into_iter().chain(["fairlane".to_owned()]).chain(args).collect::<Vec<_>>().join(" ")
}
