//! Key encapsulation by name. Whatever has a secret erases the stack that it has used.

mod lattice;
#[cfg(feature = "x-wing")]
mod x_wing;

use super::{Error, algorithms, check_length, clone_boxes};
use crate::Backend;
#[cfg(feature = "clwe")]
use crate::clwe::{Clwe512, Clwe768, Clwe1024};
use crate::ml_kem::{BatchError, KeyError, MlKem512, MlKem768, MlKem1024, SharedSecret};
use crate::stack::{AFTER_KEM, AFTER_PREPARING, erased};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use zeroize::Zeroize;

algorithms! {
    /// A KEM.
    KemAlgorithm, "KEM":
    /// FIPS 203, security category 3: the default
    "ml-kem" MlKem768 "ml-kem-768" lattice::entry::<MlKem768>();
    /// FIPS 203, security category 1
    "ml-kem" MlKem512 "ml-kem-512" lattice::entry::<MlKem512>();
    /// FIPS 203, security category 5
    "ml-kem" MlKem1024 "ml-kem-1024" lattice::entry::<MlKem1024>();
    /// ML-KEM-768 and X25519 in one: draft-connolly-cfrg-xwing-kem-10
    "x-wing" XWing "x-wing" x_wing::ENTRY;
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe512 "clwe-512" lattice::entry::<Clwe512>();
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe768 "clwe-768" lattice::entry::<Clwe768>();
    /// Nobody but its authors has analysed CLWE-KEM, which is here for comparison
    "clwe" Clwe1024 "clwe-1024" lattice::entry::<Clwe1024>();
}

/// Makes the object from bytes.
type New<K> = fn(KemAlgorithm, &[u8], Option<Backend>) -> Result<Box<K>, Error>;

/// What the table holds of an algorithm.
struct Entry {
    seeds_size: usize,
    randomness_size: usize,
    encapsulation_key_size: usize,
    expanded_size: usize,
    ciphertext_size: usize,
    backends: &'static [Backend],
    from_bytes: New<dyn EncapsulationKey>,
    from_seeds: New<dyn DecapsulationKey>,
    from_expanded: New<dyn DecapsulationKey>,
    generate_many: GenerateMany,
    encapsulate_many: EncapsulateMany,
    decapsulate_many: DecapsulateMany,
}

/// Makes a key of each algorithm's seeds. They are whole seeds.
type GenerateMany = fn(KemAlgorithm, &[u8], Option<Backend>) -> Result<Vec<Box<dyn DecapsulationKey>>, Error>;

/// Of keys and randomness, writes ciphertexts and shared secrets. All lengths were checked.
type EncapsulateMany = fn(&[&dyn EncapsulationKey], &[u8], &mut [u8], &mut [u8]) -> Result<(), Error>;

/// Of keys and ciphertexts, writes shared secrets. All lengths were checked.
type DecapsulateMany = fn(&[&dyn DecapsulationKey], &[u8], &mut [u8]) -> Result<(), Error>;

impl KemAlgorithm {
    /// The most bytes that the seeds of any KEM have.
    pub const MAX_SEEDS_SIZE: usize = 64;

    /// The most bytes that the randomness of any KEM's encapsulation has.
    pub const MAX_RANDOMNESS_SIZE: usize = 64;

    /// Bytes of a shared secret.
    pub const SHARED_SECRET_SIZE: usize = 32;

    /// Bytes of the seeds of a key pair: 64, d ‖ z; of X-Wing 32.
    pub const fn seeds_size(self) -> usize {
        self.entry().seeds_size
    }

    /// Bytes of the randomness of an encapsulation: 32, m; of X-Wing 64.
    pub const fn randomness_size(self) -> usize {
        self.entry().randomness_size
    }

    /// Bytes of an encapsulation key.
    pub const fn encapsulation_key_size(self) -> usize {
        self.entry().encapsulation_key_size
    }

    /// Bytes of a decapsulation key in its document's own form: of FIPS 203, ŝ ‖ ek ‖ H(ek) ‖ z; of X-Wing, the seed.
    pub const fn expanded_size(self) -> usize {
        self.entry().expanded_size
    }

    /// Bytes of a ciphertext.
    pub const fn ciphertext_size(self) -> usize {
        self.entry().ciphertext_size
    }

    /// Whether cryptographers other than the KEM's authors have published analyses of it.
    pub const fn reviewed(self) -> bool {
        match self {
            Self::MlKem512 | Self::MlKem768 | Self::MlKem1024 => true,
            #[cfg(feature = "x-wing")]
            Self::XWing => true,
            #[cfg(feature = "clwe")]
            Self::Clwe512 | Self::Clwe768 | Self::Clwe1024 => false,
        }
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

    /// Generates the key pair of [seeds](Self::seeds_size), which must be random and secret.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn decapsulation_key_from_seeds(
        self,
        seeds: &[u8],
        backend: Option<Backend>,
    ) -> Result<Box<dyn DecapsulationKey>, Error> {
        check_length("seeds", self.seeds_size(), seeds.len())?;
        erased::<AFTER_KEM, _>(|| (self.entry().from_seeds)(self, seeds, backend))
    }

