//! Blocks that a mode makes for itself: counters and tweaks, ahead of the cipher.
//!
//! They are made in integers, eight bytes at a time, and read as whole words, which would have to wait for such narrow
//! writes. So they are written a batch before they are read.

use cipher::Array;
use cipher::array::ArraySize;
use core::marker::PhantomData;
use fairlane_lanes::BlocksN;

/// Bytes between what is written and what is read: a batch of the widest kernel, or more.
const AHEAD: usize = 1024;
/// Bytes of room: those, and as many that are read more than once.
const ROOM: usize = 2 * AHEAD;

/// A block as little-endian numbers, as many as the longest one has.
pub(super) type Numbers = [u64; 8];

/// Those of a block, and zeros.
#[inline]
pub(super) fn numbers<S: ArraySize>(block: &Array<u8, S>) -> Numbers {
    let mut numbers = [0; 8];
    for (number, bytes) in numbers.iter_mut().zip(block.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}

/// How to get from a block to the next.
pub(super) trait Step {
    /// `block` has as many numbers as it takes.
    fn step(&self, block: &mut [u64]);
}

/// Blocks of `S` bytes, each made from the one before; erased on drop. Aligned, so that no word lies in two cache
/// lines.
#[repr(C, align(64))]
pub(super) struct Ahead<S, T> {
    /// A ring of those that are written.
    ring: [u8; ROOM],
    step: T,
    /// The next to be written.
    next: Numbers,
    /// Bytes before the batch at hand.
    read: usize,
    /// Bytes of all blocks that are needed.
    end: usize,
    size: PhantomData<S>,
}

impl<S: ArraySize, T: Step> Ahead<S, T> {
    /// As many blocks as `len` bytes of data take, whole or not, from `first` on.
    #[inline]
    pub(super) fn new(first: Numbers, step: T, len: usize) -> Self {
        let end = len.next_multiple_of(S::USIZE);
        let mut ahead = Self { ring: [0; ROOM], step, next: first, read: 0, end, size: PhantomData };
        ahead.write(0, end.min(AHEAD));
        ahead
    }

    /// The blocks from byte `from` of the batch at hand. All words of a batch must be taken, in their order.
    #[inline(always)]
    pub(super) fn take<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        let word = self.taken(token, from);
        let to = self.read + from + AHEAD;
        if to < self.end && to.is_multiple_of(S::USIZE) {
            self.write(to, const { if N < S::USIZE { S::USIZE } else { N } });
        }
        word
    }

    /// Those again.
    #[inline(always)]
    pub(super) fn taken<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize) -> W {
        W::load(token, &self.ring[(self.read + from) % ROOM..][..N])
    }

    /// Goes on behind the first `len` bytes.
    #[inline(always)]
    pub(super) fn advance(&mut self, len: usize) {
        self.read += len;
    }

    /// A block of those that come next, by its number from 0 on.
    #[inline]
    pub(super) fn peek(&self, number: usize) -> &[u8] {
        &self.ring[(self.read + number * S::USIZE) % ROOM..][..S::USIZE]
    }

    /// Writes the next `len` bytes, whole blocks, to where they are read from.
    #[inline(always)]
    fn write(&mut self, at: usize, len: usize) {
        // In registers: there a number takes a cycle, in memory five.
        let mut next = [0; 8];
        for i in 0..S::USIZE / 8 {
            next[i] = self.next[i];
        }
        let (to, _) = self.ring[at % ROOM..][..len].as_chunks_mut();
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

impl<S, T> Drop for Ahead<S, T> {
    #[inline]
    fn drop(&mut self) {
        self.next = [0; 8];
        self.ring[..self.end.min(ROOM)].fill(0);
        zeroize::optimization_barrier(self);
    }
}
