//! Hashes with the interface of `hashlib`.

use crate::algorithm::{self, hash_name, output_length};
use crate::buffer::{Input, copied};
use crate::error::raise;
use crate::hash_many::failed;
use crate::rows::lengthen;
use crate::{DETACH, detached};
use fairlane::Backend;
use fairlane::dynamic::{self, HashAlgorithm};
use fairlane::{keccak, sm3 as sm3_};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use zeroize::Zeroize;

/// Bytes of a message that are kept before there is a hasher: most messages need none then. To keep the `bytes` object
/// instead, and copy nothing, made `keccak_256(data).digest()` 3 % faster, and slowed other buffers and messages in two
/// pieces by a quarter and more. Of its 370 ns on a Zen 4, 200 are the permutation, and CPython's and PyO3's calls the
/// rest.
const SHORT: usize = 144;

/// Bytes of the longest output of fixed size.
const LONGEST: usize = 64;

/// A message that is being hashed, with the interface of the objects of hashlib.
///
/// Threads may share it: each call sees all or nothing of another.
#[pyclass(frozen, module = "fairlane")]
pub(crate) struct Hash {
    algorithm: HashAlgorithm,
    state: Mutex<State>,
}

enum State {
    /// The whole message, while it is short.
    Short { length: usize, bytes: [u8; SHORT] },
    /// What has taken the message.
    Hasher(Box<dynamic::Hasher>),
}

impl State {
    const EMPTY: Self = Self::Short { length: 0, bytes: [0; SHORT] };

    fn update(&mut self, algorithm: HashAlgorithm, data: &[u8]) -> Result<(), dynamic::Error> {
        match self {
            Self::Short { length, bytes } => {
                if let Some(free) = bytes[*length..].get_mut(..data.len()) {
                    free.copy_from_slice(data);
                    *length += data.len();
                } else {
                    // It is moved before it has taken anything.
                    let mut hasher = Box::new(algorithm.hasher(None)?);
                    hasher.update(&bytes[..*length]);
                    hasher.update(data);
                    bytes.zeroize();
                    *self = Self::Hasher(hasher);
                }
            }
            Self::Hasher(hasher) => hasher.update(data),
        }
        Ok(())
    }

    fn digest(&self, algorithm: HashAlgorithm, output: &mut [u8]) -> Result<(), dynamic::Error> {
        match self {
            Self::Short { length, bytes } => one_shot(algorithm, &bytes[..*length], output),
            Self::Hasher(hasher) => hasher.clone().finalize_into(output),
        }
    }
}

/// The message may be secret, as the key of an HMAC is.
impl Drop for State {
    fn drop(&mut self) {
        if let Self::Short { length, bytes } = self {
            bytes[..*length].zeroize();
        }
    }
}

/// Hashes one message without a hasher on the heap. `output` has the right length.
fn one_shot(algorithm: HashAlgorithm, message: &[u8], output: &mut [u8]) -> Result<(), dynamic::Error> {
    macro_rules! fixed {
        ($function:expr) => {
            output.copy_from_slice(&$function(message))
        };
    }
    match algorithm {
        HashAlgorithm::Keccak224 => fixed!(keccak::keccak224),
        HashAlgorithm::Keccak256 => fixed!(keccak::keccak256),
        HashAlgorithm::Keccak384 => fixed!(keccak::keccak384),
        HashAlgorithm::Keccak512 => fixed!(keccak::keccak512),
        HashAlgorithm::Sha3_224 => fixed!(keccak::sha3_224),
        HashAlgorithm::Sha3_256 => fixed!(keccak::sha3_256),
        HashAlgorithm::Sha3_384 => fixed!(keccak::sha3_384),
        HashAlgorithm::Sha3_512 => fixed!(keccak::sha3_512),
        HashAlgorithm::Shake128 => keccak::shake128(message, output),
        HashAlgorithm::Shake256 => keccak::shake256(message, output),
        HashAlgorithm::TurboShake128 => keccak::turboshake128(message, output),
        HashAlgorithm::TurboShake256 => keccak::turboshake256(message, output),
        HashAlgorithm::Kt128 => keccak::kt128(message, b"", output),
        HashAlgorithm::Kt256 => keccak::kt256(message, b"", output),
        HashAlgorithm::Sm3 => fixed!(sm3_::sm3),
        other => return other.hash_many(&[message], output, None),
    }
    Ok(())
}

