//! Kalyna in integers of 64 bits, one for each column, a block at a time.
//!
//! The rounds are in `conditional_sums`, which is constant-time, or with the feature `table-lookups` in `tables`, which
//! is **not**.
//!
//! Decryption is the equivalent inverse cipher: its round keys are those of encryption times the inverse matrix
//! ([`inverse_keys`]), so that one look-up does both the inverse S-box and the matrix.

use super::schedule::Rounds;
use crate::integer::Integer;

/// A column in an integer, and the steps of the cipher.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Columns: Integer {
    /// `SubBytes`, `ShiftRows` and `MixColumns`.
    fn round<const C: usize>(x: &[Self; C]) -> [Self; C];
    /// The inverses of `ShiftRows`, `SubBytes` and `MixColumns`.
    fn inverse_round<const C: usize>(x: &[Self; C]) -> [Self; C];
    /// The inverse of `MixColumns`.
    fn unmix<const C: usize>(x: &[Self; C]) -> [Self; C];
    /// The inverses of `ShiftRows` and `SubBytes`, which end decryption.
    fn last_inverse_round<const C: usize>(x: &[Self; C]) -> [Self; C];
}

/// The columns as numbers.
#[inline(always)]
fn numbers<T: Integer, const C: usize>(state: &[T::Bytes; C]) -> [T; C] {
    let mut numbers = [T::of(0); C];
    for i in 0..C {
        numbers[i] = T::from_bytes(state[i]);
    }
    numbers
}

/// The inverse of [`numbers`].
#[inline(always)]
fn columns<T: Integer, const C: usize>(numbers: &[T; C]) -> [T::Bytes; C] {
    let mut state = [T::of(0).to_bytes(); C];
    for i in 0..C {
        state[i] = numbers[i].to_bytes();
    }
    state
}

/// Rounds of the key schedule.
#[inline(always)]
pub(super) fn rounds<T: Columns, const C: usize>(Rounds { states, add, xor, third }: Rounds<'_, T::Bytes, C>) {
    for (i, state) in states.iter_mut().enumerate() {
        let (add, xor): ([T; C], [T; C]) = (numbers(&add[i]), numbers(&xor[i]));
        let mut x: [T; C] = numbers(state);
        for j in 0..C {
            x[j] = x[j].wrapping_add(add[j]);
        }
        x = T::round(&x);
        for j in 0..C {
            x[j] = x[j] ^ xor[j];
        }
        x = T::round(&x);
        for j in 0..C {
            x[j] = x[j].wrapping_add(add[j]);
        }
        *state = columns(&if third { T::round(&x) } else { x });
    }
}

/// Encrypts a block.
#[inline(always)]
pub(super) fn encrypt<T: Columns, const C: usize>(keys: &[[T::Bytes; C]], block: &[T::Bytes; C]) -> [T::Bytes; C] {
    let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
    let mut x: [T; C] = numbers(block);
    for i in 0..C {
        x[i] = x[i].wrapping_add(T::from_bytes(first[i]));
    }
    for key in middle {
        x = T::round(&x);
        for i in 0..C {
            x[i] = x[i] ^ T::from_bytes(key[i]);
        }
    }
    x = T::round(&x);
    for i in 0..C {
        x[i] = x[i].wrapping_add(T::from_bytes(last[i]));
    }
    columns(&x)
}

/// Decrypts a block by [`inverse_keys`].
#[inline(always)]
pub(super) fn decrypt<T: Columns, const C: usize>(keys: &[[T::Bytes; C]], block: &[T::Bytes; C]) -> [T::Bytes; C] {
    let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
    let mut x: [T; C] = numbers(block);
    for i in 0..C {
        x[i] = x[i].wrapping_sub(T::from_bytes(last[i]));
    }
    x = T::unmix(&x);
    for key in middle.iter().rev() {
        x = T::inverse_round(&x);
        for i in 0..C {
            x[i] = x[i] ^ T::from_bytes(key[i]);
        }
    }
    x = T::last_inverse_round(&x);
    for i in 0..C {
        x[i] = x[i].wrapping_sub(T::from_bytes(first[i]));
    }
    columns(&x)
}

/// Turns the round keys of encryption into those of [`decrypt`].
pub(super) fn inverse_keys<T: Columns, const C: usize>(keys: &mut [[T::Bytes; C]]) {
    let last = keys.len() - 1;
    for key in &mut keys[1..last] {
        *key = columns(&T::unmix(&numbers(key)));
    }
}
