//! GMAC (DSTU 7624:2014, clause 12.5), and the hash that it shares with GCM.

use super::blocks::Kalyna;
use super::buffer::{LazyBuffer, pad, xor};
use super::field::HashKey;
use super::keyed::{keyed_mode, mac};
use super::lengths::LengthError;
use cipher::array::ArraySize;
use cipher::typenum::Unsigned;
use cipher::{Array, Block};
use digest::{CtOutput, Output, Reset, Update};
use zeroize::Zeroize;

/// GMAC of one message with Kalyna, which comes in pieces of any length through the traits of [`digest`](mod@digest),
/// `Mac` among them: a tag of one block, of which the standard takes the first 8 bytes or more
/// (`Mac::verify_truncated_left`).
///
/// **Not NIST's**: it takes no nonce. A key for GMAC must serve for nothing else.
///
/// The standard has no tag for an empty message. [`try_finalize`](Self::try_finalize) refuses one; the traits, which
/// cannot, pad it to a block, as they pad the end of a longer one. No other message has that tag, and no other
/// implementation computes it.
///
/// Constant time where the cipher is. The key and the state are erased on drop.
///
/// ```
/// use fairlane::digest::{KeyInit, Mac};
/// use fairlane::kalyna::{Gmac, Kalyna512_512};
///
/// let mut mac = Gmac::<Kalyna512_512>::new(&[7; 64].into());
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// let tag = mac.finalize().into_bytes();
///
/// let mac = Gmac::<Kalyna512_512>::new(&[7; 64].into()).chain_update(b"in pieces");
/// assert!(mac.verify(&tag).is_ok());
/// ```
#[derive(Clone)]
pub struct Gmac<C: Kalyna> {
    cipher: C,
    key: C::HashKey,
    hash: Hash<C>,
    buffer: LazyBuffer<C>,
    /// Bytes so far.
    len: u128,
}

impl<C: Kalyna> Gmac<C> {
    fn with_cipher(cipher: C) -> Self {
        let key = Hash::key(&cipher);
        Self { cipher, key, hash: Hash::new(), buffer: LazyBuffer::new(), len: 0 }
    }

    /// The tag, compared in constant time.
    ///
    /// # Errors
    /// There was no byte, or more than 2<sup>61</sup> - 1.
    pub fn try_finalize(mut self) -> Result<CtOutput<Self>, LengthError> {
        if self.buffer.is_empty() {
            return Err(LengthError::Empty);
        }
        if self.len >= LIMIT {
            return Err(LengthError::TooLong);
        }
        Ok(CtOutput::new(self.tag()))
    }

    fn tag(&mut self) -> Output<Self> {
        self.hash.absorb(&self.key, self.buffer.pad());
        self.hash.tag(&self.cipher, self.len, 0)
    }
}

impl<C: Kalyna> Update for Gmac<C> {
    fn update(&mut self, data: &[u8]) {
        let Self { key, hash, buffer, .. } = self;
        buffer.update(data, |blocks| hash.absorb(key, blocks));
        self.len += data.len() as u128;
    }
}

/// Resets the message, but not the key.
impl<C: Kalyna> Reset for Gmac<C> {
    fn reset(&mut self) {
        (self.hash, self.buffer, self.len) = (Hash::new(), LazyBuffer::new(), 0);
    }
}

keyed_mode!(Gmac, "KalynaGmac");
mac!(Gmac);

/// Bytes whose number in bits does not fit in half of the shortest block.
pub(super) const LIMIT: u128 = 1 << 61;

/// The hash of GCM and GMAC: a sum that is multiplied by H for each block.
#[derive(Clone)]
pub(super) struct Hash<C: Kalyna>(Block<C>);

impl<C: Kalyna> Hash<C> {
    /// The cipher's H, the encryption of zeros.
    pub(super) fn key(cipher: &C) -> C::HashKey {
        let mut h = Block::<C>::default();
        cipher.encrypt_block(&mut h);
        let key = cipher.hash_key(&h);
        h.zeroize();
        key
    }

    pub(super) fn new() -> Self {
        Self(Block::<C>::default())
    }

    /// Absorbs whole blocks.
    #[inline]
    fn absorb(&mut self, key: &C::HashKey, blocks: &[u8]) {
        if !blocks.is_empty() {
            key.absorb(&mut self.0, blocks);
        }
    }

    /// Absorbs bytes, and the padding if the last block is not whole.
    #[inline]
    pub(super) fn absorb_padded(&mut self, key: &C::HashKey, bytes: &[u8]) {
        let rest = bytes.len() % C::BlockSize::USIZE;
        let (blocks, rest) = bytes.split_at(bytes.len() - rest);
        self.absorb(key, blocks);
        if !rest.is_empty() {
            let mut last = Block::<C>::default();
            last[..rest.len()].copy_from_slice(rest);
            pad(&mut last, rest.len());
            self.absorb(key, &last);
        }
    }

    /// The tag's first bytes: the encryption of the sum with both lengths in bits, half a block for each.
    pub(super) fn tag<TagSize: ArraySize>(
        &mut self,
        cipher: &C,
        associated_data: u128,
        data: u128,
    ) -> Array<u8, TagSize> {
        let (first, second) = self.0.split_at_mut(C::BlockSize::USIZE / 2);
        xor(first, &(8 * associated_data).to_le_bytes());
        xor(second, &(8 * data).to_le_bytes());
        cipher.encrypt_block(&mut self.0);
        let mut tag = Array::default();
        tag.copy_from_slice(&self.0[..TagSize::USIZE]);
        tag
    }
}

impl<C: Kalyna> Drop for Hash<C> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
