//! The rounds, over words of lanes.

use crate::keystream::arx::{Arx, quarter_rounds};
use fairlane_lanes::U32xN;

/// The permutation: `4 * ROUNDS` quarter rounds.
///
/// With a rotation in one instruction the 20 rounds are 960; the input's addition is 16 more, the exclusive ors with
/// the data 16, and the transposition 64 shuffles, or 32 and 48 loads into quarters of registers (`keystream/arx.rs`).
/// Cycles on a Granite Rapids Xeon at 4.0 GHz (of AVX2, on an Emerald Rapids), the clock taken from a chain of
/// dependent multiplications:
///
/// | | bound | measured |
/// | --- | --- | --- |
/// | 16 blocks in 512 bits, two ports, of which one rotates and one shuffles | 536 | 575 to 585 |
/// | 8 blocks of AVX2, a rotation being one shuffle or three operations, 16 registers | 455 | 620 |
/// | 1, 2 or 4 blocks in rows: 20 chains of 12, which overlap with the next message's | 240 | 235 to 250 |
///
/// With AVX-512, 5 to 8 blocks are in columns of 256 bits: two groups of rows take 1.11 of the time for 512 bytes on a
/// Zen 4, whose 512-bit operations are two and whose rotations take two cycles. On an Intel both are bound by 32 cycles
/// for two rounds.
///
/// At 512 bits, the steps of four quarter rounds are side by side, which on a Zen 4 takes 1 KiB and 16 KiB from 207 and
/// 3093 ns to 193 and 2910. LLVM keeps the order: two rounds are 96 instructions, without a move.
///
/// Without effect or worse at 512 bits: rotations by 16 as shuffles, for the other port (+ 8 %); the last batch's
/// transposition between the rounds of the next (+ 6 %); half of its shuffles as blends, which have two ports (+ 1 %);
/// the three quarter rounds that the counter does not reach done once a message (+ 4 %, though this saves 36
/// operations); blocks stored in the order of the last shuffles (+ 10 % from one buffer to another at 1 MiB), or by
/// quarters of registers one block after the other (+ 15 %); a 17th block in integer registers inside the loop, which
/// delays the vectors on the ports that both use by 13 %, for 6 % more data. All 20 rounds in assembly, as one chain of
/// steps, took 525 to 560 cycles alone and 5 % less in one program, but 1 % more in the race: how near two ports come
/// to their bound changes with an instruction before them.
///
/// On a Zen 4, with those three quarter rounds done once a message in integers, 1 KiB takes 3 % more time, since it
/// waits for them, 16 KiB 2 % less, and 1 MiB 3 % less. This is not used so far: done from the second batch on only, it
/// should lose nothing, but the words that it keeps, from which the key follows, would have to be erased.
pub(super) struct Rounds<const ROUNDS: usize>;

impl<const ROUNDS: usize> Arx<16> for Rounds<ROUNDS> {
    const COUNTER: usize = 12;
    const WIDE: bool = false;

    #[inline(always)]
    fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; 16]) {
        for _ in 0..ROUNDS / 2 {
            four_columns(state);
            four_diagonals(state);
        }
    }
}

/// The first of two rounds.
#[inline(always)]
pub(super) fn four_columns<W: U32xN<N>, const N: usize>(state: &mut [W; 16]) {
    quarter_rounds::<1, W, N, _>(state, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]);
}

/// The second of two rounds.
#[inline(always)]
pub(super) fn four_diagonals<W: U32xN<N>, const N: usize>(state: &mut [W; 16]) {
    quarter_rounds::<1, W, N, _>(state, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]]);
}
