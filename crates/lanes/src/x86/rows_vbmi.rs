//! Table look-ups, and transposition of columns into rows, in registers of AVX-512 with VBMI.

use super::SELECT;
use super::bytes::{U8x16Vbmi, U8x32Vbmi, U8x64Vbmi, as_bytes};
use super::rows_avx2::numbers;
use super::transpose::lanes64_512;
use crate::bytes::{RowsN, Table};
use crate::token::Avx512Vbmi;
use core::arch::asm;
use core::arch::x86_64::*;
use core::convert::identity;

/// Quarter `i` of a table.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn quarter(table: &Table, i: usize) -> __m512i {
    let (quarters, _) = table.entries.as_chunks::<64>();
    // SAFETY: as promised; a quarter is 64 bytes.
    unsafe { _mm512_loadu_si512(quarters[i].as_ptr().cast()) }
}

/// Byte `8 * i + j` is byte `8 * j + i`.
static SQUARE: [u8; 64] = {
    let (mut order, mut i) = ([0; 64], 0);
    while i < 64 {
        order[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    order
};

impl U8x64Vbmi {
    /// Permutes the bytes: byte `i` takes byte `order[i]`, which must be below 64.
    #[inline(always)]
    pub fn permute(self, order: &'static [u8; 64]) -> Self {
        // SAFETY: `self` proves VBMI; the array is 64 bytes.
        Self(unsafe { _mm512_permutexvar_epi8(_mm512_loadu_si512(order.as_ptr().cast()), self.0) })
    }

    /// Permutes the bytes of two words: byte `i` takes byte `order[i]` of `self` followed by `b`; each must be below
    /// 128.
    #[inline(always)]
    pub fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self {
        // SAFETY: `self` proves VBMI; the array is 64 bytes.
        Self(unsafe { _mm512_permutex2var_epi8(self.0, _mm512_loadu_si512(order.as_ptr().cast()), b.0) })
    }

    /// Repeats 2, 4 or 8 numbers over the whole word, each a column of eight bytes.
    ///
    /// # Panics
    /// If there are not 2, 4 or 8 of them.
    #[inline(always)]
    pub fn repeat_numbers(token: Avx512Vbmi, numbers: &[u64]) -> Self {
        let (columns, _) = as_bytes(numbers).as_chunks();
        Self::repeat(token, columns)
    }

    /// Repeats 2, 4 or 8 columns over the whole word.
    ///
    /// # Panics
    /// If there are not 2, 4 or 8 of them.
    #[inline(always)]
    pub fn repeat(_: Avx512Vbmi, columns: &[[u8; 8]]) -> Self {
        let columns = columns.as_flattened();
        // SAFETY: the token proves AVX-512; no load is longer than the columns.
        Self(unsafe {
            match columns.len() {
                16 => _mm512_broadcast_i32x4(_mm_loadu_si128(columns.as_ptr().cast())),
                32 => _mm512_broadcast_i64x4(_mm256_loadu_si256(columns.as_ptr().cast())),
                64 => _mm512_loadu_si512(columns.as_ptr().cast()),
                _ => panic!("2, 4 or 8 columns"),
            }
        })
    }
}

macro_rules! look_up_by_4 {
    ($name:ident, $wide:ident, $narrow:ident, $set1:ident, $choice:ident, $mask:ident, $blend:ident) => {
        impl $name {
            /// Looks up byte `i` in table `i % 4`.
            ///
            /// Permutations of one register, twice as many and in masked chains, took 28 cycles alone where these take
            /// 14 (Zen 4), and 34 to 39 a round where these take 30 (llvm-mca for Ice Lake).
            ///
            /// The tables are read from memory each time: sixteen registers would be filled before each call of few
            /// rounds.
            #[inline(always)]
            pub fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
                let mut tables = tables.as_ptr();
                // Hides the address from LLVM, which would fill the registers.
                // SAFETY: the assembly does nothing.
                unsafe { asm!("/* {0} */", inout(reg) tables, options(readonly, nostack, preserves_flags)) };
                // SAFETY: the address is still that of four tables; `self` proves VBMI.
                Self(unsafe {
                    let half = |table: usize, half: usize| {
                        let table = &*tables.add(table);
                        let (low, high) = (quarter(table, 2 * half), quarter(table, 2 * half + 1));
                        $narrow(_mm512_permutex2var_epi8(low, $wide(self.0), high))
                    };
                    let mut found = [half(0, 0), half(0, 1)];
                    for i in 1..4 {
                        // Not a mask register: moves to those take the port of permutations.
                        let every_4 = $set1(0xff << (8 * i));
                        found[0] = $choice::<SELECT>(every_4, half(i, 0), found[0]);
                        found[1] = $choice::<SELECT>(every_4, half(i, 1), found[1]);
                    }
                    $blend($mask(self.0), found[0], found[1])
                })
            }
        }
    };
}
look_up_by_4!(
    U8x16Vbmi,
    _mm512_castsi128_si512,
    _mm512_castsi512_si128,
    _mm_set1_epi32,
    _mm_ternarylogic_epi32,
    _mm_movepi8_mask,
    _mm_mask_blend_epi8
);
look_up_by_4!(
    U8x32Vbmi,
    _mm512_castsi256_si512,
    _mm512_castsi512_si256,
    _mm256_set1_epi32,
    _mm256_ternarylogic_epi32,
    _mm256_movepi8_mask,
    _mm256_mask_blend_epi8
);
look_up_by_4!(
    U8x64Vbmi,
    identity,
    identity,
    _mm512_set1_epi32,
    _mm512_ternarylogic_epi32,
    _mm512_movepi8_mask,
    _mm512_mask_blend_epi8
);

impl U8x32Vbmi {
    /// Permutes the bytes: byte `i` takes byte `order[i]`, which must be below 32. The rest of the order is not used.
    #[inline(always)]
    pub fn permute(self, order: &'static [u8; 64]) -> Self {
        let mut order = order.as_ptr();
        // Hides the order from LLVM, which would make two or three operations of some permutations.
        // SAFETY: the assembly does nothing.
        unsafe { asm!("/* {0} */", inout(reg) order, options(pure, readonly, nostack, preserves_flags)) };
        // SAFETY: `self` proves VBMI; the array is longer than 32 bytes.
        Self(unsafe { _mm256_permutexvar_epi8(_mm256_loadu_si256(order.cast()), self.0) })
    }
}

impl RowsN<16> for U8x16Vbmi {
    #[inline(always)]
    fn look_up(self, table: &Table) -> Self {
        // SAFETY: `self` proves VBMI.
        unsafe { Self(_mm512_castsi512_si128(U8x64Vbmi(_mm512_castsi128_si512(self.0)).look_up(table).0)) }
    }
    numbers!(Avx512Vbmi, _mm_set1_epi64x, _mm_add_epi64, _mm_sub_epi64);
}

impl RowsN<64> for U8x64Vbmi {
    #[inline(always)]
    fn look_up(self, table: &Table) -> Self {
        // One permutation from 64 bytes is an operation; one from 128 is three, and took 8 % longer.
        // SAFETY: `self` proves VBMI.
        Self(unsafe {
            let bit6 = _mm512_movepi8_mask(_mm512_add_epi8(self.0, self.0));
            let low = _mm512_permutexvar_epi8(self.0, quarter(table, 0));
            let low = _mm512_mask_permutexvar_epi8(low, bit6, self.0, quarter(table, 1));
            let high = _mm512_permutexvar_epi8(self.0, quarter(table, 2));
            let high = _mm512_mask_permutexvar_epi8(high, bit6, self.0, quarter(table, 3));
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(self.0), low, high)
        })
    }
    numbers!(Avx512Vbmi, _mm512_set1_epi64, _mm512_add_epi64, _mm512_sub_epi64);
    #[inline(always)]
    fn rows_from_columns(columns: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = columns;
        // SAFETY: a word proves AVX-512.
        let [a, b, c, d, e, f, g, h] = unsafe {
            lanes64_512([
                a.permute(&SQUARE).0,
                b.permute(&SQUARE).0,
                c.permute(&SQUARE).0,
                d.permute(&SQUARE).0,
                e.permute(&SQUARE).0,
                f.permute(&SQUARE).0,
                g.permute(&SQUARE).0,
                h.permute(&SQUARE).0,
            ])
        };
        [Self(a), Self(b), Self(c), Self(d), Self(e), Self(f), Self(g), Self(h)]
    }
    #[inline(always)]
    fn columns_from_rows([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        // SAFETY: a word proves AVX-512.
        let [a, b, c, d, e, f, g, h] = unsafe { lanes64_512([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]) };
        [
            Self(a).permute(&SQUARE),
            Self(b).permute(&SQUARE),
            Self(c).permute(&SQUARE),
            Self(d).permute(&SQUARE),
            Self(e).permute(&SQUARE),
            Self(f).permute(&SQUARE),
            Self(g).permute(&SQUARE),
            Self(h).permute(&SQUARE),
        ]
    }
    #[inline(always)]
    fn transpose_columns(token: Avx512Vbmi, columns: &[[u8; 8]]) -> [u64; 8] {
        let mut squared = [0; 8];
        // SAFETY: the token proves AVX-512; the numbers are 64 bytes.
        unsafe { _mm512_storeu_si512(squared.as_mut_ptr().cast(), Self::repeat(token, columns).permute(&SQUARE).0) }
        squared
    }
}
