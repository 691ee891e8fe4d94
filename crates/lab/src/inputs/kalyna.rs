//! Keys and IVs of Kalyna.

use super::counting;
use fairlane_reference::kalyna::Variant;

/// The longest key; the others are its first bytes.
const KEY: &[u8; 64] = &counting(0);
/// The longest IV, likewise.
const IV: &[u8; 64] = &counting(0x80);

/// The key of a variant.
pub fn key(variant: Variant) -> &'static [u8] {
    &KEY[..variant.key_len()]
}

/// The IV of a variant in counter mode.
pub fn iv(variant: Variant) -> &'static [u8] {
    &IV[..variant.block_len()]
}
