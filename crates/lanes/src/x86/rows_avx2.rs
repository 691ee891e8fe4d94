//! Table look-ups, and transposition of columns into rows, in registers of AVX2.

use super::bytes::{U8x16Aes, U8x16Gfni, U8x32Aes, U8x32Gfni, U8x32Vbmi, sub_bytes_256};
use crate::bytes::orders::UNSHIFTED;
use crate::bytes::{Inversion, RowsN, SMALL_TABLES, Table};
use crate::token::{Avx2Aes, Avx2Gfni, Avx512Vbmi};
use core::arch::x86_64::*;

/// The methods of [`RowsN`] that are one instruction of words of any length; the token proves AVX2, or AVX-512.
macro_rules! numbers {
    ($token:ident, $splat:ident, $add:ident, $sub:ident) => {
        #[inline(always)]
        fn splat_u64(_: $token, bytes: u64) -> Self {
            // SAFETY: the token proves it.
            Self(unsafe { $splat(bytes as i64) })
        }
        #[inline(always)]
        fn add64(self, b: Self) -> Self {
            // SAFETY: `self` proves it.
            Self(unsafe { $add(self.0, b.0) })
        }
        #[inline(always)]
        fn sub64(self, b: Self) -> Self {
            // SAFETY: `self` proves it.
            Self(unsafe { $sub(self.0, b.0) })
        }
        #[inline(always)]
        fn shuffle(self, order: &'static [u8; 16]) -> Self {
            self.shuffled(order)
        }
    };
}
pub(super) use numbers;

/// Looks up all bytes in one small table, at places below 16.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn small(table: &Table, small: impl Fn(&Table) -> &[u8; 16], places: __m256i) -> __m256i {
    // SAFETY: as promised; a small table is 16 bytes.
    unsafe {
        let small = _mm256_broadcastsi128_si256(_mm_loadu_si128(small(table).as_ptr().cast()));
        _mm256_shuffle_epi8(small, places)
    }
}

/// The inversion of each byte of `$x`, and what exceptions differ by.
macro_rules! with_exceptions {
    ($x:ident, $inversion:expr, $small:ident($tables:ident)) => {{
        let four_bits = _mm256_set1_epi8(15);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>($x), four_bits);
        let mut y: __m256i = $inversion;
        let places = [_mm256_and_si256($x, four_bits), high, _mm256_and_si256(y, four_bits)];
        for i in 0..SMALL_TABLES {
            let exception = $small($tables, |table| &table.exceptions[i], places[i]);
            let difference = $small($tables, |table| &table.differences[i], places[i]);
            y = _mm256_xor_si256(y, _mm256_and_si256(_mm256_cmpeq_epi8(exception, $x), difference));
        }
        y
    }};
}

/// An inversion between two affine maps.
///
/// # Safety
/// The CPU has AVX2 and GFNI.
#[inline(always)]
unsafe fn inversion_256(x: __m256i, inversion: &Inversion) -> __m256i {
    // SAFETY: as promised.
    unsafe {
        let (before, after) = (_mm256_set1_epi64x(inversion.before as i64), _mm256_set1_epi64x(inversion.after as i64));
        let x = _mm256_xor_si256(x, _mm256_set1_epi8(inversion.zero as i8));
        let y = _mm256_gf2p8affineinv_epi64_epi8::<0>(_mm256_gf2p8affine_epi64_epi8::<0>(x, before), after);
        _mm256_xor_si256(y, _mm256_set1_epi8(inversion.plus as i8))
    }
}

macro_rules! rows_256 {
    ($name:ident, $token:ident, inversion: |$x:ident, $table:ident| $inversion:expr) => {
        impl RowsN<32> for $name {
            #[inline(always)]
            fn look_up(self, table: &Table) -> Self {
                let ($x, $table) = (self.0, table);
                // SAFETY: `self` proves AVX2, and what the inversion needs.
                Self(unsafe { with_exceptions!($x, $inversion, small($table)) })
            }
            numbers!($token, _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sub_epi64);
            #[inline(always)]
            fn split_halves(w: [Self; 8]) -> [Self; 8] {
                let [a, e] = w[0].halves(w[4]);
                let [b, f] = w[1].halves(w[5]);
                let [c, g] = w[2].halves(w[6]);
                let [d, h] = w[3].halves(w[7]);
                [a, e, b, f, c, g, d, h]
            }
            #[inline(always)]
            fn join_halves([a, e, b, f, c, g, d, h]: [Self; 8]) -> [Self; 8] {
                let ([a, e], [b, f]) = (a.halves(e), b.halves(f));
                let ([c, g], [d, h]) = (c.halves(g), d.halves(h));
                [a, b, c, d, e, f, g, h]
            }
        }

        impl $name {
            /// The lower halves of both words, and the upper halves.
            #[inline(always)]
            fn halves(self, b: Self) -> [Self; 2] {
                // SAFETY: `self` proves AVX2.
                unsafe {
                    let low = _mm256_permute2x128_si256::<0x20>(self.0, b.0);
                    [Self(low), Self(_mm256_permute2x128_si256::<0x31>(self.0, b.0))]
                }
            }
        }
    };
}
rows_256!(U8x32Aes, Avx2Aes, inversion: |x, table| {
    let [before, after] = &table.around_sub_bytes;
    Self(sub_bytes_256(Self(x).by_halves(before).shuffled(&UNSHIFTED).0)).by_halves(after).0
});
rows_256!(U8x32Gfni, Avx2Gfni, inversion: |x, table| inversion_256(x, &table.inversion));
rows_256!(U8x32Vbmi, Avx512Vbmi, inversion: |x, table| inversion_256(x, &table.inversion));

