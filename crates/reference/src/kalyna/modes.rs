//! The modes without authentication, DSTU 7624:2014: ECB, CTR, CFB, CBC and OFB, clauses 6 to 8, 10 and 11.

use super::{Kalyna, xor};

/// ECB, clause 6: encrypts each block by itself, which reveals equal blocks.
///
/// # Panics
///
/// If the data is not whole blocks.
pub fn ecb_encrypt(cipher: &Kalyna, data: &mut [u8]) {
    for block in whole_blocks(cipher, data) {
        cipher.encrypt(block);
    }
}

/// The inverse of [`ecb_encrypt`].
///
/// # Panics
///
/// If the data is not whole blocks.
pub fn ecb_decrypt(cipher: &Kalyna, data: &mut [u8]) {
    for block in whole_blocks(cipher, data) {
        cipher.decrypt(block);
    }
}

/// CTR, clause 7, for data of any length. Encryption and decryption are the same.
///
/// Unlike NIST's CTR, it counts from the encrypted IV s: the keystream is T(s + 1), T(s + 2) …, where the whole block
/// is a number.
///
/// # Panics
///
/// If the IV is not one block.
pub fn ctr(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    count(cipher, iv, cipher.block_len(), data);
}

/// CTR with a counter of the lowest `width` bytes, modulo 2<sup>8 width</sup>.
pub(super) fn count(cipher: &Kalyna, iv: &[u8], width: usize, data: &mut [u8]) {
    check_iv(cipher, iv);
    let mut s = cipher.t(iv);
    for block in data.chunks_mut(cipher.block_len()) {
        increment(&mut s[..width]);
        xor(block, &cipher.t(&s));
    }
}

fn increment(number: &mut [u8]) {
    for byte in number {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}

/// CFB, clause 8, for data of any length, `q` bytes at a time.
///
/// A step XORs the data with the last q bytes of the keystream block. The next keystream block is the encryption of
/// this one with those bytes replaced by the ciphertext. NIST's CFB shifts the ciphertext in instead, which is the same
/// only if q is the size of a block. A shorter step at the end also uses the last bytes of the keystream block.
///
/// # Panics
///
/// If the IV is not one block, or `q` is not 1, 8, 16, 32 or 64, or is longer than a block.
pub fn cfb_encrypt(cipher: &Kalyna, q: usize, iv: &[u8], data: &mut [u8]) {
    cfb(cipher, q, iv, data, |part, keystream| {
        xor(part, keystream);
        keystream.copy_from_slice(part);
    });
}

/// The inverse of [`cfb_encrypt`].
///
/// # Panics
///
/// As [`cfb_encrypt`].
pub fn cfb_decrypt(cipher: &Kalyna, q: usize, iv: &[u8], data: &mut [u8]) {
    cfb(cipher, q, iv, data, |part, keystream| {
        xor(keystream, part);
        part.swap_with_slice(keystream);
    });
}

/// Calls `step` for each part of the data with its keystream, which `step` replaces by the ciphertext.
fn cfb(cipher: &Kalyna, q: usize, iv: &[u8], data: &mut [u8], step: fn(&mut [u8], &mut [u8])) {
    let l = cipher.block_len();
    check_iv(cipher, iv);
    assert!(
        [1, 8, 16, 32, 64].contains(&q) && q <= l,
        "CFB takes 1, 8, 16, 32 or 64 bytes a step, at most {l}: not {q}"
    );
    let mut gamma = iv.to_vec();
    for part in data.chunks_mut(q) {
        cipher.encrypt(&mut gamma);
        step(part, &mut gamma[l - part.len()..]);
    }
}

/// CBC, clause 10: XORs each block with the ciphertext of the block before it, or with the IV, then encrypts it. There
/// is no padding.
///
/// # Panics
///
/// If the IV is not one block, or the data is not whole blocks.
pub fn cbc_encrypt(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    check_iv(cipher, iv);
    let mut before = iv.to_vec();
    for block in whole_blocks(cipher, data) {
        xor(block, &before);
        cipher.encrypt(block);
        before.copy_from_slice(block);
    }
}

/// The inverse of [`cbc_encrypt`].
///
/// # Panics
///
/// As [`cbc_encrypt`].
pub fn cbc_decrypt(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    check_iv(cipher, iv);
    let mut before = iv.to_vec();
    for block in whole_blocks(cipher, data) {
        let ciphertext = block.to_vec();
        cipher.decrypt(block);
        xor(block, &before);
        before = ciphertext;
    }
}

/// OFB, clause 11, for data of any length. Encryption and decryption are the same. The keystream is T(IV), T(T(IV)) …
///
/// # Panics
///
/// If the IV is not one block.
pub fn ofb(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    check_iv(cipher, iv);
    let mut gamma = iv.to_vec();
    for block in data.chunks_mut(cipher.block_len()) {
        cipher.encrypt(&mut gamma);
        xor(block, &gamma);
    }
}

/// # Panics
///
/// If the IV is not one block.
pub(super) fn check_iv(cipher: &Kalyna, iv: &[u8]) {
    let l = cipher.block_len();
    assert!(iv.len() == l, "this Kalyna's modes take an IV of {l} bytes, not {}", iv.len());
}

fn whole_blocks<'a>(cipher: &Kalyna, data: &'a mut [u8]) -> impl Iterator<Item = &'a mut [u8]> {
    let l = cipher.block_len();
    assert!(data.len().is_multiple_of(l), "ECB and CBC take whole blocks of {l} bytes, not {} bytes", data.len());
    data.chunks_mut(l)
}
