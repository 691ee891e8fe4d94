//! Message expansion (GB/T 32905-2016, section 5.3.2) in vectors, ahead of the rounds: of several blocks of one message
//! side by side, or of one block four words at a time.

use super::compression::{ExpandedMessage, MessageWindow};
use crate::block_hash::BLOCK;
use core::hint::black_box;
use fairlane_lanes::{Quads, Sm3Word};

/// W and W' of a round, a lane for each of `N` blocks. Aligned, so that no vector lies across two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct ExpandedWords<const N: usize>([[u32; N]; 2]);

impl<const N: usize> ExpandedWords<N> {
    /// Memory for words. The compiler must not know `number`: it would set zeros by a call of memset.
    #[inline(always)]
    pub(super) fn room(number: u32) -> Self {
        Self([[number; N]; 2])
    }
}

/// Calls of [`expand_eight_rounds`] for the 64 rounds.
pub(super) const STEPS: usize = 8;

/// The words of the eight rounds from `8 * step` on. The steps must be in order, and none left out.
///
/// A step is short enough to fill the time in which the rounds of the block before wait for each other.
#[inline(always)]
pub(super) fn expand_eight_rounds<W: Sm3Word<N>, const N: usize>(
    window: &mut MessageWindow<W, N>,
    step: usize,
    words: &mut [ExpandedWords<N>],
) {
    let words = &mut words[8 * step..][..8];
    macro_rules! eight {
        ($from:literal, $first:literal) => {
            for i in 0..8 {
                let [w, sum] = window.next($from, $first + i);
                words[i] = ExpandedWords([w.numbers(), sum.numbers()]);
            }
        };
    }
    match (step, step % 2) {
        (0, _) => eight!(0, 0),
        (1, _) => eight!(0, 8),
        (_, 0) => eight!(16, 0),
        _ => eight!(16, 8),
    }
}

/// The expanded words of one of the blocks.
pub(super) struct ExpandedBlock<'a, W: Sm3Word<1>, const N: usize> {
    token: W::Token,
    words: &'a [ExpandedWords<N>; 64],
    lane: usize,
}

impl<'a, W: Sm3Word<1>, const N: usize> ExpandedBlock<'a, W, N> {
    /// The words of block `lane`.
    #[inline(always)]
    pub(super) fn new(token: W::Token, words: &'a [ExpandedWords<N>; 64], lane: usize) -> Self {
        assert!(lane < N);
        Self { token, words, lane }
    }
}

impl<W: Sm3Word<1>, const N: usize> ExpandedMessage<W> for ExpandedBlock<'_, W, N> {
    #[inline(always)]
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2] {
        let ExpandedWords([w, sum]) = &self.words[from + i];
        [d.add_number(self.token, sum[self.lane]), h.add_number(self.token, w[self.lane])]
    }
}

/// The words of a block by itself, expanded four at a time in a row of a vector, 12 rounds before they are added.
///
/// Four new words need each other: the last one depends on the first. So its part is left out, and added at the end.
pub(super) struct FourWords<'a, W: Sm3Word<1>, V, const N: usize> {
    token: W::Token,
    /// The block, for the rounds that need nothing else.
    block: MessageWindow<W, 1>,
    /// The last 16 words.
    last: [V; 4],
    /// W from round 16 on, and W' from round 12 on.
    expanded: &'a mut [ExpandedWords<N>; FOURS],
}

/// Calls of [`FourWords::expand`]: 68 words, of which 16 are in the block.
pub(super) const FOURS: usize = 13;

impl<'a, W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize> FourWords<'a, W, V, N> {
    /// The words of a block, which is given twice, with memory for expanded words.
    #[inline(always)]
    pub(super) fn new(
        token: W::Token,
        words: [W; 16],
        block: &[u8; BLOCK],
        expanded: &'a mut [ExpandedWords<N>; FOURS],
    ) -> Self {
        let mut last = [V::splat(token, 0); 4];
        for i in 0..4 {
            last[i] = V::load(token, &block[16 * i..][..16]).swap_bytes();
        }
        Self { token, block: MessageWindow(words), last, expanded }
    }

    /// Expands four words, after `step` times four others.
    #[inline(always)]
    fn expand(&mut self, step: usize) {
        let zero = V::splat(self.token, 0);
        let [a, b, c, d] = self.last;
        // Words 0 to 3, 7 to 10 and 13 to 15 of the window; 3 to 6 and 10 to 13.
        let x = a.xor3(b.slide::<3>(c), d.slide::<1>(zero).rotl::<15>());
        let without = x.xor_rotated::<15, 23>().xor3(a.slide::<3>(b).rotl::<7>(), c.slide::<2>(d));
        let first = zero.slide::<1>(without);
        let next = without.xor(first.rotl::<15>().xor_rotated::<15, 23>());
        self.last = [b, c, d, next];
        self.expanded[step] = ExpandedWords([next.numbers(), d.xor(next).numbers()]);
        // From here on the words are in memory: LLVM would rather take each lane out of the vector.
        black_box(&mut *self.expanded);
    }

    #[inline(always)]
    fn add_expanded(&self, x: W, step: usize, which: usize, lane: usize) -> W {
        let ExpandedWords(words) = &self.expanded[step];
        x.add_number(self.token, words[which][lane])
    }
}

impl<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize> ExpandedMessage<W>
    for FourWords<'_, W, V, N>
{
    #[inline(always)]
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2] {
        let round = from + i;
        if round.is_multiple_of(4) && round / 4 < FOURS {
            self.expand(round / 4);
        }
        if round < 12 {
            return self.block.add(from, i, d, h);
        }
        let h = if round < 16 { h.add(self.block.0[i]) } else { self.add_expanded(h, round / 4 - 4, 0, i % 4) };
        [self.add_expanded(d, round / 4 - 3, 1, i % 4), h]
    }
}
