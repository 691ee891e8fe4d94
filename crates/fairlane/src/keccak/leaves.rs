//! The leaves of a tree of depth one: chunks of one length, each hashed by itself, many side by side. A node absorbs
//! their hashes, the chaining values.

use super::kernels::Keccak;
use super::parameters::SpongeFunction;
use super::permutation::State;
use super::sponge::Sponge;
use crate::hash_many::Slots;
use crate::zeroizing::Zeroizing;

/// Chunks hashed side by side at a time, which fill the widest word twice.
const GROUP: usize = 16;

/// The leaves so far of a message that comes in pieces. Chaining values have `CHAINING` bytes.
#[derive(Clone)]
pub(super) struct Leaves<const RATE: usize, const ROUNDS: usize, const CHAINING: usize> {
    /// Bytes of a chunk.
    chunk: usize,
    /// The byte that follows a chunk.
    domain: u8,
    /// The current chunk.
    leaf: Sponge<RATE, ROUNDS>,
    /// Bytes of the current chunk that are absorbed, less than a chunk.
    filled: usize,
    /// Whole chunks before the current one.
    count: u64,
}

impl<const RATE: usize, const ROUNDS: usize, const CHAINING: usize> Leaves<RATE, ROUNDS, CHAINING> {
    pub(super) fn new(keccak: Keccak, chunk: usize, domain: u8) -> Self {
        Self { chunk, domain, leaf: Sponge::new(keccak), filled: 0, count: 0 }
    }

    /// Takes a piece of the message. The node absorbs the chaining values of the chunks that it ends.
    pub(super) fn absorb(&mut self, node: &mut Sponge<RATE, ROUNDS>, piece: &[u8]) {
        let (chunks, rest) = self.fill_chunk(node, piece);
        // Chunks may be longer than any message.
        for group in chunks.chunks(self.chunk.saturating_mul(GROUP)) {
            // One state in a word of its own takes 8 to 10 % less time than in one of four lanes.
            if group.len() == self.chunk {
                self.leaf.absorb(group);
                self.end_chunk(node);
                continue;
            }
            let mut chaining = Zeroizing([[0; CHAINING]; GROUP]);
            let chaining = &mut chaining.0[..group.len() / self.chunk];
            self.chain(group, chaining);
            node.absorb(chaining.as_flattened());
            self.count += chaining.len() as u64;
        }
        self.begin_chunk(rest);
    }

    /// As [`absorb`](Self::absorb), on the threads of rayon's pool.
    #[cfg(feature = "rayon")]
    pub(super) fn absorb_on_threads(&mut self, node: &mut Sponge<RATE, ROUNDS>, piece: &[u8]) {
        use rayon::prelude::*;
        use zeroize::Zeroize;

        let (chunks, rest) = self.fill_chunk(node, piece);
        let [group, most] = shares(self.chunk, CHAINING);
        for piece in chunks.chunks(self.chunk.saturating_mul(most)) {
            let mut chaining = alloc::vec![[0; CHAINING]; piece.len() / self.chunk];
            let groups = piece.par_chunks(self.chunk.saturating_mul(group)).zip(chaining.par_chunks_mut(group));
            groups.for_each(|(chunks, chaining)| self.chain(chunks, chaining));
            node.absorb(chaining.as_flattened());
            self.count += chaining.len() as u64;
            chaining.as_flattened_mut().zeroize();
        }
        self.begin_chunk(rest);
    }

    /// Takes the first chunks of a message, hashed elsewhere: the node absorbs their chaining values. The current chunk
    /// begins with `last`; `state` is its state after the whole blocks of `last`.
    pub(super) fn absorb_hashed(
        &mut self,
        node: &mut Sponge<RATE, ROUNDS>,
        chaining: &[[u8; CHAINING]],
        state: &State<u64>,
        last: &[u8],
    ) {
        node.absorb(chaining.as_flattened());
        self.count = chaining.len() as u64;
        *self.leaf.state_mut() = *state;
        self.leaf.absorb(&last[last.len() / RATE * RATE..]);
        self.filled = last.len();
    }

    /// Ends the message and its last chunk, which may be a part of one; returns how many chunks there were.
    pub(super) fn finish(&mut self, node: &mut Sponge<RATE, ROUNDS>) -> u64 {
        if self.filled > 0 {
            self.end_chunk(node);
        }
        self.count
    }

    pub(super) fn reset(&mut self) {
        self.leaf.reset();
        self.filled = 0;
        self.count = 0;
    }

    /// Fills the current chunk, if it has begun, and divides what is left into whole chunks and the rest.
    fn fill_chunk<'p>(&mut self, node: &mut Sponge<RATE, ROUNDS>, piece: &'p [u8]) -> (&'p [u8], &'p [u8]) {
        let missing = if self.filled > 0 { self.chunk - self.filled } else { 0 };
        let (part, rest) = piece.split_at(piece.len().min(missing));
        self.leaf.absorb(part);
        self.filled += part.len();
        if self.filled == self.chunk {
            self.end_chunk(node);
        }
        // What follows is empty unless the current chunk has ended.
        rest.split_at(rest.len() / self.chunk * self.chunk)
    }

    /// Begins the next chunk, or goes on with a chunk that was not filled: `rest` is empty then.
    fn begin_chunk(&mut self, rest: &[u8]) {
        self.leaf.absorb(rest);
        self.filled += rest.len();
    }

    fn end_chunk(&mut self, node: &mut Sponge<RATE, ROUNDS>) {
        let mut chaining = Zeroizing([0; CHAINING]);
        self.leaf.finish(self.domain);
        self.leaf.squeeze(&mut chaining.0);
        node.absorb(&chaining.0);
        self.leaf.reset();
        self.filled = 0;
        self.count += 1;
    }

    /// The function whose output a chaining value is.
    pub(super) fn function(&self) -> SpongeFunction {
        SpongeFunction::new(RATE, ROUNDS, self.domain)
    }

    /// The chaining values of whole chunks.
    fn chain(&self, chunks: &[u8], chaining: &mut [[u8; CHAINING]]) {
        let messages = chunks.chunks_exact(self.chunk);
        self.leaf.keccak().hash_messages(self.function(), &mut Slots::<_, _, GROUP>::new(messages, chaining));
    }
}

/// How many chunks a thread takes at a time, and of how many the chaining values are held at a time.
#[cfg(feature = "rayon")]
fn shares(chunk: usize, chaining: usize) -> [usize; 2] {
    /// Bytes that a thread takes at a time, which fit a core's second-level cache.
    const PART: usize = 1 << 18;
    /// Most bytes of a piece whose chaining values are held at a time.
    const PIECE: usize = 1 << 26;
    /// Most bytes of these values.
    const VALUES: usize = 1 << 20;

    let group = (PART / chunk).clamp(1, 1 << 10).next_multiple_of(GROUP);
    [group, (PIECE / chunk).clamp(group, VALUES / chaining)]
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;

    #[test]
    fn chaining_values_take_no_more_than_documented() {
        for chaining in [32, 64] {
            for chunk in [1, 2, 63, 64, 100, 1000, 8192, 1 << 26, usize::MAX] {
                let [group, most] = shares(chunk, chaining);
                assert!(group.is_multiple_of(GROUP) && group <= most, "{chunk}");
                assert!(most * chaining <= 1 << 20, "{chunk}");
            }
            // KangarooTwelve promises half of that.
            assert!(shares(8192, chaining)[1] * chaining <= 1 << 19);
        }
    }
}
