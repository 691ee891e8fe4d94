//! Words of bytes in x86-64 registers.

use super::XOR3;
use super::transpose::{lanes32_128, quads_256, quads_512};
use crate::bytes::affine::{halves, halves_after_sub_bytes};
use crate::bytes::orders::{UNSHIFTED, rotated, spread};
use crate::bytes::{BlocksN, U8xN};
use crate::token::{Avx2Aes, Avx2Gfni, Avx512Gfni, Avx512Vbmi};
use core::arch::asm;
use core::arch::x86_64::*;
use core::convert::identity;

/// Reverses the bits of a byte.
const REVERSED: u64 = 0x8040_2010_0804_0201;

macro_rules! bytes_word {
    (
        $name:ident, token: $token:ident, bytes: $n:literal, register: $reg:ty, about: $about:literal,
        load: $load:ident, store: $store:ident, broadcast: $broadcast:ident, set1_32: $set1_32:ident, xor: $xor:ident,
        and: $and:ident, add32: $add32:ident, shuffle: $shuffle:ident, sll64: $sll64:ident, srl64: $srl64:ident,
        shuffle32: $shuffle32:ident, unpacklo: $unpacklo:ident, unpackhi: $unpackhi:ident,
        transpose4: $transpose4:ident,
        xor3: |$a:ident, $b:ident, $c:ident| $xor3:expr,
        affine: <$m:ident, $k:ident> |$z:ident| $affine:expr,
        inverse_affine: |$w:ident| $inverse:expr
    ) => {
        #[doc = concat!(stringify!($n), " bytes in a register, ", $about)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub(crate) $reg);

        impl $name {
            /// Shuffles the bytes of every block by one `vpshufb` pattern.
            #[inline(always)]
            pub(crate) fn shuffled(self, order: &[u8; 16]) -> Self {
                // SAFETY: `self` proves the features; the array is 16 bytes.
                Self(unsafe { $shuffle(self.0, $broadcast(_mm_loadu_si128(order.as_ptr().cast()))) })
            }
        }

        impl BlocksN<$n> for $name {
            type Token = $token;

            #[inline(always)]
            fn splat_block(_: $token, block: [u8; 16]) -> Self {
                // SAFETY: the token proves the features; the block is 16 bytes.
                Self(unsafe { $broadcast(_mm_loadu_si128(block.as_ptr().cast())) })
            }
            #[inline(always)]
            fn load(_: $token, bytes: &[u8]) -> Self {
                assert!(bytes.len() <= $n && bytes.len() % 16 == 0, "not whole blocks, or more than the word has");
                // SAFETY: the token proves the features; no more is read than the bytes.
                Self(unsafe { $load(bytes) })
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                assert!(bytes.len() <= $n && bytes.len() % 16 == 0, "not whole blocks, or more than the word has");
                // SAFETY: `self` proves the features; no more is written than the bytes.
                unsafe { $store(bytes, self.0) }
            }
            #[inline]
            fn xor(self, b: Self) -> Self {
                // SAFETY: `self` proves the features.
                Self(unsafe { $xor(self.0, b.0) })
            }
            #[inline]
            fn xor3(self, b: Self, c: Self) -> Self {
                let ($a, $b, $c) = (self.0, b.0, c.0);
                // SAFETY: `self` proves the features.
                Self(unsafe { $xor3 })
            }
            #[inline(always)]
            fn counters(token: $token, first: [u8; 16], from: u32) -> Self {
                // The last four bytes of each block as a number.
                const OFFSETS: [u32; 16] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
                const SWAPPED: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12];
                let first = Self::splat_block(token, first).shuffled(&SWAPPED);
                // SAFETY: the token proves the features; the numbers are 64 bytes.
                let offsets = unsafe {
                    let from = $broadcast(_mm_setr_epi32(0, 0, 0, from as i32));
                    $add32($load(&as_bytes(&OFFSETS)[..$n]), from)
                };
                // SAFETY: the token proves the features.
                Self(unsafe { $add32(first.0, offsets) }).shuffled(&SWAPPED)
            }
            #[inline(always)]
            fn mul_x<const K: u32>(self) -> Self {
                // SAFETY: `self` proves the features.
                unsafe {
                    let count = |k| _mm_cvtsi32_si128(k as i32);
                    let over = $shuffle32::<0x4e>($srl64(self.0, count(64 - K)));
                    let reduced = $and(over, $broadcast(_mm_set_epi64x(0, -1)));
                    let by_x = $xor($sll64(reduced, count(1)), $sll64(reduced, count(2)));
                    let sum = Self($sll64(self.0, count(K))).xor3(Self(over), Self(by_x));
                    sum.xor(Self($sll64(reduced, count(7))))
                }
            }
            #[inline(always)]
            fn reverse_bits(self) -> Self {
                self.affine::<REVERSED, 0>()
            }
        }

        impl U8xN<$n> for $name {
            #[inline(always)]
            fn splat_u32(_: $token, bytes: u32) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $set1_32(bytes as i32) })
            }
            #[inline(always)]
            fn counter_column(_: $token, first: u32) -> Self {
                const OFFSETS: [u32; $n / 4] = column_offsets();
                const SWAPPED: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
                // SAFETY: the token proves the features; the numbers are as many as the word has.
                let counters = unsafe { $add32($set1_32(first as i32), $load(as_bytes(&OFFSETS))) };
                Self(counters).shuffled(&SWAPPED)
            }
            #[inline(always)]
            fn affine<const $m: u64, const $k: i32>(self) -> Self {
                let $z = self;
                #[allow(unused_unsafe, reason = "tables need none")]
                // SAFETY: `self` proves the features.
                Self(unsafe { $affine })
            }
            #[inline(always)]
            fn inverse_affine<const $m: u64, const $k: i32>(self) -> Self {
                let $w = self;
                // SAFETY: `self` proves the features.
                Self(unsafe { $inverse })
            }
            #[inline(always)]
            fn rotate_bytes<const K: usize>(self) -> Self {
                self.shuffled(const { &rotated(K) })
            }
            #[inline]
            fn broadcast_bytes<const K: usize>(self) -> Self {
                self.shuffled(const { &spread(K) })
            }
            #[inline(always)]
            fn transpose4([a, b, c, d]: [Self; 4]) -> [Self; 4] {
                // SAFETY: a word proves the features.
                let [a, b, c, d] = unsafe { $transpose4([a.0, b.0, c.0, d.0]) };
                [Self(a), Self(b), Self(c), Self(d)]
            }
            #[inline(always)]
            fn interleave(self, b: Self) -> [Self; 2] {
                // SAFETY: `self` proves the features.
                unsafe { [Self($unpacklo(self.0, b.0)), Self($unpackhi(self.0, b.0))] }
            }
        }
    };
}

