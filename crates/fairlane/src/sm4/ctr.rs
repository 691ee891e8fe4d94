//! Counter mode.

use super::Sm4;
use super::kernels::{BACKENDS, Cipher};
use crate::Backend;
use crate::keystream::{Blocks, Generator, Sealed, Stream, StreamKey};
use crate::modes::ctr::{Counters, Ctr};
use cipher::consts::U16;
use cipher::{Array, InOutBuf};
use core::borrow::Borrow;
use fairlane_lanes::{AnyToken, BlocksN, U8xN};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SM4 in counter mode (NIST SP 800-38A, section 6.5; GB/T 17964-2021): a stream cipher with a key of 16 bytes and an
/// IV of 16.
///
/// Block i of the keystream is the encryption of IV + i, big-endian numbers modulo 2<sup>128</sup>, as in
/// `ctr::Ctr128BE`. It ends after 2<sup>64</sup> - 1 blocks, so that no counter occurs twice. Under one key no two
/// messages may use the same counter.
///
/// ```
/// use fairlane::cipher::{KeyIvInit, StreamCipher};
/// use fairlane::sm4::Sm4Ctr;
///
/// let mut data = *b"a message";
/// Sm4Ctr::new(&[7; 16].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_ne!(&data, b"a message");
/// Sm4Ctr::new(&[7; 16].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_eq!(&data, b"a message");
/// ```
pub type Sm4Ctr = Stream<CtrBlocks>;

/// A key of [`Sm4Ctr`] for many IVs.
pub type Sm4CtrKey = StreamKey<CtrBlocks>;

/// A key, its own or borrowed, and an IV, from which [`Sm4Ctr`] makes its keystream.
#[derive(Clone)]
pub struct CtrBlocks<C = Sm4> {
    cipher: C,
    iv: Iv,
}

/// The first counter, a big-endian number.
#[derive(Clone)]
struct Iv(u128);

impl From<&Array<u8, U16>> for Iv {
    #[inline]
    fn from(iv: &Array<u8, U16>) -> Self {
        Self(u128::from_be_bytes((*iv).into()))
    }
}

impl<C: Borrow<Sm4> + Clone> Blocks for CtrBlocks<C> {
    type Block = [u8; 16];

    const NAME: &'static str = "Sm4Ctr";
    const EMPTY: [u8; 16] = [0; 16];
    const FIRST: u64 = 0;
    const BLOCKS: u64 = u64::MAX;

    #[inline]
    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        let Sm4(cipher) = self.cipher.borrow();
        apply(cipher, self.iv.0.wrapping_add(counter.into()).to_be_bytes(), data, last);
    }
}

impl Generator for CtrBlocks {
    type KeySize = U16;
    type NonceSize = U16;
    type ReadyKey = Sm4;
    type Keyed<'k> = CtrBlocks<&'k Sm4>;

    const BACKENDS: &'static [Backend] = BACKENDS;

    #[inline]
    fn new(token: AnyToken, key: &Array<u8, U16>, iv: &Array<u8, U16>) -> Self {
        Self { cipher: Self::ready_key(token, key), iv: iv.into() }
    }

    #[inline]
    fn ready_key(token: AnyToken, key: &Array<u8, U16>) -> Sm4 {
        Sm4(Cipher::new(token, key.as_ref()))
    }

    #[inline]
    fn keyed<'k>(cipher: &'k Sm4, iv: &Array<u8, U16>) -> CtrBlocks<&'k Sm4> {
        CtrBlocks { cipher, iv: iv.into() }
    }
}

impl Drop for Iv {
    #[inline]
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<C> Sealed for CtrBlocks<C> {}

/// The parts erase themselves.
impl<C> ZeroizeOnDrop for CtrBlocks<C> {}

/// Adds the encryptions of `first`, `first + 1`, … (big-endian, modulo 2<sup>128</sup>) to all whole blocks of `data`.
/// If a part of a block is left at the end, that stays as it is, and its block of keystream goes to `last`.
// Not inlined, so that the kernels are compiled in this crate, once.
#[inline(never)]
pub(super) fn apply(cipher: &Cipher, first: [u8; 16], data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
    let (mut counter, mut rest) = (u128::from_be_bytes(first), data);
    loop {
        // The kernels count in the last 32 bits alone, so a new run begins where these wrap.
        let until_wrap = 16 * ((1 << 32) - u64::from(counter as u32));
        let len = until_wrap.min(rest.len() as u64);
        let (data, next) = rest.split_at(len as usize);
        apply32(cipher, counter, data, last);
        if next.is_empty() {
            return;
        }
        counter = counter.wrapping_add((len / 16).into());
        rest = next;
    }
}

/// [`apply`] with counters of which only the last 32 bits count, and wrap, as in GCM. No branch depends on `first`.
#[inline(always)]
pub(super) fn apply32(cipher: &Cipher, first: u128, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
    let last = Array::<u8, U16>::cast_from_core_mut(last);
    cipher.run::<false>(&mut Ctr { counters: BigEndian(first), data, last });
}

/// Big-endian counters whose last 32 bits wrap by themselves.
struct BigEndian(u128);

impl Counters for BigEndian {
    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        W::counters(token, self.0.to_be_bytes(), (from / 16) as u32)
    }

    #[inline(always)]
    fn load_transposed<W: U8xN<N>, const N: usize, const MAP: u64>(&mut self, token: W::Token, from: usize) -> [W; 4] {
        let word = |i: u32| W::splat_u32(token, ((self.0 >> (96 - 32 * i)) as u32).swap_bytes());
        let last = W::counter_column(token, (self.0 as u32).wrapping_add((from / 16) as u32));
        let [a, b, c] = [word(0), word(1), word(2)];
        [a.affine::<MAP, 0>(), b.affine::<MAP, 0>(), c.affine::<MAP, 0>(), last.affine::<MAP, 0>()]
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        let last = (self.0 as u32).wrapping_add((len / 16) as u32);
        self.0 = self.0 >> 32 << 32 | u128::from(last);
    }
}
