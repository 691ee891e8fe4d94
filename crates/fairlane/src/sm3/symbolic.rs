//! The compression function's generic bodies, for the proofs alone.

use super::compression::{self, MessageWindow};
use super::kernels::{InGroups, OneByOne};
use crate::block_hash::BLOCK;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Quads, Sm3Word};

/// Absorbs a block into the state of each lane.
#[inline(always)]
pub fn compress<W: Sm3Word<N>, const N: usize>(token: W::Token, state: &mut [W; 8], block: [W; 16]) {
    compression::compress::<W, N, false>(token, state, &mut MessageWindow(block));
}

/// Absorbs blocks of one message, each expanded four words at a time in the vector `V`; with `ZEN` in the order for a
/// Zen.
#[inline(always)]
pub fn absorb_one_by_one<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize, const ZEN: bool>(
    token: W::Token,
    state: &mut [u32; 8],
    blocks: &[[u8; BLOCK]],
) {
    OneByOne::<W, V, N, ZEN>(state, blocks, PhantomData).call(token);
}

/// Absorbs blocks of one message, `N` of which are expanded side by side in the vector `V`.
#[inline(always)]
pub fn absorb_in_groups<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize>(
    token: W::Token,
    state: &mut [u32; 8],
    blocks: &[[u8; BLOCK]],
) {
    InGroups::<W, V, N>(state, blocks, PhantomData).call(token);
}
