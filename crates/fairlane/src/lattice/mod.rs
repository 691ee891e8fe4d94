//! Key encapsulation over module lattices: what ML-KEM and CLWE-KEM share, which is all but their parameters.
//!
//! Each file imports from those above it only:
//!
//! | file | content | FIPS 203 |
//! | --- | --- | --- |
//! | `parameters` | the parameter sets as values, sizes | section 8 |
//! | `secret` | values that are erased on drop | section 3.3 |
//! | `engine` | the backend, and how kernels are compiled for each | |
//! | `ring` | arithmetic in R<sub>q</sub> and T<sub>q</sub>, the NTT | Algorithms 9 to 12 |
//! | `coding` | compression and encoding | section 4.2.1, Algorithms 5 and 6 |
//! | `samples` | sampling: bytes to polynomials | Algorithms 7 and 8 |
//! | `hashes` | H, J and G | section 4.1 |
//! | `sampler` | Keccak for many samples, and for hashes that share its permutations | section 4.2.2 |
//! | `kernels` | steps of K-PKE on polynomials | |
//! | `pke` | K-PKE.KeyGen, Encrypt, Decrypt | Algorithms 13 to 15 |
//! | `kem` | ML-KEM.KeyGen, Encaps, Decaps, the checks of inputs | Algorithms 16 to 21 |
//! | `keys` | the public types | |
//! | `prepared` | keys that keep Â | |
//! | `batches` | many keys in one call | Algorithms 13 to 18 for eight keys |

mod batches;
mod coding;
mod engine;
mod hashes;
mod kem;
mod kernels;
mod keys;
mod parameters;
mod pke;
mod prepared;
mod ring;
mod sampler;
mod samples;
mod secret;
#[cfg(feature = "symbolic")]
pub mod symbolic;
#[cfg(test)]
mod tests;

pub use batches::{BatchError, Workspace, decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend};
pub(crate) use engine::BACKENDS;
pub use kem::KeyError;
pub use keys::{
    Ciphertext, Clwe512, Clwe768, Clwe1024, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024,
    ParameterSet, Seeds, SharedSecret, decapsulate_expanded, decapsulate_expanded_with_backend,
};
pub use prepared::{PreparedDecapsulationKey, PreparedEncapsulationKey};
