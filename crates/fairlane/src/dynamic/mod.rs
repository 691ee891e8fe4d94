//! Algorithms by name: hashes, AEADs, stream ciphers, block modes and KEMs that are chosen at run time.
//!
//! | algorithms | objects | what an algorithm makes |
//! | --- | --- | --- |
//! | [`HashAlgorithm`] | [`Hasher`] | a hasher; the hashes of many messages in one call |
//! | [`AeadAlgorithm`] | [`Aead`] | an AEAD from a key |
//! | [`CipherAlgorithm`] | [`StreamCipher`] | a stream cipher from a key and an IV |
//! | [`BlockModeAlgorithm`] | [`BlockMode`] | a block cipher in a mode of operation, from a key |
//! | [`KemAlgorithm`] | [`EncapsulationKey`], [`DecapsulationKey`] | keys from bytes or seeds; batches of them |
//!
//! An algorithm is a value: it has a name, is parsed from it, and knows its sizes in bytes and its backends. It makes
//! objects on the backend given, or on the best one that this machine has. The objects hold the types of the other
//! modules, so that results are the same and cost one indirect call more.
//!
//! Keys, nonces, messages and outputs are slices. Where a length is wrong or a backend is not available the result is
//! an [`Error`], and no output is written. Nothing here panics. Objects erase their keys on drop.
//!
//! Hashers hold nothing on the heap. AEADs, stream ciphers and block modes are boxes, or lie in memory that the caller
//! provides: [`AeadAlgorithm::aead_in`], [`CipherAlgorithm::cipher_in`] and [`BlockModeAlgorithm::mode_in`].
//!
#![cfg_attr(all(feature = "chacha", feature = "keccak"), doc = "```")]
#![cfg_attr(not(all(feature = "chacha", feature = "keccak")), doc = "```ignore")]
//! use fairlane::dynamic::{AeadAlgorithm, HashAlgorithm};
//!
//! let algorithm: HashAlgorithm = "sha3-256".parse()?;
//! let mut hasher = algorithm.hasher(None)?;
//! hasher.update(b"a message");
//! let mut digest = vec![0; algorithm.default_output_size()];
//! hasher.finalize_into(&mut digest)?;
//!
//! let algorithm: AeadAlgorithm = "xchacha20-poly1305".parse()?;
//! let (key, nonce) = (vec![7; algorithm.key_size()], vec![9; algorithm.nonce_size()]);
//! let aead = algorithm.aead(&key, None)?;
//! let mut sealed = vec![0; digest.len() + algorithm.tag_size()];
//! aead.seal(&nonce, b"", &digest, &mut sealed)?;
//! let mut opened = vec![0; digest.len()];
//! aead.open(&nonce, b"", &sealed, &mut opened)?;
//! assert_eq!(opened, digest);
//! # Ok::<(), fairlane::dynamic::Error>(())
//! ```

#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4"))]
mod aead;
#[cfg(any(feature = "kalyna", feature = "sm4"))]
mod block_mode;
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
mod cipher;
#[cfg(any(feature = "keccak", feature = "sm3"))]
mod hash;
#[cfg(feature = "ml-kem")]
mod kem;

#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4"))]
pub use aead::{Aead, AeadAlgorithm};
#[cfg(any(feature = "kalyna", feature = "sm4"))]
pub use block_mode::{BlockMode, BlockModeAlgorithm};
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
pub use cipher::{CipherAlgorithm, StreamCipher};
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
pub use fairlane_lanes::Placed;
#[cfg(any(feature = "keccak", feature = "sm3"))]
pub use hash::{HashAlgorithm, Hasher, OutputReader};
#[cfg(feature = "ml-kem")]
pub use kem::{DecapsulationKey, EncapsulationKey, KemAlgorithm};

use crate::Unsupported;
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
use core::mem::MaybeUninit;

/// Why a call failed. No output was written, except where [`WrongCount`](Self::WrongCount) says how many. A batch of
/// KEM keys of a caller's own type may have written some before one of them fails.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm has this name.
    UnknownAlgorithm(UnknownAlgorithm),
    /// A slice has the wrong length.
    WrongLength {
        /// What the slice holds, such as `key`.
        what: &'static str,
        /// The right length in bytes.
        expected: usize,
        /// The slice's length in bytes.
        given: usize,
    },
    /// An iterator yielded fewer messages than it promised. Their outputs were written, the others were not.
    WrongCount {
        /// Messages yielded.
        messages: usize,
        /// Outputs given, as many as messages were promised.
        outputs: usize,
    },
    /// The backend is not available on this machine, or the algorithm has no kernel for it.
    Unsupported(Unsupported),
    /// The key has the right length, but its bytes are no key of the algorithm.
    InvalidKey,
    /// The tag is not that of the message.
    AuthenticationFailed,
    /// The message, or the position in the keystream, is beyond what the algorithm is defined for.
    TooLong,
    /// The algorithm is not defined for empty messages.
    Empty,
    /// The algorithm is not defined for messages as short as this.
    TooShort {
        /// The least length in bytes.
        at_least: usize,
        /// The message's length in bytes.
        given: usize,
    },
    /// The message is not whole blocks.
    NotWholeBlocks {
        /// Bytes of a block.
        block: usize,
        /// The message's length in bytes.
        given: usize,
    },
    /// A key in a batch is of another algorithm than the batch.
    OtherAlgorithm,
}

