//! Kalyna's kernels for each backend: they process all blocks of a mode.
//!
//! | backend | few blocks | many blocks | constant time |
//! | --- | --- | --- | --- |
//! | `avx512-vbmi` | in the order of memory, one, or 8 or 16 columns of 8 bytes | 64 columns, byte-sliced | yes |
//! | `avx2-gfni`, `avx2-aes` | one of 2 or 4 columns in memory's order; 8 columns | 32 columns, byte-sliced | yes |
//! | `neon-aes` | as many | 16 columns, byte-sliced | yes |
//! | `scalar` | one by one, S-boxes as conditional sums | 128 columns, bit-sliced | yes |
//! | the same with the feature `table-lookups` | one by one, by tables | one by one | **no** |

#[cfg(not(feature = "table-lookups"))]
use super::bit_sliced;
use super::byte_sliced;
use super::eight_columns::{self, RowGroups};
use super::few_blocks::InOrder;
use super::schedule::{Rounds, schedule};
use super::state::{State, each};
use super::{few_blocks, integers, schedule_avx512};
use crate::Backend;
use crate::modes::{Mode, word_range};
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Avx512Vbmi, BlocksN, Kernel, RowsN, Scalar, Token, U8x16, U8x16Aes, U8x16Gfni, U8x16Scalar, U8x16Vbmi,
    U8x32Aes, U8x32Gfni, U8x32Vbmi, U8x64Vbmi,
};

/// The backends of Kalyna, best first.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512Vbmi, Backend::Avx2Gfni, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar];

/// Those of them that are not constant-time.
pub(crate) const VARIABLE_TIME: &[Backend] = if cfg!(feature = "table-lookups") { &[Backend::Scalar] } else { &[] };

/// The most rounds.
const ROUNDS: usize = 18;

/// The round keys of a key, and the backend that they are for: blocks of `C` columns, and `KEYS - 1` round keys for
/// `KEYS - 2` rounds. There is room for one more, so that they fill whole words of 64 bytes.
#[derive(Clone)]
pub(super) struct Cipher<const C: usize, const KEYS: usize> {
    pub(super) token: AnyToken,
    keys: [State<C>; KEYS],
    /// On `scalar` the round keys of decryption; zeros elsewhere.
    inverse: [State<C>; KEYS],
}

impl<const C: usize, const KEYS: usize> Cipher<C, KEYS> {
    /// The key schedule.
    #[inline]
    pub(super) fn new<const KEY: usize>(token: AnyToken, key: &[[u8; 8]; KEY]) -> Self {
        const { assert!(KEYS - 2 <= ROUNDS && (KEYS * C).is_multiple_of(8)) };
        let mut cipher = Self { token, keys: [[[0; 8]; C]; KEYS], inverse: [[[0; 8]; C]; KEYS] };
        let keys = &mut cipher.keys;
        match token {
            AnyToken::Avx512Vbmi(token) => token.run(ScheduleAvx512 { key, keys }),
            AnyToken::Avx2Gfni(token) => byte_sliced_schedule::<U8x32Gfni, 32, C>(token, key, &mut keys[..KEYS - 1]),
            AnyToken::Avx2Aes(token) => byte_sliced_schedule::<U8x32Aes, 32, C>(token, key, &mut keys[..KEYS - 1]),
            AnyToken::NeonAes(token) => byte_sliced_schedule::<U8x16, 16, C>(token, key, &mut keys[..KEYS - 1]),
            _ => {
                schedule::<u64, C>(key, &mut keys[..KEYS - 1], integers::rounds::<u64, C>);
                cipher.inverse = cipher.keys;
                integers::inverse_keys::<u64, C>(&mut cipher.inverse[..KEYS - 1]);
            }
        }
        cipher
    }

