//! Many messages side by side: each lane of a word holds the state of one, and takes the next message when it ends.

use super::erased::Erased;
use super::kernels::{AbsorbMany, Keccak};
use super::permutation::State;
use crate::HashManyError;
use core::marker::PhantomData;
use fairlane_lanes::{Token, U64xN};

/// Where messages come from and outputs go to.
pub(super) trait Source {
    /// A message's bytes.
    type Message: AsRef<[u8]>;

    /// The byte that follows a message: domain bits and the first bit of the padding.
    fn domain(&self) -> u8;

    /// How many messages are to come.
    fn left(&self) -> usize;

    /// The next message and its number, counted from 0.
    fn next(&mut self) -> Option<(usize, Self::Message)>;

    /// Where message `number`'s output goes, whole.
    fn output(&mut self, number: usize) -> &mut [u8];
}

/// A message on its way through a lane.
struct Lane<M> {
    number: usize,
    message: M,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    /// So many bytes of the message are absorbed.
    Absorbed(usize),
    /// The padding is too, and so many bytes of output are written.
    Squeezed(usize),
}

impl<M: AsRef<[u8]>> Lane<M> {
    /// The bytes not absorbed yet; `None` once the padding is absorbed too.
    fn unabsorbed(&self) -> Option<&[u8]> {
        match self.progress {
            Progress::Absorbed(bytes) => Some(&self.message.as_ref()[bytes..]),
            Progress::Squeezed(_) => None,
        }
    }
}

/// What each lane works on; `None` for an idle one.
struct Lanes<M, const N: usize>([Option<Lane<M>>; N]);

impl<M: AsRef<[u8]>, const N: usize> Lanes<M, N> {
    /// Whole blocks that every busy lane still has to absorb.
    #[inline(always)]
    fn whole_blocks<const RATE: usize>(&self) -> usize {
        let blocks = self.0.iter().flatten().map(|lane| lane.unabsorbed().unwrap_or(&[]).len() / RATE);
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
    fn next_blocks<'a, const RATE: usize>(&'a self, tails: &'a mut [[u8; RATE]; N], domain: u8) -> [&'a [u8]; N] {
        let mut rows: [&[u8]; N] = [&[]; N];
        for ((row, tail), lane) in rows.iter_mut().zip(tails).zip(&self.0) {
            *row = match lane.as_ref().and_then(Lane::unabsorbed) {
                Some(rest) if rest.len() >= RATE => rest,
                Some(rest) => {
                    tail[..rest.len()].copy_from_slice(rest);
                    tail[rest.len()] = domain;
                    tail[RATE - 1] |= 0x80;
                    tail
                }
                None => tail,
            };
        }
        rows
    }
}

/// `N` lanes at work.
pub(super) struct Batch<S: Source, const N: usize, const RATE: usize> {
    source: S,
    states: Erased<State<[u64; N]>>,
    lanes: Lanes<S::Message, N>,
}

impl<S: Source, const N: usize, const RATE: usize> Batch<S, N, RATE> {
    pub(super) fn new(source: S) -> Self {
        Self { source, states: Erased([[0; N]; 25]), lanes: Lanes([const { None }; N]) }
    }

