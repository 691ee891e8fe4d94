//! ECB, CBC and CTR, NIST SP 800-38A.

use super::{BLOCK, Sm4, add};

/// ECB: encrypts each block by itself, which shows where blocks are equal.
///
/// # Panics
///
/// If the data is not whole blocks of 16 bytes.
pub fn ecb_encrypt(key: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    for block in whole_blocks(data) {
        cipher.encrypt(block);
    }
}

/// The inverse of [`ecb_encrypt`].
///
/// # Panics
///
/// If the data is not whole blocks of 16 bytes.
pub fn ecb_decrypt(key: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    for block in whole_blocks(data) {
        cipher.decrypt(block);
    }
}

/// CBC: adds to each block the ciphertext of the one before it, or the IV, then encrypts it. No padding.
///
/// # Panics
///
/// If the data is not whole blocks of 16 bytes.
pub fn cbc_encrypt(key: &[u8; 16], iv: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    let mut before = *iv;
    for block in whole_blocks(data) {
        add(block, &before);
        cipher.encrypt(block);
        before = *block;
    }
}

/// The inverse of [`cbc_encrypt`].
///
/// # Panics
///
/// If the data is not whole blocks of 16 bytes.
pub fn cbc_decrypt(key: &[u8; 16], iv: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    let mut before = *iv;
    for block in whole_blocks(data) {
        let ciphertext = *block;
        cipher.decrypt(block);
        add(block, &before);
        before = ciphertext;
    }
}

/// CTR: adds the encryption of counter blocks, of which `iv` is the first, to data of any length; twice is none.
///
/// The whole block is the counter, big-endian, modulo 2<sup>128</sup>: appendix B.1 with m = 128.
pub fn ctr(key: &[u8; 16], iv: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    let mut counter = u128::from_be_bytes(*iv);
    for block in data.chunks_mut(BLOCK) {
        add(block, &cipher.e(counter.to_be_bytes()));
        counter = counter.wrapping_add(1);
    }
}

fn whole_blocks(data: &mut [u8]) -> &mut [[u8; BLOCK]] {
    assert!(data.len().is_multiple_of(BLOCK), "ECB and CBC take whole blocks of 16 bytes, not {} bytes", data.len());
    data.as_chunks_mut().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn ecb_of_part_of_a_block() {
        ecb_encrypt(&[0; 16], &mut [0; 17]);
    }

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn cbc_of_part_of_a_block() {
        cbc_decrypt(&[0; 16], &[0; 16], &mut [0; 15]);
    }
}
