//! One polynomial in integers, multiplied with masks that leave room for the carries.

use super::Polynomials;
use crate::token::Scalar;

/// One polynomial of 128 coefficients, in integers.
#[derive(Clone, Copy, Debug)]
pub struct P128x1(u128);

impl Polynomials<1> for P128x1 {
    type Token = Scalar;

    #[inline(always)]
    fn splat(_: Scalar, x: u128) -> Self {
        Self(x)
    }
    #[inline(always)]
    fn from_array(_: Scalar, [x]: [u128; 1]) -> Self {
        Self(x)
    }
    #[inline(always)]
    fn to_array(self) -> [u128; 1] {
        [self.0]
    }
    #[inline(always)]
    fn load_be(_: Scalar, blocks: &[[u8; 16]]) -> Self {
        assert!(blocks.len() <= 1);
        Self(blocks.first().map_or(0, |block| u128::from_be_bytes(*block)))
    }
    #[inline(always)]
    fn load_le(_: Scalar, blocks: &[[u8; 16]]) -> Self {
        assert!(blocks.len() <= 1);
        Self(blocks.first().map_or(0, |block| u128::from_le_bytes(*block)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(self.0 ^ b.0)
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(self.0.rotate_left(64))
    }
    #[inline(always)]
    fn shift_left_64(self) -> Self {
        Self(self.0 << 64)
    }
    #[inline(always)]
    fn shift_right_64(self) -> Self {
        Self(self.0 >> 64)
    }
    #[inline(always)]
    fn mul_low(self, b: Self) -> Self {
        Self(multiply(self.0 as u64, b.0 as u64))
    }
    #[inline(always)]
    fn mul_high(self, b: Self) -> Self {
        Self(multiply((self.0 >> 64) as u64, (b.0 >> 64) as u64))
    }
    #[inline(always)]
    fn sum(self) -> u128 {
        self.0
    }
}

/// The carry-less product, by 20 products of integers.
///
/// Each factor is split into four, with every fourth bit. A bit of such a product is a sum of at most 15 bits: its
/// parity is the bit of the carry-less product, and its carries end before the next bit that is used. The sum would
/// have 16 bits with the four topmost bits of `a`, which are therefore multiplied one by one.
#[inline(always)]
fn multiply(a: u64, b: u64) -> u128 {
    const FOURTH: u128 = u128::MAX / 0xf;
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let mut product = 0;
    for k in 0..4 {
        let mut sums = 0;
        for i in 0..4 {
            let of_a = a & (FOURTH as u64 >> 4 << i);
            let of_b = b & ((FOURTH as u64) << ((k + 4 - i) % 4));
            sums ^= wide(of_a, of_b);
        }
        product ^= sums & (FOURTH << k);
        product ^= wide(a & (1 << (60 + k)), b);
    }
    product
}
