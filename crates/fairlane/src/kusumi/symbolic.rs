//! The rounds' generic body, for the proofs alone.

use super::{Rounds, WORDS};
use crate::keystream::arx::{Arx, KeystreamJob};
use fairlane_lanes::U32xN;

/// The permutation of a state in each lane.
#[inline(always)]
pub fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; WORDS]) {
    Rounds::rounds::<W, N>(state);
}

/// Adds the keystream of a state to whole blocks of data, a block in each lane.
pub fn crypt_columns<W: U32xN<N>, const N: usize>(
    token: W::Token,
    state: &[u32; WORDS],
    counter: u64,
    data: &mut [u8],
) {
    let mut job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    job.columns::<Rounds, W, N>(token, 0);
}
