//! A race of your own functions, in your own project's `benches/`.
//!
//! ```no_run
//! // benches/checksum.rs, with `harness = false` in Cargo.toml
//! use fairlane_lab::Bench;
//!
//! fairlane_lab::count_allocations!();
//! # fn mine(bytes: &[u8]) -> u32 { bytes.iter().map(|byte| u32::from(*byte)).sum() }
//! # fn other(bytes: &[u8]) -> u32 { bytes.iter().fold(0, |sum, byte| sum + u32::from(*byte)) }
//!
//! fn main() -> std::process::ExitCode {
//!     Bench::new("checksum", &[64, 1 << 20], 4)
//!         .entry("mine", |input, output| output.copy_from_slice(&mine(input).to_le_bytes()))
//!         .entry("other", |input, output| output.copy_from_slice(&other(input).to_le_bytes()))
//!         .run()
//! }
//! ```

use crate::contest::{Contest, Contestant, Operation, Size};
use crate::contests::own::{self, Own};
use crate::engine::{self, Entry, Observer, RaceConfig};
use crate::report::Format;
use crate::run::{ContestResult, Run};
use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Columns of the report.
const WIDTH: usize = 100;

const HELP: &str = "a race of functions; with --quick in fewer rounds, with --time SECONDS for each size, with --json \
                    FILE for `fairlane report`";

/// A race between functions from bytes to bytes, which must all give the same answers.
pub struct Bench {
    name: String,
    contest: Contest,
    contestants: Vec<Contestant>,
}

impl Bench {
    /// A race without contestants, with random messages of these numbers of bytes and answers of `output_len` bytes.
    ///
    /// # Panics
    /// If the name is not of lower-case letters, digits, `-`, `.` and `_`, or is that of an algorithm of fairlane; if
    /// there is no size, or one is 0.
    pub fn new(name: &str, sizes: &[usize], output_len: usize) -> Self {
        let sizes = own::sizes(sizes.iter().copied().map(Size::one).collect());
        assert!(!sizes.is_empty() && sizes.iter().all(|size| size.bytes > 0), "a race needs sizes above 0");
        assert!(output_len > 0, "without an answer nobody knows what was computed");
        let own = Own { output_len: Box::new(move |_| output_len), in_place: false, key_len: [0; 3] };
        let about = format!("{name} of one message, from input to a given output");
        let contest = own::contest(&format!("{name}/message"), name, about, own).unwrap_or_else(|why| panic!("{why}"));
        Self {
            name: name.to_owned(),
            contest: Contest { sizes, quick_sizes: sizes, ..contest },
            contestants: Vec::new(),
        }
    }

    /// Enters a function, which reads the message and fills the answer. A clone of it runs in each place where it is
    /// needed.
    ///
    /// # Panics
    /// If the name is taken or empty.
    #[must_use]
    pub fn entry(mut self, name: &str, function: impl FnMut(&[u8], &mut [u8]) + Clone + Send + Sync + 'static) -> Self {
        assert!(!name.is_empty() && self.contestants.iter().all(|other| other.name != name), "a name of its own");
        self.contestants.push(Contestant {
            name: name.to_owned(),
            function: self.contest.functions()[0].name,
            library: name.to_owned(),
            version: "this build".to_owned(),
            backend: "this build".to_owned(),
            labels: Vec::new(),
            how_to_use: "see the source of this bench".to_owned(),
            valgrind: false,
            make: Box::new(move |_| Operation::to_output(function.clone())),
        });
        self
    }

    /// Races, as the arguments of this process say, and prints the verdicts. Without `--bench`, which `cargo bench`
    /// gives, it only checks that all answers agree: that is what `cargo test` wants.
    ///
    /// Exit code 1 if a function is disqualified or a file cannot be written, 2 for an argument that is not known.
    pub fn run(self) -> ExitCode {
        match Arguments::parse(env::args().skip(1)) {
            Ok(arguments) => match self.race(&arguments) {
                Ok(true) => ExitCode::SUCCESS,
                Ok(false) => ExitCode::from(1),
                Err(why) => complain(&why, 1),
            },
            Err(why) => complain(&why, 2),
        }
    }

