//! Rounds by tables of 64-bit entries, a look-up for each byte. **Not constant-time**: addresses depend on the key and
//! the data.
//!
//! An entry is the product of an S-box's output and a column of the matrix. The tables take 16 KiB for each direction.

use super::constants::{INVERSE_S_BOXES, MIX, S_BOXES, UNMIX, product, shift};
use super::integers::Columns;
use super::state::each;

type Tables = [[u64; 256]; 8];

static ENCRYPT: Tables = tables(&S_BOXES, &MIX);
static DECRYPT: Tables = tables(&INVERSE_S_BOXES, &UNMIX);

const fn tables(boxes: &[[u8; 256]; 4], matrix: &[u8; 8]) -> Tables {
    let mut tables = [[0; 256]; 8];
    let mut row = 0;
    while row < 8 {
        let mut x = 0;
        while x < 256 {
            let y = boxes[row % 4][x];
            let (mut entry, mut i) = (0, 0);
            while i < 8 {
                entry |= (product(matrix[(8 + row - i) % 8], y) as u64) << (8 * i);
                i += 1;
            }
            tables[row][x] = entry;
            x += 1;
        }
        row += 1;
    }
    tables
}

/// Entry `x` of a table of numbers or bytes.
#[inline(always)]
fn look_up<T: Copy>(table: &[T; 256], x: u8) -> T {
    table[usize::from(x)]
}

/// Byte `row` of a column.
#[inline(always)]
fn byte(column: u64, row: usize) -> u8 {
    (column >> (8 * row)) as u8
}

impl Columns for u64 {
    #[inline(always)]
    fn round<const C: usize>(x: &[u64; C]) -> [u64; C] {
        let mut y = [0; C];
        for column in 0..C {
            for row in 0..8 {
                y[column] ^= look_up(&ENCRYPT[row], byte(x[(C + column - shift(row, C)) % C], row));
            }
        }
        y
    }

    /// Each column is read once and added to the others: in the order of `round` LLVM keeps too much in memory, and
    /// eight columns took 1.4 times as long; `round` is slower in this order.
    #[inline(always)]
    fn inverse_round<const C: usize>(x: &[u64; C]) -> [u64; C] {
        let mut y = [0; C];
        each!(COLUMN => if COLUMN < C {
            each!(ROW => y[(C + COLUMN - shift(ROW, C)) % C] ^= look_up(&DECRYPT[ROW], byte(x[COLUMN], ROW)));
        });
        y
    }

    /// The S-boxes cancel the inverse S-boxes in the tables.
    #[inline(always)]
    fn unmix<const C: usize>(x: &[u64; C]) -> [u64; C] {
        let mut y = [0; C];
        each!(COLUMN => if COLUMN < C {
            each!(ROW => y[COLUMN] ^= look_up(&DECRYPT[ROW], look_up(&S_BOXES[ROW % 4], byte(x[COLUMN], ROW))));
        });
        y
    }

    #[inline(always)]
    fn last_inverse_round<const C: usize>(x: &[u64; C]) -> [u64; C] {
        let mut y = [0; C];
        each!(COLUMN => if COLUMN < C {
            each!(ROW => {
                let byte = look_up(&INVERSE_S_BOXES[ROW % 4], byte(x[COLUMN], ROW));
                y[(C + COLUMN - shift(ROW, C)) % C] |= u64::from(byte) << (8 * ROW);
            });
        });
        y
    }
}
