//! GCM (DSTU 7624:2014, clause 12).

use super::blocks::{Kalyna, Sealed};
use super::counters;
use super::gmac::{Hash, LIMIT};
use super::lengths::LengthError;
use crate::{Backend, Unsupported, ct};
use aead::array::ArraySize;
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser};
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// About so many bytes are encrypted, and then hashed while they are still in the nearest cache.
const CHUNK: usize = 8 << 10;

/// Kalyna in Galois/Counter Mode as DSTU 7624:2014 has it (clause 12), which is not NIST's: an AEAD with a nonce of one block, and
/// tags of 8 bytes to one block, by default a whole one. Other sizes do not compile.
///
/// **A nonce must never be used twice under one key**: two messages under the same one show their difference. And **the tag does not
/// cover the nonce**: with another one a message still opens, to other bytes. Where that matters, let the associated data
/// have the nonce too.
///
/// [`LengthError`] says which messages the mode does not take; for these [`Error`] stands, and for a wrong tag: what `decrypt` and its
/// kin were given to write to is then as it was. The counter is half a block, begins anywhere, and wraps as the standard has it;
/// no message is long enough to meet a block of its keystream again.
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
    /// The mode on one backend, of those that Kalyna has.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Sealed::with_backend(key, backend).map(Self::with_cipher)
    }

    fn with_cipher(cipher: C) -> Self {
        const { assert!(TagSize::USIZE >= 8 && TagSize::USIZE <= C::BlockSize::USIZE, "GCM's tags have 8 bytes to a block") };
        let key = Hash::key(&cipher);
        Self { cipher, key, tag: PhantomData }
    }

    /// Whether there are tags for so many bytes of associated data, and of data.
    ///
    /// # Errors
    /// There is no byte of either, or more than 2<sup>61</sup> - 1 of one.
    pub const fn check_lengths(associated_data: usize, data: usize) -> Result<(), LengthError> {
        if associated_data == 0 && data == 0 {
            return Err(LengthError::Empty);
        }
        if (associated_data as u128) < LIMIT && (data as u128) < LIMIT { Ok(()) } else { Err(LengthError::TooLong) }
    }

    /// What the counters begin with.
    fn begin(&self, nonce: &Nonce<Self>) -> Block<C> {
        let mut begin = nonce.clone();
        self.cipher.encrypt_block(&mut begin);
        begin
    }

    /// Adds the keystream from block `number` on.
    fn add_keystream(&self, begin: &Block<C>, number: u64, data: InOutBuf<'_, '_, u8>) {
        counters::apply_all(&self.cipher, begin, C::BlockSize::USIZE / 2, number, data);
    }
}

impl<C: Kalyna, TagSize: ArraySize> AeadInOut for Gcm<C, TagSize> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let len = data.len();
        Self::check_lengths(associated_data.len(), len).map_err(|_| Error)?;
        let mut begin = self.begin(nonce);
        let mut hash = Hash::<C>::new();
        hash.absorb_padded(&self.key, associated_data);
        let (mut rest, mut number) = (data, 1);
        while !rest.is_empty() {
            let now = rest.len().min(CHUNK);
            let (mut chunk, next) = rest.split_at(now);
            self.add_keystream(&begin, number, chunk.reborrow());
            hash.absorb_padded(&self.key, chunk.get_out());
            number += (CHUNK / C::BlockSize::USIZE) as u64;
            rest = next;
        }
        begin.zeroize();
        Ok(hash.tag(&self.cipher, associated_data.len() as u128, len as u128))
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let len = data.len();
        Self::check_lengths(associated_data.len(), len).map_err(|_| Error)?;
        let mut hash = Hash::<C>::new();
        hash.absorb_padded(&self.key, associated_data);
        hash.absorb_padded(&self.key, data.get_in());
        let right: Tag<Self> = hash.tag(&self.cipher, associated_data.len() as u128, len as u128);
        if !ct::equal(&right, tag) {
            return Err(Error);
        }
        let mut begin = self.begin(nonce);
        self.add_keystream(&begin, 1, data);
        begin.zeroize();
        Ok(())
    }
}

impl<C: Kalyna, TagSize: ArraySize> AeadCore for Gcm<C, TagSize> {
    type NonceSize = C::BlockSize;
    type TagSize = TagSize;

    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<C: Kalyna, TagSize> KeySizeUser for Gcm<C, TagSize> {
    type KeySize = C::KeySize;
}

/// On the best backend that this machine has.
impl<C: Kalyna, TagSize: ArraySize> KeyInit for Gcm<C, TagSize> {
    fn new(key: &Key<Self>) -> Self {
        Self::with_cipher(C::new(key))
    }
}

/// Shows no secret.
impl<C: Kalyna, TagSize> fmt::Debug for Gcm<C, TagSize> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KalynaGcm").finish_non_exhaustive()
    }
}

/// Its parts erase themselves.
impl<C: Kalyna, TagSize> ZeroizeOnDrop for Gcm<C, TagSize> {}
