//! Integers of 64 bits as kernels in plain integers use them: `u64`, and in the proofs an integer without a value.

use core::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// An integer of 64 bits. The operators mean what they mean for `u64`.
#[cfg_attr(
    any(feature = "table-lookups", not(feature = "kalyna")),
    allow(dead_code, reason = "tables and SM4 need fewer operations")
)]
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Integer:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Its bytes in memory, the least significant first.
    type Bytes: Copy;

    /// A number that is no secret.
    fn of(x: u64) -> Self;
    /// From bytes in memory.
    fn from_bytes(bytes: Self::Bytes) -> Self;
    /// To bytes in memory.
    fn to_bytes(self) -> Self::Bytes;
    /// The sum modulo 2<sup>64</sup>.
    fn wrapping_add(self, b: Self) -> Self;
    /// The difference modulo 2<sup>64</sup>.
    fn wrapping_sub(self, b: Self) -> Self;
    /// Rotated right.
    fn rotate_right(self, by: u32) -> Self;
}

impl Integer for u64 {
    type Bytes = [u8; 8];

    #[inline(always)]
    fn of(x: u64) -> Self {
        x
    }
    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        Self::from_le_bytes(bytes)
    }
    #[inline(always)]
    fn to_bytes(self) -> [u8; 8] {
        self.to_le_bytes()
    }
    #[inline(always)]
    fn wrapping_add(self, b: Self) -> Self {
        self.wrapping_add(b)
    }
    #[inline(always)]
    fn wrapping_sub(self, b: Self) -> Self {
        self.wrapping_sub(b)
    }
    #[inline(always)]
    fn rotate_right(self, by: u32) -> Self {
        self.rotate_right(by)
    }
}
