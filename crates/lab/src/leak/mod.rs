//! The search for leaks: do two classes of secrets take different times?
//!
//! | file | what it holds |
//! | --- | --- |
//! | `secrets` | what of a contest's inputs is secret, and two classes of it |
//! | `measure` | times one operation with inputs of both classes, drawn for each sample |
//! | [`statistics`] | can the classes be told apart, from which difference on, how often by chance |
//! | `controls` | operations that are known to leak, or not to |
//! | [`found`] | what was found, as plain data: the JSON of `fairlane leak --json`, and the column of a report |
//! | [`wording`] | what was found, in words |
//! | [`page`] | what was found, as a Markdown page made from a template |
//!
//! The idea is that of dudect (Reparaz, Balasch and Verbauwhede, 2017). The operations are those of the race, with the
//! race's clock and its probe for neighbours.

mod controls;
pub mod found;
mod measure;
pub mod page;
mod secrets;
pub mod statistics;
pub mod wording;

pub use secrets::Secret;

use crate::contest::{Contest, Contestant, Label, Operation, Place, Size};
use crate::engine::Cores;
use crate::engine::probe::Neighbour;
use crate::machine;
use controls::{Control, controls};
use fairlane_common::time;
use found::{ContestLeaks, Leaks, SCHEMA, Searched, Settings, State, Verdict};
use measure::{Coins, Measured, Subject, Until, measure};
use secrets::Classes;
use statistics::{TESTS, examine, threshold};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Held while keys are written.
static KEYS: Mutex<()> = Mutex::new(());

/// A contest with the contestants that are searched.
pub struct Entry {
    /// The contest.
    pub contest: Contest,
    /// At which size.
    pub size: Size,
    /// Whose operations.
    pub contestants: Vec<Contestant>,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Config {
    /// Clean samples of each contestant and pair of classes.
    pub samples: usize,
    /// Seconds after which a contestant is left with what it has.
    pub seconds: f64,
    /// The rate at which a contestant whose time does not depend on a secret is called leaky.
    pub false_alarms: f64,
    /// Where the coins begin.
    pub seed: u64,
    /// The command line, as a line that can be run again.
    pub command: String,
}

/// Follows a search. Every method is optional.
pub trait Observer {
    /// A contestant is about to be measured: its number of so many.
    fn begun(&mut self, at: usize, of: usize, name: &str) {
        let _ = (at, of, name);
    }

    /// The controls are measured.
    fn controlled(&mut self, leaks: &Leaks) {
        let _ = leaks;
    }

    /// All contestants of a contest and a secret are measured.
    fn finished(&mut self, contest: &ContestLeaks) {
        let _ = contest;
    }
}

/// Ignores everything.
impl Observer for () {}

/// Searches all entries. `stop` ends the search after the current block; what was measured till then is kept.
///
/// No other thread of the process may run a contestant's operation meanwhile: keys are written where all read them.
pub fn search(config: &Config, entries: &[Entry], observer: &mut dyn Observer, stop: &AtomicBool) -> Leaks {
    let _keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    let started = time::now();
    let load = machine::load();
    let mut cores = Cores::choose();
    let pinned = cores.pinned();
    let disturbed = cores.disturbed();
    let mut known = cores.neighbours(1);
    let machine =
        crate::run::Machine { disturbed: Some(disturbed), ..machine::machine(false, cores.cpus().len(), load) };
    let of = entries.iter().map(|entry| entry.contestants.len() * Secret::of(entry.contest.id).len()).sum();
    let mut search = Search {
        config,
        threshold: threshold(config.false_alarms, 2 * TESTS),
        neighbour: &mut known[0],
        coins: Coins(config.seed),
        stop,
        done: 0,
        of,
    };
    let settings = Settings {
        samples: config.samples,
        seconds: config.seconds,
        false_alarms: config.false_alarms,
        threshold: search.threshold,
        tests: 2 * TESTS,
        seed: config.seed,
        pinned_cpu: pinned,
        command: config.command.clone(),
    };
    let mut leaks = Leaks {
        schema: SCHEMA.to_owned(),
        fairlane: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        interrupted: false,
        machine,
        build: machine::build(),
        settings,
        controls: controls().iter().map(|control| search.control(control)).collect(),
        contests: Vec::new(),
    };
    observer.controlled(&leaks);
    for entry in entries {
        for &secret in Secret::of(entry.contest.id) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let contest = search.contest(entry, secret, observer);
            observer.finished(&contest);
            leaks.contests.push(contest);
        }
    }
    leaks.interrupted = stop.load(Ordering::Relaxed);
    leaks
}

