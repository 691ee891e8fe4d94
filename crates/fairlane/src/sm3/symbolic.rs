//! The compression function's generic body, for the proofs alone.

use super::compression::{self, MessageWindow};
use fairlane_lanes::Sm3Word;

/// Absorbs a block into the state of each lane.
#[inline(always)]
pub fn compress<W: Sm3Word<N>, const N: usize>(token: W::Token, state: &mut [W; 8], block: [W; 16]) {
    compression::compress(token, state, &mut MessageWindow(block));
}
