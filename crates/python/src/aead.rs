//! Authenticated encryption with the shapes of the package `cryptography`.

use crate::algorithm::{self, random};
use crate::buffer::{Input, View};
use crate::detached;
use crate::error::{no_pickle, raise, value};
use fairlane::dynamic::{self, AeadAlgorithm};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Authenticated encryption with associated data, under one key, by name, such as `chacha20-poly1305`.
///
/// A nonce must never be used twice under one key. Each algorithm has a class of its own, too.
#[pyclass(frozen, subclass, module = "fairlane")]
pub(crate) struct Aead {
    aead: Box<dyn dynamic::Aead>,
}

impl Aead {
    fn make(algorithm: AeadAlgorithm, key: &[u8], backend: Option<&str>) -> PyResult<Self> {
        Ok(Self { aead: algorithm.aead(key, algorithm::backend(backend)?).map_err(raise)? })
    }

    fn tag(&self) -> usize {
        self.aead.algorithm().tag_size()
    }

    /// The length of the plaintext of a sealed message. One that is shorter than a tag is not authentic.
    fn opened(&self, sealed: usize) -> PyResult<usize> {
        sealed.checked_sub(self.tag()).ok_or_else(|| raise(dynamic::Error::AuthenticationFailed))
    }
}

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (name, key, *, backend = None))]
    fn new(name: &str, key: Input<'_, '_>, backend: Option<&str>) -> PyResult<Self> {
        Self::make(name.parse().map_err(|error: dynamic::UnknownAlgorithm| raise(error))?, key.bytes(), backend)
    }

    /// The algorithm's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.aead.algorithm().name()
    }

    /// Bytes of a key.
    #[getter]
    fn key_size(&self) -> usize {
        self.aead.algorithm().key_size()
    }

    /// Bytes of a nonce.
    #[getter]
    fn nonce_size(&self) -> usize {
        self.aead.algorithm().nonce_size()
    }

    /// Bytes of a tag.
    #[getter]
    fn tag_size(&self) -> usize {
        self.tag()
    }

    /// Encrypts `data`, and returns the ciphertext and the tag. The associated data is authenticated, not encrypted.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, data, additional) = (nonce.bytes(), data.bytes(), bytes_of(associated_data.as_ref()));
        PyBytes::new_with(py, data.len() + self.tag(), |sealed| {
            detached(py, data.len() + additional.len(), || self.aead.seal(nonce, additional, data, sealed))
                .map_err(raise)
        })
    }

    /// Decrypts a ciphertext with its tag. Raises `InvalidTag` if anything was changed, and decrypts nothing then; but
    /// the tag of Kalyna's GCM does not cover the nonce: with another one, other bytes are returned. No thread may
    /// change `data` meanwhile.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, data, additional) = (nonce.bytes(), data.bytes(), bytes_of(associated_data.as_ref()));
        PyBytes::new_with(py, self.opened(data.len())?, |plain| {
            detached(py, data.len() + additional.len(), || self.aead.open(nonce, additional, data, plain))
                .map_err(raise)
        })
    }

    /// Encrypts `data` into the writable buffer `buf` of the right length, elsewhere; returns the bytes written.
    fn encrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
        buf: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let (nonce, data, additional) = (nonce.bytes(), data.bytes(), bytes_of(associated_data.as_ref()));
        let mut view = View::contiguous(buf, true)?;
        let sealed = view.bytes_mut(&[nonce, additional, data])?;
        check(sealed.len(), data.len() + self.tag())?;
        detached(py, data.len() + additional.len(), || self.aead.seal(nonce, additional, data, sealed))
            .map_err(raise)?;
        Ok(data.len() + self.tag())
    }

    /// Decrypts `data` into the writable buffer `buf` of the right length, elsewhere; returns the bytes written. After
    /// an exception the buffer is unchanged.
    fn decrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
        buf: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let (nonce, data, additional) = (nonce.bytes(), data.bytes(), bytes_of(associated_data.as_ref()));
        let length = self.opened(data.len())?;
        let mut view = View::contiguous(buf, true)?;
        let plain = view.bytes_mut(&[nonce, additional, data])?;
        check(plain.len(), length)?;
        detached(py, data.len() + additional.len(), || self.aead.open(nonce, additional, data, plain))
            .map_err(raise)?;
        Ok(length)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<fairlane.{} {}>", slf.get_type().name()?, slf.get().name()))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(no_pickle(slf))
    }
}

