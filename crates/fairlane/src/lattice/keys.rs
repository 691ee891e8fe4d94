//! The public types: parameter sets, encapsulation keys, and decapsulation keys made from seeds.
//!
//! The types are generic over the parameter set, which determines their sizes. They call functions that take the set as
//! a value and so are compiled once, with this crate.

use super::engine::Engine;
use super::kem::{self, Dk, KeyError, NewKey};
use super::kernels::Vector;
use super::parameters::{BYTES, MAX_CIPHERTEXT, Parameters};
use super::secret::Secret;
use crate::{Backend, Unsupported};
use ::kem::common::rand_core::{CryptoRng, TryCryptoRng};
use ::kem::common::{Generate, InvalidKey, KeyExport, KeyInit, KeySizeUser, TryKeyInit};
use ::kem::consts::{U32, U64};
use ::kem::{Decapsulate, Decapsulator, Encapsulate, Kem};
use core::fmt;
use digest::array::Array;
use hybrid_array::ArraySize;
use hybrid_array::sizes::{U768, U800, U992, U1088, U1184, U1376, U1568, U1632, U1760, U2400, U3168};
use zeroize::ZeroizeOnDrop;

/// A ciphertext of a parameter set.
pub type Ciphertext<P> = Array<u8, <P as Kem>::CiphertextSize>;

/// The seeds of a decapsulation key, d ‖ z: 64 bytes.
pub type Seeds = Array<u8, U64>;

/// A shared secret: 32 bytes.
pub type SharedSecret = Array<u8, U32>;

/// A parameter set, as a type. The trait cannot be implemented outside this crate.
pub trait ParameterSet:
    Kem<EncapsulationKey = EncapsulationKey<Self>, DecapsulationKey = DecapsulationKey<Self>, SharedKeySize = U32>
{
    /// Bytes of an encapsulation key.
    type EncapsulationKeySize: ArraySize;
    /// Bytes of a decapsulation key in FIPS 203's own form.
    type ExpandedSize: ArraySize;
    /// The parameters.
    const PARAMETERS: Parameters;
}