/// Number `4 * i + j` is `j * LANES / 4 + i`.
const fn column_offsets<const LANES: usize>() -> [u32; LANES] {
    let mut offsets = [0; LANES];
    let mut i = 0;
    while i < LANES {
        offsets[i] = (i % 4 * (LANES / 4) + i / 4) as u32;
        i += 1;
    }
    offsets
}

/// An integer.
pub(super) trait Number {}
impl Number for u32 {}
impl Number for u64 {}

/// The numbers' bytes in memory order.
#[inline(always)]
pub(super) fn as_bytes<T: Number>(numbers: &[T]) -> &[u8] {
    // SAFETY: every byte of a number is one.
    unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

macro_rules! shuffle {
    ($name:ident, $reg:ty, $class:ident, $feature:literal) => {
        /// `vpshufb`. From the intrinsic, LLVM would make rotations, which AVX-512 runs on port 0 only, or two word
        /// shuffles in place of one byte shuffle.
        ///
        /// # Safety
        /// The CPU has the feature.
        #[inline]
        #[target_feature(enable = $feature)]
        unsafe fn $name(x: $reg, order: $reg) -> $reg {
            let shuffled;
            // SAFETY: as promised; nothing but `shuffled` is written.
            unsafe {
                asm!(
                    "vpshufb {shuffled}, {x}, {order}",
                    shuffled = lateout($class) shuffled,
                    x = in($class) x,
                    order = in($class) order,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            shuffled
        }
    };
}
shuffle!(shuffle_128, __m128i, xmm_reg, "avx2");
shuffle!(shuffle_256, __m256i, ymm_reg, "avx2");
shuffle!(shuffle_512, __m512i, zmm_reg, "avx512bw");

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn load_128(bytes: &[u8]) -> __m128i {
    // SAFETY: as promised; the slice is as long as the load.
    unsafe { if bytes.len() == 16 { _mm_loadu_si128(bytes.as_ptr().cast()) } else { _mm_setzero_si128() } }
}

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn store_128(bytes: &mut [u8], x: __m128i) {
    if bytes.len() == 16 {
        // SAFETY: as promised; the slice is as long as the store.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) }
    }
}

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn load_256(bytes: &[u8]) -> __m256i {
    // SAFETY: as promised; the slice is as long as each load.
    unsafe {
        match bytes.len() {
            32 => _mm256_loadu_si256(bytes.as_ptr().cast()),
            16 => _mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())),
            _ => _mm256_setzero_si256(),
        }
    }
}

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn store_256(bytes: &mut [u8], x: __m256i) {
    // SAFETY: as promised; the slice is as long as each store.
    unsafe {
        match bytes.len() {
            32 => _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x),
            16 => _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm256_castsi256_si128(x)),
            _ => {}
        }
    }
}

