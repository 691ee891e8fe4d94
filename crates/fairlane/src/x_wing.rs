//! X-Wing (draft-connolly-cfrg-xwing-kem-10): ML-KEM-768 and X25519 in one KEM, which holds as long as one of them
//! does.
//!
//! | | bytes |
//! | --- | --- |
//! | decapsulation key: the seed | 32 |
//! | encapsulation key: that of ML-KEM-768, then that of X25519 | 1216 |
//! | randomness of an encapsulation: that of ML-KEM-768, then that of X25519 | 64 |
//! | ciphertext: that of ML-KEM-768, then a key of X25519 | 1120 |
//! | shared secret | 32 |
//!
//! ML-KEM-768 is expected to withstand quantum computers, and X25519 has withstood others for twenty years. The shared
//! secret is SHA3-256 of both secrets, so that whoever wants it has to break both.
//!
//! ```
//! use fairlane::kem::KeyInit;
//! use fairlane::x_wing::{DecapsulationKey, EncapsulationKey};
//!
//! // The receiver: 32 random bytes, kept secret.
//! let own = DecapsulationKey::new(&[7; 32].into());
//! let sent = own.encapsulation_key().as_bytes();
//!
//! // The sender, with 64 random bytes.
//! let (ciphertext, secret) = EncapsulationKey::from_bytes(sent)?.encapsulate_deterministic(&[9; 64]);
//!
//! assert_eq!(own.decapsulate(&ciphertext), secret);
//! # Ok::<(), fairlane::ml_kem::KeyError>(())
//! ```
//!
//! The traits are those of the crate [`kem`], as [`ml_kem`] shows. A backend is that of ML-KEM and
//! of the hashes; X25519 is the crate `x25519-dalek`, which chooses its own.
//!
//! As the draft has it, any 32 bytes are a key of X25519, also those of the few points whose product is always zero.
//! Who sends such a point gives up X25519's protection of the secret, which they could also publish.
//!
//! Constant time: on every backend, the running time depends on public bytes only.

use crate::keccak::{Keccak, sha3_256_block, shake256_block};
use crate::ml_kem::{self, KeyError, MlKem768, SharedSecret};
use crate::{Backend, Unsupported};
use ::kem::common::rand_core::{CryptoRng, TryCryptoRng};
use ::kem::common::{Generate, InvalidKey, KeyExport, KeyInit, KeySizeUser, TryKeyInit};
use ::kem::consts::U32;
use ::kem::{Decapsulate, Decapsulator, Encapsulate, Kem};
use core::fmt;
use digest::array::Array;
use fairlane_lanes::AnyToken;
use hybrid_array::sizes::{U1120, U1216};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Bytes of a key of ML-KEM-768, before that of X25519.
const ML_KEM_KEY: usize = 1184;
/// Bytes of a ciphertext of ML-KEM-768, before the key of X25519.
const ML_KEM_CIPHERTEXT: usize = 1088;
/// Bytes of every key of X25519, secret, seed and half of the randomness.
const BYTES: usize = 32;

/// `XWingLabel`, which ends what is hashed to the shared secret.
const LABEL: &[u8; 6] = br"\.//^\";

/// A ciphertext: 1120 bytes.
pub type Ciphertext = Array<u8, U1120>;

/// The seed of a decapsulation key: 32 bytes.
pub type Seed = Array<u8, U32>;

/// X-Wing, as a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct XWing;

impl Kem for XWing {
    type DecapsulationKey = DecapsulationKey;
    type EncapsulationKey = EncapsulationKey;
    type SharedKeySize = U32;
    type CiphertextSize = U1120;
}

/// An encapsulation key, as it is sent: 1216 bytes, of which 1184 are ML-KEM-768's key and then 32 X25519's.
#[derive(Clone)]
pub struct EncapsulationKey {
    bytes: Array<u8, U1216>,
    ml_kem: ml_kem::EncapsulationKey<MlKem768>,
}

