//! Multi-buffer hashing: each lane of a word holds the state of one message, and takes the next message when that ends.

use super::messages::Chunk;
use crate::zeroizing::{MaybeZeroize, Zeroizing};

/// An iterated hash function, which absorbs a message block by block: a state of `WORDS` words and blocks of at most
/// `BLOCK` bytes.
pub(crate) trait IteratedHash<const WORDS: usize, const BLOCK: usize>: Copy {
    /// A word of the state.
    type Word: Copy + MaybeZeroize;
    /// The fewest bytes of padding that a message gets.
    const MIN_PADDING: usize;

    /// Bytes of a block.
    fn block_size(self) -> usize;

    /// The state before the first block, in every lane.
    fn initial<const N: usize>() -> [[Self::Word; N]; WORDS];

    /// Writes a padded block into `block`, which holds zeros: `rest`, the bytes after the last whole block of a message
    /// of `length` bytes, and the padding; or, if `rest` is `None`, the block of padding that follows that one.
    fn pad(self, rest: Option<&[u8]>, length: usize, block: &mut [u8; BLOCK]);

    /// Writes to the beginning of `output` as many bytes as the state of one lane gives; returns their number.
    fn output<const N: usize>(self, states: &[[Self::Word; N]; WORDS], lane: usize, output: &mut [u8]) -> usize;
}

/// A message in a lane.
#[derive(Clone, Copy)]
struct Lane {
    slot: usize,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    /// Bytes of the message and its padding that are absorbed.
    Absorbed(usize),
    /// The message is absorbed; bytes of output that are written.
    Squeezed(usize),
}

impl Lane {
    /// The bytes of the message that are not absorbed yet; `None` once all of the padding is absorbed.
    #[inline(always)]
    fn unabsorbed<'m>(&self, chunk: &Chunk<'m, '_>) -> Option<&'m [u8]> {
        match self.progress {
            Progress::Absorbed(bytes) => Some(chunk.message(self.slot).get(bytes..).unwrap_or(&[])),
            Progress::Squeezed(_) => None,
        }
    }
}

/// The states of `N` messages and how far each is; `None` for an idle lane.
pub(crate) struct MultiBuffer<H: IteratedHash<WORDS, BLOCK>, const N: usize, const WORDS: usize, const BLOCK: usize> {
    hash: H,
    states: Zeroizing<[[H::Word; N]; WORDS]>,
    lanes: [Option<Lane>; N],
}

