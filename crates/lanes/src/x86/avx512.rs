//! Words of AVX-512: 512-bit ones, and shorter ones of AVX-512VL, whose instructions may use one port more.
//!
//! `U64x8Zen`, `U64x4Zen` and `U64x1Zen` are `U64x8`, `U64x4Vl` and `U64x1Vl`, except that Keccak's kernels order their
//! operations differently.

use super::avx2::{SWAP, mul_u32_256};
use super::transpose::{
    halves, lanes32_128, lanes32_256, lanes32_512, lanes64_64, lanes64_256, lanes64_512, quads_512, quarters, rows,
    rows_of_four_lanes64, two_of_each_row_512,
};
use super::{SELECT, XOR3};
use crate::token::{Avx512, Avx512Ifma};
use crate::words::{KeccakWord, Pairs, Products52, Quads, Sm3Word, U32xN, U64xN, lanes_in};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::{MaybeUninit, transmute};

/// `vpternlog` truth table of !a.
const NOT: i32 = 0x0f;
/// `vpternlog` truth table of a ^ (!b & c).
const CHI: i32 = 0xd2;
/// `vpternlog` truth table of (a & b) | (a & c) | (b & c).
const MAJORITY: i32 = 0xe8;

/// What only words of 32-bit lanes have.
macro_rules! of_32_bits {
    ($ternary:ident, $shuffle:ident, $broadcast:expr) => {
        #[inline]
        fn swap_bytes(self) -> Self {
            // SAFETY: `self` proves AVX-512.
            Self(unsafe { $shuffle(self.0, $broadcast(_mm_loadu_si128(SWAP.as_ptr().cast()))) })
        }
        #[inline]
        fn select(self, b: Self, c: Self) -> Self {
            // SAFETY: `self` proves AVX-512.
            Self(unsafe { $ternary::<SELECT>(self.0, b.0, c.0) })
        }
        #[inline]
        fn majority(self, b: Self, c: Self) -> Self {
            // SAFETY: `self` proves AVX-512.
            Self(unsafe { $ternary::<MAJORITY>(self.0, b.0, c.0) })
        }
    };
}

// Arrays become registers without an intrinsic, since in a debug build its checks may keep it from being inlined.
macro_rules! avx512_word {
    (
        $name:ident, token: $token:ident, trait: $trait:ident, lane: $lane:ty, signed: $signed:ty,
        lanes: $n:literal, bits: $bits:literal, register: $reg:ty,
        from_array: $from_array:expr, to_array: $to_array:expr,
        set1: $set1:ident, xor: $xor:ident, and: $and:ident, or: $or:ident, add: $add:ident, sub: $sub:ident,
        ternary: $ternary:ident, rotlv: $rotlv:ident, mask: $mask:ty, maskload: $maskload:ident,
        maskstore: $maskstore:ident, transpose: $transpose:ident,
        { $($more:tt)* }
    ) => {
        #[doc = concat!(
            stringify!($n), " lanes of `", stringify!($lane), "` in a ", stringify!($bits),
            "-bit register, under [`", stringify!($token), "`].",
        )]
        #[derive(Clone, Copy, Debug)]
        pub struct $name($reg);

        impl $trait<$n> for $name {
            type Token = $token;

            const REGISTERS: usize = 32;

            #[inline]
            fn splat(_: $token, x: $lane) -> Self {
                // SAFETY: the token proves AVX-512.
                Self(unsafe { $set1(x as $signed) })
            }
            #[inline]
            fn from_array(_: $token, x: [$lane; $n]) -> Self {
                // SAFETY: the token proves AVX-512.
                Self(unsafe { $from_array(x) })
            }
            #[inline]
            fn to_array(self) -> [$lane; $n] {
                // SAFETY: `self` proves AVX-512.
                unsafe { $to_array(self.0) }
            }
            #[inline(always)]
            fn load(_: $token, bytes: &[u8]) -> Self {
                let mask = (1_u32 << lanes_in::<$lane, $n>(bytes.len())) - 1;
                // SAFETY: the token proves AVX-512; the mask keeps the load within the bytes.
                Self(unsafe { $maskload(mask as $mask, bytes.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                let mask = (1_u32 << lanes_in::<$lane, $n>(bytes.len())) - 1;
                // SAFETY: `self` proves AVX-512; the mask keeps the store within the bytes.
                unsafe { $maskstore(bytes.as_mut_ptr().cast(), mask as $mask, self.0) }
            }
            #[inline(always)]
            fn transpose(words: [Self; $n]) -> [Self; $n] {
                let mut r = [words[0].0; $n];
                for i in 0..$n {
                    r[i] = words[i].0;
                }
                // SAFETY: a word proves AVX-512.
                let r = unsafe { $transpose(r) };
                let mut words = words;
                for i in 0..$n {
                    words[i] = Self(r[i]);
                }
                words
            }
            #[inline]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $xor(self.0, b.0) })
            }
            #[inline]
            fn and(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $and(self.0, b.0) })
            }
            #[inline]
            fn or(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $or(self.0, b.0) })
            }
            #[inline]
            fn not(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<NOT>(self.0, self.0, self.0) })
            }
            #[inline]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline]
            fn rotl<const K: u32>(self) -> Self {
                // The variable form, since its count may come from a `u32`; LLVM makes it `vprol` by an immediate.
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $rotlv(self.0, $set1(K as $signed)) })
            }
            #[inline]
            fn xor3(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<XOR3>(self.0, b.0, c.0) })
            }
            $($more)*
        }
    };
}

