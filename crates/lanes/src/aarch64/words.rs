//! 128-bit words of Arm's Advanced SIMD, without and with the SHA-3 instructions.

// From 1.96 on the compiler warns that intrinsics are not inlined into functions without their features. These methods
// are themselves inlined first, into a kernel that has the features.
//
// Registers come from arrays and become arrays by `transmute`: with debug assertions `vld1q` and `vst1q` check their
// pointers, and are then long enough to be called out of line.
#![allow(unknown_lints, inline_always_mismatching_target_features)]

use crate::token::{Neon, NeonSha3};
use crate::words::{KeccakWord, Pairs, Quads, Sm3Word, U32xN, U64xN, lanes_in};
use core::arch::aarch64::*;
use core::mem::transmute;

macro_rules! neon_word {
    (
        $name:ident, trait: $trait:ident, lane: $lane:ty, lanes: $n:literal, token: $token:ident, register: $reg:ty,
        dup: $dup:ident, xor: $xor:ident, and: $and:ident, or: $or:ident,
        add: $add:ident, sub: $sub:ident, shl: $shl:ident, dup_signed: $dup_signed:ident, signed: $signed:ty,
        { $($more:tt)* }
    ) => {
        #[doc = concat!(
            stringify!($n), " lanes of `", stringify!($lane), "` in a 128-bit register, under [`",
            stringify!($token), "`].",
        )]
        #[derive(Clone, Copy, Debug)]
        pub struct $name($reg);

        impl $trait<$n> for $name {
            type Token = $token;

            const REGISTERS: usize = 32;

            #[inline(always)]
            fn splat(_: $token, x: $lane) -> Self {
                // SAFETY: the token proves Advanced SIMD.
                Self(unsafe { $dup(x) })
            }
            #[inline(always)]
            fn from_array(_: $token, x: [$lane; $n]) -> Self {
                // SAFETY: every such array is a register.
                Self(unsafe { transmute::<[$lane; $n], $reg>(x) })
            }
            #[inline(always)]
            fn to_array(self) -> [$lane; $n] {
                // SAFETY: every register is such an array.
                unsafe { transmute::<$reg, [$lane; $n]>(self.0) }
            }
            #[inline(always)]
            fn load(token: $token, bytes: &[u8]) -> Self {
                if lanes_in::<$lane, $n>(bytes.len()) == $n && cfg!(target_endian = "little") {
                    // SAFETY: every 16 bytes are a register.
                    return Self(unsafe { transmute::<[u8; 16], $reg>(bytes.as_chunks().0[0]) });
                }
                let mut x = [0; $n];
                let (lanes, _) = bytes.as_chunks();
                for i in 0..lanes.len() {
                    x[i] = <$lane>::from_le_bytes(lanes[i]);
                }
                Self::from_array(token, x)
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                if lanes_in::<$lane, $n>(bytes.len()) == $n && cfg!(target_endian = "little") {
                    // SAFETY: a register is 16 bytes.
                    bytes.as_chunks_mut().0[0] = unsafe { transmute::<$reg, [u8; 16]>(self.0) };
                    return;
                }
                let x = self.to_array();
                let (lanes, _) = bytes.as_chunks_mut();
                for i in 0..lanes.len() {
                    lanes[i] = x[i].to_le_bytes();
                }
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $xor(self.0, b.0) })
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $and(self.0, b.0) })
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $or(self.0, b.0) })
            }
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $xor(self.0, $dup(!0)) })
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline(always)]
            fn rotl<const K: u32>(self) -> Self {
                // Shifts by a register; a negative count shifts right. LLVM turns constant counts into immediates.
                // SAFETY: `self` proves Advanced SIMD.
                Self(unsafe {
                    let left = $shl(self.0, $dup_signed(K as $signed));
                    let right = $shl(self.0, $dup_signed(K as $signed - <$lane>::BITS as $signed));
                    $or(left, right)
                })
            }
            $($more)*
        }
    };
}

neon_word!(
    U32x4, trait: U32xN, lane: u32, lanes: 4, token: Neon, register: uint32x4_t, dup: vdupq_n_u32,
    xor: veorq_u32, and: vandq_u32, or: vorrq_u32, add: vaddq_u32, sub: vsubq_u32, shl: vshlq_u32,
    dup_signed: vdupq_n_s32, signed: i32, {
    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: a word proves Advanced SIMD.
        unsafe {
            let pair = |a: uint32x4_t, b| {
                (vreinterpretq_u64_u32(vtrn1q_u32(a, b)), vreinterpretq_u64_u32(vtrn2q_u32(a, b)))
            };
            let (even_ab, odd_ab) = pair(a.0, b.0);
            let (even_cd, odd_cd) = pair(c.0, d.0);
            [
                Self(vreinterpretq_u32_u64(vtrn1q_u64(even_ab, even_cd))),
                Self(vreinterpretq_u32_u64(vtrn1q_u64(odd_ab, odd_cd))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(even_ab, even_cd))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(odd_ab, odd_cd))),
            ]
        }
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(self.0))) })
    }
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { vbslq_u32(self.0, b.0, c.0) })
    }
});

