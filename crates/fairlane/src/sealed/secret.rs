//! What a file is sealed under: a key, a passphrase by way of Argon2id, or a recipient by way of a KEM.

use super::{Error, Identity, Recipient};
use argon2::{Algorithm as Variant, Argon2, Block, Params, Version};
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

/// Bytes of a [`Key`].
const KEY: usize = 64;

/// The first words of the text of a key.
const TEXT: &str = "fairlane key ";

/// A key to seal files under: 64 random bytes, erased on drop. It may seal any number of files; each one is encrypted
/// under a key of its own that is derived from it.
#[derive(Clone)]
pub struct Key(Zeroizing<[u8; KEY]>);

impl Key {
    /// Generates a key from the system's random numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system gives none.
    pub fn generate() -> Result<Self, Error> {
        let mut key = Self(Zeroizing::new([0; KEY]));
        getrandom::fill(&mut *key.0).map_err(Error::Random)?;
        Ok(key)
    }

    /// Takes bytes as a key. They must be random: a passphrase is not a key.
    pub fn from_bytes(bytes: &[u8; KEY]) -> Self {
        Self(Zeroizing::new(*bytes))
    }

    /// The bytes of the key.
    pub fn as_bytes(&self) -> &[u8; KEY] {
        &self.0
    }

    /// Returns the text of a key file: the line `fairlane key 1` and a line of 128 hexadecimal digits. It is secret.
    pub fn to_text(&self) -> Zeroizing<String> {
        let digits = Zeroizing::new(base16ct::lower::encode_string(&*self.0));
        // Enough capacity for all of it: growing would leave copies behind.
        let mut text = Zeroizing::new(String::with_capacity(TEXT.len() + 3 + digits.len()));
        for part in [TEXT, "1\n", &digits, "\n"] {
            text.push_str(part);
        }
        text
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Why a text is not that of a key. It contains nothing of the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum KeyError {
    /// The text does not begin like that of a key.
    NotAKey,
    /// The version is not 1.
    UnknownVersion,
    /// There are this many digits instead of 128.
    Length(usize),
    /// The digits are not hexadecimal.
    NotHexadecimal,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAKey => f.write_str("not a key: its first line is not 'fairlane key 1'"),
            Self::UnknownVersion => f.write_str("a key of a version that a newer fairlane may know"),
            Self::Length(digits) => write!(f, "not a whole key: {digits} digits instead of {}", 2 * KEY),
            Self::NotHexadecimal => f.write_str("not a key: its second line is not hexadecimal"),
        }
    }
}

impl std::error::Error for KeyError {}

impl FromStr for Key {
    type Err = KeyError;

    /// Parses the output of [`Key::to_text`]; upper case, spaces at the ends of lines and empty lines at the end are
    /// allowed.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let text = text.strip_prefix(TEXT).ok_or(KeyError::NotAKey)?;
        let (version, digits) = text.split_once('\n').unwrap_or((text, ""));
        if version.trim_end() != "1" {
            return Err(KeyError::UnknownVersion);
        }
        let digits = digits.trim_end();
        if digits.len() != 2 * KEY {
            return Err(KeyError::Length(digits.len()));
        }
        let mut key = Self(Zeroizing::new([0; KEY]));
        base16ct::mixed::decode(digits, &mut *key.0).map_err(|_| KeyError::NotHexadecimal)?;
        Ok(key)
    }
}

/// What a file is sealed under.
#[derive(Clone, Copy)]
pub enum Secret<'a> {
    /// A key: the best choice where it can be stored safely.
    Key(&'a Key),
    /// A passphrase of 1 to 2³² − 1 bytes. The same letters in another encoding or Unicode normal form are another
    /// passphrase. Whoever has the file can try passphrases at leisure; [`PassphraseCost`] is the cost of each try.
    Passphrase(&'a [u8]),
    /// The recipient, for sealing only: the file opens with the recipient's [`Identity`], and not for whoever sealed
    /// it.
    Recipient(&'a Recipient),
    /// From 1 to [`MAX_RECIPIENTS`](super::MAX_RECIPIENTS) recipients, for sealing only: each of their identities opens
    /// the file.
    Recipients(&'a [Recipient]),
    /// The identity, which opens what was sealed to its recipient. Sealing with it seals to its recipient.
    Identity(&'a Identity),
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Key(_) => "Secret::Key(..)",
            Self::Passphrase(_) => "Secret::Passphrase(..)",
            Self::Recipient(_) => "Secret::Recipient(..)",
            Self::Recipients(_) => "Secret::Recipients(..)",
            Self::Identity(_) => "Secret::Identity(..)",
        })
    }
}

/// The cost of trying a passphrase: the parameters of Argon2id (RFC 9106, version 0x13).
///
/// A file contains its parameters and may come from anybody, so there are limits: the memory is from 8 KiB per lane to
/// 2 GiB, and memory times passes at most 4 GiB.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct PassphraseCost {
    memory: u32,
    passes: u32,
    lanes: u8,
}

