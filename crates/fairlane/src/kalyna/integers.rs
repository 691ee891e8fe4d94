//! Kalyna in integers of 64 bits, one for each column, a block at a time.
//!
//! The rounds are in `scan`, which is constant-time, or with the feature `table-lookups` in `tables`, which is **not**.
//!
//! Decryption is the equivalent inverse cipher: its round keys are those of encryption times the inverse matrix
//! ([`inverse_keys`]), so that one look-up does both the inverse S-box and the matrix.

#[cfg(not(feature = "table-lookups"))]
use super::scan::{inverse_round, last_inverse_round, round, unmix};
use super::schedule::Rounds;
use super::state::{State, columns, numbers};
#[cfg(feature = "table-lookups")]
use super::tables::{inverse_round, last_inverse_round, round, unmix};

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
    x = last_inverse_round(&x);
    for i in 0..C {
        x[i] = x[i].wrapping_sub(u64::from_le_bytes(first[i]));
    }
    columns(&x)
}

/// Turns the round keys of encryption into those of [`decrypt`].
pub(super) fn inverse_keys<const C: usize>(keys: &mut [State<C>]) {
    let last = keys.len() - 1;
    for key in &mut keys[1..last] {
        *key = columns(&unmix(&numbers(key)));
    }
}
