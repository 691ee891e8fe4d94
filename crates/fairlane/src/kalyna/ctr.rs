//! Counter mode (DSTU 7624:2014, clause 7).

use super::blocks::Kalyna;
use super::kernels::BACKENDS;
use crate::Backend;
use crate::keystream::{self, Blocks, Generator, Stream, StreamKey};
use cipher::typenum::Unsigned;
use cipher::{Array, Block, InOutBuf};
use core::borrow::Borrow;
use fairlane_lanes::AnyToken;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Kalyna in counter mode as DSTU 7624:2014 defines it (clause 7): a stream cipher with an IV of one block.
///
/// **This is not NIST's mode**: it counts from the encrypted IV, and the counter is the whole block, little-endian.
/// Block i of the keystream, from 1 on, is T(T(IV) + i). It ends after 2<sup>64</sup> - 1 blocks. An IV must never be
/// used for two messages under one key.
///
/// ```
/// use fairlane::cipher::{KeyIvInit, StreamCipher};
/// use fairlane::kalyna::{Ctr, Kalyna128_256};
///
/// let mut data = *b"a message";
/// Ctr::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_ne!(&data, b"a message");
/// Ctr::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_eq!(&data, b"a message");
/// ```
pub type Ctr<C> = Stream<CtrBlocks<C>>;

/// A key of [`Ctr`] for many IVs.
pub type CtrKey<C> = StreamKey<CtrBlocks<C>>;

/// A key, its own or borrowed, and an IV, from which [`Ctr`] makes its keystream.
#[derive(Clone)]
pub struct CtrBlocks<C: Kalyna, K = C> {
    cipher: K,
    begin: Begin<C>,
}

/// The encrypted IV.
#[derive(Clone)]
struct Begin<C: Kalyna>(Block<C>);

impl<C: Kalyna> Begin<C> {
    #[inline]
    fn new(cipher: &C, iv: &Block<C>) -> Self {
        let mut begin = Self(iv.clone());
        cipher.encrypt_block(&mut begin.0);
        begin
    }
}

impl<C: Kalyna, K: Borrow<C> + Clone> Blocks for CtrBlocks<C, K> {
    type Block = Block<C>;

    const NAME: &'static str = "KalynaCtr";
    const EMPTY: Block<C> = C::ZERO;
    const FIRST: u64 = 1;
    const BLOCKS: u64 = u64::MAX;

    #[inline]
    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut Block<C>) {
        self.cipher.borrow().ctr(&self.begin.0, C::BlockSize::USIZE, number, data, last);
    }
}

impl<C: Kalyna> Generator for CtrBlocks<C> {
    type KeySize = C::KeySize;
    type NonceSize = C::BlockSize;
    type ReadyKey = C;
    type Keyed<'k> = CtrBlocks<C, &'k C>;

    const BACKENDS: &'static [Backend] = BACKENDS;

    #[inline]
    fn new(token: AnyToken, key: &Array<u8, C::KeySize>, iv: &Array<u8, C::BlockSize>) -> Self {
        Self::with_cipher(Self::ready_key(token, key), iv)
    }

    #[inline]
    fn ready_key(token: AnyToken, key: &Array<u8, C::KeySize>) -> C {
        C::with_backend(key, token.narrow(BACKENDS).backend()).expect("narrowed to a backend of Kalyna")
    }

    #[inline]
    fn keyed<'k>(cipher: &'k C, iv: &Array<u8, C::BlockSize>) -> CtrBlocks<C, &'k C> {
        CtrBlocks { cipher, begin: Begin::new(cipher, iv) }
    }
}

impl<C: Kalyna> CtrBlocks<C> {
    #[inline]
    fn with_cipher(cipher: C, iv: &Block<C>) -> Self {
        let begin = Begin::new(&cipher, iv);
        Self { cipher, begin }
    }
}

impl<C: Kalyna> Ctr<C> {
    /// The stream of an IV with a cipher that has its key already.
    #[inline]
    pub fn with_cipher(cipher: C, iv: &Block<C>) -> Self {
        Self::from_blocks(CtrBlocks::with_cipher(cipher, iv))
    }
}

impl<C: Kalyna> Drop for Begin<C> {
    #[inline]
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<C: Kalyna, K> keystream::Sealed for CtrBlocks<C, K> {}

/// The parts erase themselves.
impl<C: Kalyna, K> ZeroizeOnDrop for CtrBlocks<C, K> {}
