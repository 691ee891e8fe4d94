//! Block ciphers in the modes ECB, CBC and XTS, by name.

use super::{Error, Placed, algorithms, check_length, clone_boxes, in_out, place, sized};
use crate::modes::cbc::{CbcCipher, CbcKeyInit, Decryptor, Encryptor};
use crate::stack::erased_making;
use crate::{Backend, Unsupported};
use alloc::boxed::Box;
use cipher::typenum::Unsigned;
use cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, InOutBuf,
    InnerIvInit, Key, KeyInit, KeySizeUser,
};
use core::fmt;
use core::mem::MaybeUninit;

#[cfg(feature = "kalyna")]
use crate::kalyna::{self, Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
#[cfg(feature = "sm4")]
use crate::sm4::{self, Sm4};

algorithms! {
    /// A block cipher in ECB, CBC or XTS mode. None of them authenticates: most programs want an AEAD.
    ///
    /// ECB reveals which blocks of a message are equal, and is for protocols that require it. An IV of CBC must be
    /// unpredictable; that of XTS is the number of a data unit, such as a disk's sector.
    BlockModeAlgorithm, "block mode":
    /// NIST SP 800-38A, GB/T 17964-2021; reveals equal blocks
    "sm4" Sm4Ecb "sm4-ecb" ecb!(Sm4, sm4::BACKENDS);
    /// NIST SP 800-38A, GB/T 17964-2021
    "sm4" Sm4Cbc "sm4-cbc" cbc!(Sm4, sm4::BACKENDS);
    /// IEEE 1619, NIST SP 800-38E
    "sm4" Sm4Xts "sm4-xts" xts!(Sm4, 32, sm4::BACKENDS, sm4_xts::<false>);
    /// GB/T 17964-2021, whose tweaks differ from IEEE 1619's
    "sm4" Sm4XtsGb "sm4-xts-gb" xts!(Sm4, 32, sm4::BACKENDS, sm4_xts::<true>);
    /// DSTU 7624:2014, block of 128 bits, key of 128; reveals equal blocks
    "kalyna" Kalyna128_128Ecb "kalyna128-128-ecb" ecb!(Kalyna128_128, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 256; reveals equal blocks
    "kalyna" Kalyna128_256Ecb "kalyna128-256-ecb" ecb!(Kalyna128_256, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 256; reveals equal blocks
    "kalyna" Kalyna256_256Ecb "kalyna256-256-ecb" ecb!(Kalyna256_256, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 512; reveals equal blocks
    "kalyna" Kalyna256_512Ecb "kalyna256-512-ecb" ecb!(Kalyna256_512, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 512 bits, key of 512; reveals equal blocks
    "kalyna" Kalyna512_512Ecb "kalyna512-512-ecb" ecb!(Kalyna512_512, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 128
    "kalyna" Kalyna128_128Cbc "kalyna128-128-cbc" cbc!(Kalyna128_128, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 256
    "kalyna" Kalyna128_256Cbc "kalyna128-256-cbc" cbc!(Kalyna128_256, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 256
    "kalyna" Kalyna256_256Cbc "kalyna256-256-cbc" cbc!(Kalyna256_256, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 256 bits, key of 512
    "kalyna" Kalyna256_512Cbc "kalyna256-512-cbc" cbc!(Kalyna256_512, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 512 bits, key of 512
    "kalyna" Kalyna512_512Cbc "kalyna512-512-cbc" cbc!(Kalyna512_512, kalyna::BACKENDS);
    /// DSTU 7624:2014, block of 128 bits, key of 128
    "kalyna" Kalyna128_128Xts "kalyna128-128-xts" xts!(Kalyna128_128, 16, kalyna::BACKENDS, dstu_xts::<Kalyna128_128>);
    /// DSTU 7624:2014, block of 128 bits, key of 256
    "kalyna" Kalyna128_256Xts "kalyna128-256-xts" xts!(Kalyna128_256, 32, kalyna::BACKENDS, dstu_xts::<Kalyna128_256>);
    /// DSTU 7624:2014, block of 256 bits, key of 256
    "kalyna" Kalyna256_256Xts "kalyna256-256-xts" xts!(Kalyna256_256, 32, kalyna::BACKENDS, dstu_xts::<Kalyna256_256>);
    /// DSTU 7624:2014, block of 256 bits, key of 512
    "kalyna" Kalyna256_512Xts "kalyna256-512-xts" xts!(Kalyna256_512, 64, kalyna::BACKENDS, dstu_xts::<Kalyna256_512>);
    /// DSTU 7624:2014, block of 512 bits, key of 512
    "kalyna" Kalyna512_512Xts "kalyna512-512-xts" xts!(Kalyna512_512, 64, kalyna::BACKENDS, dstu_xts::<Kalyna512_512>);
}

/// Makes the object from a key.
type New = fn(BlockModeAlgorithm, &[u8], Option<Backend>) -> Result<Box<dyn BlockMode>, Error>;

/// The same in memory that the caller provides.
type NewIn = for<'m> fn(
    BlockModeAlgorithm,
    &[u8],
    Option<Backend>,
    &'m mut [MaybeUninit<u8>],
) -> Result<Placed<'m, dyn BlockMode>, Error>;

/// What the table holds of an algorithm.
struct Entry {
    key_size: usize,
    iv_size: usize,
    block_size: usize,
    whole_blocks: bool,
    backends: &'static [Backend],
    mode: New,
    memory_size: usize,
    mode_in: NewIn,
}

/// Makes a mode from a key, on the backend given or on the best.
type Maker<M> = fn(&[u8], Option<Backend>) -> Result<M, Error>;

const fn memory_size<M>(_: Maker<M>) -> usize {
    Placed::<Keyed<M>>::SIZE
}

fn boxed<M: Mode>(
    make: Maker<M>,
    algorithm: BlockModeAlgorithm,
    key: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn BlockMode>, Error> {
    erased_making::<M, _>(|| Ok(Box::new(Keyed { algorithm, mode: make(key, backend)? }) as Box<dyn BlockMode>))
}

fn placed<'m, M: Mode>(
    make: Maker<M>,
    algorithm: BlockModeAlgorithm,
    key: &[u8],
    backend: Option<Backend>,
    memory: &'m mut [MaybeUninit<u8>],
) -> Result<Placed<'m, dyn BlockMode>, Error> {
    let object = erased_making::<M, _>(|| place(memory, Keyed { algorithm, mode: make(key, backend)? }))?;
    Ok(object.unsized_as(|mode| mode as &mut dyn BlockMode))
}

macro_rules! entry {
    ($cipher:ty, $key_size:expr, $iv_size:expr, $whole_blocks:literal, $backends:expr, $make:expr) => {
        Entry {
            key_size: $key_size,
            iv_size: $iv_size,
            block_size: <$cipher as BlockSizeUser>::BlockSize::USIZE,
            whole_blocks: $whole_blocks,
            backends: $backends,
            mode: |algorithm, key, backend| boxed($make, algorithm, key, backend),
            memory_size: memory_size($make),
            mode_in: |algorithm, key, backend, memory| placed($make, algorithm, key, backend, memory),
        }
    };
}
use entry;

macro_rules! ecb {
    ($cipher:ty, $backends:expr) => {
        entry!($cipher, <$cipher as KeySizeUser>::KeySize::USIZE, 0, true, $backends, new_ecb::<$cipher>)
    };
}
use ecb;

macro_rules! cbc {
    ($cipher:ty, $backends:expr) => {
        entry!(
            $cipher,
            <$cipher as KeySizeUser>::KeySize::USIZE,
            <$cipher as BlockSizeUser>::BlockSize::USIZE,
            true,
            $backends,
            new_cbc::<$cipher>
        )
    };
}
use cbc;

macro_rules! xts {
    ($cipher:ty, $key_size:literal, $backends:expr, $make:expr) => {
        entry!($cipher, $key_size, <$cipher as BlockSizeUser>::BlockSize::USIZE, false, $backends, $make)
    };
}
use xts;

impl BlockModeAlgorithm {
    /// Bytes of a key; for SM4's XTS those of both keys, first that for the data and then that for the tweaks.
    pub const fn key_size(self) -> usize {
        self.entry().key_size
    }

    /// Bytes of an IV: a block, or 0 for ECB, which has none.
    pub const fn iv_size(self) -> usize {
        self.entry().iv_size
    }

    /// Bytes of a block.
    pub const fn block_size(self) -> usize {
        self.entry().block_size
    }

    /// Whether messages must be whole blocks, as in ECB and CBC. XTS takes data units of a block or more.
    pub const fn whole_blocks(self) -> bool {
        self.entry().whole_blocks
    }

    /// The mode under a key, which must be random and secret.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`]; [`Error::InvalidKey`] for SM4's XTS if both keys are equal.
    pub fn mode(self, key: &[u8], backend: Option<Backend>) -> Result<Box<dyn BlockMode>, Error> {
        check_length("key", self.key_size(), key.len())?;
        (self.entry().mode)(self, key, backend)
    }

    /// Bytes of memory that [`mode_in`](Self::mode_in) needs, at whatever address.
    pub const fn memory_size(self) -> usize {
        self.entry().memory_size
    }

    /// As [`mode`](Self::mode), in memory that the caller provides, of [`memory_size`](Self::memory_size) bytes: nothing
    /// is allocated.
    ///
    /// # Errors
    /// Those of [`mode`](Self::mode); [`Error::WrongLength`] if there is too little memory.
    pub fn mode_in<'m>(
        self,
        key: &[u8],
        backend: Option<Backend>,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Placed<'m, dyn BlockMode>, Error> {
        check_length("key", self.key_size(), key.len())?;
        (self.entry().mode_in)(self, key, backend, memory)
    }
}

/// A block cipher in a mode of operation under a key, which is erased on drop. Ciphertext is as long as plaintext.
pub trait BlockMode: fmt::Debug + Send + Sync {
    /// The algorithm.
    fn algorithm(&self) -> BlockModeAlgorithm;

    /// Encrypts a message or a data unit into `output`, which is as long.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; [`Error::NotWholeBlocks`] in ECB and CBC; [`Error::TooShort`] for a data unit of XTS of
    /// less than a block, and [`Error::TooLong`] for one of SM4's of more than 16 MiB.
    fn encrypt(&self, iv: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), Error>;

    /// The inverse of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt).
    fn decrypt(&self, iv: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), Error>;

    /// Encrypts in place.
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt).
    fn encrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error>;

    /// Decrypts in place.
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt).
    fn decrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error>;

    /// A copy under the same key.
    fn box_clone(&self) -> Box<dyn BlockMode>;
}

clone_boxes!(BlockMode);

#[derive(Clone, Copy)]
enum Direction {
    Encrypt,
    Decrypt,
}

/// A mode with its key. Lengths of outputs were checked before.
trait Mode: Clone + fmt::Debug + Send + Sync + 'static {
    fn process(&self, direction: Direction, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error>;
}

#[derive(Clone, Debug)]
struct Keyed<M> {
    algorithm: BlockModeAlgorithm,
    mode: M,
}

impl<M: Mode> Keyed<M> {
    fn process(&self, direction: Direction, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        check_length("IV", self.algorithm.iv_size(), iv.len())?;
        let (block, given) = (self.algorithm.block_size(), data.len());
        match self.algorithm.whole_blocks() {
            true if !given.is_multiple_of(block) => Err(Error::NotWholeBlocks { block, given }),
            false if given < block => Err(Error::TooShort { at_least: block, given }),
            _ => self.mode.process(direction, iv, data),
        }
    }

    fn process_to(&self, direction: Direction, iv: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.process(direction, iv, in_out(input, output)?)
    }
}

impl<M: Mode> BlockMode for Keyed<M> {
    fn algorithm(&self) -> BlockModeAlgorithm {
        self.algorithm
    }

    fn encrypt(&self, iv: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.process_to(Direction::Encrypt, iv, input, output)
    }

    fn decrypt(&self, iv: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.process_to(Direction::Decrypt, iv, input, output)
    }

    fn encrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.process(Direction::Encrypt, iv, data.into())
    }

    fn decrypt_in_place(&self, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.process(Direction::Decrypt, iv, data.into())
    }

    fn box_clone(&self) -> Box<dyn BlockMode> {
        erased_making::<M, _>(|| Box::new(self.clone()))
    }
}

/// What ECB and CBC need of a block cipher.
trait Cipher:
    CbcCipher + CbcKeyInit + KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + fmt::Debug + Send + Sync + 'static
{
}

impl<C> Cipher for C where
    C: CbcCipher + CbcKeyInit + KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + fmt::Debug + Send + Sync + 'static
{
}

fn block_cipher<C: Cipher>(key: &[u8], backend: Option<Backend>) -> Result<C, Error> {
    let key = sized::<Key<C>>("key", key)?;
    Ok(on(backend, || C::new(key), |backend| C::with_backend(key, backend))?)
}

/// A mode on the backend given, or on the best.
fn on<M>(
    backend: Option<Backend>,
    best: impl FnOnce() -> M,
    with_backend: impl FnOnce(Backend) -> Result<M, Unsupported>,
) -> Result<M, Unsupported> {
    backend.map_or_else(|| Ok(best()), with_backend)
}

#[derive(Clone, Debug)]
struct Ecb<C>(C);

fn new_ecb<C: Cipher>(key: &[u8], backend: Option<Backend>) -> Result<Ecb<C>, Error> {
    Ok(Ecb(block_cipher(key, backend)?))
}

impl<C: Cipher> Mode for Ecb<C> {
    fn process(&self, direction: Direction, _: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let (blocks, _) = data.into_chunks();
        match direction {
            Direction::Encrypt => self.0.encrypt_blocks_inout(blocks),
            Direction::Decrypt => self.0.decrypt_blocks_inout(blocks),
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
struct Cbc<C>(C);

fn new_cbc<C: Cipher>(key: &[u8], backend: Option<Backend>) -> Result<Cbc<C>, Error> {
    Ok(Cbc(block_cipher(key, backend)?))
}

impl<C: Cipher> Mode for Cbc<C> {
    fn process(&self, direction: Direction, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let iv = sized::<Block<C>>("IV", iv)?;
        let (blocks, _) = data.into_chunks();
        match direction {
            Direction::Encrypt => Encryptor::<&C>::inner_iv_init(&self.0, iv).encrypt_blocks_inout(blocks),
            Direction::Decrypt => Decryptor::<&C>::inner_iv_init(&self.0, iv).decrypt_blocks_inout(blocks),
        }
        Ok(())
    }
}

#[cfg(feature = "sm4")]
fn sm4_xts<const GB: bool>(key: &[u8], backend: Option<Backend>) -> Result<sm4::Xts<GB>, Error> {
    let key = sized::<[u8; 32]>("key", key)?;
    let made = match backend {
        Some(backend) => sm4::Xts::with_backend(key, backend),
        None => sm4::Xts::new(key),
    };
    made.map_err(|error| match error {
        sm4::XtsError::Unsupported(unsupported) => unsupported.into(),
        _ => Error::InvalidKey,
    })
}

#[cfg(feature = "sm4")]
impl<const GB: bool> Mode for sm4::Xts<GB> {
    fn process(&self, direction: Direction, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let iv = sized::<[u8; 16]>("IV", iv)?;
        match direction {
            Direction::Encrypt => self.encrypt(iv, data),
            Direction::Decrypt => self.decrypt(iv, data),
        }
        .map_err(|_| Error::TooLong)
    }
}

#[cfg(feature = "kalyna")]
fn dstu_xts<C: Kalyna>(key: &[u8], backend: Option<Backend>) -> Result<kalyna::Xts<C>, Error> {
    let key = sized::<Key<kalyna::Xts<C>>>("key", key)?;
    let mode = on(backend, || kalyna::Xts::new(key), |backend| kalyna::Xts::with_backend(key, backend))?;
    Ok(mode)
}

#[cfg(feature = "kalyna")]
impl<C: Kalyna + Clone + Send + Sync> Mode for kalyna::Xts<C> {
    fn process(&self, direction: Direction, iv: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let iv = sized::<Block<C>>("IV", iv)?;
        // Its only error is a unit of less than a block, of which there is none here.
        match direction {
            Direction::Encrypt => self.encrypt(iv, data),
            Direction::Decrypt => self.decrypt(iv, data),
        }
        .map_err(|_| Error::TooLong)
    }
}
