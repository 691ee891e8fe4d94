//! Block 0 of an AEAD's keystream beside the first blocks for data.

use super::Blocks;
use crate::authenticated::keystream::{BATCH, CacheLines, MessageKeystream, apply_kept, xor_last};
use cipher::inout::InOutBuf;
use fairlane_lanes::AnyToken;

/// Blocks of keystream that can make block 0 beside others, which is hidden there.
pub(crate) trait FirstBlock: Blocks<Block = [u8; 64]> {
    /// Whether they can on this backend.
    fn has_first_block(token: AnyToken) -> bool;

    /// As [`Blocks::apply`] from block 1 on, for up to 16 blocks, and stores block 0 in `first`.
    ///
    /// # Panics
    /// If they cannot on this backend.
    fn apply_after_first(&self, first: &mut [u8; 64], data: InOutBuf<'_, '_, u8>, last: &mut [u8; 64]);
}

/// A keystream whose block 0 the authenticator needs: it is made beside the first blocks for data. Those are added to
/// the data at once for encryption; for decryption, which comes after the check of the tag, up to `AHEAD` bytes are
/// kept.
pub(crate) struct BufferedKeystream<B: FirstBlock, const AHEAD: usize> {
    blocks: B,
    first: [u8; 64],
    ahead: CacheLines<AHEAD>,
    /// Bytes of data that `ahead` is for.
    kept: usize,
    /// The block in which the message ends.
    last: [u8; 64],
}

impl<B: FirstBlock, const AHEAD: usize> BufferedKeystream<B, AHEAD> {
    const BATCH: usize = BATCH * Self::BLOCK;

    /// The keystream before [`begin`](MessageKeystream::begin).
    #[inline(always)]
    pub(crate) fn new(blocks: B) -> Self {
        const { assert!(AHEAD <= Self::BATCH) };
        Self { blocks, first: [0; 64], ahead: CacheLines([0; AHEAD]), kept: 0, last: [0; 64] }
    }

    /// Calls `make` with the places for block 0 and for the block in which the message ends, which are erased.
    #[inline(always)]
    pub(crate) fn by<R>(&mut self, make: impl FnOnce(&B, [&mut [u8; 64]; 2]) -> R) -> R {
        make(&self.blocks, [&mut self.first, &mut self.last])
    }

    /// The first bytes of block 0.
    #[inline(always)]
    pub(crate) fn block_0<const N: usize>(&self) -> &[u8; N] {
        self.first.first_chunk().expect("shorter than a block")
    }
}

impl<B: FirstBlock, const AHEAD: usize> MessageKeystream for BufferedKeystream<B, AHEAD> {
    const BLOCK: usize = 64;

    #[inline(always)]
    fn begin(&mut self, len: usize) {
        self.kept = len.min(AHEAD).next_multiple_of(Self::BLOCK);
        self.blocks.apply_after_first(&mut self.first, self.ahead.0[..self.kept].as_mut().into(), &mut self.last);
    }

    #[inline(always)]
    fn begin_applying(&mut self, data: InOutBuf<'_, '_, u8>) -> usize {
        let begun = data.len().min(Self::BATCH);
        let (mut begin, _) = data.split_at(begun);
        self.blocks.apply_after_first(&mut self.first, begin.reborrow(), &mut self.last);
        xor_last(begin, &self.last);
        begun
    }

    /// Whole batches, and before the first one what `ahead` is for.
    #[inline(always)]
    fn piece(&self, number: usize, most: usize) -> usize {
        let batches = most / Self::BATCH * Self::BATCH;
        if number == 1 { self.kept + batches } else { batches }
    }

    fn apply_from(&mut self, number: usize, data: InOutBuf<'_, '_, u8>) {
        apply_kept(&self.blocks, &self.ahead.0[..self.kept], number, data, &mut self.last);
    }
}

impl<B: FirstBlock, const AHEAD: usize> Drop for BufferedKeystream<B, AHEAD> {
    /// Erases what was written.
    #[inline(always)]
    fn drop(&mut self) {
        (self.first, self.last) = ([0; 64], [0; 64]);
        zeroize::optimization_barrier(&self.first);
        zeroize::optimization_barrier(&self.last);
        if self.kept > 0 {
            self.ahead.0 = [0; AHEAD];
            zeroize::optimization_barrier(&self.ahead.0);
        }
    }
}
