//! 256-bit words of AVX2.

use super::transpose::{halves, lanes32_256, lanes64_256};
use crate::token::Avx2;
use crate::words::{KeccakWord, Pairs, Quads, Sm3Word, U32xN, U64xN, lanes_in};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

macro_rules! avx2_word {
    (
        $name:ident, trait: $trait:ident, lane: $lane:ty, signed: $signed:ty, lanes: $n:literal, set1: $set1:ident,
        add: $add:ident, sub: $sub:ident, sll: $sll:ident, srl: $srl:ident, maskload: $maskload:ident,
        maskstore: $maskstore:ident, transpose: $transpose:ident,
        { $($more:tt)* }
    ) => {
        #[doc = concat!(stringify!($n), " lanes of `", stringify!($lane), "` in a 256-bit register of AVX2.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(__m256i);

        impl $trait<$n> for $name {
            type Token = Avx2;

            #[inline]
            fn splat(_: Avx2, x: $lane) -> Self {
                // SAFETY: the token proves AVX2.
                Self(unsafe { $set1(x as $signed) })
            }
            #[inline]
            fn from_array(_: Avx2, x: [$lane; $n]) -> Self {
                // No intrinsic, since in a debug build its checks may keep it from being inlined.
                // SAFETY: the token proves AVX2; the array is as long as the register.
                Self(unsafe { transmute::<[$lane; $n], __m256i>(x) })
            }
            #[inline]
            fn to_array(self) -> [$lane; $n] {
                // SAFETY: the array is as long as the register.
                unsafe { transmute::<__m256i, [$lane; $n]>(self.0) }
            }
            #[inline(always)]
            fn load(_: Avx2, bytes: &[u8]) -> Self {
                let count = lanes_in::<$lane, $n>(bytes.len());
                if count == $n {
                    // SAFETY: the token proves AVX2; the bytes are 32.
                    return Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) });
                }
                // SAFETY: the token proves AVX2; the mask keeps the load within the bytes.
                Self(unsafe { $maskload(bytes.as_ptr().cast(), first(count * size_of::<$lane>())) })
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                let count = lanes_in::<$lane, $n>(bytes.len());
                if count == $n {
                    // SAFETY: `self` proves AVX2; the bytes are 32.
                    return unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) };
                }
                // SAFETY: `self` proves AVX2; the mask keeps the store within the bytes.
                unsafe { $maskstore(bytes.as_mut_ptr().cast(), first(count * size_of::<$lane>()), self.0) }
            }
            #[inline(always)]
            fn transpose(words: [Self; $n]) -> [Self; $n] {
                let mut r = [words[0].0; $n];
                for i in 0..$n {
                    r[i] = words[i].0;
                }
                // SAFETY: a word proves AVX2.
                let r = unsafe { $transpose(r) };
                let mut words = words;
                for i in 0..$n {
                    words[i] = Self(r[i]);
                }
                words
            }
            #[inline]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_xor_si256(self.0, b.0) })
            }
            #[inline]
            fn and(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_and_si256(self.0, b.0) })
            }
            #[inline]
            fn or(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_or_si256(self.0, b.0) })
            }
            #[inline]
            fn not(self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi8(-1)) })
            }
            #[inline]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline]
            fn rotl<const K: u32>(self) -> Self {
                // A rotation by whole bytes is one shuffle instead of two shifts and an or.
                if K % 8 == 0 {
                    let mut order = const { &byte_rotation(size_of::<$lane>(), K as usize / 8) }.as_ptr();
                    // Hides the order from LLVM, which would make two shuffles of a rotation by 16 bits.
                    // SAFETY: the assembly does nothing.
                    unsafe { asm!("/* {0} */", inout(reg) order, options(pure, readonly, nostack, preserves_flags)) };
                    // SAFETY: `self` proves AVX2; the array is 32 bytes.
                    return Self(unsafe { _mm256_shuffle_epi8(self.0, _mm256_loadu_si256(order.cast())) });
                }
                // SAFETY: `self` proves AVX2.
                Self(unsafe {
                    let left = $sll(self.0, _mm_cvtsi32_si128(K as i32));
                    let right = $srl(self.0, _mm_cvtsi32_si128((<$lane>::BITS - K) as i32));
                    _mm256_or_si256(left, right)
                })
            }
            $($more)*
        }
    };
}

/// The `vpshufb` pattern that rotates lanes of `width` bytes left by `by` bytes.
const fn byte_rotation(width: usize, by: usize) -> [u8; 32] {
    let mut order = [0; 32];
    let mut i = 0;
    while i < 32 {
        let lane = i % 16 / width * width;
        order[i] = (lane + (i % width + width - by) % width) as u8;
        i += 1;
    }
    order
}

