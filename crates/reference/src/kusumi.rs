//! Kusumi-512: a stream cipher with ChaCha's quarter round on 25 words, a key of 64 bytes and blocks of 100.
//!
//! It follows the published specification. The published program departs from that and uses the same keystream again
//! within a long message and for a second message; this module does not follow it there.
//!
//! As far as we know, nobody but its authors has analysed Kusumi-512.

use crate::chacha::{CONSTANTS, add, quarter_round, read_words, serialize};

/// The bytes of a block of keystream, which is the whole state.
const BLOCK: usize = 25 * 4;

/// The indices of the words of each quarter round in a round. There are ten rounds.
const ROUND: [[usize; 4]; 17] = [
    // The columns of words 0 to 15, and of words 16 to 23 with words 0 to 7.
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [16, 20, 0, 4],
    [17, 21, 1, 5],
    [18, 22, 2, 6],
    [19, 23, 3, 7],
    // The diagonals of the same words.
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
    [16, 21, 2, 7],
    [17, 22, 3, 4],
    [18, 23, 0, 5],
    [19, 20, 1, 6],
    // The remaining word, 24.
    [19, 24, 0, 5],
];

/// Computes the 100 bytes of keystream of block `counter`.
///
/// Data begins at block 1; block 0 is reserved for the key of a MAC.
pub fn kusumi512_block(key: &[u8; 64], counter: u64, nonce: &[u8; 12]) -> [u8; 100] {
    let mut state = [0; 25];
    state[..4].copy_from_slice(&CONSTANTS);
    read_words(&mut state[4..20], key);
    read_words(&mut state[20..22], &counter.to_le_bytes());
    read_words(&mut state[22..], nonce);

    let initial_state = state;
    for _ in 0..10 {
        for [x, y, z, w] in ROUND {
            quarter_round(&mut state, x, y, z, w);
        }
    }
    for (word, initial) in state.iter_mut().zip(initial_state) {
        *word = word.wrapping_add(initial);
    }
    serialize(&state)
}

/// Kusumi-512: XORs `data` with the keystream that begins at block `counter`. A message begins at block 1.
///
/// # Panics
///
/// If the data needs a block with a number above `u64::MAX`.
pub fn kusumi512(key: &[u8; 64], nonce: &[u8; 12], counter: u64, data: &mut [u8]) {
    let blocks = data.len().div_ceil(BLOCK) as u128;
    assert!(u128::from(counter) + blocks <= 1 << 64, "Kusumi-512's block counter has 64 bits and would run out");
    for (i, block) in data.chunks_mut(BLOCK).enumerate() {
        add(block, &kusumi512_block(key, counter + i as u64, nonce));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vector of `crates/vectors/answers/kusumi512.json`.
    #[test]
    fn quarter_round_of_the_specification() {
        let mut words = [0x1111_1111, 0x0102_0304, 0x090a_0b0c, 0x1112_1314];
        quarter_round(&mut words, 0, 1, 2, 3);
        assert_eq!(words, [0xa2e3_a525, 0x30d1_d131, 0xf2b1_32b2, 0xe2a6_24a5]);
    }

    #[test]
    fn the_last_block_can_be_used() {
        let mut data = [0; BLOCK];
        kusumi512(&[1; 64], &[2; 12], u64::MAX, &mut data);
        assert_eq!(data, kusumi512_block(&[1; 64], u64::MAX, &[2; 12]));
        kusumi512(&[1; 64], &[2; 12], u64::MAX, &mut []);
    }

    #[test]
    #[should_panic(expected = "block counter has 64 bits and would run out")]
    fn nothing_comes_after_the_last_block() {
        kusumi512(&[1; 64], &[2; 12], u64::MAX, &mut [0; BLOCK + 1]);
    }
}
