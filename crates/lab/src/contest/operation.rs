//! What one contestant is timed at: a contest's job, done once.

use std::hint::black_box;
use std::panic::resume_unwind;
use std::time::Duration;

/// What the output of an operation is filled with that refuses to open a message.
pub(crate) const REFUSED: u8 = 0xee;

/// Does a contest's job once.
///
/// Everything that the contest does not time (contexts, scratch memory, the key schedule where it is left out) is made
/// before, by the contestant's `make`. All contestants of a contest use the same variant, which its `about` names, so
/// that none copies inside the timed part what another need not copy.
pub enum Operation {
    /// Reads the whole input, fills the whole output.
    ToOutput(Box<ToOutput>),
    /// Changes the buffer where it lies. Timed, it works again and again on what its last call left.
    InPlace(Box<InPlace>),
    /// Reads the input and returns a new buffer, whose end is part of what is timed.
    ToNewBuffer(Box<ToNewBuffer>),
    /// Expands a key. That returns no bytes; to be checked, it is given room for a known block encrypted under the key.
    KeySetup(Box<KeySetup>),
    /// That of a plug-in, which does the job many times in one call.
    Foreign(Box<dyn Foreign>),
}

/// A contest's job done by somebody else's code, in the shape that the contest has.
pub trait Foreign: Send {
    /// Does what is left of setting it up, on the thread that will run it and outside of all that is timed.
    fn ready(&mut self) {}

    /// Does it `times` times, as it is timed. Returns how long that took, if it measures that itself.
    fn run(&mut self, times: u64, input: &[u8], output: &mut [u8]) -> Option<Duration>;

    /// Does it once and answers in `output`. In place, `output` is the only buffer that it changes.
    fn answer(&mut self, input: &[u8], output: &mut [u8]);
}

/// Why an operation cannot go on, such as that of a plug-in whose process died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(pub String);

/// Ends an operation that cannot go on: unwinds to the engine with [`Failed`], without a word on standard error.
pub(crate) fn fail(why: String) -> ! {
    resume_unwind(Box::new(Failed(why)))
}

type ToOutput = dyn FnMut(&[u8], &mut [u8]) + Send;
type InPlace = dyn FnMut(&mut [u8]) + Send;
type ToNewBuffer = dyn FnMut(&[u8]) -> Vec<u8> + Send;
/// Expands a key; encrypts a known block into the room, if there is any.
type KeySetup = dyn FnMut(&[u8], Option<&mut [u8]>) + Send;

impl Operation {
    /// From input to a given output.
    pub fn to_output(op: impl FnMut(&[u8], &mut [u8]) + Send + 'static) -> Self {
        Self::ToOutput(Box::new(op))
    }

    /// From a sealed message to what it holds, or to [`REFUSED`] if `op` says that it must not be opened. That is an
    /// answer and no panic, so that refusing can be timed; where it is wrong, the check of answers finds it.
    pub(crate) fn to_opened(mut op: impl FnMut(&[u8], &mut [u8]) -> bool + Send + 'static) -> Self {
        Self::to_output(move |sealed, message| {
            if !op(sealed, message) {
                message.fill(REFUSED);
            }
        })
    }

    /// In place.
    pub fn in_place(op: impl FnMut(&mut [u8]) + Send + 'static) -> Self {
        Self::InPlace(Box::new(op))
    }

    /// From input to a new buffer.
    pub fn to_new_buffer(op: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static) -> Self {
        Self::ToNewBuffer(Box::new(op))
    }

    /// Key expansion. `op` gets no room when it is timed, and must keep the compiler from removing the work
    /// (`black_box(&cipher)`).
    pub fn key_setup(op: impl FnMut(&[u8], Option<&mut [u8]>) + Send + 'static) -> Self {
        Self::KeySetup(Box::new(op))
    }

    /// Runs it once, as it is timed. In place it works on the content of `output`.
    #[inline]
    pub fn run(&mut self, input: &[u8], output: &mut [u8]) {
        match self {
            Self::ToOutput(op) => op(input, output),
            Self::InPlace(op) => op(output),
            Self::ToNewBuffer(op) => drop(black_box(op(input))),
            Self::KeySetup(op) => op(input, None),
            Self::Foreign(op) => drop(op.run(1, input, output)),
        }
    }

    /// Runs it `times` times, as it is timed. Returns how long that took, if the operation measures that itself.
    #[inline]
    pub fn repeat(&mut self, times: u64, input: &[u8], output: &mut [u8]) -> Option<Duration> {
        if let Self::Foreign(op) = self {
            return op.run(times, black_box(input), black_box(output));
        }
        for _ in 0..times {
            self.run(black_box(input), black_box(output));
        }
        None
    }

    /// Runs it once for its answer to `input`. An operation that returns no buffer of its own answers in `buffer`.
    ///
    /// # Panics
    /// If the operation does; in place also if `buffer` is not as long as the input.
    pub fn answer(&mut self, input: &[u8], mut buffer: Vec<u8>) -> Vec<u8> {
        match self {
            Self::ToOutput(op) => op(input, &mut buffer),
            Self::InPlace(op) => {
                buffer.copy_from_slice(input);
                op(&mut buffer);
            }
            Self::ToNewBuffer(op) => return op(input),
            Self::KeySetup(op) => op(input, Some(&mut buffer)),
            Self::Foreign(op) => op.answer(input, &mut buffer),
        }
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// Adds one to every byte, in every shape.
    fn shapes() -> [Operation; 3] {
        let add = |from: &[u8], to: &mut [u8]| to.iter_mut().zip(from).for_each(|(to, from)| *to = from + 1);
        [
            Operation::to_output(add),
            Operation::in_place(|buffer| buffer.iter_mut().for_each(|byte| *byte += 1)),
            Operation::to_new_buffer(|input| input.iter().map(|byte| byte + 1).collect()),
        ]
    }

    #[test]
    fn every_shape_answers_alike() {
        for mut op in shapes() {
            assert_eq!(op.answer(&[1, 2, 3], vec![9; 3]), [2, 3, 4]);
            assert_eq!(op.answer(&[1, 2, 3], vec![9; 3]), [2, 3, 4], "nothing is left of the last call");
        }
    }

    #[test]
    fn timed_in_place_it_goes_on_from_the_last_call() {
        let [mut to_output, mut in_place, mut to_new] = shapes();
        let mut buffer = [5; 3];
        in_place.run(&[1; 3], &mut buffer);
        in_place.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [7; 3]);
        to_new.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [7; 3], "its answer is its own");
        to_output.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [2; 3]);
    }

    #[test]
    fn a_key_shows_what_it_does_only_when_asked() {
        let shown = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&shown);
        let mut op = Operation::key_setup(move |key, room| {
            if let Some(room) = room {
                room.fill(key[0]);
                count.fetch_add(1, Relaxed);
            }
        });
        op.run(&[3], &mut [0; 2]);
        assert_eq!(shown.load(Relaxed), 0);
        assert_eq!(op.answer(&[3], vec![0; 2]), [3, 3]);
    }
}
