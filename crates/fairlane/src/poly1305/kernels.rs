//! The choice of a kernel for each backend, and between words of lanes for many blocks and integers for few.
//!
//! | backend | few blocks | many blocks |
//! | --- | --- | --- |
//! | `scalar` | 64-bit integers | the same |
//! | `avx2` | 64-bit integers | × 4 in 256-bit registers |
//! | `avx512` | 64-bit integers | × 8 in 512-bit registers |
//! | `avx512-ifma` | 64-bit integers | × 8 in 512-bit registers, by products of 52 bits |
//! | `neon` | 64-bit integers | × 2 in 128-bit registers |

use super::limbs26::Limbs26;
use super::limbs44::Limbs44;
use super::number::{Number, Point};
use super::wide::{Absorb, Limbs, Powers, TokenOf};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Backend, Token, U64x2, U64x4, U64x8, U64x8Ifma};

/// The backends of Poly1305, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Ifma, Backend::Avx512, Backend::Avx2, Backend::Neon, Backend::Scalar];

/// The number of blocks in one piece from which on the powers of r are computed; fewer take less time one by one.
#[inline(always)]
fn many(token: AnyToken) -> usize {
    if matches!(token, AnyToken::Avx512Ifma(_)) { 16 } else { 24 }
}

/// The same after a keystream, at least: integers run beside its last vectors. With 16 blocks in lanes, sealing and
/// opening 256 bytes took 2 to 3 % longer on a Granite Rapids Xeon.
const MANY_AFTER_VECTORS: usize = 18;

/// The polynomial's value so far, at the point r.
#[derive(Clone)]
pub(super) struct Evaluation {
    token: AnyToken,
    r: Point,
    sum: Number,
    /// Computed when first needed.
    powers: Option<Powers>,
    /// The number of blocks in one piece from which on words of lanes are used.
    many: usize,
}

impl Evaluation {
    #[inline]
    pub(super) fn new(token: AnyToken, r: Point) -> Self {
        Self { token, r, sum: Number::ZERO, powers: None, many: many(token) }
    }

    /// Absorbs whole blocks.
    #[inline]
    pub(super) fn absorb(&mut self, blocks: &[[u8; 16]]) {
        let few = if blocks.len() < self.many { blocks } else { self.absorb_many(blocks) };
        self.sum = self.sum.absorb(&self.r, few);
    }

    /// Absorbs blocks that all come in one piece, after a sum and a keystream.
    #[inline(always)]
    pub(super) fn absorb_once(token: AnyToken, r: &Point, sum: Number, blocks: &[[u8; 16]]) -> Number {
        if blocks.len() < many(token).max(MANY_AFTER_VECTORS) {
            return sum.absorb(r, blocks);
        }
        let mut evaluation = Self { token, r: *r, sum, powers: None, many: many(token) };
        evaluation.absorb(blocks);
        let sum = evaluation.sum;
        evaluation.erase();
        zeroize::optimization_barrier(&evaluation);
        sum
    }

    /// Absorbs a block of `bytes` and zeros.
    #[inline]
    pub(super) fn absorb_padded(&mut self, bytes: &[u8]) {
        self.sum = self.sum.absorb_padded(&self.r, bytes);
    }

    /// Absorbs all blocks that fill words, and returns the others.
    fn absorb_many<'a>(&mut self, blocks: &'a [[u8; 16]]) -> &'a [[u8; 16]] {
        match self.token {
            AnyToken::Avx512Ifma(token) => self.absorb_words::<Limbs44<U64x8Ifma>, 8, 3>(token, blocks),
            AnyToken::Avx512(token) => self.absorb_words::<Limbs26<U64x8>, 8, 5>(token, blocks),
            AnyToken::Avx2(token) => self.absorb_words::<Limbs26<U64x4>, 4, 5>(token, blocks),
            AnyToken::Neon(token) => self.absorb_words::<Limbs26<U64x2>, 2, 5>(token, blocks),
            _ => blocks,
        }
    }

    #[inline(always)]
    fn absorb_words<'a, F: Limbs<N, L>, const N: usize, const L: usize>(
        &mut self,
        token: TokenOf<F, N, L>,
        blocks: &'a [[u8; 16]],
    ) -> &'a [[u8; 16]] {
        let (blocks, few) = blocks.split_at(blocks.len() / N * N);
        let job = Absorb::<F, N, L> { sum: self.sum, r: &self.r, powers: &mut self.powers, blocks, limbs: PhantomData };
        self.sum = token.run(job);
        self.many = 2 * N;
        few
    }

    /// The value modulo 2^128, after the message's last bytes, fewer than a block.
    pub(super) fn finish(&self, rest: &[u8]) -> u128 {
        let sum = if rest.is_empty() { self.sum } else { self.sum.absorb_last(&self.r, rest) };
        sum.reduce()
    }

    /// Overwrites everything with zeros; the caller sees to it that the compiler keeps that.
    #[inline(always)]
    pub(super) fn erase(&mut self) {
        (self.r, self.sum) = (Point::ZERO, Number::ZERO);
        if let Some(powers) = &mut self.powers {
            *powers = Powers::ZERO;
        }
    }
}