    /// Works until no more than `left` messages are unfinished and all of them are in lanes.
    pub(super) fn run<W: U64xN<N>, const ROUNDS: usize>(&mut self, token: W::Token, left: usize) {
        loop {
            let (busy, fresh) = self.fill();
            if busy <= left {
                if fresh {
                    self.states.0 = [[0; N]; 25];
                }
                return;
            }
            let states = &mut self.states.0;
            let blocks = self.lanes.whole_blocks::<RATE>();
            if blocks > 0 {
                let rows = self.lanes.messages_left();
                token.run(AbsorbMany::<W, N, RATE, ROUNDS> { states, fresh, rows, blocks, word: PhantomData });
                self.lanes.skip(blocks * RATE);
            } else {
                let mut tails = Erased([[0; RATE]; N]);
                let rows = self.lanes.next_blocks(&mut tails.0, self.source.domain());
                token.run(AbsorbMany::<W, N, RATE, ROUNDS> { states, fresh, rows, blocks: 1, word: PhantomData });
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
                for lanes in &mut self.states.0 {
                    lanes[i] = 0;
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
                    *bytes += RATE;
                    if *bytes <= lane.message.as_ref().len() {
                        continue;
                    }
                    0
                }
                Progress::Squeezed(written) => *written,
            };
            let output = &mut self.source.output(lane.number)[written..];
            let ready = output.len().min(RATE);
            let (whole, part) = output[..ready].as_chunks_mut::<8>();
            for (bytes, lanes) in whole.iter_mut().zip(&self.states.0) {
                *bytes = lanes[i].to_le_bytes();
            }
            if !part.is_empty() {
                part.copy_from_slice(&self.states.0[whole.len()][i].to_le_bytes()[..part.len()]);
            }
            if ready == output.len() {
                self.lanes.0[i] = None;
            } else {
                lane.progress = Progress::Squeezed(written + ready);
            }
        }
    }

    /// The busy lanes in a batch of fewer, which has room for them.
    pub(super) fn narrow<const M: usize>(self) -> Batch<S, M, RATE> {
        let mut batch = Batch::new(self.source);
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
    pub(super) fn finish(self) -> S {
        debug_assert!(self.lanes.0.iter().all(Option::is_none));
        self.source
    }
}

/// Messages from an iterator, outputs to a slice.
struct Slots<'a, I, O> {
    domain: u8,
    messages: I,
    taken: usize,
    outputs: &'a mut [O],
}

impl<I: Iterator<Item: AsRef<[u8]>>, O: AsMut<[u8]>> Source for Slots<'_, I, O> {
    type Message = I::Item;

    #[inline]
    fn domain(&self) -> u8 {
        self.domain
    }

    #[inline]
    fn left(&self) -> usize {
        self.outputs.len() - self.taken
    }

    #[inline]
    fn next(&mut self) -> Option<(usize, I::Item)> {
        // An iterator that breaks its promise of a length must not lead past the outputs.
        if self.left() == 0 {
            return None;
        }
        let message = self.messages.next()?;
        self.taken += 1;
        Some((self.taken - 1, message))
    }

    #[inline]
    fn output(&mut self, number: usize) -> &mut [u8] {
        self.outputs[number].as_mut()
    }
}

/// What stands behind every [`HashMany`](crate::HashMany) here; `size` is the only length that outputs may have.
pub(super) fn hash_all<const RATE: usize, const ROUNDS: usize, I, O>(
    keccak: Keccak,
    domain: u8,
    messages: I,
    outputs: &mut [O],
    size: Option<usize>,
) -> Result<(), HashManyError>
where
    I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    O: AsMut<[u8]>,
{
    let messages = messages.into_iter();
    if messages.len() != outputs.len() {
        return Err(HashManyError::WrongCount { messages: messages.len(), outputs: outputs.len() });
    }
    if let Some(expected) = size {
        let mut lengths = outputs.iter_mut().map(|output| output.as_mut().len()).enumerate();
        if let Some((index, length)) = lengths.find(|&(_, length)| length != expected) {
            return Err(HashManyError::WrongLength { index, length, expected });
        }
    }
    match hash_each::<RATE, ROUNDS, _, _>(keccak, domain, messages, outputs) {
        hashed if hashed == outputs.len() => Ok(()),
        // The iterator promised more than it gave.
        hashed => Err(HashManyError::WrongCount { messages: hashed, outputs: outputs.len() }),
    }
}

/// Hashes as many messages as there are outputs, which may have any lengths; returns how many there were.
pub(super) fn hash_each<const RATE: usize, const ROUNDS: usize, I, O>(
    keccak: Keccak,
    domain: u8,
    messages: I,
    outputs: &mut [O],
) -> usize
where
    I: Iterator<Item: AsRef<[u8]>>,
    O: AsMut<[u8]>,
{
    keccak.many::<RATE, ROUNDS, _>(Slots { domain, messages: messages.fuse(), taken: 0, outputs }).taken
}
