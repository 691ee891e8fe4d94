//! Ciphertext and the ciphertext one block before: what CBC and CFB decrypt with, many blocks at once.

use super::kernels::{Mode, bytes};
use cipher::array::ArraySize;
use cipher::{Array, InOutBuf};
use fairlane_lanes::BlocksN;

/// Whole blocks. CBC decrypts the ciphertext and adds what is before it; CFB encrypts what is before it and adds the
/// ciphertext.
pub(super) struct Decryption<'a, S: ArraySize, const CFB: bool> {
    /// The ciphertext block before the next.
    before: &'a mut Array<u8, S>,
    blocks: InOutBuf<'a, 'a, Array<u8, S>>,
    /// What is before the blocks of a batch's first word, or before its first block if that is longer. CBC adds it when
    /// the word itself is overwritten.
    first: [u8; 64],
}

impl<'a, S: ArraySize, const CFB: bool> Decryption<'a, S, CFB> {
    /// After the ciphertext block `before`, which goes along.
    #[inline]
    pub(super) fn new(before: &'a mut Array<u8, S>, blocks: InOutBuf<'a, 'a, Array<u8, S>>) -> Self {
        Self { before, blocks, first: [0; 64] }
    }

    /// The ciphertext one block before.
    #[inline(always)]
    fn shifted<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize, len: usize) -> W {
        let range = bytes::<N>(from, len);
        W::load(
            token,
            if range.start < N || range.start < S::USIZE {
                &self.first[range]
            } else {
                &Array::slice_as_flattened(self.blocks.get_in())[range.start - S::USIZE..range.end - S::USIZE]
            },
        )
    }
}

impl<S: ArraySize, const CFB: bool> Mode for Decryption<'_, S, CFB> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.blocks.len() * S::USIZE
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        let ciphertext = Array::slice_as_flattened(self.blocks.get_in());
        if from == 0 {
            let (parts, _) = ciphertext.as_chunks::<16>();
            let ((first, _), (before, _)) = (self.first.as_chunks_mut::<16>(), self.before.as_chunks_mut::<16>());
            for i in 0..S::USIZE / 16 {
                first[i] = before[i];
                before[i] = parts[(len - S::USIZE) / 16 + i];
            }
            for i in S::USIZE / 16..N.min(len) / 16 {
                first[i] = parts[i - S::USIZE / 16];
            }
        }
        if CFB { self.shifted(token, from, len) } else { W::load(token, &ciphertext[bytes::<N>(from, len)]) }
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let range = bytes::<N>(from, len);
        // Not overwritten yet: the batch is stored from its end.
        let other = if CFB {
            W::load(token, &Array::slice_as_flattened(self.blocks.get_in())[range.clone()])
        } else {
            self.shifted(token, from, len)
        };
        output.xor(other).store(&mut Array::slice_as_flattened_mut(self.blocks.get_out())[range]);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        let rest = core::mem::replace(&mut self.blocks, (&mut [][..]).into());
        self.blocks = rest.split_at(len / S::USIZE).1;
    }
}
