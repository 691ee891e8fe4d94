//! The words of x86-64 on other architectures: types without values.

/// Expands to the second of two pieces of code, because the target is of another architecture.
macro_rules! if_x86 {
    ({ $($here:tt)* } else { $($elsewhere:tt)* }) => { $($elsewhere)* };
}

use crate::absent::{Absent, absent_words};
use crate::token::{Avx2, Avx2Aes, Avx2Gfni, Avx512, Avx512Gfni, Avx512Ifma, Avx512Vbmi, Sm3Ni};

absent_words! {
    U32x8: 8 u32 Avx2;
    U64x4: 4 u64 Avx2;
    I16x16: 16 i16 Avx2;
    U32x4Vl: 4 u32 Avx512;
    U32x8Vl: 8 u32 Avx512;
    U32x16: 16 u32 Avx512;
    U64x1Vl: 1 u64 Avx512;
    U64x1Zen: 1 u64 Avx512;
    U64x4Vl: 4 u64 Avx512;
    U64x4Zen: 4 u64 Avx512;
    U64x8: 8 u64 Avx512;
    U64x8Zen: 8 u64 Avx512;
    U64x8Ifma: 8 u64 Avx512Ifma;
    I16x32: 32 i16 Avx512;
    U8x16Aes: 16 u8 Avx2Aes;
    U8x32Aes: 32 u8 Avx2Aes;
    U8x16Gfni: 16 u8 Avx2Gfni;
    U8x32Gfni: 32 u8 Avx2Gfni;
    U8x16Vl: 16 u8 Avx512Gfni;
    U8x64: 64 u8 Avx512Gfni;
    U8x16Vbmi: 16 u8 Avx512Vbmi;
    U8x32Vbmi: 32 u8 Avx512Vbmi;
    U8x64Vbmi: 64 u8 Avx512Vbmi;
    P128x1Clmul: 1 u128 Avx2Aes;
    P128x2: 2 u128 Avx2Gfni;
    P128x4: 4 u128 Avx512Gfni;
    Sm3x4: 4 u32 Sm3Ni;
}

/// One lane of `u32`, for an x86-64 token with BMI2. It has no values on this architecture.
pub type U32x1Bmi2<T> = Absent<u32, T, 1>;
