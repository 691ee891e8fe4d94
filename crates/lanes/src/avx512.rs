//! Words of AVX-512: 512-bit ones, and shorter ones of AVX-512VL, whose instructions may use one port more.

use crate::avx2::transpose4;
use crate::token::{Avx2, Avx512};
use crate::words::{U32xN, U64xN, by_lane};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// `vpternlog` truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;
/// `vpternlog` truth table of !a.
const NOT: i32 = 0x0f;
/// `vpternlog` truth table of a ^ (!b & c).
const CHI: i32 = 0xd2;

macro_rules! avx512_word {
    ($name:ident, $trait:ident, $lane:ty, $signed:ty, $n:literal, $bits:literal, $reg:ty, $load:ident, $store:ident,
     $set1:ident, $xor:ident, $and:ident, $or:ident, $add:ident, $sub:ident, $ternary:ident, $rotlv:ident { $($more:tt)* }) => {
        #[doc = concat!(stringify!($n), " lanes of `", stringify!($lane), "` in a ", stringify!($bits), "-bit register of AVX-512.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name($reg);

        impl $trait<$n> for $name {
            type Token = Avx512;
            const TERNARY: bool = true;

            #[inline(always)]
            fn splat(_: Avx512, x: $lane) -> Self {
                // SAFETY: the token proves AVX-512.
                Self(unsafe { $set1(x as $signed) })
            }
            #[inline(always)]
            fn from_array(_: Avx512, x: [$lane; $n]) -> Self {
                // SAFETY: the token proves AVX-512; the load is as long as the array.
                Self(unsafe { $load(x.as_ptr().cast()) })
            }
            #[inline(always)]
            fn to_array(self) -> [$lane; $n] {
                let mut x = [0; $n];
                // SAFETY: `self` proves AVX-512; the store is as long as the array.
                unsafe { $store(x.as_mut_ptr().cast(), self.0) };
                x
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $xor(self.0, b.0) })
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $and(self.0, b.0) })
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $or(self.0, b.0) })
            }
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<NOT>(self.0, self.0, self.0) })
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline(always)]
            fn rotl<const K: u32>(self) -> Self {
                // The variable form, since its count may come from a `u32`; LLVM makes it `vprol` by an immediate.
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $rotlv(self.0, $set1(K as $signed)) })
            }
            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<XOR3>(self.0, b.0, c.0) })
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<CHI>(self.0, b.0, c.0) })
            }
            $($more)*
        }
    };
}

avx512_word!(
    U32x16,
    U32xN,
    u32,
    i32,
    16,
    512,
    __m512i,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_set1_epi32,
    _mm512_xor_si512,
    _mm512_and_si512,
    _mm512_or_si512,
    _mm512_add_epi32,
    _mm512_sub_epi32,
    _mm512_ternarylogic_epi32,
    _mm512_rolv_epi32 {}
);

avx512_word!(
    U32x8Vl,
    U32xN,
    u32,
    i32,
    8,
    256,
    __m256i,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_set1_epi32,
    _mm256_xor_si256,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_add_epi32,
    _mm256_sub_epi32,
    _mm256_ternarylogic_epi32,
    _mm256_rolv_epi32 {}
);

avx512_word!(
    U32x4Vl,
    U32xN,
    u32,
    i32,
    4,
    128,
    __m128i,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_set1_epi32,
    _mm_xor_si128,
    _mm_and_si128,
    _mm_or_si128,
    _mm_add_epi32,
    _mm_sub_epi32,
    _mm_ternarylogic_epi32,
    _mm_rolv_epi32 {}
);

avx512_word!(U64x8, U64xN, u64, i64, 8, 512, __m512i, _mm512_loadu_si512, _mm512_storeu_si512,
    _mm512_set1_epi64, _mm512_xor_si512, _mm512_and_si512, _mm512_or_si512, _mm512_add_epi64, _mm512_sub_epi64,
    _mm512_ternarylogic_epi64, _mm512_rolv_epi64 {
    /// Eight words at once: 8 loads, masked where fewer are wanted, and 24 shuffles or those of them that are needed.
    #[inline(always)]
    fn load_rows(token: Avx512, rows: &[&[u8]; 8], from: usize, count: usize) -> [Self; 8] {
        assert!(count <= 8);
        let mask = ((1u32 << count) - 1) as u8;
        let mut r = [Self::splat(token, 0).0; 8];
        for i in 0..8 {
            let bytes = &rows[i][8 * from..][..8 * count];
            // SAFETY: the token proves AVX-512; the mask keeps the load within the slice.
            r[i] = unsafe { _mm512_maskz_loadu_epi64(mask, bytes.as_ptr().cast()) };
        }
        let [a, b, c, d, e, f, g, h] = transpose8(token, r);
        [Self(a), Self(b), Self(c), Self(d), Self(e), Self(f), Self(g), Self(h)]
    }
});

