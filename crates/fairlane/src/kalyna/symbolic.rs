//! The rounds' generic bodies, for the proofs alone.

use super::byte_sliced;
use fairlane_lanes::RowsN;

/// Rounds of byte-sliced blocks of `C` columns, as many as there are keys.
#[inline(always)]
pub fn rounds<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    rows: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    byte_sliced::rounds::<W, N, C, DECRYPT>(token, rows, keys);
}

/// Rounds of decryption of two batches.
#[inline(always)]
pub fn inverse_rounds_of_two<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    x: &mut [W; 8],
    y: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    byte_sliced::inverse_rounds_of_two::<W, N, C>(token, x, y, keys);
}
