//! The extension module `fairlane._fairlane` of the Python package `fairlane`.
//!
//! - `aead`, `cipher`, `kem`, `sealed`: encryption, keys and files
//! - `algorithm`: algorithms and backends by the names that Python uses
//! - `arrow`: columns of other packages, and digests for them
//! - `buffer`: the bytes of Python's objects, without copies; new `bytes`
//! - `cpu`: what this machine offers
//! - `error`: the library's errors as Python's exceptions
//! - `hash`: hashes with the interface of `hashlib`
//! - `hash_many`, `rows`: many messages in one call
//! - `polars`: the expression plugin of Polars, which needs no Python

#![allow(clippy::needless_pass_by_value, reason = "PyO3 passes arguments by value")]
#![allow(clippy::doc_markdown, reason = "documentation of functions is that of Python")]

mod aead;
mod algorithm;
mod arrow;
mod buffer;
mod cipher;
mod cpu;
mod error;
mod hash;
mod hash_many;
mod kem;
mod polars;
mod rows;
mod sealed;

use pyo3::prelude::*;

/// From this many bytes on, the interpreter may run other threads meanwhile.
const DETACH: usize = 2048;

#[pymodule(gil_used = false)]
mod _fairlane {
    use super::*;

    #[pymodule_export]
    use hash::{
        Hash, digest, keccak_224, keccak_256, keccak_384, keccak_512, kt128, kt256, new, sha3_224, sha3_256, sha3_384,
        sha3_512, shake_128, shake_256, sm3, turboshake_128, turboshake_256,
    };

    #[pymodule_export]
    use aead::{
        Aead, ChaCha20Poly1305, Kalyna128_128CCM, Kalyna128_128GCM, Kalyna128_256CCM, Kalyna128_256GCM,
        Kalyna256_256CCM, Kalyna256_256GCM, Kalyna256_512CCM, Kalyna256_512GCM, Kalyna512_512CCM, Kalyna512_512GCM,
        Kusumi512Poly1305, SM4CCM, SM4GCM, XChaCha20Poly1305,
    };
    #[pymodule_export]
    use arrow::Digests;
    #[pymodule_export]
    use cipher::{
        ChaCha8, ChaCha12, ChaCha20, Kalyna128_128CTR, Kalyna128_256CTR, Kalyna256_256CTR, Kalyna256_512CTR,
        Kalyna512_512CTR, Kusumi512, SM4CTR, StreamCipher, Threefish512CTR, XChaCha20,
    };
    #[pymodule_export]
    use cpu::cpu;
    #[pymodule_export]
    use error::InvalidTag;
    #[pymodule_export]
    use hash_many::hash_many;
    #[pymodule_export]
    use kem::{
        CLWE512DecapsulationKey, CLWE512EncapsulationKey, CLWE768DecapsulationKey, CLWE768EncapsulationKey,
        CLWE1024DecapsulationKey, CLWE1024EncapsulationKey, DecapsulationKey, EncapsulationKey,
        MLKEM512DecapsulationKey, MLKEM512EncapsulationKey, MLKEM768DecapsulationKey, MLKEM768EncapsulationKey,
        MLKEM1024DecapsulationKey, MLKEM1024EncapsulationKey, XWingDecapsulationKey, XWingEncapsulationKey,
    };
    #[pymodule_export]
    use sealed::{open_file, seal_file};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("algorithms_available", algorithm::hash_names(module.py())?)
    }
}

/// Calls `f`, and lets the interpreter run other threads meanwhile if `bytes` are many.
fn detached<T: Send>(py: Python<'_>, bytes: usize, f: impl FnOnce() -> T + Send) -> T {
    if bytes >= DETACH { py.detach(f) } else { f() }
}
