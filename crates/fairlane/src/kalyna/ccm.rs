//! CCM (DSTU 7624:2014, clause 13).

use super::blocks::{Kalyna, Sealed};
use super::cbc_mac::CbcMac;
use super::counters;
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

/// The most bytes of a block.
const MOST: usize = 64;

/// So many bytes are decrypted to be looked at.
const PEEK: usize = 2 << 10;

/// Kalyna in Counter with CBC-MAC mode as DSTU 7624:2014 has it (clause 13), which is not NIST's: an AEAD with a nonce of one block,
/// and tags of 8, 16, 32, 48 or 64 bytes, one block at most and by default. `NB`, 1 to 8, is how many bytes a length is written in.
/// Other sizes do not compile. The standard's examples have `NB` 4 with keys of up to 32 bytes, then 6 and 8.
///
/// **A nonce must never be used twice under one key**: two messages under the same one show their difference. Of its bytes all but
/// the last `NB + 1` are in the tag: these must differ from message to message.
///
/// Data and associated data are below 2<sup>8 NB</sup> bytes, and data one byte at least: [`LengthError`] says which it is. For these
/// [`Error`] stands, and for a wrong tag: what `decrypt` and its kin were given to write to is then as it was.
///
/// Each block of a message waits for the one before: [`Gcm`](super::Gcm) is many times faster. Constant time where the cipher is.
/// The key is erased on drop.
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
    /// The sizes, as the first block has them.
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

    /// The mode on one backend, of those that Kalyna has.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Sealed::with_backend(key, backend).map(|cipher| Self { cipher, tag: PhantomData })
    }

    /// Whether there are tags for so many bytes of associated data, and of data.
    ///
    /// # Errors
    /// There is no byte of data, or `NB` bytes are too few for one of the lengths.
    pub const fn check_lengths(associated_data: usize, data: usize) -> Result<(), LengthError> {
        if data == 0 {
            return Err(LengthError::Empty);
        }
        let longest = if associated_data > data { associated_data } else { data };
        if NB < size_of::<usize>() && longest >> (8 * NB) != 0 { Err(LengthError::TooLong) } else { Ok(()) }
    }

    /// The authenticator, which has taken the nonce, the lengths and the associated data.
    fn mac(&self, nonce: &Nonce<Self>, associated_data: &[u8], len: usize) -> CbcMac<C> {
        let size = C::BlockSize::USIZE;
        let mut first = nonce.clone();
        first[size - NB - 1..size - 1].copy_from_slice(&(len as u64).to_le_bytes()[..NB]);
        first[size - 1] = u8::from(!associated_data.is_empty()) << 7 | Self::FLAGS;
        let mut mac = CbcMac::new();
        mac.update(&self.cipher, &first);
        if !associated_data.is_empty() {
            // The length, zeros so that the end is that of a block, and the associated data.
            let used = (NB + associated_data.len() % size) % size;
            let mut begin = [0; 8 + MOST];
            begin[..NB].copy_from_slice(&(associated_data.len() as u64).to_le_bytes()[..NB]);
            mac.update(&self.cipher, &begin[..NB + (size - used) % size]);
            mac.update(&self.cipher, associated_data);
        }
        mac
    }

    /// What the counters begin with.
    fn begin(&self, nonce: &Nonce<Self>) -> Block<C> {
        let mut begin = nonce.clone();
        self.cipher.encrypt_block(&mut begin);
        begin
    }

    /// Adds the keystream from block `number` on.
    fn add_keystream(&self, begin: &Block<C>, number: usize, data: InOutBuf<'_, '_, u8>) {
        counters::apply_all(&self.cipher, begin, C::BlockSize::USIZE / 2, number as u64, data);
    }

    /// The tag, under the keystream that comes next after a message of `len` bytes, also in the midst of a block.
    fn tag(&self, mut mac: CbcMac<C>, begin: &Block<C>, len: usize) -> Tag<Self> {
        let size = C::BlockSize::USIZE;
        let mut full = mac.finish(&self.cipher, |_| Block::<C>::default());
        let mut blocks = [0; 2 * MOST];
        let (tag, end) = (len % size, len % size + TagSize::USIZE);
        blocks[tag..end].copy_from_slice(&full[..TagSize::USIZE]);
        self.add_keystream(begin, len / size + 1, (&mut blocks[..end]).into());
        let mut sealed = Tag::<Self>::default();
        sealed.copy_from_slice(&blocks[tag..end]);
        full.zeroize();
        blocks.zeroize();
        sealed
    }
}

impl<C: Kalyna, TagSize: ArraySize, const NB: usize> AeadInOut for Ccm<C, TagSize, NB> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let len = data.len();
        Self::check_lengths(associated_data.len(), len).map_err(|_| Error)?;
        let mut begin = self.begin(nonce);
        let mut mac = self.mac(nonce, associated_data, len);
        mac.update(&self.cipher, data.get_in());
        self.add_keystream(&begin, 1, data);
        let tag = self.tag(mac, &begin, len);
        begin.zeroize();
        Ok(tag)
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
        let mut begin = self.begin(nonce);
        let mut mac = self.mac(nonce, associated_data, len);
        // Decrypted twice, which takes little of the time: once to see the tag, and if that is right to write.
        let mut seen = [0; PEEK];
        for (i, piece) in data.get_in().chunks(PEEK).enumerate() {
            let seen = &mut seen[..piece.len()];
            seen.copy_from_slice(piece);
            self.add_keystream(&begin, i * PEEK / C::BlockSize::USIZE + 1, (&mut *seen).into());
            mac.update(&self.cipher, seen);
        }
        seen.zeroize();
        let right = ct::equal(&self.tag(mac, &begin, len), tag);
        if right {
            self.add_keystream(&begin, 1, data);
        }
        begin.zeroize();
        if right { Ok(()) } else { Err(Error) }
    }
}

impl<C: Kalyna, TagSize: ArraySize, const NB: usize> AeadCore for Ccm<C, TagSize, NB> {
    type NonceSize = C::BlockSize;
    type TagSize = TagSize;

    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<C: Kalyna, TagSize, const NB: usize> KeySizeUser for Ccm<C, TagSize, NB> {
    type KeySize = C::KeySize;
}

/// On the best backend that this machine has.
impl<C: Kalyna, TagSize: ArraySize, const NB: usize> KeyInit for Ccm<C, TagSize, NB> {
    fn new(key: &Key<Self>) -> Self {
        Self { cipher: C::new(key), tag: PhantomData }
    }
}

/// Shows no secret.
impl<C: Kalyna, TagSize, const NB: usize> fmt::Debug for Ccm<C, TagSize, NB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KalynaCcm").finish_non_exhaustive()
    }
}

/// The key erases itself.
impl<C: Kalyna, TagSize, const NB: usize> ZeroizeOnDrop for Ccm<C, TagSize, NB> {}