/// For each byte, which of 16 bytes it takes: every fourth one side by side. The order is its own inverse.
const EVERY_FOURTH: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// For each byte, which of 16 bytes it takes: those of the two halves in turns.
const INTERLEAVED: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];

/// In each of four groups of eight bytes, a number of its table.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn by_group(tables: &[Table; 4], number: impl Fn(&Inversion) -> u64) -> __m256i {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| number(&tables[i].inversion) as i64);
    // SAFETY: as promised.
    unsafe { _mm256_setr_epi64x(a, b, c, d) }
}

/// Looks up each group of eight bytes in its small table, at places below 16.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn small_by_group(tables: &[Table; 4], small: impl Fn(&Table) -> &[u8; 16], places: __m256i) -> __m256i {
    // SAFETY: as promised; a small table is 16 bytes.
    unsafe {
        let table = |i: usize| _mm_loadu_si128(small(&tables[i]).as_ptr().cast());
        let even = _mm256_shuffle_epi8(_mm256_set_m128i(table(2), table(0)), places);
        let odd = _mm256_shuffle_epi8(_mm256_set_m128i(table(3), table(1)), places);
        _mm256_blend_epi32::<0b1100_1100>(even, odd)
    }
}

/// The map before or after `SubBytes` of each group's table.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn halves_by_group(tables: &[Table; 4], side: usize, x: __m256i) -> __m256i {
    // SAFETY: as promised.
    unsafe {
        let four_bits = _mm256_set1_epi8(15);
        let (low, high) = (_mm256_and_si256(x, four_bits), _mm256_and_si256(_mm256_srli_epi16::<4>(x), four_bits));
        let low = small_by_group(tables, |table| &table.around_sub_bytes[side][0], low);
        _mm256_xor_si256(low, small_by_group(tables, |table| &table.around_sub_bytes[side][1], high))
    }
}

