//! Electronic codebook: each block for itself.
//!
//! It is what `encrypt_blocks` of a block cipher computes; as a mode of its own it is in the ciphers' modules `hazmat`.

use super::{Mode, word_range};
use crate::in_out::take;
use cipher::array::ArraySize;
use cipher::{Array, InOutBuf};
use fairlane_lanes::BlocksN;

/// Blocks of `S` bytes, in place or from one buffer to another.
pub(crate) struct Ecb<'a, S: ArraySize>(pub(crate) InOutBuf<'a, 'a, Array<u8, S>>);

impl<S: ArraySize> Mode for Ecb<'_, S> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.0.len() * S::USIZE
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        W::load(token, &Array::slice_as_flattened(self.0.get_in())[word_range::<N>(from, len)])
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, len: usize, output: W) {
        output.store(&mut Array::slice_as_flattened_mut(self.0.get_out())[word_range::<N>(from, len)]);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        take(&mut self.0, len / S::USIZE);
    }
}