fn bytes_of<'a>(data: Option<&'a Input<'_, '_>>) -> &'a [u8] {
    data.map_or(&[], Input::bytes)
}

/// Checks the length of an output.
pub(crate) fn check(given: usize, expected: usize) -> PyResult<()> {
    let wrong = format_args!("the length of the output is {given} bytes instead of {expected}");
    if given == expected { Ok(()) } else { Err(value(&wrong)) }
}

macro_rules! classes {
    ($($(#[doc = $doc:literal])* $class:ident $algorithm:ident;)*) => {$(
        $(#[doc = $doc])*
        #[pyclass(frozen, extends = Aead, module = "fairlane")]
        pub(crate) struct $class;

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (key, *, backend = None))]
            fn new(key: Input<'_, '_>, backend: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
                let base = Aead::make(AeadAlgorithm::$algorithm, key.bytes(), backend)?;
                Ok(PyClassInitializer::from(base).add_subclass(Self))
            }

            /// Returns a random key.
            #[staticmethod]
            fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
                PyBytes::new_with(py, AeadAlgorithm::$algorithm.key_size(), random)
            }
        }
    )*};
}

classes! {
    /// ChaCha20-Poly1305 (RFC 8439): key 32 bytes, nonce 12 bytes, tag 16 bytes.
    ChaCha20Poly1305 ChaCha20Poly1305;
    /// XChaCha20-Poly1305: key 32 bytes, nonce 24 bytes, which may be random, tag 16 bytes.
    XChaCha20Poly1305 XChaCha20Poly1305;
    /// Kusumi512-Poly1305, which nobody but its authors has analysed: key 64 bytes, nonce 12 bytes, tag 16 bytes.
    Kusumi512Poly1305 Kusumi512Poly1305;
    /// SM4-GCM (RFC 8998): key 16 bytes, nonce 12 bytes, which must be counted, tag 16 bytes.
    SM4GCM Sm4Gcm;
    /// SM4-CCM (RFC 8998): key 16 bytes, nonce 12 bytes, which must be counted, tag 16 bytes.
    SM4CCM Sm4Ccm;
    /// GCM of DSTU 7624:2014, whose tag does not cover the nonce: block, nonce and tag 16 bytes each; key 16 bytes.
    Kalyna128_128GCM Kalyna128_128Gcm;
    /// GCM of DSTU 7624:2014, whose tag does not cover the nonce: block, nonce and tag 16 bytes each; key 32 bytes.
    Kalyna128_256GCM Kalyna128_256Gcm;
    /// GCM of DSTU 7624:2014, whose tag does not cover the nonce: block, nonce and tag 32 bytes each; key 32 bytes.
    Kalyna256_256GCM Kalyna256_256Gcm;
    /// GCM of DSTU 7624:2014, whose tag does not cover the nonce: block, nonce and tag 32 bytes each; key 64 bytes.
    Kalyna256_512GCM Kalyna256_512Gcm;
    /// GCM of DSTU 7624:2014, whose tag does not cover the nonce: block, nonce and tag 64 bytes each; key 64 bytes.
    Kalyna512_512GCM Kalyna512_512Gcm;
    /// CCM of DSTU 7624:2014: block, nonce and tag 16 bytes each; key 16 bytes.
    Kalyna128_128CCM Kalyna128_128Ccm;
    /// CCM of DSTU 7624:2014: block, nonce and tag 16 bytes each; key 32 bytes.
    Kalyna128_256CCM Kalyna128_256Ccm;
    /// CCM of DSTU 7624:2014: block, nonce and tag 32 bytes each; key 32 bytes.
    Kalyna256_256CCM Kalyna256_256Ccm;
    /// CCM of DSTU 7624:2014: block, nonce and tag 32 bytes each; key 64 bytes.
    Kalyna256_512CCM Kalyna256_512Ccm;
    /// CCM of DSTU 7624:2014: block, nonce and tag 64 bytes each; key 64 bytes.
    Kalyna512_512CCM Kalyna512_512Ccm;
}