    /// Encrypts or decrypts all blocks of a mode.
    #[inline]
    pub(super) fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        let keys = &self.keys[..KEYS - 1];
        match self.token {
            AnyToken::Avx512Vbmi(token) => {
                if mode.remaining() > 128 {
                    byte_sliced::<U8x64Vbmi, 64, C, DECRYPT>(token, keys, mode, 128);
                }
                if mode.remaining() > 64 {
                    few_blocks::<U8x64Vbmi, 64, C, 2, DECRYPT>(token, keys, mode, 64);
                }
                // One block takes a word of its length.
                match mode.remaining() {
                    0 => {}
                    16 if C == 2 => few_blocks::<U8x16Vbmi, 16, C, 1, DECRYPT>(token, keys, mode, 0),
                    32 if C == 4 => few_blocks::<U8x32Vbmi, 32, C, 1, DECRYPT>(token, keys, mode, 0),
                    _ => few_blocks::<U8x64Vbmi, 64, C, 1, DECRYPT>(token, keys, mode, 0),
                }
            }
            AnyToken::Avx2Gfni(token) => avx2::<U8x16Gfni, U8x32Gfni, C, DECRYPT>(token, keys, mode),
            AnyToken::Avx2Aes(token) => avx2::<U8x16Aes, U8x32Aes, C, DECRYPT>(token, keys, mode),
            AnyToken::NeonAes(token) => byte_sliced::<U8x16, 16, C, DECRYPT>(token, keys, mode, 0),
            _ => {
                #[cfg(not(feature = "table-lookups"))]
                bit_sliced::<C, DECRYPT>(keys, mode);
                scalar::<C, DECRYPT>(if DECRYPT { &self.inverse[..KEYS - 1] } else { keys }, mode);
            }
        }
    }
}

impl<const C: usize, const KEYS: usize> Drop for Cipher<C, KEYS> {
    fn drop(&mut self) {
        (self.keys, self.inverse) = ([[[0; 8]; C]; KEYS], [[[0; 8]; C]; KEYS]);
        zeroize::optimization_barrier(self);
    }
}

/// Up to so many bytes, eight columns at a time take less time than byte-sliced ones, which take as long for one block
/// as for 256 bytes.
const EIGHT_COLUMNS: usize = 128;

/// Processes one block of 16 or 32 bytes in the order of memory, up to [`EIGHT_COLUMNS`] bytes by eight columns, and
/// more byte-sliced.
#[inline(always)]
fn avx2<W16: InOrder<16>, W32: RowGroups + RowsN<32, Token = W16::Token>, const C: usize, const DECRYPT: bool>(
    token: W16::Token,
    keys: &[State<C>],
    mode: &mut impl Mode,
) {
    match mode.remaining() {
        16 if C == 2 => few_blocks::<W16, 16, C, 1, DECRYPT>(token, keys, mode, 0),
        32 if C == 4 => few_blocks::<W32, 32, C, 1, DECRYPT>(token, keys, mode, 0),
        0..=EIGHT_COLUMNS => eight_columns::<W32, C, DECRYPT>(token, keys, mode),
        _ => byte_sliced::<W32, 32, C, DECRYPT>(token, keys, mode, 0),
    }
}

/// Processes bit-sliced batches until so few bytes are left that block by block is faster.
#[cfg(not(feature = "table-lookups"))]
#[inline(always)]
fn bit_sliced<const C: usize, const DECRYPT: bool>(keys: &[State<C>], mode: &mut impl Mode) {
    while mode.remaining() > bit_sliced::FEW {
        let len = mode.remaining().min(bit_sliced::BATCH);
        let mut columns = [[0; 8]; bit_sliced::BATCH / 8];
        for (i, two) in columns[..len / 8].as_chunks_mut::<2>().0.iter_mut().enumerate() {
            mode.load::<U8x16Scalar, 16>(Scalar::PROOF, 16 * i, len).store(two.as_flattened_mut());
        }
        bit_sliced::process::<C, DECRYPT>(keys, &mut columns);
        for (i, two) in columns[..len / 8].as_chunks::<2>().0.iter().enumerate().rev() {
            let output = U8x16Scalar::load(Scalar::PROOF, two.as_flattened());
            mode.store::<U8x16Scalar, 16>(Scalar::PROOF, 16 * i, len, output);
        }
        mode.advance(len);
    }
}

