//! The shells: a job compiled for each backend.
//!
//! | backend | polynomials |
//! | --- | --- |
//! | `avx512-gfni`, `avx512-vbmi` | VPCLMULQDQ, × 4 in 512-bit registers |
//! | `avx2-gfni` | VPCLMULQDQ, × 2 in 256-bit registers |
//! | `avx2-aes` | PCLMULQDQ |
//! | `neon-aes` | PMULL |
//! | `scalar` | 64-bit integers |

use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::P128x1Pmull;
use fairlane_lanes::{AnyToken, Backend, Kernel, P128x1, Polynomials, Scalar, Token};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{Avx2Gfni, Avx512Gfni, P128x1Clmul, P128x2, P128x4};

/// The backends of GHASH, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Gfni, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar];

/// Work that is written once for all words.
pub(crate) trait Job {
    type Output;

    /// With words `W` for many blocks, `WORDS` of them to one reduction, and `S` for a single polynomial.
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token) -> Self::Output
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>;
}

struct Shell<J, W, S, const N: usize, const WORDS: usize>(J, PhantomData<(W, S)>);

impl<J, W, S, const N: usize, const WORDS: usize> Kernel<W::Token> for Shell<J, W, S, N, WORDS>
where
    J: Job,
    W: Polynomials<N>,
    S: Polynomials<1>,
    W::Token: Into<S::Token>,
{
    type Output = J::Output;

    #[inline(always)]
    fn call(self, token: W::Token) -> J::Output {
        self.0.call::<W, S, N, WORDS>(token)
    }
}

/// Does a job with the words that suit the token, whichever cipher it was chosen for; in integers if there are none.
#[inline]
pub(crate) fn run<J: Job>(token: AnyToken, job: J) -> J::Output {
    match token {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx512Vbmi(token) => {
            Avx512Gfni::from(token).run(Shell::<J, P128x4, P128x1Clmul, 4, 4>(job, PhantomData))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx512Gfni(token) => token.run(Shell::<J, P128x4, P128x1Clmul, 4, 4>(job, PhantomData)),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Sm4Ni(token) => Avx2Gfni::from(token).run(Shell::<J, P128x2, P128x1Clmul, 2, 8>(job, PhantomData)),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Gfni(token) => token.run(Shell::<J, P128x2, P128x1Clmul, 2, 8>(job, PhantomData)),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Aes(token) => token.run(Shell::<J, P128x1Clmul, P128x1Clmul, 1, 16>(job, PhantomData)),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        AnyToken::NeonAes(token) => token.run(Shell::<J, P128x1Pmull, P128x1Pmull, 1, 16>(job, PhantomData)),
        // A power costs as much as a block.
        _ => Scalar::PROOF.run(Shell::<J, P128x1, P128x1, 1, 4>(job, PhantomData)),
    }
}
