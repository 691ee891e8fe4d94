//! ML-KEM.KeyGen, Encaps and Decaps (FIPS 203, sections 6 and 7, Algorithms 16 to 21), with the standard's line
//! numbers, for any parameter set.
//!
//! The hashes of long messages, H(ek) and J(z ‖ c), share permutations with the sampling of K-PKE. So lines are not
//! always in the standard's order.

use super::coding::are_reduced;
use super::engine::Engine;
use super::hashes::Hash;
use super::kernels::Vector;
use super::parameters::{BYTES, MAX_CIPHERTEXT, Parameters, with_rank};
use super::pke::{self, EncryptionKey, Matrix, MatrixSource, Transpose};
use super::ring::Poly;
use super::sampler::{Sampler, SamplerState};
use super::samples::{Blocks, destination};
use super::secret::{Secret, Zero};
use crate::Unsupported;
use ::kem::common::rand_core::TryCryptoRng;
use core::fmt;
use ctutils::{Choice, CtAssign, CtEq};

/// A shared secret K.
pub(super) type SharedKey = Secret<[u8; BYTES]>;

/// Why a key is refused (FIPS 203, sections 7.2 and 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The key's length is not that of its parameter set.
    Length,
    /// A coefficient in the key is not below q.
    Modulus,
    /// The hash in a decapsulation key is not that of its encapsulation key.
    Hash,
    /// The requested backend is not available. The key was not checked.
    Unsupported(Unsupported),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "the key's length is not that of its parameter set",
            Self::Modulus => "a coefficient in the key is not below 3329",
            Self::Hash => "the hash in the decapsulation key is not that of its encapsulation key",
            Self::Unsupported(unsupported) => return unsupported.fmt(f),
        })
    }
}

impl From<Unsupported> for KeyError {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

impl core::error::Error for KeyError {}

// ---- Section 7: randomness and the checks of inputs ----

/// ML-KEM.KeyGen (Algorithm 19), lines 1 to 5: d and z. Line 6 is [`keygen_internal`].
pub(super) fn random_seeds<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Secret<[[u8; BYTES]; 2]>, R::Error> {
    let mut seeds = Secret([[0; BYTES]; 2]);
    rng.try_fill_bytes(seeds.0.as_flattened_mut())?;
    Ok(seeds)
}

/// ML-KEM.Encaps (Algorithm 20), lines 1 to 4: m. Line 5 is [`encaps_internal`].
pub(super) fn random_message<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Secret<[u8; BYTES]>, R::Error> {
    let mut m = Secret([0; BYTES]);
    rng.try_fill_bytes(&mut m.0)?;
    Ok(m)
}

/// The checks of an encapsulation key before ML-KEM.Encaps (section 7.2): type check and modulus check.
pub(super) fn check_encapsulation_key(engine: Engine, parameters: &Parameters, ek: &[u8]) -> Result<(), KeyError> {
    if ek.len() != parameters.encapsulation_key_size() {
        return Err(KeyError::Length);
    }
    if !are_reduced(engine, pke::split_key(parameters, ek).0) {
        return Err(KeyError::Modulus);
    }
    Ok(())
}

/// ML-KEM.Decaps (Algorithm 21) with all checks of the decapsulation key (section 7.3), and the modulus checks of ŝ and
/// t̂.
pub(super) fn decaps(engine: Engine, parameters: &Parameters, dk: &[u8], c: &[u8]) -> Result<SharedKey, KeyError> {
    // Lines 1 to 4 of Algorithm 18.
    let DkBytes { dk_pke, ek, h, z } = check_decapsulation_key(engine, parameters, dk)?;
    let (mut s_hat, mut t_hat) = (Secret::<Vector>::zero(), Vector::ZERO);
    pke::decode_vector(engine, dk_pke, &mut s_hat.0);
    let key = decode_key(engine, parameters, ek, &mut t_hat);
    // Line 5.
    let m = pke::decrypt(engine, parameters, &s_hat.0, c);
    // Lines 6 to 12, and in the same permutations the hash check of section 7.3.
    let mut hashes = [Hash::j(z, c), Hash::h(ek), Hash::g([&m.0, h, parameters.encaps_domain()])];
    let shared = reencrypt_and_select(engine, parameters, key, &m.0, &mut hashes, c);
    if has_hash(h, hashes[1].halves().0) { Ok(shared) } else { Err(KeyError::Hash) }
}

/// The parts of a decapsulation key.
pub(super) struct DkBytes<'a> {
    pub(super) dk_pke: &'a [u8],
    pub(super) ek: &'a [u8],
    pub(super) h: &'a [u8; BYTES],
    pub(super) z: &'a [u8; BYTES],
}