/// Processes one block after the other in integers.
#[inline(always)]
fn scalar<const C: usize, const DECRYPT: bool>(keys: &[State<C>], mode: &mut impl Mode) {
    let len = 8 * C;
    while mode.remaining() > 0 {
        let mut block = [[0; 8]; C];
        for from in (0..len).step_by(16) {
            mode.load::<U8x16Scalar, 16>(Scalar::PROOF, from, len).store(&mut block.as_flattened_mut()[from..][..16]);
        }
        block = if C == 8 {
            long_block::<C, DECRYPT>(keys.try_into().expect("the most rounds"), &block)
        } else {
            any_block::<C, DECRYPT>(keys, &block)
        };
        for from in (0..len).step_by(16).rev() {
            let output = U8x16Scalar::load(Scalar::PROOF, &block.as_flattened()[from..][..16]);
            mode.store::<U8x16Scalar, 16>(Scalar::PROOF, from, len, output);
        }
        mode.advance(len);
    }
}

/// Encrypts or decrypts a block.
#[inline(always)]
fn any_block<const C: usize, const DECRYPT: bool>(keys: &[State<C>], block: &State<C>) -> State<C> {
    if DECRYPT { integers::decrypt::<u64, C>(keys, block) } else { integers::encrypt::<u64, C>(keys, block) }
}

/// [`any_block`] out of line: eight columns leave no register for a mode's own values, and took 1.2 times as long
/// inline. With a number of keys that is not constant they took 1.1 times as long.
#[inline(never)]
fn long_block<const C: usize, const DECRYPT: bool>(keys: &[State<C>; ROUNDS + 1], block: &State<C>) -> State<C> {
    any_block::<C, DECRYPT>(keys, block)
}

/// The key schedule in words of AVX-512.
struct ScheduleAvx512<'a, const C: usize, const KEY: usize> {
    key: &'a [[u8; 8]; KEY],
    keys: &'a mut [State<C>],
}

impl<const C: usize, const KEY: usize> Kernel<Avx512Vbmi> for ScheduleAvx512<'_, C, KEY> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: Avx512Vbmi) {
        schedule_avx512::schedule::<U8x64Vbmi, C, KEY>(
            token,
            self.key,
            self.keys.as_flattened_mut().as_flattened_mut(),
        );
    }
}

/// The key schedule with byte-sliced rounds.
#[inline(always)]
fn byte_sliced_schedule<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    key: &[[u8; 8]],
    keys: &mut [State<C>],
) {
    schedule::<u64, C>(key, keys, |rounds| schedule_rounds::<W, N, C>(token, rounds));
}

/// Byte-sliced rounds of the key schedule.
#[inline(always)]
pub(super) fn schedule_rounds<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    rounds: Rounds<'_, [u8; 8], C>,
) {
    token.run(ScheduleRounds::<W, N, C>(rounds, PhantomData));
}

struct ScheduleRounds<'a, W, const N: usize, const C: usize>(Rounds<'a, [u8; 8], C>, PhantomData<W>);

impl<W: RowsN<N>, const N: usize, const C: usize> Kernel<W::Token> for ScheduleRounds<'_, W, N, C> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Rounds { states, add, xor, third } = self.0;
        let (states, add) = (states.as_flattened_mut().as_flattened_mut(), add.as_flattened().as_flattened());
        let xor = xor.as_flattened().as_flattened();
        for from in (0..states.len()).step_by(8 * N) {
            let len = states.len().min(from + 8 * N);
            macro_rules! word {
                ($bytes:ident, $i:ident) => {
                    W::load(token, &$bytes[word_range::<N>(from + N * $i, len)])
                };
            }
            let mut x = [W::splat_u64(token, 0); 8];
            let mut y = x;
            each!(I => x[I] = word!(states, I).add64(word!(add, I)));
            each!(I => y[I] = word!(xor, I));
            x = W::rows_from_columns(x);
            y = W::rows_from_columns(y);
            byte_sliced::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
            each!(I => x[I] = x[I].xor(y[I]));
            byte_sliced::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
            x = W::columns_from_rows(x);
            each!(I => x[I] = x[I].add64(word!(add, I)));
            if third {
                x = W::rows_from_columns(x);
                byte_sliced::rounds::<W, N, C, false>(token, &mut x, &[[0; 8]]);
                x = W::columns_from_rows(x);
            }
            each!(I => x[I].store(&mut states[word_range::<N>(from + N * I, len)]));
        }
    }
}

