//! The terms of a race: a [`Contest`] is one job of an algorithm, a [`Contestant`] one implementation that takes part.
//!
//! Every job takes and returns bytes ([`Operation`]), so that the check of answers, timing and the count of allocations
//! are written once for hashes, ciphers and KEMs.

mod conditions;
mod id;
mod operation;

pub use conditions::{Conditions, Pace, Place};
pub use id::{Algorithm, ContestId, Job};
pub(crate) use operation::fail;
pub use operation::{Failed, Foreign, Operation};

use crate::inputs::fill_random;
use std::fmt;
use std::slice;
use std::str::FromStr;

/// The work of one operation: `count` messages of `bytes` bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Messages (blocks, keys) an operation; 1 outside batch contests.
    pub count: usize,
    /// Bytes of each message.
    pub bytes: usize,
}

impl Size {
    /// One message of `bytes` bytes.
    pub const fn one(bytes: usize) -> Self {
        Self { count: 1, bytes }
    }

    /// `count` messages of `bytes` bytes.
    pub const fn batch(count: usize, bytes: usize) -> Self {
        Self { count, bytes }
    }

    /// Bytes of all messages together.
    pub const fn total(self) -> usize {
        self.count * self.bytes
    }
}

/// Prints `1024` or, for a batch, `1024x32`: what [`Size::from_str`] and the run's JSON take.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 1 { write!(f, "{}", self.bytes) } else { write!(f, "{}x{}", self.count, self.bytes) }
    }
}

/// Takes `32`, `1KiB`, `16K`, `1MiB` or `1024x32`, `64x1KiB`; refuses 0.
impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("size '{text}' is not a number of bytes such as 32, 1KiB or, for a batch, 1024x32");
        let number = |digits: &str| -> Result<usize, String> {
            let (digits, unit) = match digits.find(|c: char| !c.is_ascii_digit()) {
                Some(at) => digits.split_at(at),
                None => (digits, ""),
            };
            let factor = match unit {
                "" | "B" => 1,
                "K" | "KiB" => 1 << 10,
                "M" | "MiB" => 1 << 20,
                "G" | "GiB" => 1 << 30,
                _ => return Err(bad()),
            };
            let n: usize = digits.parse().map_err(|_| bad())?;
            n.checked_mul(factor).ok_or_else(bad)
        };
        let size = match text.split_once('x') {
            Some((count, bytes)) => Self { count: number(count)?, bytes: number(bytes)? },
            None => Self::one(number(text)?),
        };
        if size.count == 0 || size.bytes == 0 {
            return Err(format!("size '{text}' is zero: a race needs at least one byte"));
        }
        match size.count.checked_mul(size.bytes) {
            Some(total) if total <= 1 << 32 => Ok(size),
            _ => Err(format!("size '{text}' is more than 4 GiB an operation")),
        }
    }
}

/// The unit that the speed of a contest is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input processed: a speed in bytes a second makes sense.
    Bytes,
    /// Operations: only time an operation makes sense.
    Operations,
}

/// The message lengths that a contest makes sense for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// Every length.
    Any,
    /// So many bytes or more.
    AtLeast(usize),
    /// Whole blocks of so many bytes.
    Blocks(usize),
    /// So many bytes, no more and no less.
    Only(usize),
}

/// As in "takes messages of any length".
impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any length"),
            Self::AtLeast(bytes) => write!(f, "{bytes} bytes or more"),
            Self::Blocks(bytes) => write!(f, "whole blocks of {bytes} bytes"),
            Self::Only(bytes) => write!(f, "{bytes} bytes only"),
        }
    }
}

/// A function to compute, with its reference.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name as its document writes it: `Kusumi-512`.
    pub name: &'static str,
    /// The primitive of fairlane that computes it, such as `kusumi`.
    pub primitive: &'static str,
    /// Labels of every contestant that computes it: the size of its key, how well it has been analysed.
    pub labels: &'static [Label],
    /// The reference, from `fairlane-reference`: every contestant that computes this function must give its answers.
    pub reference: fn(Size) -> Operation,
}

