//! K-PKE, the public-key encryption inside the KEM (FIPS 203, section 5). On its own it is not safe to use.
//!
//! In CLWE-KEM, another byte goes into G with the seed d, and u is not compressed.

use super::Params;
use super::ring::{
    N, Polynomial, add, byte_decode, byte_encode, compress, decompress, inverse_ntt, multiply_ntts, ntt, sample_cbd,
    sample_ntt, subtract,
};
use crate::keccak::{sha3_512, shake256};

/// The bytes of `ByteEncode_12` of an element of T<sub>q</sub>.
pub(super) const ELEMENT: usize = 384;

/// η<sub>2</sub>, the same in every parameter set.
const ETA2: usize = 2;

/// K-PKE.KeyGen (Algorithm 13): the encryption key, 384 k + 32 bytes, and the decryption key, 384 k bytes.
pub(super) fn keygen(params: Params, d: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    // Line 1.
    let (rho, sigma) = g(&[d, &[params.domain.unwrap_or(params.k as u8)]]);
    keygen_from(params, &rho, &sigma)
}

/// The same from ρ, which is public, and σ, which is not.
pub(super) fn keygen_from(params: Params, rho: &[u8; 32], sigma: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let Params { k, eta1, .. } = params;
    // Lines 3 to 7.
    let a_hat = matrix(k, rho);
    // Lines 8 to 17.
    let s_hat: Vec<_> = noise(k, eta1, sigma, 0).iter().map(ntt).collect();
    let e_hat: Vec<_> = noise(k, eta1, sigma, k).iter().map(ntt).collect();
    // Line 18.
    let t_hat: Vec<_> = (0..k).map(|i| add(&dot(&a_hat[i], &s_hat), &e_hat[i])).collect();
    // Lines 19 to 21.
    let ek = [encode_vector(&t_hat), rho.to_vec()].concat();
    (ek, encode_vector(&s_hat))
}

/// K-PKE.Encrypt (Algorithm 14): the ciphertext, 32 (d<sub>u</sub> k + d<sub>v</sub>) bytes, of a message of 32 bytes.
pub(super) fn encrypt(params: Params, ek: &[u8], m: &[u8; 32], r: &[u8; 32]) -> Vec<u8> {
    let Params { k, eta1, du, dv, .. } = params;
    // Lines 2 and 3.
    let (t_hat, rho) = ek.split_at(ELEMENT * k);
    let t_hat = decode_vector(t_hat);
    // Lines 4 to 8.
    let a_hat = matrix(k, rho);
    // Lines 9 to 12, and 18.
    let y_hat: Vec<_> = noise(k, eta1, r, 0).iter().map(ntt).collect();
    // Lines 13 to 17.
    let e1 = noise(k, ETA2, r, k);
    let e2 = noise(1, ETA2, r, 2 * k)[0];

    // Lines 19 and 22.
    let mut c = Vec::new();
    for j in 0..k {
        // Row j of the transpose of Â.
        let column: Vec<_> = a_hat.iter().map(|row| row[j]).collect();
        let u = add(&inverse_ntt(&dot(&column, &y_hat)), &e1[j]);
        c.extend(byte_encode(du, &u.map(|x| compress(du, x))));
    }
    // Line 20.
    let mu = byte_decode(1, m).map(|y| decompress(1, y));
    // Line 21.
    let v = add(&add(&inverse_ntt(&dot(&t_hat, &y_hat)), &e2), &mu);
    // Lines 23 and 24.
    c.extend(byte_encode(dv, &v.map(|x| compress(dv, x))));
    c
}

/// K-PKE.Decrypt (Algorithm 15): the message, 32 bytes, of a ciphertext.
pub(super) fn decrypt(params: Params, dk: &[u8], c: &[u8]) -> [u8; 32] {
    let Params { k, du, dv, .. } = params;
    // Lines 1 and 2.
    let (c1, c2) = c.split_at(32 * du * k);
    // Lines 3 and 4, and NTT(u′) of line 6.
    let u_hat: Vec<_> = c1.chunks_exact(32 * du).map(|c| ntt(&byte_decode(du, c).map(|y| decompress(du, y)))).collect();
    let v = byte_decode(dv, c2).map(|y| decompress(dv, y));
    // Lines 5 and 6.
    let w = subtract(&v, &inverse_ntt(&dot(&decode_vector(dk), &u_hat)));
    // Line 7.
    byte_encode(1, &w.map(|x| compress(1, x))).try_into().expect("256 bits are 32 bytes")
}

/// G (section 4.1): SHA3-512, in two halves of 32 bytes.
pub(super) fn g(parts: &[&[u8]]) -> ([u8; 32], [u8; 32]) {
    let hash = sha3_512(&parts.concat());
    let [a, b] = [0, 32].map(|at| std::array::from_fn(|i| hash[at + i]));
    (a, b)
}

/// The matrix Â in rows (Algorithm 13, lines 3 to 7): k × k elements of T<sub>q</sub>, sampled from ρ.
fn matrix(k: usize, rho: &[u8]) -> Vec<Vec<Polynomial>> {
    let element = |i: usize, j: usize| {
        let mut seed = [0; 34];
        seed[..32].copy_from_slice(rho);
        // The column comes first.
        seed[32..].copy_from_slice(&[j as u8, i as u8]);
        sample_ntt(&seed)
    };
    (0..k).map(|i| (0..k).map(|j| element(i, j)).collect()).collect()
}

/// Samples `count` noise polynomials: `SamplePolyCBD_η`(PRF<sub>η</sub>(`seed`, N)) for N from `first` on.
fn noise(count: usize, eta: usize, seed: &[u8; 32], first: usize) -> Vec<Polynomial> {
    let sample = |n: usize| {
        let mut prf = vec![0; 64 * eta];
        shake256(&[&seed[..], &[n as u8]].concat(), &mut prf);
        sample_cbd(eta, &prf)
    };
    (first..first + count).map(sample).collect()
}

/// The inner product of two vectors over T<sub>q</sub>.
fn dot(a: &[Polynomial], b: &[Polynomial]) -> Polynomial {
    a.iter().zip(b).fold([0; N], |sum, (a, b)| add(&sum, &multiply_ntts(a, b)))
}

/// `ByteEncode_12` of each element.
fn encode_vector(vector: &[Polynomial]) -> Vec<u8> {
    vector.iter().flat_map(|element| byte_encode(12, element)).collect()
}

/// `ByteDecode_12` of each element.
fn decode_vector(bytes: &[u8]) -> Vec<Polynomial> {
    bytes.chunks_exact(ELEMENT).map(|element| byte_decode(12, element)).collect()
}

/// The modulus check of section 7.2: whether encoding the decoded elements gives the same bytes, as it does if every
/// coefficient is below q.
pub(super) fn is_reduced(bytes: &[u8]) -> bool {
    encode_vector(&decode_vector(bytes)) == bytes
}
