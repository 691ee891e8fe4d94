//! Keys prepared for many uses: they hold the matrix Â and the hash of the encapsulation key.

use super::engine::Engine;
use super::kem::{self, Dk, DkBytes, KeyError, PreparedKey};
use super::kernels::Vector;
use super::keys::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, SharedSecret};
use super::parameters::BYTES;
use super::pke;
use super::secret::Secret;
use crate::Backend;
use ::kem::common::rand_core::CryptoRng;
use core::fmt;
use digest::array::Array;
use zeroize::ZeroizeOnDrop;

impl<P: ParameterSet> EncapsulationKey<P> {
    /// Computes once what every encapsulation needs of the key.
    pub fn prepare(&self) -> PreparedEncapsulationKey<P> {
        let prepared = PreparedKey::new(self.engine, &P::PARAMETERS, &self.bytes);
        PreparedEncapsulationKey { prepared, key: self.clone() }
    }
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// Computes once what every decapsulation needs of the key.
    pub fn prepare(&self) -> PreparedDecapsulationKey<P> {
        let Dk { s_hat, z, .. } = self.dk();
        PreparedDecapsulationKey { key: self.encapsulation_key().prepare(), s_hat: Secret(*s_hat), z: Secret(*z) }
    }
}

/// An [`EncapsulationKey`] with the matrix Â and the key's hash, for many encapsulations: about 12 KB.
#[derive(Clone)]
pub struct PreparedEncapsulationKey<P: ParameterSet> {
    prepared: PreparedKey,
    key: EncapsulationKey<P>,
}

impl<P: ParameterSet> PreparedEncapsulationKey<P> {
    /// The key itself.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }

    /// As [`EncapsulationKey::encapsulate_deterministic`].
    pub fn encapsulate_deterministic(&self, m: &[u8; BYTES]) -> (Ciphertext<P>, SharedSecret) {
        let mut ciphertext = Ciphertext::<P>::default();
        let Self { prepared, key } = self;
        let shared = kem::encaps_internal_prepared(key.engine, &P::PARAMETERS, prepared, m, &mut ciphertext);
        (ciphertext, Array(shared.0))
    }

    /// As [`EncapsulationKey::encapsulate_with_rng`].
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedSecret) {
        let Ok(m) = kem::random_message(rng);
        self.encapsulate_deterministic(&m.0)
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedEncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedEncapsulationKey").field("set", &P::PARAMETERS.name).finish_non_exhaustive()
    }
}

/// A [`DecapsulationKey`] with the matrix Â, for many decapsulations: about 14 KB, erased on drop.
#[derive(Clone)]
pub struct PreparedDecapsulationKey<P: ParameterSet> {
    key: PreparedEncapsulationKey<P>,
    s_hat: Secret<Vector>,
    z: Secret<[u8; BYTES]>,
}

impl<P: ParameterSet> PreparedDecapsulationKey<P> {
    /// Checks a key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z, and prepares it, on the best backend.
    ///
    /// For a single ciphertext, [`decapsulate_expanded`](super::decapsulate_expanded) takes less time.
    ///
    /// # Errors
    /// The key's length is wrong, a coefficient in it is not below q, or its hash is wrong.
    pub fn from_expanded(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::on(Engine::best(), bytes)
    }

    /// [`from_expanded`](Self::from_expanded) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Those of [`from_expanded`](Self::from_expanded); this CPU lacks the backend's features, or there is no kernel
    /// for it.
    pub fn with_backend(bytes: &[u8], backend: Backend) -> Result<Self, KeyError> {
        Self::on(Engine::new(backend)?, bytes)
    }

    fn on(engine: Engine, bytes: &[u8]) -> Result<Self, KeyError> {
        let DkBytes { dk_pke, ek, h, z } = kem::check_decapsulation_key(engine, &P::PARAMETERS, bytes)?;
        let key = EncapsulationKey::from_checked(engine, ek).prepare();
        if !kem::has_hash(h, &key.prepared.h) {
            return Err(KeyError::Hash);
        }
        let mut s_hat = Secret::<Vector>::zero();
        pke::decode_vector(engine, dk_pke, &mut s_hat.0);
        Ok(Self { key, s_hat, z: Secret(*z) })
    }

    fn dk(&self) -> Dk<'_> {
        let PreparedEncapsulationKey { prepared, key } = &self.key;
        Dk { s_hat: &self.s_hat.0, ek: &key.bytes, h: &prepared.h, z: &self.z.0 }
    }

    /// The key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z. These bytes are as secret as the key.
    pub fn to_expanded(&self) -> Array<u8, P::ExpandedSize> {
        let mut bytes = Array::default();
        kem::encode_decapsulation_key(self.key.key.engine, &P::PARAMETERS, self.dk(), &mut bytes);
        bytes
    }

    /// The encapsulation key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key.key
    }

    /// As [`DecapsulationKey::decapsulate`].
    pub fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret {
        let PreparedEncapsulationKey { prepared, key } = &self.key;
        let shared = kem::decaps_internal_prepared(key.engine, &P::PARAMETERS, prepared, self.dk(), ciphertext);
        Array(shared.0)
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedDecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedDecapsulationKey").field("set", &P::PARAMETERS.name).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for PreparedDecapsulationKey<P> {}
