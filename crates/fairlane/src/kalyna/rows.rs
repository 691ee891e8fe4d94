//! Rounds on rows: eight words, of which word `r` holds row `r` of `N` columns, those of a block side by side.
//!
//! A row goes through one S-box, `ShiftRows` moves its bytes within groups of eight, and `MixColumns` adds whole words.

use super::constants::{INVERSE_TABLES, MIX, TABLES, UNMIX, shift, times};
use fairlane_lanes::RowsN;

/// Bytes of a word's blocks of 16 as `ShiftRows` moves those of row `row` of states of `C` columns, or as it moves them back.
const fn shifted<const C: usize>(row: usize, back: bool) -> [u8; 16] {
    let by = if back { C - shift(row, C) } else { shift(row, C) };
    let (mut order, mut i) = ([0; 16], 0);
    while i < 16 {
        order[i] = (i / C * C + (i % C + C - by) % C) as u8;
        i += 1;
    }
    order
}

struct Shifts<const C: usize>;

impl<const C: usize> Shifts<C> {
    const FORTH: [[u8; 16]; 8] = Self::all(false);
    const BACK: [[u8; 16]; 8] = Self::all(true);

    const fn all(back: bool) -> [[u8; 16]; 8] {
        let (mut orders, mut row) = ([[0; 16]; 8], 0);
        while row < 8 {
            orders[row] = shifted::<C>(row, back);
            row += 1;
        }
        orders
    }
}

/// Does something for each row; spelt out, or LLVM keeps the words in memory.
macro_rules! each {
    ($r:ident => $body:expr) => { each!(@ $r $body; 0 1 2 3 4 5 6 7) };
    (back $r:ident => $body:expr) => { each!(@ $r $body; 7 6 5 4 3 2 1 0) };
    (@ $r:ident $body:expr; $($i:literal)*) => {$({
        const $r: usize = $i;
        $body
    })*};
}
pub(super) use each;

/// Row `R` after `SubBytes` and `ShiftRows`, or their inverses.
#[inline(always)]
fn substituted<W: RowsN<N>, const N: usize, const C: usize, const R: usize, const DECRYPT: bool>(row: W) -> W {
    if DECRYPT {
        let row = if shift(R, C) > 0 { row.shuffle(const { &Shifts::<C>::BACK[R] }) } else { row };
        row.look_up(&INVERSE_TABLES[R % 4])
    } else {
        let row = row.look_up(&TABLES[R % 4]);
        if shift(R, C) > 0 { row.shuffle(const { &Shifts::<C>::FORTH[R] }) } else { row }
    }
}

/// What several rows of `MixColumns` have in common: sums of neighbours. For its inverse, with U and V the halves of the
/// matrix's first row, and y the sum of bytes i and i + 4: U x + V x' is (U + V) x + V y, and this V y is the same for both halves, so
/// that 48 multiplications do for 64.
#[inline(always)]
fn sums<W: RowsN<N>, const N: usize, const DECRYPT: bool>(s: &[W; 8]) -> [W; 8] {
    let mut sums = *s;
    if DECRYPT {
        let mut y = *s;
        for i in 0..4 {
            y[i] = s[i].xor(s[i + 4]);
        }
        for i in 0..4 {
            let fourth = y[i].affine::<{ times(UNMIX[4]) }, 0>();
            let fifth = y[(i + 1) % 4].affine::<{ times(UNMIX[5]) }, 0>();
            let sixth = y[(i + 2) % 4].affine::<{ times(UNMIX[6]) }, 0>();
            sums[i] = fourth.xor3(fifth, sixth).xor(y[(i + 3) % 4].affine::<{ times(UNMIX[7]) }, 0>());
        }
    } else {
        each!(R => sums[R] = s[R].xor(s[(R + 1) % 8]));
    }
    sums
}

