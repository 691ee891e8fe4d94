//! Counter mode: the encryption of counters is added to the data.
//!
//! The counters of a message depend on its first one alone, so a cipher with its key can encrypt under any number of
//! IVs.

use super::{Mode, transposed, word_range};
use crate::in_out::take;
use cipher::array::ArraySize;
use cipher::{Array, InOutBuf};
use fairlane_lanes::{BlocksN, U8xN};

/// The counter blocks of a message, in the order and with the first one that a standard defines.
pub(crate) trait Counters {
    /// The counters at byte `from` of those that are left.
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W;

    /// Four words of them, word-sliced by [`transposed`].
    #[inline(always)]
    fn load_transposed<W: U8xN<N>, const N: usize, const MAP: u64>(&mut self, token: W::Token, from: usize) -> [W; 4] {
        let a = self.load(token, from);
        let b = self.load(token, from + N);
        let c = self.load(token, from + 2 * N);
        let d = self.load(token, from + 3 * N);
        transposed::<W, N, MAP>([a, b, c, d])
    }

    /// Skips the counters of `len` bytes.
    fn advance(&mut self, len: usize);
}

/// Data to which the keystream is added.
pub(crate) struct Ctr<'a, S: ArraySize, C> {
    pub(crate) counters: C,
    pub(crate) data: InOutBuf<'a, 'a, u8>,
    /// If a part of a block is left at the end of `data`, that stays as it is, and its block of keystream goes here.
    pub(crate) last: &'a mut Array<u8, S>,
}

impl<S: ArraySize, C: Counters> Mode for Ctr<'_, S, C> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.data.len().div_ceil(S::USIZE) * S::USIZE
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, _: usize) -> W {
        self.counters.load(token, from)
    }

    #[inline(always)]
    fn load_transposed<W: U8xN<N>, const N: usize, const MAP: u64>(
        &mut self,
        token: W::Token,
        from: usize,
        _: usize,
    ) -> [W; 4] {
        self.counters.load_transposed::<W, N, MAP>(token, from)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let whole = self.data.len() / S::USIZE * S::USIZE;
        let range = if len <= whole { word_range::<N>(from, len) } else { word_range::<N>(from, whole) };
        let input = W::load(token, &self.data.get_in()[range.clone()]);
        input.xor(output).store(&mut self.data.get_out()[range]);
        if len > whole {
            self.store_last::<W, N>(from, whole, output);
        }
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.counters.advance(len);
        let done = self.data.len().min(len);
        take(&mut self.data, done);
    }
}

impl<S: ArraySize, C> Ctr<'_, S, C> {
    /// Copies what the word at `from` has of the block at `whole` to `last`.
    #[inline(always)]
    fn store_last<W: BlocksN<N>, const N: usize>(&mut self, from: usize, whole: usize, output: W) {
        if N < S::USIZE {
            if (whole..whole + S::USIZE).contains(&from) {
                output.store(&mut self.last[from - whole..][..N]);
            }
        } else if (from..from + N).contains(&whole) {
            let mut keystream = [0; N];
            output.store(&mut keystream);
            self.last.copy_from_slice(&keystream[whole - from..][..S::USIZE]);
            keystream = [0; N];
            zeroize::optimization_barrier(&keystream);
        }
    }
}
