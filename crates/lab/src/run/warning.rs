//! What a reader of a run should know before believing the numbers.

use super::Text;
use crate::contest::{ContestId, Size};
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// One warning of a run. Its text is what the run's file holds and what every report shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The race was built without optimisation.
    DebugBuild,
    /// `--keep-disturbed` was given.
    KeepsDisturbed,
    /// Others used the machine when the race began.
    Load {
        /// The load average.
        load: f64,
        /// The CPUs of the process.
        cpus: u32,
    },
    /// No size that was asked for fits a contest.
    NoSize {
        /// The contest.
        id: Text<ContestId>,
        /// What sizes it takes.
        takes: String,
    },
    /// About one contest at one size.
    Contest {
        /// The contest.
        id: Text<ContestId>,
        /// The size.
        size: Text<Size>,
        /// What happened there.
        what: Remark,
    },
    /// Anything else, such as why valgrind did not run.
    Other(String),
}

/// What happened in a contest at one size.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The size is above the limit up to which references are timed.
    ReferencesLeftOut {
        /// The contestants that were not timed.
        names: Vec<String>,
    },
    /// The contestants contradict the reference, and not each other.
    ReferenceSuspected,
    /// The reference panicked.
    ReferenceFailed {
        /// The function that it computes.
        function: String,
        /// What it did, as in `panicked: index out of bounds`.
        why: String,
    },
    /// No round had both samples of the control, so that nothing could be judged.
    ControlDisturbed {
        /// The rounds that were run.
        rounds: u32,
    },
    /// No round had a sample of a contestant beside one of the fastest.
    ContestantDisturbed {
        /// The contestant.
        name: String,
    },
    /// More than a few samples of a contestant took no time by its clock.
    ContestantTooShort {
        /// The contestant.
        name: String,
    },
    /// The two entries of the control differ by more than the limit.
    Unfit {
        /// The contestants that were entered twice, in each process another.
        names: Vec<String>,
        /// By how much their second entries were slower, in per cent.
        off: f64,
        /// The limit in per cent.
        limit: f64,
    },
    /// The two entries of the control may differ by more than the limit of the floor.
    Noisy {
        /// The noise floor in per cent.
        floor: f64,
        /// Its limit in per cent.
        limit: f64,
    },
    /// Too few samples for a verdict.
    Undecided {
        /// The samples that were dropped.
        dropped: u32,
        /// The rounds that were run.
        rounds: u32,
    },
    /// The clock was another one afterwards.
    ClockMoved {
        /// MHz before.
        before: f64,
        /// MHz afterwards.
        after: f64,
    },
    /// Anything else.
    Other(String),
}

impl Warning {
    /// About a contest at a size.
    pub fn of(id: ContestId, size: Size, what: Remark) -> Self {
        Self::Contest { id: Text::of(id), size: Text::of(size), what }
    }
}

impl Remark {
    /// Whether it says that a contestant was not timed, though it entered.
    pub fn leaves_out(&self, contestant: &str) -> bool {
        match self {
            // A name may hold the comma that stands between names, which a file does not tell apart.
            Self::ReferencesLeftOut { names } => {
                format!(", {}, ", names.join(", ")).contains(&format!(", {contestant}, "))
            }
            Self::ContestantDisturbed { name } | Self::ContestantTooShort { name } => name == contestant,
            _ => false,
        }
    }
}

const DEBUG_BUILD: &str =
    "this is a debug build, as no program ships: build with --release unless that is the question";
const KEEPS_DISTURBED: &str =
    "disturbed samples are kept, so there are no verdicts; leave out --keep-disturbed to get them";
const NO_SIZE: &str = ": none of the sizes given fits it";
const REFERENCES: &str = "too large to time references: ";
const SUSPECTED: &str = "all contestants agree with each other, but not with the reference: is it wrong?";
const NO_CONTROL: &str = "left out: both samples of the control counted in none of ";
const ROUNDS: &str = " rounds";
const NO_SAMPLES: &str = " is left out: in no round did a sample of it count, and one of the fastest";
const TOO_SHORT: &str = " is left out: samples of it took no time, so they are too short for its clock";
const TWIN: &str = " and its twin differ by ";
const TWINS: &str = " and their twins differ by ";
const FEW: &str = "undecided: only ";
const MORE_TIME: &str = " rounds fit into the time; give a longer --time";
const TOO_FEW: &str = " rounds were dropped and too few are left; try a quieter time, or --time";

