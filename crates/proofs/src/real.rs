//! Kernels on the best words that this machine has.

/// Calls `$f` with the best words of 64-bit lanes: `$f::<W, N, …>(token, arguments…)`.
macro_rules! u64_words {
    ($f:ident $(::<$($constant:ident),*>)? ($($argument:expr),*)) => {
        if let Some(token) = fairlane_lanes::Avx512::new() {
            $f::<fairlane_lanes::U64x8, 8 $($(, $constant)*)?>(token, $($argument),*)
        } else if let Some(token) = fairlane_lanes::Avx2::new() {
            $f::<fairlane_lanes::U64x4, 4 $($(, $constant)*)?>(token, $($argument),*)
        } else {
            $f::<fairlane_lanes::U64x1<Scalar>, 1 $($(, $constant)*)?>(Scalar::PROOF, $($argument),*)
        }
    };
}

/// The same with words of 32-bit lanes.
macro_rules! u32_words {
    ($f:ident $(::<$($constant:ident),*>)? ($($argument:expr),*)) => {
        if let Some(token) = fairlane_lanes::Avx512::new() {
            $f::<fairlane_lanes::U32x16, 16 $($(, $constant)*)?>(token, $($argument),*)
        } else if let Some(token) = fairlane_lanes::Avx2::new() {
            $f::<fairlane_lanes::U32x8, 8 $($(, $constant)*)?>(token, $($argument),*)
        } else {
            $f::<fairlane_lanes::U32x1<Scalar>, 1 $($(, $constant)*)?>(Scalar::PROOF, $($argument),*)
        }
    };
}

pub(crate) use {u32_words, u64_words};

/// The same with words of bytes, or `$else` where this machine has none.
macro_rules! byte_words {
    ($f:ident $(::<$($constant:ident),*>)? ($($argument:expr),*) else $else:expr) => {
        if let Some(token) = fairlane_lanes::Avx512Vbmi::new() {
            $f::<fairlane_lanes::U8x64Vbmi, 64 $($(, $constant)*)?>(token, $($argument),*)
        } else if let Some(token) = fairlane_lanes::Avx2Gfni::new() {
            $f::<fairlane_lanes::U8x32Gfni, 32 $($(, $constant)*)?>(token, $($argument),*)
        } else if let Some(token) = fairlane_lanes::Avx2Aes::new() {
            $f::<fairlane_lanes::U8x32Aes, 32 $($(, $constant)*)?>(token, $($argument),*)
        } else {
            $else
        }
    };
}
pub(crate) use byte_words;
