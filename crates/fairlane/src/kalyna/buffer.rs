//! Messages that come in pieces, and the padding of annex Б.2 of DSTU 7624:2014.

use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser};
use zeroize::Zeroize;

/// A buffer for a message that comes in pieces: it holds back the last block, whole or not, until more data follows.
#[derive(Clone)]
pub(super) struct LazyBuffer<C: BlockSizeUser> {
    block: Block<C>,
    /// Bytes of `block` that are data.
    len: usize,
}

impl<C: BlockSizeUser> LazyBuffer<C> {
    pub(super) fn new() -> Self {
        Self { block: Block::<C>::default(), len: 0 }
    }

    /// Passes whole blocks to `absorb`, except the last one so far.
    #[inline]
    pub(super) fn update(&mut self, bytes: &[u8], mut absorb: impl FnMut(&[u8])) {
        let (size, mut rest) = (C::BlockSize::USIZE, bytes);
        if rest.len() > size - self.len {
            if self.len > 0 {
                let (end, next) = rest.split_at(size - self.len);
                self.block[self.len..].copy_from_slice(end);
                absorb(&self.block);
                (self.len, rest) = (0, next);
            }
            let (blocks, next) = rest.split_at((rest.len() - 1) / size * size);
            absorb(blocks);
            rest = next;
        }
        self.block[self.len..][..rest.len()].copy_from_slice(rest);
        self.len += rest.len();
    }

    /// The last block, padded if it is not whole.
    pub(super) fn pad(&mut self) -> &Block<C> {
        if self.len < C::BlockSize::USIZE {
            pad(&mut self.block, self.len);
        }
        &self.block
    }

    /// Whether there was no byte at all.
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<C: BlockSizeUser> Drop for LazyBuffer<C> {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// Pads a block of `len` bytes as annex Б.2 does: with a byte 0x80, and zeros.
pub(super) fn pad(block: &mut [u8], len: usize) {
    block[len] = 0x80;
    block[len + 1..].fill(0);
}

/// Adds bytes to others, as many as the shorter of the two has.
pub(super) fn xor(to: &mut [u8], bytes: &[u8]) {
    to.iter_mut().zip(bytes).for_each(|(to, byte)| *to ^= byte);
}
