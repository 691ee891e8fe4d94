//! What a race found, as plain data: `fairlane race --json` writes exactly this, `validate`, `compare` and
//! `report` read it. The committed schema is `schema/race-1.json`.

mod doubts;
mod seal;
mod text;
mod times;
mod warning;

pub(crate) use doubts::clock_moved;
pub use seal::{Seal, Signature, check_key};
pub use text::Text;
pub use warning::{Remark, Warning};

use crate::contest::{Absent, Conditions, ContestId, Label, Size, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The value of [`Run::schema`] that this version writes and reads.
pub const SCHEMA: &str = "fairlane-race-1";

/// One run of `fairlane race`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of fairlane that wrote the run.
    pub fairlane: String,
    /// When the run began, RFC 3339, UTC.
    pub started: String,
    /// Whether Ctrl-C ended it early; what was measured before is here.
    pub interrupted: bool,
    /// The machine.
    pub machine: Machine,
    /// How this binary was built.
    pub build: Build,
    /// How the race was run.
    pub settings: Settings,
    /// Contestants that were unavailable, and why.
    pub absent: Vec<Absent>,
    /// Anything a reader should know before believing the numbers.
    #[schemars(with = "Vec<String>")]
    pub warnings: Vec<Text<Warning>>,
    /// One entry a contest, size and thread count.
    pub contests: Vec<ContestResult>,
    /// The digest of all the rest, and who vouches for it; missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
    /// Where [`ContestantResult::leak`] comes from, in a sentence; no part of the run.
    #[serde(skip)]
    pub leaks: Option<String>,
}

impl Run {
    /// What the warnings say of one contest at one size. They do not say at how many threads: a contest that is fit was
    /// not called unfit.
    pub fn remarks_on(&self, contest: &ContestResult) -> impl Iterator<Item = &Remark> {
        self.warnings.iter().filter_map(move |warning| match warning.value()? {
            Warning::Contest { what: Remark::Unfit { .. } | Remark::Noisy { .. }, .. } if contest.fit => None,
            Warning::Contest { id, size, what } if *id == contest.id && *size == contest.size => Some(what),
            _ => None,
        })
    }
}

/// The machine that the run was made on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Instruction-set architecture: `x86_64`, `aarch64`.
    pub arch: String,
    /// Operating system and kernel release.
    pub os: String,
    /// The CPU's name, as it reports it.
    pub cpu: String,
    /// Family, model, stepping where the CPU tells.
    pub cpu_id: String,
    /// The CPU features that were found, of those that kernels look for.
    pub features: Vec<String>,
    /// Logical CPUs that this process may use.
    pub cpus: u32,
    /// Hypervisor, if one is seen.
    pub hypervisor: Option<String>,
    /// Frequency governor, if the system tells.
    pub governor: Option<String>,
    /// One-minute load average at the start, if the system tells.
    pub load: Option<f64>,
    /// Clock frequency in MHz, measured by a chain of dependent instructions at the start.
    pub measured_mhz: f64,
    /// Whether cycles and instructions could be counted; if not, those cells are null.
    pub pmu: bool,
    /// Share of probes on the race's CPU that a neighbour disturbed before the first contest, from 0 to 1; null in
    /// files of earlier versions.
    #[serde(default)]
    pub disturbed: Option<f64>,
}

/// How the binary was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// `rustc --version`.
    pub rustc: String,
    /// Cargo's profile, by the name of its folder: `release`, `debug`, or one of the workspace's own.
    pub profile: String,
    /// The optimisation level of all packages for which [`Self::profile_settings`] has no other: `3`. Empty in files
    /// from before this and the next two were told.
    #[serde(default)]
    pub opt_level: String,
    /// Whether debug assertions are compiled in.
    #[serde(default)]
    pub debug_assertions: bool,
    /// What else the workspace sets for that profile, for all packages or for one: `package.fairlane.opt-level = 3`.
    #[serde(default)]
    pub profile_settings: Vec<String>,
    /// Target triple.
    pub target: String,
    /// `-C target-cpu` and other flags, empty for a default build.
    pub rustflags: String,
    /// CPU features the compiler was allowed to use everywhere.
    pub target_features: Vec<String>,
    /// Cargo features of the laboratory, and `table-lookups` where fairlane was built with it, which files of earlier
    /// versions do not say.
    pub features: Vec<String>,
    /// The commit of the source that git named when the laboratory was built; empty outside git, and in files of
    /// earlier versions. It does not say whether files were changed since.
    #[serde(default)]
    pub commit: String,
    /// SHA3-256 of the program's file, in hexadecimal digits; empty if it could not be read, and in files of earlier
    /// versions.
    #[serde(default)]
    pub program: String,
}

