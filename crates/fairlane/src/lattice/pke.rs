//! K-PKE, the public-key encryption inside the KEM (FIPS 203, section 5, Algorithms 13 to 15), with the standard's
//! line numbers. On its own it is not safe to use.
//!
//! Some functions take hashes of the KEM and absorb their blocks in the permutations that sampling needs anyway. Line
//! numbers in comments then are not in the standard's order.

use super::coding::{byte_decode, byte_encode};
use super::engine::Engine;
use super::hashes::Hash;
use super::kernels::{AddMessage, Decrypt, EncryptRow, KeyGenRow, VectorNtt};
use super::parameters::{BYTES, ETA2, MAX_K, Parameters, encoded_size, with_rank};
use super::ring::{Multiplicand, Poly};
use super::sampler::{Lanes, Sampler};
use super::samples::{Blocks, Sample, destination};
use super::secret::{Secret, Zero};
use core::array;
use core::ops::Range;

/// Up to `MAX_K * MAX_K` elements of T<sub>q</sub>, in rows of k.
pub(super) type Matrix = [Poly; MAX_K * MAX_K];

/// ek<sub>PKE</sub> with t̂ decoded.
#[derive(Clone, Copy)]
pub(super) struct EncryptionKey<'a> {
    pub(super) t_hat: &'a [Poly],
    pub(super) a_hat: MatrixSource<'a>,
}

/// The matrix Â of an encryption.
#[derive(Clone, Copy)]
pub(super) enum MatrixSource<'a> {
    /// The transpose of Â, k<sup>2</sup> polynomials.
    Transposed(&'a [Poly]),
    /// ρ, which Â is sampled from.
    Rho(&'a [u8; BYTES]),
}

/// Splits ek<sub>PKE</sub> into `ByteEncode_12`(t̂) and ρ (Algorithm 14, lines 2 and 3).
pub(super) fn split_key<'a>(parameters: &Parameters, ek: &'a [u8]) -> (&'a [u8], &'a [u8; BYTES]) {
    let (t_hat, rho) = ek.split_at(parameters.vector_size());
    (t_hat, rho.try_into().expect("an encapsulation key ends with 32 bytes"))
}

/// K-PKE.KeyGen (Algorithm 13) from the seed `d`, and H(ek) of Algorithm 16, line 3: writes `ek`, `s_hat`, which is
/// dk<sub>PKE</sub> before its encoding (line 20), and `h`.
pub(super) fn keygen(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    d: &[u8; BYTES],
    ek: &mut [u8],
    s_hat: &mut [Poly],
    h: &mut [u8; BYTES],
) {
    with_rank!(parameters.k, K => keygen_of_rank::<K>(sampler, parameters, d, ek, s_hat, h));
}

