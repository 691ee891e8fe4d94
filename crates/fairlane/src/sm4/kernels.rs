//! SM4's kernels for each backend: they process all blocks of a mode.
//!
//! | backend | few blocks | many blocks |
//! | --- | --- | --- |
//! | `scalar` | 16, bitsliced in integers | the same |
//! | `avx2-aes` | 4, 8 or 16, word-sliced | 32, byte-sliced in 256 bits |
//! | `avx2-gfni` | the same | the same |
//! | `avx512-gfni` | 4, word-sliced in 128 bits, or 16 or 32 in 512 bits | 64, word-sliced |
//! | `sm4-ni` | 1 or 8, in the order of memory (`ni`) | 16 |
//! | `neon-aes` | 4 or 8, word-sliced | 16, byte-sliced |

use super::bitsliced;
use super::ni;
use super::rounds::{self, ByteSlicedKeys, Keys, from_inner, to_inner};
use super::sbox::IN;
use crate::modes::Mode;
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Backend, BlocksN, Kernel, Scalar, Token, U8x16, U8x16Aes, U8x16Gfni, U8x16Scalar, U8x16Vl, U8x32Aes,
    U8x32Gfni, U8x64, U8xN,
};

/// The backends of SM4, best first. `sm4-ni` has to be asked for, where there is another: nobody has run it yet.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Gfni, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::Sm4Ni, Backend::NeonAes, Backend::Scalar];

/// The round keys of a key, and the backend that they are for.
#[derive(Clone)]
pub(super) struct Cipher {
    pub(super) token: AnyToken,
    /// On the backends `scalar` and `sm4-ni` those of the standard.
    pub(super) keys: Keys,
}

impl Cipher {
    /// Makes the round keys where they stay: in a copy, loads would wait for the narrow stores of the key schedule.
    #[inline]
    pub(super) fn new(token: AnyToken, key: &[u8; 16]) -> Self {
        let mut cipher = Self { token, keys: [0; 32] };
        schedule(token, key, &mut cipher.keys);
        cipher
    }

    /// Encrypts or decrypts all blocks of a mode.
    #[inline(always)]
    pub(super) fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        let keys = &self.keys;
        match self.token {
            AnyToken::Sm4Ni(token) => ni::run::<U8x32Gfni, U8x16Gfni, DECRYPT>(token, keys, mode),
            AnyToken::Avx512Gfni(token) => {
                if mode.remaining() > 16 * 32 {
                    token.run(WordSliced::<U8x64, _, 64, 4, DECRYPT>::new(keys, mode, 32));
                }
                if mode.remaining() > 16 * 16 {
                    token.run(WordSliced::<U8x64, _, 64, 2, DECRYPT>::new(keys, mode, 16));
                }
                if mode.remaining() > 16 * 4 {
                    token.run(WordSliced::<U8x64, _, 64, 1, DECRYPT>::new(keys, mode, 4));
                }
                if mode.remaining() > 0 {
                    token.run(WordSliced::<U8x16Vl, _, 16, 1, DECRYPT>::new(keys, mode, 0));
                }
            }
            AnyToken::Avx2Gfni(token) => avx2::<U8x32Gfni, U8x16Gfni, DECRYPT>(token, keys, mode),
            AnyToken::Avx2Aes(token) => avx2::<U8x32Aes, U8x16Aes, DECRYPT>(token, keys, mode),
            AnyToken::NeonAes(token) => {
                if mode.remaining() > 16 * 8 {
                    token.run(ByteSliced::<U8x16, U8x16, _, 16, DECRYPT>::new(keys, mode, 8));
                }
                if mode.remaining() > 16 * 4 {
                    token.run(WordSliced::<U8x16, _, 16, 2, DECRYPT>::new(keys, mode, 4));
                }
                if mode.remaining() > 0 {
                    token.run(WordSliced::<U8x16, _, 16, 1, DECRYPT>::new(keys, mode, 0));
                }
            }
            _ => scalar::<DECRYPT>(keys, mode),
        }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        self.keys = [0; 32];
        zeroize::optimization_barrier(&self.keys);
    }
}

