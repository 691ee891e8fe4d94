//! Numbers modulo p = 2^130 - 5 in integers of 64 bits: one block after the other.
//!
//! A block is 4 full products, 2 short ones and some 20 additions and shifts; the next block waits for its sum, which
//! takes 16 cycles (Emerald Rapids, 1.0 cycles a byte). What is at 2^130 or above is multiplied by five
//! and added at the bottom.

use zeroize::Zeroize;

pub(super) const LOW_26: u64 = (1 << 26) - 1;
pub(super) const LOW_44: u64 = (1 << 44) - 1;

/// A number below 5 x 2^128, not always reduced modulo p.
#[derive(Clone, Copy)]
pub(super) struct Number {
    /// The number modulo 2^128.
    low: u128,
    /// The number divided by 2^128.
    high: u64,
}

/// The point r at which the polynomial is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// Below 2^60.
    low: u64,
    /// Below 2^60, and a multiple of 4.
    high: u64,
    /// 5 / 4 of `high`: what `high` is at 2^130.
    high_over: u64,
}

impl Point {
    /// A key's first 16 bytes, of which 22 bits are cleared (RFC 8439, section 2.5.1).
    #[inline(always)]
    pub(super) fn new(bytes: [u8; 16]) -> Self {
        let r = u128::from_le_bytes(bytes) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        let high = (r >> 64) as u64;
        Self { low: r as u64, high, high_over: high + (high >> 2) }
    }

    pub(super) fn number(&self) -> Number {
        Number { low: u128::from(self.high) << 64 | u128::from(self.low), high: 0 }
    }
}

impl Number {
    pub(super) const ZERO: Self = Self { low: 0, high: 0 };
    #[cfg(test)]
    const ONE: Self = Self { low: 1, high: 0 };

    /// `low + high 2^128`, with `high` below 2^63; what is at 2^130 or above is multiplied by five and added.
    #[inline(always)]
    fn fold(low: u128, high: u64) -> Self {
        let (low, carry) = low.overflowing_add(u128::from((high & !3) + (high >> 2)));
        Self { low, high: (high & 3) + u64::from(carry) }
    }

    /// `self r`; `self` is below 7 x 2^128.
    #[inline(always)]
    pub(super) fn multiply(self, r: &Point) -> Self {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let (a, b) = (self.low as u64, (self.low >> 64) as u64);
        let low = product(a, r.low) + product(b, r.high_over);
        let middle = product(a, r.high) + product(b, r.low) + u128::from(self.high * r.high_over) + (low >> 64);
        let high = self.high * r.low + (middle >> 64) as u64;
        Self::fold(u128::from(low as u64) | middle << 64, high)
    }

    /// `(self + block + bit 2^128) r`
    #[inline(always)]
    fn absorb_block(self, r: &Point, block: u128, bit: u64) -> Self {
        let (low, carry) = self.low.overflowing_add(block);
        Self { low, high: self.high + u64::from(carry) + bit }.multiply(r)
    }

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

    /// The same with a block of `bytes` and zeros.
    #[inline]
    pub(super) fn absorb_padded(self, r: &Point, bytes: &[u8]) -> Self {
        self.absorb_block(r, shorter(bytes), 1)
    }

    /// The least number equal to it modulo p, modulo 2^128.
    #[inline]
    pub(super) fn reduce(self) -> u128 {
        let Self { low, high } = Self::fold(self.low, self.high);
        // It is p or more if adding 5 reaches 2^130; then that sum is the answer.
        let (_, carry) = low.overflowing_add(5);
        let over = (high + u64::from(carry)) >> 2;
        low.wrapping_add(u128::from(5 * over))
    }

    /// Five limbs of 26 bits; the last may have a quarter more.
    #[inline(always)]
    pub(super) fn to_limbs26(self) -> [u64; 5] {
        let limb = |at: u32| (self.low >> at) as u64 & LOW_26;
        [limb(0), limb(26), limb(52), limb(78), (self.low >> 104) as u64 | self.high << 24]
    }

    /// The converse of [`to_limbs26`](Self::to_limbs26), for limbs of any size below 2^62.
    #[inline(always)]
    pub(super) fn from_limbs26(limbs: [u64; 5]) -> Self {
        let [a, mut b, mut c, mut d, mut e] = limbs;
        b += a >> 26;
        c += b >> 26;
        d += c >> 26;
        e += d >> 26;
        let limb = |limb: u64, at: u32| u128::from(limb & LOW_26) << at;
        Self::fold(limb(a, 0) | limb(b, 26) | limb(c, 52) | limb(d, 78) | u128::from(e) << 104, e >> 24)
    }

    /// Limbs of 44, 44 and 42 bits; the last may have a quarter more.
    #[inline(always)]
    pub(super) fn to_limbs44(self) -> [u64; 3] {
        let limb = |at: u32| (self.low >> at) as u64 & LOW_44;
        [limb(0), limb(44), (self.low >> 88) as u64 | self.high << 40]
    }

    /// The converse of [`to_limbs44`](Self::to_limbs44), for limbs of any size below 2^62.
    #[inline(always)]
    pub(super) fn from_limbs44(limbs: [u64; 3]) -> Self {
        let [a, mut b, mut c] = limbs;
        b += a >> 44;
        c += b >> 44;
        let limb = |limb: u64, at: u32| u128::from(limb & LOW_44) << at;
        Self::fold(limb(a, 0) | limb(b, 44) | u128::from(c) << 88, c >> 40)
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

impl Zeroize for Number {
    fn zeroize(&mut self) {
        self.low.zeroize();
        self.high.zeroize();
    }
}

impl Zeroize for Point {
    fn zeroize(&mut self) {
        self.low.zeroize();
        self.high.zeroize();
        self.high_over.zeroize();
    }
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
        let [one, four] = [[0, 0], [0, 4]].map(|[low, high]| Point { low, high, high_over: high + high / 4 });
        let one = Point { low: 1, ..one };
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
            assert_eq!(Number::from_limbs26(number.to_limbs26()).reduce(), number.reduce());
            assert_eq!(Number::from_limbs44(number.to_limbs44()).reduce(), number.reduce());
        }
        assert_eq!(Number::from_limbs26([(1 << 62) - 1; 5]).reduce(), of_long_limbs(26, 5).reduce());
        assert_eq!(Number::from_limbs44([(1 << 62) - 1; 3]).reduce(), of_long_limbs(44, 3).reduce());
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
