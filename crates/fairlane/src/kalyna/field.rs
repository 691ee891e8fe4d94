//! The hash of GCM and GMAC (DSTU 7624:2014, clause 12): polynomials over fields whose elements are blocks, written
//! once for all words.
//!
//! A block is a little-endian number, whose bit `i` is the coefficient of x<sup>i</sup>. It has `D` digits of 128 bits:
//! 1, 2 or 4. Words hold blocks as memory does. Each block of a group is multiplied by its own power of H,
//!
//! ```text
//! sum <- (sum + b1) H^K + b2 H^(K-1) + ... + bK H
//! ```
//!
//! and the sum is reduced once for the whole group.
//!
//! Constant time: no backend uses tables for the products.

use super::products::{self, MAX_GROUP, sum_of_products};
use crate::carryless::{CarrylessKernel, run};
use core::ops::{BitXor, Shl, Shr};
use fairlane_lanes::{AnyToken, Polynomials};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The key of the hash of GCM and GMAC.
pub trait HashKey: Clone + ZeroizeOnDrop {
    /// Computes the powers of `h`, a block. The token may be that of a cipher: the best kernel for its CPU features
    /// runs.
    fn new(token: AnyToken, h: &[u8]) -> Self;

    /// Absorbs whole blocks: adds each to the sum, and multiplies that by H.
    fn absorb(&self, sum: &mut [u8], blocks: &[u8]);
}

/// Powers of H, for blocks of `D` digits.
#[derive(Clone)]
pub struct Powers<const D: usize> {
    token: AnyToken,
    powers: products::Powers<D>,
}

/// The functions of keys for blocks of `D` digits. They are not generic: they are compiled in this crate, and not in
/// each user's.
macro_rules! hash_key {
    ($($d:literal)*) => {$(
        impl HashKey for Powers<$d> {
            #[inline(never)]
            fn new(token: AnyToken, h: &[u8]) -> Self {
                let mut key = Self { token, powers: products::Powers::ZERO };
                run(token, MakePowers { h: element(h), powers: &mut key.powers });
                key
            }

            #[inline(never)]
            fn absorb(&self, sum: &mut [u8], blocks: &[u8]) {
                if blocks.is_empty() {
                    return;
                }
                let before = element(sum);
                let after = run(self.token, Absorb { powers: &self.powers, sum: before, digits: blocks.as_chunks().0 });
                for (bytes, digit) in sum.as_chunks_mut().0.iter_mut().zip(after) {
                    *bytes = digit.to_le_bytes();
                }
            }
        }
    )*};
}
hash_key!(1 2 4);

impl<const D: usize> Drop for Powers<D> {
    fn drop(&mut self) {
        self.powers.zeroize();
    }
}

impl<const D: usize> ZeroizeOnDrop for Powers<D> {}

/// The digits of a block.
fn element<const D: usize>(block: &[u8]) -> [u128; D] {
    let mut digits = [0; D];
    for (digit, bytes) in digits.iter_mut().zip(block.as_chunks().0) {
        *digit = u128::from_le_bytes(*bytes);
    }
    digits
}

/// Computes the powers of H in place.
pub(super) struct MakePowers<'a, const D: usize> {
    pub(super) h: [u128; D],
    pub(super) powers: &'a mut products::Powers<D>,
}

impl<const D: usize> CarrylessKernel for MakePowers<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token)
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>,
    {
        let Self { h, powers } = self;
        let count = const { group::<N, WORDS, D>() / D };
        for i in 1..=count {
            // H^i is H^(i / 2) times the power that remains.
            let mut power = h;
            if i > 1 {
                let mut half = [[0; 16]; D];
                for e in 0..D {
                    half[e] = powers.digits[e][(count - i / 2) * D].to_le_bytes();
                }
                power =
                    reduce(&sum_of_products::<S, 1, D>(token.into(), powers, (count - (i - i / 2)) * D, [0; D], &half));
            }
            for e in 0..D {
                for at in (count - i) * D..(count - i + 1) * D {
                    powers.digits[e][at] = power[e];
                    powers.folded[e][at] = u128::from((power[e] >> 64) as u64 ^ power[e] as u64);
                }
            }
        }
    }
}

/// Absorbs whole blocks.
pub(super) struct Absorb<'a, const D: usize> {
    pub(super) powers: &'a products::Powers<D>,
    pub(super) sum: [u128; D],
    pub(super) digits: &'a [[u8; 16]],
}

impl<const D: usize> CarrylessKernel for Absorb<'_, D> {
    type Output = [u128; D];

    #[inline(always)]
    fn call<W, S, const N: usize, const WORDS: usize>(self, token: W::Token) -> [u128; D]
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
    {
        let Self { powers, mut sum, mut digits } = self;
        let group = const { group::<N, WORDS, D>() };
        while digits.len() >= group {
            sum = reduce(&sum_of_products::<W, N, D>(token, powers, 0, sum, &digits[..group]));
            digits = &digits[group..];
        }
        if !digits.is_empty() {
            sum = reduce(&sum_of_products::<W, N, D>(token, powers, group - digits.len(), sum, digits));
        }
        sum
    }
}

/// Digits of a group: as many as share one reduction in GHASH, which costs about the same, and a whole block at least.
const fn group<const N: usize, const WORDS: usize, const D: usize>() -> usize {
    let group = N * WORDS;
    assert!(group <= MAX_GROUP && group.is_multiple_of(D) && group.is_multiple_of(N) && matches!(D, 1 | 2 | 4));
    group
}

/// The exponents of the modulus x<sup>128 D</sup> + ... + 1, except the first and the last one.
#[inline(always)]
pub(super) const fn exponents(d: usize) -> [u32; 3] {
    match d {
        1 => [7, 2, 1],
        2 => [10, 5, 2],
        _ => [8, 5, 2],
    }
}

