//! The shells: Kalyna around a mode, compiled for each backend.
//!
//! | backend | few blocks | many blocks | constant time |
//! | --- | --- | --- | --- |
//! | `avx512-vbmi` | as they lie in memory, up to 8 columns in 512 bits, or 16 | 64 columns in rows | yes |
//! | `avx2-gfni`, `avx2-aes` | as many | 32 columns in rows | yes |
//! | `neon-aes` | as many | 16 columns in rows | yes |
//! | `scalar` | one by one, by tables | one by one | **no**; yes with the feature `constant-time` |

use super::integers;
use super::rows::{self, each};
use super::schedule::{Rounds, schedule};
use super::state::State;
use crate::Backend;
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U8x16;
use fairlane_lanes::{AnyToken, BlocksN, Kernel, RowsN, Scalar, Token, U8x16Scalar};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use {
    super::{few, few_keys},
    fairlane_lanes::{Avx512Vbmi, U8x32Aes, U8x32Gfni, U8x64Vbmi},
};

/// The backends of Kalyna, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Vbmi, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar];

/// Those of them that are not constant-time.
pub(crate) const VARIABLE_TIME: &[Backend] = if cfg!(feature = "constant-time") { &[] } else { &[Backend::Scalar] };

/// What a mode of operation does around the cipher: it gives blocks and takes what becomes of them.
pub trait Mode {
    /// Bytes of whole blocks that are left.
    fn left(&self) -> usize;

    /// The input of the cipher from byte `from` of what is left, as many bytes as a word and the first `len` have.
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W;

    /// Takes the output of the cipher for the same bytes. All of a batch is loaded before any of it is stored, from its
    /// end.
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W);

    /// Goes on behind the first `len` bytes.
    fn advance(&mut self, len: usize);
}

/// Which bytes of so many are those from `from` on, up to a word of `N`.
#[inline(always)]
pub(super) fn bytes<const N: usize>(from: usize, len: usize) -> core::ops::Range<usize> {
    from.min(len)..(from + N).min(len)
}

/// The most rounds.
const ROUNDS: usize = 18;

/// A key on a backend: for blocks of `C` columns, with the `KEYS - 1` round keys of `KEYS - 2` rounds. One more, so
/// that they are whole words of 64 bytes.
#[derive(Clone)]
pub(super) struct Cipher<const C: usize, const KEYS: usize> {
    pub(super) token: AnyToken,
    keys: [State<C>; KEYS],
    /// Those of decryption in integers, on `scalar`; zeros elsewhere.
    inverse: [State<C>; KEYS],
}

impl<const C: usize, const KEYS: usize> Cipher<C, KEYS> {
    #[inline]
    pub(super) fn new<const KEY: usize>(token: AnyToken, key: &[[u8; 8]; KEY]) -> Self {
        const { assert!(KEYS - 2 <= ROUNDS && (KEYS * C).is_multiple_of(8)) };
        let mut cipher = Self { token, keys: [[[0; 8]; C]; KEYS], inverse: [[[0; 8]; C]; KEYS] };
        let keys = &mut cipher.keys;
        match token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Vbmi(token) => token.run(FewKeys { key, keys }),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Gfni(token) => {
                schedule(key, &mut keys[..KEYS - 1], |rounds| token.run(RowsRounds::<U8x32Gfni, _, _>::new(rounds)));
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Aes(token) => {
                schedule(key, &mut keys[..KEYS - 1], |rounds| token.run(RowsRounds::<U8x32Aes, _, _>::new(rounds)));
            }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::NeonAes(token) => {
                schedule(key, &mut keys[..KEYS - 1], |rounds| token.run(RowsRounds::<U8x16, _, _>::new(rounds)));
            }
            _ => {
                schedule(key, &mut keys[..KEYS - 1], integers::rounds);
                cipher.inverse = cipher.keys;
                integers::inverse_keys(&mut cipher.inverse[..KEYS - 1]);
            }
        }
        cipher
    }

    /// Does all blocks of a mode.
    #[inline]
    pub(super) fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        let keys = &self.keys[..KEYS - 1];
        match self.token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Vbmi(token) => {
                if mode.left() > 128 {
                    in_rows::<U8x64Vbmi, 64, C, DECRYPT>(token, keys, mode, 128);
                }
                if mode.left() > 64 {
                    token.run(Few::<_, C, 2, DECRYPT> { keys, mode, leave: 64 });
                }
                if mode.left() > 0 {
                    token.run(Few::<_, C, 1, DECRYPT> { keys, mode, leave: 0 });
                }
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Gfni(token) => in_rows::<U8x32Gfni, 32, C, DECRYPT>(token, keys, mode, 0),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2Aes(token) => in_rows::<U8x32Aes, 32, C, DECRYPT>(token, keys, mode, 0),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::NeonAes(token) => in_rows::<U8x16, 16, C, DECRYPT>(token, keys, mode, 0),
            _ if DECRYPT => one_by_one::<C, true>(&self.inverse[..KEYS - 1], mode),
            _ => one_by_one::<C, false>(keys, mode),
        }
    }
}

