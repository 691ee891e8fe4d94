//! The AEADs that a file can be sealed with: their numbers, names and types.

use super::stream::{ChunkCipher, StreamBe32};
use crate::chacha::{ChaCha20Poly1305, XChaCha20Poly1305};
use crate::kusumi::Kusumi512Poly1305;
use std::fmt;
use std::str::FromStr;

/// The AEAD that a file is sealed with.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// XChaCha20-Poly1305: key 32 bytes, nonce 24 bytes. The default.
    #[default]
    XChaCha20Poly1305,
    /// ChaCha20-Poly1305 of RFC 8439: key 32 bytes, nonce 12 bytes.
    ChaCha20Poly1305,
    /// Kusumi512-Poly1305: key 64 bytes, nonce 12 bytes. **Nobody but its authors has analysed Kusumi-512**;
    /// a longer key does not make up for that.
    Kusumi512Poly1305,
}

impl Algorithm {
    /// Every algorithm, the default first.
    pub const ALL: &[Self] = &[Self::XChaCha20Poly1305, Self::ChaCha20Poly1305, Self::Kusumi512Poly1305];

    /// Its name, such as `xchacha20-poly1305`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::XChaCha20Poly1305 => "xchacha20-poly1305",
            Self::ChaCha20Poly1305 => "chacha20-poly1305",
            Self::Kusumi512Poly1305 => "kusumi512-poly1305",
        }
    }

    /// Whether cryptographers other than the cipher's authors have published analyses of it.
    pub const fn reviewed(self) -> bool {
        !matches!(self, Self::Kusumi512Poly1305)
    }

    /// Its number in the header.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::XChaCha20Poly1305 => 1,
            Self::ChaCha20Poly1305 => 2,
            Self::Kusumi512Poly1305 => 3,
        }
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.number() == number)
    }

    /// Makes the cipher of one file; key and nonce prefix are the first bytes of `material`.
    pub(super) fn cipher(self, material: &[u8]) -> Box<dyn ChunkCipher> {
        match self {
            Self::XChaCha20Poly1305 => Box::new(StreamBe32::<XChaCha20Poly1305>::new(material)),
            Self::ChaCha20Poly1305 => Box::new(StreamBe32::<ChaCha20Poly1305>::new(material)),
            Self::Kusumi512Poly1305 => Box::new(StreamBe32::<Kusumi512Poly1305>::new(material)),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No algorithm has this name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownAlgorithmName(String);

impl fmt::Display for UnknownAlgorithmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
        write!(f, "no algorithm is called '{}'; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownAlgorithmName {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithmName;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithmName> {
        let found = Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithmName(name.to_owned()))
    }
}
