//! Targets: functions over any bytes that panic if a promise is broken.
//!
//! | target | what it compares |
//! | --- | --- |
//! | `hashes` | every hash and XOF on a backend, in any pieces, with the reference; many messages with single ones |
//! | `ciphers` | every stream cipher on a backend, in pieces, with seeks, in place or not, with one call on `scalar` |
//! | `aeads` | every AEAD on two backends, some with the reference; changes are refused and nothing is written |
//! | `kems` | every KEM on two backends, also for damaged ciphertexts and keys |
//! | `parsers` | sealed files, keys and names from any bytes: an error or a value, and never a panic |

mod input;
mod parsers;
mod primitives;

pub use input::next;

/// The targets and their names.
pub const TARGETS: &[(&str, fn(&[u8]))] = &[
    ("hashes", primitives::hashes),
    ("ciphers", primitives::ciphers),
    ("aeads", primitives::aeads),
    ("kems", primitives::kems),
    ("parsers", parsers::parsers),
];
