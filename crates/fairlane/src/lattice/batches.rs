//! Batch calls: key generation, encapsulation and decapsulation for many independent keys.
//!
//! Keys are processed in groups of eight: each step of FIPS 203's algorithms for the whole group before the next one,
//! so that Keccak's eight states are all in use. Line numbers in comments are the standard's.
//!
//! Batches gain what single calls leave idle: most of the time of H(ek) in key generation, little in encapsulation and
//! decapsulation, whose long hashes share permutations with the sampling, and nothing of Keccak where eight states take
//! twice as long as four. docs/performance.md has the counts.
//!
//! Batches took 4 to 13 % longer (Zen 4) when every permutation went through memory, blocks of hashes were masked in
//! lane by lane, and each key had all its noise at hand, in 106 KB for a group.

use super::engine::Engine;
use super::hashes::{Digests, Function, hash_alike};
use super::kem::{Dk, NewKey, differ};
use super::kernels::Vector;
use super::keys::{Ciphertext, DecapsulationKey, EncapsulationKey, ParameterSet, Seeds, SharedSecret};
use super::parameters::{BYTES, ETA2, MAX_CIPHERTEXT, MAX_K, Parameters, encoded_size};
use super::pke::{self, DecryptMemory, Transpose};
use super::ring::{Multiplicand, Poly};
use super::sampler::{Sampler, SamplerState};
use super::samples::{Blocks, destination};
use super::secret::{Secret, Zero};
use crate::{Backend, Unsupported};
use core::array;
use core::borrow::Borrow;
use core::fmt;
use ctutils::{Choice, CtAssign};
use digest::array::Array;

/// How many keys are processed together.
const GROUP: usize = 8;

/// The working memory of a batch call, [`Workspace::SIZE`] bytes, for any parameter set.
///
/// The caller provides it, so that the call itself needs at most 16 KiB of stack. It can be on the heap, as
/// `Box::<Workspace>::default()`, or in a variable, and can be used for any number of calls. Each call erases what it
/// has written to it.
pub struct Workspace {
    sampler: Secret<SamplerState>,
    /// A product, of one key after the other.
    product: Secret<Poly>,
    keys: [Secret<KeyMemory>; GROUP],
}

/// The working memory of one key of a group. What is small stays in the first-level cache from one step to the next.
struct KeyMemory {
    /// The products' factors: ŝ, û or ŷ.
    multiplicands: [Multiplicand; MAX_K],
    /// u, then y, then a row of Â or of its transpose; in the end t̂.
    row: Vector,
    /// v, then an element of e or e₁; in the end e₂.
    noise: Poly,
    /// Room for z, and the output of an encryption.
    bytes: [u8; BYTES + MAX_CIPHERTEXT],
}

impl Zero for KeyMemory {
    const ZERO: Self = Self { multiplicands: Zero::ZERO, row: Zero::ZERO, noise: Zero::ZERO, bytes: Zero::ZERO };
}

impl KeyMemory {
    fn ciphertext(&mut self, parameters: &Parameters) -> &mut [u8] {
        &mut self.bytes[BYTES..][..parameters.ciphertext_size()]
    }
}

impl Workspace {
    /// The size of a workspace in bytes, about 74 KB.
    pub const SIZE: usize = size_of::<Self>();

    /// A workspace. Where [`SIZE`](Self::SIZE) bytes of stack are too much, use `Box::<Workspace>::default()`.
    pub const fn new() -> Self {
        Self { sampler: Secret::ZERO, product: Secret::ZERO, keys: [const { Secret::ZERO }; GROUP] }
    }

    /// Erases what groups of at most `count` keys have written.
    fn erase(&mut self, count: usize) {
        self.sampler.erase();
        self.product.erase();
        for memory in self.keys.iter_mut().take(count) {
            memory.erase();
        }
    }
}

impl Default for Workspace {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}

