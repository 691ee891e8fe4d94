//! The backend that a KEM computes on, and how its kernels are compiled for each.
//!
//! A kernel is written once, and compiled for every backend at each place that passes it to [`Engine::run_ring`] or
//! [`Engine::run_bytes`]. These places are functions that are neither generic nor inline, so that kernels are compiled
//! with this crate, once.

use crate::keccak::Keccak;
use crate::{Backend, Unsupported};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, CoefficientCoding, I16x2, I16x16, I16x32, I16xN, Kernel, Scalar, Token};

/// The backends, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Vbmi, Backend::Avx512, Backend::Avx2, Backend::NeonSha3, Backend::Scalar];

/// A backend with the proof that this CPU has it, for arithmetic, bytes and Keccak.
#[derive(Clone, Copy, Debug)]
pub(super) struct Engine {
    token: AnyToken,
    pub(super) keccak: Keccak,
}

impl Engine {
    /// The best backend that this CPU has.
    pub(super) fn best() -> Self {
        Self::of(AnyToken::best(BACKENDS))
    }

    /// A backend of the caller's choice.
    pub(super) fn new(backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(Self::of)
    }

    fn of(token: AnyToken) -> Self {
        Self { token, keccak: Keccak::under(token) }
    }

    /// Runs a kernel on polynomials.
    #[inline(always)]
    pub(super) fn run_ring<K: RingKernel>(self, kernel: K) {
        match self.token.narrow(&[Backend::Avx512, Backend::Avx2]) {
            AnyToken::Avx512(token) => token.run(InWords::<K, I16x32, 32>(kernel, PhantomData)),
            AnyToken::Avx2(token) => token.run(InWords::<K, I16x16, 16>(kernel, PhantomData)),
            _ => Scalar::PROOF.run(InWords::<K, I16x2<Scalar>, 2>(kernel, PhantomData)),
        }
    }

    /// Runs a kernel on bytes.
    #[inline(always)]
    pub(super) fn run_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        match self.token.narrow(&[Backend::Avx512Vbmi, Backend::Avx2]) {
            AnyToken::Avx512Vbmi(token) => token.run(OnBytes(kernel)),
            AnyToken::Avx2(token) => token.run(OnBytes(kernel)),
            _ => Scalar::PROOF.run(OnBytes(kernel)),
        }
    }
}

/// A kernel on polynomials, in words of `N` coefficients.
pub(super) trait RingKernel {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token);
}

struct InWords<K, W, const N: usize>(K, PhantomData<W>);

impl<K: RingKernel, W: I16xN<N>, const N: usize> Kernel<W::Token> for InWords<K, W, N> {
    type Output = ();
    // The 32 registers of AVX-512 are enough.
    const SPILLS: bool = N < 32;

    #[inline(always)]
    fn call(self, token: W::Token) {
        self.0.run::<W, N>(token);
    }
}

/// A kernel between bytes and coefficients.
pub(super) trait ByteKernel {
    type Output;

    fn run<T: CoefficientCoding>(self, token: T) -> Self::Output;
}

struct OnBytes<K>(K);

impl<K: ByteKernel, T: CoefficientCoding> Kernel<T> for OnBytes<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self, token: T) -> K::Output {
        self.0.run(token)
    }
}
