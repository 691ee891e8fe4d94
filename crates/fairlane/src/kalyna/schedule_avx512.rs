//! The key schedule of `schedule` in words of 64 bytes of AVX-512 with VBMI. Between the key and the round keys nothing
//! is stored in memory.

use super::few_blocks::{Columns8, round};

/// Orders of bytes, and numbers to add, for states of `C` columns and keys of `KEY`.
struct Words<const C: usize, const KEY: usize>;

/// The most words that the states of round keys with even numbers fill.
const MOST: usize = 10;

impl<const C: usize, const KEY: usize> Words<C, KEY> {
    /// The initial value of the intermediate key.
    const FIRST: [u64; C] = {
        let mut first = [0; C];
        first[0] = (C + KEY + 1) as u64;
        first
    };

    /// The states of word `g`, from the key.
    const STATES: [[u8; 64]; MOST] = {
        let (mut orders, mut i) = ([[0; 64]; MOST], 0);
        while i < 64 * MOST {
            let (state, column) = (i / (8 * C), i / 8 % C);
            // A key of two states provides them alternately, and is rotated by a column after each pair.
            let halves = KEY / C;
            let from = (state / halves + state % halves * C + column) % KEY;
            orders[i / 64][i % 64] = (8 * from + i % 8) as u8;
            i += 1;
        }
        orders
    };

    /// The constants that are added to the intermediate key for each of them.
    const ADD: [[u64; 8]; MOST] = {
        let (mut add, mut i) = ([[0; 8]; MOST], 0);
        while i < 8 * MOST {
            add[i / 8][i % 8] = 0x0001_0001_0001_0001 << (i / C);
            i += 1;
        }
        add
    };

    /// Round keys with odd numbers, from those before them.
    const ROTATED: [u8; 64] = {
        let (mut order, mut i) = ([0; 64], 0);
        while i < 64 {
            order[i] = (i / (8 * C) * (8 * C) + (i + 2 * C + 3) % (8 * C)) as u8;
            i += 1;
        }
        order
    };

    /// Two words of round keys in order, from a word of those with even numbers and a word of those with odd numbers.
    const INTERLEAVED: [[u8; 64]; 2] = {
        let (mut orders, mut i) = ([[0; 64]; 2], 0);
        while i < 128 {
            let key = i / (8 * C);
            orders[i / 64][i % 64] = (key % 2 * 64 + key / 2 * 8 * C + i % (8 * C)) as u8;
            i += 1;
        }
        orders
    };
}

/// Computes the round keys, and one after the last that is not used.
#[inline(always)]
pub(super) fn schedule<W: Columns8, const C: usize, const KEY: usize>(
    token: W::Token,
    key: &[[u8; 8]; KEY],
    keys: &mut [u8],
) {
    let zero = W::splat_u64(token, 0);
    let (first, last) = (W::repeat(token, &key[..C]), W::repeat(token, &key[KEY - C..]));
    let mut middle = W::repeat_numbers(token, const { &Words::<C, KEY>::FIRST }).add64(first);
    middle = round::<W, 64, C>(middle, last);
    middle = round::<W, 64, C>(middle, zero).add64(first);
    middle = round::<W, 64, C>(middle, zero);

    let key = W::repeat(token, key);
    for (g, keys) in keys.chunks_mut(128).enumerate() {
        let sum = W::repeat_numbers(token, &const { Words::<C, KEY>::ADD }[g]).add64(middle);
        let mut even = key.permute(&const { Words::<C, KEY>::STATES }[g]).add64(sum);
        even = round::<W, 64, C>(even, sum);
        even = round::<W, 64, C>(even, zero).add64(sum);
        let odd = even.permute(const { &Words::<C, KEY>::ROTATED });
        let (low, high) = keys.split_at_mut(64);
        even.permute_with(odd, const { &Words::<C, KEY>::INTERLEAVED[0] }).store(low);
        even.permute_with(odd, const { &Words::<C, KEY>::INTERLEAVED[1] }).store(high);
    }
}
