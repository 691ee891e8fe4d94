//! The multiplication's generic body, for the proofs alone.

use super::powers::{MODULUS, reduce};
use crate::carryless::{Factor, SumOfProducts, fold};
use fairlane_lanes::Polynomials;

/// The sum of the products of some `a` with some `b`, reduced: divided by x<sup>128</sup>.
#[inline(always)]
pub fn sum_of_products<W: Polynomials<N>, const N: usize>(token: W::Token, factors: &[[W; 2]]) -> W {
    let mut sum = SumOfProducts::zero(token);
    for [a, b] in factors {
        sum = sum.add(*a, &Factor { value: *b, folded: fold(*b) });
    }
    reduce(sum, W::splat(token, MODULUS))
}
