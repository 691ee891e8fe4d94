//! Numbers modulo p = 2^130 - 5 in integers of 64 bits: one block after the other.
//!
//! A block is 4 full products, 2 short ones and some 20 additions and shifts; the next block waits for its sum, which
//! takes 16 cycles (Emerald Rapids, 1.0 cycles a byte). What is at 2^130 or above is multiplied by five
//! and added at the bottom.
//!
//! Two chains of blocks side by side, joined by a power of r, were slower on a Zen 4: 21 cycles for two blocks instead
//! of 31, but 90 to join them (a product of two numbers, where neither is r, is nine full products); 256 bytes took
//! 24 % longer. On a Granite Rapids they took as long by themselves, and to seal or to open them took 7 to 10 % longer:
//! fewer instructions of the next message then run beside. Nor did the powers r to r^8 gain by squares, three steps
//! deep, as they do in lanes (`wide.rs`): 150 cycles more than one by one.

use core::ops::{Add, BitAnd, BitOr, Mul, Shl, Shr};

pub(super) const LOW_26: u64 = (1 << 26) - 1;
pub(super) const LOW_44: u64 = (1 << 44) - 1;

/// An integer of 128 bits and its halves: `u128` and `u64`, and in the proofs integers with bounds. The operators mean
/// what they mean there; sums and products must not overflow.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs implement it"))]
pub trait Wide:
    Copy + Add<Output = Self> + BitOr<Output = Self> + Shl<u32, Output = Self> + Shr<u32, Output = Self>
{
    /// An integer of 64 bits.
    type Half: Copy
        + Add<Output = Self::Half>
        + Mul<Output = Self::Half>
        + BitAnd<u64, Output = Self::Half>
        + BitOr<Output = Self::Half>
        + Shl<u32, Output = Self::Half>
        + Shr<u32, Output = Self::Half>;

    /// A number that is no secret.
    fn of(x: u64) -> Self::Half;
    /// The number itself.
    fn widen(x: Self::Half) -> Self;
    /// The product.
    fn product(a: Self::Half, b: Self::Half) -> Self;
    /// The number modulo 2<sup>64</sup>.
    fn low_half(self) -> Self::Half;
    /// The sum modulo 2<sup>128</sup>, and the carry.
    fn add_with_carry(self, b: Self) -> (Self, Self::Half);
}

impl Wide for u128 {
    type Half = u64;

    #[inline(always)]
    fn of(x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn widen(x: u64) -> Self {
        x.into()
    }
    #[inline(always)]
    fn product(a: u64, b: u64) -> Self {
        Self::from(a) * Self::from(b)
    }
    #[inline(always)]
    fn low_half(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    fn add_with_carry(self, b: Self) -> (Self, u64) {
        // From the bits, as by Kalyna's `sum_and_carry`, a block would take 85 instructions instead of 67 (x86-64,
        // rustc 1.95). There the flag becomes `adc` at levels 1, 2, 3, s and z; `.ci/outside/memcheck` finds branches.
        let (sum, carry) = self.overflowing_add(b);
        (sum, carry.into())
    }
}

/// A number below 5 x 2^128, not always reduced modulo p.
#[derive(Clone, Copy)]
pub(super) struct Number<W: Wide = u128> {
    /// The number modulo 2^128.
    pub(super) low: W,
    /// The number divided by 2^128.
    pub(super) high: W::Half,
}

/// The point r at which the polynomial is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Point<W: Wide = u128> {
    /// Below 2^60.
    low: W::Half,
    /// Below 2^60, and a multiple of 4.
    high: W::Half,
    /// 5 / 4 of `high`: what `high` is at 2^130.
    high_over: W::Half,
}

impl Point {
    pub(super) const ZERO: Self = Self { low: 0, high: 0, high_over: 0 };

    /// A key's first 16 bytes, of which 22 bits are cleared (RFC 8439, section 2.5.1).
    #[inline(always)]
    pub(super) fn new(bytes: [u8; 16]) -> Self {
        let r = u128::from_le_bytes(bytes) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self::of(r as u64, (r >> 64) as u64)
    }