fn keygen_of_rank<const K: usize>(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    d: &[u8; BYTES],
    ek: &mut [u8],
    s_hat: &mut [Poly],
    h: &mut [u8; BYTES],
) {
    let engine = sampler.engine();
    // Line 1.
    let domain = [parameters.keygen_domain()];
    let mut seeds = [Hash::g([d, &domain, &[]])];
    sampler.hash(&mut seeds);
    let (rho, sigma) = seeds[0].halves();

    // Lines 3 to 15, in the order in which the next steps need them: a row of Â after the other.
    let (mut a_hat, mut e) = ([[Poly::ZERO; K]; K], Secret::<[Poly; K]>::zero());
    let (s, e) = (&mut s_hat[..K], &mut e.0);
    let mut lanes = Lanes::default();
    let first = sampler.rows_before_hash(K);
    let samples = sample_matrix(parameters, rho, 0..first, Transpose::No, 2);
    let samples = samples.chain(sample_noise(sigma, 0, K, parameters.eta1, 0));
    let samples = samples.chain(sample_noise(sigma, K, K, parameters.eta1, 1));
    let mut samples = samples.chain(sample_matrix(parameters, rho, first..K, Transpose::No, 2 + first));
    let mut multiplicands = Secret::<[Multiplicand; K]>::zero();
    let mut absorbed = 0;
    for i in 0..K {
        let (known, row) = ek.split_at_mut(i * encoded_size(12));
        // The same permutations absorb the rows of t̂ that are known, for H(ek).
        let mut hash = [Hash::h(known).resume(absorbed).prefix()];
        let hashes = if i == 0 { &mut [][..] } else { &mut hash };
        let vectors = [&mut *s, &mut *e].into_iter().chain(a_hat.iter_mut().map(|row| &mut row[..]));
        let rows = first.max(i + 1);
        let (count, begun) = ((2 + rows) * K, lanes.begun());
        let blocks = match i {
            0 => Blocks::uniform(rows * K).and(Blocks::binomial(2 * K, parameters.eta1)),
            // Idle lanes may have begun more than this row needs.
            _ => Blocks::uniform(count.saturating_sub(begun)),
        };
        sampler.sample_first(&mut lanes, count, hashes, blocks, &mut samples, &mut destination(vectors));
        absorbed = hash[0].absorbed();
        if i == 0 {
            // Line 16.
            vector_ntt(engine, s, &mut multiplicands.0);
        }
        // Lines 17 to 19.
        keygen_rows(engine, &a_hat[i], &multiplicands.0, &mut e[i..=i], &mut row[..encoded_size(12)]);
    }
    ek[parameters.vector_size()..].copy_from_slice(rho);

    // Algorithm 16, line 3: the rest of H(ek).
    let mut hash = [Hash::h(ek).resume(absorbed)];
    sampler.hash(&mut hash);
    *h = *hash[0].halves().0;
}