/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn load_512(bytes: &[u8]) -> __m512i {
    // A full block is loaded without a mask, because a masked store is not forwarded to a load.
    // SAFETY: as promised; the mask keeps the load within the bytes.
    unsafe {
        if bytes.len() == 64 {
            _mm512_loadu_si512(bytes.as_ptr().cast())
        } else {
            _mm512_maskz_loadu_epi64(((1_u32 << (bytes.len() / 8)) - 1) as __mmask8, bytes.as_ptr().cast())
        }
    }
}

/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn store_512(bytes: &mut [u8], x: __m512i) {
    // SAFETY: as promised; the mask keeps the store within the bytes.
    unsafe {
        if bytes.len() == 64 {
            _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x);
        } else {
            _mm512_mask_storeu_epi64(bytes.as_mut_ptr().cast(), ((1_u32 << (bytes.len() / 8)) - 1) as __mmask8, x);
        }
    }
}

/// AES's `SubBytes`.
///
/// # Safety
/// The CPU has AES-NI.
#[inline(always)]
unsafe fn sub_bytes_128(x: __m128i) -> __m128i {
    // SAFETY: as promised.
    unsafe { _mm_aesenclast_si128(x, _mm_setzero_si128()) }
}

/// AES's `SubBytes`, half by half.
///
/// # Safety
/// The CPU has AVX2 and AES-NI.
#[inline(always)]
pub(super) unsafe fn sub_bytes_256(x: __m256i) -> __m256i {
    // SAFETY: as promised.
    unsafe {
        let low = sub_bytes_128(_mm256_castsi256_si128(x));
        let high = sub_bytes_128(_mm256_extracti128_si256::<1>(x));
        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
    }
}

/// Byte-wise linear maps by two table look-ups, for the words without GFNI.
macro_rules! by_halves {
    (
        $name:ident, broadcast: $broadcast:ident, set1_8: $set1_8:ident, xor: $xor:ident, and: $and:ident,
        shuffle: $shuffle:ident, srl16: $srl16:ident,
    ) => {
        impl $name {
            /// Looks up the low and the high four bits of each byte in a table each, and adds up the results.
            #[inline(always)]
            pub(super) fn by_halves(self, [low, high]: &[[u8; 16]; 2]) -> Self {
                // SAFETY: `self` proves the features; the tables are 16 bytes each.
                Self(unsafe {
                    let four_bits = $set1_8(15);
                    let low_table = $broadcast(_mm_loadu_si128(low.as_ptr().cast()));
                    let high_table = $broadcast(_mm_loadu_si128(high.as_ptr().cast()));
                    let low = $shuffle(low_table, $and(self.0, four_bits));
                    let high = $shuffle(high_table, $and($srl16::<4>(self.0), four_bits));
                    $xor(low, high)
                })
            }
        }
    };
}
by_halves!(
    U8x16Aes, broadcast: identity, set1_8: _mm_set1_epi8, xor: _mm_xor_si128, and: _mm_and_si128,
    shuffle: _mm_shuffle_epi8, srl16: _mm_srli_epi16,
);
by_halves!(
    U8x32Aes, broadcast: _mm256_broadcastsi128_si256, set1_8: _mm256_set1_epi8, xor: _mm256_xor_si256,
    and: _mm256_and_si256, shuffle: _mm256_shuffle_epi8, srl16: _mm256_srli_epi16,
);

/// The words of each width, with the operations that they share.
macro_rules! bytes_128 {
    ($name:ident, $token:ident, $about:literal, $($special:tt)*) => {
        bytes_word!(
            $name, token: $token, bytes: 16, register: __m128i, about: $about,
            load: load_128, store: store_128, broadcast: identity, set1_32: _mm_set1_epi32, xor: _mm_xor_si128,
            and: _mm_and_si128, add32: _mm_add_epi32, shuffle: shuffle_128, sll64: _mm_sll_epi64, srl64: _mm_srl_epi64,
            shuffle32: _mm_shuffle_epi32, unpacklo: _mm_unpacklo_epi8, unpackhi: _mm_unpackhi_epi8,
            transpose4: lanes32_128, $($special)*
        );
    };
}
macro_rules! bytes_256 {
    ($name:ident, $token:ident, $about:literal, $($special:tt)*) => {
        bytes_word!(
            $name, token: $token, bytes: 32, register: __m256i, about: $about,
            load: load_256, store: store_256, broadcast: _mm256_broadcastsi128_si256, set1_32: _mm256_set1_epi32,
            xor: _mm256_xor_si256, and: _mm256_and_si256, add32: _mm256_add_epi32, shuffle: shuffle_256,
            sll64: _mm256_sll_epi64, srl64: _mm256_srl_epi64, shuffle32: _mm256_shuffle_epi32,
            unpacklo: _mm256_unpacklo_epi8, unpackhi: _mm256_unpackhi_epi8, transpose4: quads_256, $($special)*
        );
    };
}

