//! Many blocks in plain integers, bit-sliced: each of 64 planes holds one bit of a column, for 128 columns.
//!
//! With blocks of `C` columns, column number `p` is column `p / (128 / C)` of block `p % (128 / C)`, so that
//! `ShiftRows` is a rotation of planes. No address and no branch depends on a secret.

use super::bit_sliced_s_boxes;
use super::constants::{MIX, UNMIX, shift};
use super::state::{Column, State, each};
use crate::integer::Integer;
use core::ops::{BitAnd, BitXor};

/// Columns of a batch.
const COLUMNS: usize = 128;
/// Bytes of a batch.
pub(super) const BATCH: usize = 8 * COLUMNS;
/// Up to so many bytes, blocks take less time one by one than in a batch, most of which stays empty: up to 208, 224 and
/// 284 bytes with blocks of 2, 4 and 8 columns (Granite Rapids).
pub(super) const FEW: usize = 224;

/// A bit of each column of a batch: two integers side by side, for which compilers take a vector register where every
/// CPU of a target has them.
#[derive(Clone, Copy)]
#[repr(align(16))]
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs look into it"))]
pub struct Plane<T>(pub [T; 2]);

impl<T: Integer> Plane<T> {
    #[inline(always)]
    fn of(x: u64) -> Self {
        Self([T::of(x); 2])
    }
}

impl<T: Integer> BitXor for Plane<T> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, b: Self) -> Self {
        Self([self.0[0] ^ b.0[0], self.0[1] ^ b.0[1]])
    }
}

impl<T: Integer> BitAnd for Plane<T> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, b: Self) -> Self {
        Self([self.0[0] & b.0[0], self.0[1] & b.0[1]])
    }
}

/// A row of columns: the least significant bit first.
type Row<T> = [Plane<T>; 8];

/// Half of a plane.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Half: Integer {
    /// A row without a bit.
    #[inline(always)]
    fn empty_row() -> Row<Self> {
        [Plane::of(0); 8]
    }

    /// Replaces each byte of half a row by S-box number `S`, or its inverse.
    #[inline(always)]
    fn substitute<const S: usize, const DECRYPT: bool>(bits: &mut [Self; 8]) {
        bit_sliced_s_boxes::substitute::<Self, S, DECRYPT>(bits, Self::of);
    }
}

impl Half for u64 {
    /// As a constant: rows of what a function returns took up to 1.03 times as long.
    #[inline(always)]
    fn empty_row() -> Row<Self> {
        [Plane([0; 2]); 8]
    }
}

/// Replaces each byte of a row by S-box number `S`, or its inverse.
///
/// Both halves at once made LLVM's code twice as long, and it took 1.04 times as long.
#[inline(never)]
fn substitute<T: Half, const S: usize, const DECRYPT: bool>(row: &mut Row<T>) {
    for half in 0..2 {
        let mut bits = [T::of(0); 8];
        each!(BIT => bits[BIT] = row[BIT].0[half]);
        T::substitute::<S, DECRYPT>(&mut bits);
        each!(BIT => row[BIT].0[half] = bits[BIT]);
    }
}

/// A row moved to the right by as many columns as `ShiftRows` does, or back.
#[inline(always)]
fn moved<T: Integer, const C: usize>(row: &Row<T>, by: usize) -> Row<T> {
    let bits = COLUMNS / C * by;
    row.map(|Plane([low, high])| {
        let [low, high] = if bits >= 64 { [high, low] } else { [low, high] };
        match bits % 64 {
            0 => Plane([low, high]),
            bits => {
                // Converted no sooner: with numbers of 32 bits from the start it took up to 1.06 times as long.
                let (left, right) = (bits as u32, 64 - bits as u32);
                Plane([low << left | high >> right, high << left | low >> right])
            }
        }
    })
}

/// Each byte times x.
#[inline(always)]
fn double<T: Integer>([a, b, c, d, e, f, g, h]: Row<T>) -> Row<T> {
    [h, a, b ^ h, c ^ h, d ^ h, e, f, g]
}

