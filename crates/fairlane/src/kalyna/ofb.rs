//! Output feedback (DSTU 7624:2014, clause 11).

use super::blocks::Kalyna;
use crate::{Backend, Unsupported};
use cipher::typenum::Unsigned;
use cipher::{
    AlgorithmName, Block, InOutBuf, Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, StreamCipher, StreamCipherError,
};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Kalyna in OFB mode (DSTU 7624:2014, clause 11; NIST SP 800-38A, section 6.4): a stream cipher with an IV of one
/// block.
///
/// Each block of keystream is the encryption of the one before, so [`Ctr`](super::Ctr), which makes many at once, is
/// many times as fast. An IV must never be used for two messages under one key. Key and keystream are erased on drop.
///
/// ```
/// use fairlane::cipher::{KeyIvInit, StreamCipher};
/// use fairlane::kalyna::{Kalyna128_256, Ofb};
///
/// let mut data = *b"a message";
/// Ofb::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_ne!(&data, b"a message");
/// Ofb::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_eq!(&data, b"a message");
/// ```
#[derive(Clone)]
pub struct Ofb<C: Kalyna> {
    cipher: C,
    /// The keystream block of the position; the IV at the start.
    block: Block<C>,
    /// Bytes of `block` before the position; all of them at the end of a block, and at the start.
    used: usize,
}

impl<C: Kalyna> Ofb<C> {
    /// The mode on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
    pub fn with_backend(key: &Key<Self>, iv: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { cipher: C::with_backend(key, backend)?, block: iv.clone(), used: C::BlockSize::USIZE })
    }

    /// Adds the bytes of `block` that start at the position.
    fn apply_block(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        data.xor_in2out(&self.block[self.used..][..data.len()]);
        self.used += data.len();
    }
}

impl<C: Kalyna> StreamCipher for Ofb<C> {
    /// The keystream has no end.
    fn check_remaining(&self, _: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let begun = data.len().min(C::BlockSize::USIZE - self.used);
        let (begun, data) = data.split_at(begun);
        self.apply_block(begun);
        let (blocks, rest) = data.into_chunks();
        for mut block in blocks {
            self.cipher.encrypt_block(&mut self.block);
            block.xor_in2out(&self.block);
        }
        if !rest.is_empty() {
            self.cipher.encrypt_block(&mut self.block);
            self.used = 0;
            self.apply_block(rest);
        }
    }

    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        data.fill(0);
        self.unchecked_apply_keystream(data);
    }
}

impl<C: Kalyna> KeySizeUser for Ofb<C> {
    type KeySize = C::KeySize;
}

impl<C: Kalyna> IvSizeUser for Ofb<C> {
    type IvSize = C::BlockSize;
}

/// On the best backend that this machine has.
impl<C: Kalyna> KeyIvInit for Ofb<C> {
    fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
        Self { cipher: C::new(key), block: iv.clone(), used: C::BlockSize::USIZE }
    }
}

impl<C: Kalyna> AlgorithmName for Ofb<C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KalynaOfb")
    }
}

/// Shows no secret.
impl<C: Kalyna> fmt::Debug for Ofb<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KalynaOfb").finish_non_exhaustive()
    }
}

impl<C: Kalyna> Drop for Ofb<C> {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// The cipher erases itself.
impl<C: Kalyna> ZeroizeOnDrop for Ofb<C> {}