/// The kernels for words `W` of 256 bits and `V` of 128.
#[inline(always)]
fn avx2<W: U8xN<32>, V: U8xN<16, Token = W::Token>, const DECRYPT: bool>(
    token: W::Token,
    keys: &Keys,
    mode: &mut impl Mode,
) {
    if mode.remaining() > 16 * 16 {
        token.run(ByteSliced::<W, V, _, 32, DECRYPT>::new(keys, mode, 16));
    }
    if mode.remaining() > 16 * 8 {
        token.run(WordSliced::<W, _, 32, 2, DECRYPT>::new(keys, mode, 8));
    }
    if mode.remaining() > 16 * 4 {
        token.run(WordSliced::<W, _, 32, 1, DECRYPT>::new(keys, mode, 4));
    }
    if mode.remaining() > 0 {
        token.run(WordSliced::<V, _, 16, 1, DECRYPT>::new(keys, mode, 0));
    }
}

/// Round key number `r` of a direction.
#[inline(always)]
fn key<const DECRYPT: bool>(keys: &Keys, r: usize) -> u32 {
    keys[if DECRYPT { 31 - r } else { r }]
}

/// Processes sixteen blocks at a time in integers.
#[inline(never)]
fn scalar<const DECRYPT: bool>(keys: &Keys, mode: &mut impl Mode) {
    let mut planes = [[0; 8]; 32];
    for r in 0..32 {
        planes[r] = bitsliced::splat(key::<DECRYPT>(keys, r));
    }
    while mode.remaining() > 0 {
        let len = mode.remaining().min(16 * bitsliced::BLOCKS);
        let mut blocks = [[0; 16]; bitsliced::BLOCKS];
        for i in 0..len / 16 {
            mode.load::<U8x16Scalar, 16>(Scalar::PROOF, 16 * i, len).store(&mut blocks[i]);
        }
        bitsliced::crypt(&planes, &mut blocks);
        for i in (0..len / 16).rev() {
            let output = U8x16Scalar::load(Scalar::PROOF, &blocks[i]);
            mode.store::<U8x16Scalar, 16>(Scalar::PROOF, 16 * i, len, output);
        }
        mode.advance(len);
    }
    planes = [[0; 8]; 32];
    zeroize::optimization_barrier(&planes);
}

/// The key schedule.
// Not inlined, so that the kernels are compiled in this crate, once.
#[inline(never)]
fn schedule(token: AnyToken, key: &[u8; 16], keys: &mut Keys) {
    match token {
        AnyToken::Sm4Ni(token) => token.run(ni::Schedule::<U8x16Gfni>(key, keys, PhantomData)),
        AnyToken::Avx512Gfni(token) => token.run(Schedule::<U8x16Vl>(key, keys, PhantomData)),
        AnyToken::Avx2Gfni(token) => token.run(Schedule::<U8x16Gfni>(key, keys, PhantomData)),
        AnyToken::Avx2Aes(token) => token.run(Schedule::<U8x16Aes>(key, keys, PhantomData)),
        AnyToken::NeonAes(token) => token.run(Schedule::<U8x16>(key, keys, PhantomData)),
        _ => bitsliced::schedule(key, keys),
    }
}

/// The key schedule of one key in words.
struct Schedule<'a, W>(&'a [u8; 16], &'a mut Keys, PhantomData<W>);

impl<W: U8xN<16>> Kernel<W::Token> for Schedule<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let zero = W::splat_u32(token, 0);
        let key = W::transpose4([W::load(token, self.0), zero, zero, zero]);
        rounds::schedule(token, key, |i, word| {
            let mut bytes = [0; 16];
            word.store(&mut bytes);
            self.1[i] = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        });
    }
}

/// Repeats `$body` for each group `$g` below `$n`, in ascending order or `back`. It is unrolled here, because LLVM
/// would keep the words of a loop in memory.
macro_rules! groups {
    ($g:ident in $n:ident => $body:block) => { groups!(@ $g $n $body 0 1 2 3) };
    (back $g:ident in $n:ident => $body:block) => { groups!(@ $g $n $body 3 2 1 0) };
    (@ $g:ident $n:ident $body:block $($i:literal)*) => {$(
        if $i < $n {
            let $g = $i;
            $body
        }
    )*};
}
pub(super) use groups;