impl<const C: usize, const KEYS: usize> Drop for Cipher<C, KEYS> {
    fn drop(&mut self) {
        (self.keys, self.inverse) = ([[[0; 8]; C]; KEYS], [[[0; 8]; C]; KEYS]);
        zeroize::optimization_barrier(self);
    }
}

/// One block after the other.
#[inline(always)]
fn one_by_one<const C: usize, const DECRYPT: bool>(keys: &[State<C>], mode: &mut impl Mode) {
    let len = 8 * C;
    while mode.left() > 0 {
        let mut block = [[0; 8]; C];
        for from in (0..len).step_by(16) {
            mode.load::<U8x16Scalar, 16>(Scalar::PROOF, from, len).store(&mut block.as_flattened_mut()[from..][..16]);
        }
        block = if C == 8 { apart::<C, DECRYPT>(keys, &block) } else { in_integers::<C, DECRYPT>(keys, &block) };
        for from in (0..len).step_by(16).rev() {
            let output = U8x16Scalar::load(Scalar::PROOF, &block.as_flattened()[from..][..16]);
            mode.store::<U8x16Scalar, 16>(Scalar::PROOF, from, len, output);
        }
        mode.advance(len);
    }
}

#[inline(always)]
fn in_integers<const C: usize, const DECRYPT: bool>(keys: &[State<C>], block: &State<C>) -> State<C> {
    if DECRYPT { integers::decrypt(keys, block) } else { integers::encrypt(keys, block) }
}

/// That out of line: eight columns leave no register for what a mode needs beside them, and took 1.2 times as long.
#[inline(never)]
fn apart<const C: usize, const DECRYPT: bool>(keys: &[State<C>], block: &State<C>) -> State<C> {
    in_integers::<C, DECRYPT>(keys, block)
}

/// The key schedule.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct FewKeys<'a, const C: usize, const KEY: usize> {
    key: &'a [[u8; 8]; KEY],
    keys: &'a mut [State<C>],
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<const C: usize, const KEY: usize> Kernel<Avx512Vbmi> for FewKeys<'_, C, KEY> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: Avx512Vbmi) {
        few_keys::schedule::<C, KEY>(token, self.key, self.keys.as_flattened_mut().as_flattened_mut());
    }
}

/// Rounds of the key schedule in rows.
struct RowsRounds<'a, W, const N: usize, const C: usize>(Rounds<'a, C>, PhantomData<W>);

impl<'a, W, const N: usize, const C: usize> RowsRounds<'a, W, N, C> {
    fn new(rounds: Rounds<'a, C>) -> Self {
        Self(rounds, PhantomData)
    }
}

impl<W: RowsN<N>, const N: usize, const C: usize> Kernel<W::Token> for RowsRounds<'_, W, N, C> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Rounds { states, add, xor, third } = self.0;
        let (states, add) = (states.as_flattened_mut().as_flattened_mut(), add.as_flattened().as_flattened());
        let xor = xor.as_flattened().as_flattened();
        for from in (0..states.len()).step_by(8 * N) {
            let len = states.len().min(from + 8 * N);
            macro_rules! word {
                ($bytes:ident, $i:ident) => {
                    W::load(token, &$bytes[bytes::<N>(from + N * $i, len)])
                };
            }
            let mut x = [W::splat_u64(token, 0); 8];
            let mut y = x;
            each!(I => x[I] = word!(states, I).add64(word!(add, I)));
            each!(I => y[I] = word!(xor, I));
            x = W::rows_from_columns(x);
            y = W::rows_from_columns(y);
            rows::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
            each!(I => x[I] = x[I].xor(y[I]));
            rows::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
            x = W::columns_from_rows(x);
            each!(I => x[I] = x[I].add64(word!(add, I)));
            if third {
                x = W::rows_from_columns(x);
                rows::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
                x = W::columns_from_rows(x);
            }
            each!(I => x[I].store(&mut states[bytes::<N>(from + N * I, len)]));
        }
    }
}

/// Round keys as rows need them, in the order of their use; erased on drop. Made and erased outside the kernel, where
/// zeros may be calls of memset.
///
/// Aligned, so that they lie in one place towards what the kernel keeps on the stack: with addresses that agree in
/// their last 12 bits loads wait for stores of other data, and the kernel took up to 1.3 times as long, as the stack's
/// depth had it.
#[repr(align(64))]
struct RowKeys {
    /// What is added to the columns before the rounds, again and again.
    first: [[u8; 8]; 8],
    /// What is added after each round, as rows: at the end nothing, as the last key is another sum.
    middle: [[u64; 8]; ROUNDS],
    /// What is added to the columns after them.
    last: [[u8; 8]; 8],
}

impl RowKeys {
    #[inline(always)]
    fn new() -> Self {
        Self { first: [[0; 8]; 8], middle: [[0; 8]; ROUNDS], last: [[0; 8]; 8] }
    }
}