/// A search under way.
struct Search<'a> {
    config: &'a Config,
    threshold: f64,
    neighbour: &'a mut Neighbour,
    coins: Coins,
    stop: &'a AtomicBool,
    done: usize,
    of: usize,
}

impl Search<'_> {
    fn measure(&mut self, subject: &Subject<'_>) -> Result<Measured, String> {
        let time = Duration::try_from_secs_f64(self.config.seconds).unwrap_or(Duration::MAX);
        let until = Until { samples: self.config.samples, time, stop: self.stop };
        measure(subject, until, self.neighbour, &mut self.coins)
    }

    fn control(&mut self, control: &Control) -> found::Control {
        let Control { name, secret, classes, leaks, make } = control;
        let size = Size::one(classes.input_len());
        let subject = Subject { make, size, classes, output_len: 1, key_outside: false };
        let result = self.measure(&subject).map(|measured| self.judge(&measured));
        let (verdict, states, dropped) = result.unwrap_or((Verdict::Failed, Vec::new(), 0));
        found::Control { name: (*name).to_owned(), secret: *secret, leaks: *leaks, verdict, dropped, states }
    }

    fn contest(&mut self, entry: &Entry, secret: Secret, observer: &mut dyn Observer) -> ContestLeaks {
        let Entry { contest, size, contestants } = entry;
        let classes = Classes::new(contest, secret, *size);
        let mut searched = Vec::new();
        for contestant in contestants {
            self.done += 1;
            // What it draws itself is in no input.
            if secret == Secret::Encapsulated
                && contestant.labels.contains(&Label::DrawsRandomness)
                && !contest.job().is_decapsulation()
            {
                continue;
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            observer.begun(self.done, self.of, &format!("{}, {secret}: {}", contest.id, contestant.name));
            searched.push(self.contestant(contest, *size, &classes, contestant));
        }
        ContestLeaks {
            id: contest.id.to_string(),
            size: size.to_string(),
            secret,
            classes: secret.classes().map(str::to_owned),
            contestants: searched,
        }
    }

    fn contestant(&mut self, contest: &Contest, size: Size, classes: &Classes, contestant: &Contestant) -> Searched {
        let subject = Subject {
            make: &*contestant.make,
            size,
            classes,
            output_len: contest.output_bytes(size),
            key_outside: contest.conditions.key == Place::Outside,
        };
        let result = agrees(contest, contestant, &subject).and_then(|()| self.measure(&subject));
        secrets::restore_keys();
        let failed = result.as_ref().err().cloned();
        let (verdict, states, dropped) =
            result.map_or((Verdict::Failed, Vec::new(), 0), |measured| self.judge(&measured));
        Searched {
            name: contestant.name.clone(),
            library: contestant.library.clone(),
            version: contestant.version.clone(),
            backend: contestant.backend.clone(),
            labels: contestant.labels.clone(),
            verdict,
            dropped,
            failed,
            states,
        }
    }

    fn judge(&self, measured: &Measured) -> (Verdict, Vec<found::StateFound>, usize) {
        let states: Vec<_> = [State::AsLeft, State::Emptied]
            .into_iter()
            .zip(&measured.states)
            .filter_map(|(state, samples)| {
                Some(found::StateFound { state, finding: examine(samples, self.threshold)? })
            })
            .collect();
        let verdict = if states.iter().any(|state| state.finding.score > self.threshold) {
            Verdict::ToldApart
        } else if states.len() == 2 {
            Verdict::NotToldApart
        } else {
            Verdict::Undecided
        };
        (verdict, states, measured.dropped)
    }
}

/// Whether a contestant gives the reference's answer to an input of each class: what computes something else is not
/// measured. One that draws its randomness is not asked.
fn agrees(contest: &Contest, contestant: &Contestant, subject: &Subject<'_>) -> Result<(), String> {
    if contestant.labels.contains(&Label::DrawsRandomness) {
        return Ok(());
    }
    let function = contest.function(contestant.function).ok_or("it computes a function that the contest has not")?;
    for class in &subject.classes.0 {
        for given in [&class[0], &class[class.len() / 2]] {
            let answer = |make: &dyn Fn(Size) -> Operation| {
                let ask = || {
                    secrets::with_key_of(given, || make(subject.size).answer(&given.input, vec![0; subject.output_len]))
                };
                catch_unwind(AssertUnwindSafe(ask)).map_err(|_| "it panicked".to_owned())
            };
            if answer(&*contestant.make)? != answer(&function.reference)? {
                return Err("its answer is not the reference's".to_owned());
            }
        }
    }
    Ok(())
}
