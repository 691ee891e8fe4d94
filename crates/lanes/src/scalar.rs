//! Words of one lane: plain integers, compiled with the features of any token, such as BMI's `andn` and `rorx`.

use crate::token::Token;
use crate::words::{KeccakWord, Sm3Word, U32xN, U64xN};
use core::marker::PhantomData;

macro_rules! scalar_word {
    ($name:ident, $trait:ident, $lane:ty { $($more:tt)* }) => {
        #[doc = concat!("One `", stringify!($lane), "`, under any token.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<T>($lane, PhantomData<T>);

        impl<T> $name<T> {
            #[inline(always)]
            const fn of(x: $lane) -> Self {
                Self(x, PhantomData)
            }
        }

        impl<T: Token> $trait<1> for $name<T> {
            type Token = T;

            #[inline(always)]
            fn splat(_: T, x: $lane) -> Self {
                Self::of(x)
            }
            #[inline(always)]
            fn from_array(_: T, [x]: [$lane; 1]) -> Self {
                Self::of(x)
            }
            #[inline(always)]
            fn to_array(self) -> [$lane; 1] {
                [self.0]
            }
            #[inline(always)]
            fn load(_: T, bytes: &[u8]) -> Self {
                let (lanes, rest) = bytes.as_chunks();
                assert!(lanes.len() <= 1 && rest.is_empty());
                Self::of(lanes.first().map_or(0, |lane| <$lane>::from_le_bytes(*lane)))
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
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                Self::of(self.0 ^ b.0)
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                Self::of(self.0 & b.0)
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                Self::of(self.0 | b.0)
            }
            #[inline(always)]
            fn not(self) -> Self {
                Self::of(!self.0)
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
            fn rotl<const K: u32>(self) -> Self {
                Self::of(self.0.rotate_left(K))
            }
            $($more)*
        }
    };
}

scalar_word!(U32x1, U32xN, u32 {
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self::of(self.0.swap_bytes())
    }
});
scalar_word!(U64x1, U64xN, u64 {
    #[inline(always)]
    fn mul_u32(self, b: Self) -> Self {
        const LOW: u64 = u32::MAX as u64;
        Self::of((self.0 & LOW) * (b.0 & LOW))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        Self::of(self.0 >> K)
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        Self::of(self.0 << K)
    }
});

impl<T: Token> KeccakWord<1> for U64x1<T> {
    // x86-64 has `andn` with BMI1 only.
    const AND_NOT: bool = !(cfg!(target_arch = "x86_64") && T::FEATURES.is_empty());
}

impl<T: Token> Sm3Word<1> for U32x1<T> {}