impl<H: IteratedHash<WORDS, BLOCK>, const N: usize, const WORDS: usize, const BLOCK: usize>
    MultiBuffer<H, N, WORDS, BLOCK>
{
    /// Idle lanes.
    pub(crate) fn new(hash: H) -> Self {
        Self { hash, states: Zeroizing(H::initial()), lanes: [None; N] }
    }

    /// Whether all lanes are idle.
    pub(crate) fn is_idle(&self) -> bool {
        self.lanes.iter().all(Option::is_none)
    }

    /// Hashes until a lane is idle and the chunk has no new message; if the chunk is the last, until then no more than
    /// `leave` messages are unfinished.
    ///
    /// `absorb` is called with the states, whether all of them are to be set to the initial state first, the bytes for
    /// each of them, and the number of blocks to absorb.
    pub(crate) fn run(
        &mut self,
        chunk: &mut Chunk<'_, '_>,
        leave: usize,
        mut absorb: impl FnMut(&mut [[H::Word; N]; WORDS], bool, [&[u8]; N], usize),
    ) {
        let block = self.hash.block_size();
        loop {
            let (busy, all_begin) = self.fill(chunk);
            let done = if chunk.is_last() { busy <= leave } else { busy < N };
            if done {
                if all_begin && busy > 0 {
                    self.states.0 = H::initial();
                }
                return;
            }
            let whole = self.whole(chunk);
            if whole >= block {
                let blocks = whole / block;
                let rows = self.unabsorbed(chunk);
                absorb(&mut self.states.0, all_begin, rows, blocks);
                self.skip(blocks * block);
            } else {
                let mut padded = Zeroizing([[0; BLOCK]; N]);
                let rows = self.next_blocks(chunk, &mut padded.0);
                absorb(&mut self.states.0, all_begin, rows, 1);
                self.advance(chunk);
            }
        }
    }

    /// Gives new messages to idle lanes; returns the number of lanes that are busy then, and whether all of them begin.
    #[inline(always)]
    fn fill(&mut self, chunk: &mut Chunk<'_, '_>) -> (usize, bool) {
        let mut busy = self.lanes.iter().flatten().count();
        let all_begin = busy == 0;
        for i in 0..N {
            if self.lanes[i].is_some() {
                continue;
            }
            let Some(slot) = chunk.next() else { break };
            self.lanes[i] = Some(Lane { slot, progress: Progress::Absorbed(0) });
            busy += 1;
            if !all_begin {
                for (words, [initial]) in self.states.0.iter_mut().zip(H::initial()) {
                    words[i] = initial;
                }
            }
        }
        (busy, all_begin)
    }

    /// The number of bytes that every busy lane has yet to absorb, without padding.
    #[inline(always)]
    fn whole(&self, chunk: &Chunk<'_, '_>) -> usize {
        let lengths = self.lanes.iter().flatten().map(|lane| lane.unabsorbed(chunk).map_or(0, <[u8]>::len));
        lengths.min().unwrap_or(0)
    }

    /// Notes that `more` bytes are absorbed in each lane.
    #[inline(always)]
    fn skip(&mut self, more: usize) {
        for lane in self.lanes.iter_mut().flatten() {
            if let Progress::Absorbed(bytes) = &mut lane.progress {
                *bytes += more;
            }
        }
    }

    /// What each busy lane has yet to absorb; the same bytes as another lane's for an idle one.
    #[inline(always)]
    fn unabsorbed<'m>(&self, chunk: &Chunk<'m, '_>) -> [&'m [u8]; N] {
        let mut busy = self.lanes.iter().flatten().filter_map(|lane| lane.unabsorbed(chunk));
        let mut rows = [busy.next().unwrap_or(&[]); N];
        for (row, lane) in rows.iter_mut().zip(&self.lanes) {
            if let Some(bytes) = lane.as_ref().and_then(|lane| lane.unabsorbed(chunk)) {
                *row = bytes;
            }
        }
        rows
    }

    /// Each lane's next block: of the message, or its padded end in `padded`, or zeros for a lane that squeezes or is
    /// idle.
    #[inline(always)]
    fn next_blocks<'a, 'm: 'a>(&self, chunk: &Chunk<'m, '_>, padded: &'a mut [[u8; BLOCK]; N]) -> [&'a [u8]; N] {
        let block = self.hash.block_size();
        let mut rows: [&[u8]; N] = [&[]; N];
        for ((row, padded), lane) in rows.iter_mut().zip(padded).zip(&self.lanes) {
            *row = match lane {
                Some(Lane { slot, progress: Progress::Absorbed(bytes) }) => {
                    let message = chunk.message(*slot);
                    match message.get(*bytes..) {
                        Some(rest) if rest.len() >= block => rest,
                        rest => {
                            self.hash.pad(rest, message.len(), padded);
                            padded
                        }
                    }
                }
                _ => padded,
            };
        }
        rows
    }

    /// Notes that each lane has absorbed or squeezed one block, and writes the output of those that squeeze.
    #[inline(always)]
    fn advance(&mut self, chunk: &mut Chunk<'_, '_>) {
        let block = self.hash.block_size();
        for i in 0..N {
            let Some(lane) = &mut self.lanes[i] else { continue };
            let slot = lane.slot;
            let written = match &mut lane.progress {
                Progress::Absorbed(bytes) => {
                    *bytes += block;
                    if *bytes < chunk.message(slot).len() + H::MIN_PADDING {
                        continue;
                    }
                    0
                }
                Progress::Squeezed(written) => *written,
            };
            let output = &mut chunk.output(slot)[written..];
            let more = self.hash.output(&self.states.0, i, output);
            if more == output.len() {
                self.lanes[i] = None;
                chunk.finish(slot);
            } else {
                lane.progress = Progress::Squeezed(written + more);
            }
        }
    }

    /// The busy lanes, of which there must be at most `M`, in fewer lanes.
    pub(crate) fn compact<const M: usize>(&self) -> MultiBuffer<H, M, WORDS, BLOCK> {
        let mut compact = MultiBuffer::new(self.hash);
        let busy = self.lanes.iter().enumerate().filter(|(_, lane)| lane.is_some());
        for ((to, new), (from, lane)) in compact.lanes.iter_mut().enumerate().zip(busy) {
            *new = *lane;
            for (new, old) in compact.states.0.iter_mut().zip(&self.states.0) {
                new[to] = old[from];
            }
        }
        compact
    }
}