    pub(super) fn number(&self) -> Number {
        Number { low: u128::from(self.high) << 64 | u128::from(self.low), high: 0 }
    }
}

impl<W: Wide> Point<W> {
    /// `low + high 2^64`
    #[inline(always)]
    pub(super) fn of(low: W::Half, high: W::Half) -> Self {
        Self { low, high, high_over: high + (high >> 2) }
    }
}

impl Number {
    pub(super) const ZERO: Self = Self { low: 0, high: 0 };
    #[cfg(test)]
    const ONE: Self = Self { low: 1, high: 0 };

    /// `(…((self + m1) r + m2) r + … + mn) r` over blocks of 16 bytes, each with a bit set beyond them.
    #[inline(always)]
    pub(super) fn absorb(self, r: &Point, blocks: &[[u8; 16]]) -> Self {
        let mut sum = self;
        for block in blocks {
            sum = sum.absorb_block(r, u128::from_le_bytes(*block), 1);
        }
        sum
    }

    /// The same with a message's last block, shorter than 16 bytes.
    #[inline]
    pub(super) fn absorb_last(self, r: &Point, bytes: &[u8]) -> Self {
        self.absorb_block(r, shorter(bytes) | 1 << (8 * bytes.len()), 0)
    }

    /// The same with a block of `bytes` and zeros. A kernel calls it.
    #[inline(always)]
    pub(super) fn absorb_padded(self, r: &Point, bytes: &[u8]) -> Self {
        self.absorb_block(r, shorter(bytes), 1)
    }
}

impl<W: Wide> Number<W> {
    /// `low + high 2^128`, with `high` below 2^63; what is at 2^130 or above is multiplied by five and added.
    #[inline(always)]
    fn fold(low: W, high: W::Half) -> Self {
        let (low, carry) = low.add_with_carry(W::widen((high & !3) + (high >> 2)));
        Self { low, high: (high & 3) + carry }
    }

    /// `self r`; `self` is below 7 x 2^128.
    #[inline(always)]
    pub(super) fn multiply(self, r: &Point<W>) -> Self {
        let (a, b) = (self.low.low_half(), (self.low >> 64).low_half());
        let low = W::product(a, r.low) + W::product(b, r.high_over);
        let middle = W::product(a, r.high) + W::product(b, r.low) + W::widen(self.high * r.high_over) + (low >> 64);
        let high = self.high * r.low + (middle >> 64).low_half();
        Self::fold(W::widen(low.low_half()) | middle << 64, high)
    }

    /// `(self + block + bit 2^128) r`
    #[inline(always)]
    pub(super) fn absorb_block(self, r: &Point<W>, block: W, bit: u64) -> Self {
        let (low, carry) = self.low.add_with_carry(block);
        Self { low, high: self.high + carry + W::of(bit) }.multiply(r)
    }

    /// The least number equal to it modulo p, modulo 2^128.
    #[inline]
    pub(super) fn reduce(self) -> W {
        let Self { low, high } = Self::fold(self.low, self.high);
        // It is p or more if adding 5 reaches 2^130; then that sum is the answer.
        let (_, carry) = low.add_with_carry(W::widen(W::of(5)));
        let over = (high + carry) >> 2;
        low.add_with_carry(W::widen(W::of(5) * over)).0
    }

    /// Five limbs of 26 bits; the last may have a quarter more.
    #[inline(always)]
    pub(super) fn to_limbs26(self) -> [W::Half; 5] {
        let limb = |at: u32| (self.low >> at).low_half() & LOW_26;
        [limb(0), limb(26), limb(52), limb(78), (self.low >> 104).low_half() | self.high << 24]
    }

    /// The converse of [`to_limbs26`](Self::to_limbs26), for limbs of any size below 2^62.
    #[inline(always)]
    pub(super) fn from_limbs26(limbs: [W::Half; 5]) -> Self {
        let [a, mut b, mut c, mut d, mut e] = limbs;
        b = b + (a >> 26);
        c = c + (b >> 26);
        d = d + (c >> 26);
        e = e + (d >> 26);
        let limb = |limb: W::Half, at: u32| W::widen(limb & LOW_26) << at;
        Self::fold(limb(a, 0) | limb(b, 26) | limb(c, 52) | limb(d, 78) | W::widen(e) << 104, e >> 24)
    }

    /// Limbs of 44, 44 and 42 bits; the last may have a quarter more.
    #[inline(always)]
    pub(super) fn to_limbs44(self) -> [W::Half; 3] {
        let limb = |at: u32| (self.low >> at).low_half() & LOW_44;
        [limb(0), limb(44), (self.low >> 88).low_half() | self.high << 40]
    }