impl Hash {
    fn start<'py>(
        py: Python<'py>,
        algorithm: HashAlgorithm,
        data: &Input,
        backend: Option<&str>,
    ) -> PyResult<Bound<'py, Self>> {
        let state = match algorithm::backend(backend)? {
            None => State::EMPTY,
            backend => State::Hasher(Box::new(algorithm.hasher(backend).map_err(raise)?)),
        };
        // The message is taken where the state stays: to move it afterwards would cost more.
        let hash = Bound::new(py, Self { algorithm, state: Mutex::new(state) })?;
        let data = data.bytes();
        hash.get().locked(py, data.len(), |state| state.update(algorithm, data)).map_err(raise)?;
        Ok(hash)
    }

    /// Calls `f` with the state. Where another thread has it, waits with the interpreter detached.
    fn locked<T: Send>(&self, py: Python<'_>, bytes: usize, f: impl FnOnce(&mut State) -> T + Send) -> T {
        if bytes < DETACH {
            match self.state.try_lock() {
                Ok(mut state) => return f(&mut state),
                Err(TryLockError::Poisoned(state)) => return f(&mut state.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        py.detach(|| f(&mut self.wait()))
    }

    fn wait(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `write` with the digest.
    fn with_digest<T>(
        &self,
        py: Python<'_>,
        length: Option<isize>,
        write: impl FnOnce(&[u8]) -> PyResult<T>,
    ) -> PyResult<T> {
        let length = output_length(self.algorithm, length)?;
        let mut short = [0; LONGEST];
        let mut long = Vec::new();
        let digest = match short.get_mut(..length) {
            Some(digest) => digest,
            None => {
                lengthen(&mut long, length, 1).map_err(failed)?;
                &mut long[..]
            }
        };
        self.locked(py, length, |state| state.digest(self.algorithm, digest)).map_err(raise)?;
        write(digest)
    }
}

#[pymethods]
impl Hash {
    /// The algorithm's name, which `new` takes.
    #[getter]
    fn name(&self) -> &'static str {
        hash_name(self.algorithm)
    }

    /// Bytes of a digest; 0 for an extendable-output function, whose digests have any length.
    #[getter]
    fn digest_size(&self) -> usize {
        self.algorithm.output_size().unwrap_or(0)
    }

    /// Bytes of a message that are hashed at a time, which HMAC needs to know.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block_size()
    }

    /// Takes the next piece of the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: Input<'_, '_>) -> PyResult<()> {
        let data = data.bytes();
        self.locked(py, data.len(), |state| state.update(self.algorithm, data)).map_err(raise)
    }

    /// Returns the hash of the message so far. An extendable-output function needs a length in bytes.
    #[pyo3(signature = (length = None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<isize>) -> PyResult<Bound<'py, PyBytes>> {
        if length.is_none_or(|length| usize::try_from(length).is_ok_and(|length| length <= LONGEST)) {
            return self.with_digest(py, length, |digest| copied(py, digest));
        }
        let length = output_length(self.algorithm, length)?;
        PyBytes::new_with(py, length, |digest| {
            self.locked(py, length, |state| state.digest(self.algorithm, digest)).map_err(raise)
        })
    }

    /// Returns the hash of the message so far in hexadecimal digits.
    #[pyo3(signature = (length = None))]
    fn hexdigest<'py>(&self, py: Python<'py>, length: Option<isize>) -> PyResult<Bound<'py, PyString>> {
        self.with_digest(py, length, |digest| {
            let mut short = [0; 2 * LONGEST];
            let mut long = Vec::new();
            let digits = match short.get_mut(..2 * digest.len()) {
                Some(digits) => digits,
                None => {
                    lengthen(&mut long, digest.len(), 2).map_err(failed)?;
                    &mut long[..]
                }
            };
            detached(py, digest.len(), || {
                for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(digest) {
                    *pair = [digit(byte >> 4), digit(byte & 15)];
                }
            });
            PyString::from_bytes(py, digits)
        })
    }

    /// Returns a copy, which goes on by itself.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let copy = Bound::new(py, Self { algorithm: self.algorithm, state: Mutex::new(State::EMPTY) })?;
        let own = copy.get();
        let taken = self.locked(py, 0, |state| match state {
            State::Short { length, bytes } => own.wait().update(self.algorithm, &bytes[..*length]),
            State::Hasher(hasher) => {
                *own.wait() = State::Hasher(hasher.clone());
                Ok(())
            }
        });
        taken.map_err(raise)?;
        Ok(copy)
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.copy(py)
    }

    fn __repr__(&self) -> String {
        format!("<{} fairlane.Hash>", self.name())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'fairlane.Hash' object"))
    }
}

