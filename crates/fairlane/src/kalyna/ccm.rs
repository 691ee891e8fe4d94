//! CCM (DSTU 7624:2014, clause 13).

use super::blocks::Kalyna;
use super::keystream::Keystream;
use super::lengths::LengthError;
use super::messages::CcmMessage;
use crate::authenticated::cbc_mac::KeyedCbcMac;
use crate::authenticated::keystream::MessageKeystream;
use crate::authenticated::{Authenticator, Covers, Message, impl_aead};
use aead::array::ArraySize;
use aead::inout::InOutBuf;
use aead::{Error, Nonce};
use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// The most bytes of a block.
const MAX_BLOCK: usize = 64;

/// Kalyna in Counter with CBC-MAC mode as DSTU 7624:2014 defines it (clause 13), which is not NIST's: an AEAD with a
/// nonce of one block, and tags of 8, 16, 32, 48 or 64 bytes, one block at most and by default. `NB`, 1 to 8, is the
/// number of bytes that encode a length. Other sizes do not compile. The standard's examples have `NB` 4 with keys of
/// up to 32 bytes, then 6 and 8.
///
/// **A nonce must never be used twice under one key**: two messages under the same one reveal their difference. The tag
/// covers all of its bytes but the last `NB + 1`: the covered ones must differ from message to message.
///
/// Data and associated data are shorter than 2<sup>8 NB</sup> bytes, and there is at least one byte of data. Other
/// lengths ([`LengthError`]) are an [`Error`], as is a wrong tag; the output buffer is then unchanged.
///
/// Each block of a message depends on the one before: [`Gcm`](super::Gcm) is many times faster. Constant time where the
/// cipher is. The key is erased on drop.
///
/// ```
/// use fairlane::aead::{Aead, KeyInit};
/// use fairlane::kalyna::{Ccm, Kalyna128_128};
///
/// let cipher = Ccm::<Kalyna128_128>::new(&[7; 16].into());
/// let sealed = cipher.encrypt(&[1; 16].into(), &b"a message"[..])?;
/// assert_eq!(cipher.decrypt(&[1; 16].into(), &sealed[..])?, b"a message");
/// # Ok::<(), fairlane::aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Ccm<C: Kalyna, TagSize = <C as BlockSizeUser>::BlockSize, const NB: usize = 4> {
    cipher: C,
    tag: PhantomData<TagSize>,
}

impl<C: Kalyna, TagSize: ArraySize, const NB: usize> Ccm<C, TagSize, NB> {
    /// The sizes, as the first block encodes them. Evaluating this is what refuses other sizes.
    const FLAGS: u8 = {
        assert!(NB >= 1 && NB <= 8, "lengths are written in 1 to 8 bytes");
        assert!(TagSize::USIZE <= C::BlockSize::USIZE, "CCM's tags are one block at most");
        let code = match TagSize::USIZE {
            8 => 2,
            16 => 3,
            32 => 4,
            48 => 5,
            64 => 6,
            _ => panic!("CCM's tags have 8, 16, 32, 48 or 64 bytes"),
        };
        code << 4 | (NB as u8 - 1)
    };

    fn with_cipher(cipher: C) -> Self {
        const { _ = Self::FLAGS };
        Self { cipher, tag: PhantomData }
    }

    /// Checks the lengths of associated data and of data, in bytes.
    ///
    /// # Errors
    /// There is no byte of data, or `NB` bytes are too few for one of the lengths.
    pub const fn check_lengths(associated_data: usize, data: usize) -> Result<(), LengthError> {
        const { _ = Self::FLAGS };
        check_lengths(NB, associated_data, data)
    }

    fn message<'a>(&'a self, nonce: &'a Nonce<Self>, associated_data: &'a [u8]) -> CcmMessage<'a, C> {
        CcmMessage { cipher: &self.cipher, nonce, associated_data, nb: NB, flags: Self::FLAGS, tag_len: TagSize::USIZE }
    }
}

impl_aead! {
    [C: Kalyna, TagSize: ArraySize, const NB: usize] Ccm<C, TagSize, NB>,
    name: "KalynaCcm",
    key: C::KeySize, nonce: C::BlockSize, tag: TagSize,
    new: |key| Self::with_cipher(C::new(key)),
    with_backend: |key, backend| C::with_backend(key, backend).map(Self::with_cipher),
}

const fn check_lengths(nb: usize, associated_data: usize, data: usize) -> Result<(), LengthError> {
    if data == 0 {
        return Err(LengthError::Empty);
    }
    let longest = if associated_data > data { associated_data } else { data };
    if nb < size_of::<usize>() && longest >> (8 * nb) != 0 { Err(LengthError::TooLong) } else { Ok(()) }
}

impl<'a, C: Kalyna> Message for CcmMessage<'a, C> {
    type Keystream = Keystream<'a, C>;
    type Authenticator = KeyedCbcMac<'a, C>;
    type Tag = Block<C>;

    const COVERS: Covers = Covers::Plaintext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        check_lengths(self.nb, self.associated_data.len(), len).map_err(|_| Error)
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        Keystream::new(self.cipher, self.nonce)
    }

    #[inline(always)]
    fn authenticator(&self, _: &Self::Keystream) -> Self::Authenticator {
        KeyedCbcMac::new(self.cipher)
    }

    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, len: usize) {
        let (size, nb) = (C::BlockSize::USIZE, self.nb);
        let mut first = self.nonce.clone();
        first[size - nb - 1..size - 1].copy_from_slice(&(len as u64).to_le_bytes()[..nb]);
        first[size - 1] = u8::from(!self.associated_data.is_empty()) << 7 | self.flags;
        authenticator.update(&first);
        if !self.associated_data.is_empty() {
            // The length, zeros so that the end is that of a block, and the associated data.
            let used = (nb + self.associated_data.len() % size) % size;
            let mut begin = [0; 8 + MAX_BLOCK];
            begin[..nb].copy_from_slice(&(self.associated_data.len() as u64).to_le_bytes()[..nb]);
            authenticator.update(&begin[..nb + (size - used) % size]);
            authenticator.update(self.associated_data);
        }
    }

    /// The tag is encrypted with the keystream that follows the message's, also in the middle of a block.
    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, keystream: &mut Self::Keystream, len: usize) -> Block<C> {
        authenticator.mac.pad_and_mask(self.cipher, |_| None);
        let size = C::BlockSize::USIZE;
        let (start, end) = (len % size, len % size + self.tag_len);
        let mut blocks = [0; 2 * MAX_BLOCK];
        blocks[start..end].copy_from_slice(&authenticator.mac.state()[..self.tag_len]);
        keystream.apply_from(len / size + 1, (&mut blocks[..end]).into());
        let mut tag = Block::<C>::default();
        tag[..self.tag_len].copy_from_slice(&blocks[start..end]);
        blocks.zeroize();
        tag
    }

    #[inline(always)]
    fn seal(&self, data: InOutBuf<'_, '_, u8>) -> Block<C> {
        C::ccm_seal(self, data)
    }

    #[inline(always)]
    fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
        C::ccm_open(self, data, tag)
    }
}
