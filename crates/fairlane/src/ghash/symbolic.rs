//! The multiplication's generic body, and the order of powers and blocks, for the proofs alone.

pub use super::powers::MODULUS;
use super::powers::{Absorb, MakePowers, Powers, reduce};
use crate::carryless::{CarrylessKernel, Factor, SumOfProducts, fold};
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

/// Powers of H, times x, and the sums of their halves, the highest power first, and then zeros.
pub type PowersOfH = [[u128; 22]; 2];

/// The powers for groups of `WORDS` words of `N` blocks, and how many there are.
pub fn powers<W: Polynomials<N>, S: Polynomials<1>, const N: usize, const WORDS: usize>(
    token: W::Token,
    h: &[u8; 16],
) -> (PowersOfH, usize)
where
    W::Token: Into<S::Token>,
{
    let mut powers = Powers::ZERO;
    MakePowers { powers: &mut powers, h }.call::<W, S, N, WORDS>(token);
    (powers.numbers(), super::powers::count(N, WORDS))
}

/// Absorbs blocks into a sum, `WORDS` words of `N` blocks with one reduction.
pub fn absorb<W: Polynomials<N>, S: Polynomials<1>, const N: usize, const WORDS: usize>(
    token: W::Token,
    powers: PowersOfH,
    sum: u128,
    blocks: &[[u8; 16]],
) -> u128
where
    W::Token: Into<S::Token>,
{
    Absorb { powers: &Powers::of(powers), sum, blocks }.call::<W, S, N, WORDS>(token)
}
