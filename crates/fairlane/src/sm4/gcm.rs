//! Galois/Counter Mode (NIST SP 800-38D) of SM4.

use super::ctr;
use super::kernels::{BACKENDS, Cipher};
use crate::ghash::{GHashKey, Pieces};
use crate::keystream::message::{Blocks, Keystream};
use crate::{Backend, Unsupported, ct};
use aead::array::ArraySize;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use core::fmt;
use core::marker::PhantomData;
use fairlane_lanes::AnyToken;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// `AEAD_SM4_GCM` (RFC 8998): key of 16 bytes, nonce of 12, tag of 16.
///
/// **A nonce must never be used twice under one key**: two messages under the same one show their difference, and let
/// others be forged. Nonces are to be counted; they are too short to be drawn at random for many messages.
///
/// ```
/// use fairlane::aead::{Aead, KeyInit};
/// use fairlane::sm4::Sm4Gcm;
///
/// let cipher = Sm4Gcm::new(&[7; 16].into());
/// let sealed = cipher.encrypt(&[1; 12].into(), &b"a message"[..])?;
/// assert_eq!(cipher.decrypt(&[1; 12].into(), &sealed[..])?, b"a message");
/// # Ok::<(), fairlane::aead::Error>(())
/// ```
pub type Sm4Gcm = Gcm<U12>;

/// SM4 in Galois/Counter Mode (NIST SP 800-38D), with nonces of any one length from 1 byte on; [`Sm4Gcm`] is the usual one.
///
/// A message is at most 2<sup>36</sup> - 32 bytes, its associated data at most 2<sup>61</sup> - 1: more is an [`Error`].
/// With a wrong tag `decrypt` and its kin are one too; what they were given to write to is as it was. Nonces that are not
/// 12 bytes are hashed, so that two of them may meet: they are for old formats that have them.
///
/// Constant time: running time depends on lengths only. The key is erased on drop.
#[derive(Clone)]
pub struct Gcm<NonceSize> {
    cipher: Cipher,
    hash: GHashKey,
    nonce: PhantomData<NonceSize>,
}

impl<NonceSize: ArraySize> Gcm<NonceSize> {
    /// The cipher on one backend, of those that SM4 has.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or SM4 has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(token, key))
    }

    fn with_token(token: AnyToken, key: &Key<Self>) -> Self {
        let cipher = Cipher::new(token, key.as_ref());
        // H, the encryption of zeros.
        let mut h = [0; 16];
        ctr::apply(&cipher, [0; 16], h.as_mut_slice().into(), &mut [0; 16]);
        let hash = GHashKey::new(token, &h);
        h.zeroize();
        Self { cipher, hash, nonce: PhantomData }
    }

    /// What counts from J0 of section 7.1 on, for a message's keystream.
    ///
    /// # Errors
    /// The message or its associated data is too long.
    #[inline(always)]
    fn counters(&self, nonce: &Nonce<Self>, associated_data: usize, len: usize) -> Result<Counters<'_>, Error> {
        const { assert!(NonceSize::USIZE > 0, "GCM has no empty nonces") };
        if !fits(associated_data, len) {
            return Err(Error);
        }
        // In a number, and not in bytes of memory: to read 16 that were written in parts is to wait for them.
        let first = if NonceSize::USIZE == 12 {
            nonce.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)) << 32 | 1
        } else {
            let mut hash = Pieces::new(&self.hash);
            hash.absorb(nonce);
            hash.absorb(&lengths(0, NonceSize::USIZE));
            u128::from_be_bytes(hash.finish())
        };
        Ok(Counters { cipher: &self.cipher, first })
    }
}

/// The tag, section 7.1, steps 5 and 6: the lengths join the hash, and the keystream's block 0 the result.
fn tag(hash: &mut Pieces<'_>, associated_data: usize, len: usize, mask: &[u8; 16]) -> [u8; 16] {
    hash.absorb(&lengths(associated_data, len));
    (u128::from_ne_bytes(hash.finish()) ^ u128::from_ne_bytes(*mask)).to_ne_bytes()
}

/// The keystream: the encryption of J0 and of what counts on from it in the last 32 bits alone. These may begin anywhere if
/// the nonce was hashed.
struct Counters<'a> {
    cipher: &'a Cipher,
    first: u128,
}