impl EncapsulationKey {
    /// Checks the bytes of a key (FIPS 203, section 7.2) and makes the key, on the best backend.
    ///
    /// # Errors
    /// The length is wrong, or a coefficient is not below q.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::checked(bytes, ml_kem::EncapsulationKey::from_bytes)
    }

    /// [`from_bytes`](Self::from_bytes) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Those of [`from_bytes`](Self::from_bytes); this CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(bytes: &[u8], backend: Backend) -> Result<Self, KeyError> {
        Self::checked(bytes, |bytes| ml_kem::EncapsulationKey::with_backend(bytes, backend))
    }

    fn checked(
        bytes: &[u8],
        ml_kem: impl FnOnce(&[u8]) -> Result<ml_kem::EncapsulationKey<MlKem768>, KeyError>,
    ) -> Result<Self, KeyError> {
        let bytes: &Array<u8, U1216> = bytes.try_into().map_err(|_| KeyError::Length)?;
        Ok(Self { bytes: *bytes, ml_kem: ml_kem(&bytes[..ML_KEM_KEY])? })
    }

    /// The key's bytes.
    pub fn as_bytes(&self) -> &Array<u8, U1216> {
        &self.bytes
    }

    /// The key of X25519.
    fn x25519(&self) -> PublicKey {
        PublicKey::from(last(&self.bytes))
    }

    /// Encapsulates with 64 bytes of randomness, which must be random, secret and used once: for protocols and tests
    /// that have their own source of randomness. Returns the ciphertext and the shared secret.
    pub fn encapsulate_deterministic(&self, randomness: &[u8; 2 * BYTES]) -> (Ciphertext, SharedSecret) {
        let ([m, ephemeral], _) = randomness.as_chunks() else { unreachable!("64 bytes are two times 32") };
        let ephemeral = StaticSecret::from(*ephemeral);
        let sent = PublicKey::from(&ephemeral);
        let (in_ml_kem, of_ml_kem) = self.ml_kem.encapsulate_deterministic(m);
        let of_x25519 = ephemeral.diffie_hellman(&self.x25519());
        let mut ciphertext = Ciphertext::default();
        ciphertext[..ML_KEM_CIPHERTEXT].copy_from_slice(&in_ml_kem);
        ciphertext[ML_KEM_CIPHERTEXT..].copy_from_slice(sent.as_bytes());
        (ciphertext, combine(self.ml_kem.keccak(), of_ml_kem, &of_x25519, &sent, &self.x25519()))
    }

    /// A ciphertext and a fresh shared secret.
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext, SharedSecret) {
        let mut randomness = Zeroizing::new([0; 2 * BYTES]);
        rng.fill_bytes(&mut *randomness);
        self.encapsulate_deterministic(&randomness)
    }
}

/// The end of the bytes: what belongs to X25519.
fn last(bytes: &[u8]) -> [u8; BYTES] {
    *bytes.last_chunk().expect("there are more")
}

/// The draft's `Combiner`. It erases the secrets that it is given.
fn combine(
    keccak: Keccak,
    mut of_ml_kem: SharedSecret,
    of_x25519: &x25519_dalek::SharedSecret,
    sent: &PublicKey,
    key: &PublicKey,
) -> SharedSecret {
    let mut secret = SharedSecret::default();
    let parts = [&of_ml_kem[..], of_x25519.as_bytes(), sent.as_bytes(), key.as_bytes(), LABEL];
    sha3_256_block(keccak, &parts, &mut secret.0);
    of_ml_kem.as_mut_slice().zeroize();
    secret
}

/// Compares the bytes. The backends may differ.
impl PartialEq for EncapsulationKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for EncapsulationKey {}

impl fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("x_wing::EncapsulationKey(..)")
    }
}

impl KeySizeUser for EncapsulationKey {
    type KeySize = U1216;
}

impl TryKeyInit for EncapsulationKey {
    fn new(key: &Array<u8, U1216>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }
}

impl KeyExport for EncapsulationKey {
    fn to_bytes(&self) -> Array<u8, U1216> {
        self.bytes
    }
}

impl Encapsulate for EncapsulationKey {
    type Kem = XWing;

    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext, SharedSecret) {
        self.encapsulate_with_rng(rng)
    }
}

