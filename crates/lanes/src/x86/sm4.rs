//! SM4's rounds on x86-64: the instructions `VSM4RNDS4` and `VSM4KEY4`.

use super::avx2::SWAP;
use super::bytes::{U8x16Gfni, U8x32Gfni};
use crate::Sm4Rounds;
use crate::token::Sm4Ni;
use core::arch::x86_64::*;

macro_rules! rounds {
    (
        $name:ident, bytes: $n:literal, rounds: $rounds:ident, key_rounds: $key_rounds:ident,
    ) => {
        impl Sm4Rounds<$n> for $name {
            type Sm4 = Sm4Ni;

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                self.shuffled(&SWAP)
            }
            #[inline(always)]
            fn reverse_bytes(self) -> Self {
                self.shuffled(&[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
            }
            #[inline(always)]
            fn rounds(self, _: Sm4Ni, keys: Self) -> Self {
                // SAFETY: the token proves the instructions.
                Self(unsafe { $rounds(self.0, keys.0) })
            }
            #[inline(always)]
            fn key_rounds(self, _: Sm4Ni, ck: Self) -> Self {
                // SAFETY: the token proves the instructions.
                Self(unsafe { $key_rounds(self.0, ck.0) })
            }
        }
    };
}

rounds!(
    U8x16Gfni, bytes: 16, rounds: _mm_sm4rnds4_epi32, key_rounds: _mm_sm4key4_epi32,
);
rounds!(
    U8x32Gfni, bytes: 32, rounds: _mm256_sm4rnds4_epi32, key_rounds: _mm256_sm4key4_epi32,
);
