//! The words of 64-bit Arm on other architectures: types without values.

/// Expands to the second of two pieces of code, because the target is of another architecture.
macro_rules! if_aarch64 {
    ({ $($here:tt)* } else { $($elsewhere:tt)* }) => { $($elsewhere)* };
}

use crate::absent::absent_words;
use crate::token::{Neon, NeonAes, NeonSha3};

absent_words! {
    U32x4: 4 u32 Neon;
    U64x2: 2 u64 Neon;
    U64x2Sha3: 2 u64 NeonSha3;
    U8x16: 16 u8 NeonAes;
    P128x1Pmull: 1 u128 NeonAes;
}
