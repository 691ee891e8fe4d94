//! The compression function and the loops around it, compiled for each backend.
//!
//! | backend | one message | many messages |
//! | --- | --- | --- |
//! | `sm3-ni` | the SM3 instructions | as `avx2` |
//! | `avx512` | integers; message expansion in vectors | × 16 in 512 bits, × 8 in 256 |
//! | `avx2` | the same | × 8 in 256 bits |
//! | `neon` | integers; message expansion in 128 bits, of long messages × 4 | × 4 in 128 bits |
//! | `scalar` | 32-bit integers | one by one |
//!
//! No machine at hand had the SM3 instructions: that kernel is tested with a model of them.

use super::compression::{INITIAL, MessageWindow, State, compress};
use super::message_expansion::{ExpandedBlock, ExpandedWords, FOURS, FourWords, STEPS, expand_eight_rounds};
use super::ni::Instructions;
use crate::block_hash::{self, BLOCK, ByteOrder, CompressionFunction};
use core::marker::PhantomData;
use digest::consts::U32;
use fairlane_lanes::{
    AnyToken, Backend, Kernel, Quads, Scalar, Sm3Word, Sm3x4, Token, U32x1, U32x1Bmi2, U32x4, U32x8, U32x8Vl, is_zen,
};

/// The backends of SM3, best first. `sm3-ni` is chosen only if it is asked for or no other vector backend is there: it
/// has never run.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512, Backend::Avx2, Backend::Sm3Ni, Backend::Neon, Backend::Scalar];

/// SM3's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Sm3Function;

impl CompressionFunction<8> for Sm3Function {
    const NAME: &'static str = "SM3";
    const BACKENDS: &'static [Backend] = BACKENDS;
    const INITIAL: [u32; 8] = INITIAL;
    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
    type OutputSize = U32;

    #[inline(always)]
    fn compress<W: Sm3Word<N>, const N: usize>(token: W::Token, state: &mut [W; 8], block: [W; 16]) {
        compress::<_, _, false>(token, state, &mut MessageWindow(block));
    }

    #[inline(never)]
    fn absorb(token: AnyToken, state: &mut [u32; 8], blocks: &[[u8; BLOCK]]) {
        match token {
            AnyToken::Sm3Ni(token) => token.run(Instructions::<Sm3x4>::new(state, blocks)),
            AnyToken::Avx512(token) if is_zen() => {
                token.run(OneByOne::<U32x1Bmi2<_>, U32x8Vl, 8, true>(state, blocks, PhantomData));
            }
            AnyToken::Avx512(token) => {
                token.run(OneByOne::<U32x1Bmi2<_>, U32x8Vl, 8, false>(state, blocks, PhantomData));
            }
            AnyToken::Avx2(token) => token.run(OneByOne::<U32x1Bmi2<_>, U32x8, 8, false>(state, blocks, PhantomData)),
            AnyToken::Neon(token) => absorb::<U32x1<_>, U32x4, 4>(token, state, blocks),
            _ => block_hash::absorb_in::<Self, U32x1<_>, 8>(Scalar::PROOF, state, blocks),
        }
    }
}

/// Absorbs the blocks of one message, with rounds in words `W` and message expansion in words `V`.
#[inline(always)]
fn absorb<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize>(
    token: W::Token,
    state: &mut State<u32>,
    blocks: &[[u8; BLOCK]],
) {
    // Two groups or fewer gain nothing: the rounds would wait for the words of the first.
    if blocks.len() <= 2 * N {
        token.run(OneByOne::<W, V, N, false>(state, blocks, PhantomData));
    } else {
        token.run(InGroups::<W, V, N>(state, blocks, PhantomData));
    }
}

pub(super) struct OneByOne<'a, W, V, const N: usize, const ZEN: bool>(
    pub(super) &'a mut State<u32>,
    pub(super) &'a [[u8; BLOCK]],
    pub(super) PhantomData<(W, V)>,
);

impl<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize, const ZEN: bool> Kernel<W::Token>
    for OneByOne<'_, W, V, N, ZEN>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = load_state::<W>(token, self.0);
        let mut expanded = [ExpandedWords::room(self.0[0]); FOURS];
        for block in self.1 {
            let words = load::<W, 1>(token, &[block]);
            compress::<_, _, ZEN>(token, &mut s, &mut FourWords::<W, V, N>::new(token, words, block, &mut expanded));
        }
        store_state(&s, self.0);
    }
}

// Apart from `OneByOne`: in one kernel with it, long messages took 12 % longer (Zen 4).
pub(super) struct InGroups<'a, W, V, const N: usize>(
    pub(super) &'a mut State<u32>,
    pub(super) &'a [[u8; BLOCK]],
    pub(super) PhantomData<(W, V)>,
);

impl<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize> Kernel<W::Token> for InGroups<'_, W, V, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = load_state::<W>(token, self.0);
        in_groups::<W, V, N>(token, &mut s, self.1);
        store_state(&s, self.0);
    }
}

#[inline(always)]
fn load_state<W: Sm3Word<1>>(token: W::Token, state: &State<u32>) -> State<W> {
    let mut s = [W::splat(token, 0); 8];
    for i in 0..8 {
        s[i] = W::splat(token, state[i]);
    }
    s
}

#[inline(always)]
fn store_state<W: Sm3Word<1>>(s: &State<W>, state: &mut State<u32>) {
    for i in 0..8 {
        [state[i]] = s[i].numbers();
    }
}

/// Absorbs blocks in groups of `N`: during the rounds of one group, the words of the next are expanded.
#[inline(always)]
fn in_groups<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize>(
    token: W::Token,
    state: &mut State<W>,
    blocks: &[[u8; BLOCK]],
) {
    let memory = ExpandedWords::room(blocks[0][0].into());
    let mut first = [memory; 64];
    let mut second = [memory; 64];
    let (mut now, mut next) = (&mut first, &mut second);
    let mut groups = blocks.chunks(N);
    let mut window = MessageWindow([V::splat(token, 0); 16]);
    let mut lanes = 0;
    loop {
        let group = groups.next();
        if let Some(group) = group {
            window = MessageWindow(load_group(token, group));
        }
        for lane in 0..N {
            if lane < lanes {
                compress::<_, _, false>(token, state, &mut ExpandedBlock::<W, N>::new(token, now, lane));
            }
            if group.is_some() {
                for i in STEPS * lane / N..STEPS * (lane + 1) / N {
                    expand_eight_rounds::<V, N>(&mut window, i, next);
                }
            }
        }
        let Some(group) = group else { return };
        lanes = group.len();
        (now, next) = (next, now);
    }
}

/// The words of a group of at most `N` blocks.
#[inline(always)]
fn load_group<W: Sm3Word<N>, const N: usize>(token: W::Token, group: &[[u8; BLOCK]]) -> [W; 16] {
    let mut rows: [&[u8]; N] = [&group[0]; N];
    for (row, block) in rows.iter_mut().zip(group) {
        *row = block;
    }
    load(token, &rows)
}

/// The words of each row's first block.
#[inline(always)]
fn load<W: Sm3Word<N>, const N: usize>(token: W::Token, rows: &[&[u8]; N]) -> [W; 16] {
    block_hash::load(token, rows, ByteOrder::Big)
}
