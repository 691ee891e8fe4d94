//! The messages and outputs of one call of [`HashMany`](super::HashMany), in a form that does not depend on the
//! caller's types: code behind it is compiled once for each hash, in this crate.
//!
//! Messages are handed over in chunks, so that an indirect call is made once per chunk and not once per message.

use super::last_group::Remaining;
use core::iter::Fuse;
use core::slice::IterMut;

/// Messages of one call and the outputs that belong to them.
pub trait Messages {
    /// The number of messages; an iterator that breaks its promise may yield fewer.
    fn count(&self) -> usize;

    /// Calls `hash` with one chunk after another, until it has been called with the last.
    ///
    /// Each call must take all new messages of its chunk ([`Chunk::next`]). A message that is unfinished when the call
    /// returns is in the next chunk under the same slot. The call with the last chunk must finish all messages.
    fn for_each_chunk(&mut self, hash: &mut dyn FnMut(&mut Chunk<'_, '_>));
}

/// Messages that are at hand together, each in a slot: unfinished ones of the chunk before, and new ones.
#[derive(Debug)]
pub struct Chunk<'m, 'o> {
    /// The messages, by slot; empty where there is none.
    messages: &'m [&'m [u8]],
    /// Their outputs.
    outputs: &'m mut [&'o mut [u8]],
    /// Slots of new messages that are not taken yet, in order.
    new: core::slice::Iter<'m, u8>,
    /// Slots of finished messages.
    finished: &'m mut [u8],
    finished_count: usize,
    is_last: bool,
}

impl<'m> Chunk<'m, '_> {
    /// Calls `hash` with messages that are new and the last, at most 256.
    pub(super) fn only(messages: &'m [&'m [u8]], outputs: &mut [&mut [u8]], hash: &mut dyn FnMut(&mut Chunk<'_, '_>)) {
        const SLOTS: [u8; 256] = identity();
        let mut finished = [0; 256];
        let new = SLOTS[..messages.len()].iter();
        hash(&mut Chunk { messages, outputs, new, finished: &mut finished, finished_count: 0, is_last: true });
    }

    /// Takes the next new message; returns its slot.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        self.new.next().map(|slot| usize::from(*slot))
    }

    /// Takes the next `N` new messages if they have one length, and their outputs too; returns their slots.
    #[inline(always)]
    fn next_equal<const N: usize>(&mut self) -> Option<&'m [u8; N]> {
        let (slots, rest) = self.new.as_slice().split_first_chunk::<N>()?;
        let (length, output_length) = self.lengths(slots[0]);
        let mut difference = 0;
        for &slot in slots {
            let lengths = self.lengths(slot);
            difference |= lengths.0 ^ length | lengths.1 ^ output_length;
        }
        if difference != 0 {
            return None;
        }
        self.new = rest.iter();
        Some(slots)
    }

    /// The lengths of the message in a slot and of its output.
    #[inline(always)]
    fn lengths(&self, slot: u8) -> (usize, usize) {
        (self.messages[usize::from(slot)].len(), self.outputs[usize::from(slot)].len())
    }

    /// The message in a slot.
    #[inline(always)]
    pub(super) fn message(&self, slot: usize) -> &'m [u8] {
        self.messages[slot]
    }

    /// The output of the message in a slot.
    #[inline(always)]
    pub(super) fn output(&mut self, slot: usize) -> &mut [u8] {
        self.outputs[slot]
    }

    /// Notes that the message in a slot is hashed and its output written, or will be before this chunk's call returns.
    #[inline(always)]
    pub(super) fn finish(&mut self, slot: usize) {
        self.finished[self.finished_count] = slot as u8;
        self.finished_count += 1;
    }

    /// The number of new messages that are not taken.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.new.as_slice().len()
    }

    /// Whether no message follows this chunk.
    #[inline]
    pub(crate) fn is_last(&self) -> bool {
        self.is_last
    }
}

