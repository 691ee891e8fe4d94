//! The words of a race: a [`Contest`] is one job, a [`Contestant`] one implementation entered in it.
//!
//! Every job is a function from bytes to bytes ([`Op`]), so that agreement, timing and the count of
//! allocations are written once for hashes, ciphers and KEMs alike.

use std::fmt;
use std::str::FromStr;

/// One implementation's way of doing a contest's job once: reads the whole input, fills the whole output.
///
/// Everything that the contest does not time (key schedule, contexts, scratch) is made before, when the
/// contestant's `make` builds the `Op`.
pub type Op = Box<dyn FnMut(&[u8], &mut [u8]) + Send>;

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

/// One job that is raced, such as `keccak256/message`.
#[derive(Clone)]
pub struct Contest {
    /// `family/job`, unique, stable: run files and the command line name it.
    pub id: &'static str,
    /// The suite it belongs to, such as `keccak`: `fairlane race keccak` runs all of them.
    pub suite: &'static str,
    /// One line: the exact work inside the timed part, and what is left outside.
    pub about: &'static str,
    /// What its speed is counted in.
    pub unit: Unit,
    /// Whether `Size::count` may differ from 1.
    pub batch: bool,
    /// The sizes of a full race.
    pub sizes: &'static [Size],
    /// The sizes of `--quick`.
    pub quick_sizes: &'static [Size],
    /// Bytes of input of one operation.
    pub input_len: fn(Size) -> usize,
    /// Bytes of output of one operation.
    pub output_len: fn(Size) -> usize,
    /// The specification-shaped answer, from `fairlane-reference`: every contestant must give the same.
    pub reference: fn(Size) -> Op,
}

impl Contest {
    /// The part of the id before the slash: `keccak256`.
    pub fn algorithm(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(algorithm, _)| algorithm)
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
    /// Built by this build from the library's source.
    Vendored,
    /// Loaded at run time from what this machine has installed.
    Installed,
}

/// One implementation entered in one contest.
pub struct Contestant {
    /// Unique in its contest: `fairlane/avx512`, `tiny-keccak`, `openssl (installed)`.
    pub name: String,
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
    /// Whether valgrind can run it (it knows no AVX-512).
    pub valgrind: bool,
    /// Makes the operation for a size.
    pub make: Box<dyn Fn(Size) -> Op + Send + Sync>,
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
