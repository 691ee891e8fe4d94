//! Keys and IVs of Kalyna.

use super::{Fixed, Given};
use fairlane_reference::kalyna::Variant;

/// The longest key; the others are its first bytes.
static KEY: Fixed<64> = Fixed::key();
/// The longest IV, likewise.
static IV: Fixed<64> = Fixed::iv();

/// The key of a variant.
pub fn key(variant: Variant) -> Given {
    KEY.given().first(variant.key_len())
}

/// The IV of a variant in counter mode.
pub fn iv(variant: Variant) -> Given {
    IV.given().first(variant.block_len())
}
