//! Many messages side by side: each lane of a word holds the state of one, and takes the next message when it ends.

use crate::erased::{Erase, Erased};
use crate::many::Source;

/// What a hash tells the lanes: its state of `WORDS` numbers, its blocks of `BLOCK` bytes, its padding and its output.
pub(crate) trait BlockHash<const WORDS: usize, const BLOCK: usize> {
    /// A number of the state.
    type Lane: Copy;
    /// The fewest bytes of padding that a message has.
    const PADDING: usize;

    /// The state before the first block, in every lane.
    fn initial<const N: usize>() -> [[Self::Lane; N]; WORDS];

    /// Writes what follows a message's last whole block into a block of zeros: the `rest` of a message of `length` bytes, less
    /// than a block, and its padding; or, with none, the block after that.
    fn pad(&self, rest: Option<&[u8]>, length: usize, block: &mut [u8; BLOCK]);

    /// Writes the beginning of `output` from one lane's state, as much as a state gives; returns how many bytes.
    fn output<const N: usize>(states: &[[Self::Lane; N]; WORDS], lane: usize, output: &mut [u8]) -> usize;
}

/// A message on its way through a lane.
struct Lane<M> {
    number: usize,
    message: M,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    /// So many bytes of the message and its padding are absorbed.
    Absorbed(usize),
    /// All of them are, and so many bytes of output are written.
    Squeezed(usize),
}

impl<M: AsRef<[u8]>> Lane<M> {
    /// The message's bytes not absorbed yet; `None` once all of the padding is absorbed too.
    #[inline(always)]
    fn unabsorbed(&self) -> Option<&[u8]> {
        match self.progress {
            Progress::Absorbed(bytes) => Some(self.message.as_ref().get(bytes..).unwrap_or(&[])),
            Progress::Squeezed(_) => None,
        }
    }
}

/// What each lane works on; `None` for an idle one.
struct Lanes<M, const N: usize>([Option<Lane<M>>; N]);

impl<M: AsRef<[u8]>, const N: usize> Lanes<M, N> {
    /// Whole blocks that every busy lane still has to absorb.
    #[inline(always)]
    fn whole_blocks<const BLOCK: usize>(&self) -> usize {
        let blocks = self.0.iter().flatten().map(|lane| lane.unabsorbed().unwrap_or(&[]).len() / BLOCK);
        blocks.min().unwrap_or(0)
    }

    /// Notes that each lane has absorbed so many bytes more.
    #[inline(always)]
    fn skip(&mut self, more: usize) {
        for lane in self.0.iter_mut().flatten() {
            if let Progress::Absorbed(bytes) = &mut lane.progress {
                *bytes += more;
            }
        }
    }

    /// What each busy lane has to absorb yet; idle lanes go along with a busy one.
    #[inline(always)]
    fn messages_left(&self) -> [&[u8]; N] {
        let mut left = self.0.iter().flatten().filter_map(Lane::unabsorbed);
        let mut rows = [left.next().unwrap_or(&[]); N];
        for (row, lane) in rows.iter_mut().zip(&self.0) {
            if let Some(bytes) = lane.as_ref().and_then(Lane::unabsorbed) {
                *row = bytes;
            }
        }
        rows
    }

    /// Each lane's next block: of the message, its padded end in `tails`, or zeros for a lane that squeezes or is idle.
    #[inline(always)]
    fn next_blocks<'a, H: BlockHash<WORDS, BLOCK>, const WORDS: usize, const BLOCK: usize>(
        &'a self,
        hash: &H,
        tails: &'a mut [[u8; BLOCK]; N],
    ) -> [&'a [u8]; N] {
        let mut rows: [&[u8]; N] = [&[]; N];
        for ((row, tail), lane) in rows.iter_mut().zip(tails).zip(&self.0) {
            *row = match lane {
                Some(Lane { message, progress: Progress::Absorbed(bytes), .. }) => {
                    let message = message.as_ref();
                    match message.get(*bytes..) {
                        Some(rest) if rest.len() >= BLOCK => rest,
                        rest => {
                            hash.pad(rest, message.len(), tail);
                            tail
                        }
                    }
                }
                _ => tail,
            };
        }
        rows
    }
}

