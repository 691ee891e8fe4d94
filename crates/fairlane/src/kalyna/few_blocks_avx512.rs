//! Rounds of few blocks, whose bytes keep the order of memory: 64 bytes in a word of AVX-512 with VBMI.

use super::constants::{INVERSE_TABLES, MIX, TABLES, UNMIX, shift, times};
use fairlane_lanes::{Avx512Vbmi, RowsN, Table, U8x64Vbmi};

/// 64 bytes that any order may permute; [`U8x64Vbmi`] has these operations.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Columns8: RowsN<64> {
    /// Byte `i` takes byte `order[i]`, which must be below 64.
    fn permute(self, order: &'static [u8; 64]) -> Self;
    /// Byte `i` takes byte `order[i]` of `self` followed by `b`.
    fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self;
    /// Repeats 2, 4 or 8 columns over the whole word.
    fn repeat(token: Self::Token, columns: &[[u8; 8]]) -> Self;
    /// The same with columns as numbers.
    fn repeat_numbers(token: Self::Token, numbers: &[u64]) -> Self;
    /// Looks up byte `i` in table `i % 4`.
    fn look_up_by_4(self, tables: &[Table; 4]) -> Self;
}

impl Columns8 for U8x64Vbmi {
    #[inline(always)]
    fn permute(self, order: &'static [u8; 64]) -> Self {
        self.permute(order)
    }
    #[inline(always)]
    fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self {
        self.permute_with(b, order)
    }
    #[inline(always)]
    fn repeat(token: Avx512Vbmi, columns: &[[u8; 8]]) -> Self {
        Self::repeat(token, columns)
    }
    #[inline(always)]
    fn repeat_numbers(token: Avx512Vbmi, numbers: &[u64]) -> Self {
        Self::repeat_numbers(token, numbers)
    }
    #[inline(always)]
    fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
        self.look_up_by_4(tables)
    }
}

/// Orders of a word's bytes for states of `C` columns.
struct Orders<const C: usize>;

impl<const C: usize> Orders<C> {
    const SHIFT_ROWS: [u8; 64] = Self::shifted(false);
    const UNSHIFT_ROWS: [u8; 64] = Self::shifted(true);

    const fn shifted(back: bool) -> [u8; 64] {
        let (mut order, mut i) = ([0; 64], 0);
        while i < 64 {
            let (row, column) = (i % 8, i / 8);
            let by = if back { C - shift(row, C) } else { shift(row, C) };
            order[i] = (8 * (column / C * C + (column % C + C - by) % C) + row) as u8;
            i += 1;
        }
        order
    }
}

/// Rotates every column: byte `i` takes byte `(i + by) % 8`.
const fn rotated(by: usize) -> [u8; 16] {
    let (mut order, mut i) = ([0; 16], 0);
    while i < 16 {
        order[i] = (i / 8 * 8 + (i + by) % 8) as u8;
        i += 1;
    }
    order
}

static ROTATED: [[u8; 16]; 8] =
    [rotated(0), rotated(1), rotated(2), rotated(3), rotated(4), rotated(5), rotated(6), rotated(7)];

/// Byte `(i + K) % 8` of each column times a constant.
macro_rules! part {
    ($s:ident, $matrix:ident, $k:literal) => {
        $s.affine::<{ times($matrix[$k]) }, 0>().shuffle(&ROTATED[$k])
    };
}

/// `SubBytes`, `ShiftRows`, `MixColumns` and the addition of `key`.
#[inline(always)]
pub(super) fn round<W: Columns8, const C: usize>(x: W, key: W) -> W {
    let s = x.permute(const { &Orders::<C>::SHIFT_ROWS }).look_up_by_4(&TABLES);
    let first = s.xor3(s.shuffle(&ROTATED[1]), s.shuffle(&ROTATED[3]));
    let second = key.xor3(part!(s, MIX, 2), part!(s, MIX, 4));
    first.xor3(part!(s, MIX, 5), part!(s, MIX, 6)).xor3(part!(s, MIX, 7), second)
}

/// The inverses of `MixColumns`, `ShiftRows` and `SubBytes`, and the addition of `key`.
#[inline(always)]
pub(super) fn inverse_round<W: Columns8, const C: usize>(x: W, key: W) -> W {
    let first = part!(x, UNMIX, 0).xor3(part!(x, UNMIX, 1), part!(x, UNMIX, 2));
    let second = part!(x, UNMIX, 3).xor3(part!(x, UNMIX, 4), part!(x, UNMIX, 5));
    let s = first.xor3(part!(x, UNMIX, 6), part!(x, UNMIX, 7)).xor(second);
    s.permute(const { &Orders::<C>::UNSHIFT_ROWS }).look_up_by_4(&INVERSE_TABLES).xor(key)
}