impl PassphraseCost {
    /// The default: 64 MiB, 3 passes, 4 lanes, which is the second recommendation of RFC 9106, section 4.
    pub const DEFAULT: Self = Self { memory: 64 << 10, passes: 3, lanes: 4 };

    /// The limits as text.
    pub(super) const LIMITS: &str =
        "m from 8*p to 2097152 (KiB), t and p at least 1, m*t at most 4194304, p at most 255";

    /// Takes the memory in KiB and the numbers of passes and lanes.
    ///
    /// # Errors
    ///
    /// [`Error::BadCost`] outside the limits.
    pub const fn new(memory: u32, passes: u32, lanes: u8) -> Result<Self, Error> {
        let least = lanes > 0 && passes > 0 && memory >= 8 * lanes as u32;
        if least && memory <= 1 << 21 && memory as u64 * passes as u64 <= 1 << 22 {
            Ok(Self { memory, passes, lanes })
        } else {
            Err(Error::BadCost(memory, passes, lanes))
        }
    }

    /// The memory in KiB.
    pub const fn memory(self) -> u32 {
        self.memory
    }

    /// The number of passes over the memory.
    pub const fn passes(self) -> u32 {
        self.passes
    }

    /// The number of lanes.
    pub const fn lanes(self) -> u8 {
        self.lanes
    }

    /// Derives a key from a passphrase by Argon2id.
    pub(super) fn stretch(self, passphrase: &[u8], salt: &[u8]) -> Result<Zeroizing<[u8; KEY]>, Error> {
        if passphrase.is_empty() || u32::try_from(passphrase.len()).is_err() {
            return Err(Error::BadPassphrase);
        }
        let params = Params::new(self.memory, self.passes, self.lanes.into(), Some(KEY)).expect("within its limits");
        let mut memory = Zeroizing::new(Vec::new());
        let blocks = params.block_count();
        memory.try_reserve_exact(blocks).map_err(|_| Error::OutOfMemory(self))?;
        memory.resize(blocks, Block::new());
        let mut key = Zeroizing::new([0; KEY]);
        Argon2::new(Variant::Argon2id, Version::V0x13, params)
            .hash_password_into_with_memory(passphrase, salt, &mut *key, &mut memory[..])
            .expect("lengths within its limits");
        Ok(key)
    }
}

impl Default for PassphraseCost {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for PassphraseCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m={},t={},p={}", self.memory, self.passes, self.lanes)
    }
}

/// Why a text such as `m=65536,t=3,p=4` is not a [`PassphraseCost`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CostError(String);

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CostError {}

impl FromStr for PassphraseCost {
    type Err = CostError;

    /// Parses `m=MEMORY,t=PASSES,p=LANES`, with the memory in KiB: the form in which other programs print it.
    fn from_str(text: &str) -> Result<Self, CostError> {
        let malformed = || CostError(format!("'{text}' is not of the form {}", Self::default()));
        let mut parts = text.split(',');
        let mut part = |name| parts.next().and_then(|part| part.strip_prefix(name)).ok_or_else(malformed);
        let numbers @ [memory, passes, lanes] = [part("m=")?, part("t=")?, part("p=")?];
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if parts.next().is_some() || !numbers.iter().all(is_number) {
            return Err(malformed());
        }
        let cost = match (memory.parse(), passes.parse(), lanes.parse()) {
            (Ok(memory), Ok(passes), Ok(lanes)) => Self::new(memory, passes, lanes).ok(),
            _ => None,
        };
        cost.ok_or_else(|| CostError(format!("'{text}' is outside the limits: {}", Self::LIMITS)))
    }
}
