//! Plug-ins: contestants that are given on the command line, as a shared library or as a command.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `job` | what a contest hands over: shape, keys |
//! | `abi` | the C ABI of `include/fairlane_contestant.h` |
//! | `protocol`, `process`, `session` | the line protocol, the process that speaks it, a job in one |
//! | `host` | the process in which a shared library is tried |
//! | `own` | this build's own contestants, as another race's plug-in |
//!
//! Loaded once, plug-ins enter like every other library. A job is first done in a process of its own, so that one that
//! crashes or hangs is disqualified there; then a library is loaded into this process, and timed as others are.

mod abi;
mod host;
mod job;
mod own;
mod process;
mod protocol;
mod session;

pub use host::{SUBCOMMAND, serve};
pub use own::{SERVE, serve_own};

use super::{About, Roster};
use crate::contest::{Contest, Foreign, Kind, Label, Operation, Size, fail};
use abi::Library;
use fairlane_common::terminal::reason;
use process::{Process, shortened};
use protocol::{Ask, Job, Offer, VERSION};
use session::{Session, trial};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// What a plug-in may say of itself.
const LABELS: &[Label] = &[
    Label::ConstantTime,
    Label::NotConstantTime,
    Label::Reference,
    Label::OneByOne,
    Label::KeyScheduleInside,
    Label::KeyNotPrepared,
    Label::DrawsRandomness,
];

/// The plug-ins of this process.
static LOADED: RwLock<Vec<Arc<Plugin>>> = RwLock::new(Vec::new());

/// Where a plug-in's code is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// A shared library.
    Library(PathBuf),
    /// A command line.
    Command(String),
    /// A build of fairlane.
    Build(PathBuf),
}

impl Source {
    fn of(spec: &str) -> Result<Self, String> {
        if let Some(line) = spec.strip_prefix("cmd:") {
            let line = line.trim();
            return if line.is_empty() {
                Err("cmd: needs a command".to_owned())
            } else {
                Ok(Self::Command(line.to_owned()))
            };
        }
        let path =
            fs::canonicalize(spec).map_err(|error| format!("{} (a command begins with cmd:)", reason(&error)))?;
        Ok(Self::Library(path))
    }

    /// The command that speaks the line protocol for it.
    fn command(&self) -> Result<Command, String> {
        Ok(match self {
            Self::Library(path) => {
                let program = env::current_exe()
                    .map_err(|error| format!("this program is not to be found: {}", reason(&error)))?;
                let mut command = Command::new(program);
                command.arg(SUBCOMMAND).arg(path);
                command
            }
            Self::Build(program) => {
                let mut command = Command::new(program);
                command.arg(SERVE);
                command
            }
            Self::Command(line) if cfg!(windows) => {
                let mut command = Command::new("cmd");
                command.args(["/C", line]);
                command
            }
            Self::Command(line) => {
                let mut command = Command::new("sh");
                // The program takes the shell's place, so that ending the process ends it.
                command.arg("-c").arg(format!("exec {line}"));
                command
            }
        })
    }
}

/// A plug-in, and what it offers.
struct Plugin {
    spec: String,
    /// What stands in parentheses behind the names of its contestants.
    kind: &'static str,
    source: Source,
    /// Why not, if it crashed or hung before it said.
    offers: Result<Vec<Offered>, String>,
    library: OnceLock<Result<Library, String>>,
}

/// An offer that can be understood.
struct Offered {
    offer: Offer,
    labels: Vec<Label>,
}

/// Starts a plug-in, `./mine.so` or `cmd: python3 mine.py`, and asks what it can do. From then on it enters the
/// contests that it names, in this process.
///
/// One that crashes, hangs or refuses is kept too, as unavailable.
///
/// # Errors
///
/// One line, if there is no such file, or if what the plug-in says of itself cannot be understood.
pub fn load(spec: &str) -> Result<(), String> {
    let at = |why: String| format!("plug-in '{spec}': {why}");
    let source = Source::of(spec).map_err(at)?;
    let offers = match hello(&source) {
        Ok(offers) => Ok(offers.into_iter().map(understood).collect::<Result<_, _>>().map_err(at)?),
        Err(why) => Err(why),
    };
    add(Plugin { spec: spec.to_owned(), kind: "plug-in", source, offers, library: OnceLock::new() });
    Ok(())
}

/// What the names of the contestants of two builds end in: this one's, and another one's.
pub const BUILDS: [&str; 2] = ["this build", "other build"];

/// Enters fairlane's contestants of this build and of `other`, a program, as plug-ins: all of them run in processes of
/// their own, so that where they run is no difference between them.
///
/// # Errors
///
/// One line, if one of the programs does not serve its contestants.
pub fn load_builds(other: &Path) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| format!("this program is not to be found: {}", reason(&error)))?;
    let other = fs::canonicalize(other).map_err(|error| format!("{}: {}", other.display(), reason(&error)))?;
    for (program, kind) in [this, other].into_iter().zip(BUILDS) {
        let at = |why: String| format!("{} does not serve its contestants: {why}", program.display());
        let source = Source::Build(program.clone());
        let mut offers = hello(&source).map_err(at)?;
        // Two libraries, so that a verdict is about the one over the other.
        offers.iter_mut().for_each(|offer| offer.library = format!("{} ({kind})", offer.library));
        let offers = offers.into_iter().map(understood).collect::<Result<_, _>>().map_err(at)?;
        let spec = program.display().to_string();
        add(Plugin { spec, kind, source, offers: Ok(offers), library: OnceLock::new() });
    }
    Ok(())
}

fn add(plugin: Plugin) {
    LOADED.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(plugin));
}

