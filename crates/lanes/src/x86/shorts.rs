//! 256-bit words of AVX2, 512-bit words of AVX-512.

use crate::shorts::I16xN;
use crate::token::{Avx2, Avx512};
use core::arch::x86_64::*;

macro_rules! word {
    (
        $name:ident, sums: $sums:ident, token: $token:ident, lanes: $n:literal, register: $vector:ident,
        bits: $bits:literal, load: $load:ident, store: $store:ident, set1_16: $set:ident, add16: $add:ident,
        sub16: $sub:ident, and: $and:ident, sra16: $sra:ident, mullo16: $mul_low:ident, mulhi16: $mul_high:ident,
        madd16: $mul_pairs:ident, add32: $add_sums:ident, slli32: $shl:ident, srli32: $shr:ident, or: $or:ident,
        set1_32: $set32:ident,
        $exchange:item
    ) => {
        #[doc = concat!(stringify!($n), " lanes of `i16` in a register of ", $bits, " bits.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name($vector);

        #[doc = concat!(
            "Lanes of `i32` in a register of ", $bits, " bits, for every two lanes of [`", stringify!($name),
            "`] one.",
        )]
        #[derive(Clone, Copy, Debug)]
        pub struct $sums($vector);

        impl I16xN<$n> for $name {
            type Token = $token;
            type Sums = $sums;

            #[inline]
            fn splat(_: $token, x: i16) -> Self {
                // SAFETY: the token proves the features, here and below.
                Self(unsafe { $set(x) })
            }
            #[inline(always)]
            fn load(_: $token, lanes: &[i16; $n]) -> Self {
                // SAFETY: as above; the array is as long as the register.
                Self(unsafe { $load(lanes.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, lanes: &mut [i16; $n]) {
                // SAFETY: `self` proves the features; the array is as long as the register.
                unsafe { $store(lanes.as_mut_ptr().cast(), self.0) }
            }
            #[inline]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves the features, here and below.
                Self(unsafe { $add(self.0, b.0) })
            }
            #[inline]
            fn sub(self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sub(self.0, b.0) })
            }
            #[inline]
            fn and(self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $and(self.0, b.0) })
            }
            #[inline]
            fn shr<const K: u32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sra(self.0, _mm_cvtsi32_si128(K as i32)) })
            }
            #[inline]
            fn mul_low(self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul_low(self.0, b.0) })
            }
            #[inline]
            fn mul_high(self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul_high(self.0, b.0) })
            }
            #[inline]
            fn swap_pairs(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $or($shl::<16>(self.0), $shr::<16>(self.0)) })
            }
            #[inline(always)]
            fn mul_pairs(self, b: Self) -> $sums {
                // SAFETY: as above.
                $sums(unsafe { $mul_pairs(self.0, b.0) })
            }
            #[inline(always)]
            fn add_sums(a: $sums, b: $sums) -> $sums {
                // SAFETY: sums are made by words only, which prove the features, here and below.
                $sums(unsafe { $add_sums(a.0, b.0) })
            }
            #[inline(always)]
            fn split_sums($sums(a): $sums, $sums(b): $sums) -> [Self; 2] {
                // SAFETY: as above.
                let (low, high) = unsafe {
                    let (evens, odds) = ($set32(0xffff), $set32(!0xffff));
                    ($or($and(a, evens), $shl::<16>(b)), $or($shr::<16>(a), $and(b, odds)))
                };
                [Self(low), Self(high)]
            }
            #[inline(always)]
            $exchange
        }
    };
}

word!(
    I16x16, sums: I32x8, token: Avx2, lanes: 16, register: __m256i, bits: "256", load: _mm256_loadu_si256,
    store: _mm256_storeu_si256, set1_16: _mm256_set1_epi16, add16: _mm256_add_epi16, sub16: _mm256_sub_epi16,
    and: _mm256_and_si256, sra16: _mm256_sra_epi16, mullo16: _mm256_mullo_epi16, mulhi16: _mm256_mulhi_epi16,
    madd16: _mm256_madd_epi16, add32: _mm256_add_epi32, slli32: _mm256_slli_epi32, srli32: _mm256_srli_epi32,
    or: _mm256_or_si256, set1_32: _mm256_set1_epi32,
    fn exchange<const LEN: usize>(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.0, b.0);
        // SAFETY: `self` proves AVX2.
        let [first, second] = unsafe {
            match LEN {
                8 => [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)],
                4 => [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)],
                2 => [
                    _mm256_blend_epi32::<0b1010_1010>(a, _mm256_slli_epi64::<32>(b)),
                    _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(a), b),
                ],
                _ => unreachable!("a power of two below 16"),
            }
        };
        [Self(first), Self(second)]
    }
);

word!(
    I16x32, sums: I32x16, token: Avx512, lanes: 32, register: __m512i, bits: "512", load: _mm512_loadu_epi16,
    store: _mm512_storeu_epi16, set1_16: _mm512_set1_epi16, add16: _mm512_add_epi16, sub16: _mm512_sub_epi16,
    and: _mm512_and_si512, sra16: _mm512_sra_epi16, mullo16: _mm512_mullo_epi16, mulhi16: _mm512_mulhi_epi16,
    madd16: _mm512_madd_epi16, add32: _mm512_add_epi32, slli32: _mm512_slli_epi32, srli32: _mm512_srli_epi32,
    or: _mm512_or_si512, set1_32: _mm512_set1_epi32,
    fn exchange<const LEN: usize>(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.0, b.0);
        // SAFETY: `self` proves AVX-512.
        let [first, second] = unsafe {
            match LEN {
                16 => [_mm512_shuffle_i64x2::<0b01_00_01_00>(a, b), _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b)],
                8 => {
                    let first = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
                    let second = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
                    [_mm512_permutex2var_epi64(a, first, b), _mm512_permutex2var_epi64(a, second, b)]
                }
                4 => [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)],
                2 => [
                    _mm512_mask_blend_epi32(0xaaaa, a, _mm512_slli_epi64::<32>(b)),
                    _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64::<32>(a), b),
                ],
                _ => unreachable!("a power of two below 32"),
            }
        };
        [Self(first), Self(second)]
    }
);
