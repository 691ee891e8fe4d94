//! Keys: an encapsulation key as it is sent, a decapsulation key from its seeds.

use super::expanded::expanded;
use super::packing::are_reduced;
use super::parameters::ParameterSet;
use super::pke::Machine;
use super::prepared::{PreparedDecapsulationKey, PreparedEncapsulationKey};
use super::scheme::{self, BYTES, Own, Prepared, SecretVector};
use super::secret::Secret;
use crate::{Backend, Unsupported};
use ::kem::common::rand_core::{CryptoRng, TryCryptoRng};
use ::kem::common::{Generate, InvalidKey, KeyExport, KeyInit, KeySizeUser, TryKeyInit};
use ::kem::consts::{U32, U64};
use ::kem::{Decapsulate, Decapsulator, Encapsulate, Kem};
use core::fmt;
use digest::array::Array;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A ciphertext of a parameter set.
pub type Ciphertext<P> = Array<u8, <P as Kem>::CiphertextSize>;

/// What a decapsulation key comes from: d and z, 32 bytes each.
pub type Seeds = Array<u8, U64>;

/// A shared secret: 32 bytes.
pub type SharedSecret = Array<u8, U32>;

/// Why a key is refused (FIPS 203, sections 7.2 and 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It has another length than its parameter set says.
    Length,
    /// It holds a number that is not below q.
    Modulus,
    /// A decapsulation key holds another hash than that of its encapsulation key.
    Hash,
    /// Not the key: it is asked for on a backend that is not here.
    Backend(Unsupported),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "the key has another length than its parameter set says",
            Self::Modulus => "the key holds a number that is not below 3329",
            Self::Hash => "the decapsulation key holds another hash than that of its encapsulation key",
            Self::Backend(unsupported) => return unsupported.fmt(f),
        })
    }
}

impl From<Unsupported> for KeyError {
    fn from(unsupported: Unsupported) -> Self {
        Self::Backend(unsupported)
    }
}

impl core::error::Error for KeyError {}

/// An encapsulation key, as it is sent: t̂ and ρ.
///
/// Each use computes the matrix and the hash again: [`prepare`](Self::prepare) does that once for many.
#[derive(Clone)]
pub struct EncapsulationKey<P: ParameterSet> {
    pub(super) bytes: Array<u8, P::EncapsulationKeySize>,
    pub(super) machine: Machine,
}

impl<P: ParameterSet> EncapsulationKey<P> {
    /// Checks a key and takes it, on the best backend.
    ///
    /// # Errors
    /// Its length is wrong, or a number in it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::on(Machine::best(), bytes)
    }

    /// The same on one backend.
    ///
    /// # Errors
    /// Those of [`from_bytes`](Self::from_bytes); this CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(bytes: &[u8], backend: Backend) -> Result<Self, KeyError> {
        Self::on(Machine::new(backend)?, bytes)
    }

    pub(super) fn on(machine: Machine, bytes: &[u8]) -> Result<Self, KeyError> {
        let bytes: &Array<u8, P::EncapsulationKeySize> = bytes.try_into().map_err(|_| KeyError::Length)?;
        if !are_reduced(machine, &bytes[..P::SET.vector()]) {
            return Err(KeyError::Modulus);
        }
        Ok(Self { bytes: bytes.clone(), machine })
    }

    /// The same key on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or there is no kernel for it.
    pub fn on_backend(&self, backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { bytes: self.bytes.clone(), machine: Machine::new(backend)? })
    }

    /// The key's bytes.
    pub fn as_bytes(&self) -> &Array<u8, P::EncapsulationKeySize> {
        &self.bytes
    }

    /// What every use needs, computed once.
    pub fn prepare(&self) -> PreparedEncapsulationKey<P> {
        PreparedEncapsulationKey { prepared: Prepared::new(self.machine, &P::SET, &self.bytes), key: self.clone() }
    }

    /// Encapsulates with the randomness `m`, which must be random, secret and used once: for protocols and tests that
    /// bring their own.
    pub fn encapsulate_deterministic(&self, m: &[u8; BYTES]) -> (Ciphertext<P>, SharedSecret) {
        let mut ciphertext = Ciphertext::<P>::default();
        let shared = scheme::encapsulate_once(self.machine, &P::SET, &self.bytes, m, &mut ciphertext);
        (ciphertext, Array(shared.0))
    }

    /// Encapsulates a fresh shared secret.
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedSecret) {
        let mut m = Secret([0; BYTES]);
        rng.fill_bytes(&mut m.0);
        self.encapsulate_deterministic(&m.0)
    }
}

