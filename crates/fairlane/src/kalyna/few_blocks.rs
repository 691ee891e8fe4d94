//! Rounds of few blocks, whose bytes keep the order of memory: one block of 16 or 32 bytes, or 64 bytes in a word of
//! AVX-512 with VBMI.

use super::constants::{INVERSE_TABLES, MIX, TABLES, UNMIX, shift, times};
use fairlane_lanes::{
    Avx2Aes, Avx2Gfni, Avx512Vbmi, BlocksN, RowsN, Table, U8x16Aes, U8x16Gfni, U8x16Vbmi, U8x32Aes, U8x32Gfni,
    U8x32Vbmi, U8x64Vbmi,
};

/// Bytes in the order of memory.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait InOrder<const N: usize>: RowsN<N> {
    /// Byte `i` takes byte `order[i]`, which must be below `N`.
    fn permute(self, order: &'static [u8; 64]) -> Self;
    /// Repeats 2, 4 or 8 columns over the whole word.
    fn repeat(token: Self::Token, columns: &[[u8; 8]]) -> Self;
    /// Looks up byte `i` in table `i % 4`.
    fn look_up_by_4(self, tables: &[Table; 4]) -> Self;
}

/// 64 bytes that any order may permute; [`U8x64Vbmi`] has these operations.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Columns8: InOrder<64> {
    /// Byte `i` takes byte `order[i]` of `self` followed by `b`.
    fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self;
    /// Repeats 2, 4 or 8 numbers over the whole word, each a column.
    fn repeat_numbers(token: Self::Token, numbers: &[u64]) -> Self;
}

macro_rules! in_order {
    (
        $name:ident: $n:literal bytes, $token:ident,
        |$x:ident, $order:ident| $permuted:expr, |$proof:ident, $columns:ident| $repeated:expr
    ) => {
        impl InOrder<$n> for $name {
            #[inline(always)]
            fn permute(self, $order: &'static [u8; 64]) -> Self {
                let $x = self;
                $permuted
            }
            #[inline(always)]
            fn repeat($proof: $token, $columns: &[[u8; 8]]) -> Self {
                $repeated
            }
            #[inline(always)]
            fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
                self.look_up_by_4(tables)
            }
        }
    };
    // One block of two columns, whose bytes are shuffled.
    ($name:ident: 16 bytes, $token:ident) => {
        in_order!($name: 16 bytes, $token, |_x, _order| unreachable!("two columns are shuffled"), |token, columns| {
            Self::load(token, columns.as_flattened())
        });
    };
    // One block of four columns.
    ($name:ident: 32 bytes, $token:ident) => {
        in_order!($name: 32 bytes, $token, |x, order| x.permute(order), |token, columns| {
            Self::load(token, columns.as_flattened())
        });
    };
}
in_order!(U8x16Aes: 16 bytes, Avx2Aes);
in_order!(U8x16Gfni: 16 bytes, Avx2Gfni);
in_order!(U8x16Vbmi: 16 bytes, Avx512Vbmi);
in_order!(U8x32Aes: 32 bytes, Avx2Aes);
in_order!(U8x32Gfni: 32 bytes, Avx2Gfni);
in_order!(U8x32Vbmi: 32 bytes, Avx512Vbmi);
in_order!(U8x64Vbmi: 64 bytes, Avx512Vbmi, |x, order| x.permute(order), |token, columns| Self::repeat(token, columns));

impl Columns8 for U8x64Vbmi {
    #[inline(always)]
    fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self {
        self.permute_with(b, order)
    }
    #[inline(always)]
    fn repeat_numbers(token: Avx512Vbmi, numbers: &[u64]) -> Self {
        Self::repeat_numbers(token, numbers)
    }
}

/// Orders of a word's bytes for states of `C` columns.
struct Orders<const C: usize>;

