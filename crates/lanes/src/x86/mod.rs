//! The words of x86-64.
//!
//! Operations of one or two instructions, without memory and branches, are `#[inline]`: LLVM simplifies them once and
//! inlines them afterwards, which builds the library sooner. All others need `#[inline(always)]`: with `#[inline]`,
//! transpositions, look-ups and counters stayed calls, and ChaCha20-Poly1305 took 3.5 times as long. Nothing may be a
//! call within a kernel (the library's test `kernels`).

/// Expands to the first of two pieces of code, because the target is of this architecture.
macro_rules! if_x86 {
    ({ $($here:tt)* } else { $($elsewhere:tt)* }) => { $($here)* };
}

/// `vpternlog` truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;
/// `vpternlog` truth table of (a & b) | (!a & c): a ? b : c.
const SELECT: i32 = 0xca;

mod avx2;
mod avx512;
mod bits;
mod bmi2;
mod bytes;
mod polynomials;
mod rows_avx2;
mod rows_vbmi;
mod shorts;
mod sm3;
mod sm4;
mod transpose;

pub use avx2::{U32x8, U64x4};
pub use avx512::{U32x4Vl, U32x8Vl, U32x16, U64x1Vl, U64x1Zen, U64x4Vl, U64x4Zen, U64x8, U64x8Ifma, U64x8Zen};
pub use bmi2::U32x1Bmi2;
pub use bytes::{U8x16Aes, U8x16Gfni, U8x16Vbmi, U8x16Vl, U8x32Aes, U8x32Gfni, U8x32Vbmi, U8x64, U8x64Vbmi};
pub use polynomials::{P128x1Clmul, P128x2, P128x4};
pub use shorts::{I16x16, I16x32};
pub use sm3::Sm3x4;
