//! Keys, IVs and tweaks of SM4.

use super::{Fixed, numbered};

/// Bytes of a block, and of a key.
pub const BLOCK: usize = 16;
/// The key.
pub static KEY: Fixed<BLOCK> = Fixed::key();
/// The IV of CBC, and the first counter block of CTR.
pub static IV: Fixed<BLOCK> = Fixed::iv();
/// The key of XTS: that of the data, then that of the tweak.
pub static XTS_KEY: Fixed<{ 2 * BLOCK }> = Fixed::key();
/// The tweak of XTS: a data unit's number, least significant byte first.
pub static TWEAK: Fixed<BLOCK> = Fixed::iv();

/// The key of a message of `sm4/cbc-encrypt-many`.
pub fn stream_key(message: usize) -> [u8; BLOCK] {
    numbered(*KEY, message)
}

/// The IV of a message of `sm4/cbc-encrypt-many`.
pub fn stream_iv(message: usize) -> [u8; BLOCK] {
    numbered(*IV, message)
}
