//! The algorithms that `fairlane hash` knows, with their tags and digest lengths: all of the library's, and those of
//! other crates without which one would need another tool.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fairlane::dynamic::HashAlgorithm;

/// The longest digest that is printed or checked: 1 MiB, far above any use as a checksum.
pub(crate) const MAX_LENGTH: usize = 1 << 20;

/// The tags that OpenSSL 3 writes in another way, and ours.
const OF_OPENSSL: [(&str, &str); 4] =
    [("SHA2-256", "SHA256"), ("SHA2-512", "SHA512"), ("SHAKE-128", "SHAKE128"), ("SHAKE-256", "SHAKE256")];

/// One way to compute a checksum.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Algorithm {
    /// One of the library's.
    Fairlane(HashAlgorithm),
    /// SHA-256, of the crate `sha2`.
    Sha256,
    /// SHA-512, of the crate `sha2`.
    Sha512,
    /// BLAKE3, of the crate `blake3`.
    Blake3,
}

impl Algorithm {
    /// All algorithms, in the order of the help.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        HashAlgorithm::ALL.iter().copied().map(Self::Fairlane).chain([Self::Sha256, Self::Sha512, Self::Blake3])
    }

    /// The name that `--algo` takes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fairlane(algorithm) => algorithm.name(),
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
            Self::Blake3 => "blake3",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Fairlane(algorithm) => algorithm.description(),
            Self::Sha256 => "SHA-256 (FIPS 180-4), of the crate sha2",
            Self::Sha512 => "SHA-512 (FIPS 180-4), of the crate sha2",
            Self::Blake3 => "BLAKE3, of the crate blake3",
        }
    }

    /// The digest's length in bytes; `None` if it may have any.
    fn output_size(self) -> Option<usize> {
        match self {
            Self::Fairlane(algorithm) => algorithm.output_size(),
            Self::Sha256 => Some(32),
            Self::Sha512 => Some(64),
            Self::Blake3 => None,
        }
    }

    /// The digest's length in bytes unless another is asked for.
    pub(crate) fn default_output_size(self) -> usize {
        match self {
            Self::Fairlane(algorithm) => algorithm.default_output_size(),
            Self::Sha256 | Self::Blake3 => 32,
            Self::Sha512 => 64,
        }
    }

    /// The name in a `--tag` line: in upper case; with a hyphen before the size, as the standards write it.
    pub(crate) fn tag(self) -> String {
        self.name().to_uppercase().replace("KECCAK", "KECCAK-")
    }

    /// The algorithm whose tag these bytes are, ours or one of OpenSSL's.
    pub(crate) fn from_tag(tag: &[u8]) -> Option<Self> {
        let ours = OF_OPENSSL.iter().find(|(theirs, _)| theirs.as_bytes() == tag);
        let tag = ours.map_or(tag, |(_, ours)| ours.as_bytes());
        Self::all().find(|algorithm| algorithm.tag().as_bytes() == tag)
    }

    /// Whether a digest of `length` bytes can be this algorithm's.
    pub(crate) fn allows(self, length: usize) -> bool {
        self.output_size().map_or((1..=MAX_LENGTH).contains(&length), |size| length == size)
    }

    fn help(self) -> String {
        let (description, bits) = (self.description(), 8 * self.default_output_size());
        match self.output_size() {
            Some(_) => description.to_owned(),
            None => format!("{description}: {bits} bits unless --length says otherwise"),
        }
    }
}

/// Parses the value of `--algo`.
pub(crate) fn parser() -> impl TypedValueParser<Value = Algorithm> {
    let values = Algorithm::all().map(|algorithm| PossibleValue::new(algorithm.name()).help(algorithm.help()));
    let find = |name: String| Algorithm::all().find(|algorithm| algorithm.name() == name).ok_or("no such algorithm");
    PossibleValuesParser::new(values).try_map(find)
}
