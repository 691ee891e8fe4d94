//! Message expansion (GB/T 32905-2016, section 5.3.2) of several blocks of one message side by side, ahead of the
//! rounds, which take one block after the other.

use super::compression::{ExpandedMessage, MessageWindow};
use fairlane_lanes::Sm3Word;

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
                words[i] = ExpandedWords([w.to_array(), sum.to_array()]);
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
        // Plain sums: their operands are taken from memory.
        let d = d.to_array()[0].wrapping_add(sum[self.lane]);
        let h = h.to_array()[0].wrapping_add(w[self.lane]);
        [W::splat(self.token, d), W::splat(self.token, h)]
    }
}
