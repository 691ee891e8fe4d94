//! The algorithms that `fairlane hash` knows: all of the library's, with their tags and digest lengths.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// One way to compute a checksum.
pub(crate) use fairlane::dynamic::HashAlgorithm as Algorithm;

/// The longest digest that is printed or checked: 1 MiB, far above any use as a checksum.
pub(crate) const MAX_LENGTH: usize = 1 << 20;

/// What checksum lines need to know of an algorithm.
pub(crate) trait Checksum: Sized {
    /// The name in a `--tag` line.
    fn tag(self) -> String;

    /// The algorithm whose tag these bytes are.
    fn from_tag(tag: &[u8]) -> Option<Self>;

    /// Whether a digest of `length` bytes can be this algorithm's.
    fn allows(self, length: usize) -> bool;
}

impl Checksum for Algorithm {
    /// The name in upper case; with a hyphen before the size, as the standards write it.
    fn tag(self) -> String {
        self.name().to_uppercase().replace("KECCAK", "KECCAK-")
    }

    fn from_tag(tag: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.tag().as_bytes() == tag)
    }

    fn allows(self, length: usize) -> bool {
        self.output_size().map_or((1..=MAX_LENGTH).contains(&length), |size| length == size)
    }
}

/// Parses the value of `--algo`.
pub(crate) fn parser() -> impl TypedValueParser<Value = Algorithm> {
    let values = Algorithm::ALL.iter().map(|algorithm| PossibleValue::new(algorithm.name()).help(help(*algorithm)));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Algorithm>())
}

fn help(algorithm: Algorithm) -> String {
    let (description, bits) = (algorithm.description(), 8 * algorithm.default_output_size());
    match algorithm.output_size() {
        Some(_) => description.to_owned(),
        None => format!("{description}: {bits} bits unless --length says otherwise"),
    }
}