/// The methods that both words of two lanes share.
macro_rules! two_lanes {
    () => {
        #[inline(always)]
        fn transpose([a, b]: [Self; 2]) -> [Self; 2] {
            // SAFETY: a word proves Advanced SIMD.
            unsafe { [Self(vtrn1q_u64(a.0, b.0)), Self(vtrn2q_u64(a.0, b.0))] }
        }
        #[inline(always)]
        fn mul_u32(self, b: Self) -> Self {
            // SAFETY: `self` proves Advanced SIMD.
            Self(unsafe { vmull_u32(vmovn_u64(self.0), vmovn_u64(b.0)) })
        }
        #[inline(always)]
        fn shr<const K: u32>(self) -> Self {
            // SAFETY: `self` proves Advanced SIMD.
            Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(K))) })
        }
        #[inline(always)]
        fn shl<const K: u32>(self) -> Self {
            // SAFETY: `self` proves Advanced SIMD.
            Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(i64::from(K))) })
        }
    };
}

neon_word!(
    U64x2, trait: U64xN, lane: u64, lanes: 2, token: Neon, register: uint64x2_t, dup: vdupq_n_u64,
    xor: veorq_u64, and: vandq_u64, or: vorrq_u64, add: vaddq_u64, sub: vsubq_u64, shl: vshlq_u64,
    dup_signed: vdupq_n_s64, signed: i64, {
    two_lanes!();
});

neon_word!(
    U64x2Sha3, trait: U64xN, lane: u64, lanes: 2, token: NeonSha3, register: uint64x2_t, dup: vdupq_n_u64,
    xor: veorq_u64, and: vandq_u64, or: vorrq_u64, add: vaddq_u64,
    sub: vsubq_u64, shl: vshlq_u64, dup_signed: vdupq_n_s64, signed: i64, {
    two_lanes!();
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves the SHA-3 instructions.
        Self(unsafe { veor3q_u64(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn xor_rotl<const K: u32>(self, b: Self) -> Self {
        xar::<K>(self, b)
    }
});

impl Sm3Word<4> for U32x4 {}

impl KeccakWord<2> for U64x2 {
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe { veorq_u64(self.0, vbicq_u64(c.0, b.0)) })
    }
}

impl KeccakWord<2> for U64x2Sha3 {
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves the SHA-3 instructions.
        Self(unsafe { vbcaxq_u64(self.0, c.0, b.0) })
    }
    #[inline(always)]
    fn rax1(self, b: Self) -> Self {
        // SAFETY: `self` proves the SHA-3 instructions.
        Self(unsafe { vrax1q_u64(self.0, b.0) })
    }
}

impl Pairs<2> for U64x2 {
    #[inline(always)]
    fn transpose_pairs(self, b: Self) -> [Self; 2] {
        Self::transpose([self, b])
    }
}

impl Quads<4> for U32x4 {
    #[inline(always)]
    fn splat_row(token: Neon, row: [u32; 4]) -> Self {
        Self::from_array(token, row)
    }
    #[inline(always)]
    fn rotate_lanes<const K: usize>(self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe {
            match K {
                1 => vextq_u32::<1>(self.0, self.0),
                2 => vextq_u32::<2>(self.0, self.0),
                _ => vextq_u32::<3>(self.0, self.0),
            }
        })
    }
    #[inline(always)]
    fn slide<const K: usize>(self, next: Self) -> Self {
        // SAFETY: `self` proves Advanced SIMD.
        Self(unsafe {
            match K {
                1 => vextq_u32::<1>(self.0, next.0),
                2 => vextq_u32::<2>(self.0, next.0),
                _ => vextq_u32::<3>(self.0, next.0),
            }
        })
    }
    #[inline(always)]
    fn states(rows: [Self; 4]) -> [Self; 4] {
        rows
    }
}

/// `rotl(a ^ b, K)`. `xar` rotates right by an immediate, and `{ 64 - K }` cannot be written in stable Rust.
#[inline(always)]
fn xar<const K: u32>(a: U64x2Sha3, b: U64x2Sha3) -> U64x2Sha3 {
    macro_rules! by {
        ($($k:literal => $right:literal),*) => {
            match K {
                // SAFETY: `a` proves the SHA-3 instructions.
                $($k => unsafe { vxarq_u64::<$right>(a.0, b.0) },)*
                _ => a.xor(b).rotl::<K>().0,
            }
        };
    }
    // Keccak's rotations. Of a `match` on a constant, one arm is left.
    U64x2Sha3(
        by!(1 => 63, 2 => 62, 3 => 61, 6 => 58, 8 => 56, 10 => 54, 14 => 50, 15 => 49, 18 => 46, 20 => 44, 21 => 43,
        25 => 39, 27 => 37, 28 => 36, 36 => 28, 39 => 25, 41 => 23, 43 => 21, 44 => 20, 45 => 19, 55 => 9, 56 => 8,
        61 => 3, 62 => 2),
    )
}
