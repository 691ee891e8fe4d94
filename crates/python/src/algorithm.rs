//! Algorithms and backends by the names that Python uses.

use crate::error::{raise, value};
use fairlane::Backend;
use fairlane::dynamic::{HashAlgorithm, UnknownAlgorithm};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyFrozenSet;

/// A hash's name in `hashlib`'s manner, which is also the name of its function.
pub(crate) fn hash_name(algorithm: HashAlgorithm) -> &'static str {
    match algorithm {
        HashAlgorithm::Keccak224 => "keccak_224",
        HashAlgorithm::Keccak256 => "keccak_256",
        HashAlgorithm::Keccak384 => "keccak_384",
        HashAlgorithm::Keccak512 => "keccak_512",
        HashAlgorithm::Sha3_224 => "sha3_224",
        HashAlgorithm::Sha3_256 => "sha3_256",
        HashAlgorithm::Sha3_384 => "sha3_384",
        HashAlgorithm::Sha3_512 => "sha3_512",
        HashAlgorithm::Shake128 => "shake_128",
        HashAlgorithm::Shake256 => "shake_256",
        HashAlgorithm::TurboShake128 => "turboshake_128",
        HashAlgorithm::TurboShake256 => "turboshake_256",
        _ => algorithm.name(),
    }
}

/// The names of all hashes.
pub(crate) fn hash_names(py: Python<'_>) -> PyResult<Bound<'_, PyFrozenSet>> {
    PyFrozenSet::new(py, HashAlgorithm::ALL.iter().map(|algorithm| hash_name(*algorithm)))
}

/// The hash of a name in `hashlib`'s manner (`sha3_256`) or in the library's (`sha3-256`).
pub(crate) fn hash(name: &str) -> PyResult<HashAlgorithm> {
    by_name(name).map_err(raise)
}

/// As [`hash`], without Python's exceptions.
pub(crate) fn by_name(name: &str) -> Result<HashAlgorithm, UnknownAlgorithm> {
    let found = HashAlgorithm::ALL.iter().copied().find(|algorithm| hash_name(*algorithm) == name);
    found.map_or_else(|| name.parse(), Ok)
}

/// The backend of a name.
pub(crate) fn backend(name: Option<&str>) -> PyResult<Option<Backend>> {
    // A name is from the caller, but the message has no need of it.
    name.map(|name| name.parse::<Backend>().map_err(|error| value(&error))).transpose()
}

/// The default length of an extendable-output function's output does not exist in `hashlib`: it must be given.
pub(crate) fn output_length(algorithm: HashAlgorithm, length: Option<isize>) -> PyResult<usize> {
    /// `hashlib` has the same limit.
    const MAX: usize = 1 << 29;
    match (algorithm.output_size(), length.map(usize::try_from)) {
        (Some(size), None) => Ok(size),
        (Some(size), Some(Ok(length))) if length == size => Ok(size),
        (Some(size), Some(_)) => Err(value(&format_args!("the length of {} is {size} bytes", hash_name(algorithm)))),
        (None, None) => Err(PyTypeError::new_err(format!(
            "{} has outputs of any length: give a length in bytes",
            hash_name(algorithm)
        ))),
        (None, Some(Ok(length))) if length < MAX => Ok(length),
        (None, Some(_)) => Err(value(&format_args!("the length must be from 0 to {}", MAX - 1))),
    }
}

/// Fills bytes with the system's random numbers.
pub(crate) fn random(bytes: &mut [u8]) -> PyResult<()> {
    let failed = |error| PyOSError::new_err(format!("the system gave no random bytes: {error}"));
    getrandom::fill(bytes).map_err(failed)
}
