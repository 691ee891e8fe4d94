//! A word of bytes in a register of Arm's Advanced SIMD, with AES.

// For the reason given in `words`.
#![allow(unknown_lints, inline_always_mismatching_target_features)]

use crate::bytes::affine::{halves, halves_after_sub_bytes};
use crate::bytes::orders::{UNSHIFTED, rotated, spread};
use crate::bytes::{BlocksN, RowsN, Table, U8xN};
use crate::token::NeonAes;
use core::arch::aarch64::*;
use core::mem::transmute;

/// 16 bytes in a register, under [`NeonAes`].
#[derive(Clone, Copy, Debug)]
pub struct U8x16(uint8x16_t);

impl U8x16 {
    #[inline(always)]
    fn ordered(self, order: &[u8; 16]) -> Self {
        // SAFETY: `self` proves Advanced SIMD; every 16 bytes are a register.
        Self(unsafe { vqtbl1q_u8(self.0, transmute::<[u8; 16], uint8x16_t>(*order)) })
    }

    /// Looks up the low and the high four bits of each byte in a table each, and adds up the results.
    #[inline(always)]
    fn by_halves(self, [low, high]: &[[u8; 16]; 2]) -> Self {
        // SAFETY: `self` proves Advanced SIMD; every 16 bytes are a register.
        Self(unsafe {
            let [low, high] = [transmute::<[u8; 16], uint8x16_t>(*low), transmute::<[u8; 16], uint8x16_t>(*high)];
            let low = vqtbl1q_u8(low, vandq_u8(self.0, vdupq_n_u8(15)));
            let high = vqtbl1q_u8(high, vshrq_n_u8::<4>(self.0));
            veorq_u8(low, high)
        })
    }
}

impl BlocksN<16> for U8x16 {
    type Token = NeonAes;

    #[inline(always)]
    fn splat_block(_: NeonAes, block: [u8; 16]) -> Self {
        // SAFETY: every 16 bytes are a register.
        Self(unsafe { transmute::<[u8; 16], uint8x16_t>(block) })
    }
    #[inline(always)]
    fn load(token: NeonAes, bytes: &[u8]) -> Self {
        match bytes.as_chunks() {
            ([], []) => Self::splat_block(token, [0; 16]),
            ([block], []) => Self::splat_block(token, *block),
            _ => panic!("not whole blocks, or more than the word has"),
        }
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        match bytes.as_chunks_mut::<16>() {
            ([], []) => {}
            // SAFETY: a register is 16 bytes.
            ([block], []) => *block = unsafe { transmute::<uint8x16_t, [u8; 16]>(self.0) },
            _ => panic!("not whole blocks, or more than the word has"),
        }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { veorq_u8(self.0, b.0) })
    }
    #[inline(always)]
    fn counters(token: NeonAes, first: [u8; 16], from: u32) -> Self {
        let first = Self::splat_block(token, first);
        // SAFETY: the token proves Advanced SIMD.
        Self(unsafe {
            let numbers = vreinterpretq_u32_u8(vrev32q_u8(first.0));
            let numbers = vaddq_u32(numbers, vsetq_lane_u32::<3>(from, vdupq_n_u32(0)));
            vrev32q_u8(vreinterpretq_u8_u32(numbers))
        })
    }
    #[inline(always)]
    fn mul_x<const K: u32>(self) -> Self {
        // Shifts by a register; a negative count shifts right. LLVM turns constant counts into immediates.
        // SAFETY: `self` proves Advanced SIMD with PMULL.
        Self(unsafe {
            let halves = vreinterpretq_u64_u8(self.0);
            let over = vshlq_u64(halves, vdupq_n_s64(i64::from(K) - 64));
            let over = vextq_u64::<1>(over, over);
            // The coefficients from x^128 on are now the low ones of `over`. They are reduced by adding their
            // multiple of x^7 + x^2 + x + 1, whose term 1 is `over` itself.
            let back = vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<0>(over), 0x86));
            let shifted = vshlq_u64(halves, vdupq_n_s64(i64::from(K)));
            vreinterpretq_u8_u64(veorq_u64(veorq_u64(shifted, over), back))
        })
    }
    #[inline(always)]
    fn reverse_bits(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vrbitq_u8(self.0) })
    }
}