/// Row `R` after `MixColumns`, or its inverse, by [`sums`]. `key` is added in the former case only.
#[inline(always)]
fn mixed<W: RowsN<N>, const N: usize, const R: usize, const DECRYPT: bool>(s: &[W; 8], sums: &[W; 8], key: W) -> W {
    if DECRYPT {
        let first = s[R].affine::<{ times(UNMIX[0] ^ UNMIX[4]) }, 0>();
        let second = s[(R + 1) % 8].affine::<{ times(UNMIX[1] ^ UNMIX[5]) }, 0>();
        let third = s[(R + 2) % 8].affine::<{ times(UNMIX[2] ^ UNMIX[6]) }, 0>();
        let fourth = s[(R + 3) % 8].affine::<{ times(UNMIX[3] ^ UNMIX[7]) }, 0>();
        sums[R % 4].xor3(first, second).xor3(third, fourth)
    } else {
        // 1 1 5 1 8 6 7 4 as 8 of one byte, 6 of a pair, 4 of another pair, and once the sum of five.
        const { assert!(u64::from_be_bytes(MIX) == 0x0101_0501_0806_0704) };
        let eight = s[(R + 4) % 8].affine::<{ times(8) }, 0>();
        let six = sums[(R + 5) % 8].affine::<{ times(6) }, 0>();
        let four = s[(R + 2) % 8].xor(s[(R + 7) % 8]).affine::<{ times(4) }, 0>();
        let one = sums[R].xor3(sums[(R + 2) % 8], s[(R + 6) % 8]);
        one.xor3(eight, key).xor3(six, four)
    }
}

/// A round's first half, of row `R`: `SubBytes` and `ShiftRows`, or the inverse of `MixColumns`.
#[inline(always)]
fn first<W: RowsN<N>, const N: usize, const C: usize, const R: usize, const DECRYPT: bool>(
    x: &[W; 8],
    sums: &[W; 8],
) -> W {
    if DECRYPT { mixed::<W, N, R, true>(x, sums, x[R]) } else { substituted::<W, N, C, R, false>(x[R]) }
}

/// Its second half, with its key after it.
#[inline(always)]
fn second<W: RowsN<N>, const N: usize, const C: usize, const R: usize, const DECRYPT: bool>(
    x: &[W; 8],
    sums: &[W; 8],
    key: W,
) -> W {
    if DECRYPT { substituted::<W, N, C, R, true>(x[R]).xor(key) } else { mixed::<W, N, R, false>(x, sums, key) }
}

/// The sums that a half needs, if it is one of those that mix.
#[inline(always)]
fn sums_if<W: RowsN<N>, const N: usize, const DECRYPT: bool>(mixes: bool, x: &[W; 8]) -> [W; 8] {
    if mixes { sums::<W, N, DECRYPT>(x) } else { *x }
}

/// Rounds of encryption or decryption, each with its key: number `r` holds row `r` of the key's columns, again and again.
///
/// For 64 columns in 512 bits a round of encryption is 124 operations on two ports: for each row the look-up takes 7 and the
/// matrix 8, of which three multiply (with a product for each entry of the matrix, 83 cycles). One of decryption is 152.
///
/// | cycles a round | bound | one batch | two, each |
/// | --- | --- | --- | --- |
/// | encryption | 62 | 69 | 66 |
/// | decryption | 76 | 100 | 81 |
#[inline(always)]
pub(super) fn rounds<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    x: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    let mut s = *x;
    for key in keys {
        let shared = sums_if::<W, N, DECRYPT>(DECRYPT, x);
        each!(R => s[R] = first::<W, N, C, R, DECRYPT>(x, &shared));
        let shared = sums_if::<W, N, DECRYPT>(!DECRYPT, &s);
        each!(R => x[R] = second::<W, N, C, R, DECRYPT>(&s, &shared, W::splat8(token, key[R])));
    }
}

/// [`rounds`] of two batches, half a round apart: look-ups and multiplications have different ports.
#[inline(always)]
pub(super) fn rounds_of_two<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    x: &mut [W; 8],
    y: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    let mut s = *x;
    let shared = sums_if::<W, N, DECRYPT>(DECRYPT, x);
    each!(R => s[R] = first::<W, N, C, R, DECRYPT>(x, &shared));
    for key in keys {
        let mut t = *y;
        let shared = sums_if::<W, N, DECRYPT>(!DECRYPT, &s);
        let others = sums_if::<W, N, DECRYPT>(DECRYPT, y);
        each!(R => {
            t[R] = first::<W, N, C, R, DECRYPT>(y, &others);
            x[R] = second::<W, N, C, R, DECRYPT>(&s, &shared, W::splat8(token, key[R]));
        });
        // In the last round for nothing.
        let shared = sums_if::<W, N, DECRYPT>(!DECRYPT, &t);
        let others = sums_if::<W, N, DECRYPT>(DECRYPT, x);
        each!(R => {
            s[R] = first::<W, N, C, R, DECRYPT>(x, &others);
            y[R] = second::<W, N, C, R, DECRYPT>(&t, &shared, W::splat8(token, key[R]));
        });
    }
}
