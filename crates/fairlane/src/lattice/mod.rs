//! Key encapsulation over module lattices: what ML-KEM and CLWE-KEM share, which is all but their parameters.

mod batch;
mod compression;
mod expanded;
mod keys;
mod many;
mod packing;
mod parameters;
mod pke;
mod prepared;
mod ring;
mod scheme;
mod secret;
mod streams;
#[cfg(test)]
mod tests;

pub use expanded::{decapsulate_expanded, decapsulate_expanded_with_backend};
pub use keys::{Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, Seeds, SharedSecret};
pub use many::{decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend};
pub use parameters::{Clwe512, Clwe768, Clwe1024, MlKem512, MlKem768, MlKem1024, ParameterSet};
pub(crate) use pke::BACKENDS;
pub use prepared::{PreparedDecapsulationKey, PreparedEncapsulationKey};
