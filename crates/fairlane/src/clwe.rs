//! CLWE-KEM: ML-KEM with u as it is and v compressed to 7 bits, so that it has the sizes of a published table of "colour" keys.
//!
//! **Use [`ml_kem`](crate::ml_kem).** This is for comparison: it has had no outside review, and spends 192 to 288 more bytes of
//! ciphertext than ML-KEM for no more security. The labels that the table gives its levels say more than the schemes hold.
//!
//! | | label | core-SVP, classical | failure probability | encapsulation key | ciphertext |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Clwe512`] | "128-bit" | 2<sup>118</sup> | 2<sup>-230</sup> | 800 bytes | 992 |
//! | [`Clwe768`] | "192-bit" | 2<sup>182</sup> | 2<sup>-296</sup> | 1184 | 1376 |
//! | [`Clwe1024`] | "256-bit" | 2<sup>255</sup> | 2<sup>-227</sup> | 1568 | 1760 |
//!
//! It differs from ML-KEM (FIPS 203) in three things: u and v as said; the byte 0xC0 + k goes into G, in key generation instead of k and in
//! encapsulation after H(ek), so that no key or ciphertext of one scheme is good in the other; and a ciphertext with a coefficient of u that is
//! not below q is rejected implicitly. Keys and secrets are used as [`ml_kem`](crate::ml_kem) shows.

pub use crate::lattice::{
    BatchError, Ciphertext, Clwe512, Clwe768, Clwe1024, DecapsulationKey, EncapsulationKey, KeyError, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, Seeds, SharedSecret, Workspace, decapsulate_expanded,
    decapsulate_expanded_with_backend, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
