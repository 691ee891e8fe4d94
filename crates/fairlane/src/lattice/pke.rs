//! The encryption inside (FIPS 203, K-PKE, algorithms 13 to 15), for any parameter set: the work that is compiled for each backend, and what
//! is to be sampled for it.

use super::compression::{compress, decompress};
use super::packing::{pack, packed, unpack};
use super::parameters::Set;
use super::ring::{self, Poly};
use super::secret::Secret;
use super::streams::Job;
use crate::keccak::Keccak;
use crate::{Backend, Unsupported};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Bits, I16x1, I16xN, Kernel, Scalar, Token};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{Avx2, Avx512, I16x16, I16x32};

/// The highest rank of the module.
pub(super) const K: usize = 4;

/// Up to [`K`] polynomials.
pub(super) type Vector = [Poly; K];
/// Up to `K * K` polynomials in the NTT domain, in the order of pairs: rows of [`Set::k`].
pub(super) type Matrix = [Poly; K * K];

pub(super) const ZEROS: Vector = [const { Poly::ZERO }; K];

/// The backends, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Vbmi, Backend::Avx512, Backend::Avx2, Backend::NeonSha3, Backend::Scalar];

/// What everything here is computed on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    token: AnyToken,
    pub(super) keccak: Keccak,
}

impl Machine {
    pub(super) fn best() -> Self {
        Self::of(AnyToken::best(BACKENDS))
    }

    pub(super) fn new(backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(Self::of)
    }

    fn of(token: AnyToken) -> Self {
        Self { token, keccak: Keccak::under(token) }
    }

    /// Work in the ring.
    #[inline(always)]
    pub(super) fn run<J: Work>(self, work: J) {
        match self.token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Vbmi(token) => Avx512::from(token).run(In::<J, I16x32, 32>(work, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => token.run(In::<J, I16x32, 32>(work, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => token.run(In::<J, I16x16, 16>(work, PhantomData)),
            _ => Scalar::PROOF.run(In::<J, I16x1<Scalar>, 1>(work, PhantomData)),
        }
    }

    /// Work on bytes.
    #[inline(always)]
    pub(super) fn run_bits<B: BitWork>(self, work: B) -> B::Output {
        match self.token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Vbmi(token) => token.run(OnBits(work)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => Avx2::from(token).run(OnBits(work)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => token.run(OnBits(work)),
            _ => Scalar::PROOF.run(OnBits(work)),
        }
    }
}

/// Work in the ring, for words of any size.
pub(super) trait Work {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token);
}

struct In<J, W, const N: usize>(J, PhantomData<W>);

impl<J: Work, W: I16xN<N>, const N: usize> Kernel<W::Token> for In<J, W, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        self.0.run::<W, N>(token);
    }
}

/// Work on bytes, under any token.
pub(super) trait BitWork {
    type Output;

    fn run<T: Bits>(self, token: T) -> Self::Output;
}

struct OnBits<B>(B);

impl<B: BitWork, T: Bits> Kernel<T> for OnBits<B> {
    type Output = B::Output;

    #[inline(always)]
    fn call(self, token: T) -> B::Output {
        self.0.run(token)
    }
}

/// What is to be sampled for the polynomials of Â (or of its transpose) from row `first` on.
pub(super) fn matrix<'a>(
    set: &Set,
    rho: &'a [u8; 32],
    first: usize,
    transposed: bool,
    polys: &'a mut [Poly],
) -> impl Iterator<Item = Job<'a>> {
    let k = set.k;
    polys.iter_mut().enumerate().map(move |(i, poly)| {
        let (row, column) = ((first + i / k) as u8, (i % k) as u8);
        // Row i and column j of Â: j comes first.
        Job::Matrix { rho, index: if transposed { [row, column] } else { [column, row] }, poly }
    })
}

/// Small polynomials of a seed, from number `first` on, with the parameter `eta`.
pub(super) fn noise<'a>(
    seed: &'a [u8; 32],
    first: usize,
    eta: u8,
    polys: &'a mut [Poly],
) -> impl Iterator<Item = Job<'a>> {
    polys.iter_mut().enumerate().map(move |(i, poly)| Job::Noise { seed, number: (first + i) as u8, eta, poly })
}

/// The noise of an encryption: y, e1 and e2.
pub(super) fn encryption_noise<'a>(
    set: &Set,
    seed: &'a [u8; 32],
    polys: &'a mut [Poly; 2 * K + 1],
) -> impl Iterator<Item = Job<'a>> {
    let (y, rest) = polys[..2 * set.k + 1].split_at_mut(set.k);
    noise(seed, 0, set.eta1, y).chain(noise(seed, set.k, 2, rest))
}

/// Rows of t̂ from number `first` on, packed: Â's rows times ŝ, and noise, which is used up.
pub(super) fn generate(machine: Machine, matrix: &[Poly], s: &[Poly], e: &mut [Poly], bytes: &mut [u8]) {
    let k = s.len();
    for ((row, e), bytes) in matrix.chunks_exact(k).zip(e).zip(bytes.chunks_exact_mut(packed(12))) {
        machine.run(Generate { row, s, e });
        pack(machine, e, 12, bytes);
    }
}

