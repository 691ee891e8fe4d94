//! XTS: encrypts a data unit of 16 bytes or more, such as a disk sector, to the same length.
//!
//! The names are those of IEEE 1619-2018, section 5: Key<sub>1</sub> and Key<sub>2</sub> are the halves of the key, the
//! tweak i is the data unit's number as 16 little-endian bytes. GB/T 17964-2021 differs only in how the tweak is
//! multiplied from block to block. The two keys are not checked for being different.

use super::{BLOCK, Sm4, add};
use crate::ghash::double;

/// XTS-SM4 of IEEE 1619.
///
/// # Panics
///
/// If the data is shorter than 16 bytes.
pub fn xts_encrypt(key: &[u8; 32], tweak: &[u8; 16], data: &mut [u8]) {
    xts(ENCRYPT, alpha, key, tweak, data);
}

/// The inverse of [`xts_encrypt`].
///
/// # Panics
///
/// If the data is shorter than 16 bytes.
pub fn xts_decrypt(key: &[u8; 32], tweak: &[u8; 16], data: &mut [u8]) {
    xts(DECRYPT, alpha, key, tweak, data);
}

/// XTS-SM4 of GB/T 17964-2021.
///
/// # Panics
///
/// If the data is shorter than 16 bytes.
pub fn xts_gb_encrypt(key: &[u8; 32], tweak: &[u8; 16], data: &mut [u8]) {
    xts(ENCRYPT, alpha_gb, key, tweak, data);
}

/// The inverse of [`xts_gb_encrypt`].
///
/// # Panics
///
/// If the data is shorter than 16 bytes.
pub fn xts_gb_decrypt(key: &[u8; 32], tweak: &[u8; 16], data: &mut [u8]) {
    xts(DECRYPT, alpha_gb, key, tweak, data);
}

/// The differences between encryption and decryption.
#[derive(Clone, Copy)]
struct Direction {
    cipher: fn(&Sm4, &mut [u8; BLOCK]),
    /// Which of the last two powers of α is used first if the last block is partial.
    first: usize,
}

const ENCRYPT: Direction = Direction { cipher: Sm4::encrypt, first: 0 };
const DECRYPT: Direction = Direction { cipher: Sm4::decrypt, first: 1 };

/// Sections 5.3.2 and 5.4.2. A partial block at the end is completed from the block before it (ciphertext stealing).
fn xts(direction: Direction, alpha: fn([u8; BLOCK]) -> [u8; BLOCK], key: &[u8; 32], tweak: &[u8; 16], data: &mut [u8]) {
    assert!(data.len() >= BLOCK, "XTS takes 16 bytes or more, not {}", data.len());
    let [key_1, key_2] = key.as_chunks().0 else { unreachable!("a key is two halves") };
    let key_1 = Sm4::new(key_1);
    let mut t = Sm4::new(key_2).e(*tweak);
    let block = |t: &[u8; BLOCK], block: &mut [u8; BLOCK]| {
        add(block, t);
        (direction.cipher)(&key_1, block);
        add(block, t);
    };

    let whole = data.len() / BLOCK - usize::from(!data.len().is_multiple_of(BLOCK));
    let (blocks, rest) = data.split_at_mut(whole * BLOCK);
    for p in blocks.as_chunks_mut().0 {
        block(&t, p);
        t = alpha(t);
    }
    if let Some((p, part)) = rest.split_first_chunk_mut() {
        let powers = [t, alpha(t)];
        block(&powers[direction.first], p);
        let (stolen, _) = p.split_at_mut(part.len());
        part.swap_with_slice(stolen);
        block(&powers[1 - direction.first], p);
    }
}

/// T times α, section 5.2, modulo x^128 + x^7 + x^2 + x + 1. The lowest bit of the first byte is the coefficient of
/// x^0.
fn alpha(t: [u8; BLOCK]) -> [u8; BLOCK] {
    let t = u128::from_le_bytes(t);
    let carry = t >> 127;
    ((t << 1) ^ (carry * 0x87)).to_le_bytes()
}

/// T times α with the bits in reverse order, as in GCM: the highest bit of the first byte is the coefficient of x^0.
fn alpha_gb(t: [u8; BLOCK]) -> [u8; BLOCK] {
    double(u128::from_be_bytes(t)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "16 bytes or more")]
    fn less_than_a_block() {
        xts_encrypt(&[0; 32], &[0; 16], &mut [0; 15]);
    }
}
