//! The permutation's generic body, for the proofs alone.

use super::permutation::ROUNDS_24;
use fairlane_lanes::KeccakWord;

/// Keccak-p\[1600, `ROUNDS`\]: a number of rounds that is a multiple of four.
#[inline(always)]
pub fn permute<W: KeccakWord<N>, const N: usize, const ROUNDS: usize>(token: W::Token, state: &mut [W; 25]) {
    let last = const {
        assert!(ROUNDS.is_multiple_of(4), "a pass of the loop is four rounds");
        ROUNDS_24.split_at(ROUNDS_24.len() - ROUNDS / 4).1
    };
    super::permutation::permute::<W, N>(token, state, last);
}