/// Why a batch call is refused. Nothing is written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// Two of the slices have different lengths.
    WrongCount {
        /// The length of the first slice.
        expected: usize,
        /// The length of another one.
        given: usize,
    },
    /// The backend is not available.
    Unsupported(Unsupported),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { expected, given } => write!(f, "a slice of {given} elements beside one of {expected}"),
            Self::Unsupported(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {}

impl From<Unsupported> for BatchError {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}

/// Checks that all slices are as long as the first one.
fn check_counts(expected: usize, others: &[usize]) -> Result<(), BatchError> {
    match others.iter().find(|&&given| given != expected) {
        Some(&given) => Err(BatchError::WrongCount { expected, given }),
        None => Ok(()),
    }
}

/// Sets `keys[i]` to the key of the seeds `seeds[i]`, d ‖ z, which must be random and secret: the key that
/// [`DecapsulationKey`]'s `new` makes.
///
/// # Errors
/// The slices have different lengths.
pub fn keygen_many<P: ParameterSet>(
    seeds: &[Seeds],
    keys: &mut [Option<DecapsulationKey<P>>],
    workspace: &mut Workspace,
) -> Result<(), BatchError> {
    keygen_many_on(Engine::best(), seeds, keys, workspace)
}

/// [`keygen_many`] on a backend of the caller's choice.
///
/// # Errors
/// Those of [`keygen_many`]; this CPU lacks the backend's features, or there is no kernel for it.
pub fn keygen_many_with_backend<P: ParameterSet>(
    seeds: &[Seeds],
    keys: &mut [Option<DecapsulationKey<P>>],
    workspace: &mut Workspace,
    backend: Backend,
) -> Result<(), BatchError> {
    keygen_many_on(Engine::new(backend)?, seeds, keys, workspace)
}

fn keygen_many_on<P: ParameterSet>(
    engine: Engine,
    seeds: &[Seeds],
    keys: &mut [Option<DecapsulationKey<P>>],
    workspace: &mut Workspace,
) -> Result<(), BatchError> {
    check_counts(seeds.len(), &[keys.len()])?;
    for (seeds, keys) in seeds.chunks(GROUP).zip(keys.chunks_mut(GROUP)) {
        let mut group: [Option<NewKey<'_>>; GROUP] = Default::default();
        for ((new, seeds), key) in group.iter_mut().zip(seeds).zip(keys) {
            let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
            *new = Some(begin_key(engine, d, z, key));
        }
        keygen_group(engine, &P::PARAMETERS, &mut group[..seeds.len()], workspace);
    }
    workspace.erase(seeds.len());
    Ok(())
}

/// Puts an unfinished key in its place. The copy on the stack, up to 4 KiB, is gone when this returns.
#[inline(never)]
fn begin_key<'a, P: ParameterSet>(
    engine: Engine,
    d: &[u8; BYTES],
    z: &[u8; BYTES],
    key: &'a mut Option<DecapsulationKey<P>>,
) -> NewKey<'a> {
    key.insert(DecapsulationKey::unfinished(engine, d, z)).new_key()
}

/// Encapsulates to `keys[i]` with the randomness `messages[i]`, and writes `ciphertexts[i]` and `secrets[i]`, as
/// [`EncapsulationKey::encapsulate_deterministic`] does. Messages must be random, secret and used once.
///
/// Each group of eight keys is processed on the backend of its first key.
///
/// # Errors
/// The slices have different lengths.
pub fn encapsulate_many<P: ParameterSet>(
    keys: &[impl Borrow<EncapsulationKey<P>>],
    messages: &[[u8; BYTES]],
    ciphertexts: &mut [Ciphertext<P>],
    secrets: &mut [SharedSecret],
    workspace: &mut Workspace,
) -> Result<(), BatchError> {
    check_counts(keys.len(), &[messages.len(), ciphertexts.len(), secrets.len()])?;
    let inputs = keys.chunks(GROUP).zip(messages.chunks(GROUP));
    let outputs = ciphertexts.chunks_mut(GROUP).zip(secrets.chunks_mut(GROUP));
    for ((keys, messages), (ciphertexts, secrets)) in inputs.zip(outputs) {
        let group: [&[u8]; GROUP] = array::from_fn(|i| keys.get(i).map_or(&[][..], |key| &key.borrow().bytes));
        let ciphertexts = Array::slice_as_flattened_mut(ciphertexts);
        let (engine, group) = (keys[0].borrow().engine, &group[..keys.len()]);
        encapsulate_group(engine, &P::PARAMETERS, group, messages, ciphertexts, secrets, workspace);
    }
    workspace.erase(keys.len());
    Ok(())
}

