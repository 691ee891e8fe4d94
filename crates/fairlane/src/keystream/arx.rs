//! ARX permutations in counter mode, `N` blocks side by side: each word holds one number of `N` states, so that rounds
//! need no shuffles; the keystream is transposed at the end.

use crate::in_out::take;
use cipher::inout::InOutBuf;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Token, U32xN, is_zen};

/// A permutation of `WORDS` numbers of 32 bits. Each block of keystream is that of a state with another counter.
pub(crate) trait Arx<const WORDS: usize> {
    /// The index of the counter in the state, or of its lower half.
    const COUNTER: usize;
    /// Whether the counter has 64 bits.
    const WIDE: bool;

    /// The rounds, without the addition of the input.
    fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; WORDS]);
}

/// ChaCha's quarter round (RFC 8439, section 2.1): 4 additions, 4 exclusive ors, 4 rotations.
#[inline(always)]
pub(crate) fn quarter_round<W: U32xN<N>, const N: usize, const WORDS: usize>(
    state: &mut [W; WORDS],
    [a, b, c, d]: [usize; 4],
) {
    state[a] = state[a].add(state[b]);
    state[d] = state[d].xor_rotl::<16>(state[a]);
    state[c] = state[c].add(state[d]);
    state[b] = state[b].xor_rotl::<12>(state[c]);
    state[a] = state[a].add(state[b]);
    state[d] = state[d].xor_rotl::<8>(state[a]);
    state[c] = state[c].add(state[d]);
    state[b] = state[b].xor_rotl::<7>(state[c]);
}

/// Four quarter rounds, of which number `i` takes the words `a[i]`, `b[i]`, `c[i]` and `d[i]`.
///
/// If every word has a register, all four are done step by step, the third and fourth `LAG` steps behind (0 or 1), so
/// that a CPU that starts the oldest operations first has some from four chains. On a Zen 4 with 512 bits, ChaCha20
/// takes 4 % less time than with one quarter round after the other, and 6 % less with `LAG` 1, where rotations, for
/// which there are half as many ports, come two at a time; Kusumi-512 takes 5 % less, and 2 % with `LAG` 1. With fewer
/// registers, one after the other moves fewer words: with AVX2, 2 % less time.
#[inline(always)]
pub(crate) fn quarter_rounds<const LAG: usize, W: U32xN<N>, const N: usize, const WORDS: usize>(
    state: &mut [W; WORDS],
    [a, b, c, d]: [[usize; 4]; 4],
) {
    let words = |i: usize| [a[i], b[i], c[i], d[i]];
    if W::REGISTERS <= WORDS {
        for i in 0..4 {
            quarter_round(state, words(i));
        }
        return;
    }
    macro_rules! steps {
        ($($step:literal)*) => {$(
            step::<$step, 0, W, N, WORDS>(state, words(0));
            step::<$step, 0, W, N, WORDS>(state, words(1));
            step::<$step, LAG, W, N, WORDS>(state, words(2));
            step::<$step, LAG, W, N, WORDS>(state, words(3));
        )*};
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12);
}

/// Step `STEP - LAG` of the twelve of a quarter round, or nothing if there is no such step.
#[inline(always)]
fn step<const STEP: usize, const LAG: usize, W: U32xN<N>, const N: usize, const WORDS: usize>(
    state: &mut [W; WORDS],
    [a, b, c, d]: [usize; 4],
) {
    match STEP.wrapping_sub(LAG) {
        0 | 6 => state[a] = state[a].add(state[b]),
        1 | 7 => state[d] = state[d].xor(state[a]),
        2 => state[d] = state[d].rotl::<16>(),
        3 | 9 => state[c] = state[c].add(state[d]),
        4 | 10 => state[b] = state[b].xor(state[c]),
        5 => state[b] = state[b].rotl::<12>(),
        8 => state[d] = state[d].rotl::<8>(),
        11 => state[b] = state[b].rotl::<7>(),
        _ => {}
    }
}

/// Data to be encrypted or decrypted, and the keystream to do it with.
pub(crate) struct KeystreamJob<'a, const WORDS: usize> {
    /// The state that each block begins with; the counter in it is ignored.
    pub(crate) state: &'a [u32; WORDS],
    /// The first block's counter.
    pub(crate) counter: u64,
    /// The data to which keystream is added, except for a part of a block at the end.
    pub(crate) data: InOutBuf<'a, 'a, u8>,
    /// The buffer for the block of keystream for that part.
    pub(crate) last: &'a mut [u8],
}