macro_rules! in_order_256 {
    ($name:ident, $half:ident, $token:ident, inversion: |$x:ident, $tables:ident| $inversion:expr) => {
        impl $name {
            /// Looks up each byte of group `i` of eight bytes in table `i`.
            #[inline(always)]
            pub fn look_up_by_group(self, tables: &[Table; 4]) -> Self {
                let ($x, $tables) = (self.0, tables);
                // SAFETY: `self` proves AVX2, and what the inversion needs.
                Self(unsafe { with_exceptions!($x, $inversion, small_by_group($tables)) })
            }

            /// Looks up byte `i` in table `i % 4`: those of a table are put side by side.
            #[inline(always)]
            pub fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
                // SAFETY: `self` proves AVX2.
                let grouped = Self(unsafe {
                    let groups = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
                    _mm256_permutevar8x32_epi32(self.shuffled(&EVERY_FOURTH).0, groups)
                });
                let found = grouped.look_up_by_group(tables).0;
                // SAFETY: `self` proves AVX2.
                let halves = unsafe { _mm256_permutevar8x32_epi32(found, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)) };
                Self(halves).shuffled(&EVERY_FOURTH)
            }

            /// Of the eight groups of eight bytes in two words, those from number `K` on, and then the first `K`;
            /// `0 < K < 4`.
            #[inline(always)]
            pub fn rotate_groups<const K: usize>([a, b]: [Self; 2]) -> [Self; 2] {
                // SAFETY: a word proves AVX2.
                let [a, b] = unsafe {
                    match K {
                        1 => {
                            let (c, d) = (_mm256_blend_epi32::<3>(a.0, b.0), _mm256_blend_epi32::<3>(b.0, a.0));
                            [_mm256_permute4x64_epi64::<0x39>(c), _mm256_permute4x64_epi64::<0x39>(d)]
                        }
                        2 => [_mm256_permute2x128_si256::<0x21>(a.0, b.0), _mm256_permute2x128_si256::<0x21>(b.0, a.0)],
                        _ => {
                            let (c, d) = (_mm256_blend_epi32::<0x3f>(a.0, b.0), _mm256_blend_epi32::<0x3f>(b.0, a.0));
                            [_mm256_permute4x64_epi64::<0x93>(c), _mm256_permute4x64_epi64::<0x93>(d)]
                        }
                    }
                };
                [Self(a), Self(b)]
            }

            /// Byte `i` of group `j` becomes byte `j` of group `i`, of the eight groups of eight bytes in two words.
            #[inline(always)]
            pub fn transpose_groups([a, b]: [Self; 2]) -> [Self; 2] {
                let (a, b) = (a.shuffled(&INTERLEAVED).0, b.shuffled(&INTERLEAVED).0);
                // SAFETY: a word proves AVX2.
                let [a, b] = unsafe {
                    let low = _mm256_permute2x128_si256::<0x20>(a, b);
                    let high = _mm256_permute2x128_si256::<0x31>(a, b);
                    let groups = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
                    [_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high)]
                        .map(|word| _mm256_permutevar8x32_epi32(word, groups))
                };
                [Self(a), Self(b)]
            }

            /// Permutes the bytes: byte `i` takes byte `order[i]`, which must be below 32. The rest of the order is not
            /// used.
            #[inline(always)]
            pub fn permute(self, order: &'static [u8; 64]) -> Self {
                // SAFETY: `self` proves AVX2; the array is longer than 32 bytes.
                Self(unsafe {
                    let own = _mm256_setr_epi64x(0, 0, 0x1010_1010_1010_1010, 0x1010_1010_1010_1010);
                    let order = _mm256_xor_si256(_mm256_loadu_si256(order.as_ptr().cast()), own);
                    // Places from 16 on are in the other half. 0x70 more makes them negative, for which a shuffle is 0.
                    let (negative, other) = (_mm256_set1_epi8(0x70), _mm256_set1_epi8(0x10));
                    let here = _mm256_shuffle_epi8(self.0, _mm256_add_epi8(order, negative));
                    let there = _mm256_add_epi8(_mm256_xor_si256(order, other), negative);
                    let swapped = _mm256_permute4x64_epi64::<0x4e>(self.0);
                    _mm256_or_si256(here, _mm256_shuffle_epi8(swapped, there))
                })
            }
        }

        impl $half {
            /// This word, and zeros after it.
            #[inline(always)]
            fn with_zeros(self) -> $name {
                // SAFETY: `self` proves AVX2.
                $name(unsafe { _mm256_zextsi128_si256(self.0) })
            }

            /// The first half of a word.
            #[inline(always)]
            fn first(word: $name) -> Self {
                // SAFETY: a word proves AVX2.
                Self(unsafe { _mm256_castsi256_si128(word.0) })
            }

            /// Looks up byte `i` in table `i % 4`.
            #[inline(always)]
            pub fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
                Self::first(self.with_zeros().look_up_by_4(tables))
            }
        }

        impl RowsN<16> for $half {
            #[inline(always)]
            fn look_up(self, table: &Table) -> Self {
                Self::first(self.with_zeros().look_up(table))
            }
            numbers!($token, _mm_set1_epi64x, _mm_add_epi64, _mm_sub_epi64);
        }
    };
}
in_order_256!(U8x32Aes, U8x16Aes, Avx2Aes, inversion: |x, tables| {
    let sub_bytes = sub_bytes_256(Self(halves_by_group(tables, 0, x)).shuffled(&UNSHIFTED).0);
    halves_by_group(tables, 1, sub_bytes)
});
in_order_256!(U8x32Gfni, U8x16Gfni, Avx2Gfni, inversion: |x, tables| {
    const EVERYWHERE: u64 = 0x0101_0101_0101_0101;
    let x = _mm256_xor_si256(x, by_group(tables, |inversion| u64::from(inversion.zero) * EVERYWHERE));
    let x = _mm256_gf2p8affine_epi64_epi8::<0>(x, by_group(tables, |inversion| inversion.before));
    let y = _mm256_gf2p8affineinv_epi64_epi8::<0>(x, by_group(tables, |inversion| inversion.after));
    _mm256_xor_si256(y, by_group(tables, |inversion| u64::from(inversion.plus) * EVERYWHERE))
});
