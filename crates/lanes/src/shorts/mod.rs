//! Words of 16-bit lanes, for arithmetic modulo a small prime.

mod bits;
mod scalar;
#[cfg(test)]
mod tests;

use crate::token::Token;
pub use bits::CoefficientCoding;
pub use scalar::I16x2;

/// `N` lanes of `i16`.
///
/// A value exists only if its token did, so every method is safe.
pub trait I16xN<const N: usize>: Copy {
    /// The proof that the word's instructions may run.
    type Token: Token;
    /// `N / 2` lanes of `i32`.
    type Sums: Copy;

    /// The same value in every lane.
    fn splat(token: Self::Token, x: i16) -> Self;
    /// Lane `i` from `lanes[i]`.
    fn load(token: Self::Token, lanes: &[i16; N]) -> Self;
    /// The converse of [`load`](Self::load).
    fn store(self, lanes: &mut [i16; N]);
    /// `self + b`, wrapping.
    fn add(self, b: Self) -> Self;
    /// `self - b`, wrapping.
    fn sub(self, b: Self) -> Self;
    /// `self & b`
    fn and(self, b: Self) -> Self;
    /// Every lane shifted right by `K` bits, `K < 16`, with its sign extended.
    fn shr<const K: u32>(self) -> Self;
    /// The low halves of the products.
    fn mul_low(self, b: Self) -> Self;
    /// The high halves of the signed products.
    fn mul_high(self, b: Self) -> Self;
    /// Lanes `2 i` and `2 i + 1` exchanged.
    fn swap_pairs(self) -> Self;
    /// For every two lanes, the sum of their two products in 32 bits (`vpmaddwd`).
    fn mul_pairs(self, b: Self) -> Self::Sums;
    /// The sums added, wrapping.
    fn add_sums(a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// The low 16 bits and the high 16 bits of sums: those of `a` in even lanes, those of `b` in odd lanes.
    fn split_sums(a: Self::Sums, b: Self::Sums) -> [Self; 2];
    /// With lanes in groups of `2 * LEN`: the first halves of all groups, alternately of `self` and `b`, and likewise
    /// the second halves. The operation is its own inverse.
    ///
    /// `LEN` is a power of two below `N`; 2, 4, 8 or 16.
    fn exchange<const LEN: usize>(self, b: Self) -> [Self; 2];
}