avx512_word!(
    U32x16, token: Avx512, trait: U32xN, lane: u32, signed: i32, lanes: 16, bits: 512, register: __m512i,
    from_array: transmute::<[u32; 16], __m512i>, to_array: transmute::<__m512i, [u32; 16]>,
    set1: _mm512_set1_epi32, xor: _mm512_xor_si512,
    and: _mm512_and_si512, or: _mm512_or_si512, add: _mm512_add_epi32, sub: _mm512_sub_epi32,
    ternary: _mm512_ternarylogic_epi32, rotlv: _mm512_rolv_epi32, mask: __mmask16,
    maskload: _mm512_maskz_loadu_epi32, maskstore: _mm512_mask_storeu_epi32, transpose: lanes32_512,
    {
        of_32_bits!(_mm512_ternarylogic_epi32, _mm512_shuffle_epi8, _mm512_broadcast_i32x4);
        const FOURS: bool = true;

        #[inline(always)]
        fn transpose_fours(_: Avx512, [a, b, c, d]: [Self; 4]) -> [Self; 4] {
            // SAFETY: the token proves AVX-512.
            let [a, b, c, d] = unsafe { quads_512([a.0, b.0, c.0, d.0]) };
            [Self(a), Self(b), Self(c), Self(d)]
        }
        #[inline(always)]
        fn load_fours(_: Avx512, bytes: &[u8], first: usize, step: usize) -> Self {
            macro_rules! four {
                ($i:literal) => {
                    _mm_loadu_si128(bytes[first + $i * step..][..16].as_ptr().cast())
                };
            }
            // SAFETY: the token proves AVX-512; each load is of 16 bytes.
            unsafe {
                let word = _mm512_castsi128_si512(four!(0));
                let word = _mm512_inserti32x4::<1>(word, four!(1));
                let word = _mm512_inserti32x4::<2>(word, four!(2));
                Self(_mm512_inserti32x4::<3>(word, four!(3)))
            }
        }
        #[inline(always)]
        fn store_fours(self, bytes: &mut [u8], first: usize, step: usize) {
            macro_rules! store {
                ($i:literal) => {
                    _mm_storeu_si128(
                        bytes[first + $i * step..][..16].as_mut_ptr().cast(),
                        _mm512_extracti32x4_epi32::<$i>(self.0),
                    )
                };
            }
            // SAFETY: `self` proves AVX-512; each store is of 16 bytes.
            unsafe {
                store!(0);
                store!(1);
                store!(2);
                store!(3);
            }
        }
    }
);

avx512_word!(
    U32x8Vl, token: Avx512, trait: U32xN, lane: u32, signed: i32, lanes: 8, bits: 256, register: __m256i,
    from_array: transmute::<[u32; 8], __m256i>, to_array: transmute::<__m256i, [u32; 8]>,
    set1: _mm256_set1_epi32, xor: _mm256_xor_si256,
    and: _mm256_and_si256, or: _mm256_or_si256, add: _mm256_add_epi32, sub: _mm256_sub_epi32,
    ternary: _mm256_ternarylogic_epi32, rotlv: _mm256_rolv_epi32, mask: __mmask8,
    maskload: _mm256_maskz_loadu_epi32, maskstore: _mm256_mask_storeu_epi32, transpose: lanes32_256,
    { of_32_bits!(_mm256_ternarylogic_epi32, _mm256_shuffle_epi8, _mm256_broadcast_i32x4); }
);

