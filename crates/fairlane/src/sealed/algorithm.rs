//! The AEADs that a file can be sealed with, and their numbers.

use super::stream::{OVERHEAD, StreamBe32};
use crate::dynamic::{AeadAlgorithm, UnknownAlgorithm};
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

    /// The names of [`ALL`](Self::ALL).
    const NAMES: &[&str] = &[Self::ALL[0].name(), Self::ALL[1].name(), Self::ALL[2].name()];

    /// Its name, such as `xchacha20-poly1305`.
    pub const fn name(self) -> &'static str {
        self.aead().name()
    }

    /// Whether cryptographers other than the cipher's authors have published analyses of it.
    pub const fn reviewed(self) -> bool {
        !matches!(self, Self::Kusumi512Poly1305)
    }

    /// The AEAD, with its sizes.
    pub const fn aead(self) -> AeadAlgorithm {
        match self {
            Self::XChaCha20Poly1305 => AeadAlgorithm::XChaCha20Poly1305,
            Self::ChaCha20Poly1305 => AeadAlgorithm::ChaCha20Poly1305,
            Self::Kusumi512Poly1305 => AeadAlgorithm::Kusumi512Poly1305,
        }
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
    pub(super) fn cipher(self, material: &[u8]) -> StreamBe32 {
        let algorithm = self.aead();
        let (key, material) = material.split_at(algorithm.key_size());
        let prefix = &material[..algorithm.nonce_size() - OVERHEAD];
        StreamBe32::new(algorithm.aead(key, None).expect("split at its length"), prefix)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let found = Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithm::new("algorithm", name, Self::NAMES))
    }
}
