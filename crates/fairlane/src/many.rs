//! Hashing many independent messages in one call.

use core::fmt;
use fairlane_lanes::{Backend, Unsupported};

/// Hashes many independent messages side by side in the lanes of vector registers.
///
/// Messages may have any mix of lengths: when one ends, the next takes its lane. Outputs keep the messages' order.
/// Nothing is allocated.
///
/// ```
/// use fairlane::{HashMany, keccak::Keccak256};
///
/// let messages: [&[u8]; 3] = [b"", b"abc", &[7; 1000]];
/// let mut digests = [[0; 32]; 3];
/// Keccak256::hash_many(messages, &mut digests)?;
/// assert_eq!(digests[1], fairlane::keccak::keccak256(b"abc"));
/// # Ok::<(), fairlane::HashManyError>(())
/// ```
pub trait HashMany {
    /// Hashes message `i` into `outputs[i]`.
    ///
    /// A hash fills outputs of exactly its size, an extendable-output function outputs of any length.
    ///
    /// # Errors
    /// As many outputs as messages are needed, each of the right length; otherwise nothing is written. (An iterator that
    /// gives fewer messages than it promised is found out at its end: those it gave are hashed then.)
    ///
    /// # Panics
    /// If a message's `as_ref` changes between calls.
    fn hash_many<I, O>(messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>;

    /// [`hash_many`](Self::hash_many) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Besides those of [`hash_many`](Self::hash_many): the backend is not available.
    fn hash_many_with<I, O>(backend: Backend, messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>;
}

/// What is wrong with a call that hashes many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashManyError {
    /// The numbers of messages and of outputs differ.
    WrongCount {
        /// Messages given.
        messages: usize,
        /// Outputs given.
        outputs: usize,
    },
    /// An output has not the hash's size.
    WrongLength {
        /// Its index.
        index: usize,
        /// Its length in bytes.
        length: usize,
        /// The hash's size in bytes.
        expected: usize,
    },
    /// The backend is not available.
    Unsupported(Unsupported),
}

impl fmt::Display for HashManyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { messages, outputs } => write!(f, "{messages} messages, but {outputs} outputs"),
            Self::WrongLength { index, length, expected } => {
                write!(f, "output {index} has {length} bytes, but the hash has {expected}")
            }
            Self::Unsupported(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for HashManyError {}

impl From<Unsupported> for HashManyError {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}
