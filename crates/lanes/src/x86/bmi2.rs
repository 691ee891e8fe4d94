//! A word of one lane in an integer register of x86-64, by the instructions of BMI2.

use crate::token::{Avx2, Avx512, Token, covers};
use crate::words::{Sm3Word, U32xN};
use core::arch::asm;
use core::marker::PhantomData;

/// One `u32`, whose operations the compiler neither changes nor reorders.
///
/// This is for algorithms that are bound by latency, where the order decides which instruction waits. A round of SM3
/// takes 7.15 cycles in the order written, and 7.8 at best in the compiler's order. Code whose place does not matter
/// uses plain integers from [`to_array`](U32xN::to_array).
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

impl<T: Token + Into<Avx2>> U32x1Bmi2<T> {
    /// `!self & b`
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        let x;
        // SAFETY: the token proves BMI1; only `x` and the flags change.
        unsafe {
            asm!("andn {:e}, {:e}, {:e}", lateout(reg) x, in(reg) self.0, in(reg) b.0, options(nomem, nostack));
        }
        Self::of(x)
    }
}

impl<T: Token + Into<Avx2>> U32xN<1> for U32x1Bmi2<T> {
    type Token = T;

    #[inline(always)]
    fn splat(_: T, x: u32) -> Self {
        Self::of(x)
    }
    #[inline(always)]
    fn from_array(_: T, [x]: [u32; 1]) -> Self {
        Self::of(x)
    }
    #[inline(always)]
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
    #[inline(always)]
    fn not(self) -> Self {
        Self::of(!self.0)
    }
    #[inline(always)]
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
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self::of(self.0.swap_bytes())
    }
}

impl<T: Token + Into<Avx2>> Sm3Word<1> for U32x1Bmi2<T> {
    // The parts of both functions have no bit in common, so that they can be added one by one, the latest last.
    #[inline(always)]
    fn add_select(self, a: Self, b: Self, c: Self) -> Self {
        let second = a.and_not(c);
        let first = a.and(b);
        self.add(second).add(first)
    }
    #[inline(always)]
    fn add_majority(self, a: Self, b: Self, c: Self) -> Self {
        let both = b.and(c);
        let either = b.xor(c).and(a);
        self.add(both).add(either)
    }
    #[inline(always)]
    fn xor_rotated<const I: u32, const J: u32>(self) -> Self {
        self.rotl::<I>().xor(self).xor(self.rotl::<J>())
    }
    #[inline(always)]
    fn add_constant<const C: u32>(self, token: T, b: Self) -> Self {
        // A sum of three takes a cycle from Ice Lake on, and two or three on most CPUs without AVX-512.
        if !const { covers(T::FEATURES, Avx512::FEATURES) } {
            return Self::splat(token, self.0.wrapping_add(C)).add(b);
        }
        let x;
        // SAFETY: only `x` changes.
        unsafe {
            asm!(
                "lea {:e}, [{:r} + {:r} + {}]",
                lateout(reg) x,
                in(reg) self.0,
                in(reg) b.0,
                const C as i32,
                options(nomem, nostack, preserves_flags),
            );
        }
        Self::of(x)
    }
}
