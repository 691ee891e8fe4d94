//! Plain integers, under any token.

use super::I16xN;
use crate::token::Token;
use core::marker::PhantomData;

/// One `i16`, under any token.
#[derive(Clone, Copy, Debug)]
pub struct I16x1<T>(i16, PhantomData<T>);

impl<T> I16x1<T> {
    #[inline(always)]
    const fn of(x: i16) -> Self {
        Self(x, PhantomData)
    }
}

impl<T: Token> I16xN<1> for I16x1<T> {
    type Token = T;

    #[inline(always)]
    fn splat(_: T, x: i16) -> Self {
        Self::of(x)
    }
    #[inline(always)]
    fn load(_: T, [x]: &[i16; 1]) -> Self {
        Self::of(*x)
    }
    #[inline(always)]
    fn store(self, lanes: &mut [i16; 1]) {
        *lanes = [self.0];
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::of(self.0.wrapping_add(b.0))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::of(self.0.wrapping_sub(b.0))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self::of(self.0 & b.0)
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        Self::of(self.0 >> K)
    }
    #[inline(always)]
    fn mul_low(self, b: Self) -> Self {
        Self::of(self.0.wrapping_mul(b.0))
    }
    #[inline(always)]
    fn mul_high(self, b: Self) -> Self {
        Self::of(((i32::from(self.0) * i32::from(b.0)) >> 16) as i16)
    }
    #[inline(always)]
    fn exchange<const LEN: usize>(self, _: Self) -> [Self; 2] {
        unreachable!("no length is below one")
    }
}
