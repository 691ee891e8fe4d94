//! A stream cipher and Poly1305 composed as RFC 8439, section 2.8 does.

use super::first_block::{BufferedKeystream, FirstBlock};
use super::{Blocks, Generator};
use crate::authenticated::keystream::{KeystreamBlocks, MessageKeystream, PrefetchedKeystream};
use crate::authenticated::{Authenticator, Covers, Message, decrypt, encrypt, impl_aead};
use crate::ct;
use crate::poly1305::{self, Poly1305};
use ::aead::consts::U16;
use ::aead::inout::InOutBuf;
use ::aead::{Error, Key, Nonce};
use cipher::Array;
use core::ops::Range;
use fairlane_lanes::AnyToken;

impl<B: Blocks> KeystreamBlocks for B {
    type Block = B::Block;
    const EMPTY: B::Block = B::EMPTY;

    #[inline(always)]
    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut B::Block) {
        Blocks::apply(self, number, data, last);
    }
}

/// A keystream whose block 0 is not for data, or need not be, so that it can be the authenticator's key.
pub trait AeadKeystream: Generator {
    /// The AEAD's name.
    const AEAD: &'static str;

    /// Encrypts a message and returns its tag. The length must have been checked.
    #[doc(hidden)]
    fn seal(message: &PolyMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> [u8; 16];

    /// Decrypts a message if its tag is right. The length must have been checked.
    ///
    /// # Errors
    /// The tag is wrong; nothing is written then.
    #[doc(hidden)]
    fn open(message: &PolyMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error>;
}

/// Implements [`AeadKeystream`] for a keystream. The type has no parameters: its AEAD is compiled in this crate, and
/// not in each user's.
macro_rules! impl_aead_keystream {
    ($generator:ty, $aead:literal) => {
        $crate::keystream::impl_aead_keystream! {
            $generator, $aead, $crate::authenticated::encrypt, $crate::authenticated::decrypt
        }
    };
    ($generator:ty, $aead:literal, $seal:path, $open:path) => {
        impl $crate::keystream::AeadKeystream for $generator {
            const AEAD: &'static str = $aead;

            #[inline(never)]
            fn seal(message: &$crate::keystream::PolyMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> [u8; 16] {
                $seal(message, data)
            }

            #[inline(never)]
            fn open(
                message: &$crate::keystream::PolyMessage<'_, Self>,
                data: InOutBuf<'_, '_, u8>,
                tag: &[u8],
            ) -> Result<(), aead::Error> {
                $open(message, data, tag)
            }
        }
    };
}
pub(crate) use impl_aead_keystream;

/// Authenticated encryption with associated data: a stream cipher from block 1 on, and Poly1305 (tag of 16 bytes) under
/// a key from the first 32 bytes of block 0.
///
/// The tag covers the associated data and the ciphertext, each padded with zeros to a multiple of 16 bytes, and their
/// lengths as 64-bit numbers. A nonce must never be used twice under one key. With a wrong tag `decrypt` and the
/// methods like it return an [`Error`], and the output buffer is unchanged.
///
/// The key is erased on drop. The backends are those of [`Poly1305`].
#[derive(Clone)]
pub struct StreamPoly1305<G: AeadKeystream> {
    cipher: AnyToken,
    authenticator: AnyToken,
    key: Array<u8, G::KeySize>,
}

impl<G: AeadKeystream> StreamPoly1305<G> {
    fn with_token(key: &Key<Self>, authenticator: AnyToken) -> Self {
        Self { cipher: authenticator.narrow(G::BACKENDS), authenticator, key: key.clone() }
    }

    fn message<'a>(&'a self, nonce: &'a Nonce<Self>, associated_data: &'a [u8]) -> PolyMessage<'a, G> {
        PolyMessage { aead: self, nonce, associated_data }
    }
}

impl_aead! {
    [G: AeadKeystream] StreamPoly1305<G>,
    name: G::AEAD,
    key: G::KeySize, nonce: G::NonceSize, tag: U16,
    new: |key| Self::with_token(key, AnyToken::best(poly1305::BACKENDS)),
    with_backend: |key, backend| {
        AnyToken::among(poly1305::BACKENDS, backend).map(|token| Self::with_token(key, token))
    },
}

/// A message, without its data.
pub struct PolyMessage<'a, G: AeadKeystream> {
    aead: &'a StreamPoly1305<G>,
    nonce: &'a Array<u8, G::NonceSize>,
    associated_data: &'a [u8],
}

