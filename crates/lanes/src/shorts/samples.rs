//! Small numbers sampled from bytes: those below a limit, and differences of sums of bits.

use crate::token::{Scalar, Token};

/// Samples numbers of 16 bits, 32 at a time.
pub trait Samples: Token {
    /// Of the 32 numbers of 12 bits in the bytes, those below `limit` go to the front of `numbers`, in order; returns how many they
    /// are. What follows them is of no meaning.
    #[inline(always)]
    fn keep_below(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16; 32]) -> usize {
        let mut kept = 0;
        for [a, b, c] in bytes.as_chunks::<3>().0 {
            for number in [i16::from(*a) | i16::from(b & 15) << 8, i16::from(b >> 4) | i16::from(*c) << 4] {
                // No branch, which nobody could predict. The index is below 32 as it is.
                numbers[kept & 31] = number;
                kept += usize::from(number < limit);
            }
        }
        kept
    }

    /// For every 4 bits, from the lowest on, the sum of the first two less that of the others.
    #[inline(always)]
    fn binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
        for i in 0..16 {
            let sums = (bytes[i] & 0x55) + (bytes[i] >> 1 & 0x55);
            numbers[2 * i] = i16::from(sums & 3) - i16::from(sums >> 2 & 3);
            numbers[2 * i + 1] = i16::from(sums >> 4 & 3) - i16::from(sums >> 6);
        }
    }

    /// For every 6 bits, from the lowest on, the sum of the first three less that of the others.
    #[inline(always)]
    fn binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
        let (bytes, _) = bytes.as_chunks::<3>();
        for i in 0..8 {
            let bits = u32::from_le_bytes([bytes[i][0], bytes[i][1], bytes[i][2], 0]);
            let sums = (bits & 0x24_9249) + (bits >> 1 & 0x24_9249) + (bits >> 2 & 0x24_9249);
            for j in 0..4 {
                numbers[4 * i + j] = (sums >> (6 * j) & 7) as i16 - (sums >> (6 * j + 3) & 7) as i16;
            }
        }
    }
}

impl Samples for Scalar {}
