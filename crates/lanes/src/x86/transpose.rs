//! Transposition of squares of lanes in x86-64 registers: lane `j` of word `i` becomes lane `i` of word `j`.

use core::arch::x86_64::*;

macro_rules! quads {
    (
        $name:ident, register: $reg:ty, feature: $feature:literal, unpacklo32: $unpacklo32:ident,
        unpackhi32: $unpackhi32:ident, unpacklo64: $unpacklo64:ident, unpackhi64: $unpackhi64:ident,
    ) => {
        /// 4 x 4 lanes of 32 bits, in every 128 bits of four registers: 8 shuffles.
        ///
        /// # Safety
        #[doc = concat!("The CPU has ", $feature, ".")]
        #[inline(always)]
        pub(crate) unsafe fn $name([a, b, c, d]: [$reg; 4]) -> [$reg; 4] {
            // SAFETY: as promised.
            unsafe {
                let low_ab = $unpacklo32(a, b);
                let high_ab = $unpackhi32(a, b);
                let low_cd = $unpacklo32(c, d);
                let high_cd = $unpackhi32(c, d);
                [
                    $unpacklo64(low_ab, low_cd),
                    $unpackhi64(low_ab, low_cd),
                    $unpacklo64(high_ab, high_cd),
                    $unpackhi64(high_ab, high_cd),
                ]
            }
        }
    };
}

quads!(
    lanes32_128, register: __m128i, feature: "AVX2", unpacklo32: _mm_unpacklo_epi32, unpackhi32: _mm_unpackhi_epi32,
    unpacklo64: _mm_unpacklo_epi64, unpackhi64: _mm_unpackhi_epi64,
);
quads!(
    quads_256, register: __m256i, feature: "AVX2", unpacklo32: _mm256_unpacklo_epi32,
    unpackhi32: _mm256_unpackhi_epi32, unpacklo64: _mm256_unpacklo_epi64, unpackhi64: _mm256_unpackhi_epi64,
);
quads!(
    quads_512, register: __m512i, feature: "AVX-512F", unpacklo32: _mm512_unpacklo_epi32,
    unpackhi32: _mm512_unpackhi_epi32, unpacklo64: _mm512_unpacklo_epi64, unpackhi64: _mm512_unpackhi_epi64,
);

/// 4 x 4 quarters of 128 bits: 8 shuffles.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(crate) unsafe fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: as promised.
    unsafe {
        let ab02 = _mm512_shuffle_i32x4::<0x88>(a, b);
        let ab13 = _mm512_shuffle_i32x4::<0xdd>(a, b);
        let cd02 = _mm512_shuffle_i32x4::<0x88>(c, d);
        let cd13 = _mm512_shuffle_i32x4::<0xdd>(c, d);
        [
            _mm512_shuffle_i32x4::<0x88>(ab02, cd02),
            _mm512_shuffle_i32x4::<0x88>(ab13, cd13),
            _mm512_shuffle_i32x4::<0xdd>(ab02, cd02),
            _mm512_shuffle_i32x4::<0xdd>(ab13, cd13),
        ]
    }
}

/// The low halves of 128 bits of four registers, then the high halves.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(crate) unsafe fn halves([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as promised.
    unsafe {
        [
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x20>(c, d),
            _mm256_permute2x128_si256::<0x31>(a, b),
            _mm256_permute2x128_si256::<0x31>(c, d),
        ]
    }
}

/// Registers of one row each, unchanged.
///
/// # Safety
/// It is always safe; it is `unsafe` because macros call it like the others.
#[inline(always)]
pub(crate) unsafe fn rows(r: [__m128i; 4]) -> [__m128i; 4] {
    r
}

/// 16 x 16 lanes of 32 bits: 64 shuffles.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(crate) unsafe fn lanes32_512(r: [__m512i; 16]) -> [__m512i; 16] {
    let mut out = r;
    // SAFETY: as promised.
    unsafe {
        let a = quads_512([r[0], r[1], r[2], r[3]]);
        let b = quads_512([r[4], r[5], r[6], r[7]]);
        let c = quads_512([r[8], r[9], r[10], r[11]]);
        let d = quads_512([r[12], r[13], r[14], r[15]]);
        for j in 0..4 {
            [out[j], out[4 + j], out[8 + j], out[12 + j]] = quarters([a[j], b[j], c[j], d[j]]);
        }
    }
    out
}

