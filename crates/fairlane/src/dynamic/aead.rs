//! Authenticated encryption with associated data by name.

use super::{Error, Placed, algorithms, check_length, clone_boxes, in_out, place, sized};
use crate::stack::{AFTER_CIPHER, erased, erased_making};
use crate::{Backend, Unsupported};
use aead::array::typenum::Unsigned;
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag};
use alloc::boxed::Box;
use core::fmt;
use core::mem::MaybeUninit;

#[cfg(feature = "chacha")]
use crate::chacha::{ChaCha20Poly1305, XChaCha20Poly1305};
#[cfg(feature = "kalyna")]
use crate::kalyna::{self, Ccm, Gcm, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
#[cfg(feature = "kusumi")]
use crate::kusumi::Kusumi512Poly1305;
#[cfg(feature = "chacha")]
use crate::poly1305;
#[cfg(feature = "sm4")]
use crate::sm4::{self, Sm4Ccm, Sm4Gcm};

algorithms! {
    /// An AEAD. Kalyna's have tags of one block, and CCM's lengths four bytes.
    AeadAlgorithm, "AEAD":
    /// draft-irtf-cfrg-xchacha-03; nonces may be random
    "chacha" XChaCha20Poly1305 "xchacha20-poly1305" entry!(XChaCha20Poly1305, poly1305::BACKENDS);
    /// RFC 8439
    "chacha" ChaCha20Poly1305 "chacha20-poly1305" entry!(ChaCha20Poly1305, poly1305::BACKENDS);
    /// Nobody but its authors has analysed Kusumi-512
    "kusumi" Kusumi512Poly1305 "kusumi512-poly1305" entry!(Kusumi512Poly1305, poly1305::BACKENDS);
    /// RFC 8998; nonces must be counted
    "sm4" Sm4Gcm "sm4-gcm" entry!(Sm4Gcm, sm4::BACKENDS);
    /// RFC 8998; nonces must be counted
    "sm4" Sm4Ccm "sm4-ccm" entry!(Sm4Ccm, sm4::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 128
    "kalyna" Kalyna128_128Gcm "kalyna128-128-gcm" entry!(Gcm<Kalyna128_128>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 256
    "kalyna" Kalyna128_256Gcm "kalyna128-256-gcm" entry!(Gcm<Kalyna128_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 256
    "kalyna" Kalyna256_256Gcm "kalyna256-256-gcm" entry!(Gcm<Kalyna256_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 512
    "kalyna" Kalyna256_512Gcm "kalyna256-512-gcm" entry!(Gcm<Kalyna256_512>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 512 bits, key of 512
    "kalyna" Kalyna512_512Gcm "kalyna512-512-gcm" entry!(Gcm<Kalyna512_512>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 128
    "kalyna" Kalyna128_128Ccm "kalyna128-128-ccm" entry!(Ccm<Kalyna128_128>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 256
    "kalyna" Kalyna128_256Ccm "kalyna128-256-ccm" entry!(Ccm<Kalyna128_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 256
    "kalyna" Kalyna256_256Ccm "kalyna256-256-ccm" entry!(Ccm<Kalyna256_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 512
    "kalyna" Kalyna256_512Ccm "kalyna256-512-ccm" entry!(Ccm<Kalyna256_512>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 512 bits, key of 512
    "kalyna" Kalyna512_512Ccm "kalyna512-512-ccm" entry!(Ccm<Kalyna512_512>, kalyna::BACKENDS);
}

/// Makes the object from a key.
type New = fn(AeadAlgorithm, &[u8], Option<Backend>) -> Result<Box<dyn Aead>, Error>;

/// The same in memory that the caller provides.
type NewIn =
    for<'m> fn(AeadAlgorithm, &[u8], Option<Backend>, &'m mut [MaybeUninit<u8>]) -> Result<Placed<'m, dyn Aead>, Error>;

/// What the table holds of an algorithm.
struct Entry {
    key_size: usize,
    nonce_size: usize,
    tag_size: usize,
    backends: &'static [Backend],
    aead: New,
    memory_size: usize,
    aead_in: NewIn,
}

macro_rules! entry {
    ($aead:ty, $backends:expr) => {
        Entry {
            key_size: <$aead as KeySizeUser>::KeySize::USIZE,
            nonce_size: <$aead as AeadCore>::NonceSize::USIZE,
            tag_size: <$aead as AeadCore>::TagSize::USIZE,
            backends: $backends,
            aead: |algorithm, key, backend| {
                keyed(algorithm, key, backend, <$aead>::with_backend, |aead| Ok(Box::new(aead) as Box<dyn Aead>))
            },
            memory_size: Placed::<Keyed<$aead>>::SIZE,
            aead_in: |algorithm, key, backend, memory| {
                keyed(algorithm, key, backend, <$aead>::with_backend, |aead| {
                    Ok(place(memory, aead)?.unsized_as(|aead| aead as &mut dyn Aead))
                })
            },
        }
    };
}
use entry;

impl AeadAlgorithm {
    /// Bytes of a key.
    pub const fn key_size(self) -> usize {
        self.entry().key_size
    }

    /// Bytes of a nonce.
    pub const fn nonce_size(self) -> usize {
        self.entry().nonce_size
    }

    /// Bytes of a tag.
    pub const fn tag_size(self) -> usize {
        self.entry().tag_size
    }

    /// The AEAD under a key, which must be random and secret.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn aead(self, key: &[u8], backend: Option<Backend>) -> Result<Box<dyn Aead>, Error> {
        (self.entry().aead)(self, key, backend)
    }

    /// Bytes of memory that [`aead_in`](Self::aead_in) needs, at whatever address.
    pub const fn memory_size(self) -> usize {
        self.entry().memory_size
    }

    /// As [`aead`](Self::aead), in memory that the caller provides, of [`memory_size`](Self::memory_size) bytes: nothing
    /// is allocated.
    ///
    /// # Errors
    /// Those of [`aead`](Self::aead); [`Error::WrongLength`] if there is too little memory.
    pub fn aead_in<'m>(
        self,
        key: &[u8],
        backend: Option<Backend>,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Placed<'m, dyn Aead>, Error> {
        (self.entry().aead_in)(self, key, backend, memory)
    }
}

/// An AEAD under a key, which is erased on drop.
///
/// A nonce must never be used twice under one key. The associated data is authenticated but not encrypted.
pub trait Aead: fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> AeadAlgorithm;

    /// Encrypts `plaintext` into `sealed`, whose length is that of `plaintext` and the tag together.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::TooLong`], and with Kalyna [`Error::Empty`].
    fn seal(&self, nonce: &[u8], associated_data: &[u8], plaintext: &[u8], sealed: &mut [u8]) -> Result<(), Error>;

    /// Decrypts `sealed`, a ciphertext and its tag, into `plaintext`, which is as long as the ciphertext.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::AuthenticationFailed`].
    fn open(&self, nonce: &[u8], associated_data: &[u8], sealed: &[u8], plaintext: &mut [u8]) -> Result<(), Error>;

    /// Encrypts `data` in place, and writes the tag.
    ///
    /// # Errors
    /// Those of [`seal`](Self::seal).
    fn seal_in_place(&self, nonce: &[u8], associated_data: &[u8], data: &mut [u8], tag: &mut [u8])
    -> Result<(), Error>;

    /// Decrypts `data` in place if the tag is right.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    fn open_in_place(&self, nonce: &[u8], associated_data: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error>;

    /// A copy under the same key.
    fn box_clone(&self) -> Box<dyn Aead>;
}

clone_boxes!(Aead);

#[derive(Clone, Debug)]
struct Keyed<A> {
    algorithm: AeadAlgorithm,
    aead: A,
}

/// The object of a type, on the backend given or on the best, wherever `place` puts it.
fn keyed<A: KeyInit, P>(
    algorithm: AeadAlgorithm,
    key: &[u8],
    backend: Option<Backend>,
    with_backend: fn(&Key<A>, Backend) -> Result<A, Unsupported>,
    place: impl FnOnce(Keyed<A>) -> Result<P, Error>,
) -> Result<P, Error> {
    let key = sized::<Key<A>>("key", key)?;
    erased_making::<A, _>(|| {
        let aead = backend.map_or_else(|| Ok(A::new(key)), |backend| with_backend(key, backend))?;
        place(Keyed { algorithm, aead })
    })
}

impl<A: AeadInOut> Keyed<A> {
    fn encrypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let nonce = sized::<Nonce<A>>("nonce", nonce)?;
        check_length("tag", A::TagSize::USIZE, tag.len())?;
        let error = if data.is_empty() { Error::Empty } else { Error::TooLong };
        erased::<AFTER_CIPHER, _>(|| {
            let computed = self.aead.encrypt_inout_detached(nonce, associated_data, data).map_err(|_| error)?;
            tag.copy_from_slice(&computed);
            Ok(())
        })
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let (nonce, tag) = (sized::<Nonce<A>>("nonce", nonce)?, sized::<Tag<A>>("tag", tag)?);
        // No message of a length that the AEAD is not defined for has a right tag.
        let opened = erased::<AFTER_CIPHER, _>(|| self.aead.decrypt_inout_detached(nonce, associated_data, data, tag));
        opened.map_err(|_| Error::AuthenticationFailed)
    }
}

impl<A: AeadInOut + Clone + fmt::Debug + Send + Sync + 'static> Aead for Keyed<A> {
    fn algorithm(&self) -> AeadAlgorithm {
        self.algorithm
    }

    fn seal(&self, nonce: &[u8], associated_data: &[u8], plaintext: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        check_length("sealed message", plaintext.len().saturating_add(A::TagSize::USIZE), sealed.len())?;
        let (ciphertext, tag) = sealed.split_at_mut(plaintext.len());
        self.encrypt(nonce, associated_data, in_out(plaintext, ciphertext)?, tag)
    }

    fn open(&self, nonce: &[u8], associated_data: &[u8], sealed: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        check_length("sealed message", plaintext.len().saturating_add(A::TagSize::USIZE), sealed.len())?;
        let (ciphertext, tag) = sealed.split_at(plaintext.len());
        self.decrypt(nonce, associated_data, in_out(ciphertext, plaintext)?, tag)
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.encrypt(nonce, associated_data, data.into(), tag)
    }

    fn open_in_place(&self, nonce: &[u8], associated_data: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.decrypt(nonce, associated_data, data.into(), tag)
    }

    fn box_clone(&self) -> Box<dyn Aead> {
        erased_making::<A, _>(|| Box::new(self.clone()))
    }
}
