//! The rounds' generic bodies, for the proofs alone.

use super::first::{FirstAndColumns, FirstBesideRows, FirstInRows, RowsBesideTag};
use super::rounds::Rounds;
use crate::keystream::arx::{Arx, KeystreamJob};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Quads, U32xN};

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

/// Adds the keystream of a state to whole blocks of data, a block in each lane.
pub fn crypt_columns<W: U32xN<N>, const N: usize, const ROUNDS: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    data: &mut [u8],
) {
    let mut job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    job.columns::<Rounds<ROUNDS>, W, N>(token, 0);
}

/// The same with `G` times `N / 4` blocks in rows.
pub fn crypt_rows<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    data: &mut [u8],
) {
    let mut job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    job.rows::<W, N, G, ROUNDS>(token, 0);
}

/// Writes the keystream of block `counter - 1` to `first`, and adds that of the blocks from `counter` on to `N` whole
/// blocks of data, a block in each lane.
pub fn crypt_first_and_columns<F, W, const N: usize, const ROUNDS: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    first: &mut [u8; 64],
    data: &mut [u8],
) where
    F: Quads<4, Token = W::Token>,
    W: U32xN<N>,
{
    let job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    FirstAndColumns::<F, W, N, ROUNDS> { first, job, words: PhantomData }.call(token);
}

/// The same with `G` times `N / 4` blocks in rows, of which the first is for `first`.
pub fn crypt_first_in_rows<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    first: &mut [u8; 64],
    data: &mut [u8],
) {
    let job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    FirstInRows::<W, N, G, ROUNDS> { first, job, words: PhantomData }.call(token);
}

/// The same with `G` times `N / 4` blocks of data in rows, and the first in a word of one lane.
pub fn crypt_first_beside_rows<S, W, const N: usize, const G: usize, const ROUNDS: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    first: &mut [u8; 64],
    data: &mut [u8],
) where
    S: U32xN<1, Token = W::Token>,
    W: Quads<N>,
{
    let job = KeystreamJob { state, counter, data: data.into(), last: &mut [] };
    FirstBesideRows::<S, W, N, G, ROUNDS> { first, job, words: PhantomData }.call(token);
}

/// The same with `N / 4` blocks in each of two rows, of which the first block is for `first`. The tag that is computed
/// between rounds is dropped.
pub fn crypt_rows_beside_tag<W: Quads<N>, const N: usize, const EARLY: usize>(
    token: W::Token,
    state: &[u32; 16],
    counter: u64,
    first: &mut [u8; 64],
    data: &mut [u8],
) {
    let job = KeystreamJob { state, counter, data: data.into(), last: &mut [0; 64] };
    RowsBesideTag::<W, N, EARLY> { first, job, associated_data: &[], expected: None, words: PhantomData }.call(token);
}
