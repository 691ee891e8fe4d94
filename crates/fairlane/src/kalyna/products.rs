//! Sums of products in the fields of GCM and GMAC, before reduction.
//!
//! An element has `D` digits of 128 bits. In words of several digits, each digit `e` of the powers is multiplied with
//! all words of blocks, each lane with the power for its block, and the products of all blocks are added. The sum of a
//! lane that has digit `d` of the blocks belongs to digit `d + e` of the result. No digit leaves its lane. In words of
//! one digit Karatsuba's method multiplies the digits, too: 3 products instead of 4, and 9 instead of 16.
//!
//! Cycles per byte of the whole hash on a shared Emerald Rapids Xeon, 16 KiB in one call, with the clock taken from a
//! chain of dependent additions:
//!
//! | backend | blocks of 16 bytes | 32 | 64 |
//! | --- | --- | --- | --- |
//! | `avx512-vbmi` | 0.25 | 0.37 | 0.62 |
//! | `avx2-gfni` | 0.33 | 0.52 | 1.1 to 1.5 |
//! | `avx2-aes` | 0.44 | 0.66 | 1.7 |
//! | `scalar` | 7.2 | 11.4 | 18 |

use crate::carryless::{Factor, SumOfProducts};
use fairlane_lanes::Polynomials;
use zeroize::Zeroize;

/// The most digits of blocks in a group, the blocks that share one reduction.
pub(super) const MAX_GROUP: usize = 16;
/// As many digits of powers, and space after them for a word that begins with the last one.
const DIGITS: usize = MAX_GROUP + 3;

/// The powers of H for a group of blocks of `D` digits.
#[derive(Clone)]
pub(super) struct Powers<const D: usize> {
    /// Digit `e` of the powers, the highest power first, each repeated `D` times.
    pub(super) digits: [[u128; DIGITS]; D],
    /// In the lower half, the sum of both halves of the digit.
    pub(super) folded: [[u128; DIGITS]; D],
}

impl<const D: usize> Powers<D> {
    pub(super) const ZERO: Self = Self { digits: [[0; DIGITS]; D], folded: [[0; DIGITS]; D] };
}

impl<const D: usize> Zeroize for Powers<D> {
    fn zeroize(&mut self) {
        self.digits.as_flattened_mut().zeroize();
        self.folded.as_flattened_mut().zeroize();
    }
}

/// Repeats a block of code for each digit, without a loop: with one LLVM keeps the sums in memory.
macro_rules! each_digit {
    ($e:ident, $d:ident => $body:block) => { each_digit!(@ $e $d $body; 0 1 2 3) };
    (@ $e:ident $d:ident $body:block; $($i:literal)*) => {$(
        if $i < $d {
            const $e: usize = $i;
            $body
        }
    )*};
}

/// Multiplies blocks with their powers, those from digit `at` on, after adding `sum` to the first block, and adds the
/// products: `2 * D` digits, then zeros.
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
            let mut products = SumOfProducts::zero(token);
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
                products = products.add(word, &Factor { value: power, folded });
            }
            let [low, high] = digits_of(products);
            for place in 0..2 * D - 1 {
                if places >> place & 1 == 1 {
                    total[place] ^= low.sum();
                    total[place + 1] ^= high.sum();
                }
            }
        }
        return total;
    }
    // Words with the same digits of their blocks are added: all of them, or every second one of long blocks.
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
            let mut products = SumOfProducts::zero(token);
            // Backwards, since the first block waits for the sum.
            for i in (part * N..digits.len()).step_by(step).rev() {
                let mut word = W::load_le(token, &digits[i..if i + N < digits.len() { i + N } else { digits.len() }]);
                if i < step {
                    word = word.xor(first);
                }
                let at = at + i;
                let (power, folded) = (powers.digits[E][at..].first_chunk(), powers.folded[E][at..].first_chunk());
                if let (Some(power), Some(folded)) = (power, folded) {
                    let factor = Factor { value: W::from_array(token, *power), folded: W::from_array(token, *folded) };
                    products = products.add(word, &factor);
                }
            }
            let [low, high] = digits_of(products);
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

/// The two digits of a sum of products, the lower one first.
#[inline(always)]
fn digits_of<W: Polynomials<N>, const N: usize>(sum: SumOfProducts<W>) -> [W; 2] {
    let middle = sum.middle();
    [sum.low.xor(middle.shift_left_64()), sum.high.xor(middle.shift_right_64())]
}

/// One of the products of digits in Karatsuba's method: the digits whose sums are multiplied, and the places of the
/// result to which the product is added. Bit `i` stands for digit or place `i`.
#[derive(Clone, Copy)]
struct Part {
    digits: u32,
    places: u32,
}

/// The number of products.
const fn parts(d: usize) -> usize {
    match d {
        1 => 1,
        2 => 3,
        _ => 9,
    }
}

/// The products for `D` digits.
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
