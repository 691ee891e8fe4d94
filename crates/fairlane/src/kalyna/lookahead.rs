//! Counters and tweaks, made in integers a batch before a kernel needs them.
//!
//! They are written eight bytes at a time and read as whole words. A load right after such narrow stores would wait for
//! them, so each word is written 1024 bytes before it is read.

use super::field::exponents;
use crate::modes::ctr::Counters;
use crate::modes::xts::Tweaks;
use cipher::array::ArraySize;
use cipher::{Array, Block, BlockSizeUser};
use core::marker::PhantomData;
use fairlane_lanes::BlocksN;

/// Bytes between the place that is written and the place that is read: a batch of the widest kernel, or more.
const DISTANCE: usize = 1024;
/// Bytes of the ring: those, and as many that are read again.
const RING: usize = 2 * DISTANCE;

/// Bytes of the longest word.
const LONGEST_WORD: usize = 64;

/// A block as little-endian numbers of 64 bits, with room for the longest block.
pub(super) type Numbers = [u64; 8];

/// The numbers of a block, and zeros.
#[inline]
pub(super) fn numbers<S: ArraySize>(block: &Array<u8, S>) -> Numbers {
    let mut numbers = [0; 8];
    for (number, bytes) in numbers.iter_mut().zip(block.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}

/// How the next block follows from a block, which has as many numbers as the slice.
pub(super) trait Step {
    /// The step of counters or tweaks.
    const FIRST: Self;
    /// Replaces a block by the next one.
    fn step(&self, block: &mut [u64]);
}

/// `a + b` modulo 2<sup>64</sup>, and the carry. At some optimisation levels compilers make a branch of the flag of
/// `overflowing_add`, and Kalyna's counters are secret.
#[inline(always)]
pub(super) fn sum_and_carry(a: u64, b: u64) -> (u64, u64) {
    let sum = a.wrapping_add(b);
    (sum, (a & b | (a | b) & !sum) >> 63)
}

/// Increments a counter (DSTU 7624:2014, clauses 7, 12 and 13).
pub(super) struct Increment {
    /// 1 if the counter is the whole block, 0 if it is the first half.
    pub(super) carry: u64,
}

impl Step for Increment {
    const FIRST: Self = Self { carry: 1 };

    #[inline(always)]
    fn step(&self, block: &mut [u64]) {
        let mut carry = 1;
        for i in 0..block.len() {
            if i == block.len() / 2 {
                carry &= self.carry;
            }
            (block[i], carry) = sum_and_carry(block[i], carry);
        }
    }
}

/// Multiplies a tweak by x in the field whose elements are blocks (clause 14).
pub(super) struct TimesX;

impl Step for TimesX {
    const FIRST: Self = Self;

    #[inline(always)]
    fn step(&self, block: &mut [u64]) {
        let count = block.len();
        let over = (block[count - 1] >> 63).wrapping_neg();
        for i in (1..count).rev() {
            block[i] = block[i] << 1 | block[i - 1] >> 63;
        }
        let [a, b, c] = exponents(count / 2);
        block[0] = block[0] << 1 ^ (over & (1 << a | 1 << b | 1 << c | 1));
    }
}

/// Blocks of `S` bytes, each made from the one before; erased on drop. Aligned, so that no word lies in two cache
/// lines.
#[repr(C, align(64))]
pub(super) struct Lookahead<S, T> {
    ring: [u8; RING],
    step: T,
    /// The next block to be written.
    next: Numbers,
    /// Bytes before the current batch.
    read: usize,
    /// Bytes of all blocks that are needed.
    end: usize,
    size: PhantomData<S>,
}

impl<S: ArraySize, T: Step> Lookahead<S, T> {
    /// No blocks yet. The ring is long, so it is filled in place instead of being moved.
    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self { ring: [0; RING], step: T::FIRST, next: [0; 8], read: 0, end: 0, size: PhantomData }
    }

    /// Makes as many blocks as `len` bytes of data take, whole or not, from `first` on.
    #[inline]
    pub(super) fn begin(&mut self, first: Numbers, step: T, len: usize) {
        self.end = len.next_multiple_of(S::USIZE);
        (self.next, self.step) = (first, step);
        self.write(0, self.end.min(DISTANCE));
    }

    /// The word at byte `from` of the current batch. Writes the blocks a batch later, so that words are taken in order.
    #[inline(always)]
    fn take<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        let word = self.taken(token, from);
        let to = self.read + from + DISTANCE;
        if to < self.end && to.is_multiple_of(S::USIZE) {
            self.write(to, const { if N < S::USIZE { S::USIZE } else { N } });
        }
        word
    }

    /// The same word again.
    #[inline(always)]
    fn taken<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize) -> W {
        W::load(token, &self.ring[(self.read + from) % RING..][..N])
    }

    /// Writes the next `len` bytes, whole blocks, at byte `at` of all.
    #[inline(always)]
    fn write(&mut self, at: usize, len: usize) {
        // The numbers are copied to registers, where a step takes a cycle for each; in memory it takes five.
        let mut next = [0; 8];
        for i in 0..S::USIZE / 8 {
            next[i] = self.next[i];
        }
        let (to, _) = self.ring[at % RING..][..len].as_chunks_mut();
        for block in 0..len / S::USIZE {
            for i in 0..S::USIZE / 8 {
                to[block * (S::USIZE / 8) + i] = next[i].to_le_bytes();
            }
            self.step.step(&mut next[..S::USIZE / 8]);
        }
        for i in 0..S::USIZE / 8 {
            self.next[i] = next[i];
        }
    }
}

impl<S: ArraySize> Counters for Lookahead<S, Increment> {
    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        self.take(token, from)
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.read += len;
    }
}

impl<S: ArraySize> BlockSizeUser for Lookahead<S, TimesX> {
    type BlockSize = S;
}

impl<S: ArraySize> Tweaks for Lookahead<S, TimesX> {
    /// The first tweak.
    type First = Numbers;

    #[inline(always)]
    fn empty() -> Self {
        Self::empty()
    }

    #[inline(always)]
    fn begin(&mut self, first: Numbers, len: usize) {
        self.begin(first, TimesX, len);
    }

    #[inline(always)]
    fn make<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        self.take(token, from)
    }

    #[inline(always)]
    fn made<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize) -> W {
        self.taken(token, from)
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.read += len;
    }

    #[inline]
    fn next_two(&self) -> [Block<Self>; 2] {
        let mut tweaks = [Block::<Self>::default(), Block::<Self>::default()];
        for (i, tweak) in tweaks.iter_mut().enumerate() {
            tweak.copy_from_slice(&self.ring[(self.read + i * S::USIZE) % RING..][..S::USIZE]);
        }
        tweaks
    }
}

impl<S, T> Drop for Lookahead<S, T> {
    #[inline]
    fn drop(&mut self) {
        self.next = [0; 8];
        // The last words may have been written beyond the end.
        self.ring[..self.end.next_multiple_of(LONGEST_WORD).min(RING)].fill(0);
        zeroize::optimization_barrier(self);
    }
}
