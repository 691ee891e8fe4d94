//! A state in the order of memory.

/// Eight bytes, row 0 first; as a number, the least significant byte first.
pub(super) type Column = [u8; 8];

/// A block, or a round key.
pub(super) type State<const C: usize> = [Column; C];

/// The columns as numbers.
#[inline(always)]
pub(super) fn numbers<const C: usize>(state: &State<C>) -> [u64; C] {
    let mut numbers = [0; C];
    for i in 0..C {
        numbers[i] = u64::from_le_bytes(state[i]);
    }
    numbers
}

/// The inverse of [`numbers`].
#[inline(always)]
pub(super) fn columns<const C: usize>(numbers: &[u64; C]) -> State<C> {
    let mut state = [[0; 8]; C];
    for i in 0..C {
        state[i] = numbers[i].to_le_bytes();
    }
    state
}