bytes_128!(U8x16Aes, Avx2Aes, "with AES-NI",
    xor3: |a, b, c| _mm_xor_si128(_mm_xor_si128(a, b), c),
    affine: <M, C> |x| x.by_halves(const { &halves(M, C as u8) }).0,
    inverse_affine: |x| Self(sub_bytes_128(x.shuffled(&UNSHIFTED).0))
        .by_halves(const { &halves_after_sub_bytes(M, C as u8) }).0);

bytes_256!(U8x32Aes, Avx2Aes, "with AES-NI",
    xor3: |a, b, c| _mm256_xor_si256(_mm256_xor_si256(a, b), c),
    affine: <M, C> |x| x.by_halves(const { &halves(M, C as u8) }).0,
    inverse_affine: |x| Self(sub_bytes_256(x.shuffled(&UNSHIFTED).0))
        .by_halves(const { &halves_after_sub_bytes(M, C as u8) }).0);

bytes_128!(U8x16Gfni, Avx2Gfni, "with GFNI",
    xor3: |a, b, c| _mm_xor_si128(_mm_xor_si128(a, b), c),
    affine: <M, C> |x| _mm_gf2p8affine_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)),
    inverse_affine: |x| _mm_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)));

bytes_256!(U8x32Gfni, Avx2Gfni, "with GFNI",
    xor3: |a, b, c| _mm256_xor_si256(_mm256_xor_si256(a, b), c),
    affine: <M, C> |x| _mm256_gf2p8affine_epi64_epi8::<C>(x.0, _mm256_set1_epi64x(M as i64)),
    inverse_affine: |x| _mm256_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm256_set1_epi64x(M as i64)));

bytes_128!(U8x16Vl, Avx512Gfni, "with AVX-512VL and GFNI",
    xor3: |a, b, c| _mm_ternarylogic_epi32::<XOR3>(a, b, c),
    affine: <M, C> |x| _mm_gf2p8affine_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)),
    inverse_affine: |x| _mm_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)));

bytes_128!(U8x16Vbmi, Avx512Vbmi, "with AVX-512VL, GFNI and VBMI",
    xor3: |a, b, c| _mm_ternarylogic_epi32::<XOR3>(a, b, c),
    affine: <M, C> |x| _mm_gf2p8affine_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)),
    inverse_affine: |x| _mm_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm_set1_epi64x(M as i64)));

bytes_256!(U8x32Vbmi, Avx512Vbmi, "with AVX-512VL, GFNI and VBMI",
    xor3: |a, b, c| _mm256_ternarylogic_epi32::<XOR3>(a, b, c),
    affine: <M, C> |x| _mm256_gf2p8affine_epi64_epi8::<C>(x.0, _mm256_set1_epi64x(M as i64)),
    inverse_affine: |x| _mm256_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm256_set1_epi64x(M as i64)));

macro_rules! bytes_512 {
    ($name:ident, $token:ident, $about:literal) => {
        bytes_word!(
            $name, token: $token, bytes: 64, register: __m512i, about: $about,
            load: load_512, store: store_512, broadcast: _mm512_broadcast_i32x4, set1_32: _mm512_set1_epi32,
            xor: _mm512_xor_si512, and: _mm512_and_si512, add32: _mm512_add_epi32, shuffle: shuffle_512,
            sll64: _mm512_sll_epi64, srl64: _mm512_srl_epi64, shuffle32: _mm512_shuffle_epi32,
            unpacklo: _mm512_unpacklo_epi8, unpackhi: _mm512_unpackhi_epi8, transpose4: quads_512,
            xor3: |a, b, c| _mm512_ternarylogic_epi32::<XOR3>(a, b, c),
            affine: <M, C> |x| _mm512_gf2p8affine_epi64_epi8::<C>(x.0, _mm512_set1_epi64(M as i64)),
            inverse_affine: |x| _mm512_gf2p8affineinv_epi64_epi8::<C>(x.0, _mm512_set1_epi64(M as i64))
        );
    };
}
bytes_512!(U8x64, Avx512Gfni, "with AVX-512 and GFNI");
bytes_512!(U8x64Vbmi, Avx512Vbmi, "with AVX-512, GFNI and VBMI");
