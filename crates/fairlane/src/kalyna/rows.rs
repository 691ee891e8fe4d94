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

/// A round of encryption, with its key: number `r` holds row `r` of the key's columns, again and again.
///
/// For 64 columns in 512 bits 124 operations on two ports: for each row the look-up takes 7 and the matrix 8, of which three multiply.
/// That is 62 cycles; measured are 69 (83 with a product for each entry of the matrix).
#[inline(always)]
pub(super) fn round<W: RowsN<N>, const N: usize, const C: usize>(token: W::Token, x: &mut [W; 8], key: &[u64; 8]) {
    let mut s = *x;
    each!(R => {
        s[R] = s[R].look_up(&TABLES[R % 4]);
        if shift(R, C) > 0 {
            s[R] = s[R].shuffle(const { &Shifts::<C>::FORTH[R] });
        }
    });
    // 1 1 5 1 8 6 7 4 as 8 of one byte, 6 of a pair, 4 of another pair, and once the sum of five.
    let mut pairs = s;
    each!(R => pairs[R] = s[R].xor(s[(R + 1) % 8]));
    each!(R => {
        let eight = s[(R + 4) % 8].affine::<{ times(8) }, 0>();
        let six = pairs[(R + 5) % 8].affine::<{ times(6) }, 0>();
        let four = s[(R + 2) % 8].xor(s[(R + 7) % 8]).affine::<{ times(4) }, 0>();
        let one = pairs[R].xor3(pairs[(R + 2) % 8], s[(R + 6) % 8]);
        x[R] = one.xor3(eight, W::splat8(token, key[R])).xor3(six, four);
    });
    const { assert!(u64::from_be_bytes(MIX) == 0x0101_0501_0806_0704) };
}

/// A round of decryption, with its key after it.
///
/// With U and V the halves of the inverse matrix's first row, and y the sum of bytes i and i + 4: U x + V x' is (U + V) x + V y,
/// and y is the same for both halves. So 48 multiplications do for 64.
#[inline(always)]
pub(super) fn inverse_round<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    x: &mut [W; 8],
    key: &[u64; 8],
) {
    let s = *x;
    let mut y = [s[0]; 4];
    let mut both = [s[0]; 4];
    for i in 0..4 {
        y[i] = s[i].xor(s[i + 4]);
    }
    for i in 0..4 {
        both[i] = y[i]
            .affine::<{ times(UNMIX[4]) }, 0>()
            .xor3(y[(i + 1) % 4].affine::<{ times(UNMIX[5]) }, 0>(), y[(i + 2) % 4].affine::<{ times(UNMIX[6]) }, 0>())
            .xor(y[(i + 3) % 4].affine::<{ times(UNMIX[7]) }, 0>());
    }
    each!(R => {
        let sum = both[R % 4]
            .xor3(
                s[R].affine::<{ times(UNMIX[0] ^ UNMIX[4]) }, 0>(),
                s[(R + 1) % 8].affine::<{ times(UNMIX[1] ^ UNMIX[5]) }, 0>(),
            )
            .xor3(
                s[(R + 2) % 8].affine::<{ times(UNMIX[2] ^ UNMIX[6]) }, 0>(),
                s[(R + 3) % 8].affine::<{ times(UNMIX[3] ^ UNMIX[7]) }, 0>(),
            );
        let moved = if shift(R, C) > 0 { sum.shuffle(const { &Shifts::<C>::BACK[R] }) } else { sum };
        x[R] = moved.look_up(&INVERSE_TABLES[R % 4]).xor(W::splat8(token, key[R]));
    });
}
