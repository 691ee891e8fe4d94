//! Words of polynomials over GF(2): carry-less multiplication.
//!
//! The vector words (PCLMULQDQ, VPCLMULQDQ in 256 and 512 bits, PMULL) are in the modules of the architectures.

mod scalar;

pub use scalar::P128x1;

use crate::token::Token;

/// `N` polynomials over GF(2), of 128 coefficients each: bit `i` is that of x<sup>i</sup>.
///
/// A value exists only if its token did, so every method is safe. Running time does not depend on the coefficients.
pub trait Polynomials<const N: usize>: Copy {
    /// The proof that the word's instructions may run.
    type Token: Token;

    /// The same polynomial `N` times.
    fn splat(token: Self::Token, x: u128) -> Self;
    /// Polynomial `i` from `x[i]`.
    fn from_array(token: Self::Token, x: [u128; N]) -> Self;
    /// Polynomial `i` to index `i`.
    fn to_array(self) -> [u128; N];
    /// Polynomial `i` from `blocks[i]`, a big-endian number; those beyond the blocks are zero.
    ///
    /// # Panics
    /// If there are more than `N` blocks.
    fn load_be(token: Self::Token, blocks: &[[u8; 16]]) -> Self;
    /// As [`load_be`](Self::load_be), of little-endian numbers.
    ///
    /// # Panics
    /// If there are more than `N` blocks.
    fn load_le(token: Self::Token, blocks: &[[u8; 16]]) -> Self;
    /// `self + b`
    fn xor(self, b: Self) -> Self;
    /// `self + b + c` (`vpternlog`)
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Exchanges the lower and the upper 64 coefficients of each polynomial.
    fn swap_halves(self) -> Self;
    /// Each polynomial times x<sup>64</sup>, without the terms from x<sup>128</sup> on.
    fn shift_left_64(self) -> Self;
    /// Each polynomial divided by x<sup>64</sup>, without the remainder.
    fn shift_right_64(self) -> Self;
    /// The products of the lower halves, 64 coefficients each.
    fn mul_low(self, b: Self) -> Self;
    /// The products of the upper halves, 64 coefficients each.
    fn mul_high(self, b: Self) -> Self;
    /// The sum of all `N` polynomials.
    fn sum(self) -> u128;
}
