//! The loops around a compression function, compiled for each backend.

use super::function::{BLOCK, CompressionFunction, MerkleDamgard, load};
use crate::hash_many::{Groups, LastGroup, Messages, MultiBuffer, Rows, hash_group};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Avx2, Kernel, Sm3Word, Token, U32x4, U32x8, U32x8Vl, U32x16};

/// Absorbs the blocks of one message, one after the other, in words of one lane.
pub(crate) fn absorb_in<F: CompressionFunction<WORDS>, W: Sm3Word<1>, const WORDS: usize>(
    token: W::Token,
    state: &mut [u32; WORDS],
    blocks: &[[u8; BLOCK]],
) {
    token.run(Absorb::<F, W, WORDS> { state, blocks, word: PhantomData });
}

struct Absorb<'a, F, W, const WORDS: usize> {
    state: &'a mut [u32; WORDS],
    blocks: &'a [[u8; BLOCK]],
    word: PhantomData<(F, W)>,
}

impl<F: CompressionFunction<WORDS>, W: Sm3Word<1>, const WORDS: usize> Kernel<W::Token> for Absorb<'_, F, W, WORDS> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = [W::splat(token, 0); WORDS];
        for i in 0..WORDS {
            s[i] = W::splat(token, self.state[i]);
        }
        for block in self.blocks {
            F::compress(token, &mut s, load(token, &[block], F::BYTE_ORDER));
        }
        for i in 0..WORDS {
            [self.state[i]] = s[i].to_array();
        }
    }
}

/// Hashes many messages side by side, in the widest word first, and in narrower ones when few are unfinished.
///
/// SM3's cycles a block (Emerald Rapids): 16 lanes in 512 bits 910, 8 in 256 bits 590 with AVX-512 and 1090 with AVX2,
/// one message 475 to 510. So messages are hashed side by side from two on, with AVX2 from three on.
///
/// The stack frames of one call with SM3 take 13 KiB on `avx512` and `avx2` (release build): states, padded blocks and
/// lanes take 3 KiB, the slots of [`Messages`] 1.5 KiB, and the kernel for one message 8.5 KiB.
pub(crate) fn hash_messages<F: CompressionFunction<WORDS>, const WORDS: usize>(
    token: AnyToken,
    messages: &mut dyn Messages,
) {
    match token {
        AnyToken::Avx512(avx512) => {
            let mut sixteen =
                (messages.count() > 8).then(|| MultiBuffer::<_, 16, WORDS, BLOCK>::new(MerkleDamgard::<F>::NEW));
            messages.for_each_chunk(&mut |chunk| {
                let mut eight = if let Some(sixteen) = &mut sixteen {
                    if sixteen.is_idle() {
                        hash_each_group::<F, U32x16, 16, WORDS>(avx512, chunk);
                        hash_each_group::<F, U32x16, 16, WORDS>(avx512, &mut LastGroup::of(chunk, 9));
                        hash_each_group::<F, U32x8Vl, 8, WORDS>(avx512, &mut LastGroup::of(chunk, 2));
                    }
                    sixteen.run(chunk, 8, absorb_many::<F, U32x16, 16, WORDS>(avx512));
                    if !chunk.is_last() {
                        return;
                    }
                    sixteen.compact()
                } else {
                    MultiBuffer::new(MerkleDamgard::NEW)
                };
                if eight.is_idle() {
                    hash_each_group::<F, U32x8Vl, 8, WORDS>(avx512, &mut LastGroup::of(chunk, 2));
                }
                eight.run(chunk, 1, absorb_many::<F, U32x8Vl, 8, WORDS>(avx512));
                eight.compact().run(chunk, 0, absorb_one::<F, WORDS>(token));
            });
        }
        AnyToken::Avx2(avx2) => in_lanes::<F, U32x8, 8, WORDS>(avx2, token, messages),
        AnyToken::Sm3Ni(sm3_ni) => in_lanes::<F, U32x8, 8, WORDS>(Avx2::from(sm3_ni), token, messages),
        AnyToken::Neon(neon) => in_lanes::<F, U32x4, 4, WORDS>(neon, token, messages),
        _ => {
            let mut one = MultiBuffer::new(MerkleDamgard::<F>::NEW);
            messages.for_each_chunk(&mut |chunk| one.run(chunk, 0, absorb_one::<F, WORDS>(token)));
        }
    }
}

