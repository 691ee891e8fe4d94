//! Galois/Counter Mode (NIST SP 800-38D) of SM4.

use super::ctr;
use super::kernels::{BACKENDS, Cipher};
use crate::authenticated::keystream::{KeystreamBlocks, PrefetchedKeystream};
use crate::authenticated::{Authenticator, Covers, Message, compiled_here, impl_aead};
use crate::ghash::{GHashKey, PaddedGHash};
use aead::array::ArraySize;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{Error, Key, Nonce};
use core::marker::PhantomData;
use fairlane_lanes::AnyToken;
use zeroize::Zeroize;

/// `AEAD_SM4_GCM` (RFC 8998): key of 16 bytes, nonce of 12, tag of 16.
///
/// **A nonce must never be used twice under one key**: two messages under the same one reveal their difference, and let
/// others be forged. Nonces should be counted; they are too short to be random for many messages.
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

/// SM4 in Galois/Counter Mode (NIST SP 800-38D), with nonces of any one length from 1 byte on; [`Sm4Gcm`] is the usual
/// one.
///
/// A message is at most 2<sup>36</sup> - 32 bytes, its associated data at most 2<sup>61</sup> - 1: longer ones are an
/// [`Error`]. So is a wrong tag; the output buffer is then unchanged. Nonces that do not have 12 bytes are hashed, so
/// that two of them may collide: they are for existing formats only.
///
/// Constant time: running time depends on lengths only. The key is erased on drop.
#[derive(Clone)]
pub struct Gcm<NonceSize> {
    keys: Keys,
    nonce: PhantomData<NonceSize>,
}

impl<NonceSize: ArraySize> Gcm<NonceSize> {
    fn with_token(token: AnyToken, key: &Key<Self>) -> Self {
        const { assert!(NonceSize::USIZE > 0, "GCM has no empty nonces") };
        Self { keys: Keys::new(token, &key.0), nonce: PhantomData }
    }

    fn message<'a>(&'a self, nonce: &'a Nonce<Self>, associated_data: &'a [u8]) -> GcmMessage<'a> {
        GcmMessage { keys: &self.keys, nonce, associated_data }
    }
}

impl_aead! {
    [NonceSize: ArraySize] Gcm<NonceSize>,
    name: "Sm4Gcm",
    key: U16, nonce: NonceSize, tag: U16,
    new: |key| Self::with_token(AnyToken::best(BACKENDS), key),
    with_backend: |key, backend| AnyToken::among(BACKENDS, backend).map(|token| Self::with_token(token, key)),
}

/// The cipher's round keys and the key of GHASH, without the size of nonces.
#[derive(Clone)]
struct Keys {
    cipher: Cipher,
    hash: GHashKey,
}

impl Keys {
    #[inline(never)]
    fn new(token: AnyToken, key: &[u8; 16]) -> Self {
        let cipher = Cipher::new(token, key);
        // H, the encryption of zeros.
        let mut h = [0; 16];
        ctr::apply(&cipher, [0; 16], h.as_mut_slice().into(), &mut [0; 16]);
        let hash = GHashKey::new(token, &h);
        h.zeroize();
        Self { cipher, hash }
    }
}

/// A message, without its data.
struct GcmMessage<'a> {
    keys: &'a Keys,
    nonce: &'a [u8],
    associated_data: &'a [u8],
}

impl GcmMessage<'_> {
    /// J0 of section 7.1, step 2, as a big-endian number.
    #[inline(always)]
    fn first_counter(&self) -> u128 {
        if let Ok(nonce) = <&[u8; 12]>::try_from(self.nonce) {
            // As a number, not in memory: a load of 16 bytes that were stored in parts would wait for the stores.
            return nonce.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)) << 32 | 1;
        }
        let mut hash = PaddedGHash::new(&self.keys.hash);
        hash.update(self.nonce);
        hash.update(&lengths(0, self.nonce.len()));
        u128::from_be_bytes(hash.finish())
    }
}

impl<'a> Message for GcmMessage<'a> {
    type Keystream = PrefetchedKeystream<Counters<'a>>;
    type Authenticator = PaddedGHash<'a>;
    type Tag = [u8; 16];

    const COVERS: Covers = Covers::Ciphertext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        if fits(self.associated_data.len(), len) { Ok(()) } else { Err(Error) }
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        PrefetchedKeystream::new(Counters { cipher: &self.keys.cipher, first: self.first_counter() })
    }

    #[inline(always)]
    fn authenticator(&self, _: &Self::Keystream) -> Self::Authenticator {
        PaddedGHash::new(&self.keys.hash)
    }

    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, _: usize) {
        authenticator.update(self.associated_data);
    }

    /// Section 7.1, steps 5 and 6: the lengths are hashed, and the result is encrypted with block 0 of the keystream.
    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, keystream: &mut Self::Keystream, len: usize) -> [u8; 16] {
        authenticator.update(&lengths(self.associated_data.len(), len));
        (u128::from_ne_bytes(authenticator.finish()) ^ u128::from_ne_bytes(*keystream.block_0())).to_ne_bytes()
    }

    compiled_here!();
}

impl Authenticator for PaddedGHash<'_> {
    #[inline(always)]
    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// The keystream: the encryptions of J0 and of the counters after it. Only the last 32 bits count; they may begin
/// anywhere if the nonce was hashed.
struct Counters<'a> {
    cipher: &'a Cipher,
    first: u128,
}

impl KeystreamBlocks for Counters<'_> {
    type Block = [u8; 16];
    const EMPTY: [u8; 16] = [0; 16];

    // A hashed nonce makes J0 depend on the key, so that no branch may depend on where the 32 bits wrap.
    // Not inlined, so that the kernels are compiled in this crate, once.
    #[inline(never)]
    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        let counter = (self.first as u32).wrapping_add(number as u32);
        ctr::apply32(self.cipher, self.first >> 32 << 32 | u128::from(counter), data, last);
    }
}

/// Whether a message and its associated data are no longer than section 5.2.1.1 allows.
const fn fits(associated_data: usize, len: usize) -> bool {
    (associated_data as u64) < 1 << 61 && len as u64 <= (1 << 36) - 32
}

/// The last block that is hashed: the lengths of the associated data and of the data, in bits.
fn lengths(associated_data: usize, len: usize) -> [u8; 16] {
    (u128::from(8 * associated_data as u64) << 64 | u128::from(8 * len as u64)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;

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