/// The type check of a decapsulation key before ML-KEM.Decaps (section 7.3), and modulus checks of ŝ and t̂. The hash
/// check is left to the caller. Returns the key's parts (Algorithm 18, lines 1 to 4).
pub(super) fn check_decapsulation_key<'a>(
    engine: Engine,
    parameters: &Parameters,
    dk: &'a [u8],
) -> Result<DkBytes<'a>, KeyError> {
    if dk.len() != parameters.decapsulation_key_size() {
        return Err(KeyError::Length);
    }
    let (dk_pke, rest) = dk.split_at(parameters.vector_size());
    let (ek, rest) = rest.split_at(parameters.encapsulation_key_size());
    let ([h, z], _) = rest.as_chunks() else { unreachable!("two times 32 bytes are left") };
    check_encapsulation_key(engine, parameters, ek)?;
    if !are_reduced(engine, dk_pke) {
        return Err(KeyError::Modulus);
    }
    Ok(DkBytes { dk_pke, ek, h, z })
}

/// Whether two hashes of keys are equal.
pub(super) fn has_hash(expected: &[u8; BYTES], hash: &[u8; BYTES]) -> bool {
    expected.ct_eq(hash).to_bool()
}

// ---- Section 6: the internal algorithms ----

/// The seed of key generation and the places for its results.
pub(super) struct NewKey<'a> {
    pub(super) d: &'a [u8; BYTES],
    pub(super) ek: &'a mut [u8],
    pub(super) s_hat: &'a mut Vector,
    /// H(ek).
    pub(super) h: &'a mut [u8; BYTES],
}

/// ML-KEM.KeyGen_internal (Algorithm 16). The parts of dk stay separate; [`encode_decapsulation_key`] concatenates
/// them.
pub(super) fn keygen_internal(engine: Engine, parameters: &Parameters, key: NewKey<'_>) {
    let NewKey { d, ek, s_hat, h } = key;
    let mut state = Secret::<SamplerState>::zero();
    // Lines 1 to 3.
    pke::keygen(&mut Sampler::new(engine, &mut state.0), parameters, d, ek, s_hat, h);
}

/// A decapsulation key with ŝ decoded.
#[derive(Clone, Copy)]
pub(super) struct Dk<'a> {
    /// dk<sub>PKE</sub>, decoded.
    pub(super) s_hat: &'a Vector,
    pub(super) ek: &'a [u8],
    /// H(ek).
    pub(super) h: &'a [u8; BYTES],
    /// The secret of implicit rejection.
    pub(super) z: &'a [u8; BYTES],
}

/// dk ← `ByteEncode_12`(ŝ) ‖ ek ‖ H(ek) ‖ z (Algorithm 13, line 20, and Algorithm 16, line 3).
pub(super) fn encode_decapsulation_key(engine: Engine, parameters: &Parameters, key: Dk<'_>, dk: &mut [u8]) {
    let (dk_pke, rest) = dk.split_at_mut(parameters.vector_size());
    pke::encode_vector(engine, key.s_hat, dk_pke);
    let (ek, rest) = rest.split_at_mut(parameters.encapsulation_key_size());
    ek.copy_from_slice(key.ek);
    let (h, z) = rest.split_at_mut(BYTES);
    h.copy_from_slice(key.h);
    z.copy_from_slice(key.z);
}

