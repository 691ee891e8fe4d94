//! A bit-sliced batch, of which one block is followed.

use crate::kalyna::tables;
use crate::kalyna_whole::entry_by_bits;
use crate::lane::{Lane, mask};
use crate::mutation;
use fairlane::kalyna::symbolic::{Half, Integer};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// The `BITS` bits of one block in an integer of 64 bits, whichever of the blocks it is: they are 64 / `BITS` apart, so
/// that the operations of rounds, bitwise ones, and shifts and rotations by multiples of 64 / `BITS`, do the same to
/// those of each block.
#[derive(Clone, Copy)]
pub(crate) struct Plane<L, const BITS: u32>(pub L);

impl<L: Lane, const BITS: u32> Plane<L, BITS> {
    /// The distance in places of a block.
    fn places(by: u32) -> u32 {
        assert!(by.is_multiple_of(64 / BITS), "blocks meet");
        by / (64 / BITS)
    }

    /// The distance of a shift, which may be a faulty one.
    fn shift(by: u32) -> u32 {
        (Self::places(by) + u32::from(mutation::here("a shift one further"))).min(BITS)
    }
}

impl<L: Lane, const BITS: u32> BitXor for Plane<L, BITS> {
    type Output = Self;
    fn bitxor(self, b: Self) -> Self {
        // An or would do no harm where only one operand has a bit, as in S-boxes that add up single values.
        if mutation::here("an operand left out") { self } else { Self(self.0.xor(b.0)) }
    }
}

impl<L: Lane, const BITS: u32> BitAnd for Plane<L, BITS> {
    type Output = Self;
    fn bitand(self, b: Self) -> Self {
        Self(if mutation::here("or for and") { self.0.or(b.0) } else { self.0.and(b.0) })
    }
}

impl<L: Lane, const BITS: u32> BitOr for Plane<L, BITS> {
    type Output = Self;
    fn bitor(self, b: Self) -> Self {
        Self(if mutation::here("and for or") { self.0.and(b.0) } else { self.0.or(b.0) })
    }
}

impl<L: Lane, const BITS: u32> Shl<u32> for Plane<L, BITS> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        Self(self.0.shl(Self::shift(by)))
    }
}

impl<L: Lane, const BITS: u32> Shr<u32> for Plane<L, BITS> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        Self(self.0.shr(Self::shift(by)))
    }
}

impl<L: Lane, const BITS: u32> Integer for Plane<L, BITS> {
    type Bytes = ();

    fn of(x: u64) -> Self {
        let ones = mask(64 / BITS);
        let bit = |b: u32| match u128::from(x) >> (64 / BITS * b) & ones {
            0 => 0,
            all if all == ones => 1 << b,
            _ => panic!("a constant that is not the same for all blocks"),
        };
        Self(L::constant(BITS, (0..BITS).map(bit).sum()))
    }
    fn from_bytes((): ()) -> Self {
        panic!("not an operation of rounds")
    }
    fn to_bytes(self) {
        panic!("not an operation of rounds")
    }
    fn wrapping_add(self, _: Self) -> Self {
        panic!("not an operation of rounds")
    }
    fn wrapping_sub(self, _: Self) -> Self {
        panic!("not an operation of rounds")
    }
    fn rotate_right(self, by: u32) -> Self {
        let by = Self::places(by) + u32::from(mutation::here("a rotation one further"));
        Self(self.0.rotl(2 * BITS - by % BITS))
    }
}

/// S-boxes as polynomials, as the standard's side has them: those that are shipped are judged by themselves.
impl<L: Lane, const BITS: u32> Half for Plane<L, BITS> {
    fn substitute<const S: usize, const DECRYPT: bool>(bits: &mut [Self; 8]) {
        let table = &tables(DECRYPT)[S];
        let bytes = (0..BITS).map(|i| {
            let byte = L::join(&bits.map(|bit| bit.0.slice(i, 1)));
            entry_by_bits(byte, table)
        });
        let bytes: Vec<L> = bytes.collect();
        for (bit, plane) in bits.iter_mut().enumerate() {
            let all: Vec<L> = bytes.iter().map(|byte| byte.slice(bit as u32, 1)).collect();
            *plane = Self(L::join(&all));
        }
    }
}
