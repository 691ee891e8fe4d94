//! Poly1305 (RFC 8439, section 2.5): a message authentication code with a tag of 16 bytes and a one-time key.
//!
//! **A key must never authenticate two messages.** Two tags under one key reveal it, and let others forge tags. The
//! AEADs of this library derive a new key for every message.
//!
//! ```
//! use fairlane::poly1305::Poly1305;
//!
//! # let key = [7; 32];
//! let mut mac = Poly1305::new(&key);
//! mac.update(b"in ");
//! mac.update(b"pieces");
//! let tag = mac.finalize();
//!
//! let mut mac = Poly1305::new(&key);
//! mac.update(b"in pieces");
//! assert!(mac.verify(&tag).is_ok());
//! ```
//!
//! Constant time: running time depends on lengths only, on every backend.

mod kernels;
mod limbs26;
mod limbs44;
mod number;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;
mod traits;
mod wide;

use crate::{Unsupported, ct};
use core::fmt;
use fairlane_lanes::{AnyToken, Backend};
pub(crate) use kernels::BACKENDS;
use kernels::Evaluation;
use number::{Number, Point};
use zeroize::ZeroizeOnDrop;

/// Poly1305 of one message, which comes in pieces of any length. The state is erased on drop.
#[derive(Clone)]
pub struct Poly1305 {
    evaluation: Evaluation,
    /// The key's second half, added at the end.
    s: u128,
    /// The first `buffered` of these are the bytes since the last whole block.
    block: [u8; 16],
    buffered: usize,
}

impl Poly1305 {
    /// An authenticator under a one-time key of 32 bytes, on the best backend that this machine has.
    #[inline]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::with_token(key, AnyToken::best(BACKENDS))
    }

    /// As [`new`](Self::new), on the backend given.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or Poly1305 has no such kernel.
    pub fn with_backend(key: &[u8; 32], backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(key, token))
    }

    /// As [`new`](Self::new), on the token's backend; integers are used if it is none of [`BACKENDS`].
    #[inline]
    pub(crate) fn with_token(key: &[u8; 32], token: AnyToken) -> Self {
        let (halves, _) = key.as_chunks();
        Self {
            evaluation: Evaluation::new(token, Point::new(halves[0])),
            s: u128::from_le_bytes(halves[1]),
            block: [0; 16],
            buffered: 0,
        }
    }

    /// Takes the next bytes of the message.
    #[inline]
    pub fn update(&mut self, bytes: &[u8]) {
        let rest = self.absorb(bytes);
        if !rest.is_empty() {
            self.block[..rest.len()].copy_from_slice(rest);
            self.buffered = rest.len();
        }
    }

    /// Takes the next bytes of the message, and then zeros until its length is a multiple of 16 bytes: the padding of
    /// the AEADs in RFC 8439, section 2.8.
    #[inline]
    pub fn update_padded(&mut self, bytes: &[u8]) {
        let rest = self.absorb(bytes);
        let last = if rest.is_empty() { &self.block[..self.buffered] } else { rest };
        if !last.is_empty() {
            self.evaluation.absorb_padded(last);
            self.buffered = 0;
        }
    }

    /// Absorbs all whole blocks, beginning with the buffered one. Returns the rest of the bytes; nothing is then
    /// buffered, unless the bytes do not complete the buffered block.
    #[inline]
    fn absorb<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut bytes = bytes;
        if self.buffered > 0 {
            let (taken, rest) = bytes.split_at(bytes.len().min(16 - self.buffered));
            self.block[self.buffered..][..taken.len()].copy_from_slice(taken);
            self.buffered += taken.len();
            if self.buffered < 16 {
                return &[];
            }
            self.evaluation.absorb(&[self.block]);
            self.buffered = 0;
            bytes = rest;
        }
        let (blocks, rest) = bytes.as_chunks();
        self.evaluation.absorb(blocks);
        rest
    }

    /// The message's tag.
    #[inline]
    pub fn finalize(self) -> [u8; 16] {
        self.tag()
    }

    /// Compares the message's tag with `tag`, in constant time.
    ///
    /// # Errors
    /// They differ: the message, the key or the tag is not the right one, and the message must not be used.
    #[inline]
    pub fn verify(self, tag: &[u8; 16]) -> Result<(), WrongTag> {
        if ct::equal(&self.tag(), tag) { Ok(()) } else { Err(WrongTag) }
    }

    /// As [`finalize`](Self::finalize), but without a copy of the state, which is longer than a short message.
    #[inline]
    pub(crate) fn tag(&self) -> [u8; 16] {
        self.evaluation.finish(&self.block[..self.buffered]).wrapping_add(self.s).to_le_bytes()
    }
}

