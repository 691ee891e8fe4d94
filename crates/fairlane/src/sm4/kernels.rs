//! The shells: SM4 around a mode, compiled for each backend.
//!
//! | backend | few blocks | many blocks |
//! | --- | --- | --- |
//! | `scalar` | 16 bit-sliced in integers | one group after the other |
//! | `avx2-aes` | × 4, 8 or 16 in columns | × 32 in slices, 256 bits |
//! | `avx2-gfni` | the same | the same |
//! | `avx512-gfni` | × 4 in columns of 128 bits, × 16 or 32 in 512 | × 64 in columns |
//! | `sm4-ni` | × 1 or 8 as they lie in memory (`ni`) | × 16 |
//! | `neon-aes` | × 4 or 8 in columns | × 16 in slices |

use super::bits;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::ni;
pub(super) use super::rounds::to_inner;
use super::rounds::{self, Keys, SlicedKeys, from_inner};
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U8x16;
use fairlane_lanes::{AnyToken, Backend, BlocksN, Kernel, Scalar, Token, U8x16Scalar, U8xN};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{U8x16Aes, U8x16Gfni, U8x16Vl, U8x32Aes, U8x32Gfni, U8x64};

/// The backends of SM4, best first. `sm4-ni` has to be asked for, where there is another: nobody has run it yet.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Gfni, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::Sm4Ni, Backend::NeonAes, Backend::Scalar];

/// What a mode of operation does around the cipher: it gives blocks and takes what becomes of them.
///
/// A batch is loaded from its first block to its last, and stored from its last to its first.
pub(super) trait Mode {
    /// Blocks that are left.
    fn blocks(&self) -> usize;

    /// The input of the cipher for blocks `from`, `from + 1`, … of those left, as many as a word and the first `count`
    /// have.
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> W;

    /// Takes the output of the cipher for the same blocks.
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize, output: W);

    /// Goes on behind the first `count` blocks.
    fn advance(&mut self, count: usize);

    /// Four words of input, transposed.
    #[inline(always)]
    fn columns<W: U8xN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> [W; 4] {
        let a = self.load(token, from, count);
        let b = self.load(token, from + N / 16, count);
        let c = self.load(token, from + N / 8, count);
        let d = self.load(token, from + 3 * N / 16, count);
        // Before the transposition, as most ports are free then.
        W::transpose4([to_inner(a), to_inner(b), to_inner(c), to_inner(d)])
    }
}

/// Which bytes are blocks `from`, `from + 1`, … of so many, up to a word of `N` bytes.
#[inline(always)]
pub(super) fn bytes<const N: usize>(from: usize, count: usize) -> core::ops::Range<usize> {
    16 * from.min(count)..(16 * from + N).min(16 * count).max(16 * from.min(count))
}

/// A key on a backend.
#[derive(Clone)]
pub(super) struct Cipher {
    pub(super) token: AnyToken,
    /// On the backends `scalar` and `sm4-ni` as the standard has them.
    pub(super) keys: Keys,
}

