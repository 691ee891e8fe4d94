//! The algorithms that `fairlane hash` knows: names, tags and digest lengths.

use clap::ValueEnum;

/// One way to compute a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// Keccak with its original padding, 224 bits: NOT SHA3-224
    Keccak224,
    /// Keccak with its original padding, 256 bits, as Ethereum uses it: NOT SHA3-256
    Keccak256,
    /// Keccak with its original padding, 384 bits: NOT SHA3-384
    Keccak384,
    /// Keccak with its original padding, 512 bits: NOT SHA3-512
    Keccak512,
    /// FIPS 202, 224 bits
    #[value(name = "sha3-224")]
    Sha3_224,
    /// FIPS 202, 256 bits
    #[value(name = "sha3-256")]
    Sha3_256,
    /// FIPS 202, 384 bits
    #[value(name = "sha3-384")]
    Sha3_384,
    /// FIPS 202, 512 bits
    #[value(name = "sha3-512")]
    Sha3_512,
    /// FIPS 202, any length: 256 bits unless --length says otherwise
    Shake128,
    /// FIPS 202, any length: 512 bits unless --length says otherwise
    Shake256,
    /// RFC 9861, 12 rounds, any length: 256 bits unless --length says otherwise
    #[value(name = "turboshake128")]
    TurboShake128,
    /// RFC 9861, 12 rounds, any length: 512 bits unless --length says otherwise
    #[value(name = "turboshake256")]
    TurboShake256,
    /// RFC 9861, KangarooTwelve, any length: 256 bits unless --length says otherwise
    Kt128,
    /// GB/T 32905-2016, 256 bits
    Sm3,
}

/// The longest digest that is printed or checked: 1 MiB, far above any use as a checksum.
pub(crate) const MAX_LENGTH: usize = 1 << 20;

impl Algorithm {
    /// The name in a `--tag` line.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::Keccak224 => "KECCAK-224",
            Self::Keccak256 => "KECCAK-256",
            Self::Keccak384 => "KECCAK-384",
            Self::Keccak512 => "KECCAK-512",
            Self::Sha3_224 => "SHA3-224",
            Self::Sha3_256 => "SHA3-256",
            Self::Sha3_384 => "SHA3-384",
            Self::Sha3_512 => "SHA3-512",
            Self::Shake128 => "SHAKE128",
            Self::Shake256 => "SHAKE256",
            Self::TurboShake128 => "TURBOSHAKE128",
            Self::TurboShake256 => "TURBOSHAKE256",
            Self::Kt128 => "KT128",
            Self::Sm3 => "SM3",
        }
    }

    /// The algorithm whose tag these bytes are.
    pub(crate) fn from_tag(tag: &[u8]) -> Option<Self> {
        Self::value_variants().iter().copied().find(|algorithm| algorithm.tag().as_bytes() == tag)
    }

    /// Whether the digest can be of any length.
    pub(crate) fn is_extendable(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256 | Self::TurboShake128 | Self::TurboShake256 | Self::Kt128)
    }

    /// Bytes of the digest, where no other length is asked for.
    pub(crate) fn length(self) -> usize {
        match self {
            Self::Keccak224 | Self::Sha3_224 => 28,
            Self::Keccak256 | Self::Sha3_256 | Self::Shake128 | Self::TurboShake128 | Self::Kt128 | Self::Sm3 => 32,
            Self::Keccak384 | Self::Sha3_384 => 48,
            Self::Keccak512 | Self::Sha3_512 | Self::Shake256 | Self::TurboShake256 => 64,
        }
    }

    /// Whether a digest of `length` bytes can be this algorithm's.
    pub(crate) fn allows(self, length: usize) -> bool {
        if self.is_extendable() { (1..=MAX_LENGTH).contains(&length) } else { length == self.length() }
    }
}
