//! One block in integers, for modes on the scalar backend.

use super::BlocksN;
use crate::token::Scalar;

/// A block of 16 bytes in a 128-bit integer.
#[derive(Clone, Copy, Debug)]
pub struct U8x16Scalar(u128);

impl BlocksN<16> for U8x16Scalar {
    type Token = Scalar;

    #[inline(always)]
    fn splat_block(_: Scalar, block: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(block))
    }
    #[inline(always)]
    fn load(_: Scalar, bytes: &[u8]) -> Self {
        match bytes.as_chunks() {
            ([], []) => Self(0),
            ([block], []) => Self(u128::from_le_bytes(*block)),
            _ => panic!("not whole blocks, or more than the word has"),
        }
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        match bytes.as_chunks_mut() {
            ([], []) => {}
            ([block], []) => *block = self.0.to_le_bytes(),
            _ => panic!("not whole blocks, or more than the word has"),
        }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(self.0 ^ b.0)
    }
    #[inline(always)]
    fn counters(_: Scalar, first: [u8; 16], from: u32) -> Self {
        let first = u128::from_be_bytes(first);
        let last = (first as u32).wrapping_add(from);
        Self((first >> 32 << 32 | u128::from(last)).swap_bytes())
    }
    #[inline(always)]
    fn mul_x<const K: u32>(self) -> Self {
        let over = self.0 >> (128 - K);
        Self(self.0 << K ^ over ^ over << 1 ^ over << 2 ^ over << 7)
    }
    #[inline(always)]
    fn reverse_bits(self) -> Self {
        Self(self.0.reverse_bits().swap_bytes())
    }
}
