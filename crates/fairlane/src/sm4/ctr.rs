//! Counter mode.

use super::kernels::{BACKENDS, Cipher, Mode, bytes, to_inner};
use crate::Backend;
use crate::keystream::{Generator, Sealed, Stream};
use cipher::consts::U16;
use cipher::{Array, InOutBuf};
use fairlane_lanes::{AnyToken, BlocksN, U8xN};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SM4 in counter mode (NIST SP 800-38A, section 6.5; GB/T 17964-2021): a stream cipher with a key of 16 bytes and an
/// IV of 16.
///
/// Block i of the keystream is the encryption of IV + i, big-endian numbers modulo 2<sup>128</sup>: that of
/// `ctr::Ctr128BE`. It ends after 2<sup>64</sup> - 1 blocks, so that no counter comes twice. Under one key no two
/// messages may reach the same counter.
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

/// What [`Sm4Ctr`] makes its keystream from.
#[derive(Clone)]
pub struct CtrBlocks {
    cipher: Cipher,
    iv: u128,
}

impl Generator for CtrBlocks {
    type KeySize = U16;
    type NonceSize = U16;
    type Block = [u8; 16];

    const NAME: &'static str = "Sm4Ctr";
    const EMPTY: [u8; 16] = [0; 16];
    const FIRST: u64 = 0;
    const BLOCKS: u64 = u64::MAX;
    const BACKENDS: &'static [Backend] = BACKENDS;

    #[inline]
    fn new(token: AnyToken, key: &Array<u8, U16>, iv: &Array<u8, U16>) -> Self {
        Self { cipher: Cipher::new(token, key.as_ref()), iv: u128::from_be_bytes((*iv).into()) }
    }

    #[inline]
    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
        apply(&self.cipher, self.iv.wrapping_add(counter.into()).to_be_bytes(), data, last);
    }
}

impl Drop for CtrBlocks {
    fn drop(&mut self) {
        self.iv.zeroize();
    }
}

impl Sealed for CtrBlocks {}

impl ZeroizeOnDrop for CtrBlocks {}

/// Adds the encryptions of `first`, `first + 1`, … (big-endian, modulo 2<sup>128</sup>) to all whole blocks of `data`.
/// If a part of a block is left at the end, that stays as it is, and its block of keystream goes to `last`.
#[inline]
pub(super) fn apply(cipher: &Cipher, first: [u8; 16], data: InOutBuf<'_, '_, u8>, last: &mut [u8; 16]) {
    let (mut counter, mut rest) = (u128::from_be_bytes(first), data);
    loop {
        // Where the last 32 bits wrap, another run begins.
        let until_wrap = 16 * ((1 << 32) - u64::from(counter as u32));
        let len = until_wrap.min(rest.len() as u64);
        let (data, next) = rest.split_at(len as usize);
        cipher.run::<false>(&mut Ctr { counter, data, last });
        if next.is_empty() {
            return;
        }
        counter = counter.wrapping_add((len / 16).into());
        rest = next;
    }
}

/// Counters in, keystream out, whose last 32 bits do not wrap.
struct Ctr<'a> {
    counter: u128,
    data: InOutBuf<'a, 'a, u8>,
    /// Where the keystream for a part of a block goes.
    last: &'a mut [u8; 16],
}

impl Mode for Ctr<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.data.len().div_ceil(16)
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, _: usize) -> W {
        W::counters(token, self.counter.to_be_bytes(), from as u32)
    }

    #[inline(always)]
    fn columns<W: U8xN<N>, const N: usize>(&mut self, token: W::Token, from: usize, _: usize) -> [W; 4] {
        let word = |i: u32| W::splat_u32(token, ((self.counter >> (96 - 32 * i)) as u32).swap_bytes());
        let last = W::counter_column(token, (self.counter as u32).wrapping_add(from as u32));
        [to_inner(word(0)), to_inner(word(1)), to_inner(word(2)), to_inner(last)]
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize, output: W) {
        let whole = self.data.len() / 16;
        let range = if count <= whole { bytes::<N>(from, count) } else { bytes::<N>(from, whole) };
        let input = W::load(token, &self.data.get_in()[range.clone()]);
        input.xor(output).store(&mut self.data.get_out()[range]);
        if count > whole && (from..from + N / 16).contains(&whole) {
            let mut blocks = [0; N];
            output.store(&mut blocks);
            self.last.copy_from_slice(&blocks[16 * (whole - from)..][..16]);
            blocks = [0; N];
            zeroize::optimization_barrier(&blocks);
        }
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        self.counter = self.counter.wrapping_add(count as u128);
        let rest = core::mem::replace(&mut self.data, (&mut [][..]).into());
        let done = rest.len().min(16 * count);
        self.data = rest.split_at(done).1;
    }
}
