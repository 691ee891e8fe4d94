//! Inversion in a field of 256 elements, bit-sliced, and linear maps of bytes into and out of it.
//!
//! It is computed in a tower of fields of 2, 4, 16 and 256 elements, each with y² = y + c over the one below.

use core::ops::{BitAnd, BitXor};

/// A linear map of bytes: row `i`, the mask of the bits whose sum is bit `i` of the result.
#[derive(Clone, Copy)]
pub(crate) struct Matrix(pub(crate) [u8; 8]);

#[cfg_attr(not(feature = "sm4"), allow(dead_code, reason = "Kalyna needs fewer"))]
impl Matrix {
    pub(crate) const fn apply(self, x: u8) -> u8 {
        let (mut y, mut i) = (0, 0);
        while i < 8 {
            y |= ((self.0[i] & x).count_ones() as u8 & 1) << i;
            i += 1;
        }
        y
    }

    /// The matrix whose columns are the images of the bits 1, 2, 4, ….
    pub(crate) const fn of(columns: [u8; 8]) -> Self {
        let (mut rows, mut i) = ([0; 8], 0);
        while i < 64 {
            rows[i / 8] |= (columns[i % 8] >> (i / 8) & 1) << (i % 8);
            i += 1;
        }
        Self(rows)
    }

    /// `self` after `first`.
    pub(crate) const fn after(self, first: Self) -> Self {
        let (mut columns, mut i) = ([0; 8], 0);
        while i < 8 {
            columns[i] = self.apply(first.apply(1 << i));
            i += 1;
        }
        Self::of(columns)
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        let (mut rows, mut i) = (self.0, 0);
        while i < 8 {
            rows[i] ^= other.0[i];
            i += 1;
        }
        Self(rows)
    }

    pub(crate) const fn inverse(self) -> Self {
        let (mut columns, mut x) = ([0; 8], 0);
        while x < 256 {
            let y = self.apply(x as u8);
            if y.is_power_of_two() {
                columns[y.trailing_zeros() as usize] = x as u8;
            }
            x += 1;
        }
        Self::of(columns)
    }

    /// The operand of `gf2p8affineqb`: row 0 in the most significant byte.
    pub(crate) const fn instruction(self) -> u64 {
        u64::from_be_bytes(self.0)
    }
}

/// The map from the field GF(2)\[x\] with this modulus, less x<sup>8</sup>, to one with this multiplication: it maps x
/// to a root of the modulus.
macro_rules! isomorphism {
    ($modulus:expr, $multiply:ident) => {{
        let mut root = 2;
        loop {
            let (mut powers, mut i) = ([1; 8], 1);
            while i < 8 {
                powers[i] = $multiply(powers[i - 1], root);
                i += 1;
            }
            let mut value = $multiply(powers[7], root);
            while i > 0 {
                i -= 1;
                value ^= powers[i] * ($modulus >> i & 1);
            }
            if value == 0 {
                break Matrix::of(powers);
            }
            root += 1;
        }
    }};
}
pub(crate) use isomorphism;

/// `a b` in the tower's field of elements of `bits` bits, of which the upper half is multiplied by y. c is 1, 2 and 8,
/// going up.
const fn product(a: u8, b: u8, bits: u32) -> u8 {
    if bits == 1 {
        return a & b;
    }
    let half = bits / 2;
    let low = (1 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & low, b >> half, b & low);
    let (upper, both, lower) = (product(a1, b1, half), product(a1 ^ a0, b1 ^ b0, half), product(a0, b0, half));
    (both ^ lower) << half | lower ^ product(1 << (half - 1), upper, half)
}

pub(crate) const fn in_tower(a: u8, b: u8) -> u8 {
    product(a, b, 8)
}

/// Bits of many bytes side by side.
pub(crate) trait Bits: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {}

impl<T: Copy + BitAnd<Output = Self> + BitXor<Output = Self>> Bits for T {}

