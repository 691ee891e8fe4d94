//! The two keys of a KEM, for sealing and for opening, and their form as text (`docs/kem-files.md`).

use super::Error;
use super::kem::{Kem, SharedSecret};
use crate::dynamic;
use crate::keccak::sha3_256;
use crate::stack;
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

/// The first words of the texts.
const RECIPIENT: &str = "fairlane recipient ";
const IDENTITY: &str = "fairlane identity ";

/// Bytes that a line of digits encodes.
const LINE: usize = 32;

/// The encapsulation key of a KEM: files that are sealed to it can be opened with its [`Identity`] only.
#[derive(Clone, Eq, PartialEq)]
pub struct Recipient {
    kem: Kem,
    key: Vec<u8>,
}

impl Recipient {
    /// Checks and takes an encapsulation key in the form of FIPS 203, t̂ ‖ ρ, or of X-Wing.
    ///
    /// # Errors
    ///
    /// [`KemKeyError::Length`] and [`KemKeyError::Modulus`].
    pub fn from_bytes(kem: Kem, key: &[u8]) -> Result<Self, KemKeyError> {
        match kem.check(key) {
            Ok(()) => Ok(Self { kem, key: key.to_vec() }),
            Err(dynamic::Error::InvalidKey) => Err(KemKeyError::Modulus),
            Err(_) => Err(KemKeyError::Length { kem, found: key.len(), expected: kem.encapsulation_key_size() }),
        }
    }

    /// The KEM of the key.
    pub fn kem(&self) -> Kem {
        self.kem
    }

    /// The encapsulation key's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.key
    }

    /// SHA3-256 of the KEM's name and the key, which two sides compare to know that they have the same key.
    pub fn fingerprint(&self) -> [u8; 32] {
        check(self.kem, &self.key)
    }

    /// Returns a ciphertext and a fresh shared secret, which only the [`Identity`] can compute from the ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::Random`].
    pub fn encapsulate(&self) -> Result<(Vec<u8>, SharedSecret), Error> {
        self.kem.encapsulate(&self.key)
    }

    /// Returns the key as the text of a file: `fairlane recipient 1`, the KEM's name, the key in lines of 64
    /// hexadecimal digits, and the [`fingerprint`](Self::fingerprint) in the last line.
    pub fn to_text(&self) -> String {
        to_text(RECIPIENT, self.kem, &self.key).to_string()
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({}, ..)", self.kem)
    }
}

impl FromStr for Recipient {
    type Err = KemKeyError;

    /// Parses the output of [`to_text`](Self::to_text); upper case, spaces at the ends of lines and empty lines at the
    /// end are allowed.
    fn from_str(text: &str) -> Result<Self, KemKeyError> {
        let (kem, key) = from_text(RECIPIENT, Kem::encapsulation_key_size, text)?;
        Self::from_bytes(kem, &key)
    }
}

/// The decapsulation key of a KEM, as its seeds: it opens what was sealed to its [`Recipient`]. Erased on drop.
///
/// The seeds are d ‖ z of FIPS 203, 64 bytes; of X-Wing they are one seed of 32 bytes.
#[derive(Clone)]
pub struct Identity {
    kem: Kem,
    seeds: Zeroizing<Vec<u8>>,
}

impl Identity {
    /// Generates a key from the system's random numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system gives none.
    pub fn generate(kem: Kem) -> Result<Self, Error> {
        let mut seeds = Zeroizing::new(vec![0; kem.seeds_size()]);
        getrandom::fill(&mut seeds).map_err(Error::Random)?;
        Ok(Self { kem, seeds })
    }

    /// Takes the seeds, which must be random and secret.
    ///
    /// # Errors
    ///
    /// [`KemKeyError::Length`].
    pub fn from_bytes(kem: Kem, seeds: &[u8]) -> Result<Self, KemKeyError> {
        let (expected, found) = (kem.seeds_size(), seeds.len());
        if found != expected {
            return Err(KemKeyError::Length { kem, found, expected });
        }
        Ok(Self { kem, seeds: Zeroizing::new(seeds.to_vec()) })
    }

    /// The KEM of the key.
    pub fn kem(&self) -> Kem {
        self.kem
    }

    /// The seeds.
    pub fn as_bytes(&self) -> &[u8] {
        &self.seeds
    }

    /// The public half of the key pair.
    pub fn recipient(&self) -> Recipient {
        Recipient { kem: self.kem, key: self.kem.encapsulation_key(&self.seeds) }
    }

    /// Computes the shared secret of a ciphertext. A ciphertext that was changed, or was made for another key, yields a
    /// secret that nobody else knows (FIPS 203's implicit rejection), in the same time.
    ///
    /// # Errors
    ///
    /// [`Error::CiphertextLength`].
    pub fn decapsulate(&self, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        let wrong =
            || Error::CiphertextLength { kem: self.kem, found: ciphertext.len(), expected: self.kem.ciphertext_size() };
        self.kem.decapsulate(&self.seeds, ciphertext).ok_or_else(wrong)
    }

