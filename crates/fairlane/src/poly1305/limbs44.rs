//! Three limbs of 44, 44 and 42 bits, for products of 52 bits.
//!
//! Products come in halves, the low 52 bits and those above, which are summed separately: the high ones count 2^8 times
//! as much as the next limb. What is at 2^132, one limb beyond the last, is reduced by multiplying it by twenty.

use super::number::{LOW_44, Number};
use super::wide::{Limbs, TokenOf};
use fairlane_lanes::Products52;

/// The mask of the last limb.
const LOW_42: u64 = (1 << 42) - 1;

/// The limbs' masks, and what carries are multiplied by.
#[derive(Clone, Copy)]
pub(super) struct Limbs44<W> {
    low_44: W,
    low_42: W,
    /// Beyond the last limb, modulo p.
    five: W,
    /// High halves, in the next limb.
    eight_bits: W,
    /// High halves beyond the last limb.
    twenty_by_eight_bits: W,
}

/// A number to multiply by: its limbs, and twenty times the last two.
#[derive(Clone, Copy)]
pub(super) struct Factor<W> {
    limbs: [W; 3],
    twenties: [W; 2],
}

/// Sums of products, by limbs.
#[derive(Clone, Copy)]
pub(super) struct Sums<W> {
    low: [W; 3],
    high: [W; 3],
}

impl<W: Products52<N>, const N: usize> Limbs<N, 3> for Limbs44<W> {
    type Word = W;
    type Factor = Factor<W>;
    type Sums = Sums<W>;

    const PAIRS: usize = 4;
    const MANY: usize = 8;

    #[inline(always)]
    fn split(number: Number) -> [u64; 3] {
        number.to_limbs44()
    }

    #[inline(always)]
    fn join(limbs: [u64; 3]) -> Number {
        Number::from_limbs44(limbs)
    }

    #[inline(always)]
    fn new(token: TokenOf<Self, N, 3>) -> Self {
        Self {
            low_44: W::splat(token, LOW_44),
            low_42: W::splat(token, LOW_42),
            five: W::splat(token, 5),
            eight_bits: W::splat(token, 1 << 8),
            twenty_by_eight_bits: W::splat(token, 20 << 8),
        }
    }

    #[inline(always)]
    fn split_blocks(self, token: TokenOf<Self, N, 3>, low: W, high: W) -> [W; 3] {
        [
            low.and(self.low_44),
            low.shr::<44>().or(high.shl::<20>()).and(self.low_44),
            high.shr::<24>().or(W::splat(token, 1 << 40)),
        ]
    }

    #[inline(always)]
    fn factor(token: TokenOf<Self, N, 3>, limbs: [W; 3]) -> Factor<W> {
        // LLVM makes shifts and a sum the product of 64 bits, which takes 15 cycles.
        let twenty = |limb: W| W::splat(token, 0).add_low52(limb, W::splat(token, 20));
        Factor { limbs, twenties: [twenty(limbs[1]), twenty(limbs[2])] }
    }

    #[inline(always)]
    fn sums(token: TokenOf<Self, N, 3>, limbs: [W; 3]) -> Sums<W> {
        Sums { low: limbs, high: [W::splat(token, 0); 3] }
    }

    /// Limbs of `a` are below 2^45, the last below 2^43; those of `b` are as [`carry`](Limbs::carry) leaves them.
    #[inline(always)]
    fn multiply_add(sums: Sums<W>, a: &[W; 3], b: &Factor<W>) -> Sums<W> {
        let Factor { limbs: r, twenties: s } = b;
        let factors = [[r[0], s[1], s[0]], [r[1], r[0], s[1]], [r[2], r[1], r[0]]];
        let Sums { mut low, mut high } = sums;
        // Six sums side by side: each waits for its own products only. The first limb comes last, since a carry ends
        // with it.
        for j in [1, 2, 0] {
            for i in 0..3 {
                low[i] = low[i].add_low52(a[j], factors[i][j]);
                high[i] = high[i].add_high52(a[j], factors[i][j]);
            }
        }
        Sums { low, high }
    }

    /// Reduces limbs below 2^58, sums of up to four products and a number, to limbs below 2^44 + 2^17, the last
    /// below 2^42 + 2^17. All carries are taken at once; those that they cause in turn are not.
    #[inline(always)]
    fn carry(self, Sums { low, high }: Sums<W>) -> [W; 3] {
        let a = low[0].add_low52(high[2], self.twenty_by_eight_bits);
        let b = low[1].add_low52(high[0], self.eight_bits);
        let c = low[2].add_low52(high[1], self.eight_bits);
        let over = c.shr::<42>();
        [
            a.and(self.low_44).add_low52(over, self.five),
            b.and(self.low_44).add(a.shr::<44>()),
            c.and(self.low_42).add(b.shr::<44>()),
        ]
    }
}
