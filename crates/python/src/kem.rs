//! Key encapsulation: ML-KEM (FIPS 203), X-Wing, and CLWE-KEM for comparison.

use crate::algorithm::{self, random};
use crate::buffer::{Input, copied};
use crate::error::{no_pickle, raise, value};
use fairlane::Backend;
use fairlane::dynamic::{self, KemAlgorithm};
use fairlane::sealed::{Identity, Recipient};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

const SECRET: usize = KemAlgorithm::SHARED_SECRET_SIZE;

/// A key that encapsulates: the base of the classes of each KEM. It is public.
#[pyclass(frozen, subclass, module = "fairlane")]
pub(crate) struct EncapsulationKey {
    pub(crate) key: Box<dyn dynamic::EncapsulationKey>,
}

#[pymethods]
impl EncapsulationKey {
    /// The algorithm's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.key.algorithm().name()
    }

    /// Bytes of a ciphertext.
    #[getter]
    fn ciphertext_size(&self) -> usize {
        self.key.algorithm().ciphertext_size()
    }

    /// Returns a fresh shared secret of 32 bytes, and the ciphertext from which only the decapsulation key computes it.
    ///
    /// Tests may give the randomness, 32 bytes or 64 for X-Wing, which must otherwise be random, secret and used once.
    #[pyo3(signature = (*, randomness = None))]
    fn encapsulate<'py>(
        &self,
        py: Python<'py>,
        randomness: Option<Input<'_, '_>>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (mut fresh, mut secret) = (Zeroizing::new(Vec::new()), Zeroizing::new([0; SECRET]));
        let randomness = match &randomness {
            Some(given) => given.bytes(),
            None => {
                fresh.resize(self.key.algorithm().randomness_size(), 0);
                random(&mut fresh)?;
                &fresh[..]
            }
        };
        let ciphertext = PyBytes::new_with(py, self.ciphertext_size(), |ciphertext| {
            self.key.encapsulate(randomness, ciphertext, &mut *secret).map_err(raise)
        })?;
        Ok((copied(py, &*secret)?, ciphertext))
    }

    /// Returns the text of a key file, which `seal_file` and the command take as a recipient.
    fn recipient_text(&self) -> PyResult<String> {
        let recipient = Recipient::from_bytes(self.key.algorithm(), self.key.as_bytes());
        Ok(recipient.map_err(|error| value(&error))?.to_text())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copied(py, self.key.as_bytes())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.key.algorithm() == other.key.algorithm() && self.key.as_bytes() == other.key.as_bytes()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.__bytes__(py)?.hash()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<fairlane.{}>", slf.get_type().name()?))
    }
}

/// A key that decapsulates: the base of the classes of each KEM. It is secret.
#[pyclass(frozen, subclass, module = "fairlane")]
pub(crate) struct DecapsulationKey {
    pub(crate) key: Box<dyn dynamic::DecapsulationKey>,
    /// On the heap, where the object that moves leaves no copies of it.
    pub(crate) seed: Option<Zeroizing<Vec<u8>>>,
}

impl DecapsulationKey {
    fn from_seed(algorithm: KemAlgorithm, seed: &[u8], backend: Option<Backend>) -> PyResult<Self> {
        let key = algorithm.decapsulation_key_from_seeds(seed, backend).map_err(raise)?;
        Ok(Self { key, seed: Some(Zeroizing::new(seed.to_vec())) })
    }

    fn generate(algorithm: KemAlgorithm, backend: Option<Backend>) -> PyResult<Self> {
        let mut seed = Zeroizing::new(vec![0; algorithm.seeds_size()]);
        random(&mut seed)?;
        Self::from_seed(algorithm, &seed, backend)
    }

    fn from_expanded(algorithm: KemAlgorithm, bytes: &[u8], backend: Option<Backend>) -> PyResult<Self> {
        let key = algorithm.decapsulation_key_from_expanded(bytes, backend).map_err(raise)?;
        let is_seed = algorithm == KemAlgorithm::XWing;
        Ok(Self { key, seed: is_seed.then(|| Zeroizing::new(bytes.to_vec())) })
    }

    /// The key as sealed files need it.
    pub(crate) fn identity(&self) -> PyResult<Identity> {
        let seed = self.seed.as_ref().ok_or_else(|| value(&"a key without a seed opens no files"))?;
        Identity::from_bytes(self.key.algorithm(), seed).map_err(|error| value(&error))
    }
}

#[pymethods]
impl DecapsulationKey {
    /// The algorithm's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.key.algorithm().name()
    }

    /// Bytes of a ciphertext.
    #[getter]
    fn ciphertext_size(&self) -> usize {
        self.key.algorithm().ciphertext_size()
    }

    /// The bytes from which the key was generated, which are as secret: 64, or 32 for X-Wing. `None` for a key from
    /// FIPS 203's own form, from which they cannot be computed.
    #[getter]
    fn seed<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.seed.as_ref().map(|seed| copied(py, seed)).transpose()
    }

    /// Returns the shared secret of a ciphertext, 32 bytes. For a ciphertext that was changed, or made for another key,
    /// it is a secret that nobody else knows (FIPS 203's implicit rejection).
    fn decapsulate<'py>(&self, py: Python<'py>, ciphertext: Input<'_, '_>) -> PyResult<Bound<'py, PyBytes>> {
        let mut secret = Zeroizing::new([0; SECRET]);
        self.key.decapsulate(ciphertext.bytes(), &mut *secret).map_err(raise)?;
        copied(py, &*secret)
    }

    /// Returns the text of a key file, which `open_file` and the command take as an identity. It is as secret as the
    /// key, and is not erased.
    fn identity_text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(PyString::new(py, &self.identity()?.to_text()))
    }

    /// Returns the key in FIPS 203's own form, or that of X-Wing's document, the seed. It is as secret as the key.
    fn expanded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let length = self.key.algorithm().expanded_size();
        PyBytes::new_with(py, length, |bytes| self.key.write_expanded(bytes).map_err(raise))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<fairlane.{}>", slf.get_type().name()?))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(no_pickle(slf))
    }
}