    /// Returns the key as the text of a file: `fairlane identity 1`, the KEM's name, the seeds in lines of 64
    /// hexadecimal digits, and SHA3-256 of name and seeds in the last line, so that damage is noticed. It is secret.
    pub fn to_text(&self) -> Zeroizing<String> {
        to_text(IDENTITY, self.kem, &self.seeds)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, ..)", self.kem)
    }
}

impl FromStr for Identity {
    type Err = KemKeyError;

    /// Parses the output of [`to_text`](Self::to_text); upper case, spaces at the ends of lines and empty lines at the
    /// end are allowed.
    fn from_str(text: &str) -> Result<Self, KemKeyError> {
        let (kem, seeds) = from_text(IDENTITY, Kem::seeds_size, text)?;
        Ok(Self { kem, seeds })
    }
}

/// Why a text or bytes are not a [`Recipient`] or an [`Identity`]. It contains nothing of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum KemKeyError {
    /// The text does not begin like that of a recipient, or of an identity.
    NotThis {
        /// The beginning that was expected.
        expected: &'static str,
    },
    /// The version is not 1.
    UnknownVersion,
    /// No [`Kem`] has this name.
    UnknownKem,
    /// A line is not one of up to 64 hexadecimal digits.
    NotHexadecimal,
    /// The key has the wrong length for its KEM.
    Length {
        /// The KEM that was named.
        kem: Kem,
        /// Its length in bytes.
        found: usize,
        /// The right length in bytes.
        expected: usize,
    },
    /// The hash at the end does not match: the text was changed.
    Damaged,
    /// A coefficient of the encapsulation key is not below q.
    Modulus,
}

impl fmt::Display for KemKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThis { expected: RECIPIENT } => f.write_str("not an encapsulation key"),
            Self::NotThis { .. } => f.write_str("not an identity: its first line is not 'fairlane identity 1'"),
            Self::UnknownVersion => f.write_str("a key of a version that a newer fairlane may know"),
            Self::UnknownKem => f.write_str("a key of a KEM that a newer fairlane may know"),
            Self::NotHexadecimal => f.write_str("damaged: its lines are not of up to 64 hexadecimal digits"),
            Self::Length { kem, found, expected } => {
                write!(f, "{found} bytes of key instead of the {expected} of {kem}")
            }
            Self::Damaged => f.write_str("damaged: the hash in its last line is not that of the key"),
            Self::Modulus => f.write_str("the encapsulation key holds a number that is not below 3329"),
        }
    }
}

impl std::error::Error for KemKeyError {}

/// The hash by which damage to a key is noticed. The hash function may leave bytes of the key on the stack.
fn check(kem: Kem, bytes: &[u8]) -> [u8; 32] {
    let mut text = Zeroizing::new(Vec::with_capacity(kem.name().len() + bytes.len()));
    text.extend_from_slice(kem.name().as_bytes());
    text.extend_from_slice(bytes);
    stack::erased::<{ stack::AFTER_CIPHER }, _>(|| sha3_256(&text))
}

fn to_text(begin: &str, kem: Kem, bytes: &[u8]) -> Zeroizing<String> {
    // Enough capacity for all of it: growing would leave copies behind.
    let mut text = Zeroizing::new(String::with_capacity(160 + 3 * bytes.len()));
    for part in [begin, "1\n", kem.name(), "\n"] {
        text.push_str(part);
    }
    for line in bytes.chunks(LINE).chain([&check(kem, bytes)[..]]) {
        text.push_str(&Zeroizing::new(base16ct::lower::encode_string(line)));
        text.push('\n');
    }
    text
}

/// Parses a text; `length` is the number of bytes that a KEM's key has.
fn from_text(
    begin: &'static str,
    length: fn(Kem) -> usize,
    text: &str,
) -> Result<(Kem, Zeroizing<Vec<u8>>), KemKeyError> {
    let text = text.strip_prefix(begin).ok_or(KemKeyError::NotThis { expected: begin })?;
    let mut lines = text.trim_end().lines().map(str::trim_end);
    if lines.next() != Some("1") {
        return Err(KemKeyError::UnknownVersion);
    }
    let kem: Kem = lines.next().unwrap_or_default().parse().map_err(|_| KemKeyError::UnknownKem)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() / 2));
    for line in lines {
        let mut decoded = Zeroizing::new([0; LINE]);
        let decoded = base16ct::mixed::decode(line, &mut *decoded).map_err(|_| KemKeyError::NotHexadecimal)?;
        bytes.extend_from_slice(decoded);
    }
    let (expected, found) = (length(kem), bytes.len().saturating_sub(32));
    if found != expected {
        return Err(KemKeyError::Length { kem, found, expected });
    }
    let digest = bytes.split_off(expected);
    if digest != check(kem, &bytes) {
        return Err(KemKeyError::Damaged);
    }
    Ok((kem, bytes))
}
