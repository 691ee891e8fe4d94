//! 256-bit words of AVX2.

use crate::token::Avx2;
use crate::words::{U32xN, U64xN, by_lane};
use core::arch::x86_64::*;

macro_rules! avx2_word {
    ($name:ident, $trait:ident, $lane:ty, $signed:ty, $n:literal,
     $set1:ident, $add:ident, $sub:ident, $sll:ident, $srl:ident { $($more:tt)* }) => {
        #[doc = concat!(stringify!($n), " lanes of `", stringify!($lane), "` in a 256-bit register of AVX2.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(__m256i);

        impl $trait<$n> for $name {
            type Token = Avx2;

            #[inline(always)]
            fn splat(_: Avx2, x: $lane) -> Self {
                // SAFETY: the token proves AVX2.
                Self(unsafe { $set1(x as $signed) })
            }
            #[inline(always)]
            fn from_array(_: Avx2, x: [$lane; $n]) -> Self {
                // SAFETY: the token proves AVX2; the array is 32 bytes.
                Self(unsafe { _mm256_loadu_si256(x.as_ptr().cast()) })
            }
            #[inline(always)]
            fn to_array(self) -> [$lane; $n] {
                let mut x = [0; $n];
                // SAFETY: `self` proves AVX2; the array is 32 bytes.
                unsafe { _mm256_storeu_si256(x.as_mut_ptr().cast(), self.0) };
                x
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_xor_si256(self.0, b.0) })
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_and_si256(self.0, b.0) })
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_or_si256(self.0, b.0) })
            }
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi8(-1)) })
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline(always)]
            fn rotl<const K: u32>(self) -> Self {
                // Whole bytes go by one shuffle instead of two shifts and an or.
                if K % 8 == 0 {
                    let order = const { byte_rotation(size_of::<$lane>(), K as usize / 8) };
                    // SAFETY: `self` proves AVX2; the array is 32 bytes.
                    return Self(unsafe {
                        _mm256_shuffle_epi8(self.0, _mm256_loadu_si256(order.as_ptr().cast()))
                    });
                }
                // SAFETY: `self` proves AVX2.
                Self(unsafe {
                    let left = $sll(self.0, _mm_cvtsi32_si128(K as i32));
                    let right = $srl(self.0, _mm_cvtsi32_si128((<$lane>::BITS - K) as i32));
                    _mm256_or_si256(left, right)
                })
            }
            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves AVX2.
                Self(unsafe { _mm256_xor_si256(self.0, _mm256_andnot_si256(b.0, c.0)) })
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

avx2_word!(
    U32x8,
    U32xN,
    u32,
    i32,
    8,
    _mm256_set1_epi32,
    _mm256_add_epi32,
    _mm256_sub_epi32,
    _mm256_sll_epi32,
    _mm256_srl_epi32 {}
);

avx2_word!(U64x4, U64xN, u64, i64, 4, _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sub_epi64,
    _mm256_sll_epi64, _mm256_srl_epi64 {
    /// Four words at once: 4 loads, 8 shuffles.
    #[inline(always)]
    fn load_rows(token: Avx2, rows: &[&[u8]; 4], from: usize, count: usize) -> [Self; 4] {
        assert!(count <= 4);
        if count < 4 {
            return by_lane(token, rows, from, count);
        }
        let mut r = [Self::splat(token, 0).0; 4];
        for i in 0..4 {
            let bytes = &rows[i][8 * from..][..32];
            // SAFETY: the token proves AVX2; the slice is 32 bytes.
            r[i] = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
        }
        let [a, b, c, d] = transpose4(token, r);
        [Self(a), Self(b), Self(c), Self(d)]
    }
});

/// 4 × 4 lanes of 64 bits.
#[inline(always)]
pub(crate) fn transpose4(_: Avx2, r: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the token proves AVX2.
    unsafe {
        let even01 = _mm256_unpacklo_epi64(r[0], r[1]);
        let odd01 = _mm256_unpackhi_epi64(r[0], r[1]);
        let even23 = _mm256_unpacklo_epi64(r[2], r[3]);
        let odd23 = _mm256_unpackhi_epi64(r[2], r[3]);
        [
            _mm256_permute2x128_si256::<0x20>(even01, even23),
            _mm256_permute2x128_si256::<0x20>(odd01, odd23),
            _mm256_permute2x128_si256::<0x31>(even01, even23),
            _mm256_permute2x128_si256::<0x31>(odd01, odd23),
        ]
    }
}
