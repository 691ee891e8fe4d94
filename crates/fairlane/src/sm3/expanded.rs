//! The words of several blocks of one message, expanded side by side ahead of the rounds, which go block by block.

use super::compression::{Ring, Schedule};
use fairlane_lanes::Sm3Word;

/// W and W' of a round, a lane for each of `N` blocks. Aligned, so that no vector lies across two cache lines.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Words<const N: usize>([[u32; N]; 2]);

impl<const N: usize> Words<N> {
    /// Room for words. The number must be one that the compiler does not know: zeros would be a call of memset.
    #[inline(always)]
    pub(super) fn room(number: u32) -> Self {
        Self([[number; N]; 2])
    }
}

/// In how many [`step`]s words are expanded.
pub(super) const STEPS: usize = 8;

/// The words of the eight rounds from `8 * step` on; all steps are taken in order.
///
/// Short enough to be done while the rounds of the block before wait for each other.
#[inline(always)]
pub(super) fn step<W: Sm3Word<N>, const N: usize>(ring: &mut Ring<W, N>, step: usize, words: &mut [Words<N>]) {
    let words = &mut words[8 * step..][..8];
    macro_rules! eight {
        ($from:literal, $first:literal) => {
            for i in 0..8 {
                let [w, sum] = ring.next($from, $first + i);
                words[i] = Words([w.to_array(), sum.to_array()]);
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

/// The words of one of the blocks.
pub(super) struct Block<'a, W: Sm3Word<1>, const N: usize> {
    token: W::Token,
    words: &'a [Words<N>; 64],
    lane: usize,
}

impl<'a, W: Sm3Word<1>, const N: usize> Block<'a, W, N> {
    /// The words of block `lane`.
    #[inline(always)]
    pub(super) fn new(token: W::Token, words: &'a [Words<N>; 64], lane: usize) -> Self {
        assert!(lane < N);
        Self { token, words, lane }
    }
}

impl<W: Sm3Word<1>, const N: usize> Schedule<W> for Block<'_, W, N> {
    #[inline(always)]
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2] {
        let Words([w, sum]) = &self.words[from + i];
        // Plain sums: their operands are taken from memory.
        let d = d.to_array()[0].wrapping_add(sum[self.lane]);
        let h = h.to_array()[0].wrapping_add(w[self.lane]);
        [W::splat(self.token, d), W::splat(self.token, h)]
    }
}
