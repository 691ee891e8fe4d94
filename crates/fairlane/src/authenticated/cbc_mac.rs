//! CBC-MAC (NIST SP 800-38C, section 6.1, step 3; DSTU 7624:2014, clauses 9 and 13), for CCM and CMAC.

use super::Authenticator;
use cipher::array::ArraySize;
use cipher::{Array, BlockCipherEncrypt};
use zeroize::Zeroize;

/// CBC-MAC of a message that comes in pieces: each block is added to the state, which is then encrypted.
///
/// The last block is added but not encrypted before more data follows, since the modes end in different ways.
#[derive(Clone)]
pub(crate) struct CbcMac<BlockSize: ArraySize> {
    state: Array<u8, BlockSize>,
    /// Bytes that were added since the last encryption.
    added: usize,
}

impl<BlockSize: ArraySize> CbcMac<BlockSize> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { state: Array::default(), added: 0 }
    }

    /// Authenticates the next bytes.
    #[inline]
    pub(crate) fn update(&mut self, cipher: &impl BlockCipherEncrypt<BlockSize = BlockSize>, bytes: &[u8]) {
        let mut rest = bytes;
        if rest.len() > BlockSize::USIZE - self.added {
            if self.added > 0 {
                let (end, next) = rest.split_at(BlockSize::USIZE - self.added);
                self.add(end);
                self.encrypt(cipher);
                rest = next;
            }
            let (blocks, next) = rest.split_at((rest.len() - 1) / BlockSize::USIZE * BlockSize::USIZE);
            for block in Array::slice_as_chunks(blocks).0 {
                xor(&mut self.state, block);
                self.encrypt(cipher);
            }
            rest = next;
        }
        self.add(rest);
    }

    /// Fills the last block with zeros, if there is one, and encrypts.
    #[inline]
    pub(crate) fn pad_with_zeros(&mut self, cipher: &impl BlockCipherEncrypt<BlockSize = BlockSize>) {
        if self.added > 0 {
            self.encrypt(cipher);
        }
    }

    /// Pads the last block as annex Б.2 of DSTU 7624 does if it is not whole, adds a mask that may depend on whether it
    /// is, and encrypts.
    #[inline]
    pub(crate) fn pad_and_mask<C>(&mut self, cipher: &C, mask: impl FnOnce(bool) -> Option<Array<u8, BlockSize>>)
    where
        C: BlockCipherEncrypt<BlockSize = BlockSize>,
    {
        let whole = self.added == BlockSize::USIZE;
        if !whole {
            self.state[self.added] ^= 0x80;
        }
        if let Some(mut mask) = mask(whole) {
            xor(&mut self.state, &mask);
            mask.zeroize();
        }
        self.encrypt(cipher);
    }

    /// The state: after the last encryption, the tag.
    #[inline(always)]
    pub(crate) fn state(&self) -> &Array<u8, BlockSize> {
        &self.state
    }

    /// Whether there was no byte since the last encryption, and so no byte at all if the message has not ended.
    pub(crate) fn is_empty(&self) -> bool {
        self.added == 0
    }

    #[inline(always)]
    fn add(&mut self, bytes: &[u8]) {
        self.state[self.added..].iter_mut().zip(bytes).for_each(|(state, byte)| *state ^= byte);
        self.added += bytes.len();
    }

    #[inline(always)]
    fn encrypt(&mut self, cipher: &impl BlockCipherEncrypt<BlockSize = BlockSize>) {
        cipher.encrypt_block(&mut self.state);
        self.added = 0;
    }
}

impl<BlockSize: ArraySize> Drop for CbcMac<BlockSize> {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// CBC-MAC with its cipher: the authenticator of CCM.
pub(crate) struct KeyedCbcMac<'a, C: BlockCipherEncrypt> {
    pub(crate) cipher: &'a C,
    pub(crate) mac: CbcMac<C::BlockSize>,
}

impl<'a, C: BlockCipherEncrypt> KeyedCbcMac<'a, C> {
    #[inline(always)]
    pub(crate) fn new(cipher: &'a C) -> Self {
        Self { cipher, mac: CbcMac::new() }
    }
}

impl<C: BlockCipherEncrypt> Authenticator for KeyedCbcMac<'_, C> {
    fn update(&mut self, bytes: &[u8]) {
        self.mac.update(self.cipher, bytes);
    }
}

#[inline(always)]
fn xor<BlockSize: ArraySize>(to: &mut Array<u8, BlockSize>, block: &Array<u8, BlockSize>) {
    for i in 0..BlockSize::USIZE {
        to[i] ^= block[i];
    }
}