/// The ids of the contests that the loaded plug-ins name, and of each plug-in that named none, why.
pub fn offered() -> (Vec<String>, Vec<String>) {
    let (mut contests, mut failed) = (Vec::new(), Vec::new());
    for plugin in loaded() {
        match &plugin.offers {
            Ok(offers) => contests.extend(offers.iter().map(|offered| offered.offer.contest.clone())),
            Err(why) => failed.push(format!("plug-in '{}': {why}", plugin.spec)),
        }
    }
    (contests, failed)
}

fn loaded() -> Vec<Arc<Plugin>> {
    LOADED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn hello(source: &Source) -> Result<Vec<Offer>, String> {
    let reply = Process::start(source.command()?)?.ask(&Ask::Hello { version: VERSION })?;
    match reply.version {
        Some(VERSION) => reply.contestants.ok_or_else(|| "replied without its contestants".to_owned()),
        other => Err(format!("speaks version {} of the protocol, and this is version {VERSION}", other.unwrap_or(0))),
    }
}

/// Checks what a plug-in says of one contestant, and fills in what it leaves open.
fn understood(mut offer: Offer) -> Result<Offered, String> {
    if offer.contest.is_empty() || offer.name.is_empty() {
        return Err("a contestant needs a contest and a name".to_owned());
    }
    let label = |name: &String| {
        let found = LABELS.iter().copied().find(|label| label_name(*label) == *name);
        let names = || LABELS.iter().map(|label| label_name(*label)).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| format!("label '{}' is none of {}", shortened(name), names()))
    };
    let labels = offer.labels.iter().map(label).collect::<Result<_, _>>()?;
    let unknown = "unknown".to_owned();
    let library = offer.name.clone();
    for (text, or) in [
        (&mut offer.name, &unknown),
        (&mut offer.library, &library),
        (&mut offer.version, &unknown),
        (&mut offer.backend, &unknown),
        (&mut offer.how_to_use, &"a plug-in of this race".to_owned()),
    ] {
        *text = if text.trim().is_empty() { or.clone() } else { shortened(text) };
    }
    Ok(Offered { offer, labels })
}

/// As a run's file spells it.
fn label_name(label: Label) -> String {
    serde_json::to_value(label).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    for plugin in loaded() {
        match &plugin.offers {
            Ok(offers) => {
                for (at, offered) in offers.iter().enumerate() {
                    plugin.enter(contest, at, offered, roster);
                }
            }
            Err(why) => roster.absent(format!("{} (plug-in)", plugin.spec), why),
        }
    }
}

impl Plugin {
    /// Enters the contestant at a place of the list, if this is its contest.
    fn enter(self: &Arc<Self>, contest: &Contest, at: usize, Offered { offer, labels }: &Offered, roster: &mut Roster) {
        if offer.contest != contest.id.to_string() {
            return;
        }
        let kind = self.kind;
        let mut absent = |why: String| roster.absent(format!("{} ({kind})", offer.name), why);
        let function = match contest.kind {
            Kind::OneJob(_) => contest.function(&offer.function),
            _ => contest.functions().first(),
        };
        let Some(function) = function else {
            let names: Vec<&str> = contest.functions().iter().map(|function| function.name).collect();
            return absent(format!("in {} its function must be one of {}", contest.id, names.join(", ")));
        };
        let shape = match job::shape(contest, function) {
            Ok(shape) => shape,
            Err(why) => return absent(format!("{}: {why}", contest.id)),
        };
        let mut labels = [labels.as_slice(), &[Label::PlugIn]].concat();
        labels.extend((!matches!(self.source, Source::Library(_))).then_some(Label::TimedByItself));
        labels.sort_unstable();
        labels.dedup();
        let taken = |name: &String| {
            let mut same = roster.contestants.iter().filter(|other| other.function == function.name);
            same.any(|other| other.implementation() == *name)
        };
        let names = (1..).map(|n| if n == 1 { String::new() } else { format!(" {n}") });
        let name = names.map(|n| format!("{} ({kind}{n})", offer.name)).find(|name| !taken(name));
        let about = About {
            name: &name.unwrap_or_default(),
            library: &offer.library,
            version: &offer.version,
            backend: &offer.backend,
            labels: &labels,
            how_to_use: &offer.how_to_use,
        };
        let (plugin, trials) = (Arc::clone(self), Trials::default());
        let (contest_of_make, function_of_make) = (contest.clone(), *function);
        let contestant = roster.operation_of(contest, function, &about, move |size| {
            let job = job::job(&contest_of_make, &function_of_make, shape, at, size);
            let made = trials.pass(&plugin.source, &contest_of_make, &job, size).and_then(|()| plugin.operation(job));
            Operation::Foreign(made.unwrap_or_else(|why| fail(why)))
        });
        contestant.valgrind = false;
    }

    /// Sets up a job that has been tried.
    fn operation(&self, job: Job) -> Result<Box<dyn Foreign>, String> {
        Ok(match &self.source {
            Source::Command(_) | Source::Build(_) => Box::new(Session::new(self.source.clone(), job)),
            Source::Library(path) => {
                let library = self.library.get_or_init(|| Library::load(path));
                Box::new(library.as_ref().map_err(Clone::clone)?.set_up(&job)?)
            }
        })
    }
}

/// The outcome of a contestant's trials, each made once.
#[derive(Default)]
struct Trials(Mutex<HashMap<Size, Result<(), String>>>);

impl Trials {
    /// Inputs that are tried.
    const INPUTS: u64 = 2;

    fn pass(&self, source: &Source, contest: &Contest, job: &Job, size: Size) -> Result<(), String> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let inputs = || (0..Self::INPUTS).map(|seed| contest.input(size, seed)).collect::<Vec<_>>();
        made.entry(size).or_insert_with(|| trial(source, job, &inputs())).clone()
    }
}
