//! Key encapsulation by name.

use super::{Error, algorithms, check_length, sized};
use crate::Backend;
#[cfg(feature = "clwe")]
use crate::clwe::{Clwe512, Clwe768, Clwe1024};
use crate::ml_kem::{self, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet, Seeds, SharedSecret};
use alloc::boxed::Box;
use core::fmt;
use digest::typenum::Unsigned;
use kem::KeyInit;
use zeroize::Zeroize;

algorithms! {
    /// A KEM.
    KemAlgorithm, "KEM":
    /// FIPS 203, security category 3: the default
    "ml-kem" MlKem768 "ml-kem-768" Entry::of::<MlKem768>();
    /// FIPS 203, security category 1
    "ml-kem" MlKem512 "ml-kem-512" Entry::of::<MlKem512>();
    /// FIPS 203, security category 5
    "ml-kem" MlKem1024 "ml-kem-1024" Entry::of::<MlKem1024>();
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe512 "clwe-512" Entry::of::<Clwe512>();
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe768 "clwe-768" Entry::of::<Clwe768>();
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe1024 "clwe-1024" Entry::of::<Clwe1024>();
}

/// Makes the object from bytes.
type New<K> = fn(KemAlgorithm, &[u8], Option<Backend>) -> Result<Box<K>, Error>;

/// What the table holds of an algorithm.
struct Entry {
    encapsulation_key_size: usize,
    expanded_size: usize,
    ciphertext_size: usize,
    backends: &'static [Backend],
    from_bytes: New<dyn EncapsulationKey>,
    from_seeds: New<dyn DecapsulationKey>,
    from_expanded: New<dyn DecapsulationKey>,
}

impl Entry {
    const fn of<P: ParameterSet + Send + Sync>() -> Self {
        Self {
            encapsulation_key_size: P::EncapsulationKeySize::USIZE,
            expanded_size: P::ExpandedSize::USIZE,
            ciphertext_size: P::CiphertextSize::USIZE,
            backends: ml_kem::BACKENDS,
            from_bytes: from_bytes::<P>,
            from_seeds: from_seeds::<P>,
            from_expanded: from_expanded::<P>,
        }
    }
}

impl KemAlgorithm {
    /// Bytes of the seeds d ‖ z.
    pub const SEEDS_SIZE: usize = 64;

    /// Bytes of the randomness of an encapsulation.
    pub const RANDOMNESS_SIZE: usize = 32;

    /// Bytes of a shared secret.
    pub const SHARED_SECRET_SIZE: usize = 32;

    /// Bytes of an encapsulation key.
    pub const fn encapsulation_key_size(self) -> usize {
        self.entry().encapsulation_key_size
    }

    /// Bytes of a decapsulation key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z.
    pub const fn expanded_size(self) -> usize {
        self.entry().expanded_size
    }

    /// Bytes of a ciphertext.
    pub const fn ciphertext_size(self) -> usize {
        self.entry().ciphertext_size
    }

    /// Whether cryptographers other than the KEM's authors have published analyses of it.
    pub const fn reviewed(self) -> bool {
        matches!(self, Self::MlKem512 | Self::MlKem768 | Self::MlKem1024)
    }

    /// Checks the bytes of an encapsulation key (FIPS 203, section 7.2) and makes the key.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::InvalidKey`] if a coefficient is not below q; [`Error::Unsupported`].
    pub fn encapsulation_key_from_bytes(
        self,
        bytes: &[u8],
        backend: Option<Backend>,
    ) -> Result<Box<dyn EncapsulationKey>, Error> {
        check_length("encapsulation key", self.encapsulation_key_size(), bytes.len())?;
        (self.entry().from_bytes)(self, bytes, backend)
    }

    /// Generates the key pair of the seeds d ‖ z, 64 bytes, which must be random and secret.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn decapsulation_key_from_seeds(
        self,
        seeds: &[u8],
        backend: Option<Backend>,
    ) -> Result<Box<dyn DecapsulationKey>, Error> {
        (self.entry().from_seeds)(self, seeds, backend)
    }

    /// Checks a decapsulation key in FIPS 203's own form (section 7.3) and makes the key.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::InvalidKey`] if a coefficient is not below q or the hash is wrong;
    /// [`Error::Unsupported`].
    pub fn decapsulation_key_from_expanded(
        self,
        bytes: &[u8],
        backend: Option<Backend>,
    ) -> Result<Box<dyn DecapsulationKey>, Error> {
        check_length("decapsulation key", self.expanded_size(), bytes.len())?;
        (self.entry().from_expanded)(self, bytes, backend)
    }
}

/// ML-KEM-768.
impl Default for KemAlgorithm {
    fn default() -> Self {
        Self::MlKem768
    }
}

/// A key that encapsulates.
pub trait EncapsulationKey: fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> KemAlgorithm;

    /// The key's bytes, t̂ ‖ ρ.
    fn as_bytes(&self) -> &[u8];

    /// Writes a ciphertext and the shared secret, of 32 bytes, for 32 bytes of randomness, which must be random, secret
    /// and used once.
    ///
    /// # Errors
    /// [`Error::WrongLength`].
    fn encapsulate(&self, randomness: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error>;

    /// The same key with the matrix Â computed, for many encapsulations: about 12 KB.
    fn prepare(&self) -> Box<dyn EncapsulationKey>;

    /// A copy.
    fn box_clone(&self) -> Box<dyn EncapsulationKey>;
}

impl Clone for Box<dyn EncapsulationKey> {
    fn clone(&self) -> Self {
        self.box_clone()
    }
}

