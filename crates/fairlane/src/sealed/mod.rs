//! Sealed streams and files: a stream of any length, encrypted and authenticated in chunks, in constant memory.
//!
//! The format, byte by byte, is in `docs/sealed.md`: a header of 84 bytes (and of a KEM's ciphertext, where a file is
//! sealed to a [`Recipient`]), then chunks of 64 KiB and a tag of 16 bytes each, sealed by STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, CRYPTO 2015) over an AEAD of this library.
//!
//! - What is opened was sealed under the same secret, is whole, and is in order. A stream that was cut anywhere, reordered,
//!   extended, or mixed with another, is an [`Error`].
//! - Nothing is written that was not verified: a chunk leaves when its tag was found right. When a later one fails, the
//!   earlier ones have left; a *file* ([`open_file`], [`NewFile`]) appears under its name only when all of it was.
//! - The bytes do not depend on how the reader cuts its reads; `Interrupted` reads are repeated.
//! - Each stream has a key of its own, derived from the secret and a random salt, so that one secret may seal any number.
//! - The header commits to the key: nobody can make a file that opens under two.
//! - Anybody can seal to a [`Recipient`], who alone opens it: with ML-KEM-768 unless another [`Kem`] is chosen.
//!
//! Length, algorithm and cost of the passphrase can be read off a sealed file; it does not say who sealed it.
//!
//! ```
//! use fairlane::sealed::{self, Identity, Kem, Key, Options, Secret};
//! let key = Key::generate()?;
//! let mut file = Vec::new();
//! sealed::seal(&b"attack at dawn"[..], &mut file, Secret::Key(&key), &Options::default())?;
//! let mut text = Vec::new();
//! sealed::open(&file[..], &mut text, Secret::Key(&key))?;
//! assert_eq!(text, b"attack at dawn");
//!
//! let own = Identity::generate(Kem::default())?;
//! let mut file = Vec::new();
//! sealed::seal(&b"at dusk"[..], &mut file, Secret::Recipient(&own.recipient()), &Options::default())?;
//! let mut text = Vec::new();
//! sealed::open(&file[..], &mut text, Secret::Identity(&own))?;
//! assert_eq!(text, b"at dusk");
//! # Ok::<(), sealed::Error>(())
//! ```

mod algorithm;
mod error;
mod file;
mod header;
mod kem;
mod recipient;
mod secret;
mod stream;

pub use algorithm::{Algorithm, UnknownAlgorithmName};
pub use error::Error;
pub use file::{Access, Existing, NewFile, open_file, seal_file};
pub use kem::{Kem, SharedSecret, UnknownKemName};
pub use recipient::{Identity, KemKeyError, Recipient};
pub use secret::{CostError, Key, KeyError, PassphraseCost, Secret};

use header::{Header, Source};
use std::fmt;
use std::io::{Read, Write};

/// Bytes of plaintext in every chunk but the last, which has from 0 (only if the stream is empty) to so many.
pub const CHUNK: usize = 64 << 10;

/// Bytes of a chunk's tag, which follows it.
pub const TAG: usize = 16;

/// Bytes before the first chunk; before the KEM's ciphertext, which comes in between, where a file is sealed to a
/// [`Recipient`].
pub const HEADER: usize = header::HEADER;

/// The most bytes that a stream can have: 2³² chunks, 256 TiB.
pub const MAX_LENGTH: u64 = (CHUNK as u64) << 32;

/// How to seal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The AEAD.
    pub algorithm: Algorithm,
    /// What it costs to try a passphrase; without one it is not used.
    pub cost: PassphraseCost,
}

/// Seals all that `reader` gives into `writer`, and flushes it. Returns how many bytes of plaintext were sealed.
///
/// Memory: about 200 KB, and for a passphrase, before the first byte is read, what it costs. Reads and writes come in
/// pieces of 64 KiB; a buffered reader or writer gains nothing.
///
/// # Errors
///
/// [`Error::Read`], [`Error::Write`], [`Error::Random`]; with a passphrase [`Error::BadPassphrase`] and
/// [`Error::OutOfMemory`]; [`Error::TooLong`] when the reader gives more than [`MAX_LENGTH`]. What was written till then
/// is incomplete: it will not open.
pub fn seal<R: Read, W: Write>(mut reader: R, mut writer: W, secret: Secret, options: &Options) -> Result<u64, Error> {
    let (header, cipher) = header::seal(secret, options)?;
    writer.write_all(&header).map_err(Error::Write)?;
    stream::seal(&*cipher, 0, &mut reader, &mut writer)
}

/// Opens the sealed stream that `reader` gives into `writer`, and flushes it. Returns how many bytes were written.
///
/// # Errors
///
/// See [`Opener`].
pub fn open<R: Read, W: Write>(reader: R, writer: W, secret: Secret) -> Result<u64, Error> {
    Opener::new(reader)?.open(writer, secret)
}

/// A sealed stream of which the header is read: it says which secret is needed.
pub struct Opener<R> {
    reader: R,
    header: Header,
}

impl<R: Read> Opener<R> {
    /// Reads the header. Nothing of it is verified before [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// [`Error::NotASealedFile`] (also if the input is empty), [`Error::UnknownVersion`], [`Error::UnknownAlgorithm`],
    /// [`Error::UnknownKeySource`], [`Error::UnknownKem`], [`Error::BadCost`], [`Error::Truncated`] or [`Error::Read`].
    pub fn new(mut reader: R) -> Result<Self, Error> {
        let header = Header::read(&mut reader)?;
        Ok(Self { reader, header })
    }

    /// The algorithm that the header names.
    pub fn algorithm(&self) -> Algorithm {
        self.header.algorithm
    }

    /// What the passphrase costs; none if the stream is not sealed with one.
    pub fn cost(&self) -> Option<PassphraseCost> {
        match self.header.source {
            Source::Passphrase(cost) => Some(cost),
            _ => None,
        }
    }

    /// The KEM of the recipient; none if the stream is not sealed to one. Which recipient it is cannot be told.
    pub fn kem(&self) -> Option<Kem> {
        match self.header.source {
            Source::Recipient(kem) => Some(kem),
            _ => None,
        }
    }

    /// Opens the chunks into `writer`, and flushes it. Returns how many bytes were written.
    ///
    /// Memory: as for [`seal`]. The header's salt and cost are an attacker's choice until the key is found right, within
    /// the limits of [`PassphraseCost`].
    ///
    /// # Errors
    ///
    /// [`Error::NeedsKey`], [`Error::NeedsPassphrase`], [`Error::NeedsIdentity`], [`Error::OtherKem`],
    /// [`Error::BadPassphrase`], [`Error::OutOfMemory`], [`Error::WrongKey`] and [`Error::WrongIdentity`], before anything is written; [`Error::Corrupt`], [`Error::Truncated`] and
    /// [`Error::TrailingData`] when a chunk does not verify; [`Error::TooLong`] when the last that there can be is not
    /// the last; [`Error::Read`] and [`Error::Write`]. After any of them what was written is incomplete: discard it.
    pub fn open<W: Write>(mut self, mut writer: W, secret: Secret) -> Result<u64, Error> {
        let cipher = self.header.open(secret)?;
        stream::open(&*cipher, 0, &mut self.reader, &mut writer)
    }
}

impl<R> fmt::Debug for Opener<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (algorithm, source) = (self.header.algorithm, self.header.source);
        f.debug_struct("Opener").field("algorithm", &algorithm).field("source", &source).finish_non_exhaustive()
    }
}