/// Whether all contestants compute one function.
#[derive(Clone, Copy)]
pub enum Kind {
    /// All compute this function: a verdict compares implementations.
    OneFunction(Function),
    /// All do the same work, each with one of these functions: a verdict compares functions, too.
    OneJob(&'static [Function]),
    /// All compute this function, for which this laboratory has no reference.
    Own(&'static OwnFunction),
}

/// The function of somebody else's contest. Its contestants are checked against each other.
pub struct OwnFunction {
    /// What is known of it. Its `reference` is not asked.
    pub function: Function,
    /// Bytes of output for one message of so many bytes, instead of [`Contest::output_len`].
    pub output_len: Box<dyn Fn(usize) -> usize + Send + Sync>,
    /// Whether it changes its input where it lies.
    pub in_place: bool,
    /// Bytes of its key, its IV or nonce, and its additional data; 0 for none.
    pub key_len: [usize; 3],
}

/// The most bytes of output of a contest of one's own.
const MOST_OUTPUT: usize = u32::MAX as usize;

/// One job that is raced, such as `keccak256/message`.
#[derive(Clone)]
pub struct Contest {
    /// Its name in run files and on the command line.
    pub id: ContestId,
    /// The suite it belongs to, such as `keccak`: `fairlane race keccak` runs all of them.
    pub suite: &'static str,
    /// One line: the exact work inside the timed part with its shape, and what is left outside.
    pub about: &'static str,
    /// What of that is timed, part by part.
    pub conditions: Conditions,
    /// Whether all compute one thing, and what.
    pub kind: Kind,
    /// What its speed is counted in.
    pub unit: Unit,
    /// Whether `Size::count` may differ from 1.
    pub batch: bool,
    /// The message lengths that `Size::bytes` may be.
    pub lengths: Lengths,
    /// The sizes of a full race.
    pub sizes: &'static [Size],
    /// The sizes of `--quick`.
    pub quick_sizes: &'static [Size],
    /// The most bytes at which those labelled [`Label::Reference`] are timed: with more, one operation of theirs would
    /// take the time of many rounds.
    pub reference_limit: usize,
    /// Bytes of input of one operation.
    pub input_len: fn(Size) -> usize,
    /// Bytes of output of one operation; in place those of the input.
    pub output_len: fn(Size) -> usize,
    /// Makes a proper input of random bytes: of a message to be opened one that was sealed.
    pub prepare: fn(Size, &mut [u8]),
    /// Whether an output may be the answer to an input if the contestant [draws](Label::DrawsRandomness) the randomness
    /// that the input holds for the others: the reference tries it.
    pub accepts: fn(Size, &[u8], &[u8]) -> bool,
}

impl Contest {
    /// What is computed.
    pub fn algorithm(&self) -> Algorithm {
        self.id.algorithm
    }

    /// What is done with it.
    pub fn job(&self) -> Job {
        self.id.job
    }

    /// Whether it can be raced at a size.
    pub fn takes(&self, size: Size) -> bool {
        let length = match self.lengths {
            Lengths::Any => true,
            Lengths::AtLeast(bytes) => size.bytes >= bytes,
            Lengths::Blocks(bytes) => size.bytes.is_multiple_of(bytes),
            Lengths::Only(bytes) => size.bytes == bytes,
        };
        let output = !matches!(self.kind, Kind::Own(_)) || (1..=MOST_OUTPUT).contains(&self.output_bytes(size));
        length && output && (self.batch || size.count == 1)
    }

    /// The sizes that it takes, as in "takes one message at a time, of any length".
    pub fn takes_what(&self) -> String {
        let count = if self.batch { "batches of messages" } else { "one message at a time" };
        let output =
            if matches!(self.kind, Kind::Own(_)) { ", with at least 1 byte and less than 4 GiB of output" } else { "" };
        format!("{count}, of {}{output}", self.lengths)
    }

    /// The functions that are computed: one, or those among which each contestant has its own.
    pub fn functions(&self) -> &[Function] {
        match &self.kind {
            Kind::OneFunction(function) => slice::from_ref(function),
            Kind::OneJob(functions) => functions,
            Kind::Own(own) => slice::from_ref(&own.function),
        }
    }

    /// Bytes of output of one operation at a size.
    pub fn output_bytes(&self, size: Size) -> usize {
        match self.kind {
            Kind::Own(own) => size.count.saturating_mul((own.output_len)(size.bytes)),
            _ => (self.output_len)(size),
        }
    }

    /// The function of that name, if it is computed here.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions().iter().find(|function| function.name == name)
    }

    /// An input of one operation: random, the same for the same seed in every run.
    pub fn input(&self, size: Size, seed: u64) -> Vec<u8> {
        let mut input = vec![0; (self.input_len)(size)];
        fill_random(&mut input, seed ^ ((size.count as u64) << 40) ^ ((size.bytes as u64) << 8));
        (self.prepare)(size, &mut input);
        input
    }
}

/// What a reader must know to call two contestants' work the same; printed in every table.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// No secret-dependent branch, address or variable-time instruction.
    ConstantTime,
    /// Secret-dependent table look-ups.
    NotConstantTime,
    /// Written to be read, not to be fast.
    Reference,
    /// Calls the library through a foreign-function interface.
    Ffi,
    /// One message at a time in a loop, because the library has no batch call.
    OneByOne,
    /// Expands the key for every message, inside the timed part.
    KeyScheduleInside,
    /// Makes its context for every message, inside the timed part, because finishing uses it up.
    ContextInside,
    /// Works only in place, or only from one buffer to another, unlike its contest: it copies the message first, inside
    /// the timed part.
    CopiesFirst,
    /// Has a KEM's key only as bytes, and reads and checks it every time, inside the timed part.
    KeyNotPrepared,
    /// Draws its randomness itself, inside the timed part; the others are given it.
    DrawsRandomness,
    /// Built by this build from the library's source.
    Vendored,
    /// Loaded at run time from what this machine has installed.
    Installed,
    /// A plug-in, given on the command line.
    PlugIn,
    /// A process of its own, which times itself by its own clock.
    TimedByItself,
    /// The function takes a key of 128 bits.
    Key128,
    /// The function takes a key of 256 bits.
    Key256,
    /// The function takes a key of 512 bits.
    Key512,
    /// The function is that of a published standard (an RFC, FIPS, ISO) and widely analysed.
    Standard,
    /// No standard, but analysed in public by others than its authors.
    Analysed,
    /// Nobody but its authors is known to have analysed the function.
    NoOutsideAnalysis,
}

