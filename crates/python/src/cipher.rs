//! Stream ciphers, and block ciphers in counter mode.

use crate::aead::check;
use crate::algorithm::{self, random};
use crate::buffer::{Input, View};
use crate::error::{no_pickle, raise};
use fairlane::dynamic::{self, CipherAlgorithm};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};

/// A stream cipher at a position in the keystream of a key and a nonce, by name, such as `chacha20`.
///
/// It encrypts and decrypts, and detects no change of a message. A nonce must be used for one message only. Each
/// algorithm has a class of its own, too.
#[pyclass(frozen, subclass, module = "fairlane")]
pub(crate) struct StreamCipher {
    algorithm: CipherAlgorithm,
    cipher: Mutex<Box<dyn dynamic::StreamCipher>>,
}

impl StreamCipher {
    fn make(algorithm: CipherAlgorithm, key: &[u8], nonce: &[u8], backend: Option<&str>) -> PyResult<Self> {
        let cipher = algorithm.cipher(key, nonce, algorithm::backend(backend)?).map_err(raise)?;
        Ok(Self { algorithm, cipher: Mutex::new(cipher) })
    }

    /// Calls `f` with the cipher. Where another thread has it or `bytes` are many, the interpreter is detached.
    fn locked<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        f: impl FnOnce(&mut dyn dynamic::StreamCipher) -> Result<T, dynamic::Error> + Send,
    ) -> PyResult<T> {
        if bytes < crate::DETACH
            && let Ok(mut cipher) = self.cipher.try_lock()
        {
            return f(&mut **cipher).map_err(raise);
        }
        py.detach(|| f(&mut **self.cipher.lock().unwrap_or_else(PoisonError::into_inner))).map_err(raise)
    }
}

#[pymethods]
impl StreamCipher {
    #[new]
    #[pyo3(signature = (name, key, nonce, *, backend = None))]
    fn new(name: &str, key: Input<'_, '_>, nonce: Input<'_, '_>, backend: Option<&str>) -> PyResult<Self> {
        let algorithm = name.parse().map_err(|error: dynamic::UnknownAlgorithm| raise(error))?;
        Self::make(algorithm, key.bytes(), nonce.bytes(), backend)
    }

    /// The algorithm's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name()
    }

    /// Bytes of a key.
    #[getter]
    fn key_size(&self) -> usize {
        self.algorithm.key_size()
    }

    /// Bytes of a nonce.
    #[getter]
    fn nonce_size(&self) -> usize {
        self.algorithm.iv_size()
    }

    /// Encrypts or decrypts the next piece of a message.
    fn update<'py>(&self, py: Python<'py>, data: Input<'_, '_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.bytes();
        PyBytes::new_with(py, data.len(), |output| self.locked(py, data.len(), |cipher| cipher.apply_to(data, output)))
    }

    /// Encrypts or decrypts the next piece of a message into the writable buffer `buf` of the same length, elsewhere;
    /// returns the bytes written.
    fn update_into(&self, py: Python<'_>, data: Input<'_, '_>, buf: &Bound<'_, PyAny>) -> PyResult<usize> {
        let data = data.bytes();
        let mut view = View::contiguous(buf, true)?;
        let output = view.bytes_mut(&[data])?;
        check(output.len(), data.len())?;
        self.locked(py, data.len(), |cipher| cipher.apply_to(data, output))?;
        Ok(data.len())
    }

    /// Encrypts or decrypts the next piece of a message in place, in a writable buffer.
    fn update_in_place(&self, py: Python<'_>, buf: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut view = View::contiguous(buf, true)?;
        let data = view.bytes_mut(&[])?;
        self.locked(py, data.len(), |cipher| cipher.apply(data))
    }

    /// Moves to a position in the keystream, in bytes from its beginning.
    fn seek(&self, py: Python<'_>, position: u64) -> PyResult<()> {
        self.locked(py, 0, |cipher| cipher.seek(position))
    }

    /// Returns the position in the keystream, in bytes from its beginning.
    fn tell(&self, py: Python<'_>) -> PyResult<u64> {
        self.locked(py, 0, |cipher| cipher.position())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<fairlane.{} {}>", slf.get_type().name()?, slf.get().name()))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(no_pickle(slf))
    }
}

macro_rules! classes {
    ($($(#[doc = $doc:literal])* $class:ident $algorithm:ident;)*) => {$(
        $(#[doc = $doc])*
        #[pyclass(frozen, extends = StreamCipher, module = "fairlane")]
        pub(crate) struct $class;

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (key, nonce, *, backend = None))]
            fn new(
                key: Input<'_, '_>,
                nonce: Input<'_, '_>,
                backend: Option<&str>,
            ) -> PyResult<PyClassInitializer<Self>> {
                let base = StreamCipher::make(CipherAlgorithm::$algorithm, key.bytes(), nonce.bytes(), backend)?;
                Ok(PyClassInitializer::from(base).add_subclass(Self))
            }

            /// Returns a random key.
            #[staticmethod]
            fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
                PyBytes::new_with(py, CipherAlgorithm::$algorithm.key_size(), random)
            }
        }
    )*};
}

classes! {
    /// XChaCha20: key 32 bytes, nonce 24 bytes, which may be random.
    XChaCha20 XChaCha20;
    /// ChaCha20 (RFC 8439): key 32 bytes, nonce 12 bytes.
    ChaCha20 ChaCha20;
    /// ChaCha with 12 rounds: key 32 bytes, nonce 12 bytes.
    ChaCha12 ChaCha12;
    /// ChaCha with 8 rounds, whose security margin is small: key 32 bytes, nonce 12 bytes.
    ChaCha8 ChaCha8;
    /// Kusumi-512, which nobody but its authors has analysed: key 64 bytes, nonce 12 bytes.
    Kusumi512 Kusumi512;
    /// SM4 in counter mode: key 16 bytes, first counter 16 bytes.
    SM4CTR Sm4Ctr;
    /// Threefish-512 in counter mode, with a little-endian counter in the first 8 bytes: key and first counter 64
    /// bytes.
    Threefish512CTR Threefish512Ctr;
    /// Counter mode of DSTU 7624:2014: nonce 16 bytes, key 16 bytes.
    Kalyna128_128CTR Kalyna128_128Ctr;
    /// Counter mode of DSTU 7624:2014: nonce 16 bytes, key 32 bytes.
    Kalyna128_256CTR Kalyna128_256Ctr;
    /// Counter mode of DSTU 7624:2014: nonce 32 bytes, key 32 bytes.
    Kalyna256_256CTR Kalyna256_256Ctr;
    /// Counter mode of DSTU 7624:2014: nonce 32 bytes, key 64 bytes.
    Kalyna256_512CTR Kalyna256_512Ctr;
    /// Counter mode of DSTU 7624:2014: nonce 64 bytes, key 64 bytes.
    Kalyna512_512CTR Kalyna512_512Ctr;
}
