//! The rounds' generic body, for the proofs alone.

use super::{Rounds, WORDS};
use crate::keystream::arx::Arx;
use fairlane_lanes::U32xN;

/// The permutation of a state in each lane.
#[inline(always)]
pub fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; WORDS]) {
    Rounds::rounds::<W, N>(state);
}
