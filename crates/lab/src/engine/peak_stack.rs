//! The most stack that one operation has in use.
//!
//! It runs on a thread of its own, whose stack was painted before; the lowest word without paint afterwards tells how
//! deep it went. An operation that does nothing goes through the same frames, and what it takes is subtracted. What is
//! set aside and never written cannot be told from what is not used, unless something below it is written.

use super::stack_offset::{STEP, descend};
use crate::contest::Operation;
use std::hint::black_box;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::thread;

/// Bytes of the thread's stack.
const STACK: usize = 8 << 20;
/// Bytes of it that are painted. The rest is far more than a thread has in use before it begins.
const PAINTED: usize = 7 << 20;
/// Bytes between the painter and its paint, for its own frame and all that it calls.
const GAP: usize = 4096;
/// Steps from which an operation begins within the paint.
const STEPS: u32 = (2 * GAP / STEP) as u32;

const PAINT: u64 = 0x5a6b_7c8d_9eaf_b0c1;
const WORD: usize = size_of::<u64>();

/// The most bytes of stack that can be told.
pub(crate) const MOST: u64 = PAINTED as u64;

/// Bytes of stack that an operation has in use at most; `None` if it panics, needs more than [`MOST`], or the system is
/// none whose threads have stacks that can be painted. It runs once before, for what only the first call in a thread
/// does.
pub(super) fn of(op: &mut Operation, input: &[u8], output: &mut [u8]) -> Option<u64> {
    if !cfg!(unix) {
        return None;
    }
    let measure = || {
        let nothing = depth(&mut Operation::to_output(|_, _| ()), input, output)?;
        call(op, input, output);
        Some(depth(op, input, output)?.saturating_sub(nothing) as u64)
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, measure).ok()?;
        thread.join().ok()?
    })
}

/// How far an operation gets into the paint, in bytes; `None` if it is as far as the end of it.
#[inline(never)]
fn depth(op: &mut Operation, input: &[u8], output: &mut [u8]) -> Option<usize> {
    let top = paint();
    descend(STEPS, &mut || call(op, input, output));
    let word = lowest(top)?;
    (word > 0).then(|| PAINTED - word * WORD)
}

/// The one frame that all operations are called from.
#[inline(never)]
fn call(op: &mut Operation, input: &[u8], output: &mut [u8]) {
    op.repeat(1, input, output);
}

/// Paints the stack below its caller, and returns where the paint ends.
#[inline(never)]
fn paint() -> usize {
    let here = black_box(0_u8);
    let top = ((&raw const here).expose_provenance() - GAP) & !(WORD - 1);
    // Downwards, as stacks grow.
    for at in (top - PAINTED..top).step_by(WORD).rev() {
        // SAFETY: this is the stack of a thread that has more than `PAINTED` bytes left, below all of its frames.
        unsafe { with_exposed_provenance_mut::<u64>(at).write_volatile(PAINT) }
    }
    top
}

/// The number of the lowest word below `top` that is no paint any longer.
#[inline(never)]
fn lowest(top: usize) -> Option<usize> {
    (top - PAINTED..top).step_by(WORD).position(|at| {
        // SAFETY: the thread has painted this word, and no frame is there now.
        unsafe { with_exposed_provenance::<u64>(at).read_volatile() != PAINT }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::panic::resume_unwind;

    /// Has a few bytes more of stack in use than `bytes`.
    fn use_stack(bytes: usize) {
        #[inline(never)]
        fn below(end: usize) {
            let here = black_box(1_u8);
            if (&raw const here).addr() > end {
                below(end);
            }
            black_box(&here);
        }
        let here = black_box(1_u8);
        below((&raw const here).addr() - bytes);
    }

    fn used(op: impl FnMut(&[u8], &mut [u8]) + Send + 'static) -> Option<u64> {
        of(&mut Operation::to_output(op), &[1; 3], &mut [0; 3])
    }

    #[test]
    fn the_deepest_byte_is_found() {
        assert_eq!(used(|_, _| ()), Some(0));
        for bytes in [1000, 5000, 100_000, 6 << 20] {
            let found = used(move |_, _| use_stack(bytes)).unwrap();
            assert!((bytes as u64..bytes as u64 + 500).contains(&found), "{found} of {bytes}");
        }
    }

    #[test]
    fn every_shape_is_called_from_the_same_frame() {
        let shapes = [
            Operation::to_output(|_, _| use_stack(2000)),
            Operation::in_place(|_| use_stack(2000)),
            Operation::key_setup(|_, _| use_stack(2000)),
        ];
        for mut op in shapes {
            let found = of(&mut op, &[1; 3], &mut [0; 3]).unwrap();
            assert!((2000..2500).contains(&found), "{found}");
        }
    }

    #[test]
    fn what_only_the_first_call_needs_is_left_out() {
        let mut first = true;
        let found = used(move |_, _| use_stack(if std::mem::take(&mut first) { 1 << 20 } else { 1000 }));
        assert!((1000..1500).contains(&found.unwrap()), "{found:?}");
    }

    #[test]
    fn what_cannot_be_told_is_none() {
        assert_eq!(used(|_, _| use_stack(PAINTED)), None);
        assert_eq!(used(|_, _| resume_unwind(Box::new(()))), None);
    }
}
