//! Keys prepared for many uses.

use super::expanded::{Expanded, expanded};
use super::keys::{Ciphertext, EncapsulationKey, KeyError, SharedSecret};
use super::parameters::ParameterSet;
use super::pke::Machine;
use super::scheme::{self, BYTES, Own, Prepared, SecretVector};
use super::secret::Secret;
use crate::Backend;
use ::kem::common::rand_core::CryptoRng;
use core::fmt;
use digest::array::Array;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An [`EncapsulationKey`] with its matrix and its hash, for many encapsulations.
#[derive(Clone)]
pub struct PreparedEncapsulationKey<P: ParameterSet> {
    pub(super) prepared: Prepared,
    pub(super) key: EncapsulationKey<P>,
}

impl<P: ParameterSet> PreparedEncapsulationKey<P> {
    /// The key itself.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }

    /// As [`EncapsulationKey::encapsulate_deterministic`].
    pub fn encapsulate_deterministic(&self, m: &[u8; BYTES]) -> (Ciphertext<P>, SharedSecret) {
        let mut ciphertext = Ciphertext::<P>::default();
        let shared = scheme::encapsulate(self.key.machine, &P::SET, self.prepared.key(), m, &mut ciphertext);
        (ciphertext, Array(shared.0))
    }

    /// Encapsulates a fresh shared secret.
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedSecret) {
        let mut m = Secret([0; BYTES]);
        rng.fill_bytes(&mut m.0);
        self.encapsulate_deterministic(&m.0)
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedEncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedEncapsulationKey").field("set", &P::SET.name).finish_non_exhaustive()
    }
}

/// A [`DecapsulationKey`](super::DecapsulationKey) with its matrix and its hash, for many decapsulations; erased on drop.
#[derive(Clone)]
pub struct PreparedDecapsulationKey<P: ParameterSet> {
    pub(super) key: PreparedEncapsulationKey<P>,
    pub(super) s: SecretVector,
    pub(super) z: Secret<[u8; BYTES]>,
}

impl<P: ParameterSet> PreparedDecapsulationKey<P> {
    /// Checks a key in FIPS 203's own form, ŝ, ek, H(ek) and z, and takes it, on the best backend.
    ///
    /// For one ciphertext alone, [`decapsulate_expanded`](super::decapsulate_expanded) takes less time.
    ///
    /// # Errors
    /// Its length is wrong, a number in it, or the hash.
    pub fn from_expanded(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::on(Machine::best(), bytes)
    }

    /// The same on one backend.
    ///
    /// # Errors
    /// Those of [`from_expanded`](Self::from_expanded); this CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(bytes: &[u8], backend: Backend) -> Result<Self, KeyError> {
        Self::on(Machine::new(backend)?, bytes)
    }

    fn on(machine: Machine, bytes: &[u8]) -> Result<Self, KeyError> {
        let Expanded { s, key, hash, z } = Expanded::<P>::new(machine, bytes)?;
        let key = key.prepare();
        if !key.prepared.has_hash(hash) {
            return Err(KeyError::Hash);
        }
        Ok(Self { key, s, z: Secret(*z) })
    }

    /// The key in FIPS 203's own form: ŝ, ek, H(ek) and z. These bytes are as secret as the key.
    pub fn to_expanded(&self) -> Array<u8, P::ExpandedSize> {
        expanded(&self.key.key, &self.s, self.key.prepared.hash(), &self.z.0)
    }

    /// The encapsulation key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key.key
    }

    /// As [`DecapsulationKey::decapsulate`](super::DecapsulationKey::decapsulate).
    pub fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret {
        let mut room = Ciphertext::<P>::default();
        let (machine, key) = (self.key.key.machine, self.key.prepared.key());
        let own = Own { s: &self.s.0, z: &self.z.0 };
        let shared = Array(scheme::decapsulate(machine, &P::SET, key, own, ciphertext, &mut room).0);
        // As above.
        room.zeroize();
        shared
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedDecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedDecapsulationKey").field("set", &P::SET.name).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for PreparedDecapsulationKey<P> {}