impl<const WORDS: usize> KeystreamJob<'_, WORDS> {
    /// Bytes of a block.
    pub(crate) const BLOCK: usize = 4 * WORDS;

    /// Splits off as many batches of `blocks` blocks as are full, and one that is not full if it has more than
    /// `max_left` blocks. `None` if that is nothing.
    #[inline]
    pub(crate) fn split_off_batches(&mut self, blocks: usize, max_left: usize) -> Option<KeystreamJob<'_, WORDS>> {
        let batch = blocks * Self::BLOCK;
        let rest = self.data.len() % batch;
        let taken = if rest > max_left * Self::BLOCK { self.data.len() } else { self.data.len() - rest };
        if taken == 0 {
            return None;
        }
        let data = take(&mut self.data, taken);
        let counter = self.counter;
        self.counter = counter.wrapping_add((taken / Self::BLOCK) as u64);
        Some(KeystreamJob { state: self.state, counter, data, last: self.last })
    }

    /// Processes `N` blocks side by side while there are so many, and the rest too if it has more than `max_left`
    /// blocks.
    #[inline]
    pub(crate) fn columns<P: Arx<WORDS>, W: U32xN<N>, const N: usize>(&mut self, token: W::Token, max_left: usize) {
        if let Some(job) = self.split_off_batches(N, max_left) {
            // Quarters of registers save half of the shuffles, but take four times as many loads and stores: with
            // them, 16 KiB of ChaCha20 take 8 % longer on a Zen 4.
            let in_fours = !is_zen();
            token.run(Columns::<P, W, WORDS, N> { job, in_fours, words: PhantomData });
        }
    }

    /// Whether the next `blocks` blocks are all whole.
    #[inline(always)]
    pub(crate) fn has_whole(&self, blocks: usize) -> bool {
        self.data.len() >= blocks * Self::BLOCK
    }

    /// Adds `word`, the `bytes` bytes of keystream from byte `at` of block `number` on, to that block of the data. If
    /// the block is not whole, stores `word` in the buffer for the last block; if there is no such block, drops it.
    /// With `whole` the caller promises that the block is whole.
    #[inline(always)]
    pub(crate) fn apply_word<W: U32xN<N>, const N: usize>(
        &mut self,
        token: W::Token,
        whole: bool,
        [number, at, bytes]: [usize; 3],
        word: W,
    ) {
        let start = number * Self::BLOCK;
        if whole || start + Self::BLOCK <= self.data.len() {
            let input = W::load(token, &self.data.get_in()[start + at..][..bytes]);
            input.xor(word).store(&mut self.data.get_out()[start + at..][..bytes]);
        } else if start < self.data.len() {
            word.store(&mut self.last[at..][..bytes]);
        }
    }

    /// Skips the next `blocks` blocks.
    #[inline(always)]
    pub(crate) fn advance(mut self, blocks: usize) -> Self {
        self.counter = self.counter.wrapping_add(blocks as u64);
        let done = self.data.len().min(blocks * Self::BLOCK);
        self.data = self.data.split_at(done).1;
        self
    }
}

struct Columns<'a, P, W, const WORDS: usize, const N: usize> {
    job: KeystreamJob<'a, WORDS>,
    /// Whether whole blocks are exchanged with memory by quarters of registers, if the word has these.
    in_fours: bool,
    words: PhantomData<(P, W)>,
}

impl<P: Arx<WORDS>, W: U32xN<N>, const WORDS: usize, const N: usize> Kernel<W::Token> for Columns<'_, P, W, WORDS, N> {
    type Output = ();
    // The 32 registers of AVX-512 are enough for ChaCha's 16 words.
    const SPILLS: bool = N < 16 || WORDS > 16;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { mut job, in_fours, .. } = self;
        while !job.data.is_empty() {
            let counter = counters::<W, N>(token, job.counter);
            let mut a = [counter[0]; WORDS];
            for i in 0..WORDS {
                a[i] = word::<P, W, WORDS, N>(token, job.state, &counter, i);
            }
            P::rounds(&mut a);
            for i in 0..WORDS {
                a[i] = a[i].add(word::<P, W, WORDS, N>(token, job.state, &counter, i));
            }
            // Copies for whole blocks need no comparisons.
            if const { W::FOURS && WORDS.is_multiple_of(4) } && in_fours && job.has_whole(N) {
                output_fours::<W, WORDS, N>(token, &mut job, &a);
            } else if job.has_whole(N) {
                output::<W, WORDS, N>(token, &mut job, true, &a);
            } else {
                output::<W, WORDS, N>(token, &mut job, false, &a);
            }
            job = job.advance(N);
        }
    }
}