/// Round keys in the order of their use; erased on drop. They are made and erased outside the kernel, where setting
/// zeros may call memset.
///
/// They are aligned to fix their position relative to the kernel's values on the stack: loads wait for stores to
/// addresses that agree in the last 12 bits, and the kernel took up to 1.3 times as long, depending on the stack's
/// depth.
#[repr(align(64))]
struct ByteSlicedKeys {
    /// The columns that are added before the rounds, repeated to a word.
    first: [[u8; 8]; 8],
    /// The byte-sliced keys that are added after each round: zeros after the last one, whose key is added modulo 2^64.
    middle: [[u64; 8]; ROUNDS],
    /// The columns that are added after the rounds, repeated to a word.
    last: [[u8; 8]; 8],
}

impl ByteSlicedKeys {
    #[inline(always)]
    fn new() -> Self {
        Self { first: [[0; 8]; 8], middle: [[0; 8]; ROUNDS], last: [[0; 8]; 8] }
    }
}

impl Drop for ByteSlicedKeys {
    #[inline]
    fn drop(&mut self) {
        (self.first, self.middle, self.last) = ([[0; 8]; 8], [[0; 8]; ROUNDS], [[0; 8]; 8]);
        zeroize::optimization_barrier(self);
    }
}

/// Processes byte-sliced batches of up to `8 * N` bytes, for decryption two of them at a time, until no more than
/// `leave` bytes are left.
#[inline(always)]
pub(super) fn byte_sliced<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[State<C>],
    mode: &mut impl Mode,
    leave: usize,
) {
    let sliced_keys = &mut ByteSlicedKeys::new();
    token.run(ByteSliced::<W, _, N, C, DECRYPT> { keys, sliced_keys, mode, leave, word: PhantomData });
}

/// The kernel of [`byte_sliced`](fn@byte_sliced).
struct ByteSliced<'a, W, M, const N: usize, const C: usize, const DECRYPT: bool> {
    keys: &'a [State<C>],
    sliced_keys: &'a mut ByteSlicedKeys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<W: RowsN<N>, M: Mode, const N: usize, const C: usize, const DECRYPT: bool> Kernel<W::Token>
    for ByteSliced<'_, W, M, N, C, DECRYPT>
{
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, sliced_keys: ByteSlicedKeys { first, middle, last }, mode, leave, .. } = self;
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
        while DECRYPT && mode.remaining() > 8 * N {
            let len = mode.remaining().min(16 * N);
            let mut x = [W::splat_u64(token, 0); 8];
            let mut y = x;
            load!(x, 0, len);
            load!(y, 8 * N, len);
            byte_sliced::inverse_rounds_of_two::<W, N, C>(token, &mut x, &mut y, keys);
            store!(y, 8 * N, len);
            store!(x, 0, len);
            mode.advance(len);
        }
        while mode.remaining() > leave {
            let len = mode.remaining().min(8 * N);
            let mut x = [W::splat_u64(token, 0); 8];
            load!(x, 0, len);
            byte_sliced::rounds::<W, N, C, DECRYPT>(token, &mut x, keys);
            store!(x, 0, len);
            mode.advance(len);
        }
    }
}

/// Processes batches of up to `G` words in the order of memory, until no more than `leave` bytes are left.
#[inline(always)]
pub(super) fn few_blocks<W: InOrder<N>, const N: usize, const C: usize, const G: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[State<C>],
    mode: &mut impl Mode,
    leave: usize,
) {
    token.run(FewBlocks::<W, _, N, C, G, DECRYPT> { keys, mode, leave, word: PhantomData });
}