impl Cipher {
    #[inline]
    pub(super) fn new(token: AnyToken, key: &[u8; 16]) -> Self {
        let mut cipher = Self { token, keys: [0; 32] };
        let keys = &mut cipher.keys;
        match token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Sm4Ni(token) => token.run(ni::Schedule::<U8x16Gfni>(key, keys, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Gfni(token) => token.run(Schedule::<U8x16Vl>(key, keys, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Gfni(token) => token.run(Schedule::<U8x16Gfni>(key, keys, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Aes(token) => token.run(Schedule::<U8x16Aes>(key, keys, PhantomData)),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::NeonAes(token) => token.run(Schedule::<U8x16>(key, keys, PhantomData)),
            _ => *keys = bits::schedule(key),
        }
        cipher
    }

    /// Does all blocks of a mode.
    #[inline]
    pub(super) fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        let keys = &self.keys;
        match self.token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Sm4Ni(token) => ni::run::<U8x32Gfni, U8x16Gfni, DECRYPT>(token, keys, mode),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Gfni(token) => {
                if mode.blocks() > 32 {
                    token.run(Columns::<U8x64, _, 64, 4, DECRYPT>::new(keys, mode, 32));
                }
                if mode.blocks() > 16 {
                    token.run(Columns::<U8x64, _, 64, 2, DECRYPT>::new(keys, mode, 16));
                }
                if mode.blocks() > 4 {
                    token.run(Columns::<U8x64, _, 64, 1, DECRYPT>::new(keys, mode, 4));
                }
                if mode.blocks() > 0 {
                    token.run(Columns::<U8x16Vl, _, 16, 1, DECRYPT>::new(keys, mode, 0));
                }
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Gfni(token) => avx2::<U8x32Gfni, U8x16Gfni, DECRYPT>(token, keys, mode),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Aes(token) => avx2::<U8x32Aes, U8x16Aes, DECRYPT>(token, keys, mode),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::NeonAes(token) => {
                if mode.blocks() > 8 {
                    token.run(Slices::<U8x16, U8x16, _, 16, DECRYPT>::new(keys, mode, 8));
                }
                if mode.blocks() > 4 {
                    token.run(Columns::<U8x16, _, 16, 2, DECRYPT>::new(keys, mode, 4));
                }
                if mode.blocks() > 0 {
                    token.run(Columns::<U8x16, _, 16, 1, DECRYPT>::new(keys, mode, 0));
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

/// Words of 256 bits and of 128.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn avx2<W: U8xN<32>, V: U8xN<16, Token = W::Token>, const DECRYPT: bool>(
    token: W::Token,
    keys: &Keys,
    mode: &mut impl Mode,
) {
    if mode.blocks() > 16 {
        token.run(Slices::<W, V, _, 32, DECRYPT>::new(keys, mode, 16));
    }
    if mode.blocks() > 8 {
        token.run(Columns::<W, _, 32, 2, DECRYPT>::new(keys, mode, 8));
    }
    if mode.blocks() > 4 {
        token.run(Columns::<W, _, 32, 1, DECRYPT>::new(keys, mode, 4));
    }
    if mode.blocks() > 0 {
        token.run(Columns::<V, _, 16, 1, DECRYPT>::new(keys, mode, 0));
    }
}

/// Round key number `r` of a direction.
#[inline(always)]
fn key<const DECRYPT: bool>(keys: &Keys, r: usize) -> u32 {
    keys[if DECRYPT { 31 - r } else { r }]
}

/// Sixteen blocks at a time.
#[inline(never)]
fn scalar<const DECRYPT: bool>(keys: &Keys, mode: &mut impl Mode) {
    let mut planes = [[0; 8]; 32];
    for r in 0..32 {
        planes[r] = bits::splat(key::<DECRYPT>(keys, r));
    }
    while mode.blocks() > 0 {
        let count = mode.blocks().min(bits::BLOCKS);
        let mut blocks = [[0; 16]; bits::BLOCKS];
        for i in 0..count {
            mode.load::<U8x16Scalar, 16>(Scalar::PROOF, i, count).store(&mut blocks[i]);
        }
        bits::crypt(&planes, &mut blocks);
        for i in (0..count).rev() {
            let output = U8x16Scalar::load(Scalar::PROOF, &blocks[i]);
            mode.store::<U8x16Scalar, 16>(Scalar::PROOF, i, count, output);
        }
        mode.advance(count);
    }
    planes = [[0; 8]; 32];
    zeroize::optimization_barrier(&planes);
}

/// Makes round keys of one key.
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

/// Does something for each group, first to last or back; spelt out, or LLVM keeps the words in memory.
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

/// Batches of `G` times `N / 4` blocks, until no more than `leave` are left.
struct Columns<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> Columns<'a, W, M, N, G, DECRYPT> {
    #[inline(always)]
    fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, word: PhantomData }
    }
}

impl<W: U8xN<N>, M: Mode, const N: usize, const G: usize, const DECRYPT: bool> Kernel<W::Token>
    for Columns<'_, W, M, N, G, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, leave, .. } = self;
        let (group, batch) = (N / 4, G * N / 4);
        while mode.blocks() > leave {
            // Two copies around the rounds, of which the first needs no comparisons.
            let whole = mode.blocks() >= batch;
            let count = mode.blocks().min(batch);
            let mut x = [[W::splat_u32(token, 0); 4]; G];
            if whole {
                groups!(g in G => { x[g] = mode.columns(token, group * g, batch); });
            } else {
                groups!(g in G => { x[g] = mode.columns(token, group * g, count); });
            }
            rounds::columns(|r, _| W::splat_u32(token, key::<DECRYPT>(keys, r)), &mut x);
            groups!(g in G => { x[g] = W::transpose4(x[g]); });
            macro_rules! store {
                ($count:expr, $g:ident: $($i:literal)*) => {$(
                    mode.store(token, group * $g + $i * N / 16, $count, from_inner(x[$g][$i]));
                )*};
            }
            if whole {
                groups!(back g in G => { store!(batch, g: 3 2 1 0); });
            } else {
                groups!(back g in G => { store!(count, g: 3 2 1 0); });
            }
            mode.advance(count);
        }
    }
}

/// Batches of `N` blocks, until no more than `leave` are left.
struct Slices<'a, W, V, M, const N: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    words: PhantomData<(W, V)>,
}

impl<'a, W, V, M, const N: usize, const DECRYPT: bool> Slices<'a, W, V, M, N, DECRYPT> {
    #[inline(always)]
    fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, words: PhantomData }
    }
}

impl<W: U8xN<N>, V: U8xN<16, Token = W::Token>, M: Mode, const N: usize, const DECRYPT: bool> Kernel<W::Token>
    for Slices<'_, W, V, M, N, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, leave, .. } = self;
        // As above.
        macro_rules! words {
            ($do:ident!($count:expr): $($i:literal)*) => {$( $do!($count, $i); )*};
        }
        let mut sliced = SlicedKeys::EMPTY;
        sliced.fill::<V>(token, |r| key::<DECRYPT>(keys, r));
        while mode.blocks() > leave {
            let whole = mode.blocks() >= N;
            let count = mode.blocks().min(N);
            let mut x = [W::splat_u32(token, 0); 16];
            macro_rules! load {
                ($count:expr, $i:literal) => {
                    x[$i] = to_inner(mode.load(token, $i * N / 16, $count));
                };
            }
            if whole {
                words!(load!(N): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            } else {
                words!(load!(count): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            }
            x = W::transpose16(x);
            rounds::slices(token, &sliced, &mut x);
            x = W::transpose16(x);
            macro_rules! store {
                ($count:expr, $i:literal) => {
                    mode.store(token, $i * N / 16, $count, from_inner(x[$i]));
                };
            }
            if whole {
                words!(store!(N): 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            } else {
                words!(store!(count): 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            }
            mode.advance(count);
        }
        sliced.erase();
    }
}
