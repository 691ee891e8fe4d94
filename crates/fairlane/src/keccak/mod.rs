//! The Keccak family: Keccak, SHA-3, SHAKE, cSHAKE, `ParallelHash`, TurboSHAKE and KangarooTwelve.
//!
//! | functions | document | output |
//! | --- | --- | --- |
//! | [`Keccak224`] … [`Keccak512`] | the original padding, as in Ethereum (**not** SHA-3) | 28 … 64 bytes |
//! | [`Sha3_224`] … [`Sha3_512`] | FIPS 202 | 28 … 64 bytes |
//! | [`Shake128`], [`Shake256`] | FIPS 202 | any length |
//! | [`CShake128`], [`CShake256`] | NIST SP 800-185 | any length |
//! | [`TurboShake128`], [`TurboShake256`] | RFC 9861 | any length |
//! | [`ParallelHash128`], [`ParallelHash256`] | NIST SP 800-185 | any length |
//! | [`Kt128`], [`Kt256`] | RFC 9861 (KangarooTwelve) | any length |
//!
//! All have the traits of [`digest`] and `with_backend`; those without parameters have [`HashMany`](crate::HashMany),
//! for many messages at once (TurboSHAKE with its default domain byte).
//!
//! ```
//! use fairlane::digest::Digest;
//! use fairlane::keccak::{Keccak256, keccak256};
//!
//! let mut hasher = Keccak256::new();
//! hasher.update(b"in ");
//! hasher.update(b"pieces");
//! assert_eq!(hasher.finalize()[..], keccak256(b"in pieces"));
//! ```
//!
//! ```
//! use fairlane::digest::{ExtendableOutput, Update, XofReader};
//! use fairlane::keccak::Shake128;
//!
//! let mut xof = Shake128::default();
//! xof.update(b"seed");
//! let mut stream = [0; 500];
//! xof.finalize_xof().read(&mut stream);
//! ```
//!
//! Constant time: running time depends on lengths only, on every backend.

#[macro_use]
mod traits;

mod blocks;
mod eight_states;
mod encoding;
mod equal_lengths;
mod f1600;
mod first_chunk;
mod hashes;
mod kangaroo_twelve;
mod kernels;
mod leaves;
mod parallel_hash;
mod parameters;
mod permutation;
#[cfg(feature = "x-wing")]
mod secret_block;
mod sponge;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;
mod xofs;

pub(crate) use eight_states::{EightStates, RATE_128, Row, Run, Squeezed, StateInput};
pub use f1600::{keccak_f1600, keccak_f1600_eight};
pub use hashes::{
    Keccak224, Keccak256, Keccak384, Keccak512, Sha3_224, Sha3_256, Sha3_384, Sha3_512, keccak224, keccak256,
    keccak384, keccak512, sha3_224, sha3_256, sha3_384, sha3_512,
};
pub use kangaroo_twelve::{Kt128, Kt128Reader, Kt256, Kt256Reader, kt128, kt256};
pub(crate) use kernels::{BACKENDS, Keccak};
pub use parallel_hash::{ParallelHash128, ParallelHash256, parallel_hash128, parallel_hash256};
pub(crate) use parameters::RATE_256;
#[cfg(feature = "x-wing")]
pub(crate) use secret_block::{sha3_256_block, shake256_block};
pub use xofs::{
    CShake128, CShake256, InvalidDomain, Reader, Shake128, Shake128Reader, Shake256, Shake256Reader, TurboShake128,
    TurboShake128Reader, TurboShake256, TurboShake256Reader, cshake128, cshake256, shake128, shake256, turboshake128,
    turboshake256,
};
