//! Compression and encoding (FIPS 203, section 4.2.1): `Compress` and `Decompress` over words of 16-bit integers,
//! `ByteEncode` and `ByteDecode` between integers of d bits and bytes.

use super::engine::{ByteKernel, Engine};
use super::ring::{Poly, Q};
use fairlane_lanes::{CoefficientCoding, I16xN};

/// `Compress_d`: replaces every x by 2^d x / q, rounded, modulo 2^d. Coefficients are below q; with d = 12 they stay as
/// they are.
///
/// The quotient is a multiplication by a constant, corrected by the remainder: a division might take variable time.
/// Tests try every coefficient.
#[inline(always)]
pub(super) fn compress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly, d: usize) {
    if d >= 12 {
        return;
    }
    // 2^(16 + d) / q fits in 15 bits up to d = 10; for d = 11 the coefficient is doubled instead.
    let doubled = d / 11;
    let inverse = W::splat(token, (((1_u32 << (16 + d - doubled)) + Q as u32 / 2) / Q as u32) as i16);
    let (double, power) = (W::splat(token, 1 << doubled), W::splat(token, 1 << d));
    let (q, half, mask) = (W::splat(token, Q), W::splat(token, Q / 2), W::splat(token, (1 << d) - 1));
    for word in poly.0.as_chunks_mut::<N>().0 {
        let x = W::load(token, word);
        // At most one too small, which the remainder shows.
        let quotient = x.mul_low(double).mul_high(inverse);
        let remainder = x.mul_low(power).sub(quotient.mul_low(q));
        let rounded = quotient.sub(half.sub(remainder).shr::<15>());
        rounded.and(mask).store(word);
    }
}

/// `Decompress_d`: replaces every y by q y / 2^d, rounded. With d = 12 coefficients stay as they are.
#[inline(always)]
pub(super) fn decompress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly, d: usize) {
    if d >= 12 {
        return;
    }
    let (power, q) = (W::splat(token, 1 << (15 - d)), W::splat(token, 2 * Q));
    for word in poly.0.as_chunks_mut::<N>().0 {
        // The top bit of the product's low half rounds.
        let y = W::load(token, word).mul_low(power);
        y.mul_high(q).sub(y.mul_low(q).shr::<15>()).store(word);
    }
}

/// `ByteEncode_d` (Algorithm 5): 32 d bytes. Coefficients have at most d bits. A parameter set's d<sub>u</sub> and
/// d<sub>v</sub>, 1 and 12 are supported.
pub(super) fn byte_encode(engine: Engine, poly: &Poly, d: usize, bytes: &mut [u8]) {
    engine.run_bytes(ByteEncode { poly, d, bytes });
}

/// `ByteDecode_d` (Algorithm 6) of 32 d bytes. With d = 12, coefficients are not reduced modulo q: those of keys are
/// checked by [`are_reduced`], those of CLWE-KEM's u are below 2^12.
pub(super) fn byte_decode(engine: Engine, bytes: &[u8], d: usize, poly: &mut Poly) {
    engine.run_bytes(ByteDecode { bytes, d, poly });
}

/// Whether all coefficients, of 12 bits each, are below q: the modulus check of section 7.2. Runs in constant time,
/// since ŝ is secret.
pub(super) fn are_reduced(engine: Engine, bytes: &[u8]) -> bool {
    engine.run_bytes(AreReduced(bytes))
}

struct ByteEncode<'a> {
    poly: &'a Poly,
    d: usize,
    bytes: &'a mut [u8],
}

struct ByteDecode<'a> {
    bytes: &'a [u8],
    d: usize,
    poly: &'a mut Poly,
}

struct AreReduced<'a>(&'a [u8]);

/// Runs a block with the value of `d` as the constant `$d`.
macro_rules! with_constant {
    ($value:expr, $d:ident => $body:block) => {
        with_constant!(@ $value, $d, $body, 1 4 5 7 10 11 12)
    };
    (@ $value:expr, $d:ident, $body:block, $($bits:literal)*) => {
        match $value {
            $($bits => {
                const $d: usize = $bits;
                $body
            })*
            _ => unreachable!("no parameter set has coefficients of so many bits"),
        }
    };
}

impl ByteKernel for ByteEncode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let (coefficients, _) = self.poly.0.as_chunks();
        with_constant!(self.d, D => {
            for i in 0..8 {
                token.pack::<D>(&coefficients[i], &mut self.bytes[4 * D * i..][..4 * D]);
            }
        });
    }
}

impl ByteKernel for ByteDecode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let (coefficients, _) = self.poly.0.as_chunks_mut();
        with_constant!(self.d, D => {
            for i in 0..8 {
                token.unpack::<D>(&self.bytes[4 * D * i..][..4 * D], &mut coefficients[i]);
            }
        });
    }
}

impl ByteKernel for AreReduced<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) -> bool {
        let mut all = true;
        for coefficients in self.0.as_chunks().0 {
            all &= token.all_below(coefficients, Q);
        }
        all
    }
}