impl Label {
    /// Whether it describes the function and not the implementation.
    pub fn is_of_function(self) -> bool {
        matches!(
            self,
            Self::Key128 | Self::Key256 | Self::Key512 | Self::Standard | Self::Analysed | Self::NoOutsideAnalysis
        )
    }
}

/// One implementation entered in one contest.
pub struct Contestant {
    /// Unique in its contest: `fairlane/avx512`, `tiny-keccak`, `openssl (installed)`. In a contest of one job it
    /// begins with the function: `ChaCha20: fairlane/avx512`.
    pub name: String,
    /// The name of the function that it computes: one of the contest's.
    pub function: &'static str,
    /// The library: `fairlane`, `tiny-keccak`, `OpenSSL`.
    pub library: String,
    /// Its version, as the library says it itself where it can: `4.0.3`.
    pub version: String,
    /// The path that it really takes here, as far as it can be known: `avx512`, `x86-64 assembly`, `unknown`.
    pub backend: String,
    /// What a reader must know about it, sorted.
    pub labels: Vec<Label>,
    /// How to use this path from a program: crate, feature, flag or call, in one line.
    pub how_to_use: String,
    /// Whether valgrind can run it (valgrind knows no AVX-512 and no GFNI).
    pub valgrind: bool,
    /// Makes the operation for a size.
    pub make: Box<dyn Fn(Size) -> Operation + Send + Sync>,
}

impl Contestant {
    /// Its name without the function that it may begin with.
    pub fn implementation(&self) -> &str {
        let named = self.name.strip_prefix(self.function).and_then(|name| name.strip_prefix(": "));
        named.unwrap_or(&self.name)
    }

    /// Adds a label.
    pub(crate) fn label(&mut self, label: Label) {
        self.labels.push(label);
        self.labels.sort_unstable();
    }
}

/// A contestant that is unavailable, and why: a line of every report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// The library: `Botan (installed)`.
    pub library: String,
    /// Why it is unavailable, and what would change that: `libbotan-3.so not found; cargo feature botan builds it`.
    pub why: String,
}