avx512_word!(
    U32x4Vl, token: Avx512, trait: U32xN, lane: u32, signed: i32, lanes: 4, bits: 128, register: __m128i,
    from_array: transmute::<[u32; 4], __m128i>, to_array: transmute::<__m128i, [u32; 4]>,
    set1: _mm_set1_epi32, xor: _mm_xor_si128, and: _mm_and_si128,
    or: _mm_or_si128, add: _mm_add_epi32, sub: _mm_sub_epi32, ternary: _mm_ternarylogic_epi32,
    rotlv: _mm_rolv_epi32, mask: __mmask8, maskload: _mm_maskz_loadu_epi32, maskstore: _mm_mask_storeu_epi32,
    transpose: lanes32_128,
    { of_32_bits!(_mm_ternarylogic_epi32, _mm_shuffle_epi8, core::convert::identity); }
);

macro_rules! u64x8 {
    ($name:ident, $token:ident) => {
        avx512_word!(
            $name, token: $token, trait: U64xN, lane: u64, signed: i64, lanes: 8, bits: 512, register: __m512i,
            from_array: transmute::<[u64; 8], __m512i>, to_array: transmute::<__m512i, [u64; 8]>,
            set1: _mm512_set1_epi64, xor: _mm512_xor_si512,
            and: _mm512_and_si512, or: _mm512_or_si512, add: _mm512_add_epi64, sub: _mm512_sub_epi64,
            ternary: _mm512_ternarylogic_epi64, rotlv: _mm512_rolv_epi64, mask: __mmask8,
            maskload: _mm512_maskz_loadu_epi64, maskstore: _mm512_mask_storeu_epi64, transpose: lanes64_512, {
            #[inline]
            fn mul_u32(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { mul_u32_512(self.0, b.0) })
            }
            #[inline]
            fn shr<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
            #[inline]
            fn shl<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
            /// Two words at a time, whose lanes lie side by side in each row.
            #[inline(always)]
            fn load_rows(token: $token, rows: &[&[u8]; 8], from: usize, count: usize) -> [Self; 8] {
                assert!(count <= 8, "more numbers than the word has lanes");
                // One check of each row.
                let mut numbers: [&[[u8; 8]]; 8] = [&[]; 8];
                for i in 0..8 {
                    numbers[i] = rows[i][..8 * (from + count)].as_chunks().0;
                }
                let mut words = [Self::splat(token, 0); 8];
                macro_rules! pair {
                    ($first:literal) => {
                        if count > $first + 1 {
                            // SAFETY: the token proves AVX-512.
                            let [a, b] = unsafe { two_of_each_row_512(&numbers, from + $first) };
                            (words[$first], words[$first + 1]) = (Self(a), Self(b));
                        }
                    };
                }
                // In a loop LLVM would keep the words in memory.
                pair!(0);
                pair!(2);
                pair!(4);
                pair!(6);
                if count % 2 == 1 {
                    // With the number before it, where there is one.
                    words[count - 1] = match from + count - 1 {
                        0 => {
                            let mut lanes = [0; 8];
                            for i in 0..8 {
                                lanes[i] = u64::from_le_bytes(numbers[i][0]);
                            }
                            Self::from_array(token, lanes)
                        }
                        // SAFETY: the token proves AVX-512.
                        last => Self(unsafe { two_of_each_row_512(&numbers, last - 1) }[1]),
                    };
                }
                words
            }
        });

        impl Pairs<8> for $name {
            #[inline(always)]
            fn transpose_pairs(self, b: Self) -> [Self; 2] {
                // SAFETY: `self` proves AVX-512.
                unsafe { [Self(_mm512_unpacklo_epi64(self.0, b.0)), Self(_mm512_unpackhi_epi64(self.0, b.0))] }
            }
        }
    };
}
u64x8!(U64x8, Avx512);
u64x8!(U64x8Ifma, Avx512Ifma);
u64x8!(U64x8Zen, Avx512);

impl Products52<8> for U64x8Ifma {
    #[inline]
    fn add_low52(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` proves IFMA.
        Self(unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) })
    }
    #[inline]
    fn add_high52(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` proves IFMA.
        Self(unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) })
    }
}