macro_rules! parameter_sets {
    ($($(#[$doc:meta])* $name:ident: $parameters:ident, $ek:ident, $dk:ident, $ciphertext:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name;

        impl Kem for $name {
            type DecapsulationKey = DecapsulationKey<Self>;
            type EncapsulationKey = EncapsulationKey<Self>;
            type SharedKeySize = U32;
            type CiphertextSize = $ciphertext;
        }

        impl ParameterSet for $name {
            type EncapsulationKeySize = $ek;
            type ExpandedSize = $dk;
            const PARAMETERS: Parameters = {
                use digest::typenum::Unsigned;
                let parameters = Parameters::$parameters;
                assert!(parameters.encapsulation_key_size() == $ek::USIZE);
                assert!(parameters.decapsulation_key_size() == $dk::USIZE);
                assert!(parameters.ciphertext_size() == $ciphertext::USIZE);
                assert!(parameters.ciphertext_size() <= MAX_CIPHERTEXT);
                parameters
            };
        }
    )*};
}

parameter_sets! {
    /// ML-KEM-512: security category 1. Encapsulation keys of 800 bytes, ciphertexts of 768.
    MlKem512: ML_KEM_512, U800, U1632, U768;
    /// ML-KEM-768: security category 3, the recommended default. Encapsulation keys of 1184 bytes, ciphertexts of 1088.
    MlKem768: ML_KEM_768, U1184, U2400, U1088;
    /// ML-KEM-1024: security category 5. Encapsulation keys of 1568 bytes, ciphertexts of 1568.
    MlKem1024: ML_KEM_1024, U1568, U3168, U1568;
    /// CLWE-512: core-SVP 2<sup>118</sup>. Encapsulation keys of 800 bytes, ciphertexts of 992.
    Clwe512: CLWE_512, U800, U1632, U992;
    /// CLWE-768: core-SVP 2<sup>182</sup>. Encapsulation keys of 1184 bytes, ciphertexts of 1376.
    Clwe768: CLWE_768, U1184, U2400, U1376;
    /// CLWE-1024: core-SVP 2<sup>255</sup>. Encapsulation keys of 1568 bytes, ciphertexts of 1760.
    Clwe1024: CLWE_1024, U1568, U3168, U1760;
}

/// An encapsulation key, as it is sent: `ByteEncode_12`(t̂) ‖ ρ.
///
/// Each encapsulation computes the matrix Â and the key's hash again; [`prepare`](Self::prepare) computes them once for
/// many.
#[derive(Clone)]
pub struct EncapsulationKey<P: ParameterSet> {
    pub(super) bytes: Array<u8, P::EncapsulationKeySize>,
    pub(super) engine: Engine,
}

impl<P: ParameterSet> EncapsulationKey<P> {
    /// Checks the bytes of a key (FIPS 203, section 7.2) and makes the key, on the best backend.
    ///
    /// # Errors
    /// The length is wrong, or a coefficient is not below q.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::on(Engine::best(), bytes)
    }

    /// [`from_bytes`](Self::from_bytes) on a backend of the caller's choice.
    ///
    /// # Errors
    /// Those of [`from_bytes`](Self::from_bytes); this CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(bytes: &[u8], backend: Backend) -> Result<Self, KeyError> {
        Self::on(Engine::new(backend)?, bytes)
    }

    fn on(engine: Engine, bytes: &[u8]) -> Result<Self, KeyError> {
        kem::check_encapsulation_key(engine, &P::PARAMETERS, bytes)?;
        let bytes: &Array<u8, P::EncapsulationKeySize> = bytes.try_into().map_err(|_| KeyError::Length)?;
        Ok(Self { bytes: bytes.clone(), engine })
    }

    /// The key of bytes that have passed the checks.
    pub(super) fn from_checked(engine: Engine, bytes: &[u8]) -> Self {
        Self { bytes: bytes.try_into().expect("the length was checked"), engine }
    }

    /// The same key on a backend of the caller's choice.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or there is no kernel for it.
    pub fn on_backend(&self, backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { bytes: self.bytes.clone(), engine: Engine::new(backend)? })
    }

    /// The key's bytes.
    pub fn as_bytes(&self) -> &Array<u8, P::EncapsulationKeySize> {
        &self.bytes
    }

    /// The permutation of this key's backend, for what is hashed beside the KEM.
    #[cfg(feature = "x-wing")]
    pub(crate) fn keccak(&self) -> crate::keccak::Keccak {
        self.engine.keccak
    }

    /// Encapsulates with the randomness `m`, which must be random, secret and used once: for protocols and tests that
    /// have their own source of randomness. Returns the ciphertext and the shared secret.
    pub fn encapsulate_deterministic(&self, m: &[u8; BYTES]) -> (Ciphertext<P>, SharedSecret) {
        let mut ciphertext = Ciphertext::<P>::default();
        let shared = kem::encaps_internal(self.engine, &P::PARAMETERS, &self.bytes, m, &mut ciphertext);
        (ciphertext, Array(shared.0))
    }

    /// ML-KEM.Encaps (FIPS 203, Algorithm 20): a ciphertext and a fresh shared secret.
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedSecret) {
        let Ok(m) = kem::random_message(rng);
        self.encapsulate_deterministic(&m.0)
    }
}

/// Compares the bytes. The backends may differ.
impl<P: ParameterSet> PartialEq for EncapsulationKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: ParameterSet> Eq for EncapsulationKey<P> {}

impl<P: ParameterSet> fmt::Debug for EncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncapsulationKey").field("set", &P::PARAMETERS.name).finish_non_exhaustive()
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

