//! The compression function and the loops around it, compiled for each backend.
//!
//! | backend | one message | many messages |
//! | --- | --- | --- |
//! | `sm3-ni` | the SM3 instructions | as `avx2` |
//! | `avx512` | integers; message expansion of long messages × 8 in 256 bits | × 16 in 512 bits, × 8 in 256 |
//! | `avx2` | the same | × 8 in 256 bits |
//! | `neon` | integers; message expansion of long messages × 4 in 128 bits | × 4 in 128 bits |
//! | `scalar` | 32-bit integers | one by one |
//!
//! No machine at hand had the SM3 instructions: that kernel is tested with a model of them.

use super::compression::{INITIAL, MessageWindow, State, compress};
use super::message_expansion::{ExpandedBlock, ExpandedWords, STEPS, expand_eight_rounds};
use super::ni::Instructions;
use crate::block_hash::{self, BLOCK, ByteOrder, CompressionFunction};
use core::marker::PhantomData;
use digest::consts::U32;
use fairlane_lanes::{
    AnyToken, Backend, Kernel, Scalar, Sm3Word, Sm3x4, Token, U32x1, U32x1Bmi2, U32x4, U32x8, U32x8Vl,
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
        compress(token, state, &mut MessageWindow(block));
    }

    #[inline(never)]
    fn absorb(token: AnyToken, state: &mut [u32; 8], blocks: &[[u8; BLOCK]]) {
        match token {
            AnyToken::Sm3Ni(token) => token.run(Instructions::<Sm3x4>::new(state, blocks)),
            AnyToken::Avx512(token) => token.run(Absorb::<U32x1Bmi2<_>, U32x8Vl, 8>::new(state, blocks)),
            AnyToken::Avx2(token) => token.run(Absorb::<U32x1Bmi2<_>, U32x8, 8>::new(state, blocks)),
            AnyToken::Neon(token) => token.run(Absorb::<U32x1<_>, U32x4, 4>::new(state, blocks)),
            _ => block_hash::absorb_in::<Self, U32x1<_>, 8>(Scalar::PROOF, state, blocks),
        }
    }
}

/// Absorbs the blocks of one message, with rounds in words `W` and message expansion in words `V`.
struct Absorb<'a, W, V, const N: usize> {
    state: &'a mut State<u32>,
    blocks: &'a [[u8; BLOCK]],
    words: PhantomData<(W, V)>,
}

impl<'a, W, V, const N: usize> Absorb<'a, W, V, N> {
    fn new(state: &'a mut State<u32>, blocks: &'a [[u8; BLOCK]]) -> Self {
        Self { state, blocks, words: PhantomData }
    }
}

impl<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize> Kernel<W::Token> for Absorb<'_, W, V, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = [W::splat(token, 0); 8];
        for i in 0..8 {
            s[i] = W::splat(token, self.state[i]);
        }
        // Two groups or fewer gain nothing: the rounds wait for the words of the first.
        if self.blocks.len() <= 2 * N {
            for block in self.blocks {
                compress(token, &mut s, &mut MessageWindow(load::<W, 1>(token, &[block])));
            }
        } else {
            in_groups::<W, V, N>(token, &mut s, self.blocks);
        }
        for i in 0..8 {
            [self.state[i]] = s[i].to_array();
        }
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
                compress(token, state, &mut ExpandedBlock::<W, N>::new(token, now, lane));
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
