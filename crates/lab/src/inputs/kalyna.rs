//! Keys and IVs of Kalyna.

use super::{Fixed, Given};
use fairlane_reference::kalyna::Variant;

/// The longest key; the others are its first bytes.
static KEY: Fixed<64> = Fixed::key();
/// The longest IV, likewise.
static IV: Fixed<64> = Fixed::iv();

/// Writes another key.
///
/// # Safety
///
/// That of [`Fixed::write`].
pub(super) unsafe fn write_key(key: &[u8; 64]) {
    // SAFETY: the caller's promise.
    unsafe { KEY.write(key) };
}

/// The key of a variant.
pub fn key(variant: Variant) -> Given {
    KEY.given().first(variant.key_len())
}

/// The IV of a variant in counter mode.
pub fn iv(variant: Variant) -> Given {
    IV.given().first(variant.block_len())
}