/// K-PKE.Encrypt (Algorithm 14): writes the ciphertext of `m` with the randomness `r`, or, if that is not known yet,
/// the second half of the last of `hashes`, which has one block. Permutations of the sampling absorb blocks of the
/// others.
pub(super) fn encrypt(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    key: EncryptionKey<'_>,
    m: &[u8; BYTES],
    r: Option<&[u8; BYTES]>,
    hashes: &mut [Hash<'_>],
    c: &mut [u8],
) {
    with_rank!(parameters.k, K => encrypt_of_rank::<K>(sampler, parameters, key, m, r, hashes, c));
}

fn encrypt_of_rank<const K: usize>(
    sampler: &mut Sampler<'_>,
    parameters: &Parameters,
    key: EncryptionKey<'_>,
    m: &[u8; BYTES],
    r: Option<&[u8; BYTES]>,
    hashes: &mut [Hash<'_>],
    c: &mut [u8],
) {
    let engine = sampler.engine();
    // Lines 4 to 8.
    let mut sampled;
    let (rho, rows, polys) = match key.a_hat {
        MatrixSource::Transposed(_) => (&[0; BYTES], 0, &mut [][..]),
        MatrixSource::Rho(rho) => {
            sampled = [[Poly::ZERO; K]; K];
            (rho, K, &mut sampled[..])
        }
    };
    let mut lanes = Lanes::default();
    let mut samples = sample_matrix(parameters, rho, 0..rows, Transpose::Yes, 3);
    let mut blocks = Blocks::uniform(rows * K);
    // The first blocks of the other hashes are absorbed with that of r.
    let (r, hashes) = match r {
        Some(r) => (r, hashes),
        None => {
            sampler.absorb_block(&mut lanes, hashes, &mut blocks, &mut samples);
            let (g, others) = hashes.split_last_mut().expect("a hash");
            (g.halves().1, others)
        }
    };
    // Lines 1 and 9 to 17.
    let mut noise = Secret::<[[Poly; K]; 2]>::zero();
    let [y, e1] = &mut noise.0;
    let mut last = Secret::<[Poly; 2]>::zero();
    let [e2, product] = &mut last.0;
    let samples = samples.chain(sample_noise(r, 0, K, parameters.eta1, 0));
    let samples = samples.chain(sample_noise(r, K, K, ETA2, 1)).chain(sample_noise(r, 2 * K, 1, ETA2, 2));
    let blocks = blocks.and(Blocks::binomial(K, parameters.eta1)).and(Blocks::binomial(K + 1, ETA2));
    let vectors = [&mut y[..], e1, array::from_mut(e2)].into_iter();
    let vectors = vectors.chain(polys.iter_mut().map(|row| &mut row[..]));
    sampler.sample_first(&mut lanes, usize::MAX, hashes, blocks, &mut { samples }, &mut destination(vectors));
    let a_hat = match key.a_hat {
        MatrixSource::Transposed(a_hat) => a_hat,
        MatrixSource::Rho(_) => polys.as_flattened(),
    };
    let (c1, c2) = c.split_at_mut(parameters.c1_size());
    // Line 18.
    let mut multiplicands = Secret::<[Multiplicand; K]>::zero();
    vector_ntt(engine, y, &mut multiplicands.0);
    let y_hat = &multiplicands.0;
    // Lines 19 and 22.
    encrypt_rows(engine, parameters, &a_hat[..K * K], y_hat, e1, product, c1);
    // Lines 20, 21 and 23.
    encrypt_message(engine, parameters, &key.t_hat[..K], y_hat, e2, product, m, c2);
}

/// K-PKE.Decrypt (Algorithm 15): the message of `c`. Line 5, the decoding of ŝ, is done once per key.
pub(super) fn decrypt(engine: Engine, parameters: &Parameters, s_hat: &[Poly], c: &[u8]) -> Secret<[u8; BYTES]> {
    with_rank!(parameters.k, K => {
        let (mut u, mut multiplicands) = ([Poly::ZERO; K], [Multiplicand::ZERO; K]);
        let mut polys = Secret::<[Poly; 2]>::zero();
        let [v, product] = &mut polys.0;
        let memory = DecryptMemory { u: &mut u, multiplicands: &mut multiplicands, v, product };
        decrypt_in(engine, parameters, s_hat, c, memory)
    })
}

/// Working memory of K-PKE.Decrypt. All of it is overwritten; v and the product are secret.
pub(super) struct DecryptMemory<'a> {
    pub(super) u: &'a mut [Poly],
    pub(super) multiplicands: &'a mut [Multiplicand],
    pub(super) v: &'a mut Poly,
    pub(super) product: &'a mut Poly,
}

/// [`decrypt`] in working memory of the caller's.
pub(super) fn decrypt_in(
    engine: Engine,
    parameters: &Parameters,
    s_hat: &[Poly],
    c: &[u8],
    memory: DecryptMemory<'_>,
) -> Secret<[u8; BYTES]> {
    let Parameters { k, du, dv, .. } = *parameters;
    let DecryptMemory { u, multiplicands, v, product } = memory;
    let (u, multiplicands) = (&mut u[..k], &mut multiplicands[..k]);
    // Lines 1 and 2, and the decoding of lines 3 and 4.
    let (c1, c2) = c.split_at(parameters.c1_size());
    for (poly, bytes) in u.iter_mut().zip(c1.chunks_exact(encoded_size(du))) {
        byte_decode(engine, bytes, du, poly);
    }
    byte_decode(engine, c2, dv, v);
    // The decompression of lines 3 and 4, line 6, and the compression of line 7.
    engine.run_ring(Decrypt { s_hat: &s_hat[..k], u, du, v: &mut *v, dv, multiplicands, product });
    // The encoding of line 7.
    let mut m = Secret([0; BYTES]);
    byte_encode(engine, v, 1, &mut m.0);
    m
}

// ---- The steps of the algorithms, which `batches` applies to several keys in turn ----

/// Whether to sample Â or its transpose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Transpose {
    No,
    Yes,
}

/// Rows of Â or of its transpose (Algorithm 13, lines 3 to 7; Algorithm 14, lines 4 to 8), each to a vector of its own,
/// the first to vector `to`.
pub(super) fn sample_matrix<'a>(
    parameters: &Parameters,
    rho: &'a [u8; BYTES],
    rows: Range<usize>,
    transpose: Transpose,
    to: usize,
) -> impl Iterator<Item = Sample<'a>> {
    let (k, first) = (parameters.k, rows.start);
    rows.flat_map(move |i| {
        (0..k).map(move |j| {
            let (row, column) = (i as u8, j as u8);
            // Row i and column j: SampleNTT(ρ ‖ j ‖ i).
            let numbers = if transpose == Transpose::Yes { [row, column] } else { [column, row] };
            Sample::uniform(rho, numbers, [(to + i - first) as u8, column])
        })
    })
}