/// A key that decapsulates, and the encapsulation key that belongs to it. It is erased on drop.
pub trait DecapsulationKey: fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> KemAlgorithm;

    /// The bytes of the encapsulation key.
    fn encapsulation_key(&self) -> &[u8];

    /// Writes the key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z, which is as secret as the key.
    ///
    /// # Errors
    /// [`Error::WrongLength`].
    fn write_expanded(&self, bytes: &mut [u8]) -> Result<(), Error>;

    /// Writes the shared secret of a ciphertext, 32 bytes. For a ciphertext that was changed, or made for another key,
    /// it is a secret that nobody else knows (FIPS 203's implicit rejection), computed in the same time.
    ///
    /// # Errors
    /// [`Error::WrongLength`].
    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error>;

    /// The same key with the matrix Â computed, for many decapsulations: about 14 KB.
    fn prepare(&self) -> Box<dyn DecapsulationKey>;

    /// A copy.
    fn box_clone(&self) -> Box<dyn DecapsulationKey>;
}

impl Clone for Box<dyn DecapsulationKey> {
    fn clone(&self) -> Self {
        self.box_clone()
    }
}

#[derive(Clone, Debug)]
struct Key<K> {
    algorithm: KemAlgorithm,
    key: K,
}

fn from_bytes<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    bytes: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn EncapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => ml_kem::EncapsulationKey::<P>::with_backend(bytes, backend)?,
        None => ml_kem::EncapsulationKey::<P>::from_bytes(bytes)?,
    };
    Ok(Box::new(Key { algorithm, key }))
}

fn from_seeds<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    seeds: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn DecapsulationKey>, Error> {
    let both = sized::<Seeds>("seeds", seeds)?;
    let key = match backend {
        Some(backend) => {
            let (d, z) = seeds.split_at(KemAlgorithm::SEEDS_SIZE / 2);
            ml_kem::DecapsulationKey::<P>::with_backend(sized("seed d", d)?, sized("seed z", z)?, backend)?
        }
        None => ml_kem::DecapsulationKey::<P>::new(both),
    };
    Ok(Box::new(Key { algorithm, key }))
}

fn from_expanded<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    bytes: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn DecapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => ml_kem::PreparedDecapsulationKey::<P>::with_backend(bytes, backend)?,
        None => ml_kem::PreparedDecapsulationKey::<P>::from_expanded(bytes)?,
    };
    Ok(Box::new(Key { algorithm, key }))
}

/// The lengths were checked before.
impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Backend(unsupported) => unsupported.into(),
            _ => Self::InvalidKey,
        }
    }
}

/// Implements the trait of keys that encapsulate for a type and its prepared form.
macro_rules! encapsulation_key {
    ($($type:ident: |$key:ident| $plain:expr, $prepared:expr;)*) => {$(
        impl<P: ParameterSet + Send + Sync> EncapsulationKey for Key<ml_kem::$type<P>> {
            fn algorithm(&self) -> KemAlgorithm {
                self.algorithm
            }

            fn as_bytes(&self) -> &[u8] {
                let $key = &self.key;
                $plain.as_bytes()
            }

            fn encapsulate(&self, randomness: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
                let m = sized("randomness", randomness)?;
                check_length("ciphertext", P::CiphertextSize::USIZE, ciphertext.len())?;
                check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
                let (sent, shared) = self.key.encapsulate_deterministic(m);
                ciphertext.copy_from_slice(&sent);
                write_secret(shared, secret);
                Ok(())
            }

            fn prepare(&self) -> Box<dyn EncapsulationKey> {
                let $key = &self.key;
                Box::new(Key { algorithm: self.algorithm, key: $prepared })
            }

            fn box_clone(&self) -> Box<dyn EncapsulationKey> {
                Box::new(self.clone())
            }
        }
    )*};
}

encapsulation_key! {
    EncapsulationKey: |key| key, key.prepare();
    PreparedEncapsulationKey: |key| key.encapsulation_key(), key.clone();
}

/// Implements the trait of keys that decapsulate for a type and its prepared form.
macro_rules! decapsulation_key {
    ($($type:ident: |$key:ident| $prepared:expr;)*) => {$(
        impl<P: ParameterSet + Send + Sync> DecapsulationKey for Key<ml_kem::$type<P>> {
            fn algorithm(&self) -> KemAlgorithm {
                self.algorithm
            }

            fn encapsulation_key(&self) -> &[u8] {
                self.key.encapsulation_key().as_bytes()
            }

            fn write_expanded(&self, bytes: &mut [u8]) -> Result<(), Error> {
                check_length("decapsulation key", P::ExpandedSize::USIZE, bytes.len())?;
                let mut expanded = self.key.to_expanded();
                bytes.copy_from_slice(&expanded);
                expanded.as_mut_slice().zeroize();
                Ok(())
            }

            fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
                let ciphertext = sized("ciphertext", ciphertext)?;
                check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
                write_secret(self.key.decapsulate(ciphertext), secret);
                Ok(())
            }

            fn prepare(&self) -> Box<dyn DecapsulationKey> {
                let $key = &self.key;
                Box::new(Key { algorithm: self.algorithm, key: $prepared })
            }

            fn box_clone(&self) -> Box<dyn DecapsulationKey> {
                Box::new(self.clone())
            }
        }
    )*};
}

decapsulation_key! {
    DecapsulationKey: |key| key.prepare();
    PreparedDecapsulationKey: |key| key.clone();
}

/// Copies a shared secret of 32 bytes, and erases it.
fn write_secret(mut shared: SharedSecret, secret: &mut [u8]) {
    secret.copy_from_slice(&shared);
    shared.as_mut_slice().zeroize();
}
