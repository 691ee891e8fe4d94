//! Stream ciphers, and block ciphers in counter mode, by name.

use super::{Error, Placed, algorithms, clone_boxes, in_out, place, sized};
#[cfg(feature = "threefish")]
use crate::stack::AFTER_PIECE;
use crate::stack::{AFTER_CIPHER, erased, erased_making};
use crate::{Backend, Unsupported};
use alloc::boxed::Box;
use cipher::typenum::Unsigned;
use cipher::{Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, StreamCipherError, StreamCipherSeek};
use core::fmt;
use core::mem::MaybeUninit;

#[cfg(feature = "chacha")]
use crate::chacha::{self, ChaCha8, ChaCha12, ChaCha20, XChaCha20};
#[cfg(feature = "kalyna")]
use crate::kalyna::{self, Ctr, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
#[cfg(feature = "kusumi")]
use crate::kusumi::{self, Kusumi512};
#[cfg(feature = "sm4")]
use crate::sm4::{self, Sm4Ctr};
#[cfg(feature = "threefish")]
use crate::threefish::{self, Threefish512Ctr};

algorithms! {
    /// A stream cipher, or a block cipher in counter mode. None of them authenticates.
    CipherAlgorithm, "cipher":
    /// draft-irtf-cfrg-xchacha-03; IVs may be random
    "chacha" XChaCha20 "xchacha20" entry!(XChaCha20, chacha::BACKENDS);
    /// RFC 8439
    "chacha" ChaCha20 "chacha20" entry!(ChaCha20, chacha::BACKENDS);
    /// ChaCha with 12 rounds
    "chacha" ChaCha12 "chacha12" entry!(ChaCha12, chacha::BACKENDS);
    /// ChaCha with 8 rounds, whose security margin is small
    "chacha" ChaCha8 "chacha8" entry!(ChaCha8, chacha::BACKENDS);
    /// Nobody but its authors has analysed Kusumi-512
    "kusumi" Kusumi512 "kusumi512" entry!(Kusumi512, kusumi::BACKENDS);
    /// NIST SP 800-38A, GB/T 17964-2021
    "sm4" Sm4Ctr "sm4-ctr" entry!(Sm4Ctr, sm4::BACKENDS);
    /// A little-endian counter in the first 8 bytes of the IV
    "threefish" Threefish512Ctr "threefish512-ctr" entry!(Threefish512Ctr, threefish::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 128
    "kalyna" Kalyna128_128Ctr "kalyna128-128-ctr" entry!(Ctr<Kalyna128_128>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 256
    "kalyna" Kalyna128_256Ctr "kalyna128-256-ctr" entry!(Ctr<Kalyna128_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 256
    "kalyna" Kalyna256_256Ctr "kalyna256-256-ctr" entry!(Ctr<Kalyna256_256>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 512
    "kalyna" Kalyna256_512Ctr "kalyna256-512-ctr" entry!(Ctr<Kalyna256_512>, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 512 bits, key of 512
    "kalyna" Kalyna512_512Ctr "kalyna512-512-ctr" entry!(Ctr<Kalyna512_512>, kalyna::BACKENDS);
}

/// Makes the object from a key and an IV.
type New = fn(CipherAlgorithm, &[u8], &[u8], Option<Backend>) -> Result<Box<dyn StreamCipher>, Error>;

/// The same in memory that the caller provides.
type NewIn = for<'m> fn(
    CipherAlgorithm,
    &[u8],
    &[u8],
    Option<Backend>,
    &'m mut [MaybeUninit<u8>],
) -> Result<Placed<'m, dyn StreamCipher>, Error>;

/// Makes the type from a key and an IV, on a backend.
type WithBackend<C> = fn(&Key<C>, &Iv<C>, Backend) -> Result<C, Unsupported>;

/// What the table holds of an algorithm.
struct Entry {
    key_size: usize,
    iv_size: usize,
    backends: &'static [Backend],
    cipher: New,
    memory_size: usize,
    cipher_in: NewIn,
}

macro_rules! entry {
    ($cipher:ty, $backends:expr) => {
        Entry {
            key_size: <$cipher as KeySizeUser>::KeySize::USIZE,
            iv_size: <$cipher as IvSizeUser>::IvSize::USIZE,
            backends: $backends,
            cipher: |algorithm, key, iv, backend| {
                keyed(algorithm, key, iv, backend, <$cipher>::with_backend, |cipher| {
                    Ok(Box::new(cipher) as Box<dyn StreamCipher>)
                })
            },
            memory_size: Placed::<Keyed<$cipher>>::SIZE,
            cipher_in: |algorithm, key, iv, backend, memory| {
                keyed(algorithm, key, iv, backend, <$cipher>::with_backend, |cipher| {
                    Ok(place(memory, cipher)?.unsized_as(|cipher| cipher as &mut dyn StreamCipher))
                })
            },
        }
    };
}
use entry;

impl CipherAlgorithm {
    /// Bytes of a key.
    pub const fn key_size(self) -> usize {
        self.entry().key_size
    }

    /// Bytes of an IV, which is also called a nonce.
    pub const fn iv_size(self) -> usize {
        self.entry().iv_size
    }

    /// The cipher under a key, which must be random and secret, at the beginning of the keystream of an IV, which must
    /// be used for one message only.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn cipher(self, key: &[u8], iv: &[u8], backend: Option<Backend>) -> Result<Box<dyn StreamCipher>, Error> {
        (self.entry().cipher)(self, key, iv, backend)
    }

    /// Bytes of memory that [`cipher_in`](Self::cipher_in) needs, at whatever address.
    pub const fn memory_size(self) -> usize {
        self.entry().memory_size
    }

    /// As [`cipher`](Self::cipher), in memory that the caller provides, of [`memory_size`](Self::memory_size) bytes:
    /// nothing is allocated.
    ///
    /// # Errors
    /// Those of [`cipher`](Self::cipher); [`Error::WrongLength`] if there is too little memory.
    pub fn cipher_in<'m>(
        self,
        key: &[u8],
        iv: &[u8],
        backend: Option<Backend>,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Placed<'m, dyn StreamCipher>, Error> {
        (self.entry().cipher_in)(self, key, iv, backend, memory)
    }
}

/// A stream cipher: a position in the keystream of a key and an IV. Both are erased on drop.
///
/// Encryption and decryption are the same. The result does not depend on how a message is cut into pieces.
pub trait StreamCipher: fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> CipherAlgorithm;

    /// Encrypts or decrypts the next piece of a message in place.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the keystream ends before the piece does.
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error>;

    /// Encrypts or decrypts the next piece of a message into `output`, which is as long as `input`.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::TooLong`] if the keystream ends before the piece does.
    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error>;

    /// The position in the keystream, in bytes from its beginning.
    ///
    /// # Errors
    /// [`Error::TooLong`] if it is above 2<sup>64</sup> - 1.
    fn position(&self) -> Result<u64, Error>;

    /// Moves to a position in the keystream.
    ///
    /// # Errors
    /// [`Error::TooLong`] if it is beyond the end of the keystream.
    fn seek(&mut self, position: u64) -> Result<(), Error>;

    /// A copy at the same position.
    fn box_clone(&self) -> Box<dyn StreamCipher>;
}

clone_boxes!(StreamCipher);

#[derive(Clone, Debug)]
struct Keyed<C> {
    algorithm: CipherAlgorithm,
    cipher: C,
}

/// The object of a type, on the backend given or on the best, wherever `place` puts it.
fn keyed<C: KeyIvInit, P>(
    algorithm: CipherAlgorithm,
    key: &[u8],
    iv: &[u8],
    backend: Option<Backend>,
    with_backend: WithBackend<C>,
    place: impl FnOnce(Keyed<C>) -> Result<P, Error>,
) -> Result<P, Error> {
    let (key, iv) = (sized::<Key<C>>("key", key)?, sized::<Iv<C>>("IV", iv)?);
    erased_making::<C, _>(|| {
        let cipher = backend.map_or_else(|| Ok(C::new(key, iv)), |backend| with_backend(key, iv, backend))?;
        place(Keyed { algorithm, cipher })
    })
}

impl<C> Keyed<C> {
    /// Only Threefish-512's kernels leave words of the key on the stack. To erase the others' traces would take a third
    /// of the time of 64 bytes of ChaCha20, and the object keeps the key for the next piece anyway.
    fn piece(&mut self, operation: impl FnOnce(&mut C) -> Result<(), StreamCipherError>) -> Result<(), Error> {
        #[cfg(feature = "threefish")]
        if self.algorithm == CipherAlgorithm::Threefish512Ctr {
            return erased::<AFTER_PIECE, _>(|| operation(&mut self.cipher)).map_err(|_| Error::TooLong);
        }
        operation(&mut self.cipher).map_err(|_| Error::TooLong)
    }
}

impl<C> StreamCipher for Keyed<C>
where
    C: cipher::StreamCipher + StreamCipherSeek + Clone + fmt::Debug + Send + Sync + 'static,
{
    fn algorithm(&self) -> CipherAlgorithm {
        self.algorithm
    }

    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.piece(|cipher| cipher.try_apply_keystream(data))
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        let data = in_out(input, output)?;
        self.piece(|cipher| cipher.try_apply_keystream_inout(data))
    }

    fn position(&self) -> Result<u64, Error> {
        self.cipher.try_current_pos().map_err(|_| Error::TooLong)
    }

    fn seek(&mut self, position: u64) -> Result<(), Error> {
        erased::<AFTER_CIPHER, _>(|| self.cipher.try_seek(position)).map_err(|_| Error::TooLong)
    }

    fn box_clone(&self) -> Box<dyn StreamCipher> {
        erased_making::<C, _>(|| Box::new(self.clone()))
    }
}
