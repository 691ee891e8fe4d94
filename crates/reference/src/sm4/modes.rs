//! ECB, CBC and CTR, NIST SP 800-38A.

use super::{BLOCK, Sm4, add};

/// ECB, section 6.1: encrypts each block by itself, which reveals equal blocks.
///
/// # Panics
///
/// If the length of the data is not a multiple of 16 bytes.
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
/// If the length of the data is not a multiple of 16 bytes.
pub fn ecb_decrypt(key: &[u8; 16], data: &mut [u8]) {
    let cipher = Sm4::new(key);
    for block in whole_blocks(data) {
        cipher.decrypt(block);
    }
}

/// CBC, section 6.2: XORs each block with the ciphertext of the block before it, or with the IV, then encrypts it.
/// There is no padding.
///
/// # Panics
///
/// If the length of the data is not a multiple of 16 bytes.
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
/// If the length of the data is not a multiple of 16 bytes.
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

/// CTR, section 6.5: XORs data of any length with the encryption of counter blocks, of which `iv` is the first.
/// Encryption and decryption are the same.
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
