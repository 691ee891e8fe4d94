//! Where buffers, keys and contexts lie while a sample runs: somewhere else in every round.
//!
//! The time of one and the same code depends on addresses: a load waits for an earlier store whose last 12 bits agree
//! with its own, a word that straddles two cache lines costs two accesses. A place that is good for one contestant and
//! bad for another would look like a difference between the two. Over the rounds of a heat this becomes an average, and
//! its spread a part of the interval. [`stack_offset`](super::stack_offset) does the same for the stack.

use crate::contest::{Operation, Size};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Places repeat after this many bytes: a page.
const SPAN: usize = 4096;
/// Allocators give addresses that are multiples of this.
const STEP: usize = 16;
/// A contestant that takes longer to make is not made anew in every round, but as often as keeps to this on average.
const BEARABLE: Duration = Duration::from_micros(50);
/// The same for one that runs in a process of its own: what a process draws is worth more time.
const BEARABLE_START: Duration = Duration::from_millis(5);
/// Operations of earlier rounds that are kept.
const FORMER: usize = 15;

/// Which of the users of [`offset`] moves.
#[derive(Clone, Copy)]
pub(super) enum Moving {
    Input,
    Output,
    Context(usize),
}

/// Bytes from the start of a page in a round: without a pattern, and the same in every run.
fn offset(round: u32, what: Moving) -> usize {
    let stream = match what {
        Moving::Input => 0,
        Moving::Output => 1,
        Moving::Context(entrant) => 2 + entrant as u64,
    };
    // SplitMix64.
    let mut z = (u64::from(round) << 32 | stream).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as usize % (SPAN / STEP) * STEP
}

/// A buffer that can move by less than a page and keeps its content.
#[derive(Default)]
pub(crate) struct Buffer {
    room: Vec<u8>,
    at: usize,
    len: usize,
}

impl Buffer {
    pub(crate) fn new(content: &[u8]) -> Self {
        let mut room = vec![0; content.len() + SPAN];
        room[..content.len()].copy_from_slice(content);
        Self { room, at: 0, len: content.len() }
    }

    fn move_to(&mut self, at: usize) {
        if at != self.at {
            self.room.copy_within(self.at..self.at + self.len, at);
            self.at = at;
        }
    }

    /// Goes to its place in a round.
    pub(super) fn settle(&mut self, round: u32, what: Moving) {
        self.move_to(offset(round, what));
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.room[self.at..][..self.len]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.at..][..self.len]
    }
}

/// For how many rounds it serves, so that making it takes no more than `bearable` a round.
fn rounds_each(taken: Duration, bearable: Duration) -> u32 {
    taken.as_nanos().div_ceil(bearable.as_nanos()).clamp(1, 1 << 20) as u32
}

/// One entrant's operation, and how to make it again.
pub(crate) struct Entrant<'a> {
    make: &'a (dyn Fn(Size) -> Operation + Send + Sync),
    size: Size,
    pub(crate) op: Operation,
    /// Pushes what the operation allocates to another place.
    filler: Vec<u8>,
    /// Operations of earlier rounds, each with its filler. An allocator hands out first what was freed last, so that
    /// without these two places would take turns.
    former: Vec<(Operation, Vec<u8>)>,
    /// It is made in every so manieth round.
    every: u32,
}

impl<'a> Entrant<'a> {
    pub(crate) fn new(make: &'a (dyn Fn(Size) -> Operation + Send + Sync), size: Size) -> Self {
        let start = Instant::now();
        let op = make(size);
        let every = rounds_each(start.elapsed(), BEARABLE);
        Self { make, size, op, filler: Vec::new(), former: Vec::new(), every }
    }

    /// Makes it anew at its place in a round; false if that panicked, which leaves it as it was.
    pub(super) fn settle(&mut self, round: u32, entrant: usize) -> bool {
        // For the first it has just been made.
        if round == 0 || !round.is_multiple_of(self.every) {
            return true;
        }
        let filler = Vec::with_capacity(offset(round, Moving::Context(entrant)));
        let start = Instant::now();
        let make = || {
            let mut op = (self.make)(self.size);
            if let Operation::Foreign(op) = &mut op {
                op.ready();
            }
            op
        };
        match catch_unwind(AssertUnwindSafe(make)) {
            Ok(op) => {
                if matches!(op, Operation::Foreign(_)) {
                    self.every = self.every.max(rounds_each(start.elapsed(), BEARABLE_START));
                }
                let former = (mem::replace(&mut self.op, op), mem::replace(&mut self.filler, filler));
                // What takes long to make may be large.
                if self.every == 1 && self.former.len() < FORMER {
                    self.former.push(former);
                } else if self.every == 1 {
                    self.former[offset(round, Moving::Context(entrant)) / STEP % FORMER] = former;
                }
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_buffer_keeps_its_content_wherever_it_goes() {
        let content: Vec<u8> = (0..=255).collect();
        let mut buffer = Buffer::new(&content);
        let mut places = HashSet::new();
        for round in 0..200 {
            buffer.settle(round, Moving::Output);
            assert_eq!(buffer.bytes(), content);
            assert_eq!(buffer.bytes_mut().as_ptr().addr() % STEP, buffer.room.as_ptr().addr() % STEP);
            places.insert(buffer.bytes().as_ptr().addr() % SPAN);
        }
        assert!(places.len() > 100, "{} places", places.len());
    }

    #[test]
    fn input_and_output_do_not_move_together() {
        let between = |round| offset(round, Moving::Input).wrapping_sub(offset(round, Moving::Output)) % SPAN;
        let distances: HashSet<usize> = (0..200).map(between).collect();
        assert!(distances.len() > 100, "{} distances", distances.len());
    }

    #[test]
    fn what_an_operation_holds_moves_too() {
        let place = |op: &mut Operation| {
            let answer = op.answer(&[], vec![0; 8]);
            usize::from_le_bytes(answer.try_into().unwrap())
        };
        let make = |_: Size| {
            let context = Box::new([0_u8; 100]);
            Operation::to_output(move |_, output| output.copy_from_slice(&context.as_ptr().addr().to_le_bytes()))
        };
        let mut entrant = Entrant::new(&make, Size::one(1));
        entrant.every = 1;
        let mut places = HashSet::new();
        for round in 0..100 {
            assert!(entrant.settle(round, 0));
            places.insert(place(&mut entrant.op) % SPAN);
        }
        assert!(places.len() > 10, "{} places", places.len());
    }

    #[test]
    fn what_takes_long_to_make_is_made_now_and_then() {
        let make = |_: Size| {
            std::thread::sleep(Duration::from_millis(2));
            Operation::to_output(|_, _| ())
        };
        let entrant = Entrant::new(&make, Size::one(1));
        assert!(entrant.every >= 40, "{}", entrant.every);
    }
}
