//! The encryption inside (FIPS 203, K-PKE, algorithms 13 to 15), for any parameter set: the work that is compiled for each backend, and what
//! is to be sampled for it.

use super::compression::{compress, decompress};
use super::packing::{pack, packed, unpack};
use super::parameters::Set;
use super::ring::{self, Multiplier, Poly};
use super::secret::Secret;
use super::streams::Job;
use crate::keccak::Keccak;
use crate::{Backend, Unsupported};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Bits, I16x2, I16xN, Kernel, Scalar, Token};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{Avx2, Avx512, I16x16, I16x32};

/// The highest rank of the module.
pub(super) const K: usize = 4;

/// Up to [`K`] polynomials.
pub(super) type Vector = [Poly; K];
/// Up to `K * K` polynomials in the NTT domain: rows of [`Set::k`].
pub(super) type Matrix = [Poly; K * K];

/// Up to [`K`] polynomials to multiply by.
pub(super) type Multipliers = [Multiplier; K];

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
            _ => Scalar::PROOF.run(In::<J, I16x2<Scalar>, 2>(work, PhantomData)),
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
        Job::matrix(rho, if transposed { [row, column] } else { [column, row] }, poly)
    })
}

/// Small polynomials of a seed, from number `first` on, with the parameter `eta`.
pub(super) fn noise<'a>(
    seed: &'a [u8; 32],
    first: usize,
    eta: u8,
    polys: &'a mut [Poly],
) -> impl Iterator<Item = Job<'a>> {
    polys.iter_mut().enumerate().map(move |(i, poly)| Job::noise(seed, (first + i) as u8, eta, poly))
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

/// y, e1 and e2 of such noise.
pub(super) fn parts<'a>(set: &Set, polys: &'a mut [Poly; 2 * K + 1]) -> (&'a mut [Poly], &'a mut [Poly], &'a mut Poly) {
    let (y, rest) = polys.split_at_mut(set.k);
    let (e1, rest) = rest.split_at_mut(set.k);
    (y, e1, &mut rest[0])
}

/// Rows of t̂ from number `first` on, packed: Â's rows times ŝ, and noise, which is used up.
pub(super) fn generate(machine: Machine, matrix: &[Poly], s: &[Multiplier], e: &mut [Poly], bytes: &mut [u8]) {
    let k = s.len();
    for ((row, e), bytes) in matrix.chunks_exact(k).zip(e).zip(bytes.chunks_exact_mut(packed(12))) {
        machine.run(Generate { row, s, e });
        pack(machine, e, 12, bytes);
    }
}

/// Rows of u, packed: rows of the transposed matrix times y, and noise, which is used up.
pub(super) fn encrypt_rows(
    machine: Machine,
    set: &Set,
    matrix: &[Poly],
    y: &[Multiplier],
    e1: &mut [Poly],
    bytes: &mut [u8],
) {
    let k = set.k;
    let mut product = Secret(Poly::ZERO);
    for ((row, e1), bytes) in matrix.chunks_exact(k).zip(e1).zip(bytes.chunks_exact_mut(packed(set.du))) {
        machine.run(Encrypt { row, y, e: e1, bits: set.du, product: &mut product.0 });
        pack(machine, e1, set.du, bytes);
    }
}

/// v, packed: t̂ times y, noise, which is used up, and the message.
pub(super) fn encrypt_message(
    machine: Machine,
    set: &Set,
    t: &[Poly],
    y: &[Multiplier],
    e2: &mut Poly,
    message: &[u8; 32],
    bytes: &mut [u8],
) {
    let mut bits = Secret(Poly::ZERO);
    unpack(machine, message, 1, &mut bits.0);
    machine.run(AddMessage { bits: &mut bits.0, e: e2 });
    let product = &mut bits.0;
    machine.run(Encrypt { row: t, y, e: e2, bits: set.dv, product });
    pack(machine, e2, set.dv, bytes);
}

