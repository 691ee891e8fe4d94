//! The words of a race: a [`Contest`] is one job, a [`Contestant`] one implementation entered in it.
//!
//! Every job begins and ends with bytes ([`Op`]), so that agreement, timing and the count of allocations are written once
//! for hashes, ciphers and KEMs alike.

mod op;

pub use op::Op;

use std::fmt;
use std::slice;
use std::str::FromStr;

/// How much work one operation is: `count` messages of `bytes` bytes each.
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

/// What a contest counts its speed in.
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

/// One thing to compute, and how a right answer is known.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name as its document writes it: `Kusumi-512`.
    pub name: &'static str,
    /// The primitive of fairlane that computes it, such as `kusumi`.
    pub primitive: &'static str,
    /// What the labels of all who compute it say: the size of its key, how well it has been looked at.
    pub labels: &'static [Label],
    /// The specification-shaped answer, from `fairlane-reference`: everyone who computes it must give the same.
    pub reference: fn(Size) -> Op,
}

/// Whether all compute one thing.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Everyone computes this function: a verdict compares implementations.
    OneFunction(Function),
    /// Everyone does the same work, each with one of these functions: a verdict compares functions, too.
    OneJob(&'static [Function]),
}

/// One job that is raced, such as `keccak256/message`.
#[derive(Clone)]
pub struct Contest {
    /// `family/job`, unique, stable: run files and the command line name it.
    pub id: &'static str,
    /// The suite it belongs to, such as `keccak`: `fairlane race keccak` runs all of them.
    pub suite: &'static str,
    /// One line: the exact work inside the timed part with its shape, and what is left outside.
    pub about: &'static str,
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
    /// Whether this may be the answer to that input of one who [draws](Label::DrawsRandomness) what the input should have
    /// given: the reference tries it.
    pub accepts: fn(Size, &[u8], &[u8]) -> bool,
}

impl Contest {
    /// The part of the id before the slash: `keccak256`.
    pub fn algorithm(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(algorithm, _)| algorithm)
    }

    /// The part of the id behind it: `message`.
    pub fn job(&self) -> &'static str {
        self.id.split_once('/').map_or("", |(_, job)| job)
    }

    /// Whether it can be raced at a size.
    pub fn takes(&self, size: Size) -> bool {
        let length = match self.lengths {
            Lengths::Any => true,
            Lengths::AtLeast(bytes) => size.bytes >= bytes,
            Lengths::Blocks(bytes) => size.bytes.is_multiple_of(bytes),
            Lengths::Only(bytes) => size.bytes == bytes,
        };
        length && (self.batch || size.count == 1)
    }

    /// What sizes it takes, as in "takes one message at a time, of any length".
    pub fn takes_what(&self) -> String {
        let count = if self.batch { "batches of messages" } else { "one message at a time" };
        format!("{count}, of {}", self.lengths)
    }

    /// What is computed: one function, or those among which each contestant has its own.
    pub fn functions(&self) -> &[Function] {
        match &self.kind {
            Kind::OneFunction(function) => slice::from_ref(function),
            Kind::OneJob(functions) => functions,
        }
    }

    /// The function of that name, if it is computed here.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions().iter().find(|function| function.name == name)
    }

    /// An input of one operation: random, the same for the same seed in every run.
    pub fn input(&self, size: Size, seed: u64) -> Vec<u8> {
        let mut input = vec![0; (self.input_len)(size)];
        fill(&mut input, seed ^ ((size.count as u64) << 40) ^ ((size.bytes as u64) << 8));
        (self.prepare)(size, &mut input);
        input
    }
}

/// Fills a buffer with splitmix64: random enough for every cipher and hash, and the same in every run.
pub(crate) fn fill(buffer: &mut [u8], seed: u64) {
    let mut state = seed.wrapping_mul(0xd129_0d3b_2f4c_1a85);
    for chunk in buffer.chunks_mut(8) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
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
    /// Expands the key for every message, where others have done it before.
    KeyScheduleInside,
    /// Has a KEM's key only as bytes, and does all that these ask for every time, where others have done it before.
    KeyNotPrepared,
    /// Draws its randomness itself, inside what is timed, where others have it given.
    DrawsRandomness,
    /// Built by this build from the library's source.
    Vendored,
    /// Loaded at run time from what this machine has installed.
    Installed,
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
    /// Whether it is said of the function, whoever computes it.
    pub fn is_of_function(self) -> bool {
        matches!(
            self,
            Self::Key128 | Self::Key256 | Self::Key512 | Self::Standard | Self::Analysed | Self::NoOutsideAnalysis
        )
    }
}

/// One implementation entered in one contest.
pub struct Contestant {
    /// Unique in its contest: `fairlane/avx512`, `tiny-keccak`, `openssl (installed)`.
    pub name: String,
    /// The name of the function that it computes: one of the contest's.
    pub function: &'static str,
    /// The library: `fairlane`, `tiny-keccak`, `OpenSSL`.
    pub library: String,
    /// Its version, as the library says it itself where it can: `4.0.3`.
    pub version: String,
    /// The path that it really takes here, as far as it can be known: `avx512`, `x86-64 assembly`, `unknown`.
    pub backend: String,
    /// What the reader must know of it, sorted.
    pub labels: Vec<Label>,
    /// How to use this path from a program: crate, feature, flag or call, in one line.
    pub how_to_use: String,
    /// Whether valgrind can run it (it knows no AVX-512 and no GFNI).
    pub valgrind: bool,
    /// Makes the operation for a size.
    pub make: Box<dyn Fn(Size) -> Op + Send + Sync>,
}

impl Contestant {
    /// Says something more of it.
    pub(crate) fn label(&mut self, label: Label) {
        self.labels.push(label);
        self.labels.sort_unstable();
    }
}

/// A library that could have entered but is not here, and why: a line of every report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// The library: `Botan (installed)`.
    pub library: String,
    /// Why it is not here and what would bring it: `libbotan-3.so not found; cargo feature botan builds it`.
    pub why: String,
}
