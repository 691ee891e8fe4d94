//! Messages of one length, one after the other in memory, and their outputs likewise.

use super::last_group::Remaining;
use super::messages::{Chunk, Group, Groups, Messages};

/// Most rows that are one chunk.
const CHUNK: usize = 32;

/// The messages and outputs of one call of [`hash_fixed`](super::HashMany::hash_fixed) that are not hashed yet.
#[derive(Debug)]
pub struct Rows<'a> {
    pub(super) messages: &'a [u8],
    pub(super) outputs: &'a mut [u8],
    /// Bytes of a message.
    pub(super) length: usize,
    /// Bytes of an output.
    pub(super) output_length: usize,
    /// How many they are: the slices hold as many times the lengths.
    pub(super) count: usize,
}

impl<'a> Rows<'a> {
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

    /// The rows that are left.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
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

/// Groups of `N` rows, as long as `N` are left.
impl<const N: usize> Groups<N> for Rows<'_> {
    fn next_group(&mut self) -> Option<Group<'_, N>> {
        if self.count < N {
            return None;
        }
        let (mut messages, mut outputs) = ([&[][..]; N], [(); N].map(|()| <&mut [u8]>::default()));
        for (message, output) in messages.iter_mut().zip(&mut outputs) {
            (*message, *output) = self.next();
        }
        Some((messages, outputs))
    }
}

impl<'a> Remaining<'a> for Rows<'a> {
    fn alike(&self) -> Option<(usize, usize)> {
        Some((self.count, self.output_length))
    }

    fn take(&mut self) -> (&'a [u8], &'a mut [u8]) {
        self.next()
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
