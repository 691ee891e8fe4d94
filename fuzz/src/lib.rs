//! Targets: functions over any bytes that panic if a promise is broken.
//!
//! | target | what it compares |
//! | --- | --- |
//! | `hashes` | every hash and XOF on a backend, in any pieces, with the reference; many messages with single ones |
//! | `ciphers` | every stream cipher on a backend, in pieces, with seeks, in place or not, with the reference |
//! | `aeads` | every AEAD on two backends, some with the reference; changes are refused and nothing is written |
//! | `modes` | ECB, CBC and XTS on a backend, in place or not, with the reference |
//! | `wrapped-keys` | Kalyna's KW on a backend, padded or not, with the reference; changes are refused |
//! | `kems` | every KEM on two backends, also for damaged ciphertexts and keys |
//! | `kem-batches` | batches of every KEM on a backend with one by one, also for damaged ciphertexts |
//! | `short-hashes` | a short message on all backends, whole and in two pieces |
//! | `short-ciphers` | a short piece of each keystream on all backends, in place or not, after a seek |
//! | `short-aeads` | a short message sealed on all backends, in place or not; changes are refused |
//! | `kem-keys` | ML-KEM's encapsulation keys with one coefficient that is too great, on all backends |
//! | `every-kem` | an encapsulation of each KEM on all backends, also with a damaged ciphertext |
//! | `parsers` | sealed files, keys and names from any bytes: an error or a value, and never a panic |
//! | `secrets` | files under a key, under a passphrase and to two recipients open; with a changed bit they do not |
//! | `runs` | files of runs: an error, or every report, whose text is never markup; time and length are bounded |

mod input;
mod modes;
mod parsers;
mod primitives;
#[cfg(feature = "runs")]
mod runs;
mod short;

pub use input::{fill, next};

/// A function over any bytes.
pub type Target = fn(&[u8]);

/// The targets and their names.
pub const TARGETS: &[(&str, Target)] = &[
    ("hashes", primitives::hashes),
    ("ciphers", primitives::ciphers),
    ("aeads", primitives::aeads),
    ("modes", modes::modes),
    ("wrapped-keys", modes::wrapped_keys),
    ("kems", primitives::kems),
    ("kem-batches", primitives::kem_batches),
    ("short-hashes", short::hashes),
    ("short-ciphers", short::ciphers),
    ("short-aeads", short::aeads),
    ("kem-keys", short::kem_keys),
    ("every-kem", short::every_kem),
    ("parsers", parsers::parsers),
    ("secrets", parsers::secrets),
    #[cfg(feature = "runs")]
    ("runs", runs::runs),
];
