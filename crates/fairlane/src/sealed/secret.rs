//! What a file is sealed under: a key, a passphrase through Argon2id, or a recipient through a KEM.

use super::{Error, Identity, Recipient};
use argon2::{Algorithm as Variant, Argon2, Block, Params, Version};
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

/// Bytes of a [`Key`].
const KEY: usize = 64;

/// How the text of a key begins.
const TEXT: &str = "fairlane key ";

/// A key to seal files under: 64 random bytes, erased on drop. Any number of files may share one; each gets a key of
/// its own, derived from it.
#[derive(Clone)]
pub struct Key(Zeroizing<[u8; KEY]>);

impl Key {
    /// A new key from the system's random numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system gives none.
    pub fn generate() -> Result<Self, Error> {
        let mut key = Self(Zeroizing::new([0; KEY]));
        getrandom::fill(&mut *key.0).map_err(Error::Random)?;
        Ok(key)
    }

    /// The key of these bytes. They must be random: a passphrase is no key.
    pub fn from_bytes(bytes: &[u8; KEY]) -> Self {
        Self(Zeroizing::new(*bytes))
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; KEY] {
        &self.0
    }

    /// The text of a key file: the line `fairlane key 1` and a line of 128 hexadecimal digits. It is a secret.
    pub fn to_text(&self) -> Zeroizing<String> {
        let digits = Zeroizing::new(base16ct::lower::encode_string(&*self.0));
        // With room for all of it: growing would leave copies.
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

/// Why a text is not that of a key. It repeats nothing of the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum KeyError {
    /// It does not begin as the text of a key does.
    NotAKey,
    /// It says another version than 1.
    UnknownVersion,
    /// So many digits instead of 128.
    Length(usize),
    /// What should be hexadecimal digits are others.
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

    /// Reads what [`Key::to_text`] writes; upper case, spaces at the ends of lines and empty last lines are all right.
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
    /// A key: the safe choice, if it can be kept.
    Key(&'a Key),
    /// A passphrase, from 1 to 2³² − 1 bytes: the same letters in another encoding or Unicode form are another
    /// passphrase. Whoever has the file can try passphrases for as long as they like; [`PassphraseCost`] is what each
    /// try costs.
    Passphrase(&'a [u8]),
    /// To seal only: whoever has the [`Identity`] opens it, and whoever sealed it cannot.
    Recipient(&'a Recipient),
    /// To open what was sealed to its recipient. Sealing with it is sealing to its recipient.
    Identity(&'a Identity),
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Key(_) => "Secret::Key(..)",
            Self::Passphrase(_) => "Secret::Passphrase(..)",
            Self::Recipient(_) => "Secret::Recipient(..)",
            Self::Identity(_) => "Secret::Identity(..)",
        })
    }
}

/// What it costs to try a passphrase: the parameters of Argon2id (RFC 9106, version 0x13).
///
/// Files say theirs, and files come from anywhere, so there are limits: memory from 8 KiB a lane to 2 GiB, and memory
/// times passes at most 4 GiB.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct PassphraseCost {
    memory: u32,
    passes: u32,
    lanes: u8,
}

impl PassphraseCost {
    /// The limits, in words.
    pub(super) const LIMITS: &str =
        "m from 8*p to 2097152 (KiB), t and p at least 1, m*t at most 4194304, p at most 255";

    /// `memory` in KiB, and that many passes and lanes.
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

    /// Memory in KiB.
    pub const fn memory(self) -> u32 {
        self.memory
    }

    /// Passes over the memory.
    pub const fn passes(self) -> u32 {
        self.passes
    }

    /// Lanes.
    pub const fn lanes(self) -> u8 {
        self.lanes
    }

    /// Argon2id of a passphrase.
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
    /// 64 MiB, 3 passes, 4 lanes: the second recommendation of RFC 9106, section 4.
    fn default() -> Self {
        Self { memory: 64 << 10, passes: 3, lanes: 4 }
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

    /// Reads `m=MEMORY,t=PASSES,p=LANES`, memory in KiB, as it stands in the hashes that other programs print.
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