avx512_word!(U64x4Vl, U64xN, u64, i64, 4, 256, __m256i, _mm256_loadu_si256, _mm256_storeu_si256,
    _mm256_set1_epi64x, _mm256_xor_si256, _mm256_and_si256, _mm256_or_si256, _mm256_add_epi64, _mm256_sub_epi64,
    _mm256_ternarylogic_epi64, _mm256_rolv_epi64 {
    /// Four words at once: 4 loads, 8 shuffles.
    #[inline(always)]
    fn load_rows(token: Avx512, rows: &[&[u8]; 4], from: usize, count: usize) -> [Self; 4] {
        assert!(count <= 4);
        if count < 4 {
            return by_lane(token, rows, from, count);
        }
        let mut r = [Self::splat(token, 0).0; 4];
        for i in 0..4 {
            let bytes = &rows[i][8 * from..][..32];
            // SAFETY: the token proves AVX-512; the slice is 32 bytes.
            r[i] = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
        }
        let [a, b, c, d] = transpose4(Avx2::from(token), r);
        [Self(a), Self(b), Self(c), Self(d)]
    }
});

// One lane in a 128-bit register: vector instructions for a single state.
avx512_word!(
    U64x1Vl,
    U64xN,
    u64,
    i64,
    1,
    128,
    __m128i,
    _mm_loadl_epi64,
    _mm_storel_epi64,
    _mm_set1_epi64x,
    _mm_xor_si128,
    _mm_and_si128,
    _mm_or_si128,
    _mm_add_epi64,
    _mm_sub_epi64,
    _mm_ternarylogic_epi64,
    _mm_rolv_epi64 {
    /// Through memory: a store, `rorx` on a port that vectors do not use, a store, and a load.
    #[inline(always)]
    fn rotl_aside<const K: u32>(self) -> Self {
        let mut memory = MaybeUninit::<[u64; 2]>::uninit();
        let rotated;
        // SAFETY: `self` proves AVX-512, and BMI2 with it; nothing but `memory` is written, and no flag changes.
        unsafe {
            asm!(
                "vmovq qword ptr [{memory}], {lanes}",
                "rorx {lane}, qword ptr [{memory}], {right}",
                "mov qword ptr [{memory} + 8], {lane}",
                "vmovddup {rotated}, qword ptr [{memory} + 8]",
                memory = in(reg) memory.as_mut_ptr(),
                lanes = in(xmm_reg) self.0,
                lane = out(reg) _,
                rotated = lateout(xmm_reg) rotated,
                right = const 64 - K,
                options(nostack, preserves_flags),
            );
        }
        Self(rotated)
    }
}
);

/// 8 × 8 lanes of 64 bits.
#[inline(always)]
fn transpose8(_: Avx512, r: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: the token proves AVX-512.
    unsafe {
        // Pairs of rows: even lanes of both, odd lanes of both.
        let e01 = _mm512_unpacklo_epi64(r[0], r[1]);
        let o01 = _mm512_unpackhi_epi64(r[0], r[1]);
        let e23 = _mm512_unpacklo_epi64(r[2], r[3]);
        let o23 = _mm512_unpackhi_epi64(r[2], r[3]);
        let e45 = _mm512_unpacklo_epi64(r[4], r[5]);
        let o45 = _mm512_unpackhi_epi64(r[4], r[5]);
        let e67 = _mm512_unpacklo_epi64(r[6], r[7]);
        let o67 = _mm512_unpackhi_epi64(r[6], r[7]);
        // 128-bit quarters 0 and 2 (0x88), or 1 and 3 (0xdd), of both.
        let e0123_02 = _mm512_shuffle_i64x2::<0x88>(e01, e23);
        let e0123_13 = _mm512_shuffle_i64x2::<0xdd>(e01, e23);
        let o0123_02 = _mm512_shuffle_i64x2::<0x88>(o01, o23);
        let o0123_13 = _mm512_shuffle_i64x2::<0xdd>(o01, o23);
        let e4567_02 = _mm512_shuffle_i64x2::<0x88>(e45, e67);
        let e4567_13 = _mm512_shuffle_i64x2::<0xdd>(e45, e67);
        let o4567_02 = _mm512_shuffle_i64x2::<0x88>(o45, o67);
        let o4567_13 = _mm512_shuffle_i64x2::<0xdd>(o45, o67);
        [
            _mm512_shuffle_i64x2::<0x88>(e0123_02, e4567_02),
            _mm512_shuffle_i64x2::<0x88>(o0123_02, o4567_02),
            _mm512_shuffle_i64x2::<0x88>(e0123_13, e4567_13),
            _mm512_shuffle_i64x2::<0x88>(o0123_13, o4567_13),
            _mm512_shuffle_i64x2::<0xdd>(e0123_02, e4567_02),
            _mm512_shuffle_i64x2::<0xdd>(o0123_02, o4567_02),
            _mm512_shuffle_i64x2::<0xdd>(e0123_13, e4567_13),
            _mm512_shuffle_i64x2::<0xdd>(o0123_13, o4567_13),
        ]
    }
}