impl Error {
    fn wrong_length(what: &'static str, expected: usize, given: usize) -> Self {
        Self::WrongLength { what, expected, given }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownAlgorithm(error) => error.fmt(f),
            Self::WrongLength { what, expected, given } => {
                write!(f, "the length of the {what} is {given} bytes instead of {expected}")
            }
            Self::WrongCount { messages, outputs } => write!(f, "{messages} messages, but {outputs} outputs"),
            Self::Unsupported(error) => error.fmt(f),
            Self::InvalidKey => f.write_str("the bytes are no key of this algorithm"),
            Self::AuthenticationFailed => f.write_str("the tag is not that of the message"),
            Self::TooLong => f.write_str("longer than the algorithm is defined for"),
            Self::Empty => f.write_str("the algorithm is not defined for empty messages"),
            Self::TooShort { at_least, given } => write!(f, "the message has {given} bytes; it needs {at_least}"),
            Self::NotWholeBlocks { block, given } => {
                write!(f, "the message has {given} bytes, which are not whole blocks of {block}")
            }
            Self::OtherAlgorithm => f.write_str("a key is of another algorithm"),
        }
    }
}

impl core::error::Error for Error {}

impl From<Unsupported> for Error {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}

impl From<UnknownAlgorithm> for Error {
    fn from(error: UnknownAlgorithm) -> Self {
        Self::UnknownAlgorithm(error)
    }
}

/// No algorithm has this name. The message lists the names that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm {
    kind: &'static str,
    name: String,
    known: &'static [&'static str],
}

impl UnknownAlgorithm {
    pub(crate) fn new(kind: &'static str, name: &str, known: &'static [&'static str]) -> Self {
        Self { kind, name: name.to_owned(), known }
    }

    /// The name that was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names that there are.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Escaped, so that the message is one line.
        write!(f, "no {} is called '{}'; there are ", self.kind, self.name.escape_debug())?;
        for (i, name) in self.known.iter().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownAlgorithm {}

/// Checks the length of a slice.
fn check_length(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if given == expected { Ok(()) } else { Err(Error::wrong_length(what, expected, given)) }
}

/// The slice as an array type of its length.
fn sized<'a, T>(what: &'static str, bytes: &'a [u8]) -> Result<&'a T, Error>
where
    &'a T: TryFrom<&'a [u8]>,
{
    bytes.try_into().map_err(|_| Error::wrong_length(what, size_of::<T>(), bytes.len()))
}

/// A slice and an output as long.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
fn in_out<'i, 'o>(input: &'i [u8], output: &'o mut [u8]) -> Result<::cipher::InOutBuf<'i, 'o, u8>, Error> {
    let (expected, given) = (input.len(), output.len());
    ::cipher::InOutBuf::new(input, output).map_err(|_| Error::wrong_length("output", expected, given))
}

/// Moves an object into memory that the caller provides.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
fn place<T>(memory: &mut [MaybeUninit<u8>], object: T) -> Result<Placed<'_, T>, Error> {
    let given = memory.len();
    Placed::new(memory, object).ok_or(Error::wrong_length("memory", Placed::<T>::SIZE, given))
}

/// Implements [`Clone`] for boxes of a trait's objects by its method `box_clone`.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "ml-kem", feature = "sm4", feature = "threefish"))]
macro_rules! clone_boxes {
    ($trait:ident) => {
        impl Clone for alloc::boxed::Box<dyn $trait> {
            fn clone(&self) -> Self {
                self.box_clone()
            }
        }
    };
}
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "ml-kem", feature = "sm4", feature = "threefish"))]
use clone_boxes;

/// Defines the enum of one kind of algorithms from its table, of which each line holds what describes an algorithm, its
/// cargo feature, its variant, its name, and its `Entry`.
macro_rules! algorithms {
    (
        $(#[$enum_meta:meta])*
        $enum:ident, $kind:literal:
        $(#[doc = $description:literal] $feature:literal $variant:ident $name:literal $entry:expr;)*
    ) => {
        $(#[$enum_meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $enum {
            $(
                #[cfg(feature = $feature)]
                #[doc = $description]
                $variant,
            )*
        }

        impl $enum {
            /// Every algorithm whose cargo feature is on.
            pub const ALL: &'static [Self] = &[$(#[cfg(feature = $feature)] Self::$variant),*];

            /// The names of [`ALL`](Self::ALL).
            const NAMES: &'static [&'static str] = &[$(#[cfg(feature = $feature)] $name),*];

            /// Its name, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => $name,)*
                }
            }

            /// A description of a few words: the document that defines it, and what to know before using it.
            pub const fn description(self) -> &'static str {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => $description.trim_ascii(),)*
                }
            }

            /// The backends that it has kernels for, best first. Not every machine supports each of them.
            pub const fn backends(self) -> &'static [crate::Backend] {
                self.entry().backends
            }

            const fn entry(self) -> &'static Entry {
                match self {
                    $(#[cfg(feature = $feature)] Self::$variant => const { &$entry },)*
                }
            }
        }

        /// Its name.
        impl core::fmt::Display for $enum {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        /// From its name.
        impl core::str::FromStr for $enum {
            type Err = crate::dynamic::UnknownAlgorithm;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name);
                found.ok_or_else(|| crate::dynamic::UnknownAlgorithm::new($kind, name, Self::NAMES))
            }
        }
    };
}
use algorithms;
