//! The encryption inside (FIPS 203, K-PKE, algorithms 13 to 15), for any parameter set: what is compiled for each backend, and the order of
//! steps around it.

use super::packing::{compress, decompress, packed};
use super::parameters::Set;
use super::ring::{self, Poly, Q};
use super::sampling;
use super::secret::Secret;
use crate::keccak::Keccak;
use crate::{Backend, Unsupported};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, I16x1, I16xN, Kernel, Scalar, Token};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{I16x16, I16x32};

/// The highest rank of the module.
pub(super) const K: usize = 4;

/// Up to [`K`] polynomials.
pub(super) type Vector = [Poly; K];
/// Up to `K * K` polynomials in the NTT domain, in the order of pairs: rows of [`Set::k`].
pub(super) type Matrix = [Poly; K * K];

pub(super) const ZEROS: Vector = [const { Poly::ZERO }; K];

/// The backends of the ring, best first; Keccak has its own.
pub(crate) const BACKENDS: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Scalar];

/// What everything here is computed on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    pub(super) token: AnyToken,
    pub(super) keccak: Keccak,
}

/// The matrix Â of a seed, or its transpose.
pub(super) fn matrix(machine: Machine, set: &Set, rho: &[u8; 32], transposed: bool) -> Matrix {
    let k = set.k;
    let mut indices = [[0; 2]; K * K];
    for i in 0..k {
        for j in 0..k {
            // Row i and column j of Â: j comes first.
            indices[k * i + j] = if transposed { [i as u8, j as u8] } else { [j as u8, i as u8] };
        }
    }
    let mut matrix = [const { Poly::ZERO }; K * K];
    sampling::matrix(machine.keccak, rho, &indices[..k * k], &mut matrix[..k * k]);
    machine.run(ToPairs(&mut matrix[..k * k]));
    matrix
}

/// Key generation from ρ's matrix and σ: t̂ in the standard's order and ŝ in that of pairs, numbers below q.
pub(super) fn generate(machine: Machine, set: &Set, matrix: &Matrix, sigma: &[u8; 32], t: &mut Vector, s: &mut Vector) {
    let k = set.k;
    let mut noise = Secret([const { Poly::ZERO }; 2 * K]);
    sampling::noise(machine.keccak, sigma, 0, &[set.eta1; 2 * K][..2 * k], &mut noise.0[..2 * k]);
    let (secrets, errors) = noise.0[..2 * k].split_at_mut(k);
    machine.run(Generate { matrix: &matrix[..k * k], s: secrets, e: errors, t: &mut t[..k] });
    s[..k].clone_from_slice(secrets);
}

/// Encryption of `message` with the randomness `r` to t̂ (in the order of pairs) and the transposed matrix.
pub(super) fn encrypt(
    machine: Machine,
    set: &Set,
    (t, matrix): (&[Poly], &[Poly]),
    message: &[u8; 32],
    r: &[u8; 32],
    ciphertext: &mut [u8],
) {
    let k = set.k;
    let mut etas = [2; 2 * K + 1];
    etas[..k].fill(set.eta1);
    let mut noise = Secret([const { Poly::ZERO }; 2 * K + 1]);
    sampling::noise(machine.keccak, r, 0, &etas[..2 * k + 1], &mut noise.0[..2 * k + 1]);
    let (y, rest) = noise.0[..2 * k + 1].split_at_mut(k);
    let (e1, e2) = rest.split_at_mut(k);
    let e2 = &mut e2[0];
    for (i, number) in e2.0.iter_mut().enumerate() {
        // A bit as 0 or q / 2, rounded.
        *number += -i16::from(message[i / 8] >> (i % 8) & 1) & ((Q + 1) / 2);
    }
    machine.run(Encrypt { t, matrix, y, e1, e2, product: &mut Secret::<Poly>::blank().0 });
    let (u, v) = ciphertext.split_at_mut(k * packed(set.du));
    for (poly, bytes) in e1.iter().zip(u.chunks_exact_mut(packed(set.du))) {
        compress(poly, set.du, bytes);
    }
    compress(e2, set.dv, v);
}

/// Decryption by ŝ, in the order of pairs.
pub(super) fn decrypt(machine: Machine, set: &Set, s: &[Poly], ciphertext: &[u8]) -> Secret<[u8; 32]> {
    let k = set.k;
    let (bytes, rest) = ciphertext.split_at(k * packed(set.du));
    let (mut u, mut v) = (ZEROS, Secret(Poly::ZERO));
    for (poly, bytes) in u.iter_mut().zip(bytes.chunks_exact(packed(set.du))) {
        decompress(bytes, set.du, poly);
    }
    decompress(rest, set.dv, &mut v.0);
    machine.run(Decrypt { s, u: &mut u[..k], v: &mut v.0, product: &mut Secret::<Poly>::blank().0 });
    let mut bits = Secret([0; packed(1)]);
    compress(&v.0, 1, &mut bits.0);
    bits
}

