//! Key encapsulation by name. Whatever has a secret erases the stack that it has used.

#[cfg(feature = "x-wing")]
mod x_wing;

use super::{Error, algorithms, check_length, sized};
use crate::Backend;
#[cfg(feature = "clwe")]
use crate::clwe::{Clwe512, Clwe768, Clwe1024};
use crate::ml_kem::{self, BatchError, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet, Seeds, SharedSecret};
use crate::stack::{ONE, PREPARED, erased};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
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
    /// ML-KEM-768 and X25519 in one: draft-connolly-cfrg-xwing-kem-10
    "x-wing" XWing "x-wing" x_wing::ENTRY;
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

impl Entry {
    const fn of<P: ParameterSet + Send + Sync>() -> Self {
        Self {
            seeds_size: size_of::<Seeds>(),
            randomness_size: 32,
            encapsulation_key_size: P::EncapsulationKeySize::USIZE,
            expanded_size: P::ExpandedSize::USIZE,
            ciphertext_size: P::CiphertextSize::USIZE,
            backends: ml_kem::BACKENDS,
            from_bytes: from_bytes::<P>,
            from_seeds: from_seeds::<P>,
            from_expanded: from_expanded::<P>,
            generate_many: generate_many::<P>,
            encapsulate_many: encapsulate_many::<P>,
            decapsulate_many: decapsulate_many::<P>,
        }
    }
}

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
        erased::<ONE, _>(|| (self.entry().from_seeds)(self, seeds, backend))
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
        erased::<PREPARED, _>(|| (self.entry().from_expanded)(self, bytes, backend))
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
        erased::<ONE, _>(|| (self.entry().generate_many)(self, seeds, backend))
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
        erased::<ONE, _>(|| (self.entry().encapsulate_many)(keys, randomness, ciphertexts, secrets))
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
        erased::<ONE, _>(|| (self.entry().decapsulate_many)(keys, ciphertexts, secrets))
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

impl Clone for Box<dyn EncapsulationKey> {
    fn clone(&self) -> Self {
        self.box_clone()
    }
}

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
            let (d, z) = seeds.split_at(seeds.len() / 2);
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
                erased::<ONE, _>(|| {
                    let (sent, shared) = self.key.encapsulate_deterministic(m);
                    ciphertext.copy_from_slice(&sent);
                    write_secret(shared, secret);
                });
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
                erased::<ONE, _>(|| {
                    let mut expanded = self.key.to_expanded();
                    bytes.copy_from_slice(&expanded);
                    expanded.as_mut_slice().zeroize();
                });
                Ok(())
            }

            fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
                let ciphertext = sized("ciphertext", ciphertext)?;
                check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
                erased::<ONE, _>(|| write_secret(self.key.decapsulate(ciphertext), secret));
                Ok(())
            }

            fn prepare(&self) -> Box<dyn DecapsulationKey> {
                let $key = &self.key;
                erased::<PREPARED, _>(|| Box::new(Key { algorithm: self.algorithm, key: $prepared }))
            }

            fn box_clone(&self) -> Box<dyn DecapsulationKey> {
                erased::<PREPARED, _>(|| Box::new(self.clone()))
            }
        }
    )*};
}

decapsulation_key! {
    DecapsulationKey: |key| key.prepare();
    PreparedDecapsulationKey: |key| key.clone();
}

fn generate_many<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    seeds: &[u8],
    backend: Option<Backend>,
) -> Result<Vec<Box<dyn DecapsulationKey>>, Error> {
    let (seeds, _) = Seeds::slice_as_chunks(seeds);
    let mut keys: Vec<Option<ml_kem::DecapsulationKey<P>>> = Vec::new();
    keys.resize_with(seeds.len(), || None);
    let mut workspace = Box::<ml_kem::Workspace>::default();
    match backend {
        Some(backend) => ml_kem::keygen_many_with_backend(seeds, &mut keys, &mut workspace, backend)?,
        None => ml_kem::keygen_many(seeds, &mut keys, &mut workspace)?,
    }
    // Copied, not moved, so that the drop erases what stays behind.
    let boxed = keys.iter().flatten().map(|key| Box::new(Key { algorithm, key: key.clone() }) as Box<_>);
    Ok(boxed.collect())
}

/// The key of type `K` that an object holds.
fn held<K: 'static>(object: &dyn Any) -> Option<&K> {
    object.downcast_ref::<Key<K>>().map(|key| &key.key)
}

fn encapsulate_many<P: ParameterSet + Send + Sync>(
    keys: &[&dyn EncapsulationKey],
    mut randomness: &[u8],
    mut ciphertexts: &mut [u8],
    mut secrets: &mut [u8],
) -> Result<(), Error> {
    let plain = |key: &&dyn EncapsulationKey| held::<ml_kem::EncapsulationKey<P>>(*key).is_some();
    let mut workspace = None;
    for keys in keys.chunk_by(|one, next| plain(one) && plain(next)) {
        let (now, later) = randomness.split_at(keys.len() * 32);
        let (sent, unsent) = ciphertexts.split_at_mut(keys.len() * P::CiphertextSize::USIZE);
        let (shared, unshared) = secrets.split_at_mut(keys.len() * KemAlgorithm::SHARED_SECRET_SIZE);
        (randomness, ciphertexts, secrets) = (later, unsent, unshared);
        if let [key] = keys {
            key.encapsulate(now, sent, shared)?;
            continue;
        }
        let keys: Vec<_> = keys.iter().filter_map(|key| held::<ml_kem::EncapsulationKey<P>>(*key)).collect();
        let sent = ml_kem::Ciphertext::<P>::slice_as_chunks_mut(sent).0;
        let shared = SharedSecret::slice_as_chunks_mut(shared).0;
        let workspace = workspace.get_or_insert_with(Box::<ml_kem::Workspace>::default);
        ml_kem::encapsulate_many::<P>(&keys, now.as_chunks().0, sent, shared, workspace)?;
    }
    Ok(())
}

fn decapsulate_many<P: ParameterSet + Send + Sync>(
    keys: &[&dyn DecapsulationKey],
    mut ciphertexts: &[u8],
    mut secrets: &mut [u8],
) -> Result<(), Error> {
    let plain = |key: &&dyn DecapsulationKey| held::<ml_kem::DecapsulationKey<P>>(*key).is_some();
    let mut workspace = None;
    for keys in keys.chunk_by(|one, next| plain(one) && plain(next)) {
        let (sent, unsent) = ciphertexts.split_at(keys.len() * P::CiphertextSize::USIZE);
        let (shared, unshared) = secrets.split_at_mut(keys.len() * KemAlgorithm::SHARED_SECRET_SIZE);
        (ciphertexts, secrets) = (unsent, unshared);
        if let [key] = keys {
            key.decapsulate(sent, shared)?;
            continue;
        }
        let keys: Vec<_> = keys.iter().filter_map(|key| held::<ml_kem::DecapsulationKey<P>>(*key)).collect();
        let sent = ml_kem::Ciphertext::<P>::slice_as_chunks(sent).0;
        let shared = SharedSecret::slice_as_chunks_mut(shared).0;
        let workspace = workspace.get_or_insert_with(Box::<ml_kem::Workspace>::default);
        ml_kem::decapsulate_many::<P>(&keys, sent, shared, workspace)?;
    }
    Ok(())
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
