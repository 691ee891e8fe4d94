//! Coefficients of 16 bits from bytes and back: `ByteEncode` and `ByteDecode`, rejection sampling, and the centered
//! binomial distribution of FIPS 203, 32 coefficients at a time.

use crate::token::{Scalar, Token};

/// Converts bytes to coefficients of 16 bits and back, 32 at a time (FIPS 203, section 4.2).
pub trait CoefficientCoding: Token {
    /// The lowest `BITS` bits of each number, one after the other, as 4 `BITS` bytes; all other bits must be zero.
    ///
    /// # Panics
    /// If there is another number of bytes, or `BITS` is not from 1 to 12.
    #[inline(always)]
    fn pack<const BITS: usize>(self, numbers: &[i16; 32], bytes: &mut [u8]) {
        const { assert!(0 < BITS && BITS <= 12) };
        assert_eq!(bytes.len(), 4 * BITS);
        for i in 0..4 {
            // Eight numbers of `BITS` bits take `BITS` bytes.
            let (mut low, mut high) = (0, 0);
            for j in 0..4 {
                low |= (numbers[8 * i + j] as u64) << (BITS * j);
                high |= (numbers[8 * i + 4 + j] as u64) << (BITS * j);
            }
            let all = (u128::from(low) | u128::from(high) << (4 * BITS)).to_le_bytes();
            for j in 0..BITS {
                bytes[BITS * i + j] = all[j];
            }
        }
    }

    /// The converse of [`pack`](Self::pack).
    ///
    /// # Panics
    /// As [`pack`](Self::pack) does.
    #[inline(always)]
    fn unpack<const BITS: usize>(self, bytes: &[u8], numbers: &mut [i16; 32]) {
        const { assert!(0 < BITS && BITS <= 12) };
        assert_eq!(bytes.len(), 4 * BITS);
        for i in 0..4 {
            let mut all = [0; 16];
            for j in 0..BITS {
                all[j] = bytes[BITS * i + j];
            }
            let all = u128::from_le_bytes(all);
            let halves = [all as u64, (all >> (4 * BITS)) as u64];
            for j in 0..8 {
                numbers[8 * i + j] = (halves[j / 4] >> (BITS * (j % 4))) as i16 & ((1 << BITS) - 1);
            }
        }
    }

    /// Whether the 32 numbers of 12 bits in the bytes are all below `limit`, in constant time.
    #[inline(always)]
    fn all_below(self, bytes: &[u8; 48], limit: i16) -> bool {
        let mut numbers = [0; 32];
        self.unpack::<12>(bytes, &mut numbers);
        let mut below = -1;
        for i in 0..32 {
            // The sign of the difference.
            below &= numbers[i] - limit;
        }
        below < 0
    }

    /// Copies those of the 32 numbers of 12 bits in the bytes that are below `limit` to the front of `numbers`, in
    /// order, until it is full; returns their count. The contents of `numbers` after them are unspecified.
    #[inline(always)]
    fn rejection_sample(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16]) -> usize {
        let mut all = [0; 32];
        self.unpack::<12>(bytes, &mut all);
        let mut kept = 0;
        for i in 0..32 {
            if kept < numbers.len() {
                numbers[kept] = all[i];
                // A branch would be mispredicted often.
                kept += usize::from(all[i] < limit);
            }
        }
        kept
    }

    /// `SamplePolyCBD` with η = 2: for every 4 bits, from the lowest on, the sum of the first two minus that of the
    /// others.
    #[inline(always)]
    fn centered_binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
        for i in 0..16 {
            let sums = (bytes[i] & 0x55) + (bytes[i] >> 1 & 0x55);
            numbers[2 * i] = i16::from(sums & 3) - i16::from(sums >> 2 & 3);
            numbers[2 * i + 1] = i16::from(sums >> 4 & 3) - i16::from(sums >> 6);
        }
    }

    /// `SamplePolyCBD` with η = 3: for every 6 bits, from the lowest on, the sum of the first three minus that of the
    /// others.
    #[inline(always)]
    fn centered_binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
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

impl CoefficientCoding for Scalar {}