/// Transposes `N` blocks of keystream, `N` words at a time, and adds them to the data.
#[inline(always)]
pub(crate) fn output<W: U32xN<N>, const WORDS: usize, const N: usize>(
    token: W::Token,
    job: &mut KeystreamJob<'_, WORDS>,
    whole: bool,
    words: &[W; WORDS],
) {
    for_each_tile!(N, WORDS, from, count => {
        let mut square = [W::splat(token, 0); N];
        for i in 0..count {
            square[i] = words[from + i];
        }
        let square = W::transpose(square);
        for i in 0..N {
            job.apply_word(token, whole, [i, 4 * from, 4 * count], square[i]);
        }
    });
}

/// [`output`] of `N` whole blocks, four words at a time: these are 16 bytes in each block, which are exchanged with
/// memory without shuffles.
#[inline(always)]
fn output_fours<W: U32xN<N>, const WORDS: usize, const N: usize>(
    token: W::Token,
    job: &mut KeystreamJob<'_, WORDS>,
    words: &[W; WORDS],
) {
    const FOUR: usize = 4;
    let block = KeystreamJob::<WORDS>::BLOCK;
    for_each_tile!(FOUR, WORDS, from, _count => {
        let fours =
            W::transpose_fours(token, [words[from], words[from + 1], words[from + 2], words[from + 3]]);
        for i in 0..4 {
            let (first, step) = (i * block + 4 * from, 4 * block);
            let input = W::load_fours(token, &job.data.get_in()[..N * block], first, step);
            input.xor(fours[i]).store_fours(&mut job.data.get_out()[..N * block], first, step);
        }
    });
}

/// Number `i` of the states with which the blocks begin.
#[inline(always)]
pub(crate) fn word<P: Arx<WORDS>, W: U32xN<N>, const WORDS: usize, const N: usize>(
    token: W::Token,
    state: &[u32; WORDS],
    counter: &[W; 2],
    i: usize,
) -> W {
    if i == P::COUNTER {
        counter[0]
    } else if P::WIDE && i == P::COUNTER + 1 {
        counter[1]
    } else {
        W::splat(token, state[i])
    }
}

/// The lower and the upper half of `N` counters.
#[inline(always)]
pub(crate) fn counters<W: U32xN<N>, const N: usize>(token: W::Token, first: u64) -> [W; 2] {
    let mut offsets = [0; N];
    for i in 0..N {
        offsets[i] = i as u32;
    }
    let (low, high) = (first as u32, (first >> 32) as u32);
    let mut upper = W::splat(token, high);
    if low.checked_add(N as u32 - 1).is_none() {
        let mut lanes = [high; N];
        for i in 0..N {
            lanes[i] = high.wrapping_add(u32::from(low.checked_add(i as u32).is_none()));
        }
        upper = W::from_array(token, lanes);
    }
    [W::splat(token, low).add(W::from_array(token, offsets)), upper]
}

/// Reads little-endian numbers of 32 bits from four times as many bytes.
#[inline(always)]
pub(crate) fn words(numbers: &mut [u32], bytes: &[u8]) {
    let (bytes, _) = bytes.as_chunks();
    for (number, bytes) in numbers.iter_mut().zip(bytes) {
        *number = u32::from_le_bytes(*bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairlane_lanes::{Avx512, U32x16};

    /// A CPU takes one of the two ways, by its maker.
    #[test]
    fn both_ways_to_exchange_blocks_with_memory_agree() {
        struct Sums;
        impl Arx<16> for Sums {
            const COUNTER: usize = 12;
            const WIDE: bool = false;

            fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; 16]) {
                for i in 0..16 {
                    state[(i + 1) % 16] = state[(i + 1) % 16].add(state[i]);
                }
            }
        }
        let Some(token) = Avx512::new() else { return };
        let mut state = [0; 16];
        for i in 0..16 {
            state[i] = 0x0102_0408 << i;
        }
        let run = |in_fours| {
            let (mut data, mut last) = ([0x5a; 2 * 1024 + 100], [0; 64]);
            let job = KeystreamJob { state: &state, counter: 7, data: data.as_mut_slice().into(), last: &mut last };
            token.run(Columns::<Sums, U32x16, 16, 16> { job, in_fours, words: PhantomData });
            (data, last)
        };
        assert_eq!(run(true), run(false));
    }
}
