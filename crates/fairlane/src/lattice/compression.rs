//! Numbers modulo q to few bits and back (`Compress` and `Decompress`, FIPS 203, section 4.2.1), over words of 16-bit numbers.
//!
//! No number is divided by q: quotients are products by a constant, put right by what is left; tests try all numbers.

use super::ring::{Poly, Q};
use fairlane_lanes::I16xN;

/// 2^bits x / q, rounded, modulo 2^bits, of numbers below q; those of 12 bits stay as they are.
#[inline(always)]
pub(super) fn compress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly, bits: usize) {
    if bits >= 12 {
        return;
    }
    // 2^(16 + bits) / q has 15 bits up to 10 bits: of 11 bits a number is doubled instead.
    let doubled = bits / 11;
    let inverse = W::splat(token, (((1_u32 << (16 + bits - doubled)) + Q as u32 / 2) / Q as u32) as i16);
    let (double, power) = (W::splat(token, 1 << doubled), W::splat(token, 1 << bits));
    let (q, half, mask) = (W::splat(token, Q), W::splat(token, Q / 2), W::splat(token, (1 << bits) - 1));
    for word in poly.0.as_chunks_mut::<N>().0 {
        let x = W::load(token, word);
        // One too small at most, which shows in the rest.
        let quotient = x.mul_low(double).mul_high(inverse);
        let rest = x.mul_low(power).sub(quotient.mul_low(q));
        let rounded = quotient.sub(half.sub(rest).shr::<15>());
        rounded.and(mask).store(word);
    }
}

/// q y / 2^bits, rounded; numbers of 12 bits stay as they are.
#[inline(always)]
pub(super) fn decompress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly, bits: usize) {
    if bits >= 12 {
        return;
    }
    let (power, q) = (W::splat(token, 1 << (15 - bits)), W::splat(token, 2 * Q));
    for word in poly.0.as_chunks_mut::<N>().0 {
        // The low half's first bit is the one that rounds.
        let y = W::load(token, word).mul_low(power);
        y.mul_high(q).sub(y.mul_low(q).shr::<15>()).store(word);
    }
}
