//! Orders of a block's bytes, for `vpshufb` and `tbl`: byte `i` of the result is that of the operand which number `i`
//! names.

/// AES's `ShiftRows` undone, so that the instructions that have it are `SubBytes` alone.
pub(crate) const UNSHIFTED: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// [`U8xN::rotate_bytes`](super::U8xN::rotate_bytes)
pub(crate) const fn turned(by: usize) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = (i / 4 * 4 + (i + by) % 4) as u8;
        i += 1;
    }
    order
}

/// [`U8xN::broadcast_bytes`](super::U8xN::broadcast_bytes)
pub(crate) const fn spread(group: usize) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = (4 * group + i / 4) as u8;
        i += 1;
    }
    order
}
