//! Blocks that a mode makes for itself: counters and tweaks, ahead of the cipher.
//!
//! They are made in integers, eight bytes at a time, and read as whole words, which would have to wait for such narrow writes. So
//! they are written a batch before they are read.

use cipher::Array;
use cipher::array::ArraySize;
use core::marker::PhantomData;
use fairlane_lanes::BlocksN;
use zeroize::Zeroize;

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

/// Blocks of `S` bytes, each made from the one before; erased on drop.
pub(super) struct Ahead<S, T> {
    step: T,
    /// The next to be written.
    next: Numbers,
    /// A ring of those that are written.
    ring: [u8; ROOM],
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
        let mut ahead = Self { step, next: first, ring: [0; ROOM], read: 0, end, size: PhantomData };
        for at in (0..end.min(AHEAD)).step_by(S::USIZE) {
            ahead.write(at);
        }
        ahead
    }

    /// The blocks from byte `from` of the batch at hand. All words of a batch must be taken, in their order.
    #[inline(always)]
    pub(super) fn take<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        let word = self.taken(token, from);
        let to = self.read + from + AHEAD;
        if to < self.end && to.is_multiple_of(S::USIZE) {
            for at in (0..N).step_by(S::USIZE) {
                self.write(to + at);
            }
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

    /// Writes the next block to where it is read from.
    #[inline(always)]
    fn write(&mut self, at: usize) {
        let (to, _) = self.ring[at % ROOM..][..S::USIZE].as_chunks_mut();
        for i in 0..S::USIZE / 8 {
            to[i] = self.next[i].to_le_bytes();
        }
        self.step.step(&mut self.next[..S::USIZE / 8]);
    }
}

impl<S, T> Drop for Ahead<S, T> {
    fn drop(&mut self) {
        self.next.zeroize();
        self.ring[..self.end.min(ROOM)].zeroize();
    }
}