/// t̂, the transpose of Â, and H(ek), which every encapsulation to a key needs.
#[derive(Clone)]
pub(super) struct PreparedKey {
    t_hat: Vector,
    a_hat: Matrix,
    pub(super) h: [u8; BYTES],
}

impl PreparedKey {
    /// Prepares a key that has passed the checks.
    pub(super) fn new(engine: Engine, parameters: &Parameters, ek: &[u8]) -> Self {
        let mut prepared = Self { t_hat: Vector::ZERO, a_hat: Matrix::ZERO, h: [0; BYTES] };
        let mut state = Secret::<SamplerState>::zero();
        let polys = &mut prepared.a_hat[..parameters.k * parameters.k];
        prepared.h = prepare(&mut Sampler::new(engine, &mut state.0), parameters, ek, &mut prepared.t_hat, polys);
        prepared
    }

    fn key(&self) -> EncryptionKey<'_> {
        EncryptionKey { t_hat: &self.t_hat, a_hat: MatrixSource::Transposed(&self.a_hat) }
    }
}

/// Writes t̂ and the transpose of Â, returns H(ek), which is computed in the permutations of lines 4 to 8 of Algorithm
/// 14.
fn prepare(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    ek: &[u8],
    t_hat: &mut [Poly],
    a_hat: &mut [Poly],
) -> [u8; BYTES] {
    let mut hash = [Hash::h(ek)];
    let (bytes, rho) = pke::split_key(parameters, ek);
    let samples = pke::sample_matrix(parameters, rho, 0..parameters.k, Transpose::Yes, 0);
    let blocks = Blocks::uniform(a_hat.len());
    sampler.sample(&mut hash, blocks, samples, &mut destination(a_hat.chunks_exact_mut(parameters.k)));
    sampler.hash(&mut hash);
    pke::decode_vector(sampler.engine(), bytes, t_hat);
    *hash[0].halves().0
}

/// Decodes t̂. The key keeps ρ; Â is sampled during the encryption.
fn decode_key<'a>(engine: Engine, parameters: &Parameters, ek: &'a [u8], t_hat: &'a mut [Poly]) -> EncryptionKey<'a> {
    let (bytes, rho) = pke::split_key(parameters, ek);
    pke::decode_vector(engine, bytes, t_hat);
    EncryptionKey { t_hat, a_hat: MatrixSource::Rho(rho) }
}

/// ML-KEM.Encaps_internal (Algorithm 17) to a key that has passed the checks: writes the ciphertext, returns K.
pub(super) fn encaps_internal(
    engine: Engine,
    parameters: &Parameters,
    ek: &[u8],
    m: &[u8; BYTES],
    c: &mut [u8],
) -> SharedKey {
    with_rank!(parameters.k, K => encaps_of_rank::<K>(engine, parameters, ek, m, c))
}

fn encaps_of_rank<const K: usize>(
    engine: Engine,
    parameters: &Parameters,
    ek: &[u8],
    m: &[u8; BYTES],
    c: &mut [u8],
) -> SharedKey {
    let mut state = Secret::<SamplerState>::zero();
    let mut sampler = Sampler::new(engine, &mut state.0);
    let (mut t_hat, mut a_hat) = ([Poly::ZERO; K], [[Poly::ZERO; K]; K]);
    let a_hat = a_hat.as_flattened_mut();
    let h = prepare(&mut sampler, parameters, ek, &mut t_hat, a_hat);
    let key = EncryptionKey { t_hat: &t_hat, a_hat: MatrixSource::Transposed(a_hat) };
    encaps_with(&mut sampler, parameters, key, &h, m, c)
}

