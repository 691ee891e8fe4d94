//! The first block of an AEAD's message, which becomes the authenticator's key, beside the first blocks for data.
//!
//! Its state is in rows of 128 bits. Alone it is a chain of 260 operations, each of which waits for the one before;
//! beside other blocks it takes what they leave of the ports. Nothing is stored but the block and the data. On a Zen 4,
//! this and [`aead_tag`](crate::poly1305::aead_tag) seal 1 KiB, 17 blocks, in 19 % less time than one call for block 0,
//! one for the others and a state of Poly1305 in memory.

use super::rows::{add_inputs, column_round, diagonal_round, inputs, output, splat_rows};
use super::{Rounds, four_columns, four_diagonals};
use crate::keystream::arx::{KeystreamJob, counters, output as columns, word};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Quads, U32xN};

/// The block before the first of the job, and beside it the blocks of the job, at most `G * N / 4`, in rows.
pub(super) struct FirstAndRows<'a, F, W, const N: usize, const G: usize, const ROUNDS: usize> {
    pub(super) first: &'a mut [u8; 64],
    pub(super) job: KeystreamJob<'a, 16>,
    pub(super) words: PhantomData<(F, W)>,
}

impl<F, W, const N: usize, const G: usize, const ROUNDS: usize> Kernel<W::Token>
    for FirstAndRows<'_, F, W, N, G, ROUNDS>
where
    F: Quads<4, Token = W::Token>,
    W: Quads<N>,
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut job = self.job;
        let first = First::<F>::new(token, &job);
        let input = inputs::<W, N, G>(token, splat_rows(token, job.state), job.counter);
        let (mut begun, mut states) = (first.0, input);
        for _ in 0..ROUNDS / 2 {
            column_round(&mut states);
            column_round(&mut begun);
            diagonal_round(&mut states);
            diagonal_round(&mut begun);
        }
        first.store(begun, self.first);
        add_inputs(&mut states, &input);
        output(token, &mut job, &states);
    }
}

/// The same with at most `N` blocks in columns.
pub(super) struct FirstAndColumns<'a, F, W, const N: usize, const ROUNDS: usize> {
    pub(super) first: &'a mut [u8; 64],
    pub(super) job: KeystreamJob<'a, 16>,
    pub(super) words: PhantomData<(F, W)>,
}

impl<F, W, const N: usize, const ROUNDS: usize> Kernel<W::Token> for FirstAndColumns<'_, F, W, N, ROUNDS>
where
    F: Quads<4, Token = W::Token>,
    W: U32xN<N>,
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut job = self.job;
        let first = First::<F>::new(token, &job);
        let counter = counters::<W, N>(token, job.counter);
        let mut states = [counter[0]; 16];
        for i in 0..16 {
            states[i] = word::<Rounds<ROUNDS>, W, 16, N>(token, job.state, &counter, i);
        }
        let mut begun = first.0;
        for _ in 0..ROUNDS / 2 {
            four_columns(&mut states);
            column_round(&mut begun);
            four_diagonals(&mut states);
            diagonal_round(&mut begun);
        }
        first.store(begun, self.first);
        for i in 0..16 {
            states[i] = states[i].add(word::<Rounds<ROUNDS>, W, 16, N>(token, job.state, &counter, i));
        }
        if job.has_whole(N) {
            columns::<W, 16, N>(token, &mut job, true, &states);
        } else {
            columns::<W, 16, N>(token, &mut job, false, &states);
        }
    }
}

/// The state that the block begins with.
struct First<F>([[F; 4]; 1]);

impl<F: Quads<4>> First<F> {
    #[inline(always)]
    fn new(token: F::Token, job: &KeystreamJob<'_, 16>) -> Self {
        Self(inputs::<F, 4, 1>(token, splat_rows(token, job.state), job.counter.wrapping_sub(1)))
    }

    /// The block, of its state after the rounds.
    #[inline(always)]
    fn store(self, state: [[F; 4]; 1], block: &mut [u8; 64]) {
        let mut state = state;
        add_inputs(&mut state, &self.0);
        for i in 0..4 {
            state[0][i].store(&mut block[16 * i..][..16]);
        }
    }
}
