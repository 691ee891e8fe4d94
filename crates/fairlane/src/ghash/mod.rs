//! GHASH (NIST SP 800-38D, sections 6.3 and 6.4): the hash function of GCM, which encrypts the result to make it a tag.
//!
//! **The result is not a tag and not a cryptographic hash**: it reveals the key, and so must be encrypted.
//!
//! ```
//! use fairlane::ghash::GHash;
//! use fairlane::universal_hash::{KeyInit, UniversalHash};
//!
//! # let h = [7; 16];
//! let mut ghash = GHash::new(&h.into());
//! ghash.update_padded(b"associated data");
//! ghash.update_padded(b"and a ciphertext");
//! let y: [u8; 16] = ghash.finalize().into();
//! # assert_ne!(y, [0; 16]);
//! ```
//!
//! Constant time: running time depends on lengths only, on every backend.

mod padded;
mod powers;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;
mod traits;

use crate::{Backend, Unsupported, carryless};
pub(crate) use carryless::BACKENDS;
use core::fmt;
use fairlane_lanes::AnyToken;
pub(crate) use padded::PaddedGHash;
use powers::Powers;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// GHASH of whole blocks of 16 bytes under a key H of 16 bytes, through the traits of `universal-hash`. The state is
/// erased on drop.
#[derive(Clone)]
pub struct GHash {
    key: GHashKey,
    sum: Sum,
}

impl GHash {
    /// GHASH under a key of 16 bytes on the backend given.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or GHASH has no such kernel.
    pub fn with_backend(h: &[u8; 16], backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(h, token))
    }

    fn with_token(h: &[u8; 16], token: AnyToken) -> Self {
        Self { key: GHashKey::new(token, h), sum: Sum::ZERO }
    }
}

impl Drop for GHash {
    fn drop(&mut self) {
        self.sum.0.zeroize();
    }
}

impl ZeroizeOnDrop for GHash {}

impl fmt::Debug for GHash {
    /// Shows nothing of the key or the data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GHash").finish_non_exhaustive()
    }
}

/// The powers of a key H, for any number of messages. They are erased on drop.
#[derive(Clone)]
pub(crate) struct GHashKey {
    token: AnyToken,
    powers: Powers,
}

impl GHashKey {
    /// Computes the powers of a key. The token may be that of a cipher: the best kernel for its CPU features is taken.
    pub(crate) fn new(token: AnyToken, h: &[u8; 16]) -> Self {
        let mut key = Self { token, powers: Powers::ZERO };
        carryless::run(token, powers::MakePowers { powers: &mut key.powers, h });
        key
    }

    /// Absorbs whole blocks.
    fn absorb(&self, sum: &mut Sum, blocks: &[[u8; 16]]) {
        if !blocks.is_empty() {
            sum.0 = carryless::run(self.token, powers::Absorb { powers: &self.powers, sum: sum.0, blocks });
        }
    }

    /// Absorbs bytes, and zeros up to a multiple of 16.
    fn absorb_padded(&self, sum: &mut Sum, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks();
        self.absorb(sum, blocks);
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            self.absorb(sum, &[last]);
        }
    }
}

impl Drop for GHashKey {
    fn drop(&mut self) {
        self.powers.zeroize();
    }
}

/// The hash of the blocks so far: Y of section 6.4, as a big-endian number.
#[derive(Clone, Copy)]
struct Sum(u128);

impl Sum {
    const ZERO: Self = Self(0);

    fn to_block(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}
