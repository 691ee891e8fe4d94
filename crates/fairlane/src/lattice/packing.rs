//! Numbers of few bits as bytes (`ByteEncode` and `ByteDecode`, FIPS 203, section 4.2.1), in integers.

use super::ring::{Poly, Q};

/// Bytes of a polynomial whose numbers have `bits` bits.
pub(super) const fn packed(bits: usize) -> usize {
    32 * bits
}

/// Calls a function for a number of bits, which it takes as a constant.
macro_rules! with_bits {
    ($bits:expr, $function:ident($($argument:expr),*)) => {
        match $bits {
            1 => $function::<1>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            7 => $function::<7>($($argument),*),
            10 => $function::<10>($($argument),*),
            11 => $function::<11>($($argument),*),
            12 => $function::<12>($($argument),*),
            _ => unreachable!("no parameter set has numbers of so many bits"),
        }
    };
}

/// Packs numbers of `bits` bits each.
pub(super) fn pack(poly: &Poly, bits: usize, bytes: &mut [u8]) {
    with_bits!(bits, pack_bits(poly, bytes));
}

/// The converse of [`pack`].
pub(super) fn unpack(bytes: &[u8], bits: usize, poly: &mut Poly) {
    with_bits!(bits, unpack_bits(bytes, poly));
}

fn pack_bits<const BITS: usize>(poly: &Poly, bytes: &mut [u8]) {
    let (bytes, _) = bytes.as_chunks_mut::<BITS>();
    for (numbers, bytes) in poly.0.as_chunks::<8>().0.iter().zip(bytes) {
        let [a, b, c, d, e, f, g, h] = numbers.map(|number| number as u64);
        let first = a | b << BITS | c << (2 * BITS) | d << (3 * BITS);
        let second = e | f << BITS | g << (2 * BITS) | h << (3 * BITS);
        // Eight numbers are as many bytes as each has bits.
        let all = u128::from(first) | u128::from(second) << (4 * BITS);
        bytes.copy_from_slice(&all.to_le_bytes()[..BITS]);
    }
}

fn unpack_bits<const BITS: usize>(bytes: &[u8], poly: &mut Poly) {
    let (bytes, _) = bytes.as_chunks::<BITS>();
    for (numbers, bytes) in poly.0.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
        let mut all = [0; 16];
        all[..BITS].copy_from_slice(bytes);
        let all = u128::from_le_bytes(all);
        let halves = [all as u64, (all >> (4 * BITS)) as u64];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = (halves[i / 4] >> (BITS * (i % 4))) as i16 & ((1 << BITS) - 1);
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
