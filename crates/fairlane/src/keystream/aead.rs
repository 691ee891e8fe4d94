//! A stream cipher and Poly1305 composed as RFC 8439, section 2.8 does.

use super::Generator;
use super::message::Keystream;
use crate::poly1305::{self, Poly1305};
use crate::{Backend, Unsupported};
use ::aead::consts::U16;
use ::aead::inout::InOutBuf;
use ::aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use cipher::Array;
use core::fmt;
use fairlane_lanes::AnyToken;
use zeroize::ZeroizeOnDrop;

/// A keystream whose block 0 is not for data, or need not be, so that it can give the authenticator's key.
pub trait AeadKeystream: Generator {
    /// The AEAD's name.
    const AEAD: &'static str;
}

/// Authenticated encryption with associated data: a stream cipher from block 1 on, and Poly1305 (tag of 16 bytes) under a
/// key from the first 32 bytes of block 0.
///
/// The tag covers the associated data and the ciphertext, each padded with zeros to a multiple of 16 bytes, and their
/// lengths as 64-bit numbers. A nonce must never be used twice under one key. With a wrong tag `decrypt` and its kin
/// are an [`Error`], and what they were given to write to is as it was.
///
/// The key is erased on drop. The backends are those of [`Poly1305`].
#[derive(Clone)]
pub struct StreamPoly1305<G: AeadKeystream> {
    cipher: AnyToken,
    authenticator: AnyToken,
    key: Array<u8, G::KeySize>,
}

impl<G: AeadKeystream> StreamPoly1305<G> {
    /// The cipher on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or the authenticator has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(poly1305::BACKENDS, backend).map(|token| Self::with_token(key, token))
    }

    fn with_token(key: &Key<Self>, authenticator: AnyToken) -> Self {
        let cipher = match authenticator {
            // Products are nothing to the cipher.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Ifma(token) => AnyToken::Avx512(token.into()),
            other => other,
        };
        Self { cipher, authenticator, key: key.clone() }
    }
}

/// # Errors
/// There is no keystream for so many bytes. Block 0 is not for data; for some ciphers it is among those that `Generator`
/// counts.
fn fits<G: Generator>(len: usize) -> Result<(), Error> {
    if len.div_ceil(size_of::<G::Block>()) as u64 <= G::BLOCKS - (1 - G::FIRST) { Ok(()) } else { Err(Error) }
}

/// The bytes after the ciphertext.
fn lengths(associated_data: &[u8], len: usize) -> [u8; 16] {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&(associated_data.len() as u64).to_le_bytes());
    block[8..].copy_from_slice(&(len as u64).to_le_bytes());
    block
}

impl<G: AeadKeystream> AeadInOut for StreamPoly1305<G> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        let len = data.len();
        fits::<G>(len)?;
        // Both are made where they stay: a copy would be waited for.
        let mut keystream = Keystream::new(G::new(self.cipher, &self.key, nonce));
        keystream.begin(len);
        let mut poly = Poly1305::with_token(keystream.block_0(), self.authenticator);
        poly.update_padded(associated_data);
        keystream.apply(data, |ciphertext| poly.update(ciphertext));
        poly.update_padded(&[]);
        poly.update(&lengths(associated_data, len));
        Ok(poly.tag().into())
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let len = data.len();
        fits::<G>(len)?;
        let mut keystream = Keystream::new(G::new(self.cipher, &self.key, nonce));
        keystream.begin(len);
        let mut poly = Poly1305::with_token(keystream.block_0(), self.authenticator);
        poly.update_padded(associated_data);
        poly.update_padded(data.get_in());
        poly.update(&lengths(associated_data, len));
        poly.check(tag.as_ref()).map_err(|_| Error)?;
        keystream.apply(data, |_| ());
        Ok(())
    }
}

impl<G: AeadKeystream> AeadCore for StreamPoly1305<G> {
    type NonceSize = G::NonceSize;
    type TagSize = U16;

    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<G: AeadKeystream> KeySizeUser for StreamPoly1305<G> {
    type KeySize = G::KeySize;
}

impl<G: AeadKeystream> KeyInit for StreamPoly1305<G> {
    fn new(key: &Key<Self>) -> Self {
        Self::with_token(key, AnyToken::best(poly1305::BACKENDS))
    }
}

/// Shows no secret.
impl<G: AeadKeystream> fmt::Debug for StreamPoly1305<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(G::AEAD).finish_non_exhaustive()
    }
}

impl<G: AeadKeystream> Drop for StreamPoly1305<G> {
    fn drop(&mut self) {
        self.key.fill(0);
        zeroize::optimization_barrier(&self.key);
    }
}

impl<G: AeadKeystream> ZeroizeOnDrop for StreamPoly1305<G> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chacha::Blocks;

    /// Block 0 is the authenticator's, so that one less than 2^32 are for data.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn messages_end_with_the_counter() {
        let longest = (1 << 38) - 64;
        let fits = |len| fits::<Blocks<20>>(len).is_ok();
        assert!(fits(longest) && !fits(longest + 1) && !fits(usize::MAX));
    }
}
