//! Where the stack lies while a sample runs.
//!
//! A load waits for an earlier store to other data if the last 12 bits of their addresses agree, so that the same code
//! may take longer where the stack happens to lie badly towards a key or a buffer. Over the rounds a heat goes through
//! places all over those 4096 bytes, so that this is an average, and no luck.

use std::hint::black_box;

/// Bytes that a step takes, or some more.
pub(super) const STEP: usize = 64;
/// Different depths.
const STEPS: u32 = 4096 / STEP as u32;

/// Runs `work` with the stack at the depth of a round.
pub(super) fn run_at(round: u32, work: &mut dyn FnMut()) {
    // Neighbours are far apart: rounds may be few. With an odd factor all are taken.
    descend(round.wrapping_mul(37) % STEPS, work);
}

/// Runs `work` at least so many steps deeper than the caller.
#[inline(never)]
pub(super) fn descend(steps: u32, work: &mut dyn FnMut()) {
    let room = black_box([0_u8; STEP]);
    match steps {
        0 => work(),
        _ => descend(steps - 1, work),
    }
    // In use until now, so that the call above is no jump.
    black_box(&room);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rounds_go_through_many_places() {
        let mut places = HashSet::new();
        for round in 0..STEPS {
            run_at(round, &mut || {
                let here = black_box(0_u8);
                places.insert(std::ptr::from_ref(&here).addr());
            });
        }
        assert_eq!(places.len(), STEPS as usize);
    }
}
