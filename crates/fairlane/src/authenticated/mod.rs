//! Authenticated encryption, once for all AEADs: a keystream, an authenticator, and the order of checks and writes.
//!
//! Encryption checks the lengths, adds the keystream, and returns the tag. Decryption checks the lengths, computes the
//! tag, compares it in constant time, and writes only if it is right. An AEAD says what its keystream and its
//! authenticator are by the trait [`Message`].

pub(crate) mod cbc_mac;
pub(crate) mod keystream;

use crate::ct;
use aead::Error;
use aead::inout::InOutBuf;
use keystream::MessageKeystream;

/// What the authenticator of an AEAD covers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covers {
    /// The data after encryption, as in GCM and with Poly1305.
    Ciphertext,
    /// The data before encryption, as in CCM.
    Plaintext,
}

/// A message of an AEAD: everything but its data, that is the key, the nonce and the associated data.
pub(crate) trait Message {
    /// The keystream for the message.
    type Keystream: MessageKeystream;
    /// The state of the message's authentication.
    type Authenticator: Authenticator;
    /// The tag before it is truncated.
    type Tag: AsRef<[u8]>;

    /// What the authenticator covers.
    const COVERS: Covers;

    /// Checks the lengths of the associated data and of the data, in bytes, before [`seal`](Self::seal) and
    /// [`open`](Self::open).
    ///
    /// # Errors
    /// The AEAD is not defined for these lengths.
    fn check_lengths(&self, len: usize) -> Result<(), Error>;

    /// The keystream before [`MessageKeystream::begin`]. This must be inlined, so that it is not copied.
    fn keystream(&self) -> Self::Keystream;

    /// The authenticator before any data. This must be inlined, so that it is not copied.
    fn authenticator(&self, keystream: &Self::Keystream) -> Self::Authenticator;

    /// Authenticates what comes before the data, of `len` bytes: the associated data, and in CCM the lengths.
    fn begin(&self, authenticator: &mut Self::Authenticator, len: usize);

    /// Computes the tag, after `len` bytes of data.
    fn tag(&self, authenticator: &mut Self::Authenticator, keystream: &mut Self::Keystream, len: usize) -> Self::Tag;

    /// [`encrypt`], compiled in this crate. A tag of 16 bytes is returned in registers.
    fn seal(&self, data: InOutBuf<'_, '_, u8>) -> Self::Tag;

    /// [`decrypt`], compiled in this crate.
    ///
    /// # Errors
    /// As there.
    fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error>;
}

/// A message authentication code that takes its data piece by piece.
pub(crate) trait Authenticator {
    /// Authenticates the next bytes. All but the last piece of a message's data are whole blocks of the keystream.
    fn update(&mut self, bytes: &[u8]);
}

/// Encrypts `data`, in place or from one buffer to another, and returns the tag. The lengths must have been checked.
#[inline(always)]
pub(crate) fn encrypt<M: Message>(message: &M, data: InOutBuf<'_, '_, u8>) -> M::Tag {
    let len = data.len();
    let mut keystream = message.keystream();
    let mut data = data;
    let begun = match M::COVERS {
        Covers::Ciphertext => keystream.begin_applying(data.reborrow()),
        Covers::Plaintext => {
            keystream.begin(len);
            0
        }
    };
    let mut authenticator = message.authenticator(&keystream);
    message.begin(&mut authenticator, len);
    match M::COVERS {
        Covers::Ciphertext => keystream.apply_with(begun, data, |ciphertext| authenticator.update(ciphertext)),
        Covers::Plaintext => {
            authenticator.update(data.get_in());
            keystream.apply(data);
        }
    }
    message.tag(&mut authenticator, &mut keystream, len)
}

/// Decrypts `data`, in place or from one buffer to another, if the first bytes of the message's tag are `tag`. The
/// lengths must have been checked.
///
/// # Errors
/// The tag is wrong; nothing is written then.
#[inline(always)]
pub(crate) fn decrypt<M: Message>(message: &M, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
    let len = data.len();
    let mut keystream = message.keystream();
    keystream.begin(len);
    let mut authenticator = message.authenticator(&keystream);
    message.begin(&mut authenticator, len);
    match M::COVERS {
        Covers::Ciphertext => authenticator.update(data.get_in()),
        // The data is decrypted twice, because nothing may be written before the comparison.
        Covers::Plaintext => keystream.decrypt_with(data.get_in(), |plaintext| authenticator.update(plaintext)),
    }
    let right = message.tag(&mut authenticator, &mut keystream, len);
    if !ct::equal(&right.as_ref()[..tag.len()], tag) {
        return Err(Error);
    }
    keystream.apply(data);
    Ok(())
}

/// The methods of [`Message`] that encrypt and decrypt. In an implementation for a type without type parameters they
/// are compiled in this crate, and not in each user's.
macro_rules! compiled_here {
    () => {
        #[inline(never)]
        fn seal(&self, data: InOutBuf<'_, '_, u8>) -> Self::Tag {
            $crate::authenticated::encrypt(self, data)
        }

        #[inline(never)]
        fn open(&self, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
            $crate::authenticated::decrypt(self, data, tag)
        }
    };
}
pub(crate) use compiled_here;

/// Implements the traits of `aead`, and the constructor `with_backend`, for a type whose method `message` takes a nonce
/// and associated data and returns a [`Message`].
macro_rules! impl_aead {
    (
        [$($generics:tt)*] $type:ty,
        name: $name:expr,
        key: $key:ty, nonce: $nonce:ty, tag: $tag:ty,
        new: $new:expr,
        with_backend: $with_backend:expr,
    ) => {
        impl<$($generics)*> $type {
            /// The AEAD with kernels of the backend given.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or the AEAD has no kernel for it.
            pub fn with_backend(
                key: &aead::Key<Self>,
                backend: $crate::Backend,
            ) -> Result<Self, $crate::Unsupported> {
                $with_backend(key, backend)
            }
        }

        /// Uses the best backend that this machine has.
        impl<$($generics)*> aead::KeyInit for $type {
            fn new(key: &aead::Key<Self>) -> Self {
                $new(key)
            }
        }

        impl<$($generics)*> aead::KeySizeUser for $type {
            type KeySize = $key;
        }

        impl<$($generics)*> aead::AeadCore for $type {
            type NonceSize = $nonce;
            type TagSize = $tag;

            const TAG_POSITION: aead::TagPosition = aead::TagPosition::Postfix;
        }

        impl<$($generics)*> aead::AeadInOut for $type {
            fn encrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                associated_data: &[u8],
                data: aead::inout::InOutBuf<'_, '_, u8>,
            ) -> Result<aead::Tag<Self>, aead::Error> {
                use $crate::authenticated::Message;
                let message = self.message(nonce, associated_data);
                message.check_lengths(data.len())?;
                let full = message.seal(data);
                let mut tag = aead::Tag::<Self>::default();
                let len = tag.len();
                tag.copy_from_slice(&full[..len]);
                Ok(tag)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                associated_data: &[u8],
                data: aead::inout::InOutBuf<'_, '_, u8>,
                tag: &aead::Tag<Self>,
            ) -> Result<(), aead::Error> {
                use $crate::authenticated::Message;
                let message = self.message(nonce, associated_data);
                message.check_lengths(data.len())?;
                message.open(data, tag)
            }
        }

        /// Shows no secret.
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }

        /// The parts erase themselves.
        impl<$($generics)*> zeroize::ZeroizeOnDrop for $type {}
    };
}
pub(crate) use impl_aead;
