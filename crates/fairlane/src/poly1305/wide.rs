//! The same numbers in words of lanes: `N` blocks at once, in limbs of [`Limbs26`](super::limbs26::Limbs26) or
//! [`Limbs44`](super::limbs44::Limbs44), written once for both and all words.
//!
//! With H for `N` sums side by side and w for the next `N` blocks, four words share one reduction:
//!
//! ```text
//! H <- H r^4N + w1 r^3N + w2 r^2N + w3 r^N + w4
//! ```
//!
//! At the end each lane is multiplied by the power of r for its last block, r^N to r, and the lanes are added.
//!
//! Operations a word of blocks: in limbs of 26 bits 25 products and 25 additions, 12 to take the blocks apart, and a
//! quarter of the 23 of a reduction: 68; in limbs of 44 bits 18 products that add, 8, and a quarter of 13: 29. Cycles a
//! byte on an Emerald Rapids Xeon at 3.0 GHz, in 1 MiB; the bound is operations over ports, 2 for 512 bits and 3 for
//! 256:
//!
//! | | bound | measured | one reduction a word |
//! | --- | --- | --- | --- |
//! | × 8 in 512 bits, 44 (16 KiB, Granite Rapids) | 0.11 | 0.14 | |
//! | × 8 in 512 bits, 26 | 0.27 | 0.29 | 0.36 |
//! | × 4 in 256 bits, 26 | 0.35 | 0.41 | 0.52 |
//!
//! A carry in limbs of 44 bits multiplies by products that add instead of shifting: seven operations fewer, and 5 to
//! 6 % less time from 384 bytes on (Granite Rapids; not measured on a Zen 4, which begins one such product a cycle).
//! Two words a reduction, and the limb that is carried last multiplied last, take 8 % off 1 KiB, which has too few
//! words to compute four factors. Eight words a reduction were not faster, nor was a batch of ChaCha20 with Poly1305 of
//! the batch before between its rounds, 16 KiB of ciphertext in one loop. Products of 512 bits lower the clock of a
//! Granite Rapids Xeon from 4.2 to 3.9 GHz and those of 256 do not; but limbs of 44 bits × 4 took 1.4 times as long as
//! × 8, and with them sealing up to 2 KiB took up to 10 % longer, and 4 KiB or more up to 5 % less.

use super::number::{Number, Point};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Pairs, U64xN};

/// The most blocks that any word holds.
const MOST: usize = 8;

/// The most limbs that a number has.
const LIMBS: usize = 5;

/// The most words that share one reduction.
const WORDS: usize = 4;

/// The representation of `N` numbers in `L` words, a limb in each, and their multiplication. A value holds the
/// constants of its operations.
pub(super) trait Limbs<const N: usize, const L: usize>: Copy {
    type Word: Pairs<N>;
    /// A number to multiply by.
    type Factor: Copy;
    /// Sums of up to [`WORDS`] products and a number, not carried.
    type Sums: Copy;

    /// The number of words in one piece from which on two share a reduction.
    const PAIRS: usize;
    /// The number of words in one piece from which on [`WORDS`] share a reduction.
    const MANY: usize;

    /// A number's limbs.
    fn split(number: Number) -> [u64; L];
    /// The converse, for limbs of any size below 2^62.
    fn join(limbs: [u64; L]) -> Number;

    fn new(token: TokenOf<Self, N, L>) -> Self;
    /// The limbs of blocks, given in halves, with the bit 2^128 set.
    fn split_blocks(self, token: TokenOf<Self, N, L>, low: Self::Word, high: Self::Word) -> [Self::Word; L];
    fn factor(token: TokenOf<Self, N, L>, limbs: [Self::Word; L]) -> Self::Factor;
    fn sums(token: TokenOf<Self, N, L>, limbs: [Self::Word; L]) -> Self::Sums;
    /// `sums + a b`
    fn multiply_add(sums: Self::Sums, a: &[Self::Word; L], b: &Self::Factor) -> Self::Sums;
    /// Limbs that can be multiplied again.
    fn carry(self, sums: Self::Sums) -> [Self::Word; L];
}

