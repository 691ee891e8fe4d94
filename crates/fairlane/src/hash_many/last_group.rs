//! A last group, which has fewer messages than lanes.

use super::messages::{Group, Groups};
use crate::zeroizing::Zeroizing;
use core::marker::PhantomData;

/// Bytes of an output that a lane without a message has room for.
const SPARE: usize = 64;

/// Messages that are left.
pub(crate) trait Remaining<'d> {
    /// Their number and the length of their outputs, if the messages have one length, and the outputs too.
    fn alike(&self) -> Option<(usize, usize)>;

    /// Takes the next one, of which there must be one, and its output.
    fn take(&mut self) -> (&'d [u8], &'d mut [u8]);
}

/// What is left as one group: at least `least` messages, at most `N`, of one length, with outputs of at most 64 bytes.
///
/// The remaining lanes hash the first message again. That costs less than [`MultiBuffer`](super::MultiBuffer), which
/// would leave them idle: five messages of 32 bytes take two thirds of the time.
pub(crate) struct LastGroup<'r, 'd, S, const N: usize> {
    source: &'r mut S,
    least: usize,
    /// Made when there is such a group: most calls have none.
    spare: Option<Zeroizing<[[u8; SPARE]; N]>>,
    data: PhantomData<&'d ()>,
}

impl<'r, 'd, S: Remaining<'d>, const N: usize> LastGroup<'r, 'd, S, N> {
    #[inline]
    pub(crate) fn of(source: &'r mut S, least: usize) -> Self {
        Self { source, least, spare: None, data: PhantomData }
    }
}

impl<'d, S: Remaining<'d>, const N: usize> Groups<N> for LastGroup<'_, 'd, S, N> {
    fn next_group(&mut self) -> Option<Group<'_, N>> {
        let (count, length) = self.source.alike()?;
        if count < self.least || count > N || length > SPARE {
            return None;
        }
        let spare = self.spare.insert(Zeroizing([[0; SPARE]; N]));
        let mut outputs = spare.0.each_mut().map(|spare| &mut spare[..length]);
        let (first, output) = self.source.take();
        let mut messages = [first; N];
        outputs[0] = output;
        for (message, output) in messages.iter_mut().zip(&mut outputs).take(count).skip(1) {
            (*message, *output) = self.source.take();
        }
        Some((messages, outputs))
    }
}
