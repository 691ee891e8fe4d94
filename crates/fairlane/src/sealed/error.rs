//! The errors of sealing and opening.

use super::{Kem, PassphraseCost};
use std::fmt;
use std::io;

/// Why [`seal`](super::seal) or [`Opener`](super::Opener) failed.
///
/// Opening stops at the first error. What was written before is verified plaintext, but incomplete: discard it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The first 8 bytes are not those of a sealed file.
    NotASealedFile,
    /// This version of fairlane does not know this version of the format.
    UnknownVersion(u8),
    /// No [`Algorithm`](super::Algorithm) has this number.
    UnknownAlgorithm(u8),
    /// The header says that the key comes from a source that does not exist.
    UnknownKeySource(u8),
    /// No [`Kem`] has this number.
    UnknownKem(u8),
    /// A byte of the header that this version of the format does not use is not 0.
    NotZero {
        /// The byte's place.
        at: usize,
        /// The byte.
        value: u8,
    },
    /// There are no recipients, or more than [`MAX_RECIPIENTS`](super::MAX_RECIPIENTS).
    RecipientCount(usize),
    /// Nobody but its authors has analysed this algorithm or KEM, and that was not allowed:
    /// [`Options::experimental`](super::Options::experimental),
    /// [`Opener::allow_experimental`](super::Opener::allow_experimental). Nothing was written.
    Experimental(&'static str),
    /// The parameters of Argon2id are outside the limits of [`PassphraseCost`]: memory in KiB, passes, lanes.
    BadCost(u32, u32, u8),
    /// The file was sealed under a key, and another kind of secret was given.
    NeedsKey,
    /// The file was sealed under a passphrase, and another kind of secret was given.
    NeedsPassphrase,
    /// The file was sealed to recipients, the first of this KEM, and no identity was given.
    NeedsIdentity(Kem),
    /// No recipient of the file is of the identity's KEM.
    OtherKem {
        /// The KEM of the file's first recipient.
        file: Kem,
        /// The KEM of the identity.
        identity: Kem,
    },
    /// The key or passphrase is wrong, or the header was changed. Nothing was written.
    WrongKey,
    /// The file was sealed to other recipients, or the header was changed. Nothing was written.
    WrongIdentity,
    /// This chunk, counted from 0, is not authentic: it was changed, or another chunk belongs there.
    Corrupt {
        /// The number of the chunk, which begins `65552 * chunk` bytes after the first.
        chunk: u64,
        /// Whether it is the last chunk of the file. The file may then have been truncated or extended instead.
        last: bool,
    },
    /// The file ends too early: within the header, within the first 16 bytes of a chunk, or after an authentic chunk
    /// that is not the last.
    Truncated,
    /// The last chunk is authentic, and data follows it.
    TrailingData,
    /// There are more than [`MAX_LENGTH`](super::MAX_LENGTH) bytes of plaintext, or the 2³²nd chunk says that another
    /// one follows.
    TooLong,
    /// The passphrase is empty, or has 4 GiB or more.
    BadPassphrase,
    /// The ciphertext of a KEM has the wrong length.
    CiphertextLength {
        /// The KEM.
        kem: Kem,
        /// Its length in bytes.
        found: usize,
        /// The right length in bytes.
        expected: usize,
    },
    /// There is not enough memory for Argon2id with these parameters. A system that overcommits memory, as Linux does
    /// by default, may kill the process instead.
    OutOfMemory(PassphraseCost),
    /// The system gave no random bytes.
    Random(getrandom::Error),
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASealedFile => f.write_str("not a sealed file: it does not begin as one"),
            Self::UnknownVersion(version) => {
                write!(f, "sealed in version {version} of the format, which a newer fairlane may know")
            }
            Self::UnknownAlgorithm(number) => {
                write!(f, "sealed with algorithm number {number}, which a newer fairlane may know")
            }
            Self::UnknownKeySource(number) => {
                write!(f, "the header names key source {number}, which a newer fairlane may know")
            }
            Self::UnknownKem(number) => {
                write!(f, "sealed to a recipient of KEM number {number}, which a newer fairlane may know")
            }
            Self::NotZero { at, value } => {
                write!(f, "byte {at} of the header is {value} instead of 0; a newer fairlane may know what that means")
            }
            Self::RecipientCount(count) => {
                write!(f, "{count} recipients: a file has from 1 to {}", super::MAX_RECIPIENTS)
            }
            Self::Experimental(name) => {
                write!(
                    f,
                    "{name} has not been analysed by anyone but its authors; experimental algorithms are not allowed"
                )
            }
            Self::BadCost(memory, passes, lanes) => {
                write!(
                    f,
                    "Argon2id with m={memory},t={passes},p={lanes} is outside the limits: {}",
                    PassphraseCost::LIMITS
                )
            }
            Self::NeedsKey => f.write_str("sealed with a key: give the key"),
            Self::NeedsPassphrase => f.write_str("sealed with a passphrase: give the passphrase"),
            Self::NeedsIdentity(kem) => write!(f, "sealed to a recipient: give the identity, of {kem}"),
            Self::OtherKem { file, identity } => {
                write!(f, "sealed to a recipient of {file}: the identity is of {identity}")
            }
            Self::WrongKey => f.write_str("wrong key or passphrase, or the header was changed"),
            Self::WrongIdentity => f.write_str("wrong identity, or the header was changed"),
            Self::Corrupt { chunk, last: false } => write!(f, "chunk {chunk} does not verify: the data was changed"),
            Self::Corrupt { chunk, last: true } => {
                write!(f, "chunk {chunk}, the last, does not verify: the data was cut short, added to or changed")
            }
            Self::Truncated => f.write_str("cut short: the end is missing"),
            Self::TrailingData => f.write_str("data follows the end of the sealed file"),
            Self::TooLong => write!(f, "longer than {} bytes, the most that can be sealed", super::MAX_LENGTH),
            Self::BadPassphrase => write!(f, "a passphrase has from 1 to {} bytes: choose another", u32::MAX),
            Self::CiphertextLength { kem, found, expected } => {
                write!(f, "{found} bytes instead of the {expected} that a ciphertext of {kem} has")
            }
            Self::OutOfMemory(cost) => {
                write!(
                    f,
                    "not enough memory for Argon2id with {cost} (m is in KiB): free some, or seal with a smaller m"
                )
            }
            Self::Random(error) => write!(f, "the system gave no random bytes: {error}"),
            Self::Read(error) => write!(f, "read error: {error}"),
            Self::Write(error) => write!(f, "write error: {error}"),
        }
    }
}

/// There is no `source`: the system's error is part of the message.
impl std::error::Error for Error {}
