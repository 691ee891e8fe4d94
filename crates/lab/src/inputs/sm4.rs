//! Keys, IVs and tweaks of SM4.

use super::arx::KEY256;
use super::{counting, numbered};

/// Bytes of a block, and of a key.
pub const BLOCK: usize = 16;
/// The key.
pub const KEY: [u8; BLOCK] = counting(0);
/// The IV of CBC, and the first counter block of CTR.
pub const IV: [u8; BLOCK] = counting(0x80);
/// The key of XTS: that of the data, then that of the tweak.
pub const XTS_KEY: [u8; 2 * BLOCK] = KEY256;
/// The tweak of XTS: a data unit's number, least significant byte first.
pub const TWEAK: [u8; BLOCK] = counting(0x80);

/// The key of a message of `sm4/cbc-encrypt-many`.
pub fn stream_key(message: usize) -> [u8; BLOCK] {
    numbered(KEY, message)
}

/// The IV of a message of `sm4/cbc-encrypt-many`.
pub fn stream_iv(message: usize) -> [u8; BLOCK] {
    numbered(IV, message)
}