/// The product of a matrix, given by its first row, and each column, by Horner's rule over the bits of its entries.
#[inline(always)]
fn multiply<T: Half>(x: &[Row<T>; 8], matrix: &[u8; 8]) -> [Row<T>; 8] {
    let mut y = [T::empty_row(); 8];
    for i in 0..8 {
        let mut sum = T::empty_row();
        for bit in (0..8).rev() {
            sum = double(sum);
            for k in 0..8 {
                if matrix[k] >> bit & 1 == 1 {
                    each!(B => sum[B] = sum[B] ^ x[(i + k) % 8][B]);
                }
            }
        }
        y[i] = sum;
    }
    y
}

/// A bit of a number in all places.
#[inline(always)]
pub(super) fn spread<T: Integer>(x: T, bit: usize) -> T {
    T::of(0).wrapping_sub(x >> bit as u32 & T::of(1))
}

/// `x + key`.
#[inline(always)]
fn add_key<T: Integer, K: Copy, const C: usize>(x: &mut [Row<T>; 8], key: &[K; C], spread: impl Fn(K, usize) -> T) {
    let (blocks, half) = (COLUMNS / C, C / 2);
    for column in 0..half {
        let places = T::of(u64::MAX >> (64 - blocks) << (blocks * column));
        let key = [key[column], key[half + column]];
        for (bit, plane) in x.as_flattened_mut().iter_mut().enumerate() {
            for i in 0..2 {
                plane.0[i] = plane.0[i] ^ spread(key[i], bit) & places;
            }
        }
    }
}

/// Two matrices of 64 by 64 bits, side by side, transposed.
#[inline(always)]
fn transpose<T: Integer>(x: &mut [Plane<T>; 64]) {
    let (mut distance, mut mask) = (32, u64::MAX >> 32);
    while distance > 0 {
        for upper in (0..64).filter(|i| i & distance == 0) {
            let lower = upper + distance;
            for i in 0..2 {
                let swapped = (x[upper].0[i] >> distance as u32 ^ x[lower].0[i]) & T::of(mask);
                x[lower].0[i] = x[lower].0[i] ^ swapped;
                x[upper].0[i] = x[upper].0[i] ^ swapped << distance as u32;
            }
        }
        distance /= 2;
        mask ^= mask << distance;
    }
}

/// Where column `i` of all is.
#[inline(always)]
const fn place<const C: usize>(i: usize) -> (usize, usize) {
    let place = i % C * (COLUMNS / C) + i / C;
    (place % 64, place / 64)
}

/// A column and that of a key, modulo 2^64.
#[inline(always)]
fn combined<T: Integer, const DECRYPT: bool>(column: T, key: T::Bytes) -> T {
    let key = T::from_bytes(key);
    if DECRYPT { column.wrapping_sub(key) } else { column.wrapping_add(key) }
}

/// The planes of columns combined with a key.
#[inline(always)]
pub(super) fn load<T: Integer, const C: usize, const DECRYPT: bool>(
    x: &mut [Row<T>; 8],
    key: &[T::Bytes; C],
    columns: &[T::Bytes; COLUMNS],
) {
    let planes: &mut [Plane<T>; 64] = x.as_flattened_mut().try_into().expect("eight rows of eight bits");
    for i in 0..COLUMNS {
        let (at, half) = place::<C>(i);
        planes[at].0[half] = combined::<T, DECRYPT>(T::from_bytes(columns[i]), key[i % C]);
    }
    transpose(planes);
}

/// The columns of planes, combined with a key.
#[inline(always)]
pub(super) fn store<T: Integer, const C: usize, const DECRYPT: bool>(
    x: &mut [Row<T>; 8],
    key: &[T::Bytes; C],
    columns: &mut [T::Bytes; COLUMNS],
) {
    let planes: &mut [Plane<T>; 64] = x.as_flattened_mut().try_into().expect("eight rows of eight bits");
    transpose(planes);
    for i in 0..COLUMNS {
        let (at, half) = place::<C>(i);
        columns[i] = combined::<T, DECRYPT>(planes[at].0[half], key[i % C]).to_bytes();
    }
}

