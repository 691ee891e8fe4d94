//! Words of PCLMULQDQ, and of VPCLMULQDQ in wider registers.

use super::XOR3;
use crate::polynomials::Polynomials;
use crate::token::{Avx2Aes, Avx2Gfni, Avx512Gfni};
use core::arch::x86_64::*;
use core::convert::identity;

/// Operands of `pclmulqdq`: the lower halves, and the upper halves.
const LOW: i32 = 0x00;
const HIGH: i32 = 0x11;
/// The shuffle of 32-bit lanes that exchanges the halves of 128 bits.
const SWAP: i32 = 0x4e;

macro_rules! polynomials {
    (
        $name:ident, token: $token:ident, count: $n:literal, bits: $bits:literal, register: $reg:ty,
        load: $load:ident, store: $store:ident, part: $part:ident, broadcast: $broadcast:expr, bytes: $bytes:ident,
        shuffle: $shuffle:ident, up: $up:ident, down: $down:ident, xor: $xor:ident, clmul: $clmul:ident,
        sum: $sum:ident,
        { $($more:tt)* }
    ) => {
        #[doc = concat!(
            stringify!($n), " polynomial(s) in a ", stringify!($bits), "-bit register, under [`",
            stringify!($token), "`].",
        )]
        #[derive(Clone, Copy, Debug)]
        pub struct $name($reg);

        impl Polynomials<$n> for $name {
            type Token = $token;

            #[inline]
            fn splat(_: $token, x: u128) -> Self {
                // SAFETY: the token proves the features; the number is 16 bytes.
                Self(unsafe { $broadcast(_mm_loadu_si128((&raw const x).cast())) })
            }
            #[inline]
            fn from_array(_: $token, x: [u128; $n]) -> Self {
                // SAFETY: the token proves the features; the load is as long as the array.
                Self(unsafe { $load(x.as_ptr().cast()) })
            }
            #[inline]
            fn to_array(self) -> [u128; $n] {
                let mut x = [0; $n];
                // SAFETY: `self` proves the features; the store is as long as the array.
                unsafe { $store(x.as_mut_ptr().cast(), self.0) };
                x
            }
            #[inline(always)]
            fn load_be(token: $token, blocks: &[[u8; 16]]) -> Self {
                let bytes = Self::load_le(token, blocks);
                // SAFETY: the token proves the features.
                Self(unsafe {
                    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                    $bytes(bytes.0, $broadcast(order))
                })
            }
            #[inline(always)]
            fn load_le(_: $token, blocks: &[[u8; 16]]) -> Self {
                assert!(blocks.len() <= $n, "more blocks than the word has polynomials");
                // SAFETY: the token proves the features; the load is of as many blocks as there are.
                Self(unsafe { if blocks.len() == $n { $load(blocks.as_ptr().cast()) } else { $part(blocks) } })
            }
            #[inline]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $xor(self.0, b.0) })
            }
            #[inline]
            fn swap_halves(self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $shuffle::<SWAP>(self.0) })
            }
            #[inline]
            fn shift_left_64(self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $up::<8>(self.0) })
            }
            #[inline]
            fn shift_right_64(self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $down::<8>(self.0) })
            }
            #[inline]
            fn mul_low(self, b: Self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $clmul::<LOW>(self.0, b.0) })
            }
            #[inline]
            fn mul_high(self, b: Self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $clmul::<HIGH>(self.0, b.0) })
            }
            #[inline(always)]
            fn sum(self) -> u128 {
                let mut sum = 0;
                // SAFETY: `self` proves the features; the number is 16 bytes.
                unsafe { _mm_storeu_si128((&raw mut sum).cast(), $sum(self.0)) };
                sum
            }
            $($more)*
        }
    };
}

polynomials!(
    P128x1Clmul, token: Avx2Aes, count: 1, bits: 128, register: __m128i, load: _mm_loadu_si128,
    store: _mm_storeu_si128, part: no_block, broadcast: identity, bytes: _mm_shuffle_epi8,
    shuffle: _mm_shuffle_epi32, up: _mm_bslli_si128, down: _mm_bsrli_si128, xor: _mm_xor_si128,
    clmul: _mm_clmulepi64_si128, sum: identity, {}
);

polynomials!(
    P128x2, token: Avx2Gfni, count: 2, bits: 256, register: __m256i, load: _mm256_loadu_si256,
    store: _mm256_storeu_si256, part: one_block, broadcast: _mm256_broadcastsi128_si256, bytes: _mm256_shuffle_epi8,
    shuffle: _mm256_shuffle_epi32, up: _mm256_bslli_epi128, down: _mm256_bsrli_epi128, xor: _mm256_xor_si256,
    clmul: _mm256_clmulepi64_epi128, sum: sum_256, {}
);

polynomials!(
    P128x4, token: Avx512Gfni, count: 4, bits: 512, register: __m512i, load: _mm512_loadu_si512,
    store: _mm512_storeu_si512, part: few_blocks, broadcast: _mm512_broadcast_i32x4, bytes: _mm512_shuffle_epi8,
    shuffle: _mm512_shuffle_epi32, up: _mm512_bslli_epi128, down: _mm512_bsrli_epi128, xor: _mm512_xor_si512,
    clmul: _mm512_clmulepi64_epi128, sum: sum_512, {
    #[inline]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_ternarylogic_epi64::<XOR3>(self.0, b.0, c.0) })
    }
});

/// A load of less than one block: zero.
///
/// # Safety
/// The CPU has SSE2.
#[inline(always)]
unsafe fn no_block(_: &[[u8; 16]]) -> __m128i {
    // SAFETY: as promised.
    unsafe { _mm_setzero_si128() }
}

/// Loads at most one block; the rest is zero.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn one_block(blocks: &[[u8; 16]]) -> __m256i {
    // SAFETY: as promised; a block is 16 bytes.
    unsafe {
        match blocks.first() {
            Some(block) => _mm256_zextsi128_si256(_mm_loadu_si128(block.as_ptr().cast())),
            None => _mm256_setzero_si256(),
        }
    }
}

/// Loads at most three blocks; the rest is zero.
///
/// # Safety
/// The CPU has AVX-512F; there are no more blocks.
#[inline(always)]
unsafe fn few_blocks(blocks: &[[u8; 16]]) -> __m512i {
    let mask = (1_u32 << (2 * blocks.len())) - 1;
    // SAFETY: as promised; the mask keeps the load within the blocks.
    unsafe { _mm512_maskz_loadu_epi64(mask as __mmask8, blocks.as_ptr().cast()) }
}

/// The sum of both halves.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn sum_256(x: __m256i) -> __m128i {
    // SAFETY: as promised.
    unsafe { _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x)) }
}

/// The sum of all quarters.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn sum_512(x: __m512i) -> __m128i {
    // SAFETY: as promised.
    unsafe { sum_256(_mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x))) }
}