/// The kernel of [`few_blocks`].
struct FewBlocks<'a, W, M, const N: usize, const C: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a [State<C>],
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<W: InOrder<N>, M: Mode, const N: usize, const C: usize, const G: usize, const DECRYPT: bool> Kernel<W::Token>
    for FewBlocks<'_, W, M, N, C, G, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, leave, .. } = self;
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        let zero = W::splat_u64(token, 0);
        while mode.remaining() > leave {
            let len = mode.remaining().min(N * G);
            let mut x = [zero; G];
            for g in 0..G {
                x[g] = mode.load(token, N * g, len);
            }
            if DECRYPT {
                for g in 0..G {
                    x[g] = x[g].sub64(W::repeat(token, last));
                }
                for key in middle.iter().rev() {
                    let key = W::repeat(token, key);
                    for g in 0..G {
                        x[g] = few_blocks::inverse_round::<W, N, C>(x[g], key);
                    }
                }
                for g in 0..G {
                    x[g] = few_blocks::inverse_round::<W, N, C>(x[g], zero).sub64(W::repeat(token, first));
                }
            } else {
                for g in 0..G {
                    x[g] = x[g].add64(W::repeat(token, first));
                }
                for key in middle {
                    let key = W::repeat(token, key);
                    for g in 0..G {
                        x[g] = few_blocks::round::<W, N, C>(x[g], key);
                    }
                }
                for g in 0..G {
                    x[g] = few_blocks::round::<W, N, C>(x[g], zero).add64(W::repeat(token, last));
                }
            }
            for g in (0..G).rev() {
                mode.store(token, N * g, len, x[g]);
            }
            mode.advance(len);
        }
    }
}

/// Processes eight columns at a time.
#[inline(always)]
pub(super) fn eight_columns<W: RowGroups, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[State<C>],
    mode: &mut impl Mode,
) {
    token.run(EightColumns::<W, _, C, DECRYPT> { keys, mode, word: PhantomData });
}

/// The kernel of [`eight_columns`](fn@eight_columns).
struct EightColumns<'a, W, M, const C: usize, const DECRYPT: bool> {
    keys: &'a [State<C>],
    mode: &'a mut M,
    word: PhantomData<W>,
}

impl<W: RowGroups, M: Mode, const C: usize, const DECRYPT: bool> Kernel<W::Token>
    for EightColumns<'_, W, M, C, DECRYPT>
{
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { keys, mode, .. } = self;
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        while mode.remaining() > 0 {
            let len = mode.remaining().min(64);
            let mut x: [W; 2] = [mode.load(token, 0, len), mode.load(token, 32, len)];
            if DECRYPT {
                let last = eight_columns::repeated::<W, C>(token, last);
                x = W::transpose_groups([x[0].sub64(last[0]), x[1].sub64(last[1])]);
                for between in middle.iter().rev() {
                    let key = W::transpose_groups(eight_columns::repeated::<W, C>(token, between));
                    x = eight_columns::add(eight_columns::inverse_round::<W, C>(x), key);
                }
                let first = eight_columns::repeated::<W, C>(token, first);
                x = W::transpose_groups(eight_columns::inverse_round::<W, C>(x));
                x = [x[0].sub64(first[0]), x[1].sub64(first[1])];
            } else {
                let first = eight_columns::repeated::<W, C>(token, first);
                x = W::transpose_groups([x[0].add64(first[0]), x[1].add64(first[1])]);
                for between in middle {
                    let key = W::transpose_groups(eight_columns::repeated::<W, C>(token, between));
                    x = eight_columns::add(eight_columns::round::<W, C>(x), key);
                }
                let last = eight_columns::repeated::<W, C>(token, last);
                x = W::transpose_groups(eight_columns::round::<W, C>(x));
                x = [x[0].add64(last[0]), x[1].add64(last[1])];
            }
            mode.store(token, 32, len, x[1]);
            mode.store(token, 0, len, x[0]);
            mode.advance(len);
        }
    }
}