impl Blocks for Counters<'_> {
    type Block = [u8; 16];
    const EMPTY: [u8; 16] = [0; 16];

    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        let counter = (self.first as u32).wrapping_add(number as u32);
        let block = |counter: u32| (self.first >> 32 << 32 | u128::from(counter)).to_be_bytes();
        let before_wrap = 16 * ((1 << 32) - u64::from(counter));
        let before_wrap = before_wrap.min(data.len() as u64) as usize;
        let (now, rest) = data.split_at(before_wrap);
        ctr::apply(self.cipher, block(counter), now, last);
        if !rest.is_empty() {
            ctr::apply(self.cipher, block(0), rest, last);
        }
    }
}

/// Whether a message and its associated data are no longer than section 5.2.1.1 allows.
const fn fits(associated_data: usize, len: usize) -> bool {
    (associated_data as u64) < 1 << 61 && len as u64 <= (1 << 36) - 32
}

/// The last block that is hashed: both lengths in bits.
fn lengths(associated_data: usize, len: usize) -> [u8; 16] {
    (u128::from(8 * associated_data as u64) << 64 | u128::from(8 * len as u64)).to_be_bytes()
}

impl<NonceSize: ArraySize> AeadInOut for Gcm<NonceSize> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let len = data.len();
        let mut keystream = Keystream::new(self.counters(nonce, associated_data.len(), len)?);
        keystream.begin(len);
        let mut hash = Pieces::new(&self.hash);
        hash.absorb(associated_data);
        keystream.apply(data, |ciphertext| hash.absorb(ciphertext));
        Ok(tag(&mut hash, associated_data.len(), len, keystream.block_0()).into())
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let len = data.len();
        let mut keystream = Keystream::new(self.counters(nonce, associated_data.len(), len)?);
        keystream.begin(len);
        let mut hash = Pieces::new(&self.hash);
        hash.absorb(associated_data);
        hash.absorb(data.get_in());
        let right = self::tag(&mut hash, associated_data.len(), len, keystream.block_0());
        if !ct::equal(&right, tag) {
            return Err(Error);
        }
        keystream.apply(data, |_| ());
        Ok(())
    }
}

impl<NonceSize: ArraySize> AeadCore for Gcm<NonceSize> {
    type NonceSize = NonceSize;
    type TagSize = U16;

    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<NonceSize> KeySizeUser for Gcm<NonceSize> {
    type KeySize = U16;
}

/// On the best backend that this machine has.
impl<NonceSize: ArraySize> KeyInit for Gcm<NonceSize> {
    fn new(key: &Key<Self>) -> Self {
        Self::with_token(AnyToken::best(BACKENDS), key)
    }
}

/// Shows no secret.
impl<NonceSize> fmt::Debug for Gcm<NonceSize> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4Gcm").finish_non_exhaustive()
    }
}

/// Its parts erase themselves.
impl<NonceSize> ZeroizeOnDrop for Gcm<NonceSize> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn lengths_have_limits() {
        assert!(fits((1 << 61) - 1, (1 << 36) - 32));
        assert!(!fits(1 << 61, 0) && !fits(usize::MAX, 0));
        assert!(!fits(0, (1 << 36) - 31) && !fits(0, usize::MAX));
    }

    /// Wherever in the keystream the last 32 bits wrap, the others stay.
    #[test]
    fn counters_wrap_by_themselves() {
        const UPPER: u128 = u128::MAX >> 33 << 32;
        for token in Backend::ALL.iter().filter_map(|backend| AnyToken::among(BACKENDS, *backend).ok()) {
            let cipher = Cipher::new(token, &[7; 16]);
            for before in [1, 2, 15, 16, 17, 63, 64, 65, 200] {
                let counters = Counters { cipher: &cipher, first: UPPER | u128::from(u32::MAX - before + 1) };
                let mut last = [0; 16];
                for (number, length) in [(0, 16 * 300 + 5), (3, 16 * 300 + 5), (0, 16 * before as usize + 1)] {
                    let mut keystream = vec![0; length];
                    counters.apply(number, keystream.as_mut_slice().into(), &mut last);
                    keystream.truncate(length / 16 * 16);
                    keystream.extend(last);
                    for (block, at) in keystream.chunks(16).zip(number as u32..) {
                        let counter = at.wrapping_sub(before);
                        let mut one = [0; 16];
                        let input = UPPER | u128::from(counter);
                        ctr::apply(&cipher, input.to_be_bytes(), one.as_mut_slice().into(), &mut [0; 16]);
                        assert_eq!(block, one, "block {at}, {before} before the wrap, {}", token.backend());
                    }
                }
            }
        }
    }
}
