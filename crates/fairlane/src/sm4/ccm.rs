//! Counter with CBC-MAC (NIST SP 800-38C) of SM4.
//!
//! Written here, and not taken from the crate `ccm`, for what happens to bad input: that one writes what it has decrypted
//! before it looks at the tag, and leaves it there if the message was too long.

use super::ctr;
use super::kernels::{BACKENDS, Cipher};
use crate::keystream::message::{Blocks, Keystream};
use crate::{Backend, Unsupported, ct};
use aead::array::ArraySize;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::{Array, BlockCipherEncBackend, InOut};
use core::fmt;
use core::marker::PhantomData;
use fairlane_lanes::AnyToken;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// `AEAD_SM4_CCM` (RFC 8998): key of 16 bytes, nonce of 12, tag of 16.
///
/// **A nonce must never be used twice under one key**: two messages under the same one show their difference. Nonces are to
/// be counted; they are too short to be drawn at random for many messages.
///
/// ```
/// use fairlane::aead::{Aead, KeyInit};
/// use fairlane::sm4::Sm4Ccm;
///
/// let cipher = Sm4Ccm::new(&[7; 16].into());
/// let sealed = cipher.encrypt(&[1; 12].into(), &b"a message"[..])?;
/// assert_eq!(cipher.decrypt(&[1; 12].into(), &sealed[..])?, b"a message");
/// # Ok::<(), fairlane::aead::Error>(())
/// ```
pub type Sm4Ccm = Ccm<U12, U16>;

/// SM4 in Counter with CBC-MAC mode (NIST SP 800-38C), with nonces of 7 to 13 bytes and tags of 4, 6, 8, 10, 12, 14 or 16:
/// other sizes do not compile. [`Sm4Ccm`] is the usual one.
///
/// The longer the nonce, the shorter a message may be: with 12 bytes it is below 2<sup>24</sup> bytes, with 13 below
/// 2<sup>16</sup>, with `n` below 2<sup>8 (15 - n)</sup>; more is an [`Error`]. With a wrong tag `decrypt` and its kin are
/// one too; what they were given to write to is as it was. Tags below 8 bytes are guessed too soon for most uses.
///
/// Each block of a message waits for the one before: [`Sm4Gcm`](super::Sm4Gcm) is many times faster.
///
/// Constant time: running time depends on lengths only. The key is erased on drop.
#[derive(Clone)]
pub struct Ccm<NonceSize, TagSize> {
    cipher: Cipher,
    sizes: PhantomData<(NonceSize, TagSize)>,
}

impl<NonceSize: ArraySize, TagSize: ArraySize> Ccm<NonceSize, TagSize> {
    /// Bytes of a message's length, and of a counter: q of appendix A.1.
    const Q: usize = {
        assert!(NonceSize::USIZE >= 7 && NonceSize::USIZE <= 13, "CCM's nonces have 7 to 13 bytes");
        15 - NonceSize::USIZE
    };

    /// The tag's length as the first block has it, appendix A.2.1.
    const TAG_FLAGS: u8 = {
        assert!(TagSize::USIZE >= 4 && TagSize::USIZE <= 16, "CCM's tags have 4 to 16 bytes");
        assert!(TagSize::USIZE % 2 == 0, "CCM's tags have an even number of bytes");
        (TagSize::USIZE as u8 - 2) / 2 * 8
    };

    /// The cipher on one backend, of those that SM4 has.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or SM4 has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(token, key))
    }

    fn with_token(token: AnyToken, key: &Key<Self>) -> Self {
        Self { cipher: Cipher::new(token, key.as_ref()), sizes: PhantomData }
    }

    /// Whether a message's length can be written in q bytes.
    const fn fits(len: usize) -> bool {
        Self::Q >= size_of::<usize>() || len >> (8 * Self::Q) == 0
    }

    /// Flags, the nonce, and a number: the first block that is authenticated (appendix A.2.1), or a counter (A.3).
    fn block(flags: u8, nonce: &Nonce<Self>, number: u64) -> u128 {
        let begin =
            nonce.iter().fold(u128::from(flags) | (Self::Q as u128 - 1), |begin, byte| begin << 8 | u128::from(*byte));
        begin << (8 * Self::Q) | u128::from(number)
    }

    /// What counts for the keystream of a message of `len` bytes, and the authenticator, which has taken the associated data.
    ///
    /// # Errors
    /// The length does not fit beside the nonce.
    #[inline]
    fn prepare(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        len: usize,
    ) -> Result<(Counters<'_>, CbcMac<'_>), Error> {
        if !Self::fits(len) {
            return Err(Error);
        }
        let with_data = u8::from(!associated_data.is_empty()) << 6;
        let mut mac = CbcMac { cipher: &self.cipher, state: [0; 16], held: 0 };
        mac.update(&Self::block(with_data | Self::TAG_FLAGS, nonce, len as u64).to_be_bytes());
        if !associated_data.is_empty() {
            // Appendix A.2.2.
            let a = associated_data.len() as u64;
            match (u16::try_from(a), u32::try_from(a)) {
                (Ok(a @ ..0xff00), _) => mac.update(&a.to_be_bytes()),
                (_, Ok(a)) => {
                    mac.update(&[0xff, 0xfe]);
                    mac.update(&a.to_be_bytes());
                }
                _ => {
                    mac.update(&[0xff, 0xff]);
                    mac.update(&a.to_be_bytes());
                }
            }
            mac.update(associated_data);
            mac.pad();
        }
        let counters = Counters { cipher: &self.cipher, first: Self::block(0, nonce, 0) };
        Ok((counters, mac))
    }
}