impl<const C: usize> Orders<C> {
    /// `ShiftRows`, and then each byte takes byte `(i + k) % 8` of its column.
    const SHIFTED: [[u8; 64]; 8] = Self::orders(false);
    /// The same rotations of columns, and then the inverse of `ShiftRows`.
    const UNSHIFTED: [[u8; 64]; 8] = Self::orders(true);

    const fn orders(back: bool) -> [[u8; 64]; 8] {
        let (mut orders, mut i) = ([[0; 64]; 8], 0);
        while i < 8 * 64 {
            let (k, row, column) = (i / 64, i % 8, i % 64 / 8);
            let from = (row + k) % 8;
            let by = if back { C - shift(row, C) } else { shift(from, C) };
            orders[k][i % 64] = (8 * (column / C * C + (column % C + C - by) % C) + from) as u8;
            i += 1;
        }
        orders
    }

    /// The orders within blocks of two columns.
    const SHIFTED_16: [[u8; 16]; 8] = Self::firsts(&Self::SHIFTED);
    const UNSHIFTED_16: [[u8; 16]; 8] = Self::firsts(&Self::UNSHIFTED);

    const fn firsts(orders: &[[u8; 64]; 8]) -> [[u8; 16]; 8] {
        let (mut firsts, mut i) = ([[0; 16]; 8], 0);
        while i < 8 * 16 {
            // What blocks of more columns take is not used.
            firsts[i / 16][i % 16] = orders[i / 16][i % 16] % 16;
            i += 1;
        }
        firsts
    }
}

/// A shuffle within 16 bytes takes a cycle, and one of the whole word three.
macro_rules! moved {
    ($s:expr, $orders:ident, $orders_16:ident, $k:literal) => {
        if C == 2 {
            $s.shuffle(const { &Orders::<C>::$orders_16[$k] })
        } else {
            $s.permute(const { &Orders::<C>::$orders[$k] })
        }
    };
}

/// `SubBytes`, `ShiftRows`, `MixColumns` and the addition of `key`.
///
/// One block waits for a chain of operations, so `ShiftRows` is part of the shuffles of `MixColumns`. Byte 2 is taken
/// 4 + 1 times, which leaves four products; the one that begins last is of shuffled bytes, and needs no more shuffle.
#[inline(always)]
pub(super) fn round<W: InOrder<N>, const N: usize, const C: usize>(x: W, key: W) -> W {
    let s = x.look_up_by_4(&TABLES);
    macro_rules! part {
        ($k:literal) => {
            moved!(s, SHIFTED, SHIFTED_16, $k)
        };
        ($k:literal times) => {
            moved!(s.affine::<{ times(MIX[$k]) }, 0>(), SHIFTED, SHIFTED_16, $k)
        };
    }
    const { assert!(MIX[0] == 1 && MIX[1] == 1 && MIX[3] == 1 && MIX[2] ^ 1 == MIX[7]) };
    let (second, eighth) = (part!(2), part!(7));
    let sum = second.xor(eighth).affine::<{ times(MIX[7]) }, 0>();
    let rest = part!(0).xor3(part!(1), part!(3)).xor3(second, key);
    rest.xor3(part!(4 times), part!(5 times)).xor3(part!(6 times), sum)
}

/// The inverses of `MixColumns`, `ShiftRows` and `SubBytes`, and the addition of `key`.
#[inline(always)]
pub(super) fn inverse_round<W: InOrder<N>, const N: usize, const C: usize>(x: W, key: W) -> W {
    macro_rules! part {
        ($k:literal) => {
            moved!(x.affine::<{ times(UNMIX[$k]) }, 0>(), UNSHIFTED, UNSHIFTED_16, $k)
        };
    }
    let first = part!(0).xor3(part!(1), part!(2));
    let second = part!(3).xor3(part!(4), part!(5));
    first.xor3(second, part!(6)).xor(part!(7)).look_up_by_4(&INVERSE_TABLES).xor(key)
}
