//! The words of 64-bit Arm.

/// Expands to the first of two pieces of code, because the target is of this architecture.
macro_rules! if_aarch64 {
    ({ $($here:tt)* } else { $($elsewhere:tt)* }) => { $($here)* };
}

mod bytes;
mod polynomials;
mod words;

pub use bytes::U8x16;
pub use polynomials::P128x1Pmull;
pub use words::{U32x4, U64x2, U64x2Sha3};
