//! Rounds that compute each S-box as 255 conditional sums of coefficients: constant-time, and several times as slow as
//! tables.
//!
//! A column's eight bytes are processed side by side in an integer, and two columns side by side, for which compilers
//! take a vector register where every CPU of a target has them. The matrix is computed by doublings and sums.

use super::constants::{INVERSE_S_BOXES, MIX, S_BOXES, UNMIX};
use super::integers::Columns;
use super::state::each;
use crate::integer::Integer;

/// Integers whose rounds are these: with the feature `table-lookups`, not `u64`, but still the integers of the proofs.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait ConditionalSums: Integer {}

#[cfg(not(feature = "table-lookups"))]
impl ConditionalSums for u64 {}

/// The same byte eight times.
const fn everywhere(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// Two columns side by side, aligned so that operations on vectors can take them from memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Pair<T>([T; 2]);

/// The coefficients of the four S-boxes' algebraic normal form, for each byte of a column: the one with the
/// digits `abcd` to base 4 belongs to the product of those bits of the input that are set in this number.
type Coefficients = [[[[Pair<u64>; 4]; 4]; 4]; 4];

static COEFFICIENTS: Coefficients = coefficients(&S_BOXES);
static INVERSE_COEFFICIENTS: Coefficients = coefficients(&INVERSE_S_BOXES);

const fn coefficients(boxes: &[[u8; 256]; 4]) -> Coefficients {
    let (mut entries, mut i) = ([0; 256], 0);
    while i < 8 * 256 {
        entries[i / 8] |= (boxes[i % 4][i / 8] as u64) << (8 * (i % 8));
        i += 1;
    }
    // The Möbius transform: where a bit is set, the entry without it is added.
    let mut bit = 0;
    while bit < 8 {
        let mut i = 0;
        while i < 256 {
            if i >> bit & 1 == 1 {
                entries[i] ^= entries[i ^ (1 << bit)];
            }
            i += 1;
        }
        bit += 1;
    }
    let (mut coefficients, mut i) = ([[[[Pair([0; 2]); 4]; 4]; 4]; 4], 0);
    while i < 256 {
        coefficients[i / 64][i / 16 % 4][i / 4 % 4][i % 4] = Pair([entries[i]; 2]);
        i += 1;
    }
    coefficients
}

/// `a + b * mask`.
#[inline(always)]
fn add_masked<T: Integer>(a: Pair<T>, b: Pair<T>, mask: Pair<T>) -> Pair<T> {
    Pair([a.0[0] ^ b.0[0] & mask.0[0], a.0[1] ^ b.0[1] & mask.0[1]])
}

/// A polynomial in two bits, by Horner's rule: each mask is 0xff in the bytes that have the bit.
#[inline(always)]
fn two_bits<T: Integer>(c: &[Pair<T>; 4], masks: &[Pair<T>; 2]) -> Pair<T> {
    add_masked(add_masked(c[0], c[1], masks[0]), add_masked(c[2], c[3], masks[0]), masks[1])
}

/// Coefficients as integers of another type.
#[inline(always)]
fn numbers<T: Integer>(c: &[Pair<u64>; 4]) -> [Pair<T>; 4] {
    c.map(|Pair([low, high])| Pair([T::of(low), T::of(high)]))
}

/// A polynomial in four bits.
#[inline(always)]
fn four_bits<T: Integer>(c: &[[Pair<u64>; 4]; 4], low: &[Pair<T>; 2], high: &[Pair<T>; 2]) -> Pair<T> {
    let [c0, c1, c2, c3] = c;
    let inner = |c: &[Pair<u64>; 4]| two_bits(&numbers(c), low);
    two_bits(&[inner(c0), inner(c1), inner(c2), inner(c3)], high)
}

/// Replaces each byte by its row's S-box.
#[inline(always)]
fn substitute<T: Integer, const C: usize>(x: &[T; C], coefficients: &Coefficients) -> [T; C] {
    let (mut y, c, ones) = ([T::of(0); C], coefficients, T::of(everywhere(1)));
    for i in (0..C).step_by(2) {
        let mut masks = [[Pair([T::of(0); 2]); 2]; 4];
        for bit in 0..8 {
            let [low, high] = [x[i] >> bit as u32 & ones, x[i + 1] >> bit as u32 & ones];
            masks[bit / 2][bit % 2] = Pair([(low << 8).wrapping_sub(low), (high << 8).wrapping_sub(high)]);
        }
        let [first, second, third, fourth] = &masks;
        let mut left = [Pair([T::of(0); 2]); 4];
        for row in 0..4 {
            let c = &c[row];
            left[row] = two_bits(
                &[
                    four_bits(&c[0], first, second),
                    four_bits(&c[1], first, second),
                    four_bits(&c[2], first, second),
                    four_bits(&c[3], first, second),
                ],
                third,
            );
        }
        [y[i], y[i + 1]] = two_bits(&left, fourth).0;
    }
    y
}

/// `a + b`.
#[inline(always)]
fn add<T: Integer>(a: Pair<T>, b: Pair<T>) -> Pair<T> {
    Pair([a.0[0] ^ b.0[0], a.0[1] ^ b.0[1]])
}

/// Each byte times x.
#[inline(always)]
fn double<T: Integer>(x: Pair<T>) -> Pair<T> {
    let mut y = x;
    let [ones, low, polynomial] = [T::of(everywhere(1)), T::of(everywhere(0x7f)), T::of(everywhere(0x1d))];
    for i in 0..2 {
        let over = x.0[i] >> 7 & ones;
        y.0[i] = (x.0[i] & low) << 1 ^ ((over << 8).wrapping_sub(over) & polynomial);
    }
    y
}

/// The product of a matrix, given by its first row, and each column, by Horner's rule over the bits of its entries.
///
/// The bits are unrolled here: LLVM left them in a loop that looked at the matrix for each, and took as long as half of
/// the S-boxes.
macro_rules! multiply {
    ($x:expr, $matrix:expr) => {{
        let x = $x;
        let mut y = [T::of(0); C];
        for i in (0..C).step_by(2) {
            let mut rotated = [Pair([T::of(0); 2]); 8];
            each!(K => rotated[K] = Pair([x[i].rotate_right(8 * K as u32), x[i + 1].rotate_right(8 * K as u32)]));
            let mut sum = Pair([T::of(0); 2]);
            each!(back BIT => {
                if const { any_bit(&$matrix, BIT + 1) } {
                    sum = double(sum);
                }
                each!(K => if const { $matrix[K] >> BIT & 1 == 1 } {
                    sum = add(sum, rotated[K]);
                });
            });
            [y[i], y[i + 1]] = sum.0;
        }
        y
    }};
}

/// Whether an entry has bit `from` or a higher one.
const fn any_bit(matrix: &[u8; 8], from: usize) -> bool {
    let (mut all, mut k) = (0, 0);
    while k < 8 {
        all |= matrix[k] as u32;
        k += 1;
    }
    all >> from != 0
}

/// Moves each row to the right by as many columns as `ShiftRows` does, or back. Rows that are moved by the same number
/// of columns are side by side.
#[inline(always)]
fn move_rows<T: Integer, const C: usize>(x: &[T; C], back: bool) -> [T; C] {
    let (mut y, rows) = ([T::of(0); C], 8 / C);
    for column in 0..C {
        for by in 0..C {
            let from = if back { column + by } else { C + column - by };
            let mask = u64::MAX >> (64 - 8 * rows) << (8 * rows * by);
            y[column] = y[column] | x[from % C] & T::of(mask);
        }
    }
    y
}

impl<T: ConditionalSums> Columns for T {
    #[inline(always)]
    fn round<const C: usize>(x: &[T; C]) -> [T; C] {
        multiply!(move_rows(&substitute(x, &COEFFICIENTS), false), MIX)
    }

    #[inline(always)]
    fn inverse_round<const C: usize>(x: &[T; C]) -> [T; C] {
        T::unmix(&T::last_inverse_round(x))
    }

    #[inline(always)]
    fn unmix<const C: usize>(x: &[T; C]) -> [T; C] {
        multiply!(x, UNMIX)
    }

    #[inline(always)]
    fn last_inverse_round<const C: usize>(x: &[T; C]) -> [T; C] {
        substitute(&move_rows(x, true), &INVERSE_COEFFICIENTS)
    }
}