    /// Checks a decapsulation key in its document's own form (FIPS 203, section 7.3) and makes the key.
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
        erased::<AFTER_PREPARING, _>(|| (self.entry().from_expanded)(self, bytes, backend))
    }

    /// Generates the key pair of each [`seeds_size`](Self::seeds_size) bytes of `seeds`, as
    /// [`decapsulation_key_from_seeds`](Self::decapsulation_key_from_seeds) does, several at a time.
    ///
    /// # Errors
    /// [`Error::WrongLength`] if they are not whole seeds, and [`Error::Unsupported`].
    pub fn generate_many(
        self,
        seeds: &[u8],
        backend: Option<Backend>,
    ) -> Result<Vec<Box<dyn DecapsulationKey>>, Error> {
        check_length("seeds", seeds.len().next_multiple_of(self.seeds_size()), seeds.len())?;
        erased::<AFTER_KEM, _>(|| (self.entry().generate_many)(self, seeds, backend))
    }

    /// Encapsulates to each key, several at a time: key `i` with the [`randomness_size`](Self::randomness_size) bytes
    /// number `i` of `randomness`, which must be random, secret and used once. Ciphertexts and shared secrets are
    /// written one after the other.
    ///
    /// Keys that follow each other and are not prepared are processed together; a prepared one alone.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::OtherAlgorithm`] if a key is not of this algorithm.
    pub fn encapsulate_many(
        self,
        keys: &[&dyn EncapsulationKey],
        randomness: &[u8],
        ciphertexts: &mut [u8],
        secrets: &mut [u8],
    ) -> Result<(), Error> {
        check_length("randomness", keys.len().saturating_mul(self.randomness_size()), randomness.len())?;
        check_length("ciphertexts", keys.len().saturating_mul(self.ciphertext_size()), ciphertexts.len())?;
        check_length("shared secrets", keys.len().saturating_mul(Self::SHARED_SECRET_SIZE), secrets.len())?;
        check_algorithms(self, keys.iter().map(|key| key.algorithm()))?;
        erased::<AFTER_KEM, _>(|| (self.entry().encapsulate_many)(keys, randomness, ciphertexts, secrets))
    }

    /// Decapsulates a ciphertext with each key, several at a time. Shared secrets are written one after the other, as
    /// [`DecapsulationKey::decapsulate`] writes one.
    ///
    /// Keys that follow each other and are not prepared are processed together; a prepared one alone. Keys in FIPS
    /// 203's own form are prepared.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::OtherAlgorithm`] if a key is not of this algorithm.
    pub fn decapsulate_many(
        self,
        keys: &[&dyn DecapsulationKey],
        ciphertexts: &[u8],
        secrets: &mut [u8],
    ) -> Result<(), Error> {
        check_length("ciphertexts", keys.len().saturating_mul(self.ciphertext_size()), ciphertexts.len())?;
        check_length("shared secrets", keys.len().saturating_mul(Self::SHARED_SECRET_SIZE), secrets.len())?;
        check_algorithms(self, keys.iter().map(|key| key.algorithm()))?;
        erased::<AFTER_KEM, _>(|| (self.entry().decapsulate_many)(keys, ciphertexts, secrets))
    }
}

fn check_algorithms(expected: KemAlgorithm, mut given: impl Iterator<Item = KemAlgorithm>) -> Result<(), Error> {
    if given.all(|algorithm| algorithm == expected) { Ok(()) } else { Err(Error::OtherAlgorithm) }
}

/// ML-KEM-768.
impl Default for KemAlgorithm {
    fn default() -> Self {
        Self::MlKem768
    }
}

/// A key that encapsulates.
pub trait EncapsulationKey: Any + fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> KemAlgorithm;

    /// The key's bytes: t̂ ‖ ρ; of X-Wing with the key of X25519 after them.
    fn as_bytes(&self) -> &[u8];

    /// Writes a ciphertext and the shared secret, of 32 bytes, for [randomness](KemAlgorithm::randomness_size), which
    /// must be random, secret and used once.
    ///
    /// # Errors
    /// [`Error::WrongLength`].
    fn encapsulate(&self, randomness: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error>;

    /// The same key with the matrix Â computed, for many encapsulations: about 12 KB. Of X-Wing, a copy.
    fn prepare(&self) -> Box<dyn EncapsulationKey>;

    /// A copy.
    fn box_clone(&self) -> Box<dyn EncapsulationKey>;
}

clone_boxes!(EncapsulationKey);

/// A key that decapsulates, and the encapsulation key that belongs to it. It is erased on drop.
pub trait DecapsulationKey: Any + fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> KemAlgorithm;

    /// The bytes of the encapsulation key.
    fn encapsulation_key(&self) -> &[u8];

    /// Writes the key in its document's own form, which is as secret as the key: of FIPS 203, ŝ ‖ ek ‖ H(ek) ‖ z; of
    /// X-Wing, the seed.
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

    /// The same key with the matrix Â computed, for many decapsulations: about 14 KB. Of X-Wing, a copy.
    fn prepare(&self) -> Box<dyn DecapsulationKey>;

    /// A copy.
    fn box_clone(&self) -> Box<dyn DecapsulationKey>;
}

clone_boxes!(DecapsulationKey);

#[derive(Clone, Debug)]
struct Key<K> {
    algorithm: KemAlgorithm,
    key: K,
}

/// The lengths were checked before.
impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Unsupported(unsupported) => unsupported.into(),
            _ => Self::InvalidKey,
        }
    }
}

/// The counts were checked before.
impl From<BatchError> for Error {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Unsupported(unsupported) => unsupported.into(),
            BatchError::WrongCount { expected, given } => Self::wrong_length("batch", expected, given),
        }
    }
}

/// Copies a shared secret of 32 bytes, and erases it.
fn write_secret(mut shared: SharedSecret, secret: &mut [u8]) {
    secret.copy_from_slice(&shared);
    shared.as_mut_slice().zeroize();
}
