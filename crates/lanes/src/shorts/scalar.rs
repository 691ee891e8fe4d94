//! Plain integers, under any token.

use super::I16xN;
use crate::token::Token;
use core::marker::PhantomData;

/// Two `i16`, under any token.
#[derive(Clone, Copy, Debug)]
pub struct I16x2<T>([i16; 2], PhantomData<T>);

impl<T> I16x2<T> {
    #[inline(always)]
    const fn of(x: i16, y: i16) -> Self {
        Self([x, y], PhantomData)
    }

    #[inline(always)]
    fn both(self, Self([x, y], _): Self, f: impl Fn(i16, i16) -> i16) -> Self {
        Self::of(f(self.0[0], x), f(self.0[1], y))
    }
}

impl<T: Token> I16xN<2> for I16x2<T> {
    type Token = T;
    type Sums = i32;

    #[inline(always)]
    fn splat(_: T, x: i16) -> Self {
        Self::of(x, x)
    }
    #[inline(always)]
    fn load(_: T, [x, y]: &[i16; 2]) -> Self {
        Self::of(*x, *y)
    }
    #[inline(always)]
    fn store(self, lanes: &mut [i16; 2]) {
        *lanes = self.0;
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.both(b, i16::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.both(b, i16::wrapping_sub)
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self.both(b, |x, y| x & y)
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        Self::of(self.0[0] >> K, self.0[1] >> K)
    }
    #[inline(always)]
    fn mul_low(self, b: Self) -> Self {
        self.both(b, i16::wrapping_mul)
    }
    #[inline(always)]
    fn mul_high(self, b: Self) -> Self {
        self.both(b, |x, y| ((i32::from(x) * i32::from(y)) >> 16) as i16)
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self::of(self.0[1], self.0[0])
    }
    #[inline(always)]
    fn mul_pairs(self, b: Self) -> i32 {
        let product = |i: usize| i32::from(self.0[i]) * i32::from(b.0[i]);
        product(0).wrapping_add(product(1))
    }
    #[inline(always)]
    fn add_sums(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn split_sums(a: i32, b: i32) -> [Self; 2] {
        [Self::of(a as i16, b as i16), Self::of((a >> 16) as i16, (b >> 16) as i16)]
    }
    #[inline(always)]
    fn exchange<const LEN: usize>(self, _: Self) -> [Self; 2] {
        unreachable!("no length is below two")
    }
}
