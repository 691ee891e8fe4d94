//! Sealed streams and files: encrypts and authenticates a stream of any length in chunks, in constant memory.
//!
//! `docs/sealed.md` describes the format byte by byte: a header of 84 bytes (followed by a stanza for each
//! [`Recipient`], if the file is sealed to recipients), then chunks of 64 KiB with a tag of 16 bytes each. The chunks
//! are encrypted with the STREAM construction (Hoang, Reyhanitabar, Rogaway and Vizár, CRYPTO 2015) over an AEAD of
//! this library.
//!
//! - A stream opens only under the secret that it was sealed under, and only if it is complete and in order. A stream
//!   that was truncated, reordered, extended or mixed with another one is an [`Error`].
//! - Only verified plaintext is written: each chunk after its tag was checked. If a later chunk fails, the earlier ones
//!   have been written; a *file* ([`open_file`], [`NewFile`]) appears under its name only after all chunks were
//!   verified.
//! - The output does not depend on the lengths of the reader's reads; reads that return `Interrupted` are repeated.
//! - Each stream has a key of its own, derived from the secret and a random salt, so that one secret may seal any
//!   number of streams.
//! - The header commits to the key: nobody can make a file that opens under two keys.
//! - Anybody can seal a file to one or several [`Recipient`]s, and only they can open it. The KEM is X-Wing, the hybrid
//!   of ML-KEM-768 and X25519, unless another [`Kem`] than [`DEFAULT_KEM`] is chosen.
//! - What nobody but its authors has analysed (Kusumi-512, CLWE-KEM) is refused, for sealing and for opening, unless
//!   [`Options::experimental`] or [`Opener::allow_experimental`] allows it.
//!
//! A sealed file reveals its length, the algorithm, the cost of the passphrase, and the number of recipients and their
//! KEMs. It does not authenticate who sealed it.
//!
//! ```
//! use fairlane::sealed::{self, DEFAULT_KEM, Identity, Key, Options, Secret};
//! let key = Key::generate()?;
//! let mut file = Vec::new();
//! sealed::seal(&b"attack at dawn"[..], &mut file, Secret::Key(&key), &Options::default())?;
//! let mut text = Vec::new();
//! sealed::open(&file[..], &mut text, Secret::Key(&key))?;
//! assert_eq!(text, b"attack at dawn");
//!
//! let own = Identity::generate(DEFAULT_KEM)?;
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
mod stanza;
mod stream;

pub use algorithm::Algorithm;
pub use error::Error;
pub use file::{Access, Existing, NewFile, open_experimental_file, open_file, seal_file};
pub use kem::{DEFAULT_KEM, Kem, SharedSecret};
pub use recipient::{Identity, KemKeyError, Recipient};
pub use secret::{CostError, Key, KeyError, PassphraseCost, Secret};
pub use stanza::MAX_RECIPIENTS;

use header::{Header, Source};
use std::fmt;
use std::io::{Read, Write};

/// Bytes of plaintext in every chunk but the last, which may be shorter. It is empty only if the stream is.
pub const CHUNK: usize = 64 << 10;

/// Bytes of the tag after each chunk.
pub const TAG: usize = 16;

/// Bytes of the header before the first chunk, without the stanzas that follow if the file is sealed to
/// [`Recipient`]s.
pub const HEADER: usize = header::HEADER;

/// The greatest length of a stream in bytes of plaintext: 2³² chunks, 256 TiB.
pub const MAX_LENGTH: u64 = (CHUNK as u64) << 32;

/// Options of sealing.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The AEAD.
    pub algorithm: Algorithm,
    /// The cost of trying a passphrase; ignored if the secret is not a passphrase.
    pub cost: PassphraseCost,
    /// Whether an [`Algorithm`] or a [`Kem`] may be used that nobody but its authors has analysed.
    pub experimental: bool,
}