/// The token of the limbs' words.
pub(super) type TokenOf<F, const N: usize, const L: usize> = <<F as Limbs<N, L>>::Word as U64xN<N>>::Token;

/// The powers r to r^N, limb by limb: in each lane the power with which the last block of that lane is multiplied. They
/// are computed once a message, if it is long enough.
#[derive(Clone)]
pub(super) struct Powers([[u64; MOST]; LIMBS]);

impl Powers {
    /// Zeros, for what is erased.
    pub(super) const ZERO: Self = Self([[0; MOST]; LIMBS]);

    /// Keeps the powers.
    #[inline(always)]
    fn of<W: U64xN<N>, const N: usize, const L: usize>(powers: &[W; L]) -> Self {
        let mut kept = Self::ZERO;
        for i in 0..L {
            let (lanes, _) = kept.0[i].as_chunks_mut();
            lanes[0] = powers[i].to_array();
        }
        kept
    }

    #[inline(always)]
    fn load<W: U64xN<N>, const N: usize, const L: usize>(&self, token: W::Token) -> [W; L] {
        let mut powers = [W::splat(token, 0); L];
        for i in 0..L {
            let (lanes, _) = self.0[i].as_chunks();
            powers[i] = W::from_array(token, lanes[0]);
        }
        powers
    }
}

/// Computes the powers for [`Powers`]: r in each lane, then one of two powers, one of four, and so on. On a Granite
/// Rapids Xeon 384 bytes take 8 % less time with it than with powers one by one in integers.
#[inline(always)]
fn powers<F: Limbs<N, L>, const N: usize, const L: usize>(token: TokenOf<F, N, L>, form: F, r: &Point) -> [F::Word; L] {
    const { assert!(N <= MOST) };
    let limbs = F::split(r.number());
    let mut powers = [F::Word::splat(token, 0); L];
    for i in 0..L {
        powers[i] = F::Word::splat(token, limbs[i]);
    }
    let mut highest = powers;
    // Not a loop, so that the numbers of lanes are constants.
    if N > 1 {
        (powers, highest) = twice_as_many::<F, N, L>(token, form, 1, powers, highest);
    }
    if N > 2 {
        (powers, highest) = twice_as_many::<F, N, L>(token, form, 2, powers, highest);
    }
    if N > 4 {
        (powers, _) = twice_as_many::<F, N, L>(token, form, 4, powers, highest);
    }
    powers
}

/// A lane's exponent less one is here what it will be in the end modulo `have`, and in the result modulo twice that:
/// where it differs, the lane is multiplied by `highest`, which is r^`have`. The second result is the next `highest`.
#[inline(always)]
fn twice_as_many<F: Limbs<N, L>, const N: usize, const L: usize>(
    token: TokenOf<F, N, L>,
    form: F,
    have: usize,
    powers: [F::Word; L],
    highest: [F::Word; L],
) -> ([F::Word; L], [F::Word; L]) {
    let none = F::sums(token, [F::Word::splat(token, 0); L]);
    let products = form.carry(F::multiply_add(none, &powers, &F::factor(token, highest)));
    let mut chosen = [0; N];
    for lane in 0..N {
        // The order of `Pairs::transpose_pairs`: the first half in the even lanes, the second in the odd ones.
        let block = lane / 2 + lane % 2 * (N / 2);
        let same = (N - 1 - block) & have == 0;
        chosen[lane] = if same { lane } else { N + lane };
    }
    let (mut powers, mut highest) = (powers, highest);
    for i in 0..L {
        powers[i] = powers[i].choose(token, products[i], chosen);
        // Lane 0 has the first block, and so the highest exponent.
        highest[i] = products[i].choose(token, products[i], [0; N]);
    }
    (powers, highest)
}

/// Absorbs blocks of 16 bytes as [`Number::absorb`] does; their number is a multiple of the word's `N`, and not 0.
pub(super) struct Absorb<'a, F, const N: usize, const L: usize> {
    pub(super) sum: Number,
    pub(super) r: &'a Point,
    /// Computed if they are not there.
    pub(super) powers: &'a mut Option<Powers>,
    pub(super) blocks: &'a [[u8; 16]],
    pub(super) limbs: PhantomData<F>,
}

