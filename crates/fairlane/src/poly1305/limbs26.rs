//! Five limbs of 26 bits, for products of 32 bits.

use super::number::{LOW_26, Number};
use super::wide::{Limbs, TokenOf};
use fairlane_lanes::Pairs;

/// The limbs' mask.
#[derive(Clone, Copy)]
pub(super) struct Limbs26<W>(W);

/// A number to multiply by: its limbs, and five times its limbs, for products beyond 2^130.
#[derive(Clone, Copy)]
pub(super) struct Factor<W> {
    limbs: [W; 5],
    fives: [W; 5],
}

impl<W: Pairs<N>, const N: usize> Limbs<N, 5> for Limbs26<W> {
    type Word = W;
    type Factor = Factor<W>;
    type Sums = [W; 5];

    const PAIRS: usize = 12;
    const MANY: usize = 24;

    #[inline(always)]
    fn split(number: Number) -> [u64; 5] {
        number.to_limbs26()
    }

    #[inline(always)]
    fn join(limbs: [u64; 5]) -> Number {
        Number::from_limbs26(limbs)
    }

    #[inline(always)]
    fn new(token: TokenOf<Self, N, 5>) -> Self {
        Self(W::splat(token, LOW_26))
    }

    #[inline(always)]
    fn split_blocks(self, token: TokenOf<Self, N, 5>, low: W, high: W) -> [W; 5] {
        [
            low.and(self.0),
            low.shr::<26>().and(self.0),
            low.shr::<52>().or(high.shl::<12>()).and(self.0),
            high.shr::<14>().and(self.0),
            high.shr::<40>().or(W::splat(token, 1 << 24)),
        ]
    }

    #[inline(always)]
    fn factor(_: TokenOf<Self, N, 5>, limbs: [W; 5]) -> Factor<W> {
        let mut fives = limbs;
        for i in 0..5 {
            fives[i] = limbs[i].add(limbs[i].shl::<2>());
        }
        Factor { limbs, fives }
    }

    #[inline(always)]
    fn sums(_: TokenOf<Self, N, 5>, limbs: [W; 5]) -> [W; 5] {
        limbs
    }

    /// Limbs of `a` are below 2^27 and those of `b` below 5 x 2^24: a limb of the product is below 25 x 2^53.
    #[inline(always)]
    fn multiply_add(sums: [W; 5], a: &[W; 5], b: &Factor<W>) -> [W; 5] {
        let Factor { limbs: r, fives: s } = b;
        [
            dot(sums[0], a, [r[0], s[4], s[3], s[2], s[1]]),
            dot(sums[1], a, [r[1], r[0], s[4], s[3], s[2]]),
            dot(sums[2], a, [r[2], r[1], r[0], s[4], s[3]]),
            dot(sums[3], a, [r[3], r[2], r[1], r[0], s[4]]),
            dot(sums[4], a, [r[4], r[3], r[2], r[1], r[0]]),
        ]
    }

    /// Limbs below 2^60, the last one below 2^58, made limbs below 2^26 + 2^10. Two chains of carries run side by side.
    #[inline(always)]
    fn carry(self, limbs: [W; 5]) -> [W; 5] {
        let mut a = limbs;
        macro_rules! carry {
            ($($from:literal -> $to:literal),*) => {$(
                let over = a[$from].shr::<26>();
                a[$from] = a[$from].and(self.0);
                a[$to] = a[$to].add(over);
                if $from == 4 {
                    a[$to] = a[$to].add(over.shl::<2>());
                }
            )*};
        }
        carry!(0 -> 1, 3 -> 4, 1 -> 2, 4 -> 0, 2 -> 3, 0 -> 1, 3 -> 4);
        a
    }
}

#[inline(always)]
fn dot<W: Pairs<N>, const N: usize>(sum: W, a: &[W; 5], b: [W; 5]) -> W {
    sum.add(a[0].mul_u32(b[0]))
        .add(a[1].mul_u32(b[1]))
        .add(a[2].mul_u32(b[2]))
        .add(a[3].mul_u32(b[3]))
        .add(a[4].mul_u32(b[4]))
}