impl U8xN<16> for U8x16 {
    #[inline(always)]
    fn splat_u32(_: NeonAes, bytes: u32) -> Self {
        // SAFETY: the token proves Advanced SIMD.
        Self(unsafe { vreinterpretq_u8_u32(vdupq_n_u32(bytes)) })
    }
    #[inline(always)]
    fn counter_column(_: NeonAes, first: u32) -> Self {
        // SAFETY: the token proves Advanced SIMD; every four words are a register.
        Self(unsafe {
            let counters = vaddq_u32(vdupq_n_u32(first), transmute::<[u32; 4], uint32x4_t>([0, 1, 2, 3]));
            vrev32q_u8(vreinterpretq_u8_u32(counters))
        })
    }
    #[inline(always)]
    fn affine<const M: u64, const C: i32>(self) -> Self {
        self.by_halves(const { &halves(M, C as u8) })
    }
    #[inline(always)]
    fn inverse_affine<const M: u64, const C: i32>(self) -> Self {
        // SAFETY: `self` proves AES's rounds.
        let sub_bytes = Self(unsafe { vaeseq_u8(self.ordered(&UNSHIFTED).0, vdupq_n_u8(0)) });
        sub_bytes.by_halves(const { &halves_after_sub_bytes(M, C as u8) })
    }
    #[inline(always)]
    fn rotate_bytes<const K: usize>(self) -> Self {
        self.ordered(const { &rotated(K) })
    }
    #[inline(always)]
    fn broadcast_bytes<const K: usize>(self) -> Self {
        self.ordered(const { &spread(K) })
    }
    #[inline(always)]
    fn transpose4(words: [Self; 4]) -> [Self; 4] {
        let mut words = words;
        // A group's place is a number of four bits: two for the word, two for the group in its block. Each of two steps
        // rotates this number by one bit.
        for _ in 0..2 {
            let [a, b, c, d] = words;
            // SAFETY: a word proves Advanced SIMD.
            words = unsafe {
                let zip = |a: Self, c: Self| {
                    let (a, c) = (vreinterpretq_u32_u8(a.0), vreinterpretq_u32_u8(c.0));
                    let (low, high) = (vzip1q_u32(a, c), vzip2q_u32(a, c));
                    (Self(vreinterpretq_u8_u32(low)), Self(vreinterpretq_u8_u32(high)))
                };
                let ((a, b), (c, d)) = (zip(a, c), zip(b, d));
                [a, b, c, d]
            };
        }
        words
    }
    #[inline(always)]
    fn interleave(self, b: Self) -> [Self; 2] {
        // SAFETY: `self` proves Advanced SIMD.
        unsafe { [Self(vzip1q_u8(self.0, b.0)), Self(vzip2q_u8(self.0, b.0))] }
    }
}

impl RowsN<16> for U8x16 {
    #[inline(always)]
    fn look_up(self, table: &Table) -> Self {
        let (quarters, _) = table.entries.as_chunks::<64>();
        // SAFETY: `self` proves Advanced SIMD; a quarter is 64 bytes.
        Self(unsafe {
            let quarter = |i: usize| vld1q_u8_x4(quarters[i].as_ptr());
            // For an index of 64 or more, `tbl` gives 0 and `tbx` leaves the byte unchanged.
            let mut entries = vqtbl4q_u8(quarter(0), self.0);
            for i in 1..4 {
                let within = veorq_u8(self.0, vdupq_n_u8(64 * i as u8));
                entries = vqtbx4q_u8(entries, quarter(i), within);
            }
            entries
        })
    }
    #[inline(always)]
    fn splat_u64(_: NeonAes, bytes: u64) -> Self {
        // SAFETY: the token proves Advanced SIMD.
        Self(unsafe { vreinterpretq_u8_u64(vdupq_n_u64(bytes)) })
    }
    #[inline(always)]
    fn add64(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(self.0), vreinterpretq_u64_u8(b.0))) })
    }
    #[inline(always)]
    fn sub64(self, b: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vreinterpretq_u8_u64(vsubq_u64(vreinterpretq_u64_u8(self.0), vreinterpretq_u64_u8(b.0))) })
    }
    #[inline(always)]
    fn shuffle(self, order: &'static [u8; 16]) -> Self {
        self.ordered(order)
    }
}
