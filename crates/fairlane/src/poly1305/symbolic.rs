//! The arithmetic of limbs, for the proofs alone.

use super::limbs26::Limbs26;
use super::limbs44::Limbs44;
use super::wide::Limbs;
use fairlane_lanes::{Pairs, Products52};

macro_rules! limbs {
    ($split:ident, $multiply:ident, $limbs:ident, $word:ident, $count:literal) => {
        /// The limbs of blocks, given in halves, with the bit 2^128 set.
        #[inline(always)]
        pub fn $split<W: $word<N>, const N: usize>(token: W::Token, low: W, high: W) -> [W; $count] {
            <$limbs<W> as Limbs<N, $count>>::new(token).split_blocks(token, low, high)
        }

        /// The sum of a number and of products, as limbs that can be multiplied again.
        #[inline(always)]
        pub fn $multiply<W: $word<N>, const N: usize>(
            token: W::Token,
            number: [W; $count],
            products: &[[[W; $count]; 2]],
        ) -> [W; $count] {
            let mut sums = $limbs::sums(token, number);
            for [a, b] in products {
                sums = $limbs::multiply_add(sums, a, &$limbs::factor(*b));
            }
            $limbs::new(token).carry(sums)
        }
    };
}

limbs!(split26, multiply26, Limbs26, Pairs, 5);
limbs!(split44, multiply44, Limbs44, Products52, 3);
