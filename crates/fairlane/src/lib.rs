//! Cryptographic primitives at the speed the machine allows: one message, or many at once.
//!
//! Every primitive has several *backends* ([`Backend`]); the best one that the CPU has is chosen at run time. The
//! environment variable `FAIRLANE_BACKEND` (such as `scalar,avx2`) limits that choice for a whole process to what it
//! names, and each type can be made `with_backend`. No backend branches on a secret or uses one as an address, unless a
//! primitive's own page says so.
//!
//! | module | primitives |
//! | --- | --- |
//! | [`chacha`] | `ChaCha20` with 8, 12 and 20 rounds, `XChaCha20`, their AEADs |
//! | [`clwe`] | CLWE-KEM, to compare with |
//! | [`ghash`] | GHASH, the hash in GCM |
//! | [`kalyna`] | Kalyna (DSTU 7624:2014) with blocks of 128, 256 and 512 bits, and that standard's modes |
//! | [`keccak`] | Keccak, SHA-3, SHAKE, cSHAKE, TurboSHAKE, KT128 |
//! | [`kusumi`] | Kusumi-512 and its AEAD |
//! | [`ml_kem`] | ML-KEM (FIPS 203) |
//! | [`poly1305`] | Poly1305 |
//! | [`sm3`] | SM3; a MAC of it by the crate `hmac` |
//! | [`sm4`] | SM4 as a block cipher and in CTR, CBC, XTS, GCM and CCM |
//! | [`threefish`] | Threefish-256, -512, -1024; a stream of Threefish-512 in counter mode |
//!
//! [`keystream`] has what the stream ciphers share. With feature `sealed`, the module `sealed` has encrypted streams
//! and files: over an AEAD, under a key or a passphrase, or to a recipient by a KEM.
//!
//! Features: `std` (default; finds CPU features at run time), `getrandom` (keys and encapsulations of the KEMs from the
//! system's random numbers), `sealed` (that module; needs both), `zeroize` (erases the state of a hasher or reader on
//! drop, as keys always are; `SECURITY.md` lists what is not erased), `constant-time` (makes every backend
//! constant-time; without it Kalyna's `scalar` is not).

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
mod squares;

mod batch;
pub mod chacha;
pub mod clwe;
mod ct;
mod erased;
pub mod ghash;
pub mod kalyna;
pub mod keccak;
pub mod keystream;
pub mod kusumi;
mod lattice;
mod many;
pub mod ml_kem;
pub mod poly1305;
#[cfg(feature = "sealed")]
pub mod sealed;
pub mod sm3;
pub mod sm4;
pub mod threefish;

use fairlane_lanes::AnyToken;

pub use fairlane_lanes::{Backend, Unsupported};
pub use many::{HashMany, HashManyError};
pub use {aead, cipher, digest, kem, universal_hash};

/// A family of primitives that share kernels, for programs that list what this machine offers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Primitive {
    /// Its name, such as `keccak`.
    pub name: &'static str,
    /// The backends it has kernels for, best first.
    pub backends: &'static [Backend],
    /// Those of them that are not constant-time.
    pub variable_time: &'static [Backend],
}

impl Primitive {
    /// The backend that its types take by default on this machine.
    pub fn chosen(&self) -> Backend {
        AnyToken::best(self.backends).backend()
    }
}

/// Every family of primitives.
pub const fn primitives() -> &'static [Primitive] {
    &[
        Primitive { name: "keccak", backends: keccak::BACKENDS, variable_time: &[] },
        Primitive { name: "chacha", backends: chacha::BACKENDS, variable_time: &[] },
        Primitive { name: "kusumi", backends: kusumi::BACKENDS, variable_time: &[] },
        Primitive { name: "poly1305", backends: poly1305::BACKENDS, variable_time: &[] },
        Primitive { name: "sm3", backends: sm3::BACKENDS, variable_time: &[] },
        Primitive { name: "sm4", backends: sm4::BACKENDS, variable_time: &[] },
        Primitive { name: "threefish", backends: threefish::BACKENDS, variable_time: &[] },
        Primitive { name: "kalyna", backends: kalyna::BACKENDS, variable_time: kalyna::VARIABLE_TIME },
        Primitive { name: "ghash", backends: ghash::BACKENDS, variable_time: &[] },
        Primitive { name: "ml-kem", backends: ml_kem::BACKENDS, variable_time: &[] },
    ]
}

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