// As earlier versions said it of all samples that did not count, whatever the reason was.
const CONTROL_DISTURBED: &str = "left out: the control was disturbed in every round of ";
const CONTESTANT_DISTURBED: &str = " is left out: it was disturbed in every round";
const TOO_FEW_UNDISTURBED: &str = " rounds were disturbed and too few are left; try a quieter time, or --time";

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DebugBuild => f.write_str(DEBUG_BUILD),
            Self::KeepsDisturbed => f.write_str(KEEPS_DISTURBED),
            Self::Load { load, cpus } => {
                write!(f, "others use this machine: load {load:.1} on {cpus} CPUs at the start")
            }
            Self::NoSize { id, takes } => write!(f, "{id} takes {takes}{NO_SIZE}"),
            Self::Contest { id, size, what } => write!(f, "{id} {size}: {what}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReferencesLeftOut { names } => write!(f, "{REFERENCES}{}", names.join(", ")),
            Self::ReferenceSuspected => f.write_str(SUSPECTED),
            Self::ReferenceFailed { function, why } => {
                write!(f, "the reference of {function} itself {why}; nothing was raced")
            }
            Self::ControlDisturbed { rounds } => write!(f, "{NO_CONTROL}{rounds}{ROUNDS}"),
            Self::ContestantDisturbed { name } => write!(f, "{name}{NO_SAMPLES}"),
            Self::ContestantTooShort { name } => write!(f, "{name}{TOO_SHORT}"),
            Self::Unfit { names, off, limit } => {
                let twins = if names.len() == 1 { TWIN } else { TWINS };
                write!(f, "unfit: {}{twins}{off:+.1} %, the limit is {limit} %", names.join(", "))
            }
            Self::Noisy { floor, limit } => {
                write!(f, "unfit: the noise floor is {floor:.1} %, the limit is {limit} %")
            }
            Self::Undecided { dropped: 0, rounds } => write!(f, "{FEW}{rounds}{MORE_TIME}"),
            Self::Undecided { dropped, rounds } => write!(f, "undecided: {dropped} samples of {rounds}{TOO_FEW}"),
            Self::ClockMoved { before, after } => {
                write!(f, "the clock moved from {before:.0} to {after:.0} MHz")
            }
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Reads the text of a run's file. What no other kind prints is [`Other`](Warning::Other).
impl FromStr for Warning {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            DEBUG_BUILD => Self::DebugBuild,
            KEEPS_DISTURBED => Self::KeepsDisturbed,
            _ => load(text)
                .or_else(|| no_size(text))
                .or_else(|| contest(text))
                .unwrap_or_else(|| Self::Other(text.to_owned())),
        })
    }
}

fn load(text: &str) -> Option<Warning> {
    let (load, cpus) = between(text, "others use this machine: load ", " CPUs at the start")?.split_once(" on ")?;
    Some(Warning::Load { load: load.parse().ok()?, cpus: cpus.parse().ok()? })
}

fn no_size(text: &str) -> Option<Warning> {
    let (id, takes) = text.strip_suffix(NO_SIZE)?.split_once(" takes ")?;
    Some(Warning::NoSize { id: id.into(), takes: takes.to_owned() })
}

fn contest(text: &str) -> Option<Warning> {
    let (title, what) = text.split_once(": ")?;
    let (id, size) = title.split_once(' ')?;
    let size = Text::<Size>::from(size);
    size.value()?;
    Some(Warning::Contest { id: id.into(), size, what: remark(what) })
}