/// The linear map of these rows, unrolled, and a constant added. `$of` makes planes of a bit eight bytes long.
macro_rules! affine {
    ($rows:expr, $plus:expr, $x:ident, $of:expr) => {
        $crate::inversion::affine!(@ $rows, $plus, $x, $of, [0 1 2 3 4 5 6 7])
    };
    (@ $rows:expr, $plus:expr, $x:ident, $of:expr, [$($row:literal)*]) => {
        [$($crate::inversion::affine!(@ $rows, $row, $plus, $x, $of; 0 1 2 3 4 5 6 7)),*]
    };
    (@ $rows:expr, $row:literal, $plus:expr, $x:ident, $of:expr; $($bit:literal)*) => {
        $of(0) $(^ if const { $rows[$row] >> $bit & 1 == 1 } { $x[$bit] } else { $of(0) })*
            ^ $of(if const { $plus >> $row & 1 == 1 } { !0 } else { 0 })
    };
}
pub(crate) use affine;

/// In the field of 4 elements: `a b`.
#[inline(always)]
fn multiply_4<T: Bits>([a0, a1]: [T; 2], [b0, b1]: [T; 2]) -> [T; 2] {
    let (upper, both, lower) = (a1 & b1, (a1 ^ a0) & (b1 ^ b0), a0 & b0);
    [lower ^ upper, both ^ lower]
}

/// `a²`, which is 1 / `a`.
#[inline(always)]
fn square_4<T: Bits>([a0, a1]: [T; 2]) -> [T; 2] {
    [a0 ^ a1, a1]
}

/// `c a`, where c is the element 2.
#[inline(always)]
fn times_c_4<T: Bits>([a0, a1]: [T; 2]) -> [T; 2] {
    [a1, a0 ^ a1]
}

#[inline(always)]
pub(crate) fn add<T: Bits, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    let mut sum = a;
    for i in 0..N {
        sum[i] = sum[i] ^ b[i];
    }
    sum
}

/// In the field of 16 elements: `a b`.
#[inline(always)]
fn multiply_16<T: Bits>([a0, a1]: [[T; 2]; 2], [b0, b1]: [[T; 2]; 2]) -> [[T; 2]; 2] {
    let (upper, both, lower) = (multiply_4(a1, b1), multiply_4(add(a1, a0), add(b1, b0)), multiply_4(a0, b0));
    [add(lower, times_c_4(upper)), add(both, lower)]
}

/// 1 / `a`, and 0 for 0: (a1 (y + 1) + a0) / (a0² + a0 a1 + c a1²).
#[inline(always)]
fn invert_16<T: Bits>([a0, a1]: [[T; 2]; 2]) -> [[T; 2]; 2] {
    let norm = add(add(square_4(a0), multiply_4(a0, a1)), times_c_4(square_4(a1)));
    let inverse = square_4(norm);
    [multiply_4(add(a0, a1), inverse), multiply_4(a1, inverse)]
}

/// The inversion in the field of 256 elements, in the same way; c is the element 8 of the field of 16.
#[inline(always)]
pub(crate) fn invert<T: Bits>(x: [T; 8]) -> [T; 8] {
    let (a0, a1) = ([[x[0], x[1]], [x[2], x[3]]], [[x[4], x[5]], [x[6], x[7]]]);
    let sum = [add(a0[0], a1[0]), add(a0[1], a1[1])];
    // With (p y + q)² = p² y + q² + 2 p²: a0², and 8 a1².
    let square = |[q, p]: [[T; 2]; 2]| [add(square_4(q), times_c_4(square_4(p))), square_4(p)];
    let times_c = |[q, p]: [[T; 2]; 2]| [times_c_4(times_c_4(p)), times_c_4(add(p, q))];
    let (first, middle, last) = (square(a0), multiply_16(a0, a1), times_c(square(a1)));
    let norm = [add(add(first[0], middle[0]), last[0]), add(add(first[1], middle[1]), last[1])];
    let inverse = invert_16(norm);
    let ([[x0, x1], [x2, x3]], [[x4, x5], [x6, x7]]) = (multiply_16(sum, inverse), multiply_16(a1, inverse));
    [x0, x1, x2, x3, x4, x5, x6, x7]
}
