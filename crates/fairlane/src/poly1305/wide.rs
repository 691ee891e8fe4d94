//! The same numbers in words of lanes: `N` blocks at once, in five limbs of 26 bits each, written once for all words.
//!
//! With H for `N` sums side by side and w for the next `N` blocks, four words go in by one reduction:
//!
//! ```text
//! H <- H r^4N + w1 r^3N + w2 r^2N + w3 r^N + w4
//! ```
//!
//! At the end each lane is multiplied by the power of r that its last block has, r^N to r, and all are added.
//!
//! Operations a word of blocks: 25 products and 25 additions, 12 to take the blocks apart, and a quarter of the 23 of a
//! reduction: 68. Cycles a byte on an Emerald Rapids Xeon at 3.0 GHz, in 1 MiB; the bound is operations over ports, 2 for
//! 512 bits and 3 for 256:
//!
//! | | bound | measured | one reduction a word |
//! | --- | --- | --- | --- |
//! | × 8 in 512 bits | 0.27 | 0.29 | 0.36 |
//! | × 4 in 256 bits | 0.35 | 0.41 | 0.52 |

use super::number::{LOW_26, Number, Point};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Pairs};
use zeroize::Zeroize;

/// The most blocks that any word holds.
const MOST: usize = 8;

/// How many words go in by one reduction.
const WORDS: usize = 4;

/// From how many words on, in one piece, that makes up for the products that its factors take.
const MANY: usize = 24;

/// The powers r to r^N, limb by limb: in each lane the one that a word's last block there is multiplied by. Made once a
/// message, when there is enough of it.
#[derive(Clone)]
pub(super) struct Powers([[u64; MOST]; 5]);

impl Powers {
    /// A place for them.
    pub(super) const NONE: Self = Self([[0; MOST]; 5]);

    /// Those for words of `N` lanes.
    #[inline(always)]
    pub(super) fn make<const N: usize>(&mut self, r: &Point) -> &Self {
        let mut power = Number::ONE;
        for block in (0..N).rev() {
            power = power.multiply(r);
            // As `Pairs::unpair` leaves the blocks: the first half in the even lanes, the second in the odd ones.
            let lane = block % (N / 2) * 2 + block / (N / 2);
            let limbs = power.to_limbs26();
            for i in 0..5 {
                self.0[i][lane] = limbs[i];
            }
        }
        self
    }
}

impl Zeroize for Powers {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Absorbs blocks of 16 bytes as [`Number::absorb`] does; their number is a multiple of the word's `N`, and not 0.
pub(super) struct Absorb<'a, W, const N: usize> {
    pub(super) sum: Number,
    pub(super) powers: &'a Powers,
    pub(super) blocks: &'a [[u8; 16]],
    pub(super) word: PhantomData<W>,
}

impl<W: Pairs<N>, const N: usize> Kernel<W::Token> for Absorb<'_, W, N> {
    type Output = Number;

    #[inline(always)]
    fn call(self, token: W::Token) -> Number {
        let mut bytes = self.blocks.as_flattened();
        let low_26 = W::splat(token, LOW_26);
        // The sum so far joins the first block.
        let before = self.sum.to_limbs26();
        let mut sum = load::<W, N>(token, low_26, bytes);
        for i in 0..5 {
            let mut lanes = [0; N];
            lanes[0] = before[i];
            sum[i] = sum[i].add(W::from_array(token, lanes));
        }
        bytes = &bytes[16 * N..];
        let mut lanes = sum;
        let mut factor = sum;
        for i in 0..5 {
            let (powers, _) = self.powers.0[i].as_chunks::<N>();
            lanes[i] = W::from_array(token, powers[0]);
            // Lane 0 has the first block.
            factor[i] = W::splat(token, powers[0][0]);
        }
        let mut factors = [Factor::new(factor); WORDS];
        if bytes.len() >= 16 * N * MANY {
            for i in 1..WORDS {
                let (a, b) = (&factors[i / 2], &factors[(i - 1) / 2]);
                factors[i] = Factor::new(carry(low_26, multiply_add(&[W::splat(token, 0); 5], &a.limbs, b)));
            }
            while bytes.len() >= 16 * N * WORDS {
                sum = absorb_words::<W, N, WORDS>(token, low_26, &sum, &factors, bytes);
                bytes = &bytes[16 * N * WORDS..];
            }
        }
        while bytes.len() >= 16 * N {
            sum = absorb_words::<W, N, 1>(token, low_26, &sum, &factors, bytes);
            bytes = &bytes[16 * N..];
        }

        let products = multiply_add::<W, N>(&[W::splat(token, 0); 5], &sum, &Factor::new(lanes));
        // Eight limbs below 2^58 are below 2^62.
        let mut total = [0; 5];
        for i in 0..5 {
            let lanes = products[i].to_array();
            for lane in 0..N {
                total[i] += lanes[lane];
            }
        }
        Number::from_limbs26(total)
    }
}

