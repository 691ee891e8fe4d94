//! ChaCha's rounds in assembly, for sixteen states in 512-bit registers.
//!
//! Two rounds are 96 instructions for two ports, of which only one rotates: 48 cycles. How near a CPU comes to that
//! depends on the order, and LLVM neither unrolls all rounds nor keeps what is around them out of their registers.
//! Batches of 16 blocks on a Granite Rapids Xeon, in cycles, with the transposition and the data (bound 528): 600 as a
//! loop over two rounds, 585 with half of the rounds unrolled, 560 here.
//!
//! The order: chain `k` of four is that of word `4 + k`, with which each of its quarter rounds ends and the next one
//! begins. Chains 0 and 1 are a step ahead of 2 and 3 from the first round to the last, so that there are rotations and
//! other operations at any time.

use super::avx512::U32x16;
use crate::words::ArxWord;
use core::arch::asm;

/// An instruction on the registers of two words of the state.
macro_rules! instruction {
    (add $x:literal $y:literal) => {
        concat!("vpaddd {", $x, "}, {", $x, "}, {", $y, "}\n")
    };
    (xor $x:literal $y:literal) => {
        concat!("vpxord {", $x, "}, {", $x, "}, {", $y, "}\n")
    };
    (rotl $x:literal by $k:literal) => {
        concat!("vprold {", $x, "}, {", $x, "}, ", $k, "\n")
    };
}

/// A step of the twelve of a quarter round, for the words of one, or for two chains of a column or a diagonal round.
macro_rules! step {
    (0 $a:literal $b:literal $c:literal $d:literal) => { instruction!(add $a $b) };
    (1 $a:literal $b:literal $c:literal $d:literal) => { instruction!(xor $d $a) };
    (2 $a:literal $b:literal $c:literal $d:literal) => { instruction!(rotl $d by 16) };
    (3 $a:literal $b:literal $c:literal $d:literal) => { instruction!(add $c $d) };
    (4 $a:literal $b:literal $c:literal $d:literal) => { instruction!(xor $b $c) };
    (5 $a:literal $b:literal $c:literal $d:literal) => { instruction!(rotl $b by 12) };
    (6 $a:literal $b:literal $c:literal $d:literal) => { instruction!(add $a $b) };
    (7 $a:literal $b:literal $c:literal $d:literal) => { instruction!(xor $d $a) };
    (8 $a:literal $b:literal $c:literal $d:literal) => { instruction!(rotl $d by 8) };
    (9 $a:literal $b:literal $c:literal $d:literal) => { instruction!(add $c $d) };
    (10 $a:literal $b:literal $c:literal $d:literal) => { instruction!(xor $b $c) };
    (11 $a:literal $b:literal $c:literal $d:literal) => { instruction!(rotl $b by 7) };
    ($step:tt columns01) => { concat!(step!($step 0 4 8 12), step!($step 1 5 9 13)) };
    ($step:tt columns23) => { concat!(step!($step 2 6 10 14), step!($step 3 7 11 15)) };
    ($step:tt diagonals01) => { concat!(step!($step 3 4 9 14), step!($step 0 5 10 15)) };
    ($step:tt diagonals23) => { concat!(step!($step 1 6 11 12), step!($step 2 7 8 13)) };
}

/// A round from step 1 of the chains ahead and step 0 of those behind on, with `next`, step 0 of the chains ahead in
/// the round after it.
macro_rules! round {
    ($ahead:tt, $behind:tt, next: $next:expr) => {
        concat!(
            step!(1 $ahead), step!(0 $behind), step!(2 $ahead), step!(1 $behind), step!(3 $ahead), step!(2 $behind),
            step!(4 $ahead), step!(3 $behind), step!(5 $ahead), step!(4 $behind), step!(6 $ahead), step!(5 $behind),
            step!(7 $ahead), step!(6 $behind), step!(8 $ahead), step!(7 $behind), step!(9 $ahead), step!(8 $behind),
            step!(10 $ahead), step!(9 $behind), step!(11 $ahead), step!(10 $behind), $next, step!(11 $behind),
        )
    };
}

impl ArxWord<16> for U32x16 {
    #[inline(always)]
    fn chacha<const ROUNDS: usize>(state: &mut [Self; 16], _: impl Fn(&mut [Self; 16])) {
        const { assert!(ROUNDS >= 2 && ROUNDS.is_multiple_of(2)) }
        // SAFETY: a word proves AVX-512.
        unsafe { rounds::<ROUNDS>(state) };
    }
}

/// # Safety
/// The CPU has AVX-512.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn rounds<const ROUNDS: usize>(state: &mut [U32x16; 16]) {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = state;
    // SAFETY: the caller's; only the sixteen registers change.
    unsafe {
        asm!(
            concat!(
                step!(0 columns01),
                ".rept {16}\n",
                round!(columns01, columns23, next: step!(0 diagonals01)),
                round!(diagonals01, diagonals23, next: step!(0 columns01)),
                ".endr\n",
                round!(columns01, columns23, next: step!(0 diagonals01)),
                round!(diagonals01, diagonals23, next: ""),
            ),
            inout(zmm_reg) a.0, inout(zmm_reg) b.0, inout(zmm_reg) c.0, inout(zmm_reg) d.0,
            inout(zmm_reg) e.0, inout(zmm_reg) f.0, inout(zmm_reg) g.0, inout(zmm_reg) h.0,
            inout(zmm_reg) i.0, inout(zmm_reg) j.0, inout(zmm_reg) k.0, inout(zmm_reg) l.0,
            inout(zmm_reg) m.0, inout(zmm_reg) n.0, inout(zmm_reg) o.0, inout(zmm_reg) p.0,
            const ROUNDS / 2 - 1,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}
