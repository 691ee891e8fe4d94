//! Words of one lane: plain integers, compiled with the features of any token, such as BMI's `andn` and `rorx`.

use crate::token::Token;
use crate::words::{KeccakWord, Sm3Word, U32xN, U64xN};
use core::marker::PhantomData;

/// A word whose results go through the function `$result`.
macro_rules! scalar_word {
    ($(#[$doc:meta])* $name:ident, $trait:ident, $lane:ty, $result:ident { $($more:tt)* }) => {
        $(#[$doc])*
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
                Self::of($result(self.0 ^ b.0))
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                Self::of($result(self.0 & b.0))
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                Self::of($result(self.0 | b.0))
            }
            #[inline(always)]
            fn not(self) -> Self {
                Self::of($result(!self.0))
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                Self::of($result(self.0.wrapping_add(b.0)))
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                Self::of($result(self.0.wrapping_sub(b.0)))
            }
            #[inline(always)]
            fn rotl<const K: u32>(self) -> Self {
                Self::of($result(self.0.rotate_left(K)))
            }
            $($more)*
        }
    };
}

/// What the compiler may change and reorder.
#[inline(always)]
const fn plain<T>(x: T) -> T {
    x
}

/// The same number, but the compiler no longer knows how it was computed.
#[inline(always)]
#[allow(unused_mut, reason = "elsewhere nothing is done")]
fn opaque(mut x: u64) -> u64 {
    if_x86!({
        // SAFETY: nothing is done.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    } else {});
    x
}

scalar_word!(/// One `u32`, under any token.
U32x1, U32xN, u32, plain {
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self::of(self.0.swap_bytes())
    }
});
macro_rules! u64_word {
    ($(#[$doc:meta])* $name:ident, $result:ident { $($more:tt)* }) => {
        scalar_word!($(#[$doc])* $name, U64xN, u64, $result {
            $($more)*
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
    };
}
u64_word!(/// One `u64`, under any token.
U64x1, plain {});
u64_word!(/// One `u64`, under any token, whose operations on x86-64 stay in the order written.
///
/// LLVM does not see how a result was computed, so that it neither joins sums nor keeps their parts for later. What
/// is not an operation, such as [`splat`](U64xN::splat) of a number in memory, is an operand of the next as usual.
U64x1InOrder, opaque {
    #[inline(always)]
    #[allow(unused_variables, reason = "some architectures need the token")]
    fn add_constant<const C: u64>(self, token: T, b: Self) -> Self {
        if C == 0 {
            return self.add(b);
        }
        if_x86!({{
            let mut x = self.0;
            // LLVM makes two instructions of it, for the sake of CPUs before Ice Lake and Zen.
            // SAFETY: only `x` changes.
            unsafe {
                core::arch::asm!(
                    "lea {0}, [{0} + {1} + {2}]",
                    inout(reg) x,
                    in(reg) b.0,
                    const C as i32,
                    options(nomem, nostack, preserves_flags),
                );
            }
            Self::of(x)
        }} else {
            self.add(b).add(Self::splat(token, C))
        })
    }
});

impl<T: Token> KeccakWord<1> for U64x1<T> {
    // x86-64 has `andn` with BMI1 only.
    const AND_NOT: bool = !(cfg!(target_arch = "x86_64") && T::FEATURES.is_empty());
}

impl<T: Token> Sm3Word<1> for U32x1<T> {}