macro_rules! u64x4 {
    ($name:ident) => {
        avx512_word!(
            $name, token: Avx512, trait: U64xN, lane: u64, signed: i64, lanes: 4, bits: 256, register: __m256i,
            from_array: transmute::<[u64; 4], __m256i>, to_array: transmute::<__m256i, [u64; 4]>,
            set1: _mm256_set1_epi64x, xor: _mm256_xor_si256,
            and: _mm256_and_si256, or: _mm256_or_si256, add: _mm256_add_epi64, sub: _mm256_sub_epi64,
            ternary: _mm256_ternarylogic_epi64, rotlv: _mm256_rolv_epi64, mask: __mmask8,
            maskload: _mm256_maskz_loadu_epi64, maskstore: _mm256_mask_storeu_epi64, transpose: lanes64_256, {
            #[inline]
            fn mul_u32(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { mul_u32_256(self.0, b.0) })
            }
            #[inline]
            fn shr<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
            #[inline]
            fn shl<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
        });
    };
}
u64x4!(U64x4Vl);
u64x4!(U64x4Zen);

// One lane in a 128-bit register: vector instructions for a single state.
macro_rules! u64x1 {
    ($name:ident) => {
        avx512_word!(
            $name, token: Avx512, trait: U64xN, lane: u64, signed: i64, lanes: 1, bits: 128, register: __m128i,
            from_array: load_lane, to_array: store_lane, set1: _mm_set1_epi64x, xor: _mm_xor_si128, and: _mm_and_si128,
            or: _mm_or_si128, add: _mm_add_epi64, sub: _mm_sub_epi64, ternary: _mm_ternarylogic_epi64,
            rotlv: _mm_rolv_epi64, mask: __mmask8, maskload: _mm_maskz_loadu_epi64, maskstore: _mm_mask_storeu_epi64,
            transpose: lanes64_64, {
            #[inline]
            fn mul_u32(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm_mul_epu32(self.0, b.0) })
            }
            #[inline]
            fn shr<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
            #[inline]
            fn shl<const K: u32>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { _mm_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
        });
    };
}
u64x1!(U64x1Vl);
u64x1!(U64x1Zen);

