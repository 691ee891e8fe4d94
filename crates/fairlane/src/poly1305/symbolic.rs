//! The arithmetic of limbs, for the proofs alone.

pub use super::digit::Digit;
use super::limbs26::Limbs26;
use super::limbs44::Limbs44;
use super::number::{Number, Point};
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

/// A number in a digit of 128 bits and one above.
pub type Parts<T> = (<T as Digit>::Double, T);

/// `(number + block + 2^128) r`, where r is given in halves.
pub fn absorb_block<T: Digit>((low, high): Parts<T>, block: T::Double, r: [T; 2]) -> Parts<T> {
    let Number { low, high } = Number { low, high }.absorb_block(&Point::of_halves(r[0], r[1]), block, 1);
    (low, high)
}

/// A number below 5 x 2^128 that is equal to it modulo p.
pub fn fold<T: Digit>((low, high): Parts<T>) -> Parts<T> {
    let Number { low, high } = Number::<T>::fold(low, high);
    (low, high)
}

/// The least number equal to it modulo p, modulo 2^128.
pub fn reduce<T: Digit>((low, high): Parts<T>) -> T::Double {
    Number { low, high }.reduce()
}

/// Its limbs of 26 bits.
pub fn to_limbs26<T: Digit>((low, high): Parts<T>) -> [T; 5] {
    Number { low, high }.to_limbs26()
}

/// The converse.
pub fn from_limbs26<T: Digit>(limbs: [T; 5]) -> Parts<T> {
    let Number { low, high } = Number::from_limbs26(limbs);
    (low, high)
}

/// Its limbs of 44 bits.
pub fn to_limbs44<T: Digit>((low, high): Parts<T>) -> [T; 3] {
    Number { low, high }.to_limbs44()
}

/// The converse.
pub fn from_limbs44<T: Digit>(limbs: [T; 3]) -> Parts<T> {
    let Number { low, high } = Number::from_limbs44(limbs);
    (low, high)
}