/// `N` lanes at work.
pub(crate) struct Batch<H: BlockHash<WORDS, BLOCK>, S: Source, const N: usize, const WORDS: usize, const BLOCK: usize>
where
    [[H::Lane; N]; WORDS]: Erase,
{
    hash: H,
    source: S,
    states: Erased<[[H::Lane; N]; WORDS]>,
    lanes: Lanes<S::Message, N>,
}

impl<H: BlockHash<WORDS, BLOCK>, S: Source, const N: usize, const WORDS: usize, const BLOCK: usize>
    Batch<H, S, N, WORDS, BLOCK>
where
    [[H::Lane; N]; WORDS]: Erase,
{
    /// Idle lanes.
    pub(crate) fn new(hash: H, source: S) -> Self {
        Self { hash, source, states: Erased(H::initial()), lanes: Lanes([const { None }; N]) }
    }

    /// Works until no more than `left` messages are unfinished and all of them are in lanes.
    ///
    /// `absorb` takes the states, whether all of them begin whatever they hold, rows of bytes, one for each state, and how
    /// many blocks of each to absorb.
    pub(crate) fn run(
        &mut self,
        left: usize,
        mut absorb: impl FnMut(&mut [[H::Lane; N]; WORDS], bool, [&[u8]; N], usize),
    ) {
        loop {
            let (busy, fresh) = self.fill();
            if busy <= left {
                if fresh {
                    self.states.0 = H::initial();
                }
                return;
            }
            let blocks = self.lanes.whole_blocks::<BLOCK>();
            if blocks > 0 {
                absorb(&mut self.states.0, fresh, self.lanes.messages_left(), blocks);
                self.lanes.skip(blocks * BLOCK);
            } else {
                let mut tails = Erased([[0; BLOCK]; N]);
                let rows = self.lanes.next_blocks(&self.hash, &mut tails.0);
                absorb(&mut self.states.0, fresh, rows, 1);
                self.advance();
            }
        }
    }

    /// Gives idle lanes their next messages; returns how many lanes are busy then, and whether all states begin.
    #[inline(always)]
    fn fill(&mut self) -> (usize, bool) {
        let mut busy = self.lanes.0.iter().flatten().count();
        let fresh = busy == 0;
        for i in 0..N {
            if self.lanes.0[i].is_some() {
                continue;
            }
            let Some((number, message)) = self.source.next() else { break };
            self.lanes.0[i] = Some(Lane { number, message, progress: Progress::Absorbed(0) });
            busy += 1;
            if !fresh {
                for (lanes, [initial]) in self.states.0.iter_mut().zip(H::initial()) {
                    lanes[i] = initial;
                }
            }
        }
        (busy, fresh)
    }

    /// Notes that each lane has done one block, and writes out what is squeezed.
    #[inline(always)]
    fn advance(&mut self) {
        for i in 0..N {
            let Some(lane) = &mut self.lanes.0[i] else { continue };
            let written = match &mut lane.progress {
                Progress::Absorbed(bytes) => {
                    *bytes += BLOCK;
                    if *bytes < lane.message.as_ref().len() + H::PADDING {
                        continue;
                    }
                    0
                }
                Progress::Squeezed(written) => *written,
            };
            let output = &mut self.source.output(lane.number)[written..];
            let more = H::output(&self.states.0, i, output);
            if more == output.len() {
                self.lanes.0[i] = None;
            } else {
                lane.progress = Progress::Squeezed(written + more);
            }
        }
    }

    /// The busy lanes in a batch of fewer, which has room for them.
    pub(crate) fn narrow<const M: usize>(self) -> Batch<H, S, M, WORDS, BLOCK>
    where
        [[H::Lane; M]; WORDS]: Erase,
    {
        let mut batch = Batch::new(self.hash, self.source);
        let mut to = 0;
        for (from, lane) in self.lanes.0.into_iter().enumerate() {
            if lane.is_some() {
                batch.lanes.0[to] = lane;
                for (new, old) in batch.states.0.iter_mut().zip(&self.states.0) {
                    new[to] = old[from];
                }
                to += 1;
            }
        }
        batch
    }

    /// Where messages came from, of a batch that has run till none was left.
    pub(crate) fn finish(self) -> S {
        debug_assert!(self.lanes.0.iter().all(Option::is_none));
        self.source
    }
}
