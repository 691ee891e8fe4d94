//! Rounds by tables of 64-bit entries, a look-up for each byte. **Not constant-time**: addresses depend on the key and the data.
//!
//! An entry is a row's part in the new column: its S-box and its column of the matrix. 16 KiB for each direction.
//!
//! Decryption is the equivalent inverse cipher: its round keys are those of encryption times the inverse matrix
//! ([`inverse_keys`]), so that one look-up does both the inverse S-box and the matrix.

use super::constants::{INVERSE_S_BOXES, MIX, S_BOXES, UNMIX, product, shift};
use super::schedule::Rounds;
use super::state::{State, columns, numbers};

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

/// Rounds of the key schedule.
#[inline(always)]
pub(super) fn rounds<const C: usize>(Rounds { states, add, xor, third }: Rounds<'_, C>) {
    for (i, state) in states.iter_mut().enumerate() {
        let (add, xor) = (numbers(&add[i]), numbers(&xor[i]));
        let mut x = numbers(state);
        for j in 0..C {
            x[j] = x[j].wrapping_add(add[j]);
        }
        x = round(&x);
        for j in 0..C {
            x[j] ^= xor[j];
        }
        x = round(&x);
        for j in 0..C {
            x[j] = x[j].wrapping_add(add[j]);
        }
        *state = columns(&if third { round(&x) } else { x });
    }
}

/// `SubBytes`, `ShiftRows` and `MixColumns`.
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

/// The inverses of `ShiftRows`, `SubBytes` and `MixColumns`.
#[inline(always)]
fn inverse_round<const C: usize>(x: &[u64; C]) -> [u64; C] {
    let mut y = [0; C];
    for column in 0..C {
        for row in 0..8 {
            y[column] ^= look_up(&DECRYPT[row], byte(x[(column + shift(row, C)) % C], row));
        }
    }
    y
}

/// The inverse of `MixColumns`: the S-boxes undo what is done by the tables.
#[inline(always)]
fn unmix<const C: usize>(x: &[u64; C]) -> [u64; C] {
    let mut y = [0; C];
    for column in 0..C {
        for row in 0..8 {
            y[column] ^= look_up(&DECRYPT[row], look_up(&S_BOXES[row % 4], byte(x[column], row)));
        }
    }
    y
}

/// Encrypts a block.
#[inline(always)]
pub(super) fn encrypt<const C: usize>(keys: &[State<C>], block: &State<C>) -> State<C> {
    let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
    let mut x = numbers(block);
    for i in 0..C {
        x[i] = x[i].wrapping_add(u64::from_le_bytes(first[i]));
    }
    for key in middle {
        x = round(&x);
        for i in 0..C {
            x[i] ^= u64::from_le_bytes(key[i]);
        }
    }
    x = round(&x);
    for i in 0..C {
        x[i] = x[i].wrapping_add(u64::from_le_bytes(last[i]));
    }
    columns(&x)
}

/// Decrypts a block by [`inverse_keys`].
#[inline(always)]
pub(super) fn decrypt<const C: usize>(keys: &[State<C>], block: &State<C>) -> State<C> {
    let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
    let mut x = numbers(block);
    for i in 0..C {
        x[i] = x[i].wrapping_sub(u64::from_le_bytes(last[i]));
    }
    x = unmix(&x);
    for key in middle.iter().rev() {
        x = inverse_round(&x);
        for i in 0..C {
            x[i] ^= u64::from_le_bytes(key[i]);
        }
    }
    let mut y = [0; C];
    for column in 0..C {
        for row in 0..8 {
            let byte = look_up(&INVERSE_S_BOXES[row % 4], byte(x[(column + shift(row, C)) % C], row));
            y[column] |= u64::from(byte) << (8 * row);
        }
        y[column] = y[column].wrapping_sub(u64::from_le_bytes(first[column]));
    }
    columns(&y)
}

/// Turns the round keys of encryption into those of [`decrypt`].
pub(super) fn inverse_keys<const C: usize>(keys: &mut [State<C>]) {
    let last = keys.len() - 1;
    for key in &mut keys[1..last] {
        *key = columns(&unmix(&numbers(key)));
    }
}
