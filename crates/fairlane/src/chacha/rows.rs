//! ChaCha for few blocks: four words hold the rows of `N / 4` states, and every second round rotates the rows so that
//! diagonals become columns. For few blocks this takes a quarter of the instructions of one block a lane, where most
//! lanes would be idle.

use crate::keystream::arx::{KeystreamJob, quarter_round};
use core::hint::black_box;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Quads, Token};

impl KeystreamJob<'_, 16> {
    /// Processes `G` times `N / 4` blocks at once, as [`columns`](KeystreamJob::columns) does `N`.
    #[inline]
    pub(super) fn rows<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize>(
        &mut self,
        token: W::Token,
        max_left: usize,
    ) {
        if let Some(job) = self.split_off_batches(G * N / 4, max_left) {
            token.run(Rows::<W, N, G, ROUNDS>(job, PhantomData));
        }
    }
}

struct Rows<'a, W, const N: usize, const G: usize, const ROUNDS: usize>(KeystreamJob<'a, 16>, PhantomData<W>);

impl<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize> Kernel<W::Token> for Rows<'_, W, N, G, ROUNDS> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut job = self.0;
        while !job.data.is_empty() {
            let mut input = inputs::<W, N, G>(token, splat_rows(token, job.state), job.counter);
            let mut states = input;
            rounds::<W, N, G, ROUNDS>(&mut states);
            // For `states`, the rows of `input` and some more.
            if W::REGISTERS < 5 * G + 8 {
                // Read again: otherwise LLVM would leave the key's rows on the stack.
                input = inputs::<W, N, G>(token, splat_rows(token, black_box(job.state)), job.counter);
            }
            add_inputs(&mut states, &input);
            output(token, None, &mut job, &states);
            job = job.advance(G * N / 4);
        }
    }
}

/// The rows of a state, in all of its places.
#[inline(always)]
pub(super) fn splat_rows<W: Quads<N>, const N: usize>(token: W::Token, state: &[u32; 16]) -> [W; 4] {
    let (rows, _) = state.as_chunks::<4>();
    let (a, b) = (W::splat_row(token, rows[0]), W::splat_row(token, rows[1]));
    [a, b, W::splat_row(token, rows[2]), W::splat_row(token, rows[3])]
}

/// The states that blocks begin with, from block `counter` on.
#[inline(always)]
pub(super) fn inputs<W: Quads<N>, const N: usize, const G: usize>(
    token: W::Token,
    rows: [W; 4],
    counter: u64,
) -> [[W; 4]; G] {
    let mut input = [rows; G];
    for g in 0..G {
        let mut counters = [0; N];
        for i in 0..N / 4 {
            counters[4 * i] = (counter as u32).wrapping_add((g * N / 4 + i) as u32);
        }
        input[g][3] = rows[3].or(W::from_array(token, counters));
    }
    input
}

/// Adds the states that blocks began with, and puts the words of each block in order.
#[inline(always)]
pub(super) fn add_inputs<W: Quads<N>, const N: usize, const G: usize>(states: &mut [[W; 4]; G], input: &[[W; 4]; G]) {
    for g in 0..G {
        for r in 0..4 {
            states[g][r] = states[g][r].add(input[g][r]);
        }
        states[g] = W::states(states[g]);
    }
}

#[inline(always)]
pub(super) fn rounds<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize>(states: &mut [[W; 4]; G]) {
    for _ in 0..ROUNDS / 2 {
        column_round(states);
        diagonal_round(states);
    }
}

/// The first of two rounds.
#[inline(always)]
pub(super) fn column_round<W: Quads<N>, const N: usize, const G: usize>(states: &mut [[W; 4]; G]) {
    for state in &mut *states {
        quarter_round(state, [0, 1, 2, 3]);
    }
}

/// The second of two rounds. Row b stays where it is, and the others are rotated against it: b is what a round ends
/// with and the next one begins with, so that a rotation of it would be one more operation to wait for.
#[inline(always)]
pub(super) fn diagonal_round<W: Quads<N>, const N: usize, const G: usize>(states: &mut [[W; 4]; G]) {
    for [a, _, c, d] in &mut *states {
        (*a, *c, *d) = (a.rotate_lanes::<3>(), c.rotate_lanes::<1>(), d.rotate_lanes::<2>());
    }
    column_round(states);
    for [a, _, c, d] in &mut *states {
        (*a, *c, *d) = (a.rotate_lanes::<1>(), c.rotate_lanes::<3>(), d.rotate_lanes::<2>());
    }
}

/// Adds the blocks to the data. With `first`, the first block is for that alone.
#[inline(always)]
pub(super) fn output<W: Quads<N>, const N: usize, const G: usize>(
    token: W::Token,
    first: Option<&mut [u8; 64]>,
    job: &mut KeystreamJob<'_, 16>,
    states: &[[W; 4]; G],
) {
    // Two copies, of which the first needs no comparisons.
    if job.has_whole(G * N / 4 - usize::from(first.is_some())) {
        apply(token, first, job, true, states);
    } else {
        apply(token, first, job, false, states);
    }
}

#[inline(always)]
fn apply<W: Quads<N>, const N: usize, const G: usize>(
    token: W::Token,
    first: Option<&mut [u8; 64]>,
    job: &mut KeystreamJob<'_, 16>,
    whole: bool,
    states: &[[W; 4]; G],
) {
    let (words, bytes) = (states.as_flattened(), 4 * N);
    let words = match first {
        Some(first) => {
            let (begun, words) = words.split_at(64 / bytes);
            for (word, first) in begun.iter().zip(first.chunks_exact_mut(bytes)) {
                word.store(first);
            }
            words
        }
        None => words,
    };
    for i in 0..words.len() {
        let at = bytes * i;
        job.apply_word(token, whole, [at / 64, at % 64, bytes], words[i]);
    }
}

/// The 20 rounds of one state, without the addition of the input.
pub(super) struct PermuteRows<'a, W>(&'a mut [u32; 16], PhantomData<W>);

impl<'a, W> PermuteRows<'a, W> {
    pub(super) fn new(state: &'a mut [u32; 16]) -> Self {
        Self(state, PhantomData)
    }
}

impl<W: Quads<4>> Kernel<W::Token> for PermuteRows<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let (rows, _) = self.0.as_chunks_mut::<4>();
        let mut state = [[W::splat(token, 0); 4]];
        for i in 0..4 {
            state[0][i] = W::from_array(token, rows[i]);
        }
        rounds::<W, 4, 1, 20>(&mut state);
        for i in 0..4 {
            rows[i] = state[0][i].to_array();
        }
    }
}
