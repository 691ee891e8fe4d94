//! The keystream of GCM and CCM.

use super::blocks::Kalyna;
use crate::authenticated::keystream::MessageKeystream;
use cipher::typenum::Unsigned;
use cipher::{Block, InOutBuf};
use zeroize::Zeroize;

/// The keystream of a message (clauses 12 and 13): block i is the encryption of the encrypted nonce plus i, a number in
/// the first half of the block.
pub(crate) struct Keystream<'a, C: Kalyna> {
    cipher: &'a C,
    /// The encrypted nonce.
    begin: Block<C>,
}

impl<'a, C: Kalyna> Keystream<'a, C> {
    #[inline(always)]
    pub(super) fn new(cipher: &'a C, nonce: &Block<C>) -> Self {
        let mut begin = nonce.clone();
        cipher.encrypt_block(&mut begin);
        Self { cipher, begin }
    }
}

impl<C: Kalyna> MessageKeystream for Keystream<'_, C> {
    const BLOCK: usize = C::BlockSize::USIZE;

    #[inline(always)]
    fn piece(&self, _: usize, most: usize) -> usize {
        most / Self::BLOCK * Self::BLOCK
    }

    #[inline]
    fn apply_from(&mut self, number: usize, mut data: InOutBuf<'_, '_, u8>) {
        let mut last = Block::<C>::default();
        self.cipher.ctr(&self.begin, Self::BLOCK / 2, number as u64, data.reborrow(), &mut last);
        let rest = data.len() % Self::BLOCK;
        if rest > 0 {
            let whole = data.len() - rest;
            data.split_at(whole).1.xor_in2out(&last[..rest]);
        }
        last.zeroize();
    }
}

impl<C: Kalyna> Drop for Keystream<'_, C> {
    fn drop(&mut self) {
        self.begin.zeroize();
    }
}
