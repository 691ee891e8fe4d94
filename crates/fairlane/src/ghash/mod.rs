//! GHASH (NIST SP 800-38D, sections 6.3 and 6.4): the hash of GCM, which adds secrecy to it and makes it a tag.
//!
//! **Not a tag by itself, and not a hash in the ordinary sense**: whoever sees a result can find the key.
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

pub(crate) mod kernels;
mod padded;
mod powers;
mod traits;

use crate::{Backend, Unsupported};
use core::fmt;
use fairlane_lanes::AnyToken;
pub(crate) use kernels::BACKENDS;
pub(crate) use padded::PaddedGHash;
use powers::Powers;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// GHASH of whole blocks of 16 bytes under a key H of 16 bytes, fed through the traits of `universal-hash`. The state is
/// erased when it is dropped.
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

/// A key H, prepared: for any number of messages. Erased when it is dropped.
#[derive(Clone)]
pub(crate) struct GHashKey {
    token: AnyToken,
    powers: Powers,
}

impl GHashKey {
    /// Prepares a key for the kernels that suit the token of a cipher, or of one of [`BACKENDS`].
    pub(crate) fn new(token: AnyToken, h: &[u8; 16]) -> Self {
        let mut key = Self { token, powers: Powers::NONE };
        kernels::run(token, powers::Make { powers: &mut key.powers, h });
        key
    }

    /// Absorbs whole blocks.
    fn absorb(&self, sum: &mut Sum, blocks: &[[u8; 16]]) {
        if !blocks.is_empty() {
            sum.0 = kernels::run(self.token, powers::Absorb { powers: &self.powers, sum: sum.0, blocks });
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

/// What the blocks so far have come to: Y of section 6.4, as a big-endian number.
#[derive(Clone, Copy)]
struct Sum(u128);

impl Sum {
    const ZERO: Self = Self(0);

    fn to_block(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}