/// The rounds, with the addition of a key between one and the next. `spread` puts a bit of a key's column in all
/// places.
///
/// Rows are unrolled here: LLVM may leave them in a loop, which took 1.04 times as long.
#[inline(always)]
pub(super) fn rounds<T: Half, K: Copy, const C: usize, const DECRYPT: bool>(
    x: &mut [Row<T>; 8],
    keys: &[[K; C]],
    spread: impl Fn(K, usize) -> T,
) {
    for round in 0..=keys.len() {
        if DECRYPT {
            *x = multiply(x, &UNMIX);
            each!(ROW => {
                x[ROW] = moved::<T, C>(&x[ROW], const { (C - shift(ROW, C)) % C });
                substitute::<T, { ROW % 4 }, true>(&mut x[ROW]);
            });
        } else {
            each!(ROW => {
                substitute::<T, { ROW % 4 }, false>(&mut x[ROW]);
                x[ROW] = moved::<T, C>(&x[ROW], const { shift(ROW, C) });
            });
            *x = multiply(x, &MIX);
        }
        if round < keys.len() {
            add_key(x, &keys[if DECRYPT { keys.len() - 1 - round } else { round }], &spread);
        }
    }
}

/// Encrypts or decrypts a batch of blocks.
#[inline(never)]
pub(super) fn process<const C: usize, const DECRYPT: bool>(keys: &[State<C>], columns: &mut [Column; COLUMNS]) {
    let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
    let (first, last) = if DECRYPT { (last, first) } else { (first, last) };
    let mut x = [[Plane([0; 2]); 8]; 8];
    load::<u64, C, DECRYPT>(&mut x, first, columns);
    rounds::<u64, _, C, DECRYPT>(&mut x, middle, |key, bit| spread(u64::from_le_bytes(key), bit));
    store::<u64, C, DECRYPT>(&mut x, last, columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalyna::constants::{INVERSE_S_BOXES, S_BOXES};
    use crate::kalyna::integers;

    #[test]
    fn every_byte_is_replaced() {
        each!(S => {
            byte_is_replaced::<{ S % 4 }, false>(&S_BOXES[S % 4]);
            byte_is_replaced::<{ S % 4 }, true>(&INVERSE_S_BOXES[S % 4]);
        });
    }

    fn byte_is_replaced<const S: usize, const DECRYPT: bool>(s_box: &[u8; 256]) {
        for from in [0, 128] {
            let bits = |byte: &dyn Fn(usize) -> u8| -> [[u64; 2]; 8] {
                let of = |bit: usize, at: usize| (0..64).map(|i| u64::from(byte(at + i) >> bit & 1) << i).sum();
                core::array::from_fn(|bit| [of(bit, from), of(bit, from + 64)])
            };
            let mut row = bits(&|i| i as u8).map(Plane);
            substitute::<u64, S, DECRYPT>(&mut row);
            assert_eq!(row.map(|Plane(bits)| bits), bits(&|i| s_box[i]));
        }
    }

    #[test]
    fn batches_are_blocks_one_by_one() {
        agree::<2, 11>();
        agree::<4, 15>();
        agree::<8, 19>();
    }

    fn agree<const C: usize, const KEYS: usize>() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state ^ state >> 32).to_le_bytes()
        };
        let keys: [State<C>; KEYS] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
        let mut inverse = keys;
        integers::inverse_keys::<u64, C>(&mut inverse);
        let input: [Column; COLUMNS] = core::array::from_fn(|_| next());
        let [mut encrypted, mut decrypted] = [input; 2];
        process::<C, false>(&keys, &mut encrypted);
        process::<C, true>(&keys, &mut decrypted);
        let blocks = encrypted.as_chunks::<C>().0.iter().zip(decrypted.as_chunks::<C>().0);
        for (block, (encrypted, decrypted)) in input.as_chunks::<C>().0.iter().zip(blocks) {
            assert_eq!(integers::encrypt::<u64, C>(&keys, block), *encrypted);
            assert_eq!(integers::decrypt::<u64, C>(&inverse, block), *decrypted);
        }
    }
}
