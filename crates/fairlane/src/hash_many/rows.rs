//! Messages of one length, one after the other in memory, and their outputs likewise.

use super::messages::{Chunk, Messages};

/// Most rows that are one chunk.
const CHUNK: usize = 32;

/// The messages and outputs of one call of [`hash_fixed`](super::HashMany::hash_fixed) that are not hashed yet.
#[derive(Debug)]
pub struct Rows<'a> {
    messages: &'a [u8],
    outputs: &'a mut [u8],
    /// Bytes of a message.
    length: usize,
    /// Bytes of an output.
    output_length: usize,
    count: usize,
}

/// Messages and their outputs.
type Group<'a, const N: usize> = ([&'a [u8]; N], [&'a mut [u8]; N]);

impl<'a> Rows<'a> {
    /// `None` if one of the slices cannot be cut into `count` equal parts.
    pub(super) fn new(messages: &'a [u8], outputs: &'a mut [u8], count: usize) -> Option<Self> {
        let part = |whole: usize| match count {
            0 => (whole == 0).then_some(0),
            _ => whole.is_multiple_of(count).then(|| whole / count),
        };
        let (length, output_length) = (part(messages.len())?, part(outputs.len())?);
        Some(Self { messages, outputs, length, output_length, count })
    }

    /// Bytes of an output.
    pub(super) fn output_length(&self) -> usize {
        self.output_length
    }

    /// Takes the next `N` messages and their outputs, if there are so many.
    #[inline(always)]
    pub(crate) fn next_group<const N: usize>(&mut self) -> Option<Group<'a, N>> {
        if self.count < N {
            return None;
        }
        let (mut messages, mut outputs) = ([&[][..]; N], [(); N].map(|()| <&mut [u8]>::default()));
        for (message, output) in messages.iter_mut().zip(&mut outputs) {
            (*message, *output) = self.next();
        }
        Some((messages, outputs))
    }

    /// Takes the next message, of which there must be one.
    #[inline(always)]
    fn next(&mut self) -> (&'a [u8], &'a mut [u8]) {
        self.count -= 1;
        let (message, rest) = self.messages.split_at(self.length);
        self.messages = rest;
        let (output, rest) = core::mem::take(&mut self.outputs).split_at_mut(self.output_length);
        self.outputs = rest;
        (message, output)
    }

    /// Takes the next messages, as many as a chunk has at most, and their outputs.
    pub(super) fn next_chunk(&mut self) -> Option<impl Messages + 'a> {
        let count = self.count.min(CHUNK);
        if count == 0 {
            return None;
        }
        self.count -= count;
        let (messages, rest) = self.messages.split_at(count * self.length);
        self.messages = rest;
        let (outputs, rest) = core::mem::take(&mut self.outputs).split_at_mut(count * self.output_length);
        self.outputs = rest;
        Some(OneChunk(Rows { messages, outputs, count, length: self.length, output_length: self.output_length }))
    }
}

/// One chunk of messages, the rows of which there are at most [`CHUNK`].
struct OneChunk<'a>(Rows<'a>);

impl Messages for OneChunk<'_> {
    fn count(&self) -> usize {
        self.0.count
    }

    fn for_each_chunk(&mut self, hash: &mut dyn FnMut(&mut Chunk<'_, '_>)) {
        let (mut messages, mut outputs) = ([&[][..]; CHUNK], [(); CHUNK].map(|()| <&mut [u8]>::default()));
        let count = self.0.count;
        for (message, output) in messages.iter_mut().zip(&mut outputs).take(count) {
            (*message, *output) = self.0.next();
        }
        Chunk::only(&messages[..count], &mut outputs[..count], hash);
    }
}
