//! What GCM and CCM share: the keystream of a message, and the functions that are compiled for each cipher.
//!
//! This file, `blocks`, `gcm` and `ccm`, with `gmac` and `counters` between them, import each other for one reason: the
//! trait of the ciphers names the messages that it compiles functions for, and the messages are generic over the
//! ciphers.

use super::blocks::Kalyna;
use super::ccm::CcmMessage;
use super::counters;
use super::gcm::GcmMessage;
use super::{Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use crate::authenticated::keystream::MessageKeystream;
use crate::authenticated::{decrypt, encrypt};
use aead::Error;
use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser, InOutBuf};
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
    fn apply_from(&mut self, number: usize, data: InOutBuf<'_, '_, u8>) {
        counters::apply_all(self.cipher, &self.begin, Self::BLOCK / 2, number as u64, data);
    }
}

impl<C: Kalyna> Drop for Keystream<'_, C> {
    fn drop(&mut self) {
        self.begin.zeroize();
    }
}

/// GCM and CCM of one cipher. Its functions have no type parameters: they are compiled in this crate, and not in each
/// user's.
pub trait Aeads: BlockSizeUser {
    /// Encrypts a message in GCM and returns the tag before it is truncated. The lengths must have been checked.
    fn gcm_seal(message: &GcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self>
    where
        Self: Kalyna;

    /// Decrypts a message in GCM if its tag begins with `tag`. The lengths must have been checked.
    ///
    /// # Errors
    /// The tag is wrong; nothing is written then.
    fn gcm_open(message: &GcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error>
    where
        Self: Kalyna;

    /// Encrypts a message in CCM and returns the tag. The lengths must have been checked.
    fn ccm_seal(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self>
    where
        Self: Kalyna;

    /// Decrypts a message in CCM if its tag is `tag`. The lengths must have been checked.
    ///
    /// # Errors
    /// The tag is wrong; nothing is written then.
    fn ccm_open(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error>
    where
        Self: Kalyna;
}

macro_rules! aeads {
    ($($cipher:ident)*) => {$(
        impl Aeads for $cipher {
            #[inline(never)]
            fn gcm_seal(message: &GcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self> {
                encrypt(message, data)
            }
            #[inline(never)]
            fn gcm_open(message: &GcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
                decrypt(message, data, tag)
            }
            #[inline(never)]
            fn ccm_seal(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self> {
                encrypt(message, data)
            }
            #[inline(never)]
            fn ccm_open(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
                decrypt(message, data, tag)
            }
        }
    )*};
}
aeads!(Kalyna128_128 Kalyna128_256 Kalyna256_256 Kalyna256_512 Kalyna512_512);
