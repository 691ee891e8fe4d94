//! SM3's rounds on x86-64: the instructions `VSM3MSG1`, `VSM3MSG2` and `VSM3RNDS2`.

use crate::Sm3Rounds;
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