/// Reduces `2 * D` digits of 128 bits modulo the field's polynomial: numbers, or in the proofs functions of bits.
#[inline(always)]
pub(super) fn reduce<T, const D: usize>(total: &[T; 8]) -> [T; D]
where
    T: Copy + BitXor<Output = T> + Shl<u32, Output = T> + Shr<u32, Output = T>,
{
    let exponents = const { exponents(D) };
    // The bits that would be shifted out of the upper half are added at its beginning, which is equivalent.
    let mut lowest = total[D];
    for k in 0..3 {
        lowest = lowest ^ total[2 * D - 1] >> (128 - exponents[k]);
    }
    let mut rest = [total[0]; D];
    for i in 0..D {
        let this = if i == 0 { lowest } else { total[D + i] };
        rest[i] = total[i] ^ this;
        for k in 0..3 {
            rest[i] = rest[i] ^ this << exponents[k];
            if i > 0 {
                let before = if i == 1 { lowest } else { total[D + i - 1] };
                rest[i] = rest[i] ^ before >> (128 - exponents[k]);
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;

    /// The product, bit by bit.
    fn by_bits<const D: usize>(a: [u128; D], b: [u128; D]) -> [u128; D] {
        let mut product = [0; D];
        for bit in (0..128 * D).rev() {
            let over = product[D - 1] >> 127;
            for i in (0..D).rev() {
                product[i] = product[i] << 1 | if i > 0 { product[i - 1] >> 127 } else { 0 };
            }
            product[0] ^= over | exponents(D).iter().fold(0, |rest, k| rest | over << k);
            if b[bit / 128] >> (bit % 128) & 1 == 1 {
                product.iter_mut().zip(a).for_each(|(sum, a)| *sum ^= a);
            }
        }
        product
    }

    fn bytes<const D: usize>(a: [u128; D]) -> Vec<u8> {
        a.iter().flat_map(|digit| digit.to_le_bytes()).collect()
    }

    fn times<const D: usize>(token: AnyToken, a: [u128; D], b: [u128; D]) -> [u128; D]
    where
        Powers<D>: HashKey,
    {
        let mut sum = vec![0; 16 * D];
        Powers::<D>::new(token, &bytes(b)).absorb(&mut sum, &bytes(a));
        element(&sum)
    }

    fn plus<const D: usize>(a: [u128; D], b: [u128; D]) -> [u128; D] {
        core::array::from_fn(|i| a[i] ^ b[i])
    }

    /// Full, sparse and mixed ones, and those on both sides of every seam.
    fn elements<const D: usize>() -> Vec<[u128; D]> {
        let one_bit = |bit: usize| core::array::from_fn(|i| if i == bit / 128 { 1 << (bit % 128) } else { 0 });
        let seams = (0..2 * D).flat_map(|half| [64 * half, 64 * half + 1, 64 * half + 63]);
        let mut elements: Vec<_> = seams.map(one_bit).collect();
        elements.extend([[0; D], [u128::MAX; D], [u128::MAX << 64; D], [u64::MAX.into(); D]]);
        let mut next = 0x0123_4567_89ab_cdef_u128;
        elements.extend((0..10).map(|_| {
            core::array::from_fn(|_| {
                next = next.wrapping_mul(0xda94_2042_e4dd_58b5_0000_0000_0000_0005).rotate_left(41) ^ 7;
                next
            })
        }));
        elements
    }

    fn tokens() -> impl Iterator<Item = AnyToken> {
        Backend::ALL.iter().filter_map(|backend| AnyToken::new(*backend).ok())
    }

    fn check_products<const D: usize>()
    where
        Powers<D>: HashKey,
    {
        let elements = elements::<D>();
        for token in tokens() {
            for (i, &a) in elements.iter().enumerate() {
                for &b in &elements[i..] {
                    let expected = by_bits(a, b);
                    assert_eq!(times(token, a, b), expected, "{a:x?} {b:x?} {}", token.backend());
                    assert_eq!(times(token, b, a), expected);
                }
            }
            for abc in elements.windows(3).chain(elements[elements.len() - 10..].windows(3)) {
                let [a, b, c] = [abc[0], abc[1], abc[2]];
                assert_eq!(times(token, times(token, a, b), c), times(token, a, times(token, b, c)));
                assert_eq!(times(token, a, plus(b, c)), plus(times(token, a, b), times(token, a, c)));
            }
        }
    }

    #[test]
    fn products() {
        check_products::<1>();
        check_products::<2>();
        check_products::<4>();
    }

    /// Every number of blocks to beyond two groups, from a sum that is not zero.
    fn check_sums<const D: usize>()
    where
        Powers<D>: HashKey,
    {
        let elements = elements::<D>();
        for token in tokens() {
            let h = elements[elements.len() - 1];
            let powers = Powers::<D>::new(token, &bytes(h));
            for count in 0..=40 {
                let blocks: Vec<_> = elements.iter().cycle().skip(6 * D).take(count).copied().collect();
                let begin = elements[elements.len() - 2];
                let expected = blocks.iter().fold(begin, |sum, block| by_bits(plus(sum, *block), h));
                let mut sum = bytes(begin);
                powers.absorb(&mut sum, &blocks.iter().flat_map(|block| bytes(*block)).collect::<Vec<_>>());
                assert_eq!(element::<D>(&sum), expected, "{count} blocks, {}", token.backend());
            }
        }
    }

    #[test]
    fn sums() {
        check_sums::<1>();
        check_sums::<2>();
        check_sums::<4>();
    }
}
