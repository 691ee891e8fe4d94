//! The transformations of a round of Kalyna, IACR ePrint 2015/650. The state is a matrix of eight rows, which a block
//! fills column by column.

use super::constants::{PI, V, V_INVERSE};

/// The number of rows of the state.
const ROWS: usize = 8;

/// A round without the addition of the round key: π′, τ, ψ.
pub(super) fn round(state: &mut [u8]) {
    substitute(state);
    shift_rows(state);
    mix_columns(state, &V);
}

/// The inverse of [`round`].
pub(super) fn inverse_round(state: &mut [u8]) {
    mix_columns(state, &V_INVERSE);
    inverse_shift_rows(state);
    inverse_substitute(state);
}

/// η: adds a key to each column modulo 2<sup>64</sup>; row 0 holds the lowest byte.
pub(super) fn add(state: &mut [u8], key: &[u8]) {
    columns(state, key, u64::wrapping_add);
}

/// The inverse of η.
pub(super) fn subtract(state: &mut [u8], key: &[u8]) {
    columns(state, key, u64::wrapping_sub);
}

fn columns(state: &mut [u8], key: &[u8], operation: fn(u64, u64) -> u64) {
    for (column, k) in state.as_chunks_mut().0.iter_mut().zip(key.as_chunks().0) {
        *column = operation(u64::from_le_bytes(*column), u64::from_le_bytes(*k)).to_le_bytes();
    }
}

/// π′: applies the S-box i mod 4 to each byte of row i.
fn substitute(state: &mut [u8]) {
    for (at, byte) in state.iter_mut().enumerate() {
        *byte = s(at % 4, *byte);
    }
}

/// The inverse of π′.
fn inverse_substitute(state: &mut [u8]) {
    for (at, byte) in state.iter_mut().enumerate() {
        *byte = inverse_s(at % 4, *byte);
    }
}

fn s(i: usize, x: u8) -> u8 {
    PI[i][usize::from(x >> 4)][usize::from(x & 15)]
}

fn inverse_s(i: usize, y: u8) -> u8 {
    PI[i].as_flattened().iter().position(|&s| s == y).expect("an S-box is a permutation") as u8
}

/// τ: rotates row i by ⌊i l / 512⌋ columns to the right, where l is the number of bits of a block.
fn shift_rows(state: &mut [u8]) {
    let before = state.to_vec();
    for at in 0..before.len() {
        state[shifted(at, before.len())] = before[at];
    }
}

/// The inverse of τ.
fn inverse_shift_rows(state: &mut [u8]) {
    let before = state.to_vec();
    for at in 0..before.len() {
        state[at] = before[shifted(at, before.len())];
    }
}

/// The position to which τ moves a byte.
fn shifted(at: usize, block_len: usize) -> usize {
    let row = at % ROWS;
    (at + row * block_len / 64 * ROWS) % block_len
}

/// ψ or its inverse: multiplies each column by the circulant matrix with the given first row.
fn mix_columns(state: &mut [u8], first_row: &[u8; ROWS]) {
    for column in state.as_chunks_mut().0 {
        *column = circulant_times(first_row, column);
    }
}

/// The circulant matrix: each row is the one above it, rotated right by one.
fn circulant_times(first_row: &[u8; ROWS], column: &[u8; ROWS]) -> [u8; ROWS] {
    std::array::from_fn(|row| (0..ROWS).fold(0, |sum, i| sum ^ multiply(first_row[(ROWS + i - row) % ROWS], column[i])))
}

/// The product in GF(2<sup>8</sup>), modulo x^8 + x^4 + x^3 + x^2 + 1.
fn multiply(x: u8, y: u8) -> u8 {
    let mut z = 0;
    for i in (0..8).rev() {
        let carry = z >> 7;
        z = (z << 1) ^ (carry * 0x1d);
        z ^= (y >> i & 1) * x;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_boxes_are_permutations() {
        for i in 0..4 {
            for x in 0..=255 {
                assert_eq!(s(i, inverse_s(i, x)), x);
                assert_eq!(inverse_s(i, s(i, x)), x);
            }
        }
    }

    #[test]
    fn s_boxes_are_four() {
        for i in 0..4 {
            for j in 0..i {
                assert_ne!(PI[i], PI[j]);
            }
        }
    }

    /// Applies both matrices to all unit vectors: their product, in either order, is the identity.
    #[test]
    fn matrix_times_its_inverse() {
        for i in 0..ROWS {
            let unit = std::array::from_fn(|row| u8::from(row == i));
            assert_eq!(circulant_times(&V, &circulant_times(&V_INVERSE, &unit)), unit);
            assert_eq!(circulant_times(&V_INVERSE, &circulant_times(&V, &unit)), unit);
        }
    }

    /// The matrix is maximum distance separable: no square submatrix is singular, so that two pairs of a column and its
    /// image differ in at least nine bytes.
    #[test]
    fn matrix_is_mds() {
        let entry = |row: usize, column: usize| V[(ROWS + column - row) % ROWS];
        for rows in 1u16..256 {
            for columns in (1u16..256).filter(|columns| columns.count_ones() == rows.count_ones()) {
                let picked = |set: u16| (0..ROWS).filter(move |i| set >> i & 1 == 1);
                let minor =
                    picked(rows).map(|row| picked(columns).map(|column| entry(row, column)).collect()).collect();
                assert!(is_regular(minor), "rows {rows:08b}, columns {columns:08b}");
            }
        }
    }

    /// Whether a matrix is singular, by Gaussian elimination.
    fn is_regular(mut matrix: Vec<Vec<u8>>) -> bool {
        for i in 0..matrix.len() {
            let Some(pivot) = (i..matrix.len()).find(|&row| matrix[row][i] != 0) else { return false };
            matrix.swap(i, pivot);
            let inverse = (1..=255).find(|&x| multiply(x, matrix[i][i]) == 1).expect("every other has an inverse");
            for row in i + 1..matrix.len() {
                let factor = multiply(matrix[row][i], inverse);
                for column in i..matrix.len() {
                    matrix[row][column] ^= multiply(factor, matrix[i][column]);
                }
            }
        }
        true
    }

    #[test]
    fn every_product() {
        // A product without a reduction, computed by hand; then commutativity and the neutral element for all pairs.
        assert_eq!(multiply(0x0f, 0x03), 0x11);
        assert_eq!(multiply(0x80, 0x02), 0x1d);
        for x in 0..=255 {
            assert_eq!(multiply(x, 1), x);
            for y in 0..=255 {
                assert_eq!(multiply(x, y), multiply(y, x));
            }
        }
    }

    #[test]
    fn a_round_and_its_inverse() {
        for l in [16, 32, 64] {
            let state: Vec<u8> = (0..l).collect();
            let mut there = state.clone();
            round(&mut there);
            inverse_round(&mut there);
            assert_eq!(there, state);
            add(&mut there, &vec![0xff; usize::from(l)]);
            subtract(&mut there, &vec![0xff; usize::from(l)]);
            assert_eq!(there, state);
        }
    }
}