/// The tag of an AEAD's message in RFC 8439, section 2.8: of the associated data and the ciphertext, each padded with
/// zeros to a multiple of 16 bytes, and of their lengths.
///
/// This is what [`Poly1305`] computes of these pieces, but without a state in memory: on a Zen 4, 64 bytes are sealed
/// in 6 % less time. So there is nothing to erase but what the compiler spills. On an Emerald Rapids Xeon, a state in
/// memory for long messages alone took 1 to 3 % longer for 384 to 1024 bytes, and the key read anew after words of
/// lanes up to 1 % longer for 16 bytes.
#[inline]
pub(crate) fn aead_tag(key: &[u8; 32], token: AnyToken, associated_data: &[u8], ciphertext: &[u8]) -> [u8; 16] {
    let mut tag = AeadTag::new(key);
    for part in [associated_data, ciphertext] {
        let (blocks, rest) = part.as_chunks();
        tag.sum = Evaluation::absorb_once(token, &tag.r, tag.sum, blocks);
        tag.absorb_rest(rest);
    }
    tag.finish([associated_data.len(), ciphertext.len()])
}

/// The same tag piece by piece, in integers.
pub(crate) struct AeadTag {
    r: Point,
    sum: Number,
    s: u128,
}

impl AeadTag {
    #[inline(always)]
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let (halves, _) = key.as_chunks();
        Self { r: Point::new(halves[0]), sum: Number::ZERO, s: u128::from_le_bytes(halves[1]) }
    }

    #[inline(always)]
    pub(crate) fn absorb(&mut self, blocks: &[[u8; 16]]) {
        self.sum = self.sum.absorb(&self.r, blocks);
    }

    /// Absorbs bytes, and then zeros until their number is a multiple of 16.
    #[inline(always)]
    pub(crate) fn absorb_padded(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks();
        self.absorb(blocks);
        self.absorb_rest(rest);
    }

    /// The same with fewer than 16 bytes, or none.
    #[inline(always)]
    fn absorb_rest(&mut self, rest: &[u8]) {
        if !rest.is_empty() {
            self.sum = self.sum.absorb_padded(&self.r, rest);
        }
    }

    /// The tag, after the associated data and the ciphertext, by their lengths in bytes.
    #[inline(always)]
    pub(crate) fn finish(&self, [associated_data, ciphertext]: [usize; 2]) -> [u8; 16] {
        let lengths = associated_data as u128 | (ciphertext as u128) << 64;
        let tag = self.sum.absorb_block(&self.r, lengths, 1).reduce();
        tag.wrapping_add(self.s).to_le_bytes()
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        self.evaluation.erase();
        self.s = 0;
        self.block = [0; 16];
        zeroize::optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for Poly1305 {}

impl fmt::Debug for Poly1305 {
    /// Shows nothing of the key or the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poly1305").finish_non_exhaustive()
    }
}

/// The tag is not that of the message under the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongTag;

impl fmt::Display for WrongTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrong tag: the message is not what was authenticated under this key; use nothing of it")
    }
}

impl core::error::Error for WrongTag {}
