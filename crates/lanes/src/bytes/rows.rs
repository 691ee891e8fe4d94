//! Operations for ciphers on columns of eight bytes, such as Kalyna: table look-ups, 64-bit addition, and
//! transposition of columns into rows.

use super::{Table, U8xN};

/// A word of bytes for ciphers whose blocks are columns of eight bytes, such as Kalyna.
pub trait RowsN<const N: usize>: U8xN<N> {
    /// The table's entry for each byte. No memory address depends on a byte.
    fn look_up(self, table: &Table) -> Self;
    /// The same eight bytes in every group of eight, the least significant first.
    fn splat_u64(token: Self::Token, bytes: u64) -> Self;
    /// The sums of 64-bit little-endian numbers, modulo 2<sup>64</sup>.
    fn add64(self, b: Self) -> Self;
    /// The differences of 64-bit little-endian numbers, modulo 2<sup>64</sup>.
    fn sub64(self, b: Self) -> Self;
    /// In every block of 16 bytes: byte `i` takes byte `order[i]`, which must be below 16.
    fn shuffle(self, order: &'static [u8; 16]) -> Self;
    /// Byte `p` of word `r` is byte `r` of column `p`. Columns are counted through the words as they lie in memory.
    #[inline(always)]
    fn rows_from_columns(columns: [Self; 8]) -> [Self; 8] {
        // A byte's place is a number of seven bits: three for the word, four for the byte in its block of 16. Each step
        // rotates this number by one bit.
        turn_place(turn_place(turn_place(turn_place(Self::split_halves(columns)))))
    }
    /// The converse of [`rows_from_columns`](Self::rows_from_columns).
    #[inline(always)]
    fn columns_from_rows(rows: [Self; 8]) -> [Self; 8] {
        Self::join_halves(turn_place(turn_place(turn_place(rows))))
    }
    /// Moves the first half of all blocks of 16 bytes to the lower halves of the words, and the second half to the
    /// upper ones.
    #[inline(always)]
    fn split_halves(words: [Self; 8]) -> [Self; 8] {
        words
    }
    /// The converse of [`split_halves`](Self::split_halves).
    #[inline(always)]
    fn join_halves(words: [Self; 8]) -> [Self; 8] {
        words
    }
    /// The rows of eight columns, of which 2, 4 or 8 are given and repeated: byte `j` of number `i` is byte `i` of
    /// column `j`.
    #[inline(always)]
    fn transpose_columns(_: Self::Token, columns: &[[u8; 8]]) -> [u64; 8] {
        let mut x = [0; 8];
        for i in 0..8 {
            x[i] = u64::from_le_bytes(columns[i % columns.len()]);
        }
        // Squares of half the size, across the diagonal.
        for (size, low) in [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
            for i in 0..8 {
                if i & size == 0 {
                    let swap = (x[i] >> (8 * size) ^ x[i + size]) & low;
                    x[i] ^= swap << (8 * size);
                    x[i + size] ^= swap;
                }
            }
        }
        x
    }
}

/// Rotates the number that is the place of a byte by one bit.
#[inline(always)]
fn turn_place<W: U8xN<N>, const N: usize>(w: [W; 8]) -> [W; 8] {
    let ([a, b], [c, d]) = (w[0].interleave(w[4]), w[1].interleave(w[5]));
    let ([e, f], [g, h]) = (w[2].interleave(w[6]), w[3].interleave(w[7]));
    [a, b, c, d, e, f, g, h]
}