/// Word-sliced batches of `G` times `N / 4` blocks, until no more than `leave` blocks are left.
pub(super) struct WordSliced<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> WordSliced<'a, W, M, N, G, DECRYPT> {
    #[inline(always)]
    pub(super) fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, word: PhantomData }
    }
}

impl<W: U8xN<N>, M: Mode, const N: usize, const G: usize, const DECRYPT: bool> Kernel<W::Token>
    for WordSliced<'_, W, M, N, G, DECRYPT>
{
    type Output = ();
    const SPILLS: bool = G > 1 || N < 64;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, leave, .. } = self;
        let (group, batch) = (4 * N, 4 * N * G);
        while mode.remaining() > 16 * leave {
            // The code around the rounds is there twice: for whole batches it needs no comparisons.
            let whole = mode.remaining() >= batch;
            let len = mode.remaining().min(batch);
            let mut x = [[W::splat_u32(token, 0); 4]; G];
            if whole {
                groups!(g in G => { x[g] = mode.load_transposed::<W, N, IN>(token, group * g, batch); });
            } else {
                groups!(g in G => { x[g] = mode.load_transposed::<W, N, IN>(token, group * g, len); });
            }
            rounds::word_sliced(|r, _| W::splat_u32(token, key::<DECRYPT>(keys, r)), &mut x);
            groups!(g in G => { x[g] = W::transpose4(x[g]); });
            macro_rules! store {
                ($len:expr, $g:ident: $($i:literal)*) => {$(
                    mode.store(token, group * $g + $i * N, $len, from_inner(x[$g][$i]));
                )*};
            }
            if whole {
                groups!(back g in G => { store!(batch, g: 3 2 1 0); });
            } else {
                groups!(back g in G => { store!(len, g: 3 2 1 0); });
            }
            mode.advance(len);
        }
    }
}

/// Byte-sliced batches of `N` blocks, until no more than `leave` blocks are left.
pub(super) struct ByteSliced<'a, W, V, M, const N: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    words: PhantomData<(W, V)>,
}

impl<'a, W, V, M, const N: usize, const DECRYPT: bool> ByteSliced<'a, W, V, M, N, DECRYPT> {
    #[inline(always)]
    pub(super) fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, words: PhantomData }
    }
}

impl<W: U8xN<N>, V: U8xN<16, Token = W::Token>, M: Mode, const N: usize, const DECRYPT: bool> Kernel<W::Token>
    for ByteSliced<'_, W, V, M, N, DECRYPT>
{
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, leave, .. } = self;
        // Unrolled here for the same reason as `groups!`.
        macro_rules! words {
            ($do:ident!($len:expr): $($i:literal)*) => {$( $do!($len, $i); )*};
        }
        let mut sliced = ByteSlicedKeys::EMPTY;
        sliced.fill::<V>(token, |r| key::<DECRYPT>(keys, r));
        let batch = 16 * N;
        while mode.remaining() > 16 * leave {
            let whole = mode.remaining() >= batch;
            let len = mode.remaining().min(batch);
            let mut x = [W::splat_u32(token, 0); 16];
            macro_rules! load {
                ($len:expr, $i:literal) => {
                    x[$i] = to_inner(mode.load(token, $i * N, $len));
                };
            }
            if whole {
                words!(load!(batch): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            } else {
                words!(load!(len): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            }
            x = W::transpose16(x);
            rounds::byte_sliced(token, &sliced, &mut x);
            x = W::transpose16(x);
            macro_rules! store {
                ($len:expr, $i:literal) => {
                    mode.store(token, $i * N, $len, from_inner(x[$i]));
                };
            }
            if whole {
                words!(store!(batch): 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            } else {
                words!(store!(len): 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            }
            mode.advance(len);
        }
        sliced.erase();
    }
}
