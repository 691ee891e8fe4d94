//! What a search found, as plain data.

use super::secrets::Secret;
use super::statistics::Finding;
use crate::contest::Label;
use crate::run::{Build, LeakFound, Machine, Run};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{Read, Write};

/// What [`Leaks::schema`] says.
pub const SCHEMA: &str = "fairlane-leaks-1";

/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file with more bytes is refused, packed or unpacked.
pub const MOST_BYTES: usize = 64 << 20;

/// A whole search: the JSON of `fairlane leak --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaks {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of fairlane that searched.
    pub fairlane: String,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    /// Whether Ctrl-C ended it early.
    pub interrupted: bool,
    /// The machine.
    pub machine: Machine,
    /// How the binary was built.
    pub build: Build,
    /// How it searched.
    pub settings: Settings,
    /// Operations of which is known whether they leak.
    pub controls: Vec<Control>,
    /// What was found, an entry a contest and secret.
    pub contests: Vec<ContestLeaks>,
}

/// How a search was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Clean samples aimed at for each contestant and secret.
    pub samples: usize,
    /// Seconds after which a contestant was left with what it had.
    pub seconds: f64,
    /// The rate at which one whose time does not depend on the secret is called told apart.
    pub false_alarms: f64,
    /// The score that follows from this rate and the number of tests.
    pub threshold: f64,
    /// Tests of each contestant and secret.
    pub tests: usize,
    /// Where the coins began.
    pub seed: u64,
    /// The CPU that it was pinned to at first, if pinning worked.
    pub pinned_cpu: Option<u32>,
    /// The command line.
    pub command: String,
}

/// What can be said of two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Their times differ.
    ToldApart,
    /// No difference was found.
    NotToldApart,
    /// There are too few clean samples.
    Undecided,
    /// The operation does not answer as it must, and was not measured.
    Failed,
}

/// What is in the first cache when a sample begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// What the operation before left there.
    AsLeft,
    /// Nothing of the operation's.
    Emptied,
}

/// What the samples in one state say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateFound {
    /// The state.
    pub state: State,
    /// What they say.
    pub finding: Finding,
}

/// An operation of which is known whether it leaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// What it is.
    pub name: String,
    /// Its secret.
    pub secret: Secret,
    /// Whether it must be told apart; if not, it must not.
    pub leaks: bool,
    /// Whether it was.
    pub verdict: Verdict,
    /// Samples dropped because a neighbour disturbed them.
    pub dropped: usize,
    /// In both states of the cache, unless there were too few samples.
    pub states: Vec<StateFound>,
}

/// A contest and one secret of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestLeaks {
    /// `chacha20-poly1305/open`.
    pub id: String,
    /// `64` or `8x32`.
    pub size: String,
    /// The secret.
    pub secret: Secret,
    /// The two classes, in words.
    pub classes: [String; 2],
    /// Its contestants.
    pub contestants: Vec<Searched>,
}

/// One contestant's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// Its name in the contest.
    pub name: String,
    /// Library.
    pub library: String,
    /// Its version.
    pub version: String,
    /// The path taken.
    pub backend: String,
    /// What a reader must know.
    pub labels: Vec<Label>,
    /// Whether the classes can be told apart.
    pub verdict: Verdict,
    /// Samples dropped because a neighbour disturbed them.
    pub dropped: usize,
    /// Why it was not measured.
    pub failed: Option<String>,
    /// In both states of the cache, unless there were too few samples.
    pub states: Vec<StateFound>,
}

impl Control {
    /// Whether it was found, or not found, as it must be.
    pub fn behaves(&self) -> bool {
        self.verdict == if self.leaks { Verdict::ToldApart } else { Verdict::NotToldApart }
    }
}

/// The finding to show: where classes are told apart that of the highest score; else that of the cache as it was left,
/// which is not chosen by its score.
pub fn telling(verdict: Verdict, states: &[StateFound]) -> Option<&StateFound> {
    match verdict {
        Verdict::ToldApart => states.iter().max_by(|a, b| a.finding.score.total_cmp(&b.finding.score)),
        _ => states.first(),
    }
}

/// The smallest shift in nanoseconds that would be found in one of the states.
pub fn found_from(states: &[StateFound]) -> Option<f64> {
    states.iter().filter_map(|state| state.finding.found_from_ns).min_by(f64::total_cmp)
}

/// Samples in both states and classes.
pub fn samples(states: &[StateFound]) -> usize {
    states.iter().flat_map(|state| state.finding.samples).sum()
}

