//! ML-KEM (FIPS 203, August 2024): key encapsulation that is expected to withstand quantum computers.
//!
//! | | category | encapsulation key | ciphertext |
//! | --- | --- | --- | --- |
//! | [`MlKem512`] | 1 | 800 bytes | 768 |
//! | [`MlKem768`], the one to use | 3 | 1184 | 1088 |
//! | [`MlKem1024`] | 5 | 1568 | 1568 |
//!
//! Decapsulation keys are 64 bytes, the seeds d and z; shared secrets 32. The traits are those of the crate [`kem`].
//!
//! ```
//! use fairlane::kem::KeyInit;
//! use fairlane::ml_kem::{DecapsulationKey, EncapsulationKey, MlKem768};
//!
//! // 64 random bytes, kept secret.
//! let own = DecapsulationKey::<MlKem768>::new(&[7; 64].into());
//! let sent = own.encapsulation_key().as_bytes();
//!
//! // Another side, with 32 random bytes of its own.
//! let (ciphertext, secret) = EncapsulationKey::<MlKem768>::from_bytes(sent)?.encapsulate_deterministic(&[9; 32]);
//!
//! assert_eq!(own.decapsulate(&ciphertext), secret);
//! # Ok::<(), fairlane::ml_kem::KeyError>(())
//! ```
//!
//! With feature `getrandom` the system brings the random numbers: `MlKem768::generate_keypair()` and `key.encapsulate()`,
//! of the traits [`Kem`](kem::Kem) and [`Encapsulate`](kem::Encapsulate). Without it a generator is given
//! (`generate_keypair_from_rng`, `encapsulate_with_rng`).
//!
//! Constant time: running time depends on public bytes only (the matrix is sampled from a seed that is sent), on every
//! backend. No number is divided by q.

pub(crate) use crate::lattice::BACKENDS;
pub use crate::lattice::{
    Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, Seeds, SharedSecret, decapsulate_expanded,
    decapsulate_expanded_with_backend, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
