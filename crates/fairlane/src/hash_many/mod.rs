//! Hashing many independent messages in one call.
//!
//! - `messages`: the caller's messages and outputs, without the caller's types
//! - `equal_lengths`: groups of messages of one length
//! - `rows`: messages of one length, one after the other in memory
//! - `multi_buffer`: which message is in which lane, for any lengths

mod equal_lengths;
mod last_group;
mod messages;
mod multi_buffer;
mod rows;

pub(crate) use equal_lengths::hash_group;
pub(crate) use last_group::LastGroup;
pub(crate) use messages::{Groups, Messages, Slots};
pub(crate) use multi_buffer::{IteratedHash, MultiBuffer};
pub(crate) use rows::Rows;

use core::fmt;
use fairlane_lanes::{AnyToken, Backend, Unsupported};

/// Hashes many independent messages side by side in the lanes of vector registers.
///
/// Messages may have any mix of lengths: when one ends, the next takes its lane. Outputs are in the messages' order.
/// Nothing is allocated. A call takes at most 16 KiB of stack, and room for 32 of the iterator's items: long messages
/// should be given as references.
///
#[cfg_attr(feature = "keccak", doc = "```")]
#[cfg_attr(not(feature = "keccak"), doc = "```ignore")]
/// use fairlane::{HashMany, keccak::Keccak256};
///
/// let messages: [&[u8]; 3] = [b"", b"abc", &[7; 1000]];
/// let mut digests = [[0; 32]; 3];
/// Keccak256::hash_many(messages, &mut digests)?;
/// assert_eq!(digests[1], fairlane::keccak::keccak256(b"abc"));
/// # Ok::<(), fairlane::HashManyError>(())
/// ```
pub trait HashMany: HashManyKernels {
    /// Hashes message `i` into `outputs[i]`.
    ///
    /// A hash takes outputs of exactly its size; an extendable-output function fills outputs of any length.
    ///
    /// # Errors
    /// There must be as many outputs as messages, each of the right length; otherwise nothing is written. If the
    /// iterator yields fewer messages than it promised, those are hashed, and the error says how many they were.
    fn hash_many<I, O>(messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>,
    {
        hash_all::<Self, I, O>(AnyToken::best(Self::BACKENDS), messages, outputs)
    }

    /// [`hash_many`](Self::hash_many) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Those of [`hash_many`](Self::hash_many), and that the backend is not available.
    fn hash_many_with<I, O>(backend: Backend, messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>,
    {
        hash_all::<Self, I, O>(AnyToken::among(Self::BACKENDS, backend)?, messages, outputs)
    }

    /// Hashes `count` messages of one length, which lie one after the other in `messages`, into outputs of one length,
    /// which come to lie one after the other in `outputs`. It is the fastest way to hash many messages of one length.
    ///
    #[cfg_attr(feature = "keccak", doc = "```")]
    #[cfg_attr(not(feature = "keccak"), doc = "```ignore")]
    /// use fairlane::{HashMany, keccak::Keccak256};
    ///
    /// let rows = [[1; 20], [2; 20], [3; 20]];
    /// let mut digests = [[0; 32]; 3];
    /// Keccak256::hash_fixed(rows.as_flattened(), 3, digests.as_flattened_mut())?;
    /// assert_eq!(digests[1], fairlane::keccak::keccak256(&[2; 20]));
    /// # Ok::<(), fairlane::HashManyError>(())
    /// ```
    ///
    /// # Errors
    /// Both lengths must be multiples of `count`, and an output as long as the hash, unless it is an extendable-output
    /// function; otherwise nothing is written.
    fn hash_fixed(messages: &[u8], count: usize, outputs: &mut [u8]) -> Result<(), HashManyError> {
        hash_rows::<Self>(AnyToken::best(Self::BACKENDS), messages, count, outputs)
    }

    /// [`hash_fixed`](Self::hash_fixed) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Those of [`hash_fixed`](Self::hash_fixed), and that the backend is not available.
    fn hash_fixed_with(
        backend: Backend,
        messages: &[u8],
        count: usize,
        outputs: &mut [u8],
    ) -> Result<(), HashManyError> {
        hash_rows::<Self>(AnyToken::among(Self::BACKENDS, backend)?, messages, count, outputs)
    }
}

/// What a hash implements to have [`HashMany`]. It is not public, so that types of other crates cannot implement
/// either.
pub trait HashManyKernels {
    /// The backends, best first.
    const BACKENDS: &'static [Backend];
    /// The length of outputs in bytes, if the hash has only one.
    const OUTPUT_SIZE: Option<usize>;

    /// Hashes one message.
    fn hash_message(token: AnyToken, message: &[u8], output: &mut [u8]);

    /// Hashes all messages.
    fn hash_messages(token: AnyToken, messages: &mut dyn Messages);

    /// Hashes rows side by side; may leave some of them.
    fn hash_groups(token: AnyToken, rows: &mut Rows<'_>);
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
    /// An output does not have the size of the hash.
    WrongLength {
        /// Its index.
        index: usize,
        /// Its length in bytes.
        length: usize,
        /// The hash's size in bytes.
        expected: usize,
    },
    /// The messages or the outputs cannot be cut into so many parts of one length.
    Uneven {
        /// Bytes of all messages.
        messages: usize,
        /// Bytes of all outputs.
        outputs: usize,
        /// How many they should be.
        count: usize,
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
            Self::Uneven { messages, outputs, count } => write!(
                f,
                "{messages} bytes of messages and {outputs} bytes of outputs are not {count} parts of one length each"
            ),
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

/// Checks the number of outputs and their lengths.
pub(crate) fn check_outputs<H: HashManyKernels + ?Sized, O: AsMut<[u8]>>(
    count: usize,
    outputs: &mut [O],
) -> Result<(), HashManyError> {
    if count != outputs.len() {
        return Err(HashManyError::WrongCount { messages: count, outputs: outputs.len() });
    }
    if let Some(expected) = H::OUTPUT_SIZE {
        let mut lengths = outputs.iter_mut().map(|output| output.as_mut().len()).enumerate();
        if let Some((index, length)) = lengths.find(|&(_, length)| length != expected) {
            return Err(HashManyError::WrongLength { index, length, expected });
        }
    }
    Ok(())
}

/// Checks that both slices hold `count` parts of one length, and that of outputs; returns the lengths.
pub(crate) fn check_rows<H: HashManyKernels + ?Sized>(
    messages: &[u8],
    count: usize,
    outputs: &[u8],
) -> Result<(usize, usize), HashManyError> {
    let part = |whole: usize| match count {
        0 => (whole == 0).then_some(0),
        _ => whole.is_multiple_of(count).then(|| whole / count),
    };
    match (part(messages.len()), part(outputs.len()), H::OUTPUT_SIZE) {
        (Some(_), Some(length), Some(expected)) if length != expected && count > 0 => {
            Err(HashManyError::WrongLength { index: 0, length, expected })
        }
        (Some(length), Some(output_length), _) => Ok((length, output_length)),
        _ => Err(HashManyError::Uneven { messages: messages.len(), outputs: outputs.len(), count }),
    }
}

/// Checks the numbers and lengths, and hashes.
fn hash_all<H: HashManyKernels + ?Sized, I, O>(
    token: AnyToken,
    messages: I,
    outputs: &mut [O],
) -> Result<(), HashManyError>
where
    I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    O: AsMut<[u8]>,
{
    let mut messages = messages.into_iter();
    let count = outputs.len();
    check_outputs::<H, O>(messages.len(), outputs)?;
    if let [output] = outputs {
        let Some(message) = messages.next() else {
            return Err(HashManyError::WrongCount { messages: 0, outputs: 1 });
        };
        H::hash_message(token, message.as_ref(), output.as_mut());
        return Ok(());
    }
    // Room for a few messages takes fewer instructions to set up.
    let hashed = if count <= 8 {
        let mut slots = Slots::<_, _, 8>::new(messages, outputs);
        H::hash_messages(token, &mut slots);
        slots.taken
    } else {
        let mut slots = Slots::<_, _, 32>::new(messages, outputs);
        H::hash_messages(token, &mut slots);
        slots.taken
    };
    // The iterator may have promised more than it yielded.
    if hashed == count { Ok(()) } else { Err(HashManyError::WrongCount { messages: hashed, outputs: count }) }
}

/// Checks the lengths, and hashes.
fn hash_rows<H: HashManyKernels + ?Sized>(
    token: AnyToken,
    messages: &[u8],
    count: usize,
    outputs: &mut [u8],
) -> Result<(), HashManyError> {
    let (length, output_length) = check_rows::<H>(messages, count, outputs)?;
    // Nothing is written to empty outputs, however many they are.
    if outputs.is_empty() {
        return Ok(());
    }
    if count == 1 {
        H::hash_message(token, messages, outputs);
        return Ok(());
    }
    let mut rows = Rows { messages, outputs, length, output_length, count };
    H::hash_groups(token, &mut rows);
    if rows.count == 1 {
        H::hash_message(token, rows.messages, rows.outputs);
        return Ok(());
    }
    while let Some(mut chunk) = rows.next_chunk() {
        H::hash_messages(token, &mut chunk);
    }
    Ok(())
}
