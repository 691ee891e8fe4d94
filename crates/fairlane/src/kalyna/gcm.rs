//! GCM (DSTU 7624:2014, clause 12).

use super::blocks::Kalyna;
use super::gmac::{Hash, LIMIT};
use super::keystream::Keystream;
use super::lengths::LengthError;
use super::messages::GcmMessage;
use crate::authenticated::{Authenticator, Covers, Message, impl_aead};
use aead::array::ArraySize;
use aead::inout::InOutBuf;
use aead::{Error, Nonce};
use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser};
use core::marker::PhantomData;

/// Kalyna in Galois/Counter Mode as DSTU 7624:2014 defines it (clause 12), which is not NIST's: an AEAD with a nonce of
/// one block, and tags of 8 bytes to one block, by default a whole one. Other sizes do not compile.
///
/// **A nonce must never be used twice under one key**: two messages under the same one reveal their difference. And
/// **the tag does not cover the nonce**: with another one a message can still be decrypted, to other bytes. Where that
/// matters, append the nonce to the associated data.
///
/// [`LengthError`] lists the messages that the mode does not accept; they are an [`Error`], as is a wrong tag. The
/// output buffer is then unchanged. The counter is half a block, starts at any value and wraps, as the standard
/// specifies; no message is long enough to use a block of keystream twice.
///
/// Constant time where the cipher is. The key is erased on drop.
///
/// ```
/// use fairlane::aead::{Aead, KeyInit, Payload};
/// use fairlane::kalyna::{Gcm, Kalyna256_256};
///
/// let cipher = Gcm::<Kalyna256_256>::new(&[7; 32].into());
/// let nonce = [1; 32].into();
/// let sealed = cipher.encrypt(&nonce, Payload { msg: b"a message", aad: &nonce })?;
/// assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: &nonce })?, b"a message");
/// # Ok::<(), fairlane::aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Gcm<C: Kalyna, TagSize = <C as BlockSizeUser>::BlockSize> {
    cipher: C,
    key: C::HashKey,
    tag: PhantomData<TagSize>,
}

impl<C: Kalyna, TagSize: ArraySize> Gcm<C, TagSize> {
    fn with_cipher(cipher: C) -> Self {
        const {
            let (tag, block) = (TagSize::USIZE, C::BlockSize::USIZE);
            assert!(tag >= 8 && tag <= block, "GCM's tags have 8 bytes to a block");
        }
        let key = Hash::key(&cipher);
        Self { cipher, key, tag: PhantomData }
    }

    /// Checks the lengths of associated data and of data, in bytes.
    ///
    /// # Errors
    /// There is no byte of either, or more than 2<sup>61</sup> - 1 of one.
    pub const fn check_lengths(associated_data: usize, data: usize) -> Result<(), LengthError> {
        check_lengths(associated_data, data)
    }

    fn message<'a>(&'a self, nonce: &'a Nonce<Self>, associated_data: &'a [u8]) -> GcmMessage<'a, C, C::HashKey> {
        GcmMessage { cipher: &self.cipher, key: &self.key, nonce, associated_data }
    }
}

impl_aead! {
    [C: Kalyna, TagSize: ArraySize] Gcm<C, TagSize>,
    name: "KalynaGcm",
    key: C::KeySize, nonce: C::BlockSize, tag: TagSize,
    new: |key| Self::with_cipher(C::new(key)),
    with_backend: |key, backend| C::with_backend(key, backend).map(Self::with_cipher),
}

const fn check_lengths(associated_data: usize, data: usize) -> Result<(), LengthError> {
    if associated_data == 0 && data == 0 {
        return Err(LengthError::Empty);
    }
    if (associated_data as u128) < LIMIT && (data as u128) < LIMIT { Ok(()) } else { Err(LengthError::TooLong) }
}

impl<'a, C: Kalyna> Message for GcmMessage<'a, C, C::HashKey> {
    type Keystream = Keystream<'a, C>;
    type Authenticator = KeyedHash<'a, C>;
    type Tag = Block<C>;

    const COVERS: Covers = Covers::Ciphertext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        check_lengths(self.associated_data.len(), len).map_err(|_| Error)
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        Keystream::new(self.cipher, self.nonce)
    }

    #[inline(always)]
    fn authenticator(&self, _: &Self::Keystream) -> Self::Authenticator {
        KeyedHash { key: self.key, hash: Hash::new() }
    }

    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, _: usize) {
        authenticator.update(self.associated_data);
    }

    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, _: &mut Self::Keystream, len: usize) -> Block<C> {
        authenticator.hash.tag(self.cipher, self.associated_data.len() as u128, len as u128)
    }

    #[inline(always)]
    fn seal(&self, data: InOutBuf<'_, '_, u8>) -> Block<C> {
        C::gcm_seal(self, data)
    }

    #[inline(always)]
    fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
        C::gcm_open(self, data, tag)
    }
}

/// The hash with its key.
pub(crate) struct KeyedHash<'a, C: Kalyna> {
    key: &'a C::HashKey,
    hash: Hash<C>,
}

impl<C: Kalyna> Authenticator for KeyedHash<'_, C> {
    #[inline]
    fn update(&mut self, bytes: &[u8]) {
        self.hash.absorb_padded(self.key, bytes);
    }
}
