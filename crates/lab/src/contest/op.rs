//! One implementation's way of doing a contest's job once, in the shape that the contest asks for.

use std::hint::black_box;

/// Does a contest's job once.
///
/// Everything that the contest does not time (contexts, scratch, the key schedule where it is left out) is made before,
/// when the contestant's `make` builds the `Op`. A contest has one shape for all who enter it, and its `about` says which:
/// nobody copies inside the timed part what another need not copy.
pub enum Op {
    /// Reads the whole input, fills the whole output.
    Fill(Box<Fill>),
    /// Changes the buffer where it lies. Timed, it works again and again on what its last call left.
    InPlace(Box<InPlace>),
    /// Reads the input and returns a new buffer, whose end is part of what is timed.
    New(Box<New>),
    /// Sets a key up. That gives no bytes, so who is given room for them shows, untimed, what the key does.
    SetUp(Box<SetUp>),
}

type Fill = dyn FnMut(&[u8], &mut [u8]) + Send;
type InPlace = dyn FnMut(&mut [u8]) + Send;
type New = dyn FnMut(&[u8]) -> Vec<u8> + Send;
/// Sets up the key that it is given; writes into the room, if there is any, what the key does to a known block.
type SetUp = dyn FnMut(&[u8], Option<&mut [u8]>) + Send;

impl Op {
    /// From input to a given output.
    pub fn fill(op: impl FnMut(&[u8], &mut [u8]) + Send + 'static) -> Self {
        Self::Fill(Box::new(op))
    }

    /// In place.
    pub fn in_place(op: impl FnMut(&mut [u8]) + Send + 'static) -> Self {
        Self::InPlace(Box::new(op))
    }

    /// From input to a new buffer.
    pub fn to_new(op: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static) -> Self {
        Self::New(Box::new(op))
    }

    /// Key set-up. `op` gets no room when it is timed, and keeps the compiler from leaving the work out
    /// (`black_box(&cipher)`).
    pub fn set_up(op: impl FnMut(&[u8], Option<&mut [u8]>) + Send + 'static) -> Self {
        Self::SetUp(Box::new(op))
    }

    /// Runs it once, as it is timed and counted. In place it works on what `output` holds.
    #[inline]
    pub fn run(&mut self, input: &[u8], output: &mut [u8]) {
        match self {
            Self::Fill(op) => op(input, output),
            Self::InPlace(op) => op(output),
            Self::New(op) => drop(black_box(op(input))),
            Self::SetUp(op) => op(input, None),
        }
    }

    /// Runs it once for its answer to `input`. An operation that returns no buffer of its own answers in `buffer`.
    ///
    /// # Panics
    /// If the operation does; in place also if `buffer` is not as long as the input.
    pub fn answer(&mut self, input: &[u8], mut buffer: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Fill(op) => op(input, &mut buffer),
            Self::InPlace(op) => {
                buffer.copy_from_slice(input);
                op(&mut buffer);
            }
            Self::New(op) => return op(input),
            Self::SetUp(op) => op(input, Some(&mut buffer)),
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
    fn shapes() -> [Op; 3] {
        let add = |from: &[u8], to: &mut [u8]| to.iter_mut().zip(from).for_each(|(to, from)| *to = from + 1);
        [
            Op::fill(add),
            Op::in_place(|buffer| buffer.iter_mut().for_each(|byte| *byte += 1)),
            Op::to_new(|input| input.iter().map(|byte| byte + 1).collect()),
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
        let [mut fill, mut in_place, mut new] = shapes();
        let mut buffer = [5; 3];
        in_place.run(&[1; 3], &mut buffer);
        in_place.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [7; 3]);
        new.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [7; 3], "its answer is its own");
        fill.run(&[1; 3], &mut buffer);
        assert_eq!(buffer, [2; 3]);
    }

    #[test]
    fn a_key_shows_what_it_does_only_when_asked() {
        let shown = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&shown);
        let mut op = Op::set_up(move |key, room| {
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