/// The `vpshufb` pattern that reverses the bytes of 32-bit lanes.
pub(crate) const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

avx2_word!(
    U32x8, trait: U32xN, lane: u32, signed: i32, lanes: 8, set1: _mm256_set1_epi32, add: _mm256_add_epi32,
    sub: _mm256_sub_epi32, sll: _mm256_sll_epi32, srl: _mm256_srl_epi32, maskload: _mm256_maskload_epi32,
    maskstore: _mm256_maskstore_epi32, transpose: lanes32_256, {
    #[inline]
    fn swap_bytes(self) -> Self {
        // SAFETY: `self` proves AVX2; the array is 16 bytes.
        Self(unsafe {
            let order = _mm256_broadcastsi128_si256(_mm_loadu_si128(SWAP.as_ptr().cast()));
            _mm256_shuffle_epi8(self.0, order)
        })
    }
});

avx2_word!(
    U64x4, trait: U64xN, lane: u64, signed: i64, lanes: 4, set1: _mm256_set1_epi64x, add: _mm256_add_epi64,
    sub: _mm256_sub_epi64, sll: _mm256_sll_epi64, srl: _mm256_srl_epi64, maskload: _mm256_maskload_epi64,
    maskstore: _mm256_maskstore_epi64, transpose: lanes64_256, {
    #[inline]
    fn mul_u32(self, b: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe { mul_u32_256(self.0, b.0) })
    }
    #[inline]
    fn shr<const K: u32>(self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
    }
    #[inline]
    fn shl<const K: u32>(self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)) })
    }
});

impl Sm3Word<8> for U32x8 {
    #[inline]
    fn xor_rotated<const I: u32, const J: u32>(self) -> Self {
        // If the rotations differ by whole bytes, one of them is a shuffle.
        if J == I + 8 {
            return self.xor(self.xor(self.rotl::<8>()).rotl::<I>());
        }
        self.xor(self.rotl::<I>()).xor(self.rotl::<J>())
    }
}

impl KeccakWord<4> for U64x4 {
    #[inline]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_andnot_si256(b.0, c.0)) })
    }
}

impl Pairs<4> for U64x4 {
    #[inline(always)]
    fn transpose_pairs(self, b: Self) -> [Self; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe { [Self(_mm256_unpacklo_epi64(self.0, b.0)), Self(_mm256_unpackhi_epi64(self.0, b.0))] }
    }
}

impl Quads<8> for U32x8 {
    #[inline]
    fn splat_row(_: Avx2, row: [u32; 4]) -> Self {
        // SAFETY: the token proves AVX2; the array is 16 bytes.
        Self(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(row.as_ptr().cast())) })
    }
    #[inline]
    fn rotate_lanes<const K: usize>(self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe {
            match K {
                1 => _mm256_shuffle_epi32::<0x39>(self.0),
                2 => _mm256_shuffle_epi32::<0x4e>(self.0),
                _ => _mm256_shuffle_epi32::<0x93>(self.0),
            }
        })
    }
    #[inline]
    fn slide<const K: usize>(self, next: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        Self(unsafe {
            match K {
                1 => _mm256_alignr_epi8::<4>(next.0, self.0),
                2 => _mm256_alignr_epi8::<8>(next.0, self.0),
                _ => _mm256_alignr_epi8::<12>(next.0, self.0),
            }
        })
    }
    #[inline(always)]
    fn states([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: a word proves AVX2.
        let [a, b, c, d] = unsafe { halves([a.0, b.0, c.0, d.0]) };
        [Self(a), Self(b), Self(c), Self(d)]
    }
}

/// `vpmuludq`. From the intrinsic, LLVM would make a product of 64 bits. Where it cannot prove that the high halves are
/// zero, it multiplies these too, at three times the cost; so does `vpmullq` of AVX-512.
///
/// # Safety
/// The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn mul_u32_256(a: __m256i, b: __m256i) -> __m256i {
    let product;
    // SAFETY: as promised; nothing but `product` is written.
    unsafe {
        asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(ymm_reg) product,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

/// A mask of the first `bytes` of 32 bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn first(bytes: usize) -> __m256i {
    const WINDOW: [u8; 64] = {
        let mut window = [0; 64];
        let mut i = 0;
        while i < 32 {
            window[i] = 0xff;
            i += 1;
        }
        window
    };
    let mask = &WINDOW[32 - bytes..][..32];
    // SAFETY: the caller has AVX2; the slice is 32 bytes.
    unsafe { _mm256_loadu_si256(mask.as_ptr().cast()) }
}