impl Options {
    /// The default: XChaCha20-Poly1305, the default cost, and nothing experimental.
    pub const DEFAULT: Self =
        Self { algorithm: Algorithm::XChaCha20Poly1305, cost: PassphraseCost::DEFAULT, experimental: false };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Seals everything that `reader` yields into `writer`, and flushes it. Returns the number of bytes of plaintext.
///
/// It takes about 200 KB of memory and, with a passphrase, the memory of [`PassphraseCost`] before the first byte is
/// read. Reads and writes are 64 KiB long, so that a buffered reader or writer gains nothing.
///
/// # Errors
///
/// [`Error::Read`], [`Error::Write`], [`Error::Random`]; with a passphrase [`Error::BadPassphrase`] and
/// [`Error::OutOfMemory`]; with recipients [`Error::RecipientCount`]; [`Error::Experimental`]; [`Error::TooLong`] if
/// the reader yields more than [`MAX_LENGTH`] bytes. The output is then incomplete and does not open.
pub fn seal<R: Read, W: Write>(mut reader: R, mut writer: W, secret: Secret, options: &Options) -> Result<u64, Error> {
    let (header, cipher) = header::seal(secret, options)?;
    writer.write_all(&header).map_err(Error::Write)?;
    stream::seal(&cipher, 0, &mut reader, &mut writer)
}

/// Opens the sealed stream that `reader` yields into `writer`, and flushes it. Returns the number of bytes written.
///
/// # Errors
///
/// See [`Opener`].
pub fn open<R: Read, W: Write>(reader: R, writer: W, secret: Secret) -> Result<u64, Error> {
    Opener::new(reader)?.open(writer, secret)
}

/// A sealed stream whose header was read, and which therefore tells what secret it needs.
pub struct Opener<R> {
    reader: R,
    header: Header,
    experimental: bool,
}

impl<R: Read> Opener<R> {
    /// Reads the header. It is not verified before [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// [`Error::NotASealedFile`] (also if the input is empty), [`Error::UnknownVersion`], [`Error::UnknownAlgorithm`],
    /// [`Error::UnknownKeySource`], [`Error::UnknownKem`], [`Error::NotZero`], [`Error::RecipientCount`],
    /// [`Error::BadCost`], [`Error::Truncated`] or [`Error::Read`].
    pub fn new(mut reader: R) -> Result<Self, Error> {
        let header = Header::read(&mut reader)?;
        Ok(Self { reader, header, experimental: false })
    }

    /// Allows an algorithm or a KEM that nobody but its authors has analysed, in a file that was sealed with one.
    #[must_use]
    pub fn allow_experimental(self) -> Self {
        Self { experimental: true, ..self }
    }

    /// The algorithm that the header names.
    pub fn algorithm(&self) -> Algorithm {
        self.header.algorithm
    }

    /// The cost of the passphrase; `None` if the stream is not sealed under a passphrase.
    pub fn cost(&self) -> Option<PassphraseCost> {
        match self.header.source {
            Source::Passphrase(cost) => Some(cost),
            _ => None,
        }
    }

    /// The KEM of the first recipient; `None` if the stream is not sealed to recipients. The header does not tell who
    /// they are.
    pub fn kem(&self) -> Option<Kem> {
        self.kems().first().copied()
    }

    /// The KEM of each recipient; none if the stream is not sealed to recipients.
    pub fn kems(&self) -> Vec<Kem> {
        self.header.kems()
    }

    /// Opens the chunks into `writer`, and flushes it. Returns the number of bytes written.
    ///
    /// It takes as much memory as [`seal`]. Whoever made the file has chosen the cost, within the limits of
    /// [`PassphraseCost`]; the key is verified only afterwards.
    ///
    /// # Errors
    ///
    /// Before anything is written: [`Error::NeedsKey`], [`Error::NeedsPassphrase`], [`Error::NeedsIdentity`],
    /// [`Error::OtherKem`], [`Error::Experimental`], [`Error::BadPassphrase`], [`Error::OutOfMemory`],
    /// [`Error::WrongKey`] and [`Error::WrongIdentity`]. Later: [`Error::Corrupt`], [`Error::Truncated`] and
    /// [`Error::TrailingData`] if a chunk is not authentic; [`Error::TooLong`] if there are more than 2³² chunks;
    /// [`Error::Read`] and [`Error::Write`]. After any of them the output is incomplete: discard it.
    pub fn open<W: Write>(mut self, mut writer: W, secret: Secret) -> Result<u64, Error> {
        let cipher = self.header.open(secret, self.experimental)?;
        stream::open(&cipher, 0, &mut self.reader, &mut writer)
    }
}

impl<R: Read> fmt::Debug for Opener<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (algorithm, cost, kems) = (self.algorithm(), self.cost(), self.kems());
        let mut shown = f.debug_struct("Opener");
        shown.field("algorithm", &algorithm).field("cost", &cost).field("kems", &kems).finish_non_exhaustive()
    }
}
