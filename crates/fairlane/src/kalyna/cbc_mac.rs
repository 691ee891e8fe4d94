//! CBC-MAC, for CMAC and CCM, and messages that come in pieces.

use super::blocks::Kalyna;
use cipher::Block;
use cipher::typenum::Unsigned;
use zeroize::Zeroize;

/// A message in pieces: its last block is held back, whole or not.
#[derive(Clone)]
pub(super) struct Pieces<C: Kalyna> {
    block: Block<C>,
    held: usize,
}

impl<C: Kalyna> Pieces<C> {
    pub(super) fn new() -> Self {
        Self { block: Block::<C>::default(), held: 0 }
    }

    /// Shows whole blocks to `absorb`, but for the last one so far.
    #[inline]
    pub(super) fn update(&mut self, piece: &[u8], mut absorb: impl FnMut(&[u8])) {
        let (size, mut rest) = (C::BlockSize::USIZE, piece);
        if rest.len() > size - self.held {
            if self.held > 0 {
                let (now, next) = rest.split_at(size - self.held);
                self.block[self.held..].copy_from_slice(now);
                absorb(&self.block);
                (self.held, rest) = (0, next);
            }
            let (blocks, next) = rest.split_at((rest.len() - 1) / size * size);
            absorb(blocks);
            rest = next;
        }
        self.block[self.held..][..rest.len()].copy_from_slice(rest);
        self.held += rest.len();
    }

    /// The last block, padded as annex Б.2 has it if it is not whole; whether it is.
    pub(super) fn last(&mut self) -> (&Block<C>, bool) {
        let whole = self.held == C::BlockSize::USIZE;
        if !whole {
            pad(&mut self.block, self.held);
        }
        (&self.block, whole)
    }

    /// Whether there was no byte at all.
    pub(super) fn is_empty(&self) -> bool {
        self.held == 0
    }
}

impl<C: Kalyna> Drop for Pieces<C> {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// The padding of annex Б.2, after the first `len` bytes of a block: a byte 0x80, and zeros.
pub(super) fn pad(block: &mut [u8], len: usize) {
    block[len] = 0x80;
    block[len + 1..].fill(0);
}

/// The authenticator: each block is added to the state, and that encrypted.
#[derive(Clone)]
pub(super) struct CbcMac<C: Kalyna> {
    state: Block<C>,
    pieces: Pieces<C>,
}

impl<C: Kalyna> CbcMac<C> {
    pub(super) fn new() -> Self {
        Self { state: Block::<C>::default(), pieces: Pieces::new() }
    }

    #[inline]
    pub(super) fn update(&mut self, cipher: &C, piece: &[u8]) {
        let Self { state, pieces } = self;
        pieces.update(piece, |blocks| chain(cipher, state, blocks));
    }

    /// The encryption of the last block, with a mask that depends on whether that is whole.
    #[inline]
    pub(super) fn finish(&mut self, cipher: &C, mask: impl FnOnce(bool) -> Block<C>) -> Block<C> {
        let (last, whole) = self.pieces.last();
        let mut masked = mask(whole);
        xor(&mut masked, last);
        chain(cipher, &mut self.state, &masked);
        masked.zeroize();
        self.state.clone()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

impl<C: Kalyna> Drop for CbcMac<C> {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// Adds bytes to others.
pub(super) fn xor(to: &mut [u8], bytes: &[u8]) {
    to.iter_mut().zip(bytes).for_each(|(to, byte)| *to ^= byte);
}

/// One block after the other: each waits for the one before.
fn chain<C: Kalyna>(cipher: &C, state: &mut Block<C>, blocks: &[u8]) {
    for block in blocks.chunks_exact(C::BlockSize::USIZE) {
        xor(state, block);
        cipher.encrypt_block(state);
    }
}