    /// The converse of [`to_limbs44`](Self::to_limbs44), for limbs of any size below 2^62.
    #[inline(always)]
    pub(super) fn from_limbs44(limbs: [W::Half; 3]) -> Self {
        let [a, mut b, mut c] = limbs;
        b = b + (a >> 44);
        c = c + (b >> 44);
        let limb = |limb: W::Half, at: u32| W::widen(limb & LOW_44) << at;
        Self::fold(limb(a, 0) | limb(b, 44) | W::widen(c) << 88, c >> 40)
    }
}

/// Reads a little-endian number of up to 15 bytes by two overlapping loads: one of 16 bytes would wait for a block that
/// was just stored in parts.
#[inline(always)]
fn shorter(bytes: &[u8]) -> u128 {
    macro_rules! ends {
        ($($int:ident)*) => {$(
            if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
                let [first, last] = [first, last].map(|end| u128::from($int::from_le_bytes(*end)));
                return first | last << (8 * (bytes.len() - size_of::<$int>()));
            }
        )*};
    }
    ends!(u64 u32 u16 u8);
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// p - 1 + k, for small k.
    fn about_p(k: u128) -> Number {
        let (low, carry) = (u128::MAX - 5).overflowing_add(k);
        Number { low, high: 3 + u64::from(carry) }
    }

    #[test]
    fn the_least_number_is_taken() {
        assert_eq!(about_p(0).reduce(), u128::MAX - 5);
        for k in 1..20 {
            assert_eq!(about_p(k).reduce(), k - 1);
        }
        // 5 x 2^128 - 1 is 2^128 + 4.
        assert_eq!(Number { low: u128::MAX, high: 4 }.reduce(), 4);
        assert_eq!(Number { low: u128::MAX, high: 2 }.reduce(), u128::MAX);
    }

    #[test]
    fn products_are_those_of_small_numbers() {
        let [one, four] = [[1, 0], [0, 4]].map(|[low, high]| Point::of(low, high));
        for number in [about_p(0), about_p(7), Number { low: u128::MAX, high: 6 }] {
            let folded = Number::fold(number.low, number.high);
            assert_eq!(number.multiply(&one).reduce(), folded.reduce());
        }
        // 4 x 2^64 times 2^64 is 2^130, which is 5; and -1 times it -2^66.
        assert_eq!(Number { low: 1 << 64, high: 0 }.multiply(&four).reduce(), 5);
        assert_eq!(about_p(0).multiply(&four).reduce(), (u128::MAX - 4) - (1 << 66));
    }

    /// Limbs of `bits` each and the last longer, all 2^62 - 1, by Horner's rule.
    fn of_long_limbs(bits: u32, limbs: usize) -> Number {
        let shift = Point { low: 1 << bits, high: 0, high_over: 0 };
        let mut sum = Number::ZERO;
        for _ in 0..limbs {
            let shifted = sum.multiply(&shift);
            let (low, carry) = shifted.low.overflowing_add((1 << 62) - 1);
            sum = Number { low, high: shifted.high + u64::from(carry) };
        }
        Number::fold(sum.low, sum.high)
    }

    #[test]
    fn limbs_are_the_same_number() {
        for number in [Number::ZERO, Number::ONE, about_p(0), about_p(9), Number { low: u128::MAX, high: 4 }] {
            assert_eq!(Number::<u128>::from_limbs26(number.to_limbs26()).reduce(), number.reduce());
            assert_eq!(Number::<u128>::from_limbs44(number.to_limbs44()).reduce(), number.reduce());
        }
        assert_eq!(Number::<u128>::from_limbs26([(1 << 62) - 1; 5]).reduce(), of_long_limbs(26, 5).reduce());
        assert_eq!(Number::<u128>::from_limbs44([(1 << 62) - 1; 3]).reduce(), of_long_limbs(44, 3).reduce());
    }

    #[test]
    fn short_blocks_are_numbers() {
        let block: [u8; 16] = core::array::from_fn(|i| 0x91 + 7 * i as u8);
        for len in 0..16 {
            let mut padded = [0; 16];
            padded[..len].copy_from_slice(&block[..len]);
            assert_eq!(shorter(&block[..len]), u128::from_le_bytes(padded), "{len} bytes");
        }
    }
}
