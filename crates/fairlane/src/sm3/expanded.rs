//! The words of several blocks of one message, expanded side by side ahead of the rounds, which go block by block.

use super::compression::{Ring, Schedule};
use fairlane_lanes::U32xN;

/// W and W' of each round, a lane for each of `N` blocks.
pub(super) struct Expanded<const N: usize>([[[[u32; N]; 2]; 16]; 4]);

/// The words of `N` blocks from the first 16.
#[inline(always)]
pub(super) fn expand<W: U32xN<N>, const N: usize>(words: [W; 16]) -> Expanded<N> {
    let mut ring = Ring(words);
    // Spelt out, so that the ring is in registers, and nothing is filled with zeros first.
    macro_rules! sixteen {
        ($from:literal) => {
            sixteen!($from: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
        };
        ($from:literal: $($i:literal)*) => {
            [$({
                let [w, sum] = ring.next($from, $i);
                [w.to_array(), sum.to_array()]
            },)*]
        };
    }
    Expanded([sixteen!(0), sixteen!(16), sixteen!(32), sixteen!(48)])
}

impl<const N: usize> Expanded<N> {
    /// The words of block `lane`.
    #[inline(always)]
    pub(super) fn block<W: U32xN<1>>(&self, token: W::Token, lane: usize) -> Block<'_, W, N> {
        assert!(lane < N);
        Block { words: self, lane, token }
    }
}

/// The words of one of the blocks.
pub(super) struct Block<'a, W: U32xN<1>, const N: usize> {
    words: &'a Expanded<N>,
    lane: usize,
    token: W::Token,
}

impl<W: U32xN<1>, const N: usize> Schedule<W> for Block<'_, W, N> {
    #[inline(always)]
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2] {
        let [w, sum] = &self.words.0[from / 16][i];
        // Plain sums: their operands are taken from memory.
        let add = |x: W, y: u32| W::splat(self.token, x.to_array()[0].wrapping_add(y));
        [add(d, sum[self.lane]), add(h, w[self.lane])]
    }
}
