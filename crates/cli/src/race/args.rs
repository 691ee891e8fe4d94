//! The arguments of `fairlane race`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use fairlane_lab::contest::Size;
use fairlane_lab::engine::Process;
use fairlane_lanes::Backend;
use std::path::{Path, PathBuf};

/// Race implementations side by side on this machine, and report which is fastest, by how much and how certainly
///
/// Without a suite or contest, a selection from all suites is raced in under three minutes. One line per contest says
/// which contestant is fastest and by how much; the full report is written to fairlane-race.html and
/// fairlane-race.json. `fairlane race --list` shows what can be raced. Ctrl-C ends the race early and keeps what was
/// measured.
///
/// A file that exists is replaced if it is empty, or if its first 4 KiB show that fairlane wrote it: a run or the
/// report of one. Any other file is only replaced with --force.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Suites (keccak, arx, sm, kalyna, ml-kem, clwe), contests (sha3-256/message), what contests begin with
    /// (keccak256, ml-kem-768) or patterns ('*/batch', '*' for all)
    #[arg(value_name = "SUITE|CONTEST")]
    pub(super) contests: Vec<String>,
    /// Race at these sizes instead of the contests' own: 32, 1KiB or, for a batch, 1024x32
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    pub(super) size: Vec<Size>,
    /// Race only these contestants: a name, a library or a pattern such as 'fairlane/*'
    ///
    /// Where different functions do one job, names begin with the function: "Kusumi-512: fairlane/avx2". There a
    /// pattern may match the whole name or the part after the function, so that 'fairlane/*' selects fairlane with each
    /// function.
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(super) contestant: Vec<String>,
    /// Enter a contestant of your own: a shared library (./mine.so) or a command ('cmd: python3 mine.py'); may be given
    /// several times
    ///
    /// Without a suite or contest, the contests that the plug-ins name are raced. A plug-in that crashes or hangs is
    /// disqualified, and the race goes on. docs/plugins.md says how to write one.
    #[arg(long, value_name = "PLUGIN")]
    pub(super) plugin: Vec<String>,
    /// Race fairlane's backends of this build against those of another build of fairlane: an A/B test, interleaved
    ///
    /// Names end in (this build) and (other build). Both builds run in processes of their own and time themselves.
    /// Without --contestant nobody else races.
    #[arg(long, value_name = "PROGRAM")]
    pub(super) against: Option<PathBuf>,
    /// Add a contest of your own, whose contestants are plug-ins, from this TOML file; may be given several times
    #[arg(long, value_name = "FILE", requires = "plugin")]
    pub(super) contest: Vec<PathBuf>,
    /// Race only these backends of fairlane; with two, such as avx2,avx512, the race reports the speed-up of the better
    /// one
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = backend(), hide_possible_values = true)]
    pub(super) backend: Vec<Backend>,
    /// Run this many threads at once; several counts are raced one after the other
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) threads: Vec<u32>,
    /// Seconds of measuring for each contest, size and thread count; the default is 3, or less to finish in three
    /// minutes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<f64>,
    /// Run each contest in this many processes, one after the other, each for its share of the time
    ///
    /// Every process has its own layout of the address space, on which the speed of code depends. Intervals then hold
    /// for the next process, too, and not only for this one. The default is 5, or 1 with --quick or where each would
    /// have less than a quarter of a second for a contest.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(super) processes: Option<u32>,
    /// Race as one of several processes, such as 2/5, and write the run to standard output
    #[arg(long, value_name = "I/N", hide = true, value_parser = process)]
    pub(super) part: Option<Process>,
    /// How many seconds longer the whole race may take, to wait until its core is quiet
    ///
    /// On a shared machine a neighbour may disturb most samples of a contest. The race waits for pauses, and spends
    /// this time where a contest has too few undisturbed samples in four times its time. 0 gives up then.
    #[arg(long, value_name = "SECONDS", value_parser = patience, default_value = "45")]
    pub(super) patience: f64,
    /// The number of operations in each sample; the default is, for each contestant, what takes about 200 µs
    ///
    /// With --warm-up 100 --iterations 1000, a sample is what a simple benchmark measures. The race still alternates
    /// between contestants until the time is up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) iterations: Option<u64>,
    /// The number of untimed operations before each sample; the default is what takes 30 µs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub(super) warm_up: Option<u64>,
    /// Race at fewer sizes and in fewer rounds, the default without a suite or contest, and in one process
    #[arg(long)]
    pub(super) quick: bool,
    /// Exit with code 1 if a contestant is disqualified, or if a contest is not fit for a verdict
    #[arg(long)]
    pub(super) strict: bool,
    /// Keep samples that another process disturbed, and give no verdicts: for a machine that is never quiet, and for
    /// tests
    ///
    /// Samples in which the race was preempted are kept as well. Ratios and intervals then include whatever else the
    /// machine was doing. The run says so, and none of its contests is fit for a verdict: with --strict the exit code
    /// is 1.
    #[arg(long)]
    pub(super) keep_disturbed: bool,
    /// Also count instructions and the bytes of code that an operation runs, with valgrind, for the contestants that
    /// it can run and on one thread
    #[arg(long)]
    pub(super) callgrind: bool,
    /// Also time 200 single calls of each contestant with cold caches, and show their median and 99th percentile
    ///
    /// Before each call 64 MiB are written, so that message, keys, tables and code come from memory. It takes about two
    /// seconds a contestant and size. Contests on several threads and contestants that run in processes of their own are
    /// left out.
    #[arg(long)]
    pub(super) cold: bool,
    /// Also count the energy of an operation, where Linux lets this user read the counters of the processor (RAPL)
    ///
    /// Each contestant runs alone three times for half a second; the median is shown. Whole packages are counted, with
    /// idle cores, neighbours and the memory controller, so that only differences between contestants of one contest
    /// mean something. Contests on several threads and contestants that run in processes of their own are left out.
    #[arg(long)]
    pub(super) energy: bool,
    /// Also tell the most heap and stack that an operation has in use at once
    ///
    /// Heap is counted like allocations. For the stack each contestant runs on a thread whose stack was painted before.
    /// Contestants that run in processes of their own are left out.
    #[arg(long)]
    pub(super) memory: bool,
    /// Write the run to this JSON file, for validate, compare and report; - is standard output, as without FILE
    ///
    /// With --list, what can be raced is written instead.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(super) json: Option<PathBuf>,
    /// Write the run to this file as a Markdown document; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) markdown: Option<PathBuf>,
    /// Write the run to this file as a self-contained HTML page; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Replace files that fairlane did not write
    #[arg(short, long)]
    pub(super) force: bool,
    /// In reports, say of each contestant whether its time tells secrets apart, as fairlane leak --json has found on
    /// this machine; the run's own file stays without
    #[arg(long, value_name = "LEAKS.json")]
    pub(super) leaks: Option<PathBuf>,
    /// Sign the run with this Ed25519 key in PEM, to say who vouches for it; fairlane validate --signed-by asks for it
    ///
    /// openssl genpkey -algorithm ed25519 makes a key, and openssl pkey -pubout its public key.
    #[arg(long, value_name = "KEYFILE")]
    pub(super) sign: Option<PathBuf>,
    /// Do not race, but list what can be raced, a line for each contest, and which libraries are unavailable, and why
    #[arg(long, conflicts_with_all = ["markdown", "html", "leaks", "strict", "sign"])]
    pub(super) list: bool,
    /// With --list: say of each contest what it does, its sizes and its contestants
    #[arg(long, requires = "list")]
    pub(super) verbose: bool,
}