/// A decapsulation key, made from its seed of 32 bytes, as which it is kept. It is erased on drop.
///
/// It holds the two keys that the draft expands the seed to.
#[derive(Clone)]
pub struct DecapsulationKey {
    seed: Zeroizing<[u8; BYTES]>,
    ml_kem: ml_kem::DecapsulationKey<MlKem768>,
    x25519: StaticSecret,
    key: EncapsulationKey,
}

impl DecapsulationKey {
    /// The key of a seed, which must be random and secret, on a backend of the caller's choice.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(seed: &[u8; BYTES], backend: Backend) -> Result<Self, Unsupported> {
        let token = AnyToken::among(ml_kem::BACKENDS, backend)?;
        Self::expand(seed, Keccak::under(token), |d, z| ml_kem::DecapsulationKey::with_backend(d, z, backend))
    }

    /// The draft's `expandDecapsulationKey`.
    fn expand<E>(
        seed: &[u8; BYTES],
        keccak: Keccak,
        ml_kem: impl FnOnce(&[u8; BYTES], &[u8; BYTES]) -> Result<ml_kem::DecapsulationKey<MlKem768>, E>,
    ) -> Result<Self, E> {
        let mut expanded = Zeroizing::new([0; 3 * BYTES]);
        shake256_block(keccak, seed, &mut *expanded);
        let ([d, z, x25519], _) = expanded.as_chunks() else { unreachable!("96 bytes are three times 32") };
        let ml_kem = ml_kem(d, z)?;
        let x25519 = StaticSecret::from(*x25519);
        let mut bytes = Array::default();
        bytes[..ML_KEM_KEY].copy_from_slice(ml_kem.encapsulation_key().as_bytes());
        bytes[ML_KEM_KEY..].copy_from_slice(PublicKey::from(&x25519).as_bytes());
        let key = EncapsulationKey { bytes, ml_kem: ml_kem.encapsulation_key().clone() };
        Ok(Self { seed: Zeroizing::new(*seed), ml_kem, x25519, key })
    }

    /// The encapsulation key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.key
    }

    /// The seed, which is the decapsulation key in the draft's own form.
    pub fn as_bytes(&self) -> &[u8; BYTES] {
        &self.seed
    }

    /// The shared secret of a ciphertext. For a ciphertext that was changed, or made for another key, the result is a
    /// secret that nobody else knows, computed in the same time.
    pub fn decapsulate(&self, ciphertext: &Ciphertext) -> SharedSecret {
        let Some(in_ml_kem) = ciphertext.first_chunk::<ML_KEM_CIPHERTEXT>() else { unreachable!("there are more") };
        let sent = PublicKey::from(last(ciphertext));
        let of_ml_kem = self.ml_kem.decapsulate(in_ml_kem.into());
        let of_x25519 = self.x25519.diffie_hellman(&sent);
        combine(self.key.ml_kem.keccak(), of_ml_kem, &of_x25519, &sent, &self.key.x25519())
    }
}

impl fmt::Debug for DecapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("x_wing::DecapsulationKey(..)")
    }
}

impl ZeroizeOnDrop for DecapsulationKey {}

impl KeySizeUser for DecapsulationKey {
    type KeySize = U32;
}

/// Of the seed, on the best backend.
impl KeyInit for DecapsulationKey {
    fn new(seed: &Seed) -> Self {
        let made = Self::expand(&seed.0, Keccak::best(), |d, z| {
            let mut seeds = ml_kem::Seeds::default();
            seeds[..BYTES].copy_from_slice(d);
            seeds[BYTES..].copy_from_slice(z);
            let key = ml_kem::DecapsulationKey::new(&seeds);
            seeds.as_mut_slice().zeroize();
            Ok::<_, core::convert::Infallible>(key)
        });
        let Ok(key) = made;
        key
    }
}

/// The seed.
impl KeyExport for DecapsulationKey {
    fn to_bytes(&self) -> Seed {
        Array(*self.seed)
    }
}

impl Generate for DecapsulationKey {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new([0; BYTES]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(<Self as KeyInit>::new((&*seed).into()))
    }
}

impl Decapsulator for DecapsulationKey {
    type Kem = XWing;

    fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.key
    }
}

impl Decapsulate for DecapsulationKey {
    fn decapsulate(&self, ciphertext: &Ciphertext) -> SharedSecret {
        self.decapsulate(ciphertext)
    }
}
