//! SM3's rounds (GB/T 32905-2016) as instructions.
//!
//! No machine that this was written on has them. They were only compiled; the code that uses them was tested with a
//! model of the instructions written from Intel's manual ("Intel 64 and IA-32 Architectures Software Developer's
//! Manual", volume 2, `VSM3MSG1`, `VSM3MSG2` and `VSM3RNDS2`).

use crate::token::Token;

/// A register of four lanes of 32 bits, with SM3's instructions.
pub trait Sm3Rounds: Copy {
    /// The proof that the instructions may run.
    type Token: Token;

    /// Lane `i` from `lanes[i]`.
    fn new(token: Self::Token, lanes: [u32; 4]) -> Self;
    /// Lane `i` to index `i`.
    fn to_array(self) -> [u32; 4];
    /// The lanes from `K` on, followed by the first of `next`; `K < 4`.
    fn after<const K: usize>(self, next: Self) -> Self;
    /// The lower halves of two registers, and the upper ones.
    fn halves(self, b: Self) -> [Self; 2];
    /// `vsm3msg1`: the part of W\[16..20\] that depends on W\[7..11\] in `self`, W\[13..16\] in `b` and W\[0..4\] in
    /// `c`.
    fn message1(self, b: Self, c: Self) -> Self;
    /// `vsm3msg2`: W\[16..20\] from the result of [`message1`](Self::message1), W\[3..7\] in `b` and W\[10..14\] in
    /// `c`.
    fn message2(self, b: Self, c: Self) -> Self;
    /// `vsm3rnds2`: rounds `J` and `J + 1`, `J` even and below 64, from the state's lanes H, G, D, C as they were two
    /// rounds before, F, E, B, A in `b`, and W\[J\], W\[J + 1\], W\[J + 4\], W\[J + 5\] in `c`. The result is the new
    /// F, E, B, A.
    fn rounds<const J: i32>(self, b: Self, c: Self) -> Self;
}
