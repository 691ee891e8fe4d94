//! The first chunk of KangarooTwelve's tree, side by side with the leaves that follow it: its blocks go into the final
//! node, which is not padded after them.

use super::kernels::{Keccak, absorb_many};
use super::parameters::{MAX_RATE, SpongeFunction};
use super::permutation::State;
use crate::hash_many::IteratedHash;
use crate::zeroizing::Zeroizing;
use core::array;
use fairlane_lanes::{AnyToken, KeccakWord, U64x4, U64x4Vl, U64x4Zen, U64x8, U64x8Zen, is_zen};

/// Bytes of a chunk.
pub(super) const CHUNK: usize = 8192;

/// Chunks that are hashed side by side: no more than eight, with the last one.
pub(super) struct FirstChunks<'p> {
    /// The first chunk and the leaves that follow it.
    pub(super) chunks: &'p [[u8; CHUNK]],
    /// The beginning of one more leaf. It may be empty.
    pub(super) last: &'p [u8],
}

/// What is left in the states.
pub(super) struct Hashed<'a, const CHAINING: usize> {
    /// The node's, after the whole blocks of the first chunk.
    pub(super) node: &'a mut State<u64>,
    /// The last leaf's, after its whole blocks.
    pub(super) last: &'a mut State<u64>,
    /// The chaining values of the leaves that follow the first chunk.
    pub(super) chaining: &'a mut [[u8; CHAINING]],
}

impl Keccak {
    /// The chunks of a message that are hashed side by side, and what follows them; none where one after the other is
    /// as fast.
    pub(super) fn first_chunks(self, message: &[u8]) -> Option<(FirstChunks<'_>, &[u8])> {
        /// From this many bytes on, hashing a part of a leaf alone costs more than four states instead of one.
        const ENOUGH: usize = 2048;
        let (chunks, last) = message.as_chunks();
        let last = if last.len() >= ENOUGH { last } else { &[] };
        let count = chunks.len() + usize::from(!last.is_empty());
        let lanes = match self.0 {
            AnyToken::Avx512(_) if count <= 8 => 8,
            // One chunk by itself and then full words are no slower than full words and then one chunk.
            AnyToken::Avx512(_) if chunks.len() % 8 != 1 => 8,
            // Two chunks one after the other in integers take less time than four states in a vector.
            AnyToken::Avx2(_) if chunks.len() > 2 && chunks.len() % 4 != 1 => 4,
            _ => 0,
        };
        if count.min(lanes) < 2 {
            return None;
        }
        let (chunks, last) = (&chunks[..chunks.len().min(lanes)], if count <= lanes { last } else { &[] });
        let rest = &message[chunks.as_flattened().len() + last.len()..];
        Some((FirstChunks { chunks, last }, rest))
    }

    /// Hashes chunks side by side.
    #[inline(never)]
    pub(super) fn hash_first_chunks<const CHAINING: usize>(
        self,
        function: SpongeFunction,
        first: &FirstChunks<'_>,
        hashed: Hashed<'_, CHAINING>,
    ) {
        let is_wide = first.chunks.len() + usize::from(!first.last.is_empty()) > 4;
        macro_rules! run {
            ($token:expr, $word:ty, $n:literal) => {
                hash_side_by_side::<$word, $n, CHAINING>($token, function, first, hashed)
            };
        }
        match self.0 {
            AnyToken::Avx512(token) if is_zen() && is_wide => run!(token, U64x8Zen, 8),
            AnyToken::Avx512(token) if is_zen() => run!(token, U64x4Zen, 4),
            AnyToken::Avx512(token) if is_wide => run!(token, U64x8, 8),
            AnyToken::Avx512(token) => run!(token, U64x4Vl, 4),
            AnyToken::Avx2(token) => run!(token, U64x4, 4),
            _ => unreachable!("the other backends hash one chunk after the other"),
        }
    }
}

fn hash_side_by_side<W: KeccakWord<N>, const N: usize, const CHAINING: usize>(
    token: W::Token,
    function: SpongeFunction,
    &FirstChunks { chunks, last }: &FirstChunks<'_>,
    Hashed { node, last: after_last, chaining }: Hashed<'_, CHAINING>,
) {
    let absorb = absorb_many::<W, N>(token, function);
    let mut states = Zeroizing([[0; N]; 25]);
    // A lane without a chunk repeats the first one.
    let mut rows: [&[u8]; N] = array::from_fn(|lane| &chunks.get(lane).unwrap_or(&chunks[0])[..]);
    let blocks = last.len() / function.rate;
    if !last.is_empty() {
        rows[chunks.len()] = last;
    }
    absorb(&mut states.0, true, rows, blocks);
    if !last.is_empty() {
        store_lane(&states.0, chunks.len(), after_last);
        rows[chunks.len()] = &chunks[0];
    }
    let rest = CHUNK / function.rate - blocks;
    absorb(&mut states.0, false, rows.map(|row| &row[blocks * function.rate..]), rest);
    store_lane(&states.0, 0, node);

    let mut padded = Zeroizing([[0; MAX_RATE]; N]);
    for (block, row) in padded.0.iter_mut().zip(rows) {
        function.pad(Some(&row[CHUNK / function.rate * function.rate..]), CHUNK, block);
    }
    absorb(&mut states.0, false, padded.0.each_ref().map(|block| &block[..function.rate]), 1);
    for (i, value) in chaining.iter_mut().enumerate() {
        function.output(&states.0, i + 1, value);
    }
}

fn store_lane<const N: usize>(states: &State<[u64; N]>, lane: usize, state: &mut State<u64>) {
    for (word, lanes) in state.iter_mut().zip(states) {
        *word = lanes[lane];
    }
}
