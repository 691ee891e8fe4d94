//! A word of one lane in an integer register of x86-64, by the instructions of BMI2.

use crate::token::{Avx2, Token};
use crate::words::{Sm3Word, U32xN};
use core::arch::asm;
use core::marker::PhantomData;

/// One `u32`, whose operations the compiler neither changes nor reorders.
///
/// This is for algorithms that are bound by latency, where the order decides which instruction waits, such as SM3's.
/// Code whose order does not matter uses plain integers from [`to_array`](U32xN::to_array).
#[derive(Clone, Copy, Debug)]
pub struct U32x1Bmi2<T>(u32, PhantomData<T>);

impl<T> U32x1Bmi2<T> {
    #[inline(always)]
    const fn of(x: u32) -> Self {
        Self(x, PhantomData)
    }
}

/// `self = self OP b`
macro_rules! in_place {
    ($($name:ident $instruction:literal)*) => {$(
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            let mut x = self.0;
            // SAFETY: only `x` and the flags change.
            unsafe { asm!(concat!($instruction, " {:e}, {:e}"), inout(reg) x, in(reg) b.0, options(nomem, nostack)) };
            Self::of(x)
        }
    )*};
}

impl<T: Token + Into<Avx2>> U32xN<1> for U32x1Bmi2<T> {
    type Token = T;

    #[inline]
    fn splat(_: T, x: u32) -> Self {
        Self::of(x)
    }
    #[inline]
    fn from_array(_: T, [x]: [u32; 1]) -> Self {
        Self::of(x)
    }
    #[inline]
    fn to_array(self) -> [u32; 1] {
        [self.0]
    }
    #[inline(always)]
    fn load(_: T, bytes: &[u8]) -> Self {
        let (lanes, rest) = bytes.as_chunks();
        assert!(lanes.len() <= 1 && rest.is_empty());
        Self::of(lanes.first().map_or(0, |lane| u32::from_le_bytes(*lane)))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let (lanes, rest) = bytes.as_chunks_mut();
        assert!(lanes.len() <= 1 && rest.is_empty());
        if let [lane] = lanes {
            *lane = self.0.to_le_bytes();
        }
    }
    #[inline(always)]
    fn transpose(words: [Self; 1]) -> [Self; 1] {
        words
    }
    in_place!(xor "xor" and "and" or "or" add "add" sub "sub");
    #[inline]
    fn not(self) -> Self {
        Self::of(!self.0)
    }
    #[inline]
    fn rotl<const K: u32>(self) -> Self {
        let x;
        // SAFETY: the token proves BMI2; only `x` changes.
        unsafe {
            asm!(
                "rorx {:e}, {:e}, {}",
                lateout(reg) x,
                in(reg) self.0,
                const 32 - K,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self::of(x)
    }
    #[inline]
    fn swap_bytes(self) -> Self {
        Self::of(self.0.swap_bytes())
    }
}

impl<T: Token + Into<Avx2>> Sm3Word<1> for U32x1Bmi2<T> {
    #[inline(always)]
    fn select_in_parts(self, parts: [Self; 2], b: Self, c: Self) -> Self {
        let differ = b.xor(c);
        let first = differ.and(parts[0]);
        first.xor(differ.and(parts[1]).xor(c))
    }
    // The two have no bit in common, so that they can be added one by one, the latest last.
    #[inline(always)]
    fn add_majority(self, a: Self, b: Self, c: Self) -> Self {
        let either = b.xor(c).and(a);
        let both = b.and(c);
        self.add(both).add(either)
    }
    #[inline(always)]
    fn xor_rotated_and_parts<const I: u32, const J: u32>(self) -> (Self, [Self; 2]) {
        let first = self.rotl::<I>();
        let second = self.rotl::<J>();
        let first = first.xor(self);
        (first.xor(second), [first, second])
    }
    #[inline(always)]
    fn add_constant<const C: u32>(self, token: T, b: Self) -> Self {
        // Not `lea` with three operands: it takes two cycles on a Zen.
        Self::splat(token, self.0.wrapping_add(C)).add(b)
    }
}
