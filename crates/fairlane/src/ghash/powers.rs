//! Multiplication in GHASH's field, and sums over powers of H, written once for all words.
//!
//! GHASH writes a polynomial with its first coefficient first. Read as a big-endian number a block is that polynomial
//! backwards, with x for 1/x: no bit is moved. Modulo x<sup>128</sup> + x<sup>127</sup> + x<sup>126</sup> + x<sup>121</sup> + 1,
//! which is GHASH's modulus backwards, the product that it wants is then a b / x<sup>127</sup>. The one here,
//! [`Products::reduce`], is a b / x<sup>128</sup>, so H is multiplied by x once.
//!
//! With w1 to wK for the next words of `N` blocks, K N blocks go in by one reduction:
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
//! Schoolbook multiplication takes as many operations of that port in 512 bits, a product for the shuffle, and more in 256.

use super::kernels::Job;
use fairlane_lanes::Polynomials;
use zeroize::Zeroize;

/// Powers for a group of 16 blocks and three more, and room behind them for a word of four.
const MOST: usize = 16 + 3 + 3;

/// x<sup>63</sup> + x<sup>62</sup> + x<sup>57</sup>: what is between the modulus' first and last coefficients, in its
/// upper half.
const MIDDLE: u128 = 0b1100_0010 << 56;

/// Powers of H, times x, the highest first; so many as the words can use at once, and zeros.
#[derive(Clone)]
pub(super) struct Powers {
    powers: [u128; MOST],
    /// In the lower half, the sum of both halves of the power.
    folded: [u128; MOST],
}

impl Powers {
    /// A place for them.
    pub(super) const NONE: Self = Self { powers: [0; MOST], folded: [0; MOST] };
}

impl Zeroize for Powers {
    fn zeroize(&mut self) {
        self.powers.zeroize();
        self.folded.zeroize();
    }
}

/// How many powers there are for groups of `WORDS` words: the last group may have nearly a word more.
#[inline(always)]
const fn count(n: usize, words: usize) -> usize {
    n * words + n - 1
}

/// Makes the powers where they stay.
pub(super) struct Make<'a> {
    pub(super) powers: &'a mut Powers,
    pub(super) h: &'a [u8; 16],
}

impl Job for Make<'_> {
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
        let middle = S::splat(token, MIDDLE);
        let h = u128::from_be_bytes(*self.h);
        let overflow = 0_u128.wrapping_sub(h >> 127) & (1 | MIDDLE << 64);
        let count = count(N, WORDS);
        for i in 1..=count {
            // The power i is that of i / 2 times that of the rest.
            let power = if i == 1 {
                S::splat(token, h << 1 ^ overflow)
            } else {
                let a = S::splat(token, powers[count - i / 2]);
                let b = Factor { power: a, folded: S::splat(token, folded[count - i / 2]) };
                let rest = S::splat(token, powers[count - (i - i / 2)]);
                Products::zero(token).add(rest, &b).reduce(middle)
            };
            [powers[count - i]] = power.to_array();
            [folded[count - i]] = fold(power).to_array();
        }
    }
}

/// Absorbs blocks, at least one: of the sum so far and them, the sum.
pub(super) struct Absorb<'a> {
    pub(super) powers: &'a Powers,
    pub(super) sum: u128,
    pub(super) blocks: &'a [[u8; 16]],
}

impl Job for Absorb<'_> {
    type Output = u128;

    #[inline(always)]
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token) -> u128
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
    {
        let Self { powers: Powers { powers, folded }, sum, mut blocks } = self;
        let middle = W::splat(token, MIDDLE);
        let mut lanes = [0; N];
        lanes[0] = sum;
        let mut sum = W::from_array(token, lanes);

        // What is left after that fills a word at least, so that every lane's sum has a block to go with.
        if blocks.len() >= N * WORDS + N {
            let one = Factor { power: middle, folded: middle };
            let mut factors = [one; WORDS];
            for i in 0..WORDS {
                let at = count(N, WORDS) - N * (WORDS - i);
                factors[i] = Factor { power: W::splat(token, powers[at]), folded: W::splat(token, folded[at]) };
            }
            while blocks.len() >= N * WORDS + N {
                let mut products = Products::zero(token);
                for i in 0..WORDS {
                    let word = W::load_be(token, &blocks[N * i..][..N]);
                    let word = if i == 0 { word.xor(sum) } else { word };
                    products = products.add(word, &factors[i]);
                }
                sum = products.reduce(middle);
                blocks = &blocks[N * WORDS..];
            }
        }

        let mut products = Products::zero(token);
        let mut at = count(N, WORDS) - blocks.len();
        while !blocks.is_empty() {
            let word = W::load_be(token, &blocks[..N.min(blocks.len())]).xor(sum);
            let (powers, folded) = (powers[at..].first_chunk(), folded[at..].first_chunk());
            if let (Some(powers), Some(folded)) = (powers, folded) {
                let factor = Factor { power: W::from_array(token, *powers), folded: W::from_array(token, *folded) };
                products = products.add(word, &factor);
            }
            sum = W::splat(token, 0);
            at += N;
            blocks = &blocks[N.min(blocks.len())..];
        }
        products.reduce(middle).sum()
    }
}

/// Something to multiply by.
#[derive(Clone, Copy)]
struct Factor<W> {
    power: W,
    folded: W,
}

/// Sums of products, by Karatsuba: of lower halves, of upper halves, and of both halves' sums.
#[derive(Clone, Copy)]
struct Products<W> {
    low: W,
    high: W,
    both: W,
}

impl<W> Products<W> {
    #[inline(always)]
    fn zero<const N: usize>(token: W::Token) -> Self
    where
        W: Polynomials<N>,
    {
        let zero = W::splat(token, 0);
        Self { low: zero, high: zero, both: zero }
    }

    /// `self + a b`
    #[inline(always)]
    fn add<const N: usize>(self, a: W, b: &Factor<W>) -> Self
    where
        W: Polynomials<N>,
    {
        Self {
            low: self.low.xor(a.mul_low(b.power)),
            high: self.high.xor(a.mul_high(b.power)),
            both: self.both.xor(fold(a).mul_low(b.folded)),
        }
    }

    /// The sum divided by x<sup>128</sup>. Whatever stands in the lowest 64 coefficients goes away if that multiple of the
    /// modulus is added, and twice 64 are left off so.
    #[inline(always)]
    fn reduce<const N: usize>(self, middle: W) -> W
    where
        W: Polynomials<N>,
    {
        let Self { low, high, both } = self;
        let inner = both.xor3(low, high).xor3(low.mul_low(middle), low.swap_halves());
        high.xor3(inner.mul_low(middle), inner.swap_halves())
    }
}

/// In the lower half, the sum of both.
#[inline(always)]
fn fold<W: Polynomials<N>, const N: usize>(a: W) -> W {
    a.xor(a.swap_halves())
}
