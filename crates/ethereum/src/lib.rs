//! Keccak-256 for `alloy-primitives` and all that builds on it: reth, foundry, revm.
//!
//! With its feature `native-keccak`, `alloy_primitives::keccak256` calls the symbol `native_keccak256`, which this
//! crate defines. A program needs the feature and one line, in any of its crates:
//!
//! ```
//! use fairlane_ethereum as _;
//! ```
//!
//! Without that line the program is not linked: `undefined symbol: native_keccak256`. The features `sha3-keccak` and
//! `tiny-keccak` of `alloy-primitives`, which any other crate may turn on, silently turn `native-keccak` off, as Miri
//! does. [`is_used`] tells.
//!
//! ```
//! # fn alloy_keccak256(message: &[u8]) -> [u8; 32] {
//! #     let mut digest = [0; 32];
//! #     unsafe { fairlane_ethereum::native_keccak256(message.as_ptr(), message.len(), digest.as_mut_ptr()) };
//! #     digest
//! # }
//! alloy_keccak256(b"any message"); // alloy_primitives::keccak256
//! assert!(fairlane_ethereum::is_used());
//! ```
//!
//! `alloy_primitives::Keccak256`, which takes a message in pieces, has no such hook.

#![no_std]

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use fairlane::keccak::keccak256;

static USED: AtomicBool = AtomicBool::new(false);

/// Whether anything has called [`native_keccak256`] since the program began.
pub fn is_used() -> bool {
    USED.load(Relaxed)
}

/// Writes the Keccak-256 (with the original padding, as Ethereum uses it) of `length` bytes at `message` to the 32
/// bytes at `digest`.
///
/// # Safety
/// `message` is readable for `length` bytes, of which there may be none, and `digest` writable for 32 that are not
/// among them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn native_keccak256(message: *const u8, length: usize, digest: *mut u8) {
    let message = match length {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { core::slice::from_raw_parts(message, length) },
    };
    // SAFETY: the caller's promise.
    unsafe { digest.cast::<[u8; 32]>().write(keccak256(message)) };
    // Threads share the line of the cache as long as none writes.
    if !is_used() {
        USED.store(true, Relaxed);
    }
}