impl Build {
    /// Whether no program would ship like this.
    pub fn is_debug(&self) -> bool {
        self.debug_assertions || ["0", "1"].contains(&self.opt_level.as_str()) || self.profile == "debug"
    }
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

/// How the race was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seconds of measuring aimed at for each contest, size and thread count.
    pub seconds_per_contest: f64,
    /// Processes that ran each contest one after the other.
    #[serde(default = "one")]
    pub processes: u32,
    /// Seconds that the whole race was allowed to take longer to wait for a quiet core.
    #[serde(default)]
    pub patience: f64,
    /// Operations in each sample, if `--iterations` was given.
    #[serde(default)]
    pub iterations: Option<u64>,
    /// Untimed operations before each sample, if `--warm-up` was given.
    #[serde(default)]
    pub warm_up: Option<u64>,
    /// Confidence that all intervals of one contest hold together, such as 0.95.
    pub confidence: f64,
    /// Whether `--quick` was given, or the default selection was raced, which is as quick.
    pub quick: bool,
    /// Whether `--strict` was given.
    pub strict: bool,
    /// Whether `--keep-disturbed` was given: samples that a neighbour disturbed are kept, and nothing is fit.
    #[serde(default)]
    pub keep_disturbed: bool,
    /// The control's ratio may differ from 1 by this much (0.02 = 2 %) before the contest is unfit.
    pub control_limit: f64,
    /// The noise floor may be at most this (0.1 = 10 %) before the contest is unfit; null in files of earlier versions,
    /// which had no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_limit: Option<f64>,
    /// The CPU that the race was pinned to at first, if pinning worked.
    pub pinned_cpu: Option<u32>,
    /// Contests, sizes and thread counts that were to be raced: the length of [`Run::contests`] unless interrupted.
    pub planned: u32,
    /// These by name: contest, size and number of threads, as in `keccak256/message 1024 1`; empty in files of earlier
    /// versions.
    #[serde(default)]
    pub plan: Vec<String>,
    /// Fairlane backends that could enter.
    pub backends: Vec<String>,
    /// The command line, as a line that can be run again.
    pub command: String,
}

/// One contest at one size and thread count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestResult {
    /// `keccak256/message`.
    #[schemars(with = "String")]
    pub id: Text<ContestId>,
    /// `keccak`.
    pub suite: String,
    /// The work, in one line.
    pub about: String,
    /// What of that was timed, part by part; unknown in files of earlier versions.
    #[serde(default)]
    pub conditions: Conditions,
    /// Whether all contestants computed one function; files of earlier versions do not say.
    #[serde(default)]
    pub kind: RunKind,
    /// `1024` or `1024x32`.
    #[schemars(with = "String")]
    pub size: Text<Size>,
    /// Threads that ran it at once.
    pub threads: u32,
    /// `bytes` or `operations`.
    pub unit: RunUnit,
    /// Bytes one operation processes (0 where bytes make no sense).
    pub bytes_per_op: u64,
    /// Operations in each sample of the fastest contestant. A sample of another one takes about as long.
    pub ops_per_sample: u64,
    /// Rounds run.
    pub rounds: u32,
    /// The nulls among the samples of all contestants and of the control: those that a neighbour or the system
    /// disturbed, those that took no time by the clock and, with several processes, all of a process that left the
    /// contestant out.
    pub dropped: u32,
    /// Samples kept although a neighbour disturbed them, over all contestants and the control.
    #[serde(default)]
    pub disturbed: u32,
    /// Clock in MHz before and after.
    pub mhz: [f64; 2],
    /// Seconds that the rounds took, with the waiting for quiet; null in files of earlier versions.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// The share of the machine's CPU time that its host gave to others meanwhile (steal time), from 0 to 1, if the
    /// system tells.
    #[serde(default)]
    pub stolen: Option<f64>,
    /// The CPU that it was pinned to, if pinning worked; null in files of earlier versions.
    #[serde(default)]
    pub pinned_cpu: Option<u32>,
    /// Nanoseconds of an operation that does nothing, which are part of every time here; null in files of earlier
    /// versions.
    #[serde(default)]
    pub nothing_ns: Option<f64>,
    /// The processes that ran the rounds one after the other, in the order of the samples; empty if one ran them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessPart>,
    /// The share of the range of the processes' medians by which intervals reach beyond them at each end, larger for
    /// fewer processes; 0 for one process, and in files of earlier versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reach: f64,
    /// By what share intervals are wider at each end, besides; 0 for one process, and in files of earlier versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub drift: f64,
    /// The A/A control; null when the contest was cut before it could be judged.
    pub control: Option<Control>,
    /// Whether the control stayed within its limits and enough clean rounds were kept.
    pub fit: bool,
    /// The contestants whose answers were right, fastest first.
    pub contestants: Vec<ContestantResult>,
    /// Fairlane's backends against each other, the better ones first; empty also in files of earlier versions.
    #[serde(default)]
    pub backends: Vec<Against>,
    /// The contestants whose answers were wrong; they were not timed.
    pub disqualified: Vec<Disqualified>,
}

/// What one of several processes did in a contest. Each has its own layout of the address space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProcessPart {
    /// Its rounds.
    pub rounds: u32,
    /// The contestant that it entered twice.
    pub control: String,
    /// Clock in MHz before and after.
    pub mhz: [f64; 2],
    /// The CPU that it was pinned to, if pinning worked.
    pub pinned_cpu: Option<u32>,
}

