//! Multiplication in GHASH's field, and sums over powers of H, written once for all words.
//!
//! GHASH writes a polynomial with its first coefficient first. Read as a big-endian number a block is that polynomial
//! backwards, with x for 1/x: no bit is moved. Modulo x<sup>128</sup> + x<sup>127</sup> + x<sup>126</sup> +
//! x<sup>121</sup> + 1, which is GHASH's modulus backwards, GHASH's product is then a b / x<sup>127</sup>. [`reduce`]
//! computes a b / x<sup>128</sup>, so H is multiplied by x once.
//!
//! With w1 to wK for the next words of `N` blocks, K N blocks share one reduction:
//!
//! ```text
//! sum <- (sum + w1) H^KN + w2 H^(K-1)N + ... + wK H^N
//! ```
//!
//! Each lane has its own sum, of every `N`th block. The last group's blocks are each multiplied by their own power
//! instead, and the lanes added.
//!
//! A word is three products (Karatsuba), two shuffles and four additions, a reduction two products, two shuffles and
//! seven additions. Carry-less products have one port, shuffles of 512 bits the same one, those of 256 one port more,
//! additions two ports or three. Cycles on an Emerald Rapids Xeon, the clock taken from a chain of dependent additions:
//!
//! | | bound for 16 blocks | cycles a byte: bound | measured, 16 KiB | 1 KiB | 16 blocks at once | powers |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | × 4 in 512 bits | 24: 12 products and 8 shuffles, 2 and 2 | 0.094 | 0.096 | 0.125 | 60 cycles | 300 cycles |
//! | × 2 in 256 bits | 27: 80 operations, three ports | 0.104 | 0.114 | 0.154 | 62 | 305 |
//! | × 1 in 128 bits | 51: 152 operations | 0.198 | 0.214 | 0.233 | 74 | 295 |
//! | integers, groups of 4 | | | 7.4 | 7.6 | 2000 | 575 |
//!
//! Schoolbook multiplication takes as many operations of that port in 512 bits, a product for the shuffle, and more in
//! 256.

use crate::carryless::{CarrylessKernel, Factor, SumOfProducts, fold};
use fairlane_lanes::Polynomials;
use zeroize::Zeroize;

/// Powers for a group of 16 blocks and three more, and room after them for a word of four.
const MOST: usize = 16 + 3 + 3;

/// x<sup>63</sup> + x<sup>62</sup> + x<sup>57</sup>: the modulus without its first and last coefficients, the upper
/// half.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs name it"))]
pub const MODULUS: u128 = 0b1100_0010 << 56;

/// Powers of H, times x, the highest first: as many as the words can use at once, and then zeros.
#[derive(Clone)]
pub(super) struct Powers {
    powers: [u128; MOST],
    /// In the lower half, the sum of both halves of the power.
    folded: [u128; MOST],
}

impl Powers {
    /// Zeros, for [`MakePowers`] to overwrite.
    pub(super) const ZERO: Self = Self { powers: [0; MOST], folded: [0; MOST] };

    #[cfg(feature = "symbolic")]
    pub(super) fn of([powers, folded]: [[u128; MOST]; 2]) -> Self {
        Self { powers, folded }
    }

    #[cfg(feature = "symbolic")]
    pub(super) fn numbers(&self) -> [[u128; MOST]; 2] {
        [self.powers, self.folded]
    }
}

impl Zeroize for Powers {
    fn zeroize(&mut self) {
        self.powers.zeroize();
        self.folded.zeroize();
    }
}

/// The number of powers for groups of `WORDS` words: the last group may have nearly a word more.
#[inline(always)]
pub(super) const fn count(n: usize, words: usize) -> usize {
    n * words + n - 1
}

/// Computes the powers of H in place.
pub(super) struct MakePowers<'a> {
    pub(super) powers: &'a mut Powers,
    pub(super) h: &'a [u8; 16],
}

impl CarrylessKernel for MakePowers<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token)
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>,
    {
        let Powers { powers, folded } = self.powers;
        let token = token.into();
        let modulus = S::splat(token, MODULUS);
        let h = u128::from_be_bytes(*self.h);
        let overflow = 0_u128.wrapping_sub(h >> 127) & (1 | MODULUS << 64);
        let count = count(N, WORDS);
        for i in 1..=count {
            // H^i is H^(i / 2) times the power that remains.
            let power = if i == 1 {
                S::splat(token, h << 1 ^ overflow)
            } else {
                let a = S::splat(token, powers[count - i / 2]);
                let b = Factor { value: a, folded: S::splat(token, folded[count - i / 2]) };
                let rest = S::splat(token, powers[count - (i - i / 2)]);
                reduce(SumOfProducts::zero(token).add(rest, &b), modulus)
            };
            [powers[count - i]] = power.to_array();
            [folded[count - i]] = fold(power).to_array();
        }
    }
}

/// Absorbs blocks, at least one, into the sum so far.
pub(super) struct Absorb<'a> {
    pub(super) powers: &'a Powers,
    pub(super) sum: u128,
    pub(super) blocks: &'a [[u8; 16]],
}

impl CarrylessKernel for Absorb<'_> {
    type Output = u128;

    #[inline(always)]
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token) -> u128
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
    {
        let Self { powers: Powers { powers, folded }, sum, mut blocks } = self;
        let modulus = W::splat(token, MODULUS);
        let mut lanes = [0; N];
        lanes[0] = sum;
        let mut sum = W::from_array(token, lanes);

        // What is left after that fills a word at least, so that every lane's sum has a block to go with.
        if blocks.len() >= N * WORDS + N {
            let one = Factor { value: modulus, folded: modulus };
            let mut factors = [one; WORDS];
            for i in 0..WORDS {
                let at = count(N, WORDS) - N * (WORDS - i);
                factors[i] = Factor { value: W::splat(token, powers[at]), folded: W::splat(token, folded[at]) };
            }
            while blocks.len() >= N * WORDS + N {
                let mut products = SumOfProducts::zero(token);
                for i in 0..WORDS {
                    let word = W::load_be(token, &blocks[N * i..][..N]);
                    let word = if i == 0 { word.xor(sum) } else { word };
                    products = products.add(word, &factors[i]);
                }
                sum = reduce(products, modulus);
                blocks = &blocks[N * WORDS..];
            }
        }

        let mut products = SumOfProducts::zero(token);
        let mut at = count(N, WORDS) - blocks.len();
        while !blocks.is_empty() {
            let word = W::load_be(token, &blocks[..N.min(blocks.len())]).xor(sum);
            let (powers, folded) = (powers[at..].first_chunk(), folded[at..].first_chunk());
            if let (Some(powers), Some(folded)) = (powers, folded) {
                let factor = Factor { value: W::from_array(token, *powers), folded: W::from_array(token, *folded) };
                products = products.add(word, &factor);
            }
            sum = W::splat(token, 0);
            at += N;
            blocks = &blocks[N.min(blocks.len())..];
        }
        reduce(products, modulus).sum()
    }
}

/// The sum divided by x<sup>128</sup>: adding a multiple of the modulus clears the lowest 64 coefficients, which are
/// then left out, and that twice.
#[inline(always)]
pub(super) fn reduce<W: Polynomials<N>, const N: usize>(sum: SumOfProducts<W>, modulus: W) -> W {
    let inner = sum.middle().xor3(sum.low.mul_low(modulus), sum.low.swap_halves());
    sum.high.xor3(inner.mul_low(modulus), inner.swap_halves())
}