/// `SamplePolyCBD_η`(`PRF_η`(`seed`, N)) for `count` values of N from `n` on (Algorithm 13, lines 8 to 15), to vector
/// `to`.
pub(super) fn sample_noise(
    seed: &[u8; BYTES],
    n: usize,
    count: usize,
    eta: u8,
    to: usize,
) -> impl Iterator<Item = Sample<'_>> {
    (0..count).map(move |i| Sample::binomial(seed, (n + i) as u8, eta, [to as u8, i as u8]))
}

/// ŝ ← NTT(s) or ŷ ← NTT(y) (Algorithm 13, line 16; Algorithm 14, line 18), in place and as multiplicands.
pub(super) fn vector_ntt(engine: Engine, polys: &mut [Poly], multiplicands: &mut [Multiplicand]) {
    engine.run_ring(VectorNtt { polys, multiplicands });
}

/// Rows of t̂ (Algorithm 13, lines 17 to 19), encoded, from as many rows of Â and elements of e, which are overwritten.
pub(super) fn keygen_rows(engine: Engine, a_hat: &[Poly], s_hat: &[Multiplicand], e: &mut [Poly], bytes: &mut [u8]) {
    for ((row, e), bytes) in a_hat.chunks_exact(s_hat.len()).zip(e).zip(bytes.chunks_exact_mut(encoded_size(12))) {
        engine.run_ring(KeyGenRow { row, s_hat, e });
        byte_encode(engine, e, 12, bytes);
    }
}

/// Rows of u (Algorithm 14, lines 19 and 22), encoded, from as many rows of the transpose of Â and elements of e₁,
/// which are overwritten, as is `product`.
pub(super) fn encrypt_rows(
    engine: Engine,
    parameters: &Parameters,
    a_hat: &[Poly],
    y_hat: &[Multiplicand],
    e1: &mut [Poly],
    product: &mut Poly,
    c1: &mut [u8],
) {
    let d = parameters.du;
    for ((row, e), bytes) in a_hat.chunks_exact(parameters.k).zip(e1).zip(c1.chunks_exact_mut(encoded_size(d))) {
        engine.run_ring(EncryptRow { row, y_hat, e, d, product: &mut *product });
        byte_encode(engine, e, d, bytes);
    }
}

/// v (Algorithm 14, lines 20, 21 and 23), encoded, from e₂, which is overwritten, as is `product`.
#[expect(clippy::too_many_arguments, reason = "the inputs of Algorithm 14 and its working memory")]
pub(super) fn encrypt_message(
    engine: Engine,
    parameters: &Parameters,
    t_hat: &[Poly],
    y_hat: &[Multiplicand],
    e2: &mut Poly,
    product: &mut Poly,
    m: &[u8; BYTES],
    c2: &mut [u8],
) {
    let d = parameters.dv;
    byte_decode(engine, m, 1, product);
    engine.run_ring(AddMessage { bits: product, e2 });
    engine.run_ring(EncryptRow { row: t_hat, y_hat, e: e2, d, product });
    byte_encode(engine, e2, d, c2);
}

/// `ByteDecode_12` of each element of t̂ or ŝ (Algorithm 14, line 2; Algorithm 15, line 5).
pub(super) fn decode_vector(engine: Engine, bytes: &[u8], vector: &mut [Poly]) {
    for (poly, bytes) in vector.iter_mut().zip(bytes.chunks_exact(encoded_size(12))) {
        byte_decode(engine, bytes, 12, poly);
    }
}

/// `ByteEncode_12` of each element of ŝ (Algorithm 13, line 20).
pub(super) fn encode_vector(engine: Engine, vector: &[Poly], bytes: &mut [u8]) {
    for (poly, bytes) in vector.iter().zip(bytes.chunks_exact_mut(encoded_size(12))) {
        byte_encode(engine, poly, 12, bytes);
    }
}
