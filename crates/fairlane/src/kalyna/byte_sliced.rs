//! Rounds of byte-sliced blocks: of eight words, word `r` holds byte `r` of `N` columns, those of a block side by side.
//!
//! Bytes of a row have the same S-box, `ShiftRows` moves them within groups of eight, and `MixColumns` adds whole
//! words.

use super::constants::{INVERSE_TABLES, MIX, TABLES, UNMIX, shift, times};
use super::state::each;
use fairlane_lanes::RowsN;

/// The order of bytes by which `ShiftRows`, or its inverse, moves row `row` of states of `C` columns in 16 bytes.
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
    const FORWARD: [[u8; 16]; 8] = Self::all(false);
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

/// Row `R` after `SubBytes` and `ShiftRows`, or their inverses.
#[inline(always)]
fn substituted<W: RowsN<N>, const N: usize, const C: usize, const R: usize, const DECRYPT: bool>(row: W) -> W {
    if DECRYPT {
        let row = if shift(R, C) > 0 { row.shuffle(const { &Shifts::<C>::BACK[R] }) } else { row };
        row.look_up(&INVERSE_TABLES[R % 4])
    } else {
        let row = row.look_up(&TABLES[R % 4]);
        if shift(R, C) > 0 { row.shuffle(const { &Shifts::<C>::FORWARD[R] }) } else { row }
    }
}

/// `MixColumns` and the addition of a key.
#[inline(always)]
fn mix<W: RowsN<N>, const N: usize>(token: W::Token, s: &[W; 8], x: &mut [W; 8], key: &[u64; 8]) {
    // 1 1 5 1 8 6 7 4 is 8 times one byte, 6 times a pair, 4 times another pair, and the sum of five bytes.
    const { assert!(u64::from_be_bytes(MIX) == 0x0101_0501_0806_0704) };
    let mut sums = *s;
    each!(R => sums[R] = s[R].xor(s[(R + 1) % 8]));
    each!(R => {
        let eight = s[(R + 4) % 8].affine::<{ times(8) }, 0>();
        let six = sums[(R + 5) % 8].affine::<{ times(6) }, 0>();
        let four = s[(R + 2) % 8].xor(s[(R + 7) % 8]).affine::<{ times(4) }, 0>();
        // Each operation overwrites an operand that is not needed again: any other would have to be copied.
        let sum = eight.xor3(sums[R], sums[(R + 2) % 8]).xor3(six, s[(R + 6) % 8]);
        x[R] = sum.xor3(four, W::splat_u64(token, key[R]));
    });
}

/// The terms that rows `i` and `i + 4` of the inverse of `MixColumns` share. With U and V for the halves of the
/// matrix's first row, and y for the sum of bytes i and i + 4, U x + V x' is (U + V) x + V y. This V y is the same for
/// both halves, so that 48 multiplications replace 64.
#[inline(always)]
fn shared<W: RowsN<N>, const N: usize>(x: &[W; 8]) -> [W; 4] {
    let mut y = [x[0], x[1], x[2], x[3]];
    for i in 0..4 {
        y[i] = x[i].xor(x[i + 4]);
    }
    let mut shared = y;
    for i in 0..4 {
        let fourth = y[i].affine::<{ times(UNMIX[4]) }, 0>();
        let fifth = y[(i + 1) % 4].affine::<{ times(UNMIX[5]) }, 0>();
        let sixth = y[(i + 2) % 4].affine::<{ times(UNMIX[6]) }, 0>();
        shared[i] = fourth.xor3(fifth, sixth).xor(y[(i + 3) % 4].affine::<{ times(UNMIX[7]) }, 0>());
    }
    shared
}

/// Row `R` after the inverse of `MixColumns`.
#[inline(always)]
fn unmixed<W: RowsN<N>, const N: usize, const R: usize>(x: &[W; 8], shared: &[W; 4]) -> W {
    let first = x[R].affine::<{ times(UNMIX[0] ^ UNMIX[4]) }, 0>();
    let second = x[(R + 1) % 8].affine::<{ times(UNMIX[1] ^ UNMIX[5]) }, 0>();
    let third = x[(R + 2) % 8].affine::<{ times(UNMIX[2] ^ UNMIX[6]) }, 0>();
    let fourth = x[(R + 3) % 8].affine::<{ times(UNMIX[3] ^ UNMIX[7]) }, 0>();
    first.xor3(second, shared[R % 4]).xor3(third, fourth)
}

/// Rounds of encryption or decryption. In the key of a round, number `r` holds row `r` of the columns, repeated to 8
/// bytes.
///
/// For 64 columns in 512 bits a round of encryption is 127 operations on two ports: for each row the look-up takes 7,
/// `ShiftRows` 1, and the matrix 8, of which three are multiplications. A round of decryption is 155.
///
/// | cycles a round | bound | one batch | two, each |
/// | --- | --- | --- | --- |
/// | encryption | 63 | 76 | 78 |
/// | decryption | 78 | 102 | 91 |
#[inline(always)]
pub(super) fn rounds<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    x: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    let mut s = *x;
    for key in keys {
        if DECRYPT {
            let shared = shared(x);
            each!(R => s[R] = unmixed::<W, N, R>(x, &shared));
            each!(R => x[R] = substituted::<W, N, C, R, true>(s[R]).xor(W::splat_u64(token, key[R])));
        } else {
            each!(R => s[R] = substituted::<W, N, C, R, false>(x[R]));
            mix(token, &s, x, key);
        }
    }
}

/// Rounds of decryption of two batches, half a round apart, since look-ups and multiplications use different ports.
/// Encryption, which multiplies less, gains nothing from that.
#[inline(always)]
pub(super) fn inverse_rounds_of_two<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    x: &mut [W; 8],
    y: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    let mut s = *x;
    let of_x = shared(x);
    each!(R => s[R] = unmixed::<W, N, R>(x, &of_x));
    for key in keys {
        let mut t = *y;
        let of_y = shared(y);
        each!(R => {
            t[R] = unmixed::<W, N, R>(y, &of_y);
            x[R] = substituted::<W, N, C, R, true>(s[R]).xor(W::splat_u64(token, key[R]));
        });
        // After the last round this is not used.
        let of_x = shared(x);
        each!(R => {
            s[R] = unmixed::<W, N, R>(x, &of_x);
            y[R] = substituted::<W, N, C, R, true>(t[R]).xor(W::splat_u64(token, key[R]));
        });
    }
}
