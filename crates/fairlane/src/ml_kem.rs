//! ML-KEM (FIPS 203, August 2024): key encapsulation that is expected to withstand quantum computers.
//!
//! | | security category | encapsulation key | ciphertext |
//! | --- | --- | --- | --- |
//! | [`MlKem512`] | 1 | 800 bytes | 768 |
//! | [`MlKem768`], the recommended default | 3 | 1184 | 1088 |
//! | [`MlKem1024`] | 5 | 1568 | 1568 |
//!
//! Decapsulation keys are 64 bytes, the seeds d ‖ z; shared secrets are 32 bytes. The traits are those of the crate
//! [`kem`].
//!
//! ```
//! use fairlane::kem::KeyInit;
//! use fairlane::ml_kem::{DecapsulationKey, EncapsulationKey, MlKem768};
//!
//! // The receiver: 64 random bytes, kept secret.
//! let own = DecapsulationKey::<MlKem768>::new(&[7; 64].into());
//! let sent = own.encapsulation_key().as_bytes();
//!
//! // The sender, with 32 random bytes.
//! let (ciphertext, secret) = EncapsulationKey::<MlKem768>::from_bytes(sent)?.encapsulate_deterministic(&[9; 32]);
//!
//! assert_eq!(own.decapsulate(&ciphertext), secret);
//! # Ok::<(), fairlane::ml_kem::KeyError>(())
//! ```
//!
//! With feature `getrandom`, `MlKem768::generate_keypair()` and `key.encapsulate()`, of the traits [`Kem`](kem::Kem)
//! and [`Encapsulate`](kem::Encapsulate), take randomness from the system. Without it the caller gives a generator
//! (`generate_keypair_from_rng`, `encapsulate_with_rng`).
//!
//! For many uses of one key there are prepared keys, which keep the matrix Â. For many keys at once there are
//! [`keygen_many`], [`encapsulate_many`] and [`decapsulate_many`]:
//!
//! ```
//! use fairlane::ml_kem::{DecapsulationKey, MlKem768, Workspace, decapsulate_many, encapsulate_many, keygen_many};
//!
//! let mut workspace = Box::<Workspace>::default();
//! let mut own = [const { None::<DecapsulationKey<MlKem768>> }; 2];
//! keygen_many(&[[7; 64].into(), [8; 64].into()], &mut own, &mut workspace)?;
//! let own = own.map(|key| key.expect("every key is made"));
//!
//! let keys = own.each_ref().map(DecapsulationKey::encapsulation_key);
//! let (mut ciphertexts, mut secrets) = (vec![Default::default(); 2], vec![Default::default(); 2]);
//! encapsulate_many(&keys, &[[9; 32], [10; 32]], &mut ciphertexts, &mut secrets, &mut workspace)?;
//!
//! let mut decapsulated = vec![Default::default(); 2];
//! decapsulate_many(&own, &ciphertexts, &mut decapsulated, &mut workspace)?;
//! assert_eq!(decapsulated, secrets);
//! # Ok::<(), fairlane::ml_kem::BatchError>(())
//! ```
//!
//! Stack, in optimised builds: besides its workspace, a batch call needs at most 16 KiB. Calls for a single key need
//! more: key generation up to 32 KiB, encapsulation and decapsulation up to 40 KiB, and making a prepared key, which
//! has 12 to 14 KB, up to 64 KiB.
//!
//! Constant time: on every backend, the running time depends on public bytes only. One of them is ρ, the seed that the
//! matrix is sampled from. No coefficient is divided by q.

pub(crate) use crate::lattice::BACKENDS;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub use crate::lattice::symbolic;
pub use crate::lattice::{
    BatchError, Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, Seeds, SharedSecret, Workspace, decapsulate_expanded,
    decapsulate_expanded_with_backend, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