/// A number to multiply by: its limbs, and five times its limbs, for products beyond 2^130.
#[derive(Clone, Copy)]
struct Factor<W> {
    limbs: [W; 5],
    fives: [W; 5],
}

impl<W> Factor<W> {
    #[inline(always)]
    fn new<const N: usize>(limbs: [W; 5]) -> Self
    where
        W: Pairs<N>,
    {
        let mut fives = limbs;
        for i in 0..5 {
            fives[i] = limbs[i].add(limbs[i].shl::<2>());
        }
        Self { limbs, fives }
    }
}

/// The next `N` blocks: limbs of 26 bits, and the bit beyond the block in the last.
#[inline(always)]
fn load<W: Pairs<N>, const N: usize>(token: W::Token, low_26: W, bytes: &[u8]) -> [W; 5] {
    let (first, second) = (W::load(token, &bytes[..8 * N]), W::load(token, &bytes[8 * N..][..8 * N]));
    let [low, high] = first.unpair(second);
    [
        low.and(low_26),
        low.shr::<26>().and(low_26),
        low.shr::<52>().or(high.shl::<12>()).and(low_26),
        high.shr::<14>().and(low_26),
        high.shr::<40>().or(W::splat(token, 1 << 24)),
    ]
}

/// `sum r^KN + w1 r^(K-1)N + … + wK` over the next `K` words of blocks; `factors[i]` is r^(i+1)N.
#[inline(always)]
fn absorb_words<W: Pairs<N>, const N: usize, const K: usize>(
    token: W::Token,
    low_26: W,
    sum: &[W; 5],
    factors: &[Factor<W>; WORDS],
    bytes: &[u8],
) -> [W; 5] {
    let mut sums = load::<W, N>(token, low_26, &bytes[16 * N * (K - 1)..]);
    for i in 0..K - 1 {
        sums = multiply_add::<W, N>(&sums, &load::<W, N>(token, low_26, &bytes[16 * N * i..]), &factors[K - 2 - i]);
    }
    carry::<W, N>(low_26, multiply_add::<W, N>(&sums, sum, &factors[K - 1]))
}

/// `sums + a b`, not carried. Limbs of `a` are below 2^27 and those of `b` below 5 x 2^24: a limb of the product is below
/// 25 x 2^53.
#[inline(always)]
fn multiply_add<W: Pairs<N>, const N: usize>(sums: &[W; 5], a: &[W; 5], b: &Factor<W>) -> [W; 5] {
    let Factor { limbs: r, fives: s } = b;
    [
        dot(sums[0], a, [r[0], s[4], s[3], s[2], s[1]]),
        dot(sums[1], a, [r[1], r[0], s[4], s[3], s[2]]),
        dot(sums[2], a, [r[2], r[1], r[0], s[4], s[3]]),
        dot(sums[3], a, [r[3], r[2], r[1], r[0], s[4]]),
        dot(sums[4], a, [r[4], r[3], r[2], r[1], r[0]]),
    ]
}

#[inline(always)]
fn dot<W: Pairs<N>, const N: usize>(sum: W, a: &[W; 5], b: [W; 5]) -> W {
    sum.add(a[0].mul_low(b[0]))
        .add(a[1].mul_low(b[1]))
        .add(a[2].mul_low(b[2]))
        .add(a[3].mul_low(b[3]))
        .add(a[4].mul_low(b[4]))
}

/// Limbs below 2^60, the last one below 2^58, made limbs below 2^26 + 2^10. Two chains of carries run side by side.
#[inline(always)]
fn carry<W: Pairs<N>, const N: usize>(low_26: W, limbs: [W; 5]) -> [W; 5] {
    let mut a = limbs;
    macro_rules! carry {
        ($($from:literal -> $to:literal),*) => {$(
            let over = a[$from].shr::<26>();
            a[$from] = a[$from].and(low_26);
            a[$to] = a[$to].add(over);
            if $from == 4 {
                a[$to] = a[$to].add(over.shl::<2>());
            }
        )*};
    }
    carry!(0 -> 1, 3 -> 4, 1 -> 2, 4 -> 0, 2 -> 3, 0 -> 1, 3 -> 4);
    a
}