/// Polynomials as they are packed to the order of pairs.
pub(super) fn to_pairs(machine: Machine, polys: &mut [Poly]) {
    machine.run(ToPairs(polys));
}

/// The converse of [`to_pairs`].
pub(super) fn from_pairs(machine: Machine, polys: &mut [Poly]) {
    machine.run(FromPairs(polys));
}

/// Work in the ring, for words of any size.
pub(super) trait Job {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token);
}

struct In<J, W, const N: usize>(J, PhantomData<W>);

impl<J: Job, W: I16xN<N>, const N: usize> Kernel<W::Token> for In<J, W, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        self.0.run::<W, N>(token);
    }
}

impl Machine {
    pub(super) fn best() -> Self {
        Self { token: AnyToken::best(BACKENDS), keccak: Keccak::best() }
    }

    pub(super) fn new(backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { token: AnyToken::among(BACKENDS, backend)?, keccak: Keccak::new(backend)? })
    }

    #[inline(always)]
    pub(super) fn run<J: Job>(self, job: J) {
        match self.token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => token.run(In::<J, I16x32, 32>(job, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => token.run(In::<J, I16x16, 16>(job, PhantomData)),
            _ => Scalar::PROOF.run(In::<J, I16x1<Scalar>, 1>(job, PhantomData)),
        }
    }
}

struct ToPairs<'a>(&'a mut [Poly]);

impl Job for ToPairs<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        for poly in self.0 {
            ring::to_pairs::<W, N>(token, poly);
        }
    }
}

struct FromPairs<'a>(&'a mut [Poly]);

impl Job for FromPairs<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        for poly in self.0 {
            ring::from_pairs::<W, N>(token, poly);
        }
    }
}

/// t̂ = Â ŝ + ê. `s` and `e` are taken as noise; ŝ is left in `s`.
struct Generate<'a> {
    matrix: &'a [Poly],
    s: &'a mut [Poly],
    e: &'a mut [Poly],
    t: &'a mut [Poly],
}

impl Job for Generate<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { matrix, s, e, t } = self;
        for poly in &mut *s {
            ring::ntt::<W, N>(token, poly);
        }
        let k = s.len();
        for i in 0..k {
            ring::ntt::<W, N>(token, &mut e[i]);
            ring::dot::<W, N>(token, &mut t[i], &matrix[k * i..][..k], s);
            ring::scaled_sum::<W, N>(token, &mut t[i], &e[i]);
            ring::from_pairs::<W, N>(token, &mut t[i]);
        }
        for poly in s {
            ring::reduce::<W, N>(token, poly);
        }
    }
}

/// u = Âᵀ y + e1 in `e1`, and v = t y + e2 in `e2`, below q; `matrix` is the transposed one.
struct Encrypt<'a> {
    t: &'a [Poly],
    matrix: &'a [Poly],
    y: &'a mut [Poly],
    e1: &'a mut [Poly],
    e2: &'a mut Poly,
    /// Room for a product: in the kernel it would be a call of memset.
    product: &'a mut Poly,
}

impl Job for Encrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { t, matrix, y, e1, e2, product } = self;
        for poly in &mut *y {
            ring::ntt::<W, N>(token, poly);
        }
        let k = y.len();
        for i in 0..k {
            ring::dot::<W, N>(token, product, &matrix[k * i..][..k], y);
            ring::inverse_ntt::<W, N>(token, product);
            ring::add::<W, N>(token, &mut e1[i], product);
        }
        ring::dot::<W, N>(token, product, t, y);
        ring::inverse_ntt::<W, N>(token, product);
        ring::add::<W, N>(token, e2, product);
    }
}

/// v - s u in `v`, below q.
struct Decrypt<'a> {
    s: &'a [Poly],
    u: &'a mut [Poly],
    v: &'a mut Poly,
    product: &'a mut Poly,
}

impl Job for Decrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { s, u, v, product } = self;
        for poly in &mut *u {
            ring::ntt::<W, N>(token, poly);
        }
        ring::dot::<W, N>(token, product, s, u);
        ring::inverse_ntt::<W, N>(token, product);
        ring::subtract::<W, N>(token, v, product);
    }
}