macro_rules! keccak_word {
    ($name:ident, lanes: $n:literal, ternary: $ternary:ident, merges_effect: $merges:literal, { $($more:tt)* }) => {
        impl KeccakWord<$n> for $name {
            const TERNARY: bool = true;
            const MERGES_EFFECT: bool = $merges;

            #[inline]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe { $ternary::<CHI>(self.0, b.0, c.0) })
            }
            $($more)*
        }
    };
}
/// Loads and stores of any number of bytes.
macro_rules! bytes_of {
    (
        $token:ident, bytes: $bytes:literal, bzhi: $bzhi:ident, maskload: $maskload:ident, maskstore: $maskstore:ident
    ) => {
        #[inline(always)]
        fn load_padded(_: $token, bytes: &[u8]) -> Self {
            assert!(bytes.len() <= $bytes, "more bytes than the word has");
            // SAFETY: the token proves AVX-512; the mask keeps the load within the bytes.
            Self(unsafe { $maskload($bzhi(!0, bytes.len() as u32), bytes.as_ptr().cast()) })
        }
        #[inline(always)]
        fn store_truncated(self, bytes: &mut [u8]) {
            assert!(bytes.len() <= $bytes, "more bytes than the word has");
            // SAFETY: `self` proves AVX-512; the mask keeps the store within the bytes.
            unsafe { $maskstore(bytes.as_mut_ptr().cast(), $bzhi(!0, bytes.len() as u32), self.0) }
        }
    };
}
macro_rules! keccak_x8 {
    ($name:ident, $merges:literal) => {
        keccak_word!($name, lanes: 8, ternary: _mm512_ternarylogic_epi64, merges_effect: $merges, {
            #[inline(always)]
            fn transpose_four(words: [Self; 4]) -> [[u8; 32]; 8] {
                let [a, b, c, d] = words;
                // SAFETY: a word proves AVX-512, and rows are as long as registers.
                unsafe { transmute(rows_of_four_lanes64([a.0, b.0, c.0, d.0])) }
            }
            bytes_of!(
                Avx512, bytes: 64, bzhi: _bzhi_u64, maskload: _mm512_maskz_loadu_epi8,
                maskstore: _mm512_mask_storeu_epi8
            );
        });
    };
}
keccak_x8!(U64x8, true);
keccak_x8!(U64x8Zen, false);
macro_rules! keccak_x4 {
    ($name:ident, $merges:literal) => {
        keccak_word!($name, lanes: 4, ternary: _mm256_ternarylogic_epi64, merges_effect: $merges, {
            bytes_of!(
                Avx512, bytes: 32, bzhi: _bzhi_u32, maskload: _mm256_maskz_loadu_epi8,
                maskstore: _mm256_mask_storeu_epi8
            );
        });
    };
}
keccak_x4!(U64x4Vl, true);
keccak_x4!(U64x4Zen, false);
keccak_word!(U64x1Zen, lanes: 1, ternary: _mm_ternarylogic_epi64, merges_effect: false, {});
keccak_word!(U64x1Vl, lanes: 1, ternary: _mm_ternarylogic_epi64, merges_effect: true, {
    /// Through memory: a store, `rorx` on a port that vectors do not use, a store, and a load.
    #[inline]
    fn rotl_off_vector_ports<const K: u32>(self) -> Self {
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
});

impl Sm3Word<16> for U32x16 {}
impl Sm3Word<8> for U32x8Vl {}
impl Sm3Word<4> for U32x4Vl {}

/// A lane in a register.
///
/// # Safety
/// The CPU has SSE2.
#[inline(always)]
unsafe fn load_lane(x: [u64; 1]) -> __m128i {
    // SAFETY: as promised; the array is 8 bytes.
    unsafe { _mm_loadl_epi64(x.as_ptr().cast()) }
}

/// The lane of a register.
///
/// # Safety
/// The CPU has SSE2.
#[inline(always)]
unsafe fn store_lane(x: __m128i) -> [u64; 1] {
    let mut lane = [0];
    // SAFETY: as promised; the array is 8 bytes.
    unsafe { _mm_storel_epi64(lane.as_mut_ptr().cast(), x) };
    lane
}

/// `vpmuludq`, for the reason given at [`mul_u32_256`].
///
/// # Safety
/// The CPU has AVX-512F.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn mul_u32_512(a: __m512i, b: __m512i) -> __m512i {
    let product;
    // SAFETY: as promised; nothing but `product` is written.
    unsafe {
        asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(zmm_reg) product,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

macro_rules! quads {
    (
        $name:ident, lanes: $n:literal, broadcast: $broadcast:expr, shuffle: $shuffle:ident, align: $align:ident,
        states: $states:ident,
    ) => {
        impl Quads<$n> for $name {
            #[inline]
            fn splat_row(_: Avx512, row: [u32; 4]) -> Self {
                // SAFETY: the token proves AVX-512; the array is 16 bytes.
                Self(unsafe { $broadcast(_mm_loadu_si128(row.as_ptr().cast())) })
            }
            #[inline]
            fn rotate_lanes<const K: usize>(self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe {
                    match K {
                        1 => $shuffle::<0x39>(self.0),
                        2 => $shuffle::<0x4e>(self.0),
                        _ => $shuffle::<0x93>(self.0),
                    }
                })
            }
            #[inline]
            fn slide<const K: usize>(self, next: Self) -> Self {
                // SAFETY: `self` proves AVX-512.
                Self(unsafe {
                    match K {
                        1 => $align::<4>(next.0, self.0),
                        2 => $align::<8>(next.0, self.0),
                        _ => $align::<12>(next.0, self.0),
                    }
                })
            }
            #[inline(always)]
            fn states([a, b, c, d]: [Self; 4]) -> [Self; 4] {
                // SAFETY: a word proves AVX-512.
                let [a, b, c, d] = unsafe { $states([a.0, b.0, c.0, d.0]) };
                [Self(a), Self(b), Self(c), Self(d)]
            }
        }
    };
}
quads!(
    U32x16, lanes: 16, broadcast: _mm512_broadcast_i32x4, shuffle: _mm512_shuffle_epi32, align: _mm512_alignr_epi8,
    states: quarters,
);
quads!(
    U32x8Vl, lanes: 8, broadcast: _mm256_broadcast_i32x4, shuffle: _mm256_shuffle_epi32, align: _mm256_alignr_epi8,
    states: halves,
);
quads!(
    U32x4Vl, lanes: 4, broadcast: core::convert::identity, shuffle: _mm_shuffle_epi32, align: _mm_alignr_epi8,
    states: rows,
);