impl<G: AeadKeystream> PolyMessage<'_, G> {
    /// The tag, if all of the ciphertext is at hand.
    #[inline(always)]
    fn short_tag(&self, key: &[u8; 32], ciphertext: &[u8]) -> [u8; 16] {
        poly1305::aead_tag(key, self.aead.authenticator, self.associated_data, ciphertext)
    }
}

impl<G: AeadKeystream> Message for PolyMessage<'_, G> {
    type Keystream = PrefetchedKeystream<G>;
    type Authenticator = Poly1305;
    type Tag = [u8; 16];

    const COVERS: Covers = Covers::Ciphertext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        if fits::<G>(len) { Ok(()) } else { Err(Error) }
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        PrefetchedKeystream::new(G::new(self.aead.cipher, &self.aead.key, self.nonce))
    }

    #[inline(always)]
    fn authenticator(&self, keystream: &Self::Keystream) -> Self::Authenticator {
        Poly1305::with_token(keystream.block_0(), self.aead.authenticator)
    }

    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, _: usize) {
        authenticator.update_padded(self.associated_data);
    }

    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, _: &mut Self::Keystream, len: usize) -> [u8; 16] {
        tag(authenticator, self.associated_data, len)
    }

    #[inline(always)]
    fn seal(&self, data: InOutBuf<'_, '_, u8>) -> [u8; 16] {
        G::seal(self, data)
    }

    #[inline(always)]
    fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
        G::open(self, data, tag)
    }
}

/// Bytes of data that one call of the kernels makes the keystream for, beside block 0.
const ONE_CALL: usize = 1024;

/// A message whose first blocks of keystream are made beside block 0; up to `AHEAD` bytes are kept for decryption.
struct Beside<'a, G: AeadKeystream, const AHEAD: usize>(&'a PolyMessage<'a, G>);

impl<G: AeadKeystream + FirstBlock, const AHEAD: usize> Message for Beside<'_, G, AHEAD> {
    type Keystream = BufferedKeystream<G, AHEAD>;
    type Authenticator = Poly1305;
    type Tag = [u8; 16];

    const COVERS: Covers = Covers::Ciphertext;

    #[inline(always)]
    fn check_lengths(&self, len: usize) -> Result<(), Error> {
        self.0.check_lengths(len)
    }

    #[inline(always)]
    fn keystream(&self) -> Self::Keystream {
        BufferedKeystream::new(G::new(self.0.aead.cipher, &self.0.aead.key, self.0.nonce))
    }

    #[inline(always)]
    fn authenticator(&self, keystream: &Self::Keystream) -> Self::Authenticator {
        Poly1305::with_token(keystream.block_0(), self.0.aead.authenticator)
    }

    #[inline(always)]
    fn begin(&self, authenticator: &mut Self::Authenticator, len: usize) {
        self.0.begin(authenticator, len);
    }

    #[inline(always)]
    fn tag(&self, authenticator: &mut Self::Authenticator, _: &mut Self::Keystream, len: usize) -> [u8; 16] {
        tag(authenticator, self.0.associated_data, len)
    }

    #[inline(always)]
    fn seal(&self, data: InOutBuf<'_, '_, u8>) -> [u8; 16] {
        encrypt(self, data)
    }

    #[inline(always)]
    fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
        decrypt(self, data, tag)
    }
}

/// Blocks of keystream that can be made beside the authentication of what there is of the message by then.
pub(crate) trait BesideTag: FirstBlock {
    /// The lengths of messages, in bytes, that are sealed so in less time.
    const SEALED: Range<usize>;
    /// The lengths of messages, in bytes, that are opened so in less time.
    const OPENED: Range<usize>;

    /// Encrypts the data from block 1 on, and returns the tag. Block 0 and the block in which the data end are stored.
    fn seal(&self, blocks: [&mut [u8; 64]; 2], data: InOutBuf<'_, '_, u8>, associated_data: &[u8]) -> [u8; 16];

