//! Whole blocks in place, for the proofs alone.

use super::{Mode, word_range};
use fairlane_lanes::BlocksN;

/// The blocks that are left.
pub(crate) struct Blocks<'a>(pub(crate) &'a mut [u8]);

impl Mode for Blocks<'_> {
    fn remaining(&self) -> usize {
        self.0.len()
    }
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        W::load(token, &self.0[word_range::<N>(from, len)])
    }
    fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, len: usize, output: W) {
        output.store(&mut self.0[word_range::<N>(from, len)]);
    }
    fn advance(&mut self, len: usize) {
        self.0 = &mut core::mem::take(&mut self.0)[len..];
    }
}