impl<F: Limbs<N, L>, const N: usize, const L: usize> Kernel<TokenOf<F, N, L>> for Absorb<'_, F, N, L> {
    type Output = Number;

    #[inline(always)]
    fn call(self, token: TokenOf<F, N, L>) -> Number {
        let mut bytes = self.blocks.as_flattened();
        let form = F::new(token);
        // The sum so far joins the first block.
        let before = F::split(self.sum);
        let mut sum = load(token, form, bytes);
        for i in 0..L {
            let mut lanes = [0; N];
            lanes[0] = before[i];
            sum[i] = sum[i].add(F::Word::from_array(token, lanes));
        }
        bytes = &bytes[16 * N..];
        let lanes = match self.powers {
            Some(powers) => powers.load::<F::Word, N, L>(token),
            none => {
                let powers = powers::<F, N, L>(token, form, self.r);
                *none = Some(Powers::of(&powers));
                powers
            }
        };
        let mut factor = lanes;
        for i in 0..L {
            // Lane 0 has the first block.
            factor[i] = lanes[i].choose(token, lanes[i], [0; N]);
        }
        let none = F::sums(token, [F::Word::splat(token, 0); L]);
        let first = F::factor(token, factor);
        // Further factors are computed if sharing a reduction makes up for that.
        let words = bytes.len() / (16 * N);
        if words >= F::PAIRS {
            let (mut powers, mut factors) = ([factor; WORDS], [first; WORDS]);
            powers[1] = form.carry(F::multiply_add(none, &factor, &first));
            factors[1] = F::factor(token, powers[1]);
            if words >= F::MANY {
                for i in 2..WORDS {
                    // r^(i+1)N by the two powers that are nearest to its root: two steps, not three.
                    let (a, b) = (i / 2, (i - 1) / 2);
                    powers[i] = form.carry(F::multiply_add(none, &powers[a], &factors[b]));
                    factors[i] = F::factor(token, powers[i]);
                }
                while bytes.len() >= 16 * N * WORDS {
                    sum = absorb_words::<F, N, L, WORDS>(token, form, &sum, &factors, bytes);
                    bytes = &bytes[16 * N * WORDS..];
                }
            }
            while bytes.len() >= 16 * N * 2 {
                sum = absorb_words::<F, N, L, 2>(token, form, &sum, &factors, bytes);
                bytes = &bytes[16 * N * 2..];
            }
        }
        while bytes.len() >= 16 * N {
            sum = absorb_words::<F, N, L, 1>(token, form, &sum, &[first; WORDS], bytes);
            bytes = &bytes[16 * N..];
        }

        let products = form.carry(F::multiply_add(none, &sum, &F::factor(token, lanes)));
        let mut total = [0; L];
        for i in 0..L {
            let lanes = products[i].to_array();
            for lane in 0..N {
                total[i] += lanes[lane];
            }
        }
        F::join(total)
    }
}

/// The next `N` blocks.
#[inline(always)]
fn load<F: Limbs<N, L>, const N: usize, const L: usize>(
    token: TokenOf<F, N, L>,
    form: F,
    bytes: &[u8],
) -> [F::Word; L] {
    let (first, second) = (F::Word::load(token, &bytes[..8 * N]), F::Word::load(token, &bytes[8 * N..][..8 * N]));
    let [low, high] = first.transpose_pairs(second);
    form.split_blocks(token, low, high)
}

/// `sum r^KN + w1 r^(K-1)N + … + wK` over the next `K` words of blocks; `factors[i]` is r^(i+1)N.
#[inline(always)]
fn absorb_words<F: Limbs<N, L>, const N: usize, const L: usize, const K: usize>(
    token: TokenOf<F, N, L>,
    form: F,
    sum: &[F::Word; L],
    factors: &[F::Factor; WORDS],
    bytes: &[u8],
) -> [F::Word; L] {
    let mut sums = F::sums(token, load(token, form, &bytes[16 * N * (K - 1)..]));
    for i in 0..K - 1 {
        sums = F::multiply_add(sums, &load(token, form, &bytes[16 * N * i..]), &factors[K - 2 - i]);
    }
    form.carry(F::multiply_add(sums, sum, &factors[K - 1]))
}
