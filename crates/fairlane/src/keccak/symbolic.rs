//! The permutation's generic body, for the proofs alone.

use super::parameters::rounds;
use fairlane_lanes::KeccakWord;

/// Keccak-p\[1600, `ROUNDS`\].
#[inline(always)]
pub fn permute<W: KeccakWord<N>, const N: usize, const ROUNDS: usize>(token: W::Token, state: &mut [W; 25]) {
    super::permutation::permute::<W, N>(token, state, const { rounds(ROUNDS) });
}
