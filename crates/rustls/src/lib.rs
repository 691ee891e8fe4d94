//! ChaCha20-Poly1305 and X25519MLKEM768 for [rustls], as a part of another [`CryptoProvider`].
//!
//! [`provider`] takes a provider that has everything else, such as `rustls::crypto::ring::default_provider()`, and puts
//! fairlane's parts into it:
//!
//! | file | part |
//! | --- | --- |
//! | `key_exchange` | X25519MLKEM768: fairlane's ML-KEM-768 beside the provider's X25519 |
//! | `suites`, `records` | the ChaCha20-Poly1305 suites of TLS 1.3 and, with feature `tls12`, of TLS 1.2 |
//!
//! Keys of ML-KEM and of ChaCha20-Poly1305, and the shared secrets, are erased on drop; whether a key of X25519 is, is
//! up to the other provider. QUIC's keys stay that provider's.

#![forbid(unsafe_code)]

mod key_exchange;
mod records;
mod suites;

use key_exchange::X25519MlKem768;
use rustls::NamedGroup;
use rustls::crypto::CryptoProvider;

/// `base` with fairlane's parts: X25519MLKEM768 as its first group, and ChaCha20-Poly1305 in place of its own.
///
/// A `base` without X25519 gets no group. One without ChaCha20-Poly1305 gets the suite of TLS 1.3 as its last one, if
/// it has another suite with SHA-256. All else stays as it is. Since rustls keeps groups and suites for ever, each call
/// leaks some hundred bytes: make a provider once.
pub fn provider(mut base: CryptoProvider) -> CryptoProvider {
    suites::put_into(&mut base.cipher_suites);
    let groups = &mut base.kx_groups;
    if let Some(&x25519) = groups.iter().find(|group| group.name() == NamedGroup::X25519) {
        groups.retain(|group| group.name() != NamedGroup::X25519MLKEM768);
        groups.insert(0, Box::leak(Box::new(X25519MlKem768 { x25519, random: base.secure_random })));
    }
    base
}
