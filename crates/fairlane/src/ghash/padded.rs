//! GHASH as GCM uses it: of several strings, each padded with zeros to whole blocks.

use super::{GHashKey, Sum};
use zeroize::Zeroize;

/// How many blocks share one reduction.
const BUFFERED: usize = 16;

/// GHASH of strings that are each padded with zeros to whole blocks. Short ones are buffered until there are more,
/// since the first block of a call takes as long as the next fifteen.
pub(crate) struct PaddedGHash<'a> {
    key: &'a GHashKey,
    sum: Sum,
    /// The first `buffered` of these have not been absorbed.
    blocks: [[u8; 16]; BUFFERED],
    buffered: usize,
}

impl<'a> PaddedGHash<'a> {
    #[inline(always)]
    pub(crate) fn new(key: &'a GHashKey) -> Self {
        Self { key, sum: Sum::ZERO, blocks: [[0; 16]; BUFFERED], buffered: 0 }
    }

    /// Absorbs a string, and zeros up to a multiple of 16 bytes.
    pub(crate) fn update(&mut self, string: &[u8]) {
        let mut bytes = string;
        if bytes.len() > 16 * (BUFFERED - self.buffered) {
            self.flush();
            let (blocks, rest) = bytes.as_chunks();
            self.key.absorb(&mut self.sum, blocks);
            bytes = rest;
        }
        let end = self.buffered + bytes.len().div_ceil(16);
        let (copy, padding) = self.blocks[self.buffered..end].as_flattened_mut().split_at_mut(bytes.len());
        copy.copy_from_slice(bytes);
        padding.fill(0);
        self.buffered = end;
    }

    fn flush(&mut self) {
        self.key.absorb(&mut self.sum, &self.blocks[..self.buffered]);
        self.buffered = 0;
    }

    /// The hash of everything so far.
    pub(crate) fn finish(&mut self) -> [u8; 16] {
        self.flush();
        self.sum.to_block()
    }
}

impl Drop for PaddedGHash<'_> {
    fn drop(&mut self) {
        self.sum.0.zeroize();
    }
}
