//! The messages of one call of `hash_many`, and hashing them in chunks and threads.

use fairlane::Backend;
use fairlane::dynamic::{self, HashAlgorithm};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Rows that a thread takes at a time, at most.
const CHUNK: usize = 16 << 10;

/// Short rows that a thread takes at a time, at least.
const FEW: usize = 64;

/// Bytes of messages and outputs that are worth a thread.
const WORTH: usize = 16 << 10;

/// Messages that the library hashes side by side.
const LANES: usize = 8;

/// Bytes of a leaf of the trees of KT128 and KT256.
const LEAF: usize = 8 << 10;

/// Rows that are given to the library at a time: their slices fit the first cache.
const GATHER: usize = 1024;

/// Messages by number; some may be null.
pub(crate) trait Rows: Sync {
    /// How many messages there are.
    fn count(&self) -> usize;

    /// A message, `None` where it is null.
    ///
    /// # Errors
    /// The memory that should describe the message contradicts itself.
    fn row(&self, index: usize) -> Result<Option<&[u8]>, Malformed>;
}

/// The memory of an Arrow array contradicts itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed;

/// Why messages were not hashed.
#[derive(Debug)]
pub(crate) enum Failure {
    Library(dynamic::Error),
    Malformed,
    /// An Arrow column of this format, which holds no bytes.
    Type(String),
    /// A list of bytes with a null among them.
    NullInside,
    /// Outputs need more memory than there is.
    Memory,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Malformed => f.write_str("the Arrow array is malformed: its buffers contradict each other"),
            Self::Type(format) => {
                write!(f, "a column of Arrow's format '{}' holds neither bytes nor text", format.escape_debug())
            }
            Self::Memory => f.write_str("no memory for so many bytes"),
            Self::NullInside => f.write_str("a list of bytes has a null among them"),
        }
    }
}

/// Lengthens outputs of `size` bytes by zeros until there are `count`.
pub(crate) fn lengthen(outputs: &mut Vec<u8>, count: usize, size: usize) -> Result<(), Failure> {
    let length = count.checked_mul(size).filter(|length| isize::try_from(*length).is_ok()).ok_or(Failure::Memory)?;
    outputs.try_reserve(length.saturating_sub(outputs.len())).map_err(|_| Failure::Memory)?;
    outputs.resize(length, 0);
    Ok(())
}

impl From<dynamic::Error> for Failure {
    fn from(error: dynamic::Error) -> Self {
        Self::Library(error)
    }
}

impl From<Malformed> for Failure {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// How messages are hashed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) algorithm: HashAlgorithm,
    pub(crate) backend: Option<Backend>,
    /// Bytes of a digest.
    pub(crate) size: usize,
    /// At least 1.
    pub(crate) threads: usize,
}

impl Job {
    /// Hashes message `i` into the `i`th part of `outputs`, which has `size` bytes for each. Those of nulls are
    /// cleared.
    pub(crate) fn run(&self, rows: &impl Rows, outputs: &mut [u8]) -> Result<(), Failure> {
        if self.size == 0 {
            return Ok(());
        }
        let chunk = self.chunk(rows);
        let threads = self.threads.min(rows.count().div_ceil(chunk));
        let chunks = Mutex::new(outputs.chunks_mut(chunk.saturating_mul(self.size)).enumerate());
        let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((number, outputs)) = next() {
                self.run_chunk(rows, number * chunk, outputs)?;
            }
            Ok(())
        };
        if threads <= 1 {
            return work();
        }
        thread::scope(|scope| {
            // Where the system gives no thread, those that there are do its work.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).map_while(spawn).collect();
            let own = work();
            others
                .into_iter()
                .map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .fold(own, Result::and)
        })
    }

    /// Rows that a thread takes at a time.
    fn chunk(&self, rows: &impl Rows) -> usize {
        let (count, share) = (rows.count(), rows.count() / self.threads.saturating_mul(4));
        if share >= FEW || self.threads == 1 {
            return share.clamp(FEW, CHUNK);
        }
        let length = |row| rows.row(row).ok().flatten().map_or(0, <[u8]>::len);
        let mean = self.size + (0..count).map(length).fold(0, usize::saturating_add) / count.max(1);
        // A long message of a tree hash fills the lanes by itself; others fill them together.
        let tree = matches!(self.algorithm, HashAlgorithm::Kt128 | HashAlgorithm::Kt256) && mean > 2 * LEAF;
        let lanes = if tree { 1 } else { count.div_ceil(self.threads).clamp(1, LANES) };
        share.max((WORTH / mean.max(1)).clamp(lanes, FEW))
    }

    /// Hashes the messages from `first` on.
    fn run_chunk(&self, rows: &impl Rows, first: usize, outputs: &mut [u8]) -> Result<(), Failure> {
        let mut messages = Vec::with_capacity(GATHER.min(outputs.len() / self.size));
        let mut nulls = Vec::new();
        for (part, outputs) in outputs.chunks_mut(GATHER.saturating_mul(self.size)).enumerate() {
            messages.clear();
            nulls.clear();
            let first = first + part * GATHER;
            for row in first..first + outputs.len() / self.size {
                let message = rows.row(row)?;
                if message.is_none() {
                    nulls.push(row - first);
                }
                messages.push(message.unwrap_or_default());
            }
            self.algorithm.hash_many(&messages, outputs, self.backend)?;
            for null in &nulls {
                outputs[null * self.size..][..self.size].fill(0);
            }
        }
        Ok(())
    }
}

impl Rows for Vec<&[u8]> {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn row(&self, index: usize) -> Result<Option<&[u8]>, Malformed> {
        Ok(Some(self[index]))
    }
}

/// Messages of one length, one after the other.
pub(crate) struct Matrix<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) width: usize,
    pub(crate) count: usize,
}

impl Rows for Matrix<'_> {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn row(&self, index: usize) -> Result<Option<&[u8]>, Malformed> {
        Ok(Some(&self.bytes[index * self.width..][..self.width]))
    }
}
