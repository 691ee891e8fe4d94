//! Patterns of `vpshufb` and `tbl`: number `i` is the index of the byte that byte `i` of the result takes.

/// The inverse of AES's `ShiftRows`, which leaves `SubBytes` alone of the instructions that do both.
pub(crate) const UNSHIFTED: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// [`U8xN::rotate_bytes`](super::U8xN::rotate_bytes)
pub(crate) const fn rotated(by: usize) -> [u8; 16] {
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