/// Encryption of `message` with `noise`, which is used up, to t̂ (in the order of pairs) and the transposed matrix.
pub(super) fn encrypt(
    machine: Machine,
    set: &Set,
    (t, matrix): (&[Poly], &[Poly]),
    message: &[u8; 32],
    noise: &mut [Poly; 2 * K + 1],
    ciphertext: &mut [u8],
) {
    let k = set.k;
    let (y, rest) = noise[..2 * k + 1].split_at_mut(k);
    let (e1, e2) = rest.split_at_mut(k);
    let mut bits = Secret(Poly::ZERO);
    unpack(machine, message, 1, &mut bits.0);
    let mut product = Secret(Poly::ZERO);
    machine.run(Encrypt { set, t, matrix, y, e1, e2: &mut e2[0], message: &mut bits.0, product: &mut product.0 });
    let (u, v) = ciphertext.split_at_mut(k * packed(set.du));
    for (poly, bytes) in e1.iter().zip(u.chunks_exact_mut(packed(set.du))) {
        pack(machine, poly, set.du, bytes);
    }
    pack(machine, &e2[0], set.dv, v);
}

/// Decryption by ŝ, in the order of pairs.
pub(super) fn decrypt(machine: Machine, set: &Set, s: &[Poly], ciphertext: &[u8]) -> Secret<[u8; 32]> {
    let k = set.k;
    let (bytes, rest) = ciphertext.split_at(k * packed(set.du));
    let (mut u, mut v) = (ZEROS, Secret(Poly::ZERO));
    for (poly, bytes) in u.iter_mut().zip(bytes.chunks_exact(packed(set.du))) {
        unpack(machine, bytes, set.du, poly);
    }
    unpack(machine, rest, set.dv, &mut v.0);
    machine.run(Decrypt { set, s, u: &mut u[..k], v: &mut v.0, product: &mut Secret::<Poly>::blank().0 });
    let mut bits = Secret([0; packed(1)]);
    pack(machine, &v.0, 1, &mut bits.0);
    bits
}

/// Small polynomials to the NTT domain, below q.
pub(super) fn ntt(machine: Machine, polys: &mut [Poly]) {
    machine.run(Ntt(polys));
}

/// Polynomials as they are packed to the order of pairs.
pub(super) fn to_pairs(machine: Machine, polys: &mut [Poly]) {
    machine.run(ToPairs(polys));
}

/// The converse of [`to_pairs`].
pub(super) fn from_pairs(machine: Machine, polys: &mut [Poly]) {
    machine.run(FromPairs(polys));
}

struct Ntt<'a>(&'a mut [Poly]);

impl Work for Ntt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        for poly in self.0 {
            ring::ntt::<W, N>(token, poly);
            ring::reduce::<W, N>(token, poly);
        }
    }
}

struct ToPairs<'a>(&'a mut [Poly]);

impl Work for ToPairs<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        for poly in self.0 {
            ring::to_pairs::<W, N>(token, poly);
        }
    }
}

struct FromPairs<'a>(&'a mut [Poly]);

impl Work for FromPairs<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        for poly in self.0 {
            ring::from_pairs::<W, N>(token, poly);
        }
    }
}

/// A number of t̂ = Â ŝ + ê in the standard's order, in `e`, which is taken as noise.
struct Generate<'a> {
    row: &'a [Poly],
    s: &'a [Poly],
    e: &'a mut Poly,
}

impl Work for Generate<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { row, s, e } = self;
        ring::ntt::<W, N>(token, e);
        ring::add_scaled_dot::<W, N>(token, e, row, s);
        ring::from_pairs::<W, N>(token, e);
    }
}

/// u = Âᵀ y + e1 in `e1`, and v = t y + e2 + message in `e2`, compressed; `matrix` is the transposed one.
struct Encrypt<'a> {
    set: &'a Set,
    t: &'a [Poly],
    matrix: &'a [Poly],
    y: &'a mut [Poly],
    e1: &'a mut [Poly],
    e2: &'a mut Poly,
    /// Its bits.
    message: &'a mut Poly,
    /// Room for a product: in the kernel it would be a call of memset.
    product: &'a mut Poly,
}

impl Work for Encrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { set, t, matrix, y, e1, e2, message, product } = self;
        for poly in &mut *y {
            ring::ntt::<W, N>(token, poly);
        }
        let k = y.len();
        for i in 0..k {
            ring::dot::<W, N>(token, product, &matrix[k * i..][..k], y);
            ring::inverse_ntt::<W, N>(token, product);
            ring::add::<W, N>(token, &mut e1[i], product);
            compress::<W, N>(token, &mut e1[i], set.du);
        }
        decompress::<W, N>(token, message, 1);
        ring::add::<W, N>(token, e2, message);
        ring::dot::<W, N>(token, product, t, y);
        ring::inverse_ntt::<W, N>(token, product);
        ring::add::<W, N>(token, e2, product);
        compress::<W, N>(token, e2, set.dv);
    }
}

/// The bits of v - s u in `v`, from numbers as they are packed.
struct Decrypt<'a> {
    set: &'a Set,
    s: &'a [Poly],
    u: &'a mut [Poly],
    v: &'a mut Poly,
    product: &'a mut Poly,
}

impl Work for Decrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { set, s, u, v, product } = self;
        for poly in &mut *u {
            decompress::<W, N>(token, poly, set.du);
            ring::ntt::<W, N>(token, poly);
        }
        decompress::<W, N>(token, v, set.dv);
        ring::dot::<W, N>(token, product, s, u);
        ring::inverse_ntt::<W, N>(token, product);
        ring::subtract::<W, N>(token, v, product);
        compress::<W, N>(token, v, 1);
    }
}