/// Decapsulates `ciphertexts[i]` with `keys[i]` and writes `secrets[i]`, as [`DecapsulationKey::decapsulate`] does.
///
/// Each group of eight keys is processed on the backend of its first key.
///
/// # Errors
/// The slices have different lengths.
pub fn decapsulate_many<P: ParameterSet>(
    keys: &[impl Borrow<DecapsulationKey<P>>],
    ciphertexts: &[Ciphertext<P>],
    secrets: &mut [SharedSecret],
    workspace: &mut Workspace,
) -> Result<(), BatchError> {
    check_counts(keys.len(), &[ciphertexts.len(), secrets.len()])?;
    let groups = keys.chunks(GROUP).zip(ciphertexts.chunks(GROUP)).zip(secrets.chunks_mut(GROUP));
    for ((keys, ciphertexts), secrets) in groups {
        let first = keys[0].borrow();
        // The last group may be smaller. Elements beyond its end are not used.
        let group: [Dk<'_>; GROUP] = array::from_fn(|i| keys.get(i).map_or(first, Borrow::borrow).dk());
        let (engine, group) = (first.encapsulation_key().engine, &group[..keys.len()]);
        let ciphertexts = Array::slice_as_flattened(ciphertexts);
        decapsulate_group(engine, &P::PARAMETERS, group, ciphertexts, secrets, workspace);
    }
    workspace.erase(keys.len());
    Ok(())
}

/// ML-KEM.KeyGen_internal (Algorithm 16), with K-PKE.KeyGen (Algorithm 13), for up to eight keys.
fn keygen_group(engine: Engine, parameters: &Parameters, keys: &mut [Option<NewKey<'_>>], workspace: &mut Workspace) {
    let (k, count) = (parameters.k, keys.len());
    let Workspace { sampler, keys: memories, .. } = workspace;
    let (mut sampler, memories) = (Sampler::new(engine, &mut sampler.0), &mut memories[..count]);
    // Algorithm 13, line 1.
    let domain = [parameters.keygen_domain()];
    let mut inputs = Inputs::default();
    let seeds = keys.iter().flatten().map(|key| [&key.d[..], &domain, &[]]);
    let seeds = hash_alike(engine, Function::G, inputs.concatenated(seeds));
    let seeds = &seeds.0[..count];
    // Lines 8 to 11.
    let samples = seeds.iter().enumerate();
    let samples = samples.flat_map(|(i, [_, sigma])| pke::sample_noise(sigma, 0, k, parameters.eta1, i));
    let vectors = keys.iter_mut().flatten().map(|key| &mut key.s_hat[..k]);
    sampler.sample(&mut [], Blocks::binomial(k * count, parameters.eta1), samples, &mut destination(vectors));
    // Line 16.
    for (key, memory) in keys.iter_mut().flatten().zip(&mut *memories) {
        pke::vector_ntt(engine, &mut key.s_hat[..k], &mut memory.0.multiplicands);
    }
    // Lines 3 to 7, 12 to 15, and 17 to 19, row by row.
    for i in 0..k {
        sample_row(&mut sampler, parameters, seeds.iter().map(|[rho, _]| rho), i, Transpose::No, memories);
        sample_noise(&mut sampler, seeds.iter().map(|[_, sigma]| sigma), k + i, parameters.eta1, memories);
        for (key, memory) in keys.iter_mut().flatten().zip(&mut *memories) {
            let KeyMemory { noise, multiplicands, row, .. } = &mut memory.0;
            let bytes = &mut key.ek[i * encoded_size(12)..][..encoded_size(12)];
            pke::keygen_rows(engine, &row[..k], &multiplicands[..k], array::from_mut(noise), bytes);
        }
    }
    for (key, [rho, _]) in keys.iter_mut().flatten().zip(seeds) {
        key.ek[parameters.vector_size()..].copy_from_slice(rho);
    }
    // Algorithm 16, line 3.
    let hashes = hash_alike(engine, Function::H, keys.iter().map(|key| key.as_ref().map_or(&[][..], |key| &*key.ek)));
    for (key, [h, _]) in keys.iter_mut().flatten().zip(&hashes.0) {
        *key.h = *h;
    }
}

/// ML-KEM.Encaps_internal (Algorithm 17) for up to eight keys that have passed the checks. Writes concatenated
/// ciphertexts.
fn encapsulate_group(
    engine: Engine,
    parameters: &Parameters,
    keys: &[&[u8]],
    messages: &[[u8; BYTES]],
    ciphertexts: &mut [u8],
    secrets: &mut [SharedSecret],
    workspace: &mut Workspace,
) {
    let Workspace { sampler, product, keys: memories } = workspace;
    let (mut sampler, memories) = (Sampler::new(engine, &mut sampler.0), &mut memories[..keys.len()]);
    // Line 1.
    let hashes = hash_alike(engine, Function::H, keys.iter().copied());
    let mut inputs = Inputs::default();
    let domain = parameters.encaps_domain();
    let g = inputs.concatenated(messages.iter().zip(&hashes.0).map(|(m, [h, _])| [&m[..], h, domain]));
    let g = hash_alike(engine, Function::G, g);
    // Line 2.
    encrypt_group(&mut sampler, parameters, keys, messages, &g, &mut product.0, memories);
    let ciphertexts = ciphertexts.chunks_exact_mut(parameters.ciphertext_size());
    for ((ciphertext, memory), (secret, [shared, _])) in ciphertexts.zip(memories).zip(secrets.iter_mut().zip(&g.0)) {
        ciphertext.copy_from_slice(memory.0.ciphertext(parameters));
        secret.copy_from_slice(shared);
    }
}

/// ML-KEM.Decaps_internal (Algorithm 18) for up to eight keys and concatenated ciphertexts.
fn decapsulate_group(
    engine: Engine,
    parameters: &Parameters,
    keys: &[Dk<'_>],
    ciphertexts: &[u8],
    secrets: &mut [SharedSecret],
    workspace: &mut Workspace,
) {
    let count = keys.len();
    let ciphertexts = ciphertexts.chunks_exact(parameters.ciphertext_size());
    let Workspace { sampler, product, keys: memories } = workspace;
    let (mut sampler, memories) = (Sampler::new(engine, &mut sampler.0), &mut memories[..count]);
    // Line 5.
    let mut messages = Secret([[0; BYTES]; GROUP]);
    let inputs = keys.iter().zip(ciphertexts.clone());
    for ((m, memory), (dk, c)) in messages.0.iter_mut().zip(&mut *memories).zip(inputs) {
        let KeyMemory { multiplicands, row: u, noise: v, .. } = &mut memory.0;
        let memory = DecryptMemory { u, multiplicands, v, product: &mut product.0 };
        *m = pke::decrypt_in(engine, parameters, dk.s_hat, c, memory).0;
    }
    let messages = &messages.0[..count];
    // Line 6.
    let mut inputs = Inputs::default();
    let domain = parameters.encaps_domain();
    let g = inputs.concatenated(messages.iter().zip(keys).map(|(m, dk)| [&m[..], dk.h, domain]));
    let g = hash_alike(engine, Function::G, g);
    // Line 8.
    let eks: [&[u8]; GROUP] = array::from_fn(|i| keys.get(i).map_or(&[][..], |dk| dk.ek));
    encrypt_group(&mut sampler, parameters, &eks[..count], messages, &g, &mut product.0, memories);
    // Line 9. After it, z ‖ c takes the place of the ciphertext.
    let mut differences = [Choice::FALSE; GROUP];
    for (((memory, dk), c), different) in memories.iter_mut().zip(keys).zip(ciphertexts).zip(&mut differences) {
        *different = differ(memory.0.ciphertext(parameters), c);
        memory.0.bytes[..BYTES].copy_from_slice(dk.z);
        memory.0.ciphertext(parameters).copy_from_slice(c);
    }
    // Line 7.
    let length = BYTES + parameters.ciphertext_size();
    let rejected = hash_alike(engine, Function::J, memories.iter().map(|memory| &memory.0.bytes[..length]));
    // Lines 10 to 12.
    for (i, secret) in secrets.iter_mut().enumerate() {
        let mut shared = Secret(g.0[i][0]);
        shared.0.ct_assign(&rejected.0[i][0], differences[i]);
        secret.copy_from_slice(&shared.0);
    }
}

/// K-PKE.Encrypt (Algorithm 14) for up to eight keys, with r in the second half of each digest `g`. Writes ciphertexts
/// to `memories`.
fn encrypt_group(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    keys: &[&[u8]],
    messages: &[[u8; BYTES]],
    g: &Digests,
    product: &mut Poly,
    memories: &mut [Secret<KeyMemory>],
) {
    let (k, engine) = (parameters.k, sampler.engine());
    let seeds = &g.0[..keys.len()];
    // Lines 1 and 9 to 12.
    let samples = seeds.iter().enumerate();
    let samples = samples.flat_map(|(i, [_, r])| pke::sample_noise(r, 0, k, parameters.eta1, i));
    let vectors = memories.iter_mut().map(|memory| &mut memory.0.row[..k]);
    sampler.sample(&mut [], Blocks::binomial(k * keys.len(), parameters.eta1), samples, &mut destination(vectors));
    // Line 18.
    for Secret(KeyMemory { row, multiplicands, .. }) in &mut *memories {
        pke::vector_ntt(engine, &mut row[..k], multiplicands);
    }
    // Lines 4 to 8, 13 to 16, 19 and 22, row by row.
    for i in 0..k {
        let rhos = keys.iter().map(|ek| pke::split_key(parameters, ek).1);
        sample_row(sampler, parameters, rhos, i, Transpose::Yes, memories);
        sample_noise(sampler, seeds.iter().map(|[_, r]| r), k + i, ETA2, memories);
        for Secret(KeyMemory { noise, multiplicands, row, bytes }) in &mut *memories {
            let size = encoded_size(parameters.du);
            let c1 = &mut bytes[BYTES + i * size..][..size];
            pke::encrypt_rows(engine, parameters, &row[..k], &multiplicands[..k], array::from_mut(noise), product, c1);
        }
    }
    // Lines 2, 17, 20, 21 and 23.
    sample_noise(sampler, seeds.iter().map(|[_, r]| r), 2 * k, ETA2, memories);
    for ((ek, m), memory) in keys.iter().zip(messages).zip(memories) {
        let KeyMemory { noise, multiplicands, row: t_hat, bytes } = &mut memory.0;
        pke::decode_vector(engine, pke::split_key(parameters, ek).0, t_hat);
        let c2 = &mut bytes[BYTES + parameters.c1_size()..BYTES + parameters.ciphertext_size()];
        pke::encrypt_message(engine, parameters, &t_hat[..k], &multiplicands[..k], noise, product, m, c2);
    }
}

/// Samples row `i` of Â, or of its transpose, for each seed ρ.
fn sample_row<'a>(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    rhos: impl ExactSizeIterator<Item = &'a [u8; BYTES]>,
    i: usize,
    transpose: Transpose,
    memories: &mut [Secret<KeyMemory>],
) {
    let blocks = Blocks::uniform(parameters.k * rhos.len());
    let samples = rhos.enumerate();
    let samples = samples.flat_map(|(key, rho)| pke::sample_matrix(parameters, rho, i..i + 1, transpose, key));
    let vectors = memories.iter_mut().map(|memory| &mut memory.0.row[..]);
    sampler.sample(&mut [], blocks, samples, &mut destination(vectors));
}

/// Samples element `n` of the noise for each seed.
fn sample_noise<'a>(
    sampler: &mut Sampler<'_>,
    seeds: impl ExactSizeIterator<Item = &'a [u8; BYTES]>,
    n: usize,
    eta: u8,
    memories: &mut [Secret<KeyMemory>],
) {
    let blocks = Blocks::binomial(seeds.len(), eta);
    let samples = seeds.enumerate().flat_map(|(key, seed)| pke::sample_noise(seed, n, 1, eta, key));
    let vectors = memories.iter_mut().map(|memory| &mut array::from_mut(&mut memory.0.noise)[..]);
    sampler.sample(&mut [], blocks, samples, &mut destination(vectors));
}

/// Room for the inputs of G for a group.
struct Inputs(Secret<[[u8; 2 * BYTES + 1]; GROUP]>);

impl Default for Inputs {
    fn default() -> Self {
        Self(Secret::zero())
    }
}

impl Inputs {
    /// Writes the concatenations of pieces, which are all as long as each other.
    fn concatenated<'a>(
        &mut self,
        pieces: impl Iterator<Item = [&'a [u8]; 3]>,
    ) -> impl ExactSizeIterator<Item = &[u8]> {
        let (mut count, mut len) = (0, 0);
        for (input, pieces) in self.0.0.iter_mut().zip(pieces) {
            (count, len) = (count + 1, 0);
            for piece in pieces {
                input[len..len + piece.len()].copy_from_slice(piece);
                len += piece.len();
            }
        }
        self.0.0[..count].iter().map(move |input| &input[..len])
    }
}
