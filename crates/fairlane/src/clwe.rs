//! CLWE-KEM: ML-KEM with u uncompressed and v compressed to 7 bits, which gives it the sizes of a published table of
//! "colour" keys.
//!
//! **Use [`ml_kem`](crate::ml_kem) instead.** CLWE-KEM is here for comparison: it has had no outside review, and its
//! ciphertexts are 192 to 288 bytes longer than ML-KEM's for no more security. The labels that the table gives its
//! levels promise more than the schemes achieve.
//!
//! | | label | core-SVP, classical | failure probability | encapsulation key | ciphertext |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Clwe512`] | "128-bit" | 2<sup>118</sup> | 2<sup>-230</sup> | 800 bytes | 992 |
//! | [`Clwe768`] | "192-bit" | 2<sup>182</sup> | 2<sup>-296</sup> | 1184 | 1376 |
//! | [`Clwe1024`] | "256-bit" | 2<sup>255</sup> | 2<sup>-227</sup> | 1568 | 1760 |
//!
//! It differs from ML-KEM (FIPS 203) in three ways: in how u and v are compressed; in that G hashes the byte 0xC0 + k,
//! in key generation instead of k and in encapsulation after H(ek), so that keys and ciphertexts of one scheme are of
//! no use in the other; and in that a ciphertext with a coefficient of u that is not below q is rejected implicitly.
//! Keys and secrets are used as [`ml_kem`](crate::ml_kem) shows.

pub use crate::lattice::{
    BatchError, Ciphertext, Clwe512, Clwe768, Clwe1024, DecapsulationKey, EncapsulationKey, KeyError, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, Seeds, SharedSecret, Workspace, decapsulate_expanded,
    decapsulate_expanded_with_backend, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
