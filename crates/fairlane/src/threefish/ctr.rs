//! Threefish-512 in counter mode.

use super::blocks::{Cipher, Threefish512};
use super::kernels::{self, BACKENDS, IndependentBlocks};
use super::rounds::{Key, Tweak, encrypt, words};
use crate::Backend;
use crate::keystream::{Blocks, Generator, Sealed, Stream, StreamKey};
use cipher::consts::U64;
use cipher::{Array, InOutBuf};
use core::borrow::Borrow;
use fairlane_lanes::{AnyToken, U64xN};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Words of a block.
const WORDS: usize = 8;

/// Threefish-512 in counter mode with a tweak of zeros: a stream cipher with a key of 64 bytes and an IV of 64.
///
/// The keystream is that of `ctr::Ctr64LE<Threefish512>` of the crate `ctr`: block i, of 64 bytes, is the encryption of
/// the IV with i added to its first eight bytes, a little-endian number modulo 2<sup>64</sup>. It ends after
/// 2<sup>64</sup> - 1 blocks. So under one key IVs must differ in their last 56 bytes, or their messages must be too
/// short for the counters to meet. No document defines this mode; it follows NIST SP 800-38A, section 6.5.
///
/// ```
/// use fairlane::cipher::{KeyIvInit, StreamCipher};
/// use fairlane::threefish::Threefish512Ctr;
///
/// let mut data = *b"a message";
/// Threefish512Ctr::new(&[7; 64].into(), &[1; 64].into()).apply_keystream(&mut data);
/// assert_ne!(&data, b"a message");
/// Threefish512Ctr::new(&[7; 64].into(), &[1; 64].into()).apply_keystream(&mut data);
/// assert_eq!(&data, b"a message");
/// ```
pub type Threefish512Ctr = Stream<CtrBlocks>;

/// A key of [`Threefish512Ctr`] for many IVs.
pub type Threefish512CtrKey = StreamKey<CtrBlocks>;

/// A key, its own or borrowed, and an IV, from which [`Threefish512Ctr`] makes its keystream.
#[derive(Clone)]
pub struct CtrBlocks<C = Threefish512> {
    cipher: C,
    iv: Iv,
}

/// The words of the first counter block.
#[derive(Clone)]
struct Iv([u64; 8]);

impl<C: Borrow<Threefish512> + Clone> Blocks for CtrBlocks<C> {
    type Block = [u8; 64];

    const NAME: &'static str = "Threefish512Ctr";
    const EMPTY: [u8; 64] = [0; 64];
    const FIRST: u64 = 0;
    const BLOCKS: u64 = u64::MAX;

    #[inline]
    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 64]) {
        apply(&self.cipher.borrow().0, &self.iv.0, counter, data, last);
    }
}

// Not generic and not inlined, so that the kernels are compiled in this crate, once.
#[inline(never)]
fn apply(cipher: &Cipher<8>, iv: &[u64; 8], counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; 64]) {
    let Cipher { token, key, tweak } = cipher;
    kernels::run(*token, Ctr { key, tweak, iv, counter, data, last: Some(last) });
}

impl Generator for CtrBlocks {
    type KeySize = U64;
    type NonceSize = U64;
    type ReadyKey = Threefish512;
    type Keyed<'k> = CtrBlocks<&'k Threefish512>;

    const BACKENDS: &'static [Backend] = BACKENDS;

    #[inline]
    fn new(token: AnyToken, key: &Array<u8, U64>, iv: &Array<u8, U64>) -> Self {
        Self { cipher: Self::ready_key(token, key), iv: Iv(words(iv)) }
    }

    #[inline]
    fn ready_key(token: AnyToken, key: &Array<u8, U64>) -> Threefish512 {
        Threefish512(Cipher::new(token, key))
    }

    #[inline]
    fn keyed<'k>(cipher: &'k Threefish512, iv: &Array<u8, U64>) -> CtrBlocks<&'k Threefish512> {
        CtrBlocks { cipher, iv: Iv(words(iv)) }
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

/// Data to which the keystream is added. A part of a block at its end stays as it is, and its block of keystream goes
/// to `last`.
struct Ctr<'a> {
    key: &'a Key<8>,
    tweak: &'a Tweak,
    iv: &'a [u64; 8],
    counter: u64,
    data: InOutBuf<'a, 'a, u8>,
    last: Option<&'a mut [u8; 64]>,
}

impl IndependentBlocks for Ctr<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.data.len().div_ceil(64)
    }

    #[inline(always)]
    fn split(self, at: usize) -> (Self, Self) {
        let Self { key, tweak, iv, counter, data, last } = self;
        let (last, rest_last) = if at == data.len().div_ceil(64) { (last, None) } else { (None, last) };
        let bytes = data.len().min(64 * at);
        let (data, rest) = data.split_at(bytes);
        let rest_counter = counter.wrapping_add(at as u64);
        (
            Self { key, tweak, iv, counter, data, last },
            Self { key, tweak, iv, counter: rest_counter, data: rest, last: rest_last },
        )
    }

    #[inline(always)]
    fn process_next<W: U64xN<N>, const N: usize>(self, token: W::Token) -> Self {
        let count = N.min(self.blocks());
        let (Self { key, tweak, iv, counter, mut data, last }, rest) = self.split(count);
        let mut lanes = [0; N];
        for i in 0..N {
            lanes[i] = i as u64;
        }
        let first = W::splat(token, iv[0].wrapping_add(counter));
        let mut v = [first.add(W::from_array(token, lanes)); 8];
        for i in 1..8 {
            v[i] = W::splat(token, iv[i]);
        }
        encrypt::<W, N, WORDS>(token, key, tweak, &mut v);
        // N words of N blocks become N blocks of N words, in place.
        for_each_tile!(N, WORDS, from, count => {
            let rows = kernels::rows_of::<W, N, WORDS>(token, &v, from);
            for i in 0..count {
                v[from + i] = rows[i];
            }
        });
        for i in 0..N {
            let start = 64 * i;
            if start + 64 <= data.len() {
                for_each_tile!(N, WORDS, from, count => {
                    let place = start + 8 * from..start + 8 * (from + count);
                    let input = W::load(token, &data.get_in()[place.clone()]);
                    input.xor(v[from + i]).store(&mut data.get_out()[place]);
                });
            }
        }
        if let Some(last) = last
            && !data.len().is_multiple_of(64)
        {
            for i in 0..N {
                if i == count - 1 {
                    for_each_tile!(N, WORDS, from, count => {
                        v[from + i].store(&mut last[8 * from..][..8 * count]);
                    });
                }
            }
        }
        rest
    }
}
