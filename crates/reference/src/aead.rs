//! Authenticated encryption: a stream cipher and Poly1305, composed as RFC 8439 (June 2018) section 2.8 does.
//!
//! | functions | key, nonce in bytes | document |
//! | --- | --- | --- |
//! | [`chacha20_poly1305_seal`], [`chacha20_poly1305_open`] | 32, 12 | RFC 8439, section 2.8 |
//! | [`xchacha20_poly1305_seal`], [`xchacha20_poly1305_open`] | 32, 24 | draft-irtf-cfrg-xchacha-03, section 2.1 |
//! | [`kusumi512_poly1305_seal`], [`kusumi512_poly1305_open`] | 64, 12 | RFC 8439, with Kusumi-512 for ChaCha20 |
//!
//! The data is encrypted in place; the tag has 16 bytes. Opening checks the tag first: if it is wrong, the function
//! returns `false` and leaves the data unchanged. Kusumi-512's published program has another format, which
//! authenticates neither associated data nor lengths and whose tags are not always Poly1305's; it is not implemented
//! here.

use crate::chacha::{chacha, xchacha20};
use crate::kusumi::kusumi512;
use crate::poly1305::poly1305;

/// `AEAD_CHACHA20_POLY1305`: encrypts `data` and returns the tag.
///
/// # Panics
///
/// If the data is longer than 2<sup>32</sup> - 1 blocks of 64 bytes.
pub fn chacha20_poly1305_seal(key: &[u8; 32], nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    seal(|counter, data| chacha(20, key, nonce, counter, data), aad, data)
}

/// Decrypts `data` if the tag is the one of [`chacha20_poly1305_seal`], and returns whether it is.
///
/// # Panics
///
/// If the tag is right and the data longer than can be sealed.
#[must_use]
pub fn chacha20_poly1305_open(key: &[u8; 32], nonce: &[u8; 12], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
    open(|counter, data| chacha(20, key, nonce, counter, data), aad, data, tag)
}

/// `AEAD_XCHACHA20_POLY1305`: encrypts `data` and returns the tag.
///
/// # Panics
///
/// If the data is longer than 2<sup>32</sup> - 1 blocks of 64 bytes.
pub fn xchacha20_poly1305_seal(key: &[u8; 32], nonce: &[u8; 24], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    seal(|counter, data| xchacha20(key, nonce, counter, data), aad, data)
}

/// Decrypts `data` if the tag is the one of [`xchacha20_poly1305_seal`], and returns whether it is.
///
/// # Panics
///
/// If the tag is right and the data longer than can be sealed.
#[must_use]
pub fn xchacha20_poly1305_open(key: &[u8; 32], nonce: &[u8; 24], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
    open(|counter, data| xchacha20(key, nonce, counter, data), aad, data, tag)
}

/// Kusumi512-Poly1305: encrypts `data` and returns the tag. No message is too long.
pub fn kusumi512_poly1305_seal(key: &[u8; 64], nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    seal(|counter, data| kusumi512(key, nonce, counter.into(), data), aad, data)
}

/// Decrypts `data` if the tag is the one of [`kusumi512_poly1305_seal`], and returns whether it is.
#[must_use]
pub fn kusumi512_poly1305_open(key: &[u8; 64], nonce: &[u8; 12], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
    open(|counter, data| kusumi512(key, nonce, counter.into(), data), aad, data, tag)
}

/// RFC 8439 section 2.8: encrypts and returns the tag. `cipher` XORs its keystream, beginning at a block; the data
/// begins at block 1.
fn seal(cipher: impl Fn(u32, &mut [u8]), aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    cipher(1, data);
    tag(cipher, aad, data)
}

/// The inverse of [`seal`]: decrypts if the tag is right, and returns whether it is.
fn open(cipher: impl Fn(u32, &mut [u8]), aad: &[u8], data: &mut [u8], received: &[u8; 16]) -> bool {
    let right = tag(&cipher, aad, data) == *received;
    if right {
        cipher(1, data);
    }
    right
}

/// The tag over associated data and ciphertext.
///
/// The key is the first 32 bytes of block 0 (section 2.6, `poly1305_key_gen`). The authenticated message is the
/// associated data and the ciphertext, each padded with zeros to a multiple of 16 bytes, then their lengths.
fn tag(cipher: impl Fn(u32, &mut [u8]), aad: &[u8], ciphertext: &[u8]) -> [u8; 16] {
    let mut one_time_key = [0; 32];
    cipher(0, &mut one_time_key);
    let mut mac_data = Vec::new();
    for part in [aad, ciphertext] {
        mac_data.extend(part);
        mac_data.resize(mac_data.len().next_multiple_of(16), 0);
    }
    for part in [aad, ciphertext] {
        mac_data.extend((part.len() as u64).to_le_bytes());
    }
    poly1305(&one_time_key, &mac_data)
}