impl Leaks {
    /// The controls that are not as they must be.
    pub fn misbehaving(&self) -> impl Iterator<Item = &Control> {
        self.controls.iter().filter(|control| !control.behaves())
    }

    /// Contestants of a library that are labelled as constant-time and were told apart, with their contests.
    pub fn told_apart<'a>(&'a self, library: &'a str) -> impl Iterator<Item = (&'a ContestLeaks, &'a Searched)> {
        let all = self.contests.iter().flat_map(|contest| contest.contestants.iter().map(move |one| (contest, one)));
        all.filter(move |(_, one)| {
            one.library == library && one.verdict == Verdict::ToldApart && !one.labels.contains(&Label::NotConstantTime)
        })
    }

    /// Reads the JSON of a search, which may be compressed by gzip.
    ///
    /// # Errors
    ///
    /// One line on what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut unpacked = Vec::new();
        let bytes = if bytes.starts_with(&GZIP) {
            let mut decoder = MultiGzDecoder::new(bytes).take(MOST_BYTES as u64 + 1);
            decoder.read_to_end(&mut unpacked).map_err(|_| "compressed by gzip, but damaged or cut short")?;
            &unpacked
        } else {
            bytes
        };
        if bytes.len() > MOST_BYTES {
            return Err(format!("larger than {} MiB: no search writes that", MOST_BYTES >> 20));
        }
        let leaks: Self =
            serde_json::from_slice(bytes).map_err(|error| format!("not what fairlane leak --json writes: {error}"))?;
        match leaks.schema == SCHEMA {
            true => Ok(leaks),
            false => Err(format!("its schema is not {SCHEMA}")),
        }
    }

    /// The JSON, which ends in a line feed.
    #[expect(clippy::missing_panics_doc, reason = "plain data becomes JSON")]
    pub fn json(&self) -> String {
        format!("{}\n", serde_json::to_string(self).expect("plain data"))
    }

    /// The same, compressed by gzip.
    #[expect(clippy::missing_panics_doc, reason = "memory takes what is written")]
    pub fn compressed(&self) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(self.json().as_bytes()).expect("into memory");
        encoder.finish().expect("into memory")
    }

    /// Sets beside each contestant of a run what was found of it here: the same version of the same library on the same
    /// path in the same contest. Others stay without.
    ///
    /// # Errors
    ///
    /// If run and search are of different CPUs, or the controls of the search misbehaved: then it says nothing of the
    /// run.
    pub fn join(&self, run: &mut Run) -> Result<(), String> {
        if self.machine.cpu != run.machine.cpu {
            return Err(format!("it was measured on {}, and the run on {}", self.machine.cpu, run.machine.cpu));
        }
        if let Some(control) = self.misbehaving().next() {
            return Err(format!("its control '{}' is not as it must be, so that it says nothing", control.name));
        }
        for heat in &mut run.contests {
            let id = heat.id.to_string();
            for contestant in &mut heat.contestants {
                let of = self.contests.iter().filter(|contest| contest.id == id).flat_map(|contest| {
                    let same = contest.contestants.iter().filter(|one| {
                        (&one.name, &one.library, &one.version, &one.backend)
                            == (&contestant.name, &contestant.library, &contestant.version, &contestant.backend)
                    });
                    same.map(|one| (contest.secret.to_string(), one.verdict))
                });
                contestant.leak = LeakFound::of(&of.collect::<Vec<_>>());
            }
        }
        run.leaks = Some(format!(
            "fairlane leak, begun {}, {} samples of each contestant and pair of classes, program {}",
            self.started,
            self.settings.samples,
            if self.build.program == run.build.program { "as in the race" } else { "another than in the race" },
        ));
        Ok(())
    }
}

impl LeakFound {
    /// What verdicts on some secrets say together; none of none.
    fn of(verdicts: &[(String, Verdict)]) -> Option<Self> {
        let with = |verdict| -> BTreeSet<&str> {
            verdicts.iter().filter(|(_, of)| *of == verdict).map(|(secret, _)| secret.as_str()).collect()
        };
        let [apart, not, undecided] = [Verdict::ToldApart, Verdict::NotToldApart, Verdict::Undecided].map(with);
        let list = |of: BTreeSet<&str>| of.into_iter().map(str::to_owned).collect();
        if !apart.is_empty() {
            return Some(Self::ToldApart(list(apart)));
        }
        if !undecided.is_empty() {
            return Some(Self::Undecided(list(undecided)));
        }
        (!not.is_empty()).then(|| Self::NotToldApart(list(not)))
    }
}