/// A decapsulation key, made from its seeds d and z. It is erased on drop.
///
/// It holds ŝ and computes the matrix Â again for each ciphertext; [`prepare`](Self::prepare) computes Â once for many.
#[derive(Clone)]
pub struct DecapsulationKey<P: ParameterSet> {
    /// d and z.
    pub(super) seeds: Secret<[[u8; BYTES]; 2]>,
    s_hat: Secret<Vector>,
    key: EncapsulationKey<P>,
    /// H(ek).
    h: [u8; BYTES],
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// The key of the seeds `d` and `z`, which must be random and secret, on a backend of the caller's choice.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or there is no kernel for it.
    pub fn with_backend(d: &[u8; BYTES], z: &[u8; BYTES], backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self::on(Engine::new(backend)?, d, z))
    }

    fn on(engine: Engine, d: &[u8; BYTES], z: &[u8; BYTES]) -> Self {
        let mut key = Self::unfinished(engine, d, z);
        kem::keygen_internal(engine, &P::PARAMETERS, key.new_key());
        key
    }

    /// A key with its seeds, whose other parts key generation still has to write to [`new_key`](Self::new_key).
    pub(super) fn unfinished(engine: Engine, d: &[u8; BYTES], z: &[u8; BYTES]) -> Self {
        let key = EncapsulationKey { bytes: Array::default(), engine };
        Self { seeds: Secret([*d, *z]), s_hat: Secret::zero(), key, h: [0; BYTES] }
    }

    /// The seed of key generation and the places for its results.
    pub(super) fn new_key(&mut self) -> NewKey<'_> {
        let [d, _] = &self.seeds.0;
        NewKey { d, ek: &mut self.key.bytes, s_hat: &mut self.s_hat.0, h: &mut self.h }
    }

    /// The parts of the key.
    pub(super) fn dk(&self) -> Dk<'_> {
        let [_, z] = &self.seeds.0;
        Dk { s_hat: &self.s_hat.0, ek: &self.key.bytes, h: &self.h, z }
    }

    /// The encapsulation key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.key
    }

    /// The key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z. These bytes are as secret as the key.
    pub fn to_expanded(&self) -> Array<u8, P::ExpandedSize> {
        let mut bytes = Array::default();
        kem::encode_decapsulation_key(self.key.engine, &P::PARAMETERS, self.dk(), &mut bytes);
        bytes
    }

    /// ML-KEM.Decaps (FIPS 203, Algorithm 21): the shared secret of a ciphertext. For a ciphertext that no
    /// encapsulation gives, the result is a secret that nobody else knows (implicit rejection), computed in the same
    /// time.
    pub fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret {
        Array(kem::decaps_internal(self.key.engine, &P::PARAMETERS, self.dk(), ciphertext).0)
    }
}

/// ML-KEM.Decaps (FIPS 203, Algorithm 21) with a decapsulation key in FIPS 203's own form, ŝ ‖ ek ‖ H(ek) ‖ z, as
/// [`DecapsulationKey::decapsulate`], on the best backend.
///
/// # Errors
/// The key's length is wrong, a coefficient in it is not below q, or its hash is wrong.
pub fn decapsulate_expanded<P: ParameterSet>(key: &[u8], ciphertext: &Ciphertext<P>) -> Result<SharedSecret, KeyError> {
    Ok(Array(kem::decaps(Engine::best(), &P::PARAMETERS, key, ciphertext)?.0))
}

/// [`decapsulate_expanded`] on a backend of the caller's choice.
///
/// # Errors
/// Those of [`decapsulate_expanded`]; this CPU lacks the backend's features, or there is no kernel for it.
pub fn decapsulate_expanded_with_backend<P: ParameterSet>(
    key: &[u8],
    ciphertext: &Ciphertext<P>,
    backend: Backend,
) -> Result<SharedSecret, KeyError> {
    Ok(Array(kem::decaps(Engine::new(backend)?, &P::PARAMETERS, key, ciphertext)?.0))
}

impl<P: ParameterSet> fmt::Debug for DecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecapsulationKey").field("set", &P::PARAMETERS.name).finish_non_exhaustive()
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for DecapsulationKey<P> {}

impl<P: ParameterSet> KeySizeUser for DecapsulationKey<P> {
    type KeySize = U64;
}

/// Of the seeds d ‖ z, on the best backend.
impl<P: ParameterSet> KeyInit for DecapsulationKey<P> {
    fn new(seeds: &Seeds) -> Self {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        Self::on(Engine::best(), d, z)
    }
}

/// The seeds d ‖ z.
impl<P: ParameterSet> KeyExport for DecapsulationKey<P> {
    fn to_bytes(&self) -> Seeds {
        let mut bytes = Array::default();
        bytes.copy_from_slice(self.seeds.0.as_flattened());
        bytes
    }
}

/// ML-KEM.KeyGen (FIPS 203, Algorithm 19).
impl<P: ParameterSet> Generate for DecapsulationKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let seeds = kem::random_seeds(rng)?;
        let [d, z] = &seeds.0;
        Ok(Self::on(Engine::best(), d, z))
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