/// Hashes rows of one length, except for those that are left and too few for a word.
pub(crate) fn hash_groups<F: CompressionFunction<WORDS>, const WORDS: usize>(token: AnyToken, rows: &mut Rows<'_>) {
    match token {
        AnyToken::Avx512(token) => {
            hash_each_group::<F, U32x16, 16, WORDS>(token, rows);
            if rows.count() > 8 {
                hash_each_group::<F, U32x16, 16, WORDS>(token, &mut LastGroup::of(rows, 9));
            } else if rows.count() > 1 {
                hash_each_group::<F, U32x8Vl, 8, WORDS>(token, &mut LastGroup::of(rows, 2));
            }
        }
        AnyToken::Avx2(token) => rows_in_lanes::<F, U32x8, 8, WORDS>(token, rows),
        AnyToken::Sm3Ni(token) => rows_in_lanes::<F, U32x8, 8, WORDS>(Avx2::from(token), rows),
        AnyToken::Neon(token) => rows_in_lanes::<F, U32x4, 4, WORDS>(token, rows),
        _ => {}
    }
}

/// Hashes rows in words `W`, the last ones too if they are more than two.
fn rows_in_lanes<F: CompressionFunction<WORDS>, W: Sm3Word<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    rows: &mut Rows<'_>,
) {
    hash_each_group::<F, W, N, WORDS>(token, rows);
    hash_each_group::<F, W, N, WORDS>(token, &mut LastGroup::of(rows, 3));
}

/// Hashes messages of one length, group after group.
fn hash_each_group<F: CompressionFunction<WORDS>, W: Sm3Word<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    groups: &mut dyn Groups<N>,
) {
    while let Some((messages, mut outputs)) = groups.next_group() {
        hash_group(MerkleDamgard::<F>::NEW, absorb_many::<F, W, N, WORDS>(token), messages, &mut outputs);
    }
}

/// Hashes side by side until one message is unfinished, if there are more than two.
fn in_lanes<F: CompressionFunction<WORDS>, W: Sm3Word<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    any_token: AnyToken,
    messages: &mut dyn Messages,
) {
    let mut many = (messages.count() > 2).then(|| MultiBuffer::<_, N, WORDS, BLOCK>::new(MerkleDamgard::<F>::NEW));
    messages.for_each_chunk(&mut |chunk| {
        let mut one = if let Some(many) = &mut many {
            if many.is_idle() {
                hash_each_group::<F, W, N, WORDS>(token, chunk);
                hash_each_group::<F, W, N, WORDS>(token, &mut LastGroup::of(chunk, 3));
            }
            many.run(chunk, 1, absorb_many::<F, W, N, WORDS>(token));
            if !chunk.is_last() {
                return;
            }
            many.compact()
        } else {
            MultiBuffer::new(MerkleDamgard::NEW)
        };
        one.run(chunk, 0, absorb_one::<F, WORDS>(any_token));
    });
}

/// What [`MultiBuffer::run`] calls, for one lane.
fn absorb_one<F: CompressionFunction<WORDS>, const WORDS: usize>(
    token: AnyToken,
) -> impl Fn(&mut [[u32; 1]; WORDS], bool, [&[u8]; 1], usize) {
    move |states, all_begin, [row], blocks| {
        let mut state = if all_begin { F::INITIAL } else { states.map(|[word]| word) };
        F::absorb(token, &mut state, &row.as_chunks().0[..blocks]);
        *states = state.map(|word| [word]);
    }
}

/// What [`MultiBuffer::run`] calls, for many lanes.
#[inline(always)]
fn absorb_many<F: CompressionFunction<WORDS>, W: Sm3Word<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
) -> impl Fn(&mut [[u32; N]; WORDS], bool, [&[u8]; N], usize) {
    move |states, all_begin, rows, blocks| {
        token.run(AbsorbMany::<F, W, N, WORDS> { states, all_begin, rows, blocks, word: PhantomData });
    }
}

/// Absorbs `blocks` blocks of each row into the state in its lane.
struct AbsorbMany<'a, F, W, const N: usize, const WORDS: usize> {
    states: &'a mut [[u32; N]; WORDS],
    /// Whether all states begin with the initial value, whatever `states` holds.
    all_begin: bool,
    rows: [&'a [u8]; N],
    blocks: usize,
    word: PhantomData<(F, W)>,
}

impl<F: CompressionFunction<WORDS>, W: Sm3Word<N>, const N: usize, const WORDS: usize> Kernel<W::Token>
    for AbsorbMany<'_, F, W, N, WORDS>
{
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = [W::splat(token, 0); WORDS];
        for i in 0..WORDS {
            s[i] = if self.all_begin { W::splat(token, F::INITIAL[i]) } else { W::from_array(token, self.states[i]) };
        }
        let mut rows = self.rows;
        for _ in 0..self.blocks {
            F::compress(token, &mut s, load(token, &rows, F::BYTE_ORDER));
            for row in &mut rows {
                *row = &row[BLOCK..];
            }
        }
        for i in 0..WORDS {
            self.states[i] = s[i].to_array();
        }
    }
}