    /// Whether all agreed.
    fn race(self, arguments: &Arguments) -> Result<bool, String> {
        let Self { name, contest, contestants } = self;
        if !arguments.filter.iter().all(|part| name.contains(part)) {
            return Ok(true);
        }
        let mut config = RaceConfig::new(vec![Entry { contest, contestants }]);
        config.quick = arguments.quick || !arguments.bench;
        config.keep_disturbed = !arguments.bench;
        if let Some(seconds) = arguments.time.or((!arguments.bench).then_some(0.01)) {
            config.seconds_per_contest = seconds;
        }
        config.command = "cargo bench".to_owned();
        let observer: &mut dyn Observer = if arguments.bench { &mut Notes } else { &mut () };
        let run = engine::race(&config, observer, &AtomicBool::new(false));
        let runs = std::slice::from_ref(&run);
        let said = |error: io::Error| error.to_string();
        if let Some(path) = &arguments.json {
            let bytes = Format::Json { gzip: false }.to_bytes(runs).map_err(said)?;
            fs::write(path, bytes).map_err(|error| format!("{path}: {error}"))?;
        }
        if arguments.bench {
            let _ = io::stdout().write_all(Format::Verdicts(WIDTH).to_text(runs).map_err(said)?.as_bytes());
        }
        Ok(agreed(&run))
    }
}

/// Whether nobody was disqualified; says who was.
fn agreed(run: &Run) -> bool {
    let out: Vec<_> = run.contests.iter().flat_map(|contest: &ContestResult| &contest.disqualified).collect();
    for one in &out {
        say(&format!("{} is disqualified: {}", one.name, one.why));
    }
    out.is_empty()
}

fn complain(why: &str, code: u8) -> ExitCode {
    say(why);
    ExitCode::from(code)
}

/// Prints a line to standard error. A write error is ignored.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints what a race remarks.
struct Notes;

impl Observer for Notes {
    fn note(&mut self, line: &str) {
        say(line);
    }
}

/// What `cargo bench -- ARGUMENTS` gives.
#[derive(Debug, Default, PartialEq)]
struct Arguments {
    bench: bool,
    quick: bool,
    time: Option<f64>,
    json: Option<String>,
    filter: Vec<String>,
}

impl Arguments {
    fn parse(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        while let Some(argument) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => arguments.bench = true,
                "--quick" => arguments.quick = true,
                "--time" => {
                    let seconds = value()?.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
                    arguments.time = Some(seconds.ok_or("--time takes from 0.01 to 86400 seconds")?);
                }
                "--json" => arguments.json = Some(value()?),
                option if option.starts_with('-') => return Err(format!("'{option}' is not known here: {HELP}")),
                _ => arguments.filter.push(argument),
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_are_those_of_cargo_bench_and_a_few() {
        let all = parsed("--bench --quick --time 0.5 --json run.json sum").unwrap();
        assert_eq!((all.bench, all.quick, all.time, all.json.as_deref()), (true, true, Some(0.5), Some("run.json")));
        assert_eq!(all.filter, ["sum"]);
        for wrong in ["--time", "--time 0", "--save-baseline x"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }

    fn sum(bytes: &[u8]) -> u32 {
        bytes.iter().fold(0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)))
    }

    #[test]
    fn who_agrees_with_nobody_is_disqualified() {
        let write = |input: &[u8], output: &mut [u8]| output.copy_from_slice(&sum(input).to_le_bytes());
        let bench = || Bench::new("sum", &[64, 100], 4).entry("one", write).entry("other", write);
        let quick = Arguments::default();
        assert_eq!(bench().race(&quick), Ok(true));
        let wrong = bench().entry("wrong", |_, output| output.fill(7));
        assert_eq!(wrong.race(&quick), Ok(false));
        let left_out = Arguments { filter: vec!["hash".to_owned()], ..Arguments::default() };
        assert_eq!(bench().entry("wrong", |_, output| output.fill(7)).race(&left_out), Ok(true));
    }
}