impl<NonceSize: ArraySize, TagSize: ArraySize> AeadInOut for Ccm<NonceSize, TagSize> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let (counters, mut mac) = self.prepare(nonce, associated_data, data.len())?;
        let mut keystream = Keystream::new(counters);
        keystream.begin(data.len());
        mac.update(data.get_in());
        let full = mac.finish(keystream.block_0());
        keystream.apply(data, |_| ());
        let mut tag = Tag::<Self>::default();
        tag.copy_from_slice(&full[..TagSize::USIZE]);
        Ok(tag)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let (counters, mut mac) = self.prepare(nonce, associated_data, data.len())?;
        let mut keystream = Keystream::new(counters);
        keystream.begin(data.len());
        // Decrypted twice, which takes a fortieth of the time: once to see the tag, and if that is right to write.
        keystream.peek(data.get_in(), |plaintext| mac.update(plaintext));
        let full = mac.finish(keystream.block_0());
        if !ct::equal(&full[..TagSize::USIZE], tag) {
            return Err(Error);
        }
        keystream.apply(data, |_| ());
        Ok(())
    }
}

impl<NonceSize: ArraySize, TagSize: ArraySize> AeadCore for Ccm<NonceSize, TagSize> {
    type NonceSize = NonceSize;
    type TagSize = TagSize;

    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<NonceSize, TagSize> KeySizeUser for Ccm<NonceSize, TagSize> {
    type KeySize = U16;
}

/// On the best backend that this machine has.
impl<NonceSize: ArraySize, TagSize: ArraySize> KeyInit for Ccm<NonceSize, TagSize> {
    fn new(key: &Key<Self>) -> Self {
        Self::with_token(AnyToken::best(BACKENDS), key)
    }
}

/// Shows no secret.
impl<NonceSize, TagSize> fmt::Debug for Ccm<NonceSize, TagSize> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4Ccm").finish_non_exhaustive()
    }
}

/// The key erases itself.
impl<NonceSize, TagSize> ZeroizeOnDrop for Ccm<NonceSize, TagSize> {}

/// The keystream: the encryption of numbered blocks. The number does not reach the nonce, by [`Ccm::fits`].
struct Counters<'a> {
    cipher: &'a Cipher,
    first: u128,
}

impl Blocks for Counters<'_> {
    type Block = [u8; 16];
    const EMPTY: [u8; 16] = [0; 16];

    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        ctr::apply(self.cipher, (self.first | u128::from(number)).to_be_bytes(), data, last);
    }
}

/// The authenticator: each block is added to the state, and that encrypted.
struct CbcMac<'a> {
    cipher: &'a Cipher,
    state: [u8; 16],
    /// Bytes of the last block, if it is not whole.
    held: usize,
}

impl CbcMac<'_> {
    fn update(&mut self, bytes: &[u8]) {
        let mut bytes = bytes;
        if self.held > 0 {
            let (now, rest) = bytes.split_at(bytes.len().min(16 - self.held));
            self.add(now);
            if self.held < 16 {
                return;
            }
            self.pad();
            bytes = rest;
        }
        let (blocks, rest) = bytes.as_chunks();
        for block in blocks {
            self.state = (u128::from_ne_bytes(self.state) ^ u128::from_ne_bytes(*block)).to_ne_bytes();
            self.encrypt();
        }
        self.add(rest);
    }

    /// Adds a part of a block.
    fn add(&mut self, bytes: &[u8]) {
        self.state[self.held..].iter_mut().zip(bytes).for_each(|(state, byte)| *state ^= byte);
        self.held += bytes.len();
    }

    /// Ends the last block with zeros.
    fn pad(&mut self) {
        if self.held > 0 {
            self.encrypt();
            self.held = 0;
        }
    }

    #[inline]
    fn encrypt(&mut self) {
        self.cipher.encrypt_block(InOut::from(Array::cast_from_core_mut(&mut self.state)));
    }

    /// All 16 bytes of the tag: the state, with the keystream's block 0.
    fn finish(mut self, mask: &[u8; 16]) -> [u8; 16] {
        self.pad();
        (u128::from_ne_bytes(self.state) ^ u128::from_ne_bytes(*mask)).to_ne_bytes()
    }
}

impl Drop for CbcMac<'_> {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aead::consts::{U7, U13};

    #[test]
    fn lengths_have_limits() {
        assert!(Sm4Ccm::fits((1 << 24) - 1) && !Sm4Ccm::fits(1 << 24) && !Sm4Ccm::fits(usize::MAX));
        assert!(Ccm::<U13, U16>::fits((1 << 16) - 1) && !Ccm::<U13, U16>::fits(1 << 16));
        assert!(Ccm::<U7, U16>::fits(usize::MAX));
    }
}
