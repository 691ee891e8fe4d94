//! Sums of products in the fields of GCM and GMAC, digit by digit.
//!
//! In words of several digits: for each digit `e` of the powers all words of blocks times that digit, each lane by the one for its
//! block, and the products of all blocks added. What stands in a lane that has digit `d` of blocks belongs to digit `d + e` of the
//! sum. No digit leaves its lane. In words of one digit, Karatsuba's products: 3 for 4, and 9 for 16.
//!
//! Cycles a byte of the whole hash on an Emerald Rapids Xeon with neighbours at work, 16 KiB in one call, the clock taken from a chain
//! of dependent additions:
//!
//! | backend | blocks of 16 bytes | 32 | 64 |
//! | --- | --- | --- | --- |
//! | `avx512-vbmi` | 0.25 | 0.37 | 0.62 |
//! | `avx2-gfni` | 0.33 | 0.52 | 1.1 to 1.5 |
//! | `avx2-aes` | 0.44 | 0.66 | 1.7 |
//! | `scalar` | 7.2 | 11.4 | 18 |

use super::field::Powers;
use fairlane_lanes::Polynomials;

/// Does something for each digit; spelt out, or LLVM keeps what is added up in memory.
macro_rules! each_digit {
    ($e:ident, $d:ident => $body:block) => { each_digit!(@ $e $d $body; 0 1 2 3) };
    (@ $e:ident $d:ident $body:block; $($i:literal)*) => {$(
        if $i < $d {
            const $e: usize = $i;
            $body
        }
    )*};
}

/// The sum of all blocks times their powers, those from digit `at` on, with `sum` added to the first block: `2 * D` digits, and zeros.
#[inline(always)]
pub(super) fn sum_of_products<W: Polynomials<N>, const N: usize, const D: usize>(
    token: W::Token,
    powers: &Powers<D>,
    at: usize,
    sum: [u128; D],
    digits: &[[u8; 16]],
) -> [u128; 8] {
    let mut total = [0; 8];
    if N == 1 {
        for k in 0..const { parts(D) } {
            let Part { digits: those, places } = const { karatsuba::<D>() }[k];
            let mut products = Products::zero(token);
            for i in (0..digits.len()).step_by(D) {
                let zero = W::splat(token, 0);
                let (mut word, mut power, mut folded) = (zero, zero, zero);
                for d in 0..D {
                    if those >> d & 1 == 1 {
                        let first = W::splat(token, if i == 0 { sum[d] } else { 0 });
                        word = word.xor3(W::load_le(token, &digits[i + d..][..1]), first);
                        power = power.xor(W::splat(token, powers.digits[d][at + i]));
                        folded = folded.xor(W::splat(token, powers.folded[d][at + i]));
                    }
                }
                products = products.add(word, power, folded);
            }
            let [low, high] = products.digits();
            for place in 0..2 * D - 1 {
                if places >> place & 1 == 1 {
                    total[place] ^= low.sum();
                    total[place + 1] ^= high.sum();
                }
            }
        }
        return total;
    }
    // Words that hold the same digits of their blocks are added up. Of long blocks they are every second.
    let step = if N < D { D } else { N };
    for part in 0..step / N {
        let mut first = [0; N];
        for lane in 0..N {
            if lane < D {
                first[lane] = sum[part * N + lane];
            }
        }
        let first = W::from_array(token, first);
        let mut above = W::splat(token, 0);
        each_digit!(E, D => {
            let mut products = Products::zero(token);
            // Backwards, since the first block waits for the sum.
            for i in (part * N..digits.len()).step_by(step).rev() {
                let mut word = W::load_le(token, &digits[i..if i + N < digits.len() { i + N } else { digits.len() }]);
                if i < step {
                    word = word.xor(first);
                }
                let (power, folded) = (powers.digits[E][at + i..].first_chunk(), powers.folded[E][at + i..].first_chunk());
                if let (Some(power), Some(folded)) = (power, folded) {
                    products = products.add(word, W::from_array(token, *power), W::from_array(token, *folded));
                }
            }
            let [low, high] = products.digits();
            let lanes = low.xor(above).to_array();
            for lane in 0..N {
                total[(part * N + lane) % D + E] ^= lanes[lane];
            }
            above = high;
        });
        let lanes = above.to_array();
        for lane in 0..N {
            total[(part * N + lane) % D + D] ^= lanes[lane];
        }
    }
    total
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

    #[inline(always)]
    fn add<const N: usize>(self, word: W, power: W, folded: W) -> Self
    where
        W: Polynomials<N>,
    {
        Self {
            low: self.low.xor(word.mul_low(power)),
            high: self.high.xor(word.mul_high(power)),
            both: self.both.xor(word.xor(word.swap_halves()).mul_low(folded)),
        }
    }

    /// The sum's two digits, the lower one first.
    #[inline(always)]
    fn digits<const N: usize>(self) -> [W; 2]
    where
        W: Polynomials<N>,
    {
        let middle = self.both.xor3(self.low, self.high);
        [self.low.xor(middle.shift_left_64()), self.high.xor(middle.shift_right_64())]
    }
}

/// One of the products that Karatsuba's multiplication makes of digits: of which of them it takes the sums, and the places of the
/// result that it is added to. Bit `i` is for number `i`.
#[derive(Clone, Copy)]
struct Part {
    digits: u32,
    places: u32,
}

/// How many there are.
const fn parts(d: usize) -> usize {
    match d {
        1 => 1,
        2 => 3,
        _ => 9,
    }
}

/// All of them, for `D` digits.
const fn karatsuba<const D: usize>() -> [Part; 9] {
    const HALVES: [Part; 3] = [
        Part { digits: 0b01, places: 0b011 },
        Part { digits: 0b10, places: 0b110 },
        Part { digits: 0b11, places: 0b010 },
    ];
    let (mut parts, mut i) = ([Part { digits: 0, places: 0 }; 9], 0);
    while i < self::parts(D) {
        let (high, low) = (HALVES[i / 3], HALVES[i % 3]);
        parts[i] = match D {
            1 => Part { digits: 1, places: 1 },
            2 => low,
            // Halves of halves: a bit of the upper numbers stands for two of the lower ones.
            _ => Part {
                digits: (high.digits & 1 | (high.digits & 2) << 1) * low.digits,
                places: (high.places & 1 | (high.places & 2) << 1 | (high.places & 4) << 2) * low.places,
            },
        };
        i += 1;
    }
    parts
}
