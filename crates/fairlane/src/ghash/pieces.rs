//! GHASH as GCM uses it: of a few pieces, each padded with zeros.

use super::{GHashKey, Sum};
use zeroize::Zeroize;

/// As many blocks as go in by one reduction.
const HELD: usize = 16;

/// GHASH of pieces that are each padded with zeros to whole blocks. Short ones wait until there are more, since the first
/// block of a call takes as long as the next fifteen.
pub(crate) struct Pieces<'a> {
    key: &'a GHashKey,
    sum: Sum,
    /// Of which the first `held` wait.
    blocks: [[u8; 16]; HELD],
    held: usize,
}

impl<'a> Pieces<'a> {
    #[inline(always)]
    pub(crate) fn new(key: &'a GHashKey) -> Self {
        Self { key, sum: Sum::ZERO, blocks: [[0; 16]; HELD], held: 0 }
    }

    pub(crate) fn absorb(&mut self, piece: &[u8]) {
        let mut bytes = piece;
        if bytes.len() > 16 * (HELD - self.held) {
            self.flush();
            let (blocks, rest) = bytes.as_chunks();
            self.key.absorb(&mut self.sum, blocks);
            bytes = rest;
        }
        let end = self.held + bytes.len().div_ceil(16);
        let (begun, padding) = self.blocks[self.held..end].as_flattened_mut().split_at_mut(bytes.len());
        begun.copy_from_slice(bytes);
        padding.fill(0);
        self.held = end;
    }

    fn flush(&mut self) {
        self.key.absorb(&mut self.sum, &self.blocks[..self.held]);
        self.held = 0;
    }

    pub(crate) fn finish(&mut self) -> [u8; 16] {
        self.flush();
        self.sum.to_block()
    }
}

impl Drop for Pieces<'_> {
    fn drop(&mut self) {
        self.sum.0.zeroize();
    }
}
