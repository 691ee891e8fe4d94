//! ChaCha20 and XChaCha20: stream ciphers of additions, rotations and XORs.
//!
//! | functions | key, nonce in bytes | rounds | document |
//! | --- | --- | --- | --- |
//! | [`chacha`] | 32, 12 | 20; 8 or 12 for ChaCha8 and ChaCha12 | RFC 8439 (June 2018), section 2.4 |
//! | [`xchacha20`] | 32, 24 | 20 | draft-irtf-cfrg-xchacha-03 (January 2020), section 2.3 |
//!
//! Names and steps are those of the documents. The data is encrypted or decrypted in place. [`chacha_block`] computes
//! one block of the keystream, [`hchacha20`] the subkey of XChaCha20.

/// The bytes of a block of keystream.
const BLOCK: usize = 64;

/// The first four words of the state: "expand 32-byte k" in ASCII.
pub(crate) const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// RFC 8439 section 2.2: QUARTERROUND(x, y, z, w) on four words of a state, which section 2.1 defines on a, b, c, d.
pub(crate) fn quarter_round(state: &mut [u32], x: usize, y: usize, z: usize, w: usize) {
    let [mut a, mut b, mut c, mut d] = [state[x], state[y], state[z], state[w]];
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(12);
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(8);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(7);
    [state[x], state[y], state[z], state[w]] = [a, b, c, d];
}

/// RFC 8439 section 2.3.1: `rounds` / 2 times `inner_block`, which is a column round and a diagonal round.
fn rounds(state: &mut [u32; 16], rounds: usize) {
    assert!(rounds.is_multiple_of(2), "ChaCha's rounds come in pairs, and {rounds} is odd");
    for _ in 0..rounds / 2 {
        quarter_round(state, 0, 4, 8, 12);
        quarter_round(state, 1, 5, 9, 13);
        quarter_round(state, 2, 6, 10, 14);
        quarter_round(state, 3, 7, 11, 15);
        quarter_round(state, 0, 5, 10, 15);
        quarter_round(state, 1, 6, 11, 12);
        quarter_round(state, 2, 7, 8, 13);
        quarter_round(state, 3, 4, 9, 14);
    }
}

/// RFC 8439 section 2.3: the ChaCha block function, the 64 bytes of keystream at block `counter`.
///
/// # Panics
///
/// If `rounds` is odd.
pub fn chacha_block(rounds: usize, key: &[u8; 32], counter: u32, nonce: &[u8; 12]) -> [u8; 64] {
    let mut state = [0; 16];
    state[..4].copy_from_slice(&CONSTANTS);
    read_words(&mut state[4..12], key);
    state[12] = counter;
    read_words(&mut state[13..], nonce);

    let initial_state = state;
    self::rounds(&mut state, rounds);
    for (word, initial) in state.iter_mut().zip(initial_state) {
        *word = word.wrapping_add(initial);
    }
    serialize(&state)
}

/// ChaCha with `rounds` rounds, RFC 8439 section 2.4: XORs `data` with the keystream that begins at block `counter`.
///
/// # Panics
///
/// If `rounds` is odd, or the data needs a block with a number above `u32::MAX`.
pub fn chacha(rounds: usize, key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
    let blocks = data.len().div_ceil(BLOCK) as u64;
    assert!(u64::from(counter) + blocks <= 1 << 32, "ChaCha's block counter has 32 bits and would run out");
    for (i, block) in data.chunks_mut(BLOCK).enumerate() {
        add(block, &chacha_block(rounds, key, counter + i as u32, nonce));
    }
}

/// HChaCha20, draft-irtf-cfrg-xchacha-03 section 2.2: a subkey from a key and the first 16 bytes of a nonce.
pub fn hchacha20(key: &[u8; 32], nonce: &[u8; 16]) -> [u8; 32] {
    let mut state = [0; 16];
    state[..4].copy_from_slice(&CONSTANTS);
    read_words(&mut state[4..12], key);
    read_words(&mut state[12..], nonce);
    rounds(&mut state, 20);
    serialize(&[&state[..4], &state[12..]].concat())
}

/// XChaCha20, draft-irtf-cfrg-xchacha-03 section 2.3: ChaCha20 with the subkey and the last 8 bytes of the nonce.
///
/// # Panics
///
/// If the data needs a block with a number above `u32::MAX`.
pub fn xchacha20(key: &[u8; 32], nonce: &[u8; 24], counter: u32, data: &mut [u8]) {
    let (first, last) = nonce.as_chunks();
    let mut chacha20_nonce = [0; 12];
    chacha20_nonce[4..].copy_from_slice(last);
    chacha(20, &hchacha20(key, &first[0]), &chacha20_nonce, counter, data);
}

/// Reads little-endian words of four bytes.
pub(crate) fn read_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}

/// Writes words as four little-endian bytes each.
pub(crate) fn serialize<const N: usize>(words: &[u32]) -> [u8; N] {
    let mut bytes = [0; N];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// XORs data with as much of a keystream as there is data.
pub(crate) fn add(data: &mut [u8], keystream: &[u8]) {
    for (byte, key) in data.iter_mut().zip(keystream) {
        *byte ^= key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439 section 2.1.1.
    #[test]
    fn quarter_round_of_rfc_8439() {
        let mut words = [0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567];
        quarter_round(&mut words, 0, 1, 2, 3);
        assert_eq!(words, [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb]);
    }

    #[test]
    fn the_last_block_can_be_used() {
        let mut data = [0; BLOCK];
        chacha(20, &[1; 32], &[2; 12], u32::MAX, &mut data);
        assert_eq!(data, chacha_block(20, &[1; 32], u32::MAX, &[2; 12]));
        chacha(20, &[1; 32], &[2; 12], u32::MAX, &mut []);
    }

    #[test]
    #[should_panic(expected = "block counter has 32 bits and would run out")]
    fn nothing_comes_after_the_last_block() {
        chacha(20, &[1; 32], &[2; 12], u32::MAX, &mut [0; BLOCK + 1]);
    }

    #[test]
    #[should_panic(expected = "7 is odd")]
    fn odd_rounds() {
        chacha(7, &[0; 32], &[0; 12], 0, &mut [0]);
    }
}
