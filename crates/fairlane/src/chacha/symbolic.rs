//! The rounds' generic bodies, for the proofs alone.

use super::Rounds;
use crate::keystream::arx::Arx;
use fairlane_lanes::{Quads, U32xN};

/// `ROUNDS` rounds of a state in each lane.
#[inline(always)]
pub fn columns<W: U32xN<N>, const N: usize, const ROUNDS: usize>(state: &mut [W; 16]) {
    Rounds::<ROUNDS>::rounds::<W, N>(state);
}

/// `ROUNDS` rounds of `N / 4` states in rows.
#[inline(always)]
pub fn rows<W: Quads<N>, const N: usize, const ROUNDS: usize>(states: &mut [W; 4]) {
    super::rows::rounds::<W, N, 1, ROUNDS>(core::array::from_mut(states));
}
