//! Words of Arm's PMULL.

// For the reason given in `words`.
#![allow(unknown_lints, inline_always_mismatching_target_features)]

use crate::polynomials::Polynomials;
use crate::token::NeonAes;
use core::arch::aarch64::*;
use core::mem::transmute;

/// One polynomial in a 128-bit register, under [`NeonAes`].
#[derive(Clone, Copy, Debug)]
pub struct P128x1Pmull(uint64x2_t);

impl Polynomials<1> for P128x1Pmull {
    type Token = NeonAes;

    #[inline(always)]
    fn splat(_: NeonAes, x: u128) -> Self {
        // SAFETY: the token proves Advanced SIMD.
        Self(unsafe { vcombine_u64(vcreate_u64(x as u64), vcreate_u64((x >> 64) as u64)) })
    }
    #[inline(always)]
    fn from_array(token: NeonAes, [x]: [u128; 1]) -> Self {
        Self::splat(token, x)
    }
    #[inline(always)]
    fn to_array(self) -> [u128; 1] {
        [self.sum()]
    }
    #[inline(always)]
    fn load_be(token: NeonAes, blocks: &[[u8; 16]]) -> Self {
        assert!(blocks.len() <= 1, "more blocks than the word has polynomials");
        match blocks.first() {
            // SAFETY: the token proves Advanced SIMD; every 16 bytes are a register.
            Some(block) if cfg!(target_endian = "little") => Self(unsafe {
                let halves = vreinterpretq_u64_u8(vrev64q_u8(transmute::<[u8; 16], uint8x16_t>(*block)));
                vextq_u64::<1>(halves, halves)
            }),
            Some(block) => Self::splat(token, u128::from_be_bytes(*block)),
            None => Self::splat(token, 0),
        }
    }
    #[inline(always)]
    fn load_le(token: NeonAes, blocks: &[[u8; 16]]) -> Self {
        assert!(blocks.len() <= 1, "more blocks than the word has polynomials");
        Self::splat(token, blocks.first().map_or(0, |block| u128::from_le_bytes(*block)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { veorq_u64(self.0, b.0) })
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vextq_u64::<1>(self.0, self.0) })
    }
    #[inline(always)]
    fn shift_left_64(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vextq_u64::<1>(vdupq_n_u64(0), self.0) })
    }
    #[inline(always)]
    fn shift_right_64(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vextq_u64::<1>(self.0, vdupq_n_u64(0)) })
    }
    #[inline(always)]
    fn mul_low(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD with PMULL.
        Self(unsafe { vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<0>(b.0))) })
    }
    #[inline(always)]
    fn mul_high(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD with PMULL.
        Self(unsafe {
            vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(self.0), vreinterpretq_p64_u64(b.0)))
        })
    }
    #[inline(always)]
    fn sum(self) -> u128 {
        // SAFETY: `self` proves Advanced SIMD.
        unsafe { u128::from(vgetq_lane_u64::<1>(self.0)) << 64 | u128::from(vgetq_lane_u64::<0>(self.0)) }
    }
}
