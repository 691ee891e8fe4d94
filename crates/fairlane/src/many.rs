//! Hashing many independent messages in one call.

use core::fmt;
use core::iter::Fuse;
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

/// Where a hash of many takes messages from and puts outputs.
pub(crate) trait Source {
    /// A message's bytes.
    type Message: AsRef<[u8]>;

    /// How many messages are to come.
    fn left(&self) -> usize;

    /// The next message and its number, counted from 0.
    fn next(&mut self) -> Option<(usize, Self::Message)>;

    /// Where message `number`'s output goes, whole.
    fn output(&mut self, number: usize) -> &mut [u8];
}

/// Messages from an iterator, outputs to a slice.
pub(crate) struct Slots<'a, I, O> {
    messages: Fuse<I>,
    taken: usize,
    outputs: &'a mut [O],
}

impl<'a, I: Iterator<Item: AsRef<[u8]>>, O: AsMut<[u8]>> Slots<'a, I, O> {
    /// As many messages as there are outputs.
    pub(crate) fn new(messages: I, outputs: &'a mut [O]) -> Self {
        Self { messages: messages.fuse(), taken: 0, outputs }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>, O: AsMut<[u8]>> Source for Slots<'_, I, O> {
    type Message = I::Item;

    #[inline]
    fn left(&self) -> usize {
        self.outputs.len() - self.taken
    }

    #[inline]
    fn next(&mut self) -> Option<(usize, I::Item)> {
        // An iterator that breaks its promise of a length must not lead past the outputs.
        if self.left() == 0 {
            return None;
        }
        let message = self.messages.next()?;
        self.taken += 1;
        Some((self.taken - 1, message))
    }

    #[inline]
    fn output(&mut self, number: usize) -> &mut [u8] {
        self.outputs[number].as_mut()
    }
}

/// What stands behind every [`HashMany`]: `hash` works through the slots; `size` is the only length that outputs may have.
pub(crate) fn hash_all<'a, I, O>(
    messages: I,
    outputs: &'a mut [O],
    size: Option<usize>,
    hash: impl FnOnce(Slots<'a, I::IntoIter, O>) -> Slots<'a, I::IntoIter, O>,
) -> Result<(), HashManyError>
where
    I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    O: AsMut<[u8]>,
{
    let messages = messages.into_iter();
    let count = outputs.len();
    if messages.len() != count {
        return Err(HashManyError::WrongCount { messages: messages.len(), outputs: count });
    }
    if let Some(expected) = size {
        let mut lengths = outputs.iter_mut().map(|output| output.as_mut().len()).enumerate();
        if let Some((index, length)) = lengths.find(|&(_, length)| length != expected) {
            return Err(HashManyError::WrongLength { index, length, expected });
        }
    }
    match hash(Slots::new(messages, outputs)).taken {
        hashed if hashed == count => Ok(()),
        // The iterator promised more than it gave.
        hashed => Err(HashManyError::WrongCount { messages: hashed, outputs: count }),
    }
}