fn remark(text: &str) -> Remark {
    let known = || {
        if let Some(names) = text.strip_prefix(REFERENCES) {
            return Some(Remark::ReferencesLeftOut { names: names.split(", ").map(str::to_owned).collect() });
        }
        if let Some(rounds) = between(text, NO_CONTROL, ROUNDS).or_else(|| text.strip_prefix(CONTROL_DISTURBED)) {
            return Some(Remark::ControlDisturbed { rounds: rounds.parse().ok()? });
        }
        if let Some(name) = text.strip_suffix(NO_SAMPLES).or_else(|| text.strip_suffix(CONTESTANT_DISTURBED)) {
            return Some(Remark::ContestantDisturbed { name: name.to_owned() });
        }
        if let Some(name) = text.strip_suffix(TOO_SHORT) {
            return Some(Remark::ContestantTooShort { name: name.to_owned() });
        }
        if let Some(failed) = between(text, "the reference of ", "; nothing was raced") {
            let (function, why) = failed.split_once(" itself ")?;
            return Some(Remark::ReferenceFailed { function: function.to_owned(), why: why.to_owned() });
        }
        if let Some(noisy) = between(text, "unfit: the noise floor is ", " %") {
            let (floor, limit) = noisy.split_once(" %, the limit is ")?;
            return Some(Remark::Noisy { floor: floor.parse().ok()?, limit: limit.parse().ok()? });
        }
        if let Some(unfit) = between(text, "unfit: ", " %") {
            let (names, percent) = match unfit.split_once(TWIN) {
                Some((name, percent)) => (vec![name.to_owned()], percent),
                None => {
                    let (names, percent) = unfit.split_once(TWINS)?;
                    (names.split(", ").map(str::to_owned).collect(), percent)
                }
            };
            let (off, limit) = percent.split_once(" %, the limit is ")?;
            return Some(Remark::Unfit { names, off: off.parse().ok()?, limit: limit.parse().ok()? });
        }
        if let Some(rounds) = between(text, FEW, MORE_TIME) {
            return Some(Remark::Undecided { dropped: 0, rounds: rounds.parse().ok()? });
        }
        let undecided = |too_few: &str| between(text, "undecided: ", too_few);
        if let Some(undecided) = undecided(TOO_FEW).or_else(|| undecided(TOO_FEW_UNDISTURBED)) {
            let (dropped, rounds) = undecided.split_once(" samples of ")?;
            return Some(Remark::Undecided { dropped: dropped.parse().ok()?, rounds: rounds.parse().ok()? });
        }
        let (before, after) = between(text, "the clock moved from ", " MHz")?.split_once(" to ")?;
        Some(Remark::ClockMoved { before: before.parse().ok()?, after: after.parse().ok()? })
    };
    match text {
        SUSPECTED => Remark::ReferenceSuspected,
        _ => known().unwrap_or_else(|| Remark::Other(text.to_owned())),
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Algorithm, Job};

    #[test]
    fn warnings_come_back_from_their_text() {
        let name = || "c-reference (-O2)".to_owned();
        let id = ContestId::new(Algorithm::Keccak256, Job::Message);
        let remarks = [
            Remark::ReferencesLeftOut { names: vec![name(), "reference".to_owned()] },
            Remark::ReferenceSuspected,
            Remark::ReferenceFailed { function: "SM4".to_owned(), why: "panicked: no".to_owned() },
            Remark::ControlDisturbed { rounds: 7 },
            Remark::ContestantDisturbed { name: name() },
            Remark::ContestantTooShort { name: name() },
            Remark::Unfit { names: vec![name()], off: -2.5, limit: 2.0 },
            Remark::Unfit { names: vec![name(), "sm4".to_owned()], off: -2.5, limit: 2.0 },
            Remark::Noisy { floor: 38.5, limit: 10.0 },
            Remark::Undecided { dropped: 953, rounds: 232 },
            Remark::Undecided { dropped: 0, rounds: 5 },
            Remark::ClockMoved { before: 3198.0, after: 2997.0 },
            Remark::Other("a word of another version".to_owned()),
        ];
        let of_contests = remarks.map(|what| Warning::of(id, Size::batch(64, 32), what));
        let others = [
            Warning::DebugBuild,
            Warning::KeepsDisturbed,
            Warning::Load { load: 2.5, cpus: 2 },
            Warning::NoSize { id: Text::of(id), takes: "one message at a time, of any length".to_owned() },
            Warning::Other("valgrind was not found: no instructions are counted".to_owned()),
        ];
        for warning in of_contests.into_iter().chain(others) {
            assert_eq!(warning.to_string().parse(), Ok(warning));
        }
    }

    /// What earlier versions called disturbed is understood, and now said without a reason.
    #[test]
    fn texts_of_earlier_versions_are_understood() {
        for (said, means) in [
            ("left out: the control was disturbed in every round of 7", Remark::ControlDisturbed { rounds: 7 }),
            (
                "sm4 is left out: it was disturbed in every round",
                Remark::ContestantDisturbed { name: "sm4".to_owned() },
            ),
            (
                "undecided: 953 samples of 232 rounds were disturbed and too few are left; try a quieter time, or \
                 --time",
                Remark::Undecided { dropped: 953, rounds: 232 },
            ),
        ] {
            assert_eq!(remark(said), means);
            assert!(!means.to_string().contains("disturbed"), "{means}");
        }
    }

    /// A file does not tell where a name ends that holds a comma.
    #[test]
    fn a_name_with_a_comma_is_left_out_with_others() {
        let names = ["AES, in C".to_owned(), "reference".to_owned()];
        let said = remark(&Remark::ReferencesLeftOut { names: names.clone().into() }.to_string());
        assert!(names.iter().all(|name| said.leaves_out(name)));
        assert!(!said.leaves_out("refer") && !said.leaves_out("C, ref"));
    }
}