macro_rules! classes {
    ($($decapsulation:ident $encapsulation:ident $algorithm:ident $title:literal;)*) => {$(
        #[doc = concat!("An encapsulation key of ", $title, ".")]
        #[pyclass(frozen, extends = EncapsulationKey, module = "fairlane")]
        pub(crate) struct $encapsulation;

        #[pymethods]
        impl $encapsulation {
            /// Checks the bytes of a key and makes the key.
            #[staticmethod]
            #[pyo3(signature = (bytes, *, backend = None))]
            fn from_bytes<'py>(
                py: Python<'py>,
                bytes: Input<'_, '_>,
                backend: Option<&str>,
            ) -> PyResult<Bound<'py, Self>> {
                let backend = algorithm::backend(backend)?;
                let key = KemAlgorithm::$algorithm.encapsulation_key_from_bytes(bytes.bytes(), backend);
                Self::of(py, key.map_err(raise)?)
            }

            /// Returns the same key made ready for many encapsulations: about 12 KB. Of X-Wing, a copy.
            fn prepare<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
                Self::of(slf.py(), slf.as_super().get().key.prepare())
            }
        }

        impl $encapsulation {
            fn of(py: Python<'_>, key: Box<dyn dynamic::EncapsulationKey>) -> PyResult<Bound<'_, Self>> {
                Bound::new(py, PyClassInitializer::from(EncapsulationKey { key }).add_subclass(Self))
            }
        }

        #[doc = concat!("A decapsulation key of ", $title, ". It is secret.")]
        #[pyclass(frozen, extends = DecapsulationKey, module = "fairlane")]
        pub(crate) struct $decapsulation;

        #[pymethods]
        impl $decapsulation {
            /// Generates a key from the system's random numbers.
            #[staticmethod]
            #[pyo3(signature = (*, backend = None))]
            fn generate<'py>(py: Python<'py>, backend: Option<&str>) -> PyResult<Bound<'py, Self>> {
                Self::of(py, DecapsulationKey::generate(KemAlgorithm::$algorithm, algorithm::backend(backend)?)?)
            }

            /// Makes the key of a random and secret seed: 64 bytes, d and z of FIPS 203, or 32 for X-Wing.
            #[staticmethod]
            #[pyo3(signature = (seed, *, backend = None))]
            fn from_seed<'py>(
                py: Python<'py>,
                seed: Input<'_, '_>,
                backend: Option<&str>,
            ) -> PyResult<Bound<'py, Self>> {
                let backend = algorithm::backend(backend)?;
                Self::of(py, DecapsulationKey::from_seed(KemAlgorithm::$algorithm, seed.bytes(), backend)?)
            }

            /// Checks what `expanded` returns and makes the key.
            #[staticmethod]
            #[pyo3(signature = (bytes, *, backend = None))]
            fn from_expanded<'py>(
                py: Python<'py>,
                bytes: Input<'_, '_>,
                backend: Option<&str>,
            ) -> PyResult<Bound<'py, Self>> {
                let backend = algorithm::backend(backend)?;
                Self::of(py, DecapsulationKey::from_expanded(KemAlgorithm::$algorithm, bytes.bytes(), backend)?)
            }

            /// The public half of the key pair.
            #[getter]
            fn encapsulation_key<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, $encapsulation>> {
                let bytes = slf.as_super().get().key.encapsulation_key();
                let key = KemAlgorithm::$algorithm.encapsulation_key_from_bytes(bytes, None).map_err(raise)?;
                $encapsulation::of(slf.py(), key)
            }

            /// Returns the same key made ready for many decapsulations: about 14 KB. Of X-Wing, a copy.
            fn prepare<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
                let key = slf.as_super().get();
                Self::of(slf.py(), DecapsulationKey { key: key.key.prepare(), seed: key.seed.clone() })
            }
        }

        impl $decapsulation {
            fn of(py: Python<'_>, key: DecapsulationKey) -> PyResult<Bound<'_, Self>> {
                Bound::new(py, PyClassInitializer::from(key).add_subclass(Self))
            }
        }
    )*};
}

classes! {
    MLKEM512DecapsulationKey MLKEM512EncapsulationKey MlKem512 "ML-KEM-512 (FIPS 203)";
    MLKEM768DecapsulationKey MLKEM768EncapsulationKey MlKem768 "ML-KEM-768 (FIPS 203)";
    MLKEM1024DecapsulationKey MLKEM1024EncapsulationKey MlKem1024 "ML-KEM-1024 (FIPS 203)";
    XWingDecapsulationKey XWingEncapsulationKey XWing "X-Wing, which is ML-KEM-768 and X25519 in one";
    CLWE512DecapsulationKey CLWE512EncapsulationKey Clwe512 "CLWE-512, which nobody but its authors has analysed";
    CLWE768DecapsulationKey CLWE768EncapsulationKey Clwe768 "CLWE-768, which nobody but its authors has analysed";
    CLWE1024DecapsulationKey CLWE1024EncapsulationKey Clwe1024 "CLWE-1024, which nobody but its authors has analysed";
}