/// The hexadecimal digit of a number below 16, without a table.
fn digit(number: u8) -> u8 {
    number + if number < 10 { b'0' } else { b'a' - 10 }
}

/// Begin a hash by name, such as `sha3_256`; `algorithms_available` has the names.
#[pyfunction]
#[pyo3(
    signature = (name, data = Input::EMPTY, *, usedforsecurity = true, backend = None),
    text_signature = "(name, data=b'', *, usedforsecurity=True, backend=None)"
)]
pub(crate) fn new<'py>(
    py: Python<'py>,
    name: &str,
    data: Input<'_, '_>,
    usedforsecurity: bool,
    backend: Option<&str>,
) -> PyResult<Bound<'py, Hash>> {
    let _ = usedforsecurity;
    Hash::start(py, algorithm::hash(name)?, &data, backend)
}

macro_rules! constructors {
    ($($name:ident $algorithm:ident $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(
            signature = (data = Input::EMPTY, *, usedforsecurity = true, backend = None),
            text_signature = "(data=b'', *, usedforsecurity=True, backend=None)"
        )]
        pub(crate) fn $name<'py>(
            py: Python<'py>,
            data: Input<'_, '_>,
            usedforsecurity: bool,
            backend: Option<&str>,
        ) -> PyResult<Bound<'py, Hash>> {
            let _ = usedforsecurity;
            Hash::start(py, HashAlgorithm::$algorithm, &data, backend)
        }
    )*};
}

constructors! {
    keccak_224 Keccak224 "Begin Keccak with its original padding, 224 bits: NOT SHA3-224.";
    keccak_256 Keccak256 "Begin Keccak with its original padding, 256 bits, as Ethereum uses it: NOT SHA3-256.";
    keccak_384 Keccak384 "Begin Keccak with its original padding, 384 bits: NOT SHA3-384.";
    keccak_512 Keccak512 "Begin Keccak with its original padding, 512 bits: NOT SHA3-512.";
    sha3_224 Sha3_224 "Begin SHA3-224 (FIPS 202).";
    sha3_256 Sha3_256 "Begin SHA3-256 (FIPS 202).";
    sha3_384 Sha3_384 "Begin SHA3-384 (FIPS 202).";
    sha3_512 Sha3_512 "Begin SHA3-512 (FIPS 202).";
    shake_128 Shake128 "Begin SHAKE128 (FIPS 202), with digests of any length.";
    shake_256 Shake256 "Begin SHAKE256 (FIPS 202), with digests of any length.";
    turboshake_128 TurboShake128 "Begin TurboSHAKE128 (RFC 9861), with digests of any length.";
    turboshake_256 TurboShake256 "Begin TurboSHAKE256 (RFC 9861), with digests of any length.";
    kt128 Kt128 "Begin KT128, KangarooTwelve (RFC 9861), with digests of any length.";
    kt256 Kt256 "Begin KT256, KangarooTwelve (RFC 9861), with digests of any length.";
    sm3 Sm3 "Begin SM3 (GB/T 32905-2016), 256 bits.";
}

/// Hash one message in one call: the fastest way for a short one. The name is as for `new`.
#[pyfunction]
#[pyo3(
    signature = (name, data, *, length = None, backend = None),
    text_signature = "(name, data, *, length=None, backend=None)"
)]
pub(crate) fn digest<'py>(
    py: Python<'py>,
    name: &str,
    data: Input<'_, '_>,
    length: Option<isize>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = algorithm::hash(name)?;
    let (length, data) = (output_length(algorithm, length)?, data.bytes());
    let hash = |output: &mut [u8], backend: Option<Backend>| match backend {
        None => one_shot(algorithm, data, output),
        backend => algorithm.hash_many(&[data], output, backend),
    };
    let backend = algorithm::backend(backend)?;
    PyBytes::new_with(py, length, |output| {
        detached(py, data.len().max(length), || hash(output, backend)).map_err(raise)
    })
}
