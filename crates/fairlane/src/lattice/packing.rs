//! Numbers of few bits as bytes (`ByteEncode` and `ByteDecode`, FIPS 203, section 4.2.1).

use super::pke::{BitWork, Machine};
use super::ring::{Poly, Q};
use fairlane_lanes::Bits;

/// Bytes of a polynomial whose numbers have `bits` bits.
pub(super) const fn packed(bits: usize) -> usize {
    32 * bits
}

/// Packs numbers of `bits` bits each.
pub(super) fn pack(machine: Machine, poly: &Poly, bits: usize, bytes: &mut [u8]) {
    machine.run_bits(Pack { poly, bits, bytes });
}

/// The converse of [`pack`].
pub(super) fn unpack(machine: Machine, bytes: &[u8], bits: usize, poly: &mut Poly) {
    machine.run_bits(Unpack { bytes, bits, poly });
}

/// Whether all numbers of a key, of 12 bits, are below q. All are looked at, whatever they are: they may be secret.
pub(super) fn are_reduced(machine: Machine, bytes: &[u8]) -> bool {
    machine.run_bits(AreReduced(bytes))
}

struct Pack<'a> {
    poly: &'a Poly,
    bits: usize,
    bytes: &'a mut [u8],
}

struct Unpack<'a> {
    bytes: &'a [u8],
    bits: usize,
    poly: &'a mut Poly,
}

/// Does something for a number of bits, as a constant.
macro_rules! with_bits {
    ($value:expr, $bits:ident => $body:block) => {
        with_bits!(@ $value, $bits, $body, 1 4 5 7 10 11 12)
    };
    (@ $value:expr, $bits:ident, $body:block, $($count:literal)*) => {
        match $value {
            $($count => {
                const $bits: usize = $count;
                $body
            })*
            _ => unreachable!("no parameter set has numbers of so many bits"),
        }
    };
}

impl BitWork for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Bits>(self, token: T) {
        let (numbers, _) = self.poly.0.as_chunks();
        with_bits!(self.bits, BITS => {
            for i in 0..8 {
                token.pack::<BITS>(&numbers[i], &mut self.bytes[4 * BITS * i..][..4 * BITS]);
            }
        });
    }
}

impl BitWork for Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Bits>(self, token: T) {
        let (numbers, _) = self.poly.0.as_chunks_mut();
        with_bits!(self.bits, BITS => {
            for i in 0..8 {
                token.unpack::<BITS>(&self.bytes[4 * BITS * i..][..4 * BITS], &mut numbers[i]);
            }
        });
    }
}

struct AreReduced<'a>(&'a [u8]);

impl BitWork for AreReduced<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<T: Bits>(self, token: T) -> bool {
        let mut all = true;
        for numbers in self.0.as_chunks().0 {
            all &= token.are_below(numbers, Q);
        }
        all
    }
}