/// Equal bytes, on whatever backend.
impl<P: ParameterSet> PartialEq for EncapsulationKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: ParameterSet> Eq for EncapsulationKey<P> {}

impl<P: ParameterSet> fmt::Debug for EncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncapsulationKey").field("set", &P::SET.name).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> KeySizeUser for EncapsulationKey<P> {
    type KeySize = P::EncapsulationKeySize;
}

impl<P: ParameterSet> TryKeyInit for EncapsulationKey<P> {
    fn new(key: &Array<u8, P::EncapsulationKeySize>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }
}

impl<P: ParameterSet> KeyExport for EncapsulationKey<P> {
    fn to_bytes(&self) -> Array<u8, P::EncapsulationKeySize> {
        self.bytes.clone()
    }
}

impl<P: ParameterSet> Encapsulate for EncapsulationKey<P> {
    type Kem = P;

    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedSecret) {
        self.encapsulate_with_rng(rng)
    }
}

/// A decapsulation key, from its seeds d and z.
///
/// It keeps ŝ, and computes the matrix again each time: [`prepare`](Self::prepare) does that once for many uses. It is erased on drop.
#[derive(Clone)]
pub struct DecapsulationKey<P: ParameterSet> {
    /// d and z.
    pub(super) seeds: Secret<[[u8; BYTES]; 2]>,
    pub(super) s: SecretVector,
    pub(super) key: EncapsulationKey<P>,
    /// H(ek).
    pub(super) hash: [u8; BYTES],
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// The key of the seeds `d` and `z`, which must be random and secret, on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(d: &[u8; BYTES], z: &[u8; BYTES], backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self::on(Machine::new(backend)?, d, z))
    }

    fn on(machine: Machine, d: &[u8; BYTES], z: &[u8; BYTES]) -> Self {
        let mut bytes = Array::default();
        let (s, hash) = scheme::generate(machine, &P::SET, d, &mut bytes);
        Self { seeds: Secret([*d, *z]), s, key: EncapsulationKey { bytes, machine }, hash }
    }

    /// The encapsulation key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }

    /// What every use needs, computed once.
    pub fn prepare(&self) -> PreparedDecapsulationKey<P> {
        let [_, z] = self.seeds.0;
        PreparedDecapsulationKey { key: self.key.prepare(), s: self.s.clone(), z: Secret(z) }
    }

    /// The key in FIPS 203's own form: ŝ, ek, H(ek) and z. These bytes are as secret as the key.
    pub fn to_expanded(&self) -> Array<u8, P::ExpandedSize> {
        let [_, z] = &self.seeds.0;
        expanded(&self.key, &self.s, &self.hash, z)
    }

    /// The shared secret of a ciphertext; of one that no encapsulation gave, a secret that nobody else knows (implicit rejection), in
    /// the same time.
    pub fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret {
        let [_, z] = &self.seeds.0;
        let EncapsulationKey { bytes, machine } = &self.key;
        let mut room = Ciphertext::<P>::default();
        let own = Own { s: &self.s.0, z };
        let key = (&bytes[..], &self.hash);
        let shared = Array(scheme::decapsulate_once(*machine, &P::SET, key, own, ciphertext, &mut room).0);
        // What was encrypted again may be of a message that nobody should know.
        room.zeroize();
        shared
    }
}

impl<P: ParameterSet> fmt::Debug for DecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecapsulationKey").field("set", &P::SET.name).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for DecapsulationKey<P> {}

impl<P: ParameterSet> KeySizeUser for DecapsulationKey<P> {
    type KeySize = U64;
}

/// From d and z, one after the other.
impl<P: ParameterSet> KeyInit for DecapsulationKey<P> {
    fn new(seeds: &Seeds) -> Self {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        Self::on(Machine::best(), d, z)
    }
}

/// As d and z, one after the other.
impl<P: ParameterSet> KeyExport for DecapsulationKey<P> {
    fn to_bytes(&self) -> Seeds {
        let mut bytes = Array::default();
        bytes.copy_from_slice(self.seeds.0.as_flattened());
        bytes
    }
}

impl<P: ParameterSet> Generate for DecapsulationKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seeds = Secret([[0; BYTES]; 2]);
        rng.try_fill_bytes(seeds.0.as_flattened_mut())?;
        let [d, z] = &seeds.0;
        Ok(Self::on(Machine::best(), d, z))
    }
}

impl<P: ParameterSet> Decapsulator for DecapsulationKey<P> {
    type Kem = P;

    fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }
}

impl<P: ParameterSet> Decapsulate for DecapsulationKey<P> {
    fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret {
        self.decapsulate(ciphertext)
    }
}