/// 8 x 8 lanes of 64 bits: 24 shuffles.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(crate) unsafe fn lanes64_512(r: [__m512i; 8]) -> [__m512i; 8] {
    let (mut even, mut odd) = ([r[0]; 4], [r[0]; 4]);
    // SAFETY: as promised.
    let ([a, c, e, g], [b, d, f, h]) = unsafe {
        for i in 0..4 {
            even[i] = _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1]);
            odd[i] = _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1]);
        }
        (quarters(even), quarters(odd))
    };
    [a, b, c, d, e, f, g, h]
}

/// 8 x 2 lanes of 64 bits, the numbers `first` and `first + 1` of each row: 8 loads, 6 of which go into quarters of
/// registers and need either vector port, and 2 shuffles.
///
/// # Panics
/// If a row is shorter.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(crate) unsafe fn two_of_each_row_512(rows: &[&[[u8; 8]]; 8], first: usize) -> [__m512i; 2] {
    macro_rules! quarter {
        ($row:literal) => {
            _mm_loadu_si128(rows[$row][first..first + 2].as_ptr().cast())
        };
    }
    // SAFETY: as promised; the loads are of two numbers and need no alignment.
    unsafe {
        let even = _mm512_castsi128_si512(quarter!(0));
        let odd = _mm512_castsi128_si512(quarter!(1));
        let even = _mm512_inserti32x4::<1>(even, quarter!(2));
        let odd = _mm512_inserti32x4::<1>(odd, quarter!(3));
        let even = _mm512_inserti32x4::<2>(even, quarter!(4));
        let odd = _mm512_inserti32x4::<2>(odd, quarter!(5));
        let even = _mm512_inserti32x4::<3>(even, quarter!(6));
        let odd = _mm512_inserti32x4::<3>(odd, quarter!(7));
        [_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd)]
    }
}

/// 4 x 8 lanes of 64 bits, as eight rows of four: 8 shuffles.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(crate) unsafe fn rows_of_four_lanes64([a, b, c, d]: [__m512i; 4]) -> [__m256i; 8] {
    // SAFETY: as promised.
    unsafe {
        // Rows 0, 2, 4, 6 and rows 1, 3, 5, 7: their first and their last two lanes.
        let (even_ab, odd_ab) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
        let (even_cd, odd_cd) = (_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
        let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        let [r0, r2] = halves_512(_mm512_permutex2var_epi64(even_ab, first, even_cd));
        let [r1, r3] = halves_512(_mm512_permutex2var_epi64(odd_ab, first, odd_cd));
        let [r4, r6] = halves_512(_mm512_permutex2var_epi64(even_ab, second, even_cd));
        let [r5, r7] = halves_512(_mm512_permutex2var_epi64(odd_ab, second, odd_cd));
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }
}

/// The halves of a register.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn halves_512(a: __m512i) -> [__m256i; 2] {
    // SAFETY: as promised.
    unsafe { [_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a)] }
}

/// 8 x 8 lanes of 32 bits: 24 shuffles.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(crate) unsafe fn lanes32_256(r: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: as promised.
    unsafe {
        let a = quads_256([r[0], r[1], r[2], r[3]]);
        let b = quads_256([r[4], r[5], r[6], r[7]]);
        let [r0, r1, r4, r5] = halves([a[0], b[0], a[1], b[1]]);
        let [r2, r3, r6, r7] = halves([a[2], b[2], a[3], b[3]]);
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }
}

/// 4 x 4 lanes of 64 bits: 8 shuffles.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(crate) unsafe fn lanes64_256(r: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as promised.
    unsafe {
        let even01 = _mm256_unpacklo_epi64(r[0], r[1]);
        let odd01 = _mm256_unpackhi_epi64(r[0], r[1]);
        let even23 = _mm256_unpacklo_epi64(r[2], r[3]);
        let odd23 = _mm256_unpackhi_epi64(r[2], r[3]);
        halves([even01, even23, odd01, odd23])
    }
}

/// One lane, unchanged.
///
/// # Safety
/// It is always safe; it is `unsafe` because macros call it like the others.
#[inline(always)]
pub(crate) unsafe fn lanes64_64(r: [__m128i; 1]) -> [__m128i; 1] {
    r
}