impl Drop for RowKeys {
    #[inline]
    fn drop(&mut self) {
        (self.first, self.middle, self.last) = ([[0; 8]; 8], [[0; 8]; ROUNDS], [[0; 8]; 8]);
        zeroize::optimization_barrier(self);
    }
}

/// Batches of up to `8 * N` bytes in rows, two of them at a time for decryption, until no more than `leave` are left.
#[inline(always)]
fn in_rows<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[State<C>],
    mode: &mut impl Mode,
    leave: usize,
) {
    let row_keys = &mut RowKeys::new();
    token.run(Rows::<W, _, N, C, DECRYPT> { keys, row_keys, mode, leave, word: PhantomData });
}

/// The kernel of [`in_rows`].
struct Rows<'a, W, M, const N: usize, const C: usize, const DECRYPT: bool> {
    keys: &'a [State<C>],
    row_keys: &'a mut RowKeys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<W: RowsN<N>, M: Mode, const N: usize, const C: usize, const DECRYPT: bool> Kernel<W::Token>
    for Rows<'_, W, M, N, C, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, row_keys: RowKeys { first, middle, last }, mode, leave, .. } = self;
        let rounds = keys.len() - 1;
        for i in 0..8 {
            first[i] = keys[if DECRYPT { rounds } else { 0 }][i % C];
            last[i] = keys[if DECRYPT { 0 } else { rounds }][i % C];
        }
        let (first, last) = (first.as_flattened(), last.as_flattened());
        for r in 1..rounds {
            middle[r - 1] = W::transpose_columns(token, &keys[if DECRYPT { rounds - r } else { r }]);
        }
        macro_rules! load {
            ($x:ident, $from:expr, $len:ident) => {
                each!(I => {
                    let key = W::load(token, &first[N * I % 64..][..N]);
                    let input: W = mode.load(token, $from + N * I, $len);
                    $x[I] = if DECRYPT { input.sub64(key) } else { input.add64(key) };
                });
                $x = W::rows_from_columns($x);
            };
        }
        macro_rules! store {
            ($x:ident, $from:expr, $len:ident) => {
                $x = W::columns_from_rows($x);
                each!(back I => {
                    let key = W::load(token, &last[N * I % 64..][..N]);
                    mode.store(token, $from + N * I, $len, if DECRYPT { $x[I].sub64(key) } else { $x[I].add64(key) });
                });
            };
        }
        let keys = &middle[..rounds];
        while DECRYPT && mode.left() > 8 * N {
            let len = mode.left().min(16 * N);
            let mut x = [W::splat_u64(token, 0); 8];
            let mut y = x;
            load!(x, 0, len);
            load!(y, 8 * N, len);
            rows::inverse_rounds_of_two::<W, N, C>(token, &mut x, &mut y, keys);
            store!(y, 8 * N, len);
            store!(x, 0, len);
            mode.advance(len);
        }
        while mode.left() > leave {
            let len = mode.left().min(8 * N);
            let mut x = [W::splat_u64(token, 0); 8];
            load!(x, 0, len);
            rows::rounds::<W, N, C, DECRYPT>(token, &mut x, keys);
            store!(x, 0, len);
            mode.advance(len);
        }
    }
}

/// Batches of up to `G` words of 64 bytes as they lie in memory, until no more than `leave` bytes are left.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct Few<'a, M, const C: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a [State<C>],
    mode: &'a mut M,
    leave: usize,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<M: Mode, const C: usize, const G: usize, const DECRYPT: bool> Kernel<Avx512Vbmi> for Few<'_, M, C, G, DECRYPT> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: Avx512Vbmi) {
        let Self { keys, mode, leave } = self;
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        let zero = U8x64Vbmi::splat_u64(token, 0);
        while mode.left() > leave {
            let len = mode.left().min(64 * G);
            let mut x = [zero; G];
            for g in 0..G {
                x[g] = mode.load(token, 64 * g, len);
            }
            if DECRYPT {
                for g in 0..G {
                    x[g] = x[g].sub64(U8x64Vbmi::repeat(token, last));
                }
                for key in middle.iter().rev() {
                    let key = U8x64Vbmi::repeat(token, key);
                    for g in 0..G {
                        x[g] = few::inverse_round::<C>(x[g], key);
                    }
                }
                for g in 0..G {
                    x[g] = few::inverse_round::<C>(x[g], zero).sub64(U8x64Vbmi::repeat(token, first));
                }
            } else {
                for g in 0..G {
                    x[g] = x[g].add64(U8x64Vbmi::repeat(token, first));
                }
                for key in middle {
                    let key = U8x64Vbmi::repeat(token, key);
                    for g in 0..G {
                        x[g] = few::round::<C>(x[g], key);
                    }
                }
                for g in 0..G {
                    x[g] = few::round::<C>(x[g], zero).add64(U8x64Vbmi::repeat(token, last));
                }
            }
            for g in (0..G).rev() {
                mode.store(token, 64 * g, len, x[g]);
            }
            mode.advance(len);
        }
    }
}
