//! Constants that compute SM4's S-box by inversions in AES's field. They are derived here.
//!
//! The standard lists the S-box as a table. It is S(x) = A (A x + C)⁻¹ + C in GF(2)\[x\] modulo x<sup>8</sup> +
//! x<sup>7</sup> + x<sup>6</sup> + x<sup>5</sup> + x<sup>4</sup> + x<sup>2</sup> + 1 (Liu et al., "Analysis of the SMS4
//! block cipher", 2007; the tests compare it with the table). AES's field is isomorphic: `TO_AES` maps an element to it
//! and `FROM_AES` back.
//!
//! A whole cipher can then be computed on *inner* bytes, `IN x` for a byte `x` of the standard: the S-box is one
//! inversion between linear maps, and the maps before it are computed once a block instead of once a round. The
//! constant before the inversion is included in the round keys.

use crate::inversion::{Matrix, isomorphism};

/// `a b` in AES's field.
const fn in_aes_field(a: u8, b: u8) -> u8 {
    let (mut product, mut i) = (0, 8);
    while i > 0 {
        i -= 1;
        product = (product << 1) ^ ((product >> 7) * 0x11b);
        product ^= a as u16 * (b >> i & 1) as u16;
    }
    product as u8
}

/// SM4's modulus, less x<sup>8</sup>.
pub(super) const MODULUS: u8 = 0xf5;
const TO_AES: Matrix = isomorphism!(MODULUS, in_aes_field);
const FROM_AES: Matrix = TO_AES.inverse();
const IDENTITY: Matrix = Matrix::of([1, 2, 4, 8, 16, 32, 64, 128]);

/// The affine map before and after the inversion: bit `i` of `A x` is the parity of `x` and 0xa7 rotated by `i`.
pub(super) const A: Matrix = {
    let (mut rows, mut i) = ([0; 8], 0);
    while i < 8 {
        rows[i] = 0xa7_u8.rotate_left(i as u32);
        i += 1;
    }
    Matrix(rows)
};
pub(super) const C: u8 = 0xd3;

const INNER: Matrix = TO_AES.after(A);
/// From the standard's bytes to inner ones.
pub(super) const IN: u64 = INNER.instruction();
/// From inner bytes to the standard's.
pub(super) const OUT: u64 = INNER.inverse().instruction();
/// Added to every byte of an inner round key, for the constant before the inversion.
pub(super) const BEFORE: u8 = TO_AES.apply(C);

/// A byte of the standard as an inner one.
pub(super) const fn inner(x: u8) -> u8 {
    INNER.apply(x)
}

/// A map of the S-box's output, from the inverse in AES's field to inner bytes.
const fn after_sbox(map: Matrix) -> u64 {
    INNER.after(map).after(A).after(FROM_AES).instruction()
}

/// `x << by` across bytes: the bits that stay in a byte, and those that move to the next more significant one.
const fn shifted(by: u32) -> [Matrix; 2] {
    let (mut stay, mut leave, mut i) = ([0; 8], [0; 8], 0);
    while i < 8 {
        stay[i] = ((1_u16 << i << by) & 0xff) as u8;
        leave[i] = ((1_u16 << i << by) >> 8) as u8;
        i += 1;
    }
    [Matrix::of(stay), Matrix::of(leave)]
}

/// The linear layer L, which is X + X<<<2 + X<<<10 + X<<<18 + X<<<24 of the S-boxes' output X.
///
/// With P and Q for the bits that stay in a byte and that leave it when it is shifted by two bits, byte `i` of L is
/// (1 + P) X<sub>i</sub> + (P + Q) (X<sub>i+1</sub> + X<sub>i+2</sub>) + (1 + Q) X<sub>i+3</sub>, where byte 0 is the
/// most significant and indices are modulo 4. The middle map is the sum of `NEAR` and `FAR`. So with p<sub>i</sub> for
/// `FAR` X<sub>i</sub> + `NEAR` X<sub>i+3</sub>, byte `i` is also the sum of p<sub>i</sub> and of all four p.
const LINEAR: [Matrix; 2] = {
    let [p, q] = shifted(2);
    [IDENTITY.plus(p), IDENTITY.plus(q)]
};
/// 1 + P of the S-box's output.
pub(super) const NEAR: u64 = after_sbox(LINEAR[0]);
/// P + Q of it.
pub(super) const MIDDLE: u64 = after_sbox(LINEAR[0].plus(LINEAR[1]));
/// 1 + Q of it.
pub(super) const FAR: u64 = after_sbox(LINEAR[1]);
/// Added to every byte of L, for the constant after the inversion.
pub(super) const AFTER: i32 = INNER.apply(LINEAR[0].plus(LINEAR[1]).apply(C)) as i32;

/// The linear layer L' of the key schedule, X + X<<<13 + X<<<23: the maps from X<sub>i</sub>, X<sub>i+1</sub>,
/// X<sub>i+2</sub> and X<sub>i+3</sub> to byte `i`.
pub(super) const KEY: [u64; 4] = {
    let ([p, q], [r, s]) = (shifted(5), shifted(7));
    [after_sbox(IDENTITY), after_sbox(p), after_sbox(q.plus(r)), after_sbox(s)]
};
/// Added to every byte of L'.
pub(super) const KEY_AFTER: i32 = {
    let ([p, q], [r, s]) = (shifted(5), shifted(7));
    INNER.apply(IDENTITY.plus(p).plus(q).plus(r).plus(s).apply(C)) as i32
};
