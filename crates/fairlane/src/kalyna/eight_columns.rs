//! Rounds of eight columns in two words of 32 bytes, where their eight rows of eight bytes lie one after the other.

use super::constants::{INVERSE_TABLES, MIX, TABLES, UNMIX, shift, times};
use super::few_blocks::InOrder;
use super::state::State;
use fairlane_lanes::{Table, U8x32Aes, U8x32Gfni};

/// Words whose groups of eight bytes are rows.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait RowGroups: InOrder<32> {
    /// Looks up each byte of group `i` in table `i`.
    fn look_up_by_group(self, tables: &[Table; 4]) -> Self;
    /// Of the eight groups in two words, those from number `K` on, and then the first `K`; `0 < K < 4`.
    fn rotate_groups<const K: usize>(words: [Self; 2]) -> [Self; 2];
    /// Byte `i` of group `j` becomes byte `j` of group `i`, of the eight groups in two words: columns become rows, and
    /// rows columns.
    fn transpose_groups(words: [Self; 2]) -> [Self; 2];
}

macro_rules! row_groups {
    ($($name:ident)*) => {$(
        impl RowGroups for $name {
            #[inline(always)]
            fn look_up_by_group(self, tables: &[Table; 4]) -> Self {
                self.look_up_by_group(tables)
            }
            #[inline(always)]
            fn rotate_groups<const K: usize>(words: [Self; 2]) -> [Self; 2] {
                Self::rotate_groups::<K>(words)
            }
            #[inline(always)]
            fn transpose_groups(words: [Self; 2]) -> [Self; 2] {
                Self::transpose_groups(words)
            }
        }
    )*};
}
row_groups!(U8x32Aes U8x32Gfni);

/// Orders of the bytes of both words for states of `C` columns.
struct Orders<const C: usize>;

impl<const C: usize> Orders<C> {
    /// `ShiftRows`.
    const SHIFTED: [[u8; 64]; 2] = Self::orders(false);
    /// Its inverse.
    const UNSHIFTED: [[u8; 64]; 2] = Self::orders(true);

    const fn orders(back: bool) -> [[u8; 64]; 2] {
        let (mut orders, mut i) = ([[0; 64]; 2], 0);
        while i < 64 {
            let (row, column) = (i / 8, i % 8);
            let by = if back { shift(row, C) } else { C - shift(row, C) };
            orders[i / 32][i % 32] = (8 * (row % 4) + column / C * C + (column % C + by) % C) as u8;
            i += 1;
        }
        orders
    }
}

/// Two or four columns, repeated to eight; or eight.
#[inline(always)]
pub(super) fn repeated<W: RowGroups, const C: usize>(token: W::Token, columns: &State<C>) -> [W; 2] {
    let bytes = columns.as_flattened();
    match C {
        2 => [W::splat_block(token, bytes.try_into().expect("two columns")); 2],
        4 => [W::load(token, bytes); 2],
        _ => [W::load(token, &bytes[..32]), W::load(token, &bytes[32..])],
    }
}

/// The sums of both words.
#[inline(always)]
pub(super) fn add<W: RowGroups>([a, b]: [W; 2], [c, d]: [W; 2]) -> [W; 2] {
    [a.xor(c), b.xor(d)]
}

macro_rules! product {
    ($x:ident, $factor:expr) => {
        if const { $factor == 1 } { $x } else { $x.affine::<{ times($factor) }, 0>() }
    };
}

/// The product of a matrix, given by its first row, and each column. Rows `i` and `i + 4` have the same place in both
/// words, so that the products with both are added before they are moved.
macro_rules! multiply {
    ($x:expr, $matrix:ident) => {{
        let [a, b] = $x;
        macro_rules! part {
            ($k:literal) => {
                [
                    product!(a, $matrix[$k]).xor(product!(b, $matrix[$k + 4])),
                    product!(b, $matrix[$k]).xor(product!(a, $matrix[$k + 4])),
                ]
            };
        }
        let sum = add(part!(0), W::rotate_groups::<1>(part!(1)));
        add(sum, add(W::rotate_groups::<2>(part!(2)), W::rotate_groups::<3>(part!(3))))
    }};
}

/// `SubBytes`, `ShiftRows` and `MixColumns`.
#[inline(always)]
pub(super) fn round<W: RowGroups, const C: usize>([a, b]: [W; 2]) -> [W; 2] {
    let [a, b] = [a.look_up_by_group(&TABLES), b.look_up_by_group(&TABLES)];
    let [first, second] = const { &Orders::<C>::SHIFTED };
    multiply!([a.permute(first), b.permute(second)], MIX)
}

/// The inverses of `MixColumns`, `ShiftRows` and `SubBytes`.
#[inline(always)]
pub(super) fn inverse_round<W: RowGroups, const C: usize>(x: [W; 2]) -> [W; 2] {
    let [a, b] = multiply!(x, UNMIX);
    let [first, second] = const { &Orders::<C>::UNSHIFTED };
    [a.permute(first).look_up_by_group(&INVERSE_TABLES), b.permute(second).look_up_by_group(&INVERSE_TABLES)]
}