/// Decryption by ŝ.
pub(super) fn decrypt(machine: Machine, set: &Set, s: &[Poly], ciphertext: &[u8]) -> Secret<[u8; 32]> {
    let k = set.k;
    let (bytes, rest) = ciphertext.split_at(k * packed(set.du));
    let (mut u, mut v) = (ZEROS, Secret(Poly::ZERO));
    for (poly, bytes) in u.iter_mut().zip(bytes.chunks_exact(packed(set.du))) {
        unpack(machine, bytes, set.du, poly);
    }
    unpack(machine, rest, set.dv, &mut v.0);
    let (mut multipliers, mut product) = ([Multiplier::ZERO; K], Secret(Poly::ZERO));
    let (u, multipliers, product) = (&mut u[..k], &mut multipliers, &mut product.0);
    machine.run(Decrypt { set, s, u, multipliers, v: &mut v.0, product });
    let mut bits = Secret([0; packed(1)]);
    pack(machine, &v.0, 1, &mut bits.0);
    bits
}

/// Small polynomials to the NTT domain, below q, and as what others are multiplied by.
pub(super) fn ntt(machine: Machine, polys: &mut [Poly], multipliers: &mut Multipliers) {
    machine.run(Ntt { polys, multipliers });
}

struct Ntt<'a> {
    polys: &'a mut [Poly],
    multipliers: &'a mut Multipliers,
}

impl Work for Ntt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { polys, multipliers } = self;
        for i in 0..polys.len().min(K) {
            ring::ntt::<W, N>(token, &mut polys[i]);
            ring::reduce::<W, N>(token, &mut polys[i]);
            multipliers[i].set::<W, N>(token, &polys[i]);
        }
    }
}

/// A row of t̂ = Â ŝ + ê in `e`, which is taken as noise.
struct Generate<'a> {
    row: &'a [Poly],
    s: &'a [Multiplier],
    e: &'a mut Poly,
}

impl Work for Generate<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { row, s, e } = self;
        ring::ntt::<W, N>(token, e);
        ring::add_dot::<W, N>(token, e, row, s);
    }
}

/// A product of a row and y, and noise, compressed to some bits, in `e`.
struct Encrypt<'a> {
    row: &'a [Poly],
    y: &'a [Multiplier],
    e: &'a mut Poly,
    bits: usize,
    /// Room for a product: in the kernel it would be a call of memset.
    product: &'a mut Poly,
}

impl Work for Encrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { row, y, e, bits, product } = self;
        ring::dot::<W, N>(token, product, row, y);
        ring::inverse_ntt::<W, N>(token, product);
        ring::add::<W, N>(token, e, product);
        compress::<W, N>(token, e, bits);
    }
}

/// Adds bits as zero and q / 2, rounded.
struct AddMessage<'a> {
    bits: &'a mut Poly,
    e: &'a mut Poly,
}

impl Work for AddMessage<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        decompress::<W, N>(token, self.bits, 1);
        ring::add::<W, N>(token, self.e, self.bits);
    }
}

/// The bits of v - s u in `v`, from numbers as they are packed.
struct Decrypt<'a> {
    set: &'a Set,
    s: &'a [Poly],
    u: &'a mut [Poly],
    multipliers: &'a mut Multipliers,
    v: &'a mut Poly,
    product: &'a mut Poly,
}

impl Work for Decrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { set, s, u, multipliers, v, product } = self;
        for poly in &mut *u {
            decompress::<W, N>(token, poly, set.du);
        }
        Ntt { polys: u, multipliers }.run::<W, N>(token);
        decompress::<W, N>(token, v, set.dv);
        ring::dot::<W, N>(token, product, s, multipliers);
        ring::inverse_ntt::<W, N>(token, product);
        ring::subtract::<W, N>(token, v, product);
        compress::<W, N>(token, v, 1);
    }
}
