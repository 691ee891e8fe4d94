//! The integers that numbers are made of: 64 bits and 128, and in the proofs integers without values.

use core::ops::{Add, BitAnd, BitOr, Mul, Shl, Shr};

/// An integer of 64 bits. The operators mean what they mean for `u64`; no sum or product may overflow.
pub trait Digit:
    Copy
    + Add<Output = Self>
    + Mul<Output = Self>
    + BitAnd<u64, Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// 128 bits.
    type Double: Copy
        + Add<Output = Self::Double>
        + BitOr<Output = Self::Double>
        + Shl<u32, Output = Self::Double>
        + Shr<u32, Output = Self::Double>;

    /// A number that is no secret.
    fn of(x: u64) -> Self;
    /// The same number in 128 bits.
    fn double(self) -> Self::Double;
    /// The low 64 bits.
    fn low_half(x: Self::Double) -> Self;
    /// The product of two numbers.
    fn product(self, b: Self) -> Self::Double;
    /// The sum modulo 2<sup>128</sup>, and the carry.
    fn overflowing_add(a: Self::Double, b: Self::Double) -> (Self::Double, Self);
}

impl Digit for u64 {
    type Double = u128;

    #[inline(always)]
    fn of(x: u64) -> Self {
        x
    }
    #[inline(always)]
    fn double(self) -> u128 {
        self.into()
    }
    #[inline(always)]
    fn low_half(x: u128) -> Self {
        x as Self
    }
    #[inline(always)]
    fn product(self, b: Self) -> u128 {
        u128::from(self) * u128::from(b)
    }
    #[inline(always)]
    fn overflowing_add(a: u128, b: u128) -> (u128, Self) {
        let (sum, carry) = a.overflowing_add(b);
        (sum, carry.into())
    }
}