/// ML-KEM.Encaps_internal (Algorithm 17) to a prepared key: writes the ciphertext, returns K.
pub(super) fn encaps_internal_prepared(
    engine: Engine,
    parameters: &Parameters,
    key: &PreparedKey,
    m: &[u8; BYTES],
    c: &mut [u8],
) -> SharedKey {
    let mut state = Secret::<SamplerState>::zero();
    encaps_with(&mut Sampler::new(engine, &mut state.0), parameters, key.key(), &key.h, m, c)
}

fn encaps_with(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    key: EncryptionKey<'_>,
    h: &[u8; BYTES],
    m: &[u8; BYTES],
    c: &mut [u8],
) -> SharedKey {
    // Line 1.
    let mut g = [Hash::g([m, h, parameters.encaps_domain()])];
    sampler.hash(&mut g);
    let (shared, r) = g[0].halves();
    // Line 2.
    pke::encrypt(sampler, parameters, key, m, Some(r), &mut [], c);
    Secret(*shared)
}

/// ML-KEM.Decaps_internal (Algorithm 18): K, or, if `c` is not the encryption of what it decrypts to, J(z ‖ c).
pub(super) fn decaps_internal(engine: Engine, parameters: &Parameters, dk: Dk<'_>, c: &[u8]) -> SharedKey {
    let mut t_hat = Vector::ZERO;
    let key = decode_key(engine, parameters, dk.ek, &mut t_hat);
    decaps_with(engine, parameters, key, dk, c)
}

/// ML-KEM.Decaps_internal (Algorithm 18) with a prepared key.
pub(super) fn decaps_internal_prepared(
    engine: Engine,
    parameters: &Parameters,
    key: &PreparedKey,
    dk: Dk<'_>,
    c: &[u8],
) -> SharedKey {
    decaps_with(engine, parameters, key.key(), dk, c)
}

fn decaps_with(engine: Engine, parameters: &Parameters, key: EncryptionKey<'_>, dk: Dk<'_>, c: &[u8]) -> SharedKey {
    // Line 5.
    let m = pke::decrypt(engine, parameters, dk.s_hat, c);
    let mut hashes = [Hash::j(dk.z, c), Hash::g([&m.0, dk.h, parameters.encaps_domain()])];
    reencrypt_and_select(engine, parameters, key, &m.0, &mut hashes, c)
}

/// Lines 6 to 12 of Algorithm 18. The first of `hashes` is J(z ‖ c), and the last is G(m′ ‖ h). Others between them are
/// computed too.
fn reencrypt_and_select(
    engine: Engine,
    parameters: &Parameters,
    key: EncryptionKey<'_>,
    m: &[u8; BYTES],
    hashes: &mut [Hash<'_>],
    c: &[u8],
) -> SharedKey {
    let mut state = Secret::<SamplerState>::zero();
    let mut sampler = Sampler::new(engine, &mut state.0);
    // Lines 6 and 8. The sampling shares permutations with the hashes.
    let mut reencrypted = Secret([0; MAX_CIPHERTEXT]);
    let reencrypted = &mut reencrypted.0[..parameters.ciphertext_size()];
    pke::encrypt(&mut sampler, parameters, key, m, None, hashes, reencrypted);
    // Line 7: the rest of J.
    let (g, others) = hashes.split_last_mut().expect("J and G");
    sampler.hash(others);
    // Lines 9 to 12. Encryption never yields a coefficient of u that is not below q, so CLWE-KEM rejects such
    // ciphertexts here.
    let mut shared = Secret(*g.halves().0);
    shared.0.ct_assign(others[0].halves().0, differ(reencrypted, c));
    shared
}

/// Whether two ciphertexts differ, in constant time. It compares eight bytes at a time: byte by byte it would take as
/// long as K-PKE.Decrypt.
pub(super) fn differ(a: &[u8], b: &[u8]) -> Choice {
    let ((a, rest), (b, _)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    debug_assert!(a.len() == b.len() && rest.is_empty());
    let words = a.iter().zip(b).map(|(a, b)| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b));
    words.fold(0, |all, word| all | word).ct_ne(&0)
}
