//! Kalyna's S-boxes on bit planes: each of eight planes holds one bit of many bytes, the least significant first.
//!
//! An S-box is an inversion between two affine maps ([`INVERSIONS`]); for each of some 40 exceptions a constant is
//! added where a byte is the exception, which a product of planes or their complements tells. That takes some 450
//! operations on planes; sums of all entries took 890, and look-ups of which to take.

use super::constants::{INVERSE_INVERSIONS, INVERSE_S_BOXES, INVERSIONS, S_BOXES};
use super::state::each;
use crate::inversion::{Bits, Matrix, affine, in_tower, invert, isomorphism};
use fairlane_lanes::Inversion;

/// From AES's field to the tower of fields in which [`invert`] computes.
const TO_TOWER: Matrix = isomorphism!(0x1b, in_tower);

/// The most exceptions of an S-box.
const EXCEPTIONS: usize = 41;

/// S-box number `S`, or its inverse.
struct SBox<const S: usize, const DECRYPT: bool>;

impl<const S: usize, const DECRYPT: bool> SBox<S, DECRYPT> {
    const INVERSION: Inversion = if DECRYPT { INVERSE_INVERSIONS[S] } else { INVERSIONS[S] };
    /// Into the tower.
    const ENTER: Matrix = TO_TOWER.after(Matrix(Self::INVERSION.before.to_be_bytes()));
    const ENTER_PLUS: u8 = Self::ENTER.apply(Self::INVERSION.zero);
    /// Out of the tower.
    const LEAVE: Matrix = Matrix(Self::INVERSION.after.to_be_bytes()).after(TO_TOWER.inverse());
    /// The bytes whose entries are not those of the inversion, and what they differ by: zeros after the last one.
    const EXCEPTIONS: [(usize, u8); EXCEPTIONS] = {
        let (mut exceptions, mut count, mut x) = ([(0, 0); EXCEPTIONS], 0, 0);
        while x < 256 {
            let entry = if DECRYPT { INVERSE_S_BOXES[S][x] } else { S_BOXES[S][x] };
            let difference = entry ^ Self::INVERSION.of(x as u8);
            if difference != 0 {
                exceptions[count] = (x, difference);
                count += 1;
            }
            x += 1;
        }
        exceptions
    };
}

/// For each value of four bits, where they have it.
#[inline(always)]
fn values<P: Bits>(bits: &[P], of: impl Fn(u64) -> P) -> [P; 16] {
    let mut values = [of(u64::MAX); 16];
    for bit in 0..4 {
        for value in 0..1 << bit {
            let set = values[value] & bits[bit];
            values[value + (1 << bit)] = set;
            values[value] = values[value] ^ set;
        }
    }
    values
}

/// Repeats `$body` for the number `$i` of each exception, unrolled.
macro_rules! each_exception {
    ($i:ident => $body:expr) => {
        each_exception!(@ $i $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32 33 34 35 36 37 38 39 40)
    };
    (@ $i:ident $body:expr; $($number:literal)*) => {$({
        const $i: usize = $number;
        $body
    })*};
}

/// Replaces each byte by S-box number `S`, or its inverse. `of` makes planes of a bit eight bytes long.
#[inline(always)]
pub(super) fn substitute<P: Bits, const S: usize, const DECRYPT: bool>(row: &mut [P; 8], of: impl Fn(u64) -> P) {
    let x = *row;
    let of = &of;
    let inner = affine!(SBox::<S, DECRYPT>::ENTER.0, SBox::<S, DECRYPT>::ENTER_PLUS, x, of);
    let inverse = invert(inner);
    let mut y = affine!(SBox::<S, DECRYPT>::LEAVE.0, SBox::<S, DECRYPT>::INVERSION.plus, inverse, of);
    let (low, high) = (values(&x[..4], of), values(&x[4..], of));
    each_exception!(I => {
        let byte = const { SBox::<S, DECRYPT>::EXCEPTIONS[I].0 };
        let these = low[byte % 16] & high[byte / 16];
        each!(BIT => if const { SBox::<S, DECRYPT>::EXCEPTIONS[I].1 >> BIT & 1 == 1 } {
            y[BIT] = y[BIT] ^ these;
        });
    });
    *row = y;
}
