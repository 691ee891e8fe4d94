//! The block cipher's type.

use super::kernels::{BACKENDS, Cipher};
use crate::modes::block_cipher::block_cipher;
use crate::modes::ecb::Ecb;
use crate::modes::{Mode, ModeCipher};
use cipher::array::ArraySize;
use cipher::consts::{U16, U64};
use cipher::{Block, InOutBuf};

/// SM4 (GB/T 32907-2016, RFC 8998): a block cipher with blocks of 16 bytes and a key of 16.
///
/// Encrypting and decrypting many blocks in one call is many times as fast as one by one, and the mode crates make use
/// of that. The round keys are erased on drop.
#[derive(Clone)]
pub struct Sm4(pub(super) Cipher);

block_cipher!(Sm4(Cipher): key U16, block U16, parallel U64, BACKENDS, |token, key| Cipher::new(token, key.as_ref()));

impl Cipher {
    /// Encrypts or decrypts each block.
    #[inline(always)]
    fn ecb<S: ArraySize, const DECRYPT: bool>(&self, blocks: &mut Ecb<'_, S>) {
        self.run::<DECRYPT>(blocks);
    }
}

impl ModeCipher for Cipher {
    #[inline(always)]
    fn process<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        self.run::<DECRYPT>(mode);
    }

    #[inline(always)]
    fn process_block<const DECRYPT: bool>(&self, block: &mut Block<Self>) {
        self.run::<DECRYPT>(&mut Ecb(InOutBuf::from_mut(block)));
    }
}