impl Args {
    /// Whether no contest was named, so that the default selection is raced.
    pub(super) fn is_main(&self) -> bool {
        self.contests.is_empty() && self.plugin.is_empty()
    }

    /// The files that a race reads, each with its description.
    pub(super) fn files(&self) -> Vec<(Option<&Path>, &'static str)> {
        let plugins = self.plugin.iter().filter(|spec| !spec.starts_with("cmd:"));
        let plugins = plugins.map(|path| (Some(Path::new(path)), "a plug-in"));
        let contests = self.contest.iter().map(|path| (Some(&**path), "the file of --contest"));
        let others = [
            (self.sign.as_deref(), "the key of --sign"),
            (self.leaks.as_deref(), "the file of --leaks"),
            (self.against.as_deref(), "the program of --against"),
        ];
        others.into_iter().chain(contests).chain(plugins).collect()
    }
}

fn process(text: &str) -> Result<Process, String> {
    let numbers = text.split_once('/').and_then(|(index, of)| Some((index.parse::<u32>().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Process { index: number - 1, of }),
        _ => Err("a part is 1/5, 2/5 and so on".to_owned()),
    }
}

/// Takes a backend's name; shells complete it, and a name that is none gets a suggestion.
pub(crate) fn backend() -> impl TypedValueParser<Value = Backend> {
    PossibleValuesParser::new(Backend::ALL.iter().map(|backend| backend.name())).try_map(|name| name.parse::<Backend>())
}

fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a race waits for 0 to 86400 seconds".to_owned()),
    }
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a race takes from 0.01 to 86400 seconds".to_owned()),
    }
}