/// Whether all contestants computed one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// One function: a verdict compares implementations.
    #[default]
    OneFunction,
    /// One job: different functions do the same work, and a verdict compares these too.
    OneJob,
}

/// What a contest counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunUnit {
    /// Bytes of input.
    Bytes,
    /// Operations.
    Operations,
}

impl From<Unit> for RunUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Bytes => Self::Bytes,
            Unit::Operations => Self::Operations,
        }
    }
}

/// The control: a contestant, in each process another, entered twice under two names. It shows the noise floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// The contestant that was entered twice; with several processes, that of the first.
    pub contestant: String,
    /// Twin over original, with the same interval as all others.
    pub ratio: Ratio,
    /// No verdict finer than this is given: the larger distance from 1 of the interval's ends (0.004 = 0.4 %).
    pub floor: f64,
    /// The twin's samples, ns an operation a round; null where dropped.
    pub samples: Vec<Option<f64>>,
}

/// A ratio with its confidence interval; `low ≤ estimate ≤ high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// exp of the median of per-round log-ratios.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// One backend of fairlane against another in the same contest: what its instructions bring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// A contestant's name: `fairlane/avx512`.
    pub contestant: String,
    /// That of the one it is held against: `fairlane/avx2`.
    pub against: String,
    /// The other's time over its own, paired by round; its interval holds together with all others of the contest.
    pub speedup: Ratio,
}

/// One contestant's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestantResult {
    /// Unique in the contest.
    pub name: String,
    /// What it computes: `ChaCha20`; empty in files of earlier versions.
    #[serde(default)]
    pub function: String,
    /// Library.
    pub library: String,
    /// Its version.
    pub version: String,
    /// The path taken.
    pub backend: String,
    /// What a reader must know.
    pub labels: Vec<Label>,
    /// How to use this path.
    pub how_to_use: String,
    /// Median of kept samples, ns an operation.
    pub ns_per_op: f64,
    /// 10⁹ × `bytes_per_op` / `ns_per_op` × `threads`; null where bytes make no sense.
    pub bytes_per_second: Option<f64>,
    /// Time over the fastest's time, paired by round; exactly 1, 1, 1 for the fastest.
    pub ratio: Ratio,
    /// The verdict that the ratio, its interval and the floor allow.
    pub verdict: Verdict,
    /// Place, from 1; all of a tie share one.
    pub rank: u32,
    /// Allocations an operation; null where they could not be counted.
    pub allocations: Option<Allocations>,
    /// CPU cycles an operation; null without a PMU.
    pub cycles_per_op: Option<f64>,
    /// Instructions an operation, from the PMU or from callgrind; null where neither ran.
    pub instructions_per_op: Option<f64>,
    /// Operations in each of its samples, with several processes the fewest; 0 in files of earlier versions, in which
    /// all had [`ContestResult::ops_per_sample`].
    #[serde(default)]
    pub ops_per_sample: u64,
    /// ns an operation a round, in round order; null where it does not count.
    pub samples: Vec<Option<f64>>,
    /// ns of single calls with cold caches; missing unless `--cold` was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cold: Vec<f64>,
    /// Bytes of the machine code that one operation executes, in whole cache lines of 64 bytes, as callgrind saw it;
    /// missing unless `--callgrind` was given, and where valgrind could not run the contestant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_bytes: Option<u64>,
    /// Microjoules an operation that all processor packages took, idle cores and neighbours included; missing unless
    /// `--energy` was given, and where RAPL could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub microjoules_per_op: Option<f64>,
    /// The most bytes of heap that one operation held at once beyond those at its start, the most of all processes;
    /// missing unless `--memory` was given, and where allocations could not be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_heap_bytes: Option<u64>,
    /// The most bytes of stack that one operation had in use, the most of all processes; missing unless `--memory` was
    /// given, and where the stack could not be watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_stack_bytes: Option<u64>,
    /// What the file of a search for leaks says of it, for reports; no part of the run.
    #[serde(skip)]
    pub leak: Option<LeakFound>,
}

/// Whether the time of a contestant tells classes of secrets apart, with the secrets that this is said of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeakFound {
    /// Of these it does.
    ToldApart(Vec<String>),
    /// Of none of these it was seen to.
    NotToldApart(Vec<String>),
    /// Of these there were too few samples.
    Undecided(Vec<String>),
}

/// A contestant's verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No contestant is faster.
    Fastest,
    /// Cannot be told from the fastest: the interval holds 1, or the difference is within the floor.
    Tie,
    /// Slower, by `ratio`.
    Slower,
    /// The contest is unfit or too short: no verdict.
    Undecided,
}

/// Allocations of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Allocations {
    /// Calls that asked for memory.
    pub count: f64,
    /// Bytes asked for.
    pub bytes: f64,
    /// Whether those of C code were counted too.
    pub includes_c: bool,
}

/// A contestant whose answer was wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disqualified {
    /// Its name.
    pub name: String,
    /// Library.
    pub library: String,
    /// Version.
    pub version: String,
    /// What it answered at which size, in one line.
    pub why: String,
}
