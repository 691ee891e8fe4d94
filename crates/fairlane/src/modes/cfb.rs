//! Cipher feedback with a block a step: decryption, which processes many blocks at once.

use super::cbc::Ciphertext;
use super::{Mode, ModeCipher};
use cipher::array::ArraySize;
use cipher::{Block, InOutBuf};
use fairlane_lanes::BlocksN;

/// Decrypts blocks; `previous` is the ciphertext block before them, and then the last one.
#[inline(always)]
pub(crate) fn decrypt<C: ModeCipher>(cipher: &C, previous: &mut Block<C>, blocks: InOutBuf<'_, '_, Block<C>>) {
    cipher.process::<false>(&mut Decryption(Ciphertext::new(previous, blocks)));
}

/// The cipher encrypts the ciphertext one block before, and the ciphertext is added.
struct Decryption<'a, S: ArraySize>(Ciphertext<'a, S>);

impl<S: ArraySize> Mode for Decryption<'_, S> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.0.remaining()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        if from == 0 {
            self.0.begin::<W, N>(token, len);
        }
        self.0.load_preceding(token, from, len)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let ciphertext: W = self.0.load(token, from, len);
        self.0.store(from, len, output.xor(ciphertext));
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.0.advance(len);
    }
}
