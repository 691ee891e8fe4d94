//! The first block of an AEAD's message, which becomes the authenticator's key, beside the first blocks for data.
//!
//! Alone it is a chain of 240 operations, each of which waits for the one before. With up to seven blocks it shares
//! their words. With 8, 12 or 16, which would need another group of rows for it, it is in an integer word beside them,
//! on ports that vectors leave. On a Granite Rapids Xeon a Poly1305 key and one block take 229 cycles in one word, and
//! 318 in two; an integer word beside eight blocks takes 7 to 11 % less time than another group of rows, but beside
//! four 4 to 12 % more, since fewer instructions of the next message have then begun. Sixteen blocks take 2 to 6 %
//! longer in columns than in four groups of rows. That has not been measured on a Zen 4, which keeps columns.
//!
//! From four blocks of data on there is a second word of rows. While that has its rounds, integers authenticate what
//! there is of the ciphertext, up to 383 bytes: [`RowsBesideTag`]. On a Granite Rapids Xeon 256 bytes are sealed in 7
//! to 11 % less time, if the tag is finished in the same kernel: a state that is passed on in memory costs half of the
//! gain. Opening compares tags there, too, so that the keystream stays in registers: 64 to 192 bytes take 7 to 10 %
//! less time and 256 a fifth less. Sealing up to 192 bytes in that kernel took 2 to 3 % longer.
//!
//! Nothing is stored but the block and the data. On a Zen 4, this and [`aead_tag`](crate::poly1305::aead_tag) seal 1
//! KiB, 17 blocks, in 19 % less time than one call for block 0, one for the others and a state of Poly1305 in memory.

use super::rounds::{Rounds, four_columns, four_diagonals};
use super::rows::{add_inputs, column_round, diagonal_round, inputs, output, rounds, splat_rows};
use crate::authenticated::keystream::xor_inlined;
use crate::ct::equal_in_kernel;
use crate::keystream::arx::{KeystreamJob, counters, output as columns, word};
use crate::poly1305::AeadTag;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Quads, U32xN};

/// The block before the first of the job, and the blocks of the job, in rows: at most `G * N / 4` together.
pub(super) struct FirstInRows<'a, W, const N: usize, const G: usize, const ROUNDS: usize> {
    pub(super) first: &'a mut [u8; 64],
    pub(super) job: KeystreamJob<'a, 16>,
    pub(super) words: PhantomData<W>,
}

impl<W: Quads<N>, const N: usize, const G: usize, const ROUNDS: usize> Kernel<W::Token>
    for FirstInRows<'_, W, N, G, ROUNDS>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let (mut job, first) = (self.job, self.first);
        let input = inputs::<W, N, G>(token, splat_rows(token, job.state), job.counter.wrapping_sub(1));
        let mut states = input;
        rounds::<W, N, G, ROUNDS>(&mut states);
        add_inputs(&mut states, &input);
        output(token, Some(first), &mut job, &states);
    }
}

/// The block before the first of the job in a word of one lane, which takes ports that vectors leave, and beside it at
/// most `G * N / 4` blocks of the job in rows.
pub(super) struct FirstBesideRows<'a, S, W, const N: usize, const G: usize, const ROUNDS: usize> {
    pub(super) first: &'a mut [u8; 64],
    pub(super) job: KeystreamJob<'a, 16>,
    pub(super) words: PhantomData<(S, W)>,
}

impl<S, W, const N: usize, const G: usize, const ROUNDS: usize> Kernel<W::Token>
    for FirstBesideRows<'_, S, W, N, G, ROUNDS>
where
    S: U32xN<1, Token = W::Token>,
    W: Quads<N>,
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut job = self.job;
        let before = counters::<S, 1>(token, job.counter.wrapping_sub(1));
        let mut begun = [before[0]; 16];
        for i in 0..16 {
            begun[i] = word::<Rounds<ROUNDS>, S, 16, 1>(token, job.state, &before, i);
        }
        let input = inputs::<W, N, G>(token, splat_rows(token, job.state), job.counter);
        let mut states = input;
        for _ in 0..ROUNDS / 2 {
            column_round(&mut states);
            four_columns(&mut begun);
            diagonal_round(&mut states);
            four_diagonals(&mut begun);
        }
        let (pairs, _) = self.first.as_chunks_mut();
        for i in 0..8 {
            // Eight bytes at once, as they are read.
            let mut pair = [0; 8];
            for k in 0..2 {
                let input = word::<Rounds<ROUNDS>, S, 16, 1>(token, job.state, &before, 2 * i + k);
                begun[2 * i + k].add(input).store(&mut pair[4 * k..][..4]);
            }
            pairs[i] = pair;
        }
        add_inputs(&mut states, &input);
        output(token, None, &mut job, &states);
    }
}