    /// Decrypts the data if the tag is right, and returns whether it is. The blocks are those of [`seal`](Self::seal).
    fn open(
        &self,
        blocks: [&mut [u8; 64]; 2],
        data: InOutBuf<'_, '_, u8>,
        associated_data: &[u8],
        tag: &[u8; 16],
    ) -> bool;
}

/// Encrypts with block 0 beside the first blocks, where the backend can.
#[inline(always)]
pub(crate) fn seal_beside<G: AeadKeystream + BesideTag>(
    message: &PolyMessage<'_, G>,
    data: InOutBuf<'_, '_, u8>,
) -> [u8; 16] {
    if !G::has_first_block(message.aead.cipher) {
        return encrypt(message, data);
    }
    let beside = Beside::<G, 0>(message);
    if data.len() > ONE_CALL {
        return encrypt(&beside, data);
    }
    let mut data = data;
    let mut keystream = beside.keystream();
    if !G::SEALED.contains(&data.len()) {
        keystream.begin_applying(data.reborrow());
        return message.short_tag(keystream.block_0(), data.get_out());
    }
    keystream.by(|keystream, blocks| BesideTag::seal(keystream, blocks, data, message.associated_data))
}

/// Checks the tag, and decrypts likewise.
///
/// # Errors
/// The tag is wrong; nothing is written then.
#[inline(always)]
pub(crate) fn open_beside<G: AeadKeystream + BesideTag>(
    message: &PolyMessage<'_, G>,
    data: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    if !G::has_first_block(message.aead.cipher) {
        return decrypt(message, data, tag);
    }
    if G::OPENED.contains(&data.len()) {
        let tag = tag.try_into().map_err(|_| Error)?;
        let mut keystream = Beside::<G, 0>(message).keystream();
        let opened =
            keystream.by(|keystream, blocks| BesideTag::open(keystream, blocks, data, message.associated_data, tag));
        return if opened { Ok(()) } else { Err(Error) };
    }
    // What is kept is erased, all of it.
    let beside = Beside::<G, ONE_CALL>(message);
    if data.len() <= ONE_CALL { open_short(&beside, data, tag) } else { decrypt(&beside, data, tag) }
}

/// Decrypts a message of which one call makes all the keystream.
#[inline(always)]
fn open_short<G: AeadKeystream + FirstBlock, const AHEAD: usize>(
    message: &Beside<'_, G, AHEAD>,
    data: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    let mut keystream = message.keystream();
    keystream.begin(data.len());
    if !ct::equal(&message.0.short_tag(keystream.block_0(), data.get_in()), tag) {
        return Err(Error);
    }
    keystream.apply(data);
    Ok(())
}

/// The tag, after `len` bytes of data.
#[inline(always)]
fn tag(authenticator: &mut Poly1305, associated_data: &[u8], len: usize) -> [u8; 16] {
    authenticator.update_padded(&[]);
    authenticator.update(&lengths(associated_data, len));
    authenticator.tag()
}

impl Authenticator for Poly1305 {
    #[inline(always)]
    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// Whether there is keystream for a message of `len` bytes. Block 0 is not for data; for some ciphers it is among those
/// that `Generator` counts.
fn fits<G: Generator>(len: usize) -> bool {
    len.div_ceil(size_of::<G::Block>()) as u64 <= G::BLOCKS - (1 - G::FIRST)
}

/// The bytes after the ciphertext.
fn lengths(associated_data: &[u8], len: usize) -> [u8; 16] {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&(associated_data.len() as u64).to_le_bytes());
    block[8..].copy_from_slice(&(len as u64).to_le_bytes());
    block
}

impl<G: AeadKeystream> Drop for StreamPoly1305<G> {
    fn drop(&mut self) {
        self.key.fill(0);
        zeroize::optimization_barrier(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chacha::ChaChaBlocks;

    /// Block 0 is the authenticator's, so that one less than 2^32 are for data.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn messages_end_with_the_counter() {
        let longest = (1 << 38) - 64;
        let fits = fits::<ChaChaBlocks<20>>;
        assert!(fits(longest) && !fits(longest + 1) && !fits(usize::MAX));
    }
}
