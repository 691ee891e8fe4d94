//! Carry-less multiplication, for GHASH and for the hash of Kalyna's GCM: its backends, and sums of products by
//! Karatsuba's method.
//!
//! | backend | instructions |
//! | --- | --- |
//! | `avx512-gfni` | VPCLMULQDQ, × 4 in 512-bit registers |
//! | `avx2-gfni` | VPCLMULQDQ, × 2 in 256-bit registers |
//! | `avx2-aes` | PCLMULQDQ |
//! | `neon-aes` | PMULL |
//! | `scalar` | 64-bit integers |

use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Backend, Kernel, P128x1, P128x1Clmul, P128x1Pmull, P128x2, P128x4, Polynomials, Scalar, Token,
};

/// The backends with carry-less multiplication, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Gfni, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar];

/// A computation with polynomials, written once for all words.
pub(crate) trait CarrylessKernel {
    /// The result.
    type Output;

    /// Computes with words `W` for many blocks, of which `WORDS` share one reduction, and words `S` for a single
    /// polynomial.
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token) -> Self::Output
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>;
}

/// A kernel with the words of a backend.
struct WithWords<K, W, S, const N: usize, const WORDS: usize>(K, PhantomData<(W, S)>);

impl<K, W, S, const N: usize, const WORDS: usize> Kernel<W::Token> for WithWords<K, W, S, N, WORDS>
where
    K: CarrylessKernel,
    W: Polynomials<N>,
    S: Polynomials<1>,
    W::Token: Into<S::Token>,
{
    type Output = K::Output;
    const SPILLS: bool = N > 1;

    #[inline(always)]
    fn call(self, token: W::Token) -> K::Output {
        self.0.call::<W, S, N, WORDS>(token)
    }
}

/// Runs a kernel with the best words that the token's CPU features allow, whichever primitive it was chosen for; with
/// integers if there are none.
#[inline]
pub(crate) fn run<K: CarrylessKernel>(token: AnyToken, kernel: K) -> K::Output {
    match token.narrow(BACKENDS) {
        AnyToken::Avx512Gfni(token) => token.run(WithWords::<K, P128x4, P128x1Clmul, 4, 4>(kernel, PhantomData)),
        AnyToken::Avx2Gfni(token) => token.run(WithWords::<K, P128x2, P128x1Clmul, 2, 8>(kernel, PhantomData)),
        AnyToken::Avx2Aes(token) => token.run(WithWords::<K, P128x1Clmul, P128x1Clmul, 1, 16>(kernel, PhantomData)),
        AnyToken::NeonAes(token) => token.run(WithWords::<K, P128x1Pmull, P128x1Pmull, 1, 16>(kernel, PhantomData)),
        // A power costs as much as a block.
        _ => Scalar::PROOF.run(WithWords::<K, P128x1, P128x1, 1, 4>(kernel, PhantomData)),
    }
}

/// A factor, prepared for many products.
#[derive(Clone, Copy)]
pub(crate) struct Factor<W> {
    pub(crate) value: W,
    /// In the lower half, the sum of both halves of the value.
    pub(crate) folded: W,
}

/// A sum of products by Karatsuba's method: of lower halves, of upper halves, and of the sums of both halves.
#[derive(Clone, Copy)]
pub(crate) struct SumOfProducts<W> {
    pub(crate) low: W,
    pub(crate) high: W,
    pub(crate) both: W,
}

impl<W> SumOfProducts<W> {
    #[inline(always)]
    pub(crate) fn zero<const N: usize>(token: W::Token) -> Self
    where
        W: Polynomials<N>,
    {
        let zero = W::splat(token, 0);
        Self { low: zero, high: zero, both: zero }
    }

    /// `self + a b`
    #[inline(always)]
    pub(crate) fn add<const N: usize>(self, a: W, b: &Factor<W>) -> Self
    where
        W: Polynomials<N>,
    {
        Self {
            low: self.low.xor(a.mul_low(b.value)),
            high: self.high.xor(a.mul_high(b.value)),
            both: self.both.xor(fold(a).mul_low(b.folded)),
        }
    }

    /// The products of lower halves with upper halves: the coefficients of x<sup>64</sup> and above.
    #[inline(always)]
    pub(crate) fn middle<const N: usize>(&self) -> W
    where
        W: Polynomials<N>,
    {
        self.both.xor3(self.low, self.high)
    }
}

/// In the lower half, the sum of both halves.
#[inline(always)]
pub(crate) fn fold<W: Polynomials<N>, const N: usize>(a: W) -> W {
    a.xor(a.swap_halves())
}
