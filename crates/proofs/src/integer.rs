//! Integers without a value, for kernels in plain integers.

use crate::lane::Lane;
use crate::mutation;
use fairlane::kalyna::symbolic::{ConditionalSums, Integer};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// An integer of 64 bits that is a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<L>(pub L);

impl<L: Lane> BitXor for Number<L> {
    type Output = Self;
    #[inline(never)]
    fn bitxor(self, b: Self) -> Self {
        Self(if mutation::here("or for exclusive or") { self.0.or(b.0) } else { self.0.xor(b.0) })
    }
}

impl<L: Lane> BitAnd for Number<L> {
    type Output = Self;
    #[inline(never)]
    fn bitand(self, b: Self) -> Self {
        Self(if mutation::here("or for and") { self.0.or(b.0) } else { self.0.and(b.0) })
    }
}

impl<L: Lane> BitOr for Number<L> {
    type Output = Self;
    #[inline(never)]
    fn bitor(self, b: Self) -> Self {
        Self(if mutation::here("and for or") { self.0.and(b.0) } else { self.0.or(b.0) })
    }
}

impl<L: Lane> Shl<u32> for Number<L> {
    type Output = Self;
    #[inline(never)]
    fn shl(self, by: u32) -> Self {
        let further = u32::from(mutation::here("a shift one further"));
        Self(self.0.shl(by.wrapping_add(further)))
    }
}

impl<L: Lane> Shr<u32> for Number<L> {
    type Output = Self;
    #[inline(never)]
    fn shr(self, by: u32) -> Self {
        let further = u32::from(mutation::here("a shift one further"));
        Self(self.0.shr(by.wrapping_add(further)))
    }
}

impl<L: Lane> Integer for Number<L> {
    type Bytes = L;

    fn of(x: u64) -> Self {
        Self(L::constant(64, x.into()))
    }
    fn from_bytes(bytes: L) -> Self {
        Self(bytes)
    }
    fn to_bytes(self) -> L {
        self.0
    }
    #[inline(never)]
    fn wrapping_add(self, b: Self) -> Self {
        Self(if mutation::here("a sum without carries") { self.0.xor(b.0) } else { self.0.add(b.0) })
    }
    #[inline(never)]
    fn wrapping_sub(self, b: Self) -> Self {
        Self(if mutation::here("operands swapped") { b.0.sub(self.0) } else { self.0.sub(b.0) })
    }
    #[inline(never)]
    fn rotate_right(self, by: u32) -> Self {
        Self(self.0.rotl(128 - by - u32::from(mutation::here("a rotation one further"))))
    }
}

impl<L: Lane> ConditionalSums for Number<L> {}
