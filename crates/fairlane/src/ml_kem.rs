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
//! For many secrets with one key there are prepared keys, which keep the matrix; for many keys at once [`keygen_many`],
//! [`encapsulate_many`] and [`decapsulate_many`], which need about 150 KiB of stack:
//!
//! ```
//! use fairlane::ml_kem::{DecapsulationKey, MlKem768, encapsulate_many, keygen_many};
//!
//! let mut own: Vec<DecapsulationKey<MlKem768>> = Vec::new();
//! keygen_many(&[[7; 64].into(), [8; 64].into()], &mut own);
//! let keys = [own[0].encapsulation_key(), own[1].encapsulation_key()];
//! let mut sent = vec![Default::default(); 2];
//! encapsulate_many(&keys, &[[9; 32], [10; 32]], &mut sent);
//! let (ciphertext, secret) = &sent[1];
//! assert_eq!(own[1].decapsulate(ciphertext), *secret);
//! ```
//!
//! Constant time: running time depends on public bytes only (the matrix is sampled from a seed that is sent), on every
//! backend. No number is divided by q.

pub(crate) use crate::lattice::BACKENDS;
pub use crate::lattice::{
    Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, Seeds, SharedSecret, decapsulate_expanded,
    decapsulate_expanded_with_backend, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
