//! Rounds that read every entry of the S-boxes for every byte and select the right one: constant-time, and slow.
//!
//! The eight bytes of a column are processed side by side in an integer. The matrix is computed by doublings and sums.

use super::constants::{INVERSE_S_BOXES, MIX, S_BOXES, UNMIX, shift};

/// The same byte eight times.
const fn everywhere(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The entries of the four S-boxes for a byte, twice.
type Entries = [u64; 256];

static ENTRIES: Entries = entries(&S_BOXES);
static INVERSE_ENTRIES: Entries = entries(&INVERSE_S_BOXES);

const fn entries(boxes: &[[u8; 256]; 4]) -> Entries {
    let (mut entries, mut i) = ([0; 256], 0);
    while i < 8 * 256 {
        entries[i / 8] |= (boxes[i % 4][i / 8] as u64) << (8 * (i % 8));
        i += 1;
    }
    entries
}

/// Replaces each byte by its row's S-box: each bit of the byte selects one half of the entries that are left.
#[inline(always)]
fn substitute<const C: usize>(x: &[u64; C], entries: &Entries) -> [u64; C] {
    let mut y = [0; C];
    for column in 0..C {
        let mut left = *entries;
        for bit in (0..8).rev() {
            let upper = (x[column] >> bit & everywhere(1)) * 0xff;
            for i in 0..1 << bit {
                left[i] ^= (left[i] ^ left[i + (1 << bit)]) & upper;
            }
        }
        y[column] = left[0];
    }
    y
}

/// Each byte times x.
#[inline(always)]
fn double(column: u64) -> u64 {
    let over = column >> 7 & everywhere(1);
    (column & everywhere(0x7f)) << 1 ^ (over * 0x1d)
}

/// The product of a matrix, given by its first row, and each column.
#[inline(always)]
fn multiply<const C: usize>(x: &[u64; C], matrix: &[u8; 8]) -> [u64; C] {
    let mut y = [0; C];
    for column in 0..C {
        let mut power = x[column];
        for bit in 0..8 {
            for k in 0..8 {
                // The matrix is no secret.
                if matrix[k] >> bit & 1 == 1 {
                    y[column] ^= power.rotate_right(8 * k as u32);
                }
            }
            power = double(power);
        }
    }
    y
}

/// Moves each row by `by(row)` columns to the right.
#[inline(always)]
fn move_rows<const C: usize>(x: &[u64; C], by: impl Fn(usize) -> usize) -> [u64; C] {
    let mut y = [0; C];
    for column in 0..C {
        for row in 0..8 {
            y[column] |= x[(C + column - by(row)) % C] & (0xff << (8 * row));
        }
    }
    y
}

/// `SubBytes`, `ShiftRows` and `MixColumns`.
#[inline(always)]
pub(super) fn round<const C: usize>(x: &[u64; C]) -> [u64; C] {
    multiply(&move_rows(&substitute(x, &ENTRIES), |row| shift(row, C)), &MIX)
}

/// The inverses of `ShiftRows`, `SubBytes` and `MixColumns`.
#[inline(always)]
pub(super) fn inverse_round<const C: usize>(x: &[u64; C]) -> [u64; C] {
    unmix(&last_inverse_round(x))
}

/// The inverse of `MixColumns`.
#[inline(always)]
pub(super) fn unmix<const C: usize>(x: &[u64; C]) -> [u64; C] {
    multiply(x, &UNMIX)
}

/// The inverses of `ShiftRows` and `SubBytes`, which end decryption.
#[inline(always)]
pub(super) fn last_inverse_round<const C: usize>(x: &[u64; C]) -> [u64; C] {
    substitute(&move_rows(x, |row| C - shift(row, C)), &INVERSE_ENTRIES)
}
