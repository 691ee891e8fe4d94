//! Numbers modulo q as bytes: packing, and compression to few bits (FIPS 203, section 4.2.1).
//!
//! No number is divided by q: quotients are products by a constant, exact for every number (tests try all).

use super::ring::{Poly, Q};

/// Bytes of a polynomial whose numbers have `bits` bits.
pub(super) const fn packed(bits: usize) -> usize {
    32 * bits
}

/// Compresses numbers below q to `bits` bits and packs them (`ByteEncode` of `Compress`); 12 bits are not compressed.
pub(super) fn compress(poly: &Poly, bits: usize, bytes: &mut [u8]) {
    debug_assert_eq!(bytes.len(), packed(bits));
    // Eight numbers are as many bytes as each has bits.
    for (numbers, bytes) in poly.0.as_chunks::<8>().0.iter().zip(bytes.chunks_exact_mut(bits)) {
        let (mut low, mut high) = (0_u64, 0_u64);
        for (i, number) in numbers.iter().enumerate() {
            let number = u64::from(if bits == 12 { *number as u16 } else { compressed(*number as u16, bits) });
            match i {
                0..4 => low |= number << (bits * i),
                _ => high |= number << (bits * (i - 4)),
            }
        }
        let all = (u128::from(low) | u128::from(high) << (4 * bits)).to_le_bytes();
        bytes.copy_from_slice(&all[..bits]);
    }
}

/// The converse of [`compress`]: numbers below q; those of 12 bits as they are, which may be q or more.
pub(super) fn decompress(bytes: &[u8], bits: usize, poly: &mut Poly) {
    debug_assert_eq!(bytes.len(), packed(bits));
    for (numbers, bytes) in poly.0.as_chunks_mut::<8>().0.iter_mut().zip(bytes.chunks_exact(bits)) {
        let mut all = [0; 16];
        all[..bits].copy_from_slice(bytes);
        let all = u128::from_le_bytes(all);
        for (i, number) in numbers.iter_mut().enumerate() {
            let bare = (all >> (bits * i)) as u16 & ((1 << bits) - 1);
            *number = if bits == 12 { bare as i16 } else { decompressed(bare, bits) };
        }
    }
}

/// Whether all numbers of a key are below q. All are looked at, whatever they are: they may be secret.
pub(super) fn are_reduced(bytes: &[u8]) -> bool {
    let below = bytes.as_chunks::<3>().0.iter().fold(u16::MAX, |below, [a, b, c]| {
        let (first, second) = (u16::from(*a) | u16::from(b & 15) << 8, u16::from(b >> 4) | u16::from(*c) << 4);
        // The sign of the difference.
        below & first.wrapping_sub(Q as u16) & second.wrapping_sub(Q as u16)
    });
    below >> 15 == 1
}

/// `Compress`: 2^bits x / q, rounded, modulo 2^bits.
#[inline(always)]
fn compressed(x: u16, bits: usize) -> u16 {
    // 2^36 / q, rounded up: the quotient is exact below 2^24.
    const INVERSE: u64 = (1_u64 << 36).div_ceil(Q as u64);
    let quotient = (((u64::from(x) << bits) + Q as u64 / 2) * INVERSE) >> 36;
    quotient as u16 & ((1 << bits) - 1)
}

/// `Decompress`: q y / 2^bits, rounded.
#[inline(always)]
fn decompressed(y: u16, bits: usize) -> i16 {
    ((u32::from(y) * Q as u32 + ((1 << bits) >> 1)) >> bits) as i16
}
