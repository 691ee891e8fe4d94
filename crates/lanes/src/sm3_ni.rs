//! SM3's rounds (GB/T 32905-2016) as instructions.
//!
//! No machine that this was written on has them: they were compiled, and their user tested with a model of what Intel's manual
//! says that they compute ("Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, `VSM3MSG1`, `VSM3MSG2` and
//! `VSM3RNDS2`).

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
    /// `vsm3msg1`: of words W\[7..11\], and W\[13..16\] in `b`, and W\[0..4\] in `c`, what of W\[16..20\] comes from them.
    fn message1(self, b: Self, c: Self) -> Self;
    /// `vsm3msg2`: W\[16..20\] from that, W\[3..7\] in `b`, and W\[10..14\] in `c`.
    fn message2(self, b: Self, c: Self) -> Self;
    /// `vsm3rnds2`: rounds `J` and `J + 1`, `J` even and below 64, from the state's lanes H, G, D, C as they were two rounds
    /// before, F, E, B, A in `b`, and W\[J\], W\[J + 1\], W\[J + 4\], W\[J + 5\] in `c`. The result is the new F, E, B, A.
    fn rounds<const J: i32>(self, b: Self, c: Self) -> Self;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use super::Sm3Rounds;
    use crate::token::Sm3Ni;
    use core::arch::x86_64::*;

    /// Four lanes of `u32` in a 128-bit register, with the SM3 instructions.
    #[derive(Clone, Copy, Debug)]
    pub struct Sm3x4(__m128i);

    impl Sm3Rounds for Sm3x4 {
        type Token = Sm3Ni;

        #[inline(always)]
        fn new(_: Sm3Ni, lanes: [u32; 4]) -> Self {
            // SAFETY: the token proves AVX2; the array is 16 bytes.
            Self(unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) })
        }
        #[inline(always)]
        fn to_array(self) -> [u32; 4] {
            let mut lanes = [0; 4];
            // SAFETY: `self` proves AVX2; the array is 16 bytes.
            unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), self.0) };
            lanes
        }
        #[inline(always)]
        fn after<const K: usize>(self, next: Self) -> Self {
            // SAFETY: `self` proves AVX2.
            Self(unsafe {
                match K {
                    0 => self.0,
                    1 => _mm_alignr_epi8::<4>(next.0, self.0),
                    2 => _mm_alignr_epi8::<8>(next.0, self.0),
                    _ => _mm_alignr_epi8::<12>(next.0, self.0),
                }
            })
        }
        #[inline(always)]
        fn halves(self, b: Self) -> [Self; 2] {
            // SAFETY: `self` proves AVX2.
            unsafe { [Self(_mm_unpacklo_epi64(self.0, b.0)), Self(_mm_unpackhi_epi64(self.0, b.0))] }
        }
        #[inline(always)]
        fn message1(self, b: Self, c: Self) -> Self {
            // SAFETY: `self` proves the SM3 instructions.
            Self(unsafe { _mm_sm3msg1_epi32(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn message2(self, b: Self, c: Self) -> Self {
            // SAFETY: `self` proves the SM3 instructions.
            Self(unsafe { _mm_sm3msg2_epi32(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn rounds<const J: i32>(self, b: Self, c: Self) -> Self {
            // SAFETY: `self` proves the SM3 instructions.
            Self(unsafe { _mm_sm3rnds2_epi32::<J>(self.0, b.0, c.0) })
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use x86::Sm3x4;
