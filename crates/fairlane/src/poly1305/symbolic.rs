//! The arithmetic of integers and limbs, and the order of powers and blocks, for the proofs alone.

use super::limbs26::Limbs26;
use super::limbs44::Limbs44;
pub use super::number::Wide;
use super::number::{Number, Point};
use super::wide::{Absorb, Limbs, TokenOf};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Pairs, Products52};

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
                sums = $limbs::multiply_add(sums, a, &$limbs::factor(token, *b));
            }
            $limbs::new(token).carry(sums)
        }
    };
}

limbs!(split26, multiply26, Limbs26, Pairs, 5);
limbs!(split44, multiply44, Limbs44, Products52, 3);

/// A number modulo 2<sup>128</sup>, and divided by it.
pub type Parts<W> = (W, <W as Wide>::Half);

/// `(number + block + bit 2^128) r`, with r in halves.
#[inline(always)]
pub fn absorb_block<W: Wide>((low, high): Parts<W>, [r, above]: [W::Half; 2], block: W, bit: u64) -> Parts<W> {
    let Number { low, high } = Number { low, high }.absorb_block(&Point::of(r, above), block, bit);
    (low, high)
}

/// The least number equal to it modulo p, modulo 2<sup>128</sup>.
#[inline(always)]
pub fn reduce<W: Wide>((low, high): Parts<W>) -> W {
    Number { low, high }.reduce()
}

macro_rules! conversions {
    ($to:ident, $from:ident, $number_to:ident, $number_from:ident, $count:literal) => {
        /// The limbs of a number.
        #[inline(always)]
        pub fn $to<W: Wide>((low, high): Parts<W>) -> [W::Half; $count] {
            Number { low, high }.$number_to()
        }

        /// The number of limbs below 2<sup>62</sup>.
        #[inline(always)]
        pub fn $from<W: Wide>(limbs: [W::Half; $count]) -> Parts<W> {
            let Number { low, high } = Number::<W>::$number_from(limbs);
            (low, high)
        }
    };
}

conversions!(to_limbs26, from_limbs26, to_limbs26, from_limbs26, 5);
conversions!(to_limbs44, from_limbs44, to_limbs44, from_limbs44, 3);

/// A word whose lanes are whole numbers modulo p, not limbs.
pub trait WholeNumbers<const N: usize>: Pairs<N> {
    /// The numbers of blocks, given in halves.
    fn blocks(low: Self, high: Self) -> Self;
    /// The products.
    fn times(self, b: Self) -> Self;
}

/// One limb, which is the whole number.
#[derive(Clone, Copy)]
struct Whole<W, const PAIRS: usize, const MANY: usize>(PhantomData<W>);

impl<W: WholeNumbers<N>, const N: usize, const PAIRS: usize, const MANY: usize> Limbs<N, 1> for Whole<W, PAIRS, MANY> {
    type Word = W;
    type Factor = [W; 1];
    type Sums = [W; 1];

    const PAIRS: usize = PAIRS;
    const MANY: usize = MANY;

    fn split(number: Number) -> [u64; 1] {
        [number.low as u64]
    }
    fn join([limb]: [u64; 1]) -> Number {
        Number { low: limb.into(), high: 0 }
    }
    fn new(_: TokenOf<Self, N, 1>) -> Self {
        Self(PhantomData)
    }
    fn split_blocks(self, _: TokenOf<Self, N, 1>, low: W, high: W) -> [W; 1] {
        [W::blocks(low, high)]
    }
    fn factor(_: TokenOf<Self, N, 1>, limbs: [W; 1]) -> [W; 1] {
        limbs
    }
    fn sums(_: TokenOf<Self, N, 1>, limbs: [W; 1]) -> [W; 1] {
        limbs
    }
    fn multiply_add(sums: [W; 1], a: &[W; 1], b: &[W; 1]) -> [W; 1] {
        [sums[0].add(a[0].times(b[0]))]
    }
    fn carry(self, sums: [W; 1]) -> [W; 1] {
        sums
    }
}

/// Absorbs blocks as the kernels do, with `PAIRS` and `MANY` as theirs. The sum and the result are numbers of 64 bits,
/// which may stand for others.
pub fn absorb<W: WholeNumbers<N>, const N: usize, const PAIRS: usize, const MANY: usize>(
    token: W::Token,
    r: u64,
    sum: u64,
    blocks: &[[u8; 16]],
) -> u64 {
    let (sum, r) = (Number { low: sum.into(), high: 0 }, Point::of(r, 0));
    let limbs = PhantomData::<Whole<W, PAIRS, MANY>>;
    Absorb { sum, r: &r, powers: &mut None, blocks, limbs }.call(token).low as u64
}

type L26 = Limbs26<fairlane_lanes::U64x4>;
type L44 = Limbs44<fairlane_lanes::U64x8Ifma>;

/// From how many words in one piece on two, and four, share a reduction, in limbs of 26 and of 44 bits.
pub const SHARED_FROM: [[usize; 2]; 2] = [
    [<L26 as Limbs<4, 5>>::PAIRS, <L26 as Limbs<4, 5>>::MANY],
    [<L44 as Limbs<8, 3>>::PAIRS, <L44 as Limbs<8, 3>>::MANY],
];
