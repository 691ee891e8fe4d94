//! A state in the order of memory.

/// Eight bytes, row 0 first; as a number, the least significant byte first.
pub(super) type Column = [u8; 8];

/// A block, or a round key.
pub(super) type State<const C: usize> = [Column; C];