/// Messages of one length, and their outputs, which have one length too.
pub(crate) type Group<'a, const N: usize> = ([&'a [u8]; N], [&'a mut [u8]; N]);

/// Messages in groups. Kernels take it as an object, so that each is compiled once.
pub(crate) trait Groups<const N: usize> {
    /// Takes the next group; all of its messages must be hashed.
    fn next_group(&mut self) -> Option<Group<'_, N>>;
}

/// One group.
impl<const N: usize> Groups<N> for Option<Group<'_, N>> {
    fn next_group(&mut self) -> Option<Group<'_, N>> {
        self.take()
    }
}

/// Groups of `N` new messages, as long as the next `N` have one length, and their outputs too.
impl<const N: usize> Groups<N> for Chunk<'_, '_> {
    fn next_group(&mut self) -> Option<Group<'_, N>> {
        let slots = self.next_equal::<N>()?;
        for &slot in slots {
            self.finish(slot.into());
        }
        let messages = slots.map(|slot| self.message(slot.into()));
        let outputs = self.outputs.get_disjoint_mut(slots.map(usize::from));
        Some((messages, outputs.expect("different slots of the chunk").map(|output| &mut **output)))
    }
}

impl<'m, 'o: 'm> Remaining<'m> for Chunk<'m, 'o> {
    fn alike(&self) -> Option<(usize, usize)> {
        let slots = self.new.as_slice();
        let lengths = self.lengths(*slots.first().filter(|_| self.is_last)?);
        let alike = slots.iter().all(|&slot| self.lengths(slot) == lengths);
        alike.then_some((slots.len(), lengths.1))
    }

    fn take(&mut self) -> (&'m [u8], &'m mut [u8]) {
        let slot = self.next().expect("a message is left");
        self.finish(slot);
        (self.message(slot), core::mem::take(&mut self.outputs[slot]))
    }
}

/// The first slots: 0, 1, …
const fn identity<const K: usize>() -> [u8; K] {
    let mut slots = [0; K];
    let mut i = 0;
    while i < K {
        slots[i] = i as u8;
        i += 1;
    }
    slots
}

/// Messages from an iterator and outputs from a slice, `K` (at most 256) at a time.
///
/// The stack holds `K` items of the iterator, and 34 bytes more for each.
pub(crate) struct Slots<'o, I, O, const K: usize> {
    messages: Fuse<I>,
    outputs: IterMut<'o, O>,
    count: usize,
    /// Messages that the iterator has yielded.
    pub(super) taken: usize,
}

impl<'o, I: Iterator<Item: AsRef<[u8]>>, O: AsMut<[u8]>, const K: usize> Slots<'o, I, O, K> {
    /// As many messages as there are outputs.
    pub(crate) fn new(messages: I, outputs: &'o mut [O]) -> Self {
        Self { messages: messages.fuse(), count: outputs.len(), outputs: outputs.iter_mut(), taken: 0 }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>, O: AsMut<[u8]>, const K: usize> Messages for Slots<'_, I, O, K> {
    fn count(&self) -> usize {
        self.count
    }

    fn for_each_chunk(&mut self, hash: &mut dyn FnMut(&mut Chunk<'_, '_>)) {
        let mut items: [Option<I::Item>; K] = [const { None }; K];
        let mut outputs: [&mut [u8]; K] = core::array::from_fn(|_| <&mut [u8]>::default());
        let mut free: [u8; K] = const { identity() };
        let mut free_count = K;
        loop {
            let mut new = 0;
            for &slot in &free[..free_count] {
                if self.taken == self.count {
                    break;
                }
                let Some(item) = self.messages.next() else { break };
                let Some(output) = self.outputs.next() else { break };
                items[usize::from(slot)] = Some(item);
                outputs[usize::from(slot)] = output.as_mut();
                self.taken += 1;
                new += 1;
            }
            let is_last = self.taken == self.count || new < free_count;
            let mut messages: [&[u8]; K] = [&[]; K];
            for (message, item) in messages.iter_mut().zip(&items).take(self.taken) {
                if let Some(item) = item {
                    *message = item.as_ref();
                }
            }
            let mut finished = [0; K];
            let mut chunk = Chunk {
                messages: &messages,
                outputs: &mut outputs,
                new: free[..new].iter(),
                finished: &mut finished,
                finished_count: 0,
                is_last,
            };
            hash(&mut chunk);
            if is_last {
                return;
            }
            free_count = chunk.finished_count;
            free = finished;
        }
    }
}
