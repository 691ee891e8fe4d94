//! Counter with CBC-MAC (NIST SP 800-38C) of SM4.
//!
//! The crate `ccm` is not used because of how it treats bad input: it writes the decrypted data before it checks the
//! tag, and leaves it there if the message was too long.

use super::kernels::{BACKENDS, Cipher};
use super::{Sm4, ctr};
use crate::authenticated::cbc_mac::KeyedCbcMac;
use crate::authenticated::keystream::{KeystreamBlocks, PrefetchedKeystream};
use crate::authenticated::{Authenticator, Covers, Message, compiled_here, impl_aead};
use aead::array::ArraySize;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{Error, Key, Nonce};
use core::marker::PhantomData;
use fairlane_lanes::AnyToken;

/// `AEAD_SM4_CCM` (RFC 8998): key of 16 bytes, nonce of 12, tag of 16.
///
/// **A nonce must never be used twice under one key**: two messages under the same one reveal their difference. Nonces
/// should be counted; they are too short to be random for many messages.
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

/// SM4 in Counter with CBC-MAC mode (NIST SP 800-38C), with nonces of 7 to 13 bytes and tags of 4, 6, 8, 10, 12, 14 or
/// 16: other sizes do not compile. [`Sm4Ccm`] is the usual one.
///
/// The longer the nonce, the shorter a message may be: with 12 bytes it is below 2<sup>24</sup> bytes, with 13 below
/// 2<sup>16</sup>, with `n` below 2<sup>8 (15 - n)</sup>; a longer one is an [`Error`]. So is a wrong tag; the output
/// buffer is then unchanged. Tags below 8 bytes are too easily guessed for most uses.
///
/// Each block of a message depends on the one before: [`Sm4Gcm`](super::Sm4Gcm) is many times faster.
///
/// Constant time: running time depends on lengths only. The key is erased on drop.
#[derive(Clone)]
pub struct Ccm<NonceSize, TagSize> {
    cipher: Sm4,
    sizes: PhantomData<(NonceSize, TagSize)>,
}

impl<NonceSize: ArraySize, TagSize: ArraySize> Ccm<NonceSize, TagSize> {
    fn with_token(token: AnyToken, key: &Key<Self>) -> Self {
        const {
            assert!(NonceSize::USIZE >= 7 && NonceSize::USIZE <= 13, "CCM's nonces have 7 to 13 bytes");
            assert!(TagSize::USIZE >= 4 && TagSize::USIZE <= 16, "CCM's tags have 4 to 16 bytes");
            assert!(TagSize::USIZE % 2 == 0, "CCM's tags have an even number of bytes");
        }
        Self { cipher: Sm4(Cipher::new(token, key.as_ref())), sizes: PhantomData }
    }

    fn message<'a>(&'a self, nonce: &'a Nonce<Self>, associated_data: &'a [u8]) -> CcmMessage<'a> {
        CcmMessage { cipher: &self.cipher, nonce, associated_data, tag_len: TagSize::USIZE }
    }
}

impl_aead! {
    [NonceSize: ArraySize, TagSize: ArraySize] Ccm<NonceSize, TagSize>,
    name: "Sm4Ccm",
    key: U16, nonce: NonceSize, tag: TagSize,
    new: |key| Self::with_token(AnyToken::best(BACKENDS), key),
    with_backend: |key, backend| AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(token, key)),
}

/// A message, without its data.
struct CcmMessage<'a> {
    cipher: &'a Sm4,
    /// 7 to 13 bytes.
    nonce: &'a [u8],
    associated_data: &'a [u8],
    /// Bytes of the tag: 4, 6, …, 16.
    tag_len: usize,
}

impl CcmMessage<'_> {
    /// Bytes of the message's length, and of a counter: q of appendix A.1.
    #[inline(always)]
    fn q(&self) -> usize {
        15 - self.nonce.len()
    }

    /// Flags, the nonce, and a number: the first block that is authenticated (appendix A.2.1), or a counter (A.3).
    #[inline(always)]
    fn block(&self, flags: u8, number: u64) -> u128 {
        let flags = u128::from(flags) | (self.q() as u128 - 1);
        self.nonce.iter().fold(flags, |block, byte| block << 8 | u128::from(*byte)) << (8 * self.q())
            | u128::from(number)
    }
}

impl<'a> Message for CcmMessage<'a> {
    type Keystream = PrefetchedKeystream<Counters<'a>>;
    type Authenticator = KeyedCbcMac<'a, Sm4>;
    type Tag = [u8; 16];

    const COVERS: Covers = Covers::Plaintext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        if fits(self.q(), len) { Ok(()) } else { Err(Error) }
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        PrefetchedKeystream::new(Counters { cipher: &self.cipher.0, first: self.block(0, 0) })
    }

    #[inline(always)]
    fn authenticator(&self, _: &Self::Keystream) -> Self::Authenticator {
        KeyedCbcMac::new(self.cipher)
    }

    /// Appendix A.2.
    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, len: usize) {
        let a = self.associated_data.len() as u64;
        let tag_flags = (self.tag_len as u8 - 2) / 2 * 8;
        let flags = u8::from(a > 0) << 6 | tag_flags;
        authenticator.update(&self.block(flags, len as u64).to_be_bytes());
        if a > 0 {
            match (u16::try_from(a), u32::try_from(a)) {
                (Ok(a @ ..0xff00), _) => authenticator.update(&a.to_be_bytes()),
                (_, Ok(a)) => {
                    authenticator.update(&[0xff, 0xfe]);
                    authenticator.update(&a.to_be_bytes());
                }
                _ => {
                    authenticator.update(&[0xff, 0xff]);
                    authenticator.update(&a.to_be_bytes());
                }
            }
            authenticator.update(self.associated_data);
            authenticator.mac.pad_with_zeros(self.cipher);
        }
    }

    /// The CBC-MAC, encrypted with block 0 of the keystream.
    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, keystream: &mut Self::Keystream, _: usize) -> [u8; 16] {
        authenticator.mac.pad_with_zeros(self.cipher);
        (u128::from_ne_bytes(authenticator.mac.state().0) ^ u128::from_ne_bytes(*keystream.block_0())).to_ne_bytes()
    }

    compiled_here!();
}

/// Whether a message's length can be written in `q` bytes.
const fn fits(q: usize, len: usize) -> bool {
    q >= size_of::<usize>() || len >> (8 * q) == 0
}

/// The keystream: the encryptions of numbered blocks. The number does not reach the nonce, by [`fits`].
struct Counters<'a> {
    cipher: &'a Cipher,
    first: u128,
}

impl KeystreamBlocks for Counters<'_> {
    type Block = [u8; 16];
    const EMPTY: [u8; 16] = [0; 16];

    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        ctr::apply(self.cipher, (self.first | u128::from(number)).to_be_bytes(), data, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_limits() {
        // Nonces of 12, 13 and 7 bytes.
        assert!(fits(3, (1 << 24) - 1) && !fits(3, 1 << 24) && !fits(3, usize::MAX));
        assert!(fits(2, (1 << 16) - 1) && !fits(2, 1 << 16));
        assert!(fits(8, usize::MAX));
    }
}