/// The block before the first of the job and the blocks that share its word, and beside them `EARLY` double rounds of
/// the blocks of a second word, if there are any. Their other rounds run beside the tag, which needs no vectors.
///
/// Returns the tag of what the job encrypts. With an `expected` tag the job decrypts, if that is the right one:
/// otherwise nothing is written, and the result is `None`.
pub(super) struct RowsBesideTag<'a, W, const N: usize, const EARLY: usize> {
    pub(super) first: &'a mut [u8; 64],
    pub(super) job: KeystreamJob<'a, 16>,
    pub(super) associated_data: &'a [u8],
    pub(super) expected: Option<&'a [u8; 16]>,
    pub(super) words: PhantomData<W>,
}

impl<W: Quads<N>, const N: usize, const EARLY: usize> Kernel<W::Token> for RowsBesideTag<'_, W, N, EARLY> {
    type Output = Option<[u8; 16]>;

    #[inline(always)]
    fn call(self, token: W::Token) -> Option<[u8; 16]> {
        const DOUBLE_ROUNDS: usize = 10;
        let (mut job, first) = (self.job, self.first);
        let (lens, shared) = ([self.associated_data.len(), job.data.len()], 64 * (N / 4 - 1));
        let two = lens[1] > shared;
        let rows = splat_rows::<W, N>(token, job.state);
        let [input, next_input] = inputs::<W, N, 2>(token, rows, job.counter.wrapping_sub(1)).map(|input| [input]);
        let (mut states, mut next) = (input, next_input);
        let early = if two { EARLY } else { 0 };
        for _ in 0..early {
            column_round(&mut states);
            column_round(&mut next);
            diagonal_round(&mut states);
            diagonal_round(&mut next);
        }
        for _ in early..DOUBLE_ROUNDS {
            column_round(&mut states);
            diagonal_round(&mut states);
        }
        add_inputs(&mut states, &input);
        // The tag needs it now; when opening, the data's blocks stay in registers until the tag is known to be right.
        for i in 0..64 / (4 * N) {
            states[0][i].store(&mut first[4 * N * i..][..4 * N]);
        }
        if self.expected.is_none() {
            output(token, Some(&mut *first), &mut job, &states);
        }

        let mut tag = AeadTag::new(first.first_chunk().expect("32 of 64 bytes"));
        tag.absorb_padded(self.associated_data);
        let mut absorbed = 0;
        if two {
            let ready = match self.expected {
                Some(_) => job.data.get_in(),
                None => &job.data.get_out()[..shared],
            };
            let (pairs, _) = ready.as_chunks::<32>();
            let pairs = &pairs[..pairs.len().min(DOUBLE_ROUNDS - EARLY)];
            for pair in pairs {
                let (blocks, _) = pair.as_chunks();
                column_round(&mut next);
                tag.absorb(&blocks[..1]);
                diagonal_round(&mut next);
                tag.absorb(&blocks[1..]);
            }
            absorbed = pairs.as_flattened().len();
            for _ in absorbed / 32..DOUBLE_ROUNDS - EARLY {
                column_round(&mut next);
                diagonal_round(&mut next);
            }
            add_inputs(&mut next, &next_input);
        }
        if let Some(expected) = self.expected {
            tag.absorb_padded(&job.data.get_in()[absorbed..]);
            let tag = tag.finish(lens);
            if !equal_in_kernel(tag, *expected) {
                return None;
            }
            output(token, Some(first), &mut job, &states);
            output_end(token, &mut job, two.then_some((shared, &next)));
            return Some(tag);
        }
        output_end(token, &mut job, two.then_some((shared, &next)));
        tag.absorb_padded(&job.data.get_out()[absorbed..]);
        Some(tag.finish(lens))
    }
}

/// Adds the blocks of a second word, if there is one, to the data from a byte on, and then the last block to its part.
#[inline(always)]
fn output_end<W: Quads<N>, const N: usize>(
    token: W::Token,
    job: &mut KeystreamJob<'_, 16>,
    next: Option<(usize, &[[W; 4]; 1])>,
) {
    if let Some((at, states)) = next {
        let data = job.data.reborrow().split_at(at).1;
        output(token, None, &mut KeystreamJob { state: job.state, counter: job.counter, data, last: job.last }, states);
    }
    let whole = job.data.len() / 64 * 64;
    xor_inlined(job.data.reborrow().split_at(whole).1, job.last);
}

/// The block before the first of the job in rows, and beside it at most `N` blocks of the job in columns.
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
        let input = inputs::<F, 4, 1>(token, splat_rows(token, job.state), job.counter.wrapping_sub(1));
        let mut begun = input;
        let counter = counters::<W, N>(token, job.counter);
        let mut states = [counter[0]; 16];
        for i in 0..16 {
            states[i] = word::<Rounds<ROUNDS>, W, 16, N>(token, job.state, &counter, i);
        }
        for _ in 0..ROUNDS / 2 {
            four_columns(&mut states);
            column_round(&mut begun);
            four_diagonals(&mut states);
            diagonal_round(&mut begun);
        }
        add_inputs(&mut begun, &input);
        for i in 0..4 {
            begun[0][i].store(&mut self.first[16 * i..][..16]);
        }
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
