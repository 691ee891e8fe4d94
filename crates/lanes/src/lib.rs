//! CPU tokens and SIMD words: the foundation of fairlane's kernels.
//!
//! A [`Token`] is a zero-sized value that exists only if the CPU has certain features. A *word* ([`U64xN`],
//! [`U32xN`], …) is a vector register seen as `N` independent lanes. It can be made only with a token; therefore all
//! its methods are safe. A [`Kernel`] is an algorithm written once over words. [`Token::run`] compiles it with the
//! token's features:
//!
//! ```
//! use fairlane_lanes::{Kernel, Scalar, Token, U64x1, U64xN};
//!
//! struct Parity<'a>(&'a [[u64; 1]]);
//!
//! impl<T: Token> Kernel<T> for Parity<'_> {
//!     type Output = [u64; 1];
//!     #[inline(always)] // or every operation becomes a call
//!     fn call(self, token: T) -> [u64; 1] {
//!         let mut sum = U64x1::splat(token, 0);
//!         for x in self.0 {
//!             sum = sum.xor(U64x1::from_array(token, *x));
//!         }
//!         sum.to_array()
//!     }
//! }
//!
//! assert_eq!(Scalar::new().unwrap().run(Parity(&[[1], [6]])), [7]);
//! ```
//!
//! A [`Backend`] is the name of one way to compute that a user can choose; [`AnyToken`] is the token of a backend
//! that was chosen at run time. Tokens and words of other architectures are types without values, so that a `match`
//! over all backends type-checks everywhere.
//!
//! Nearly all of fairlane's unsafe code is in this crate.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

#[cfg(all(target_arch = "x86_64", target_pointer_width = "32"))]
compile_error!("x32 is not supported: the assembly takes pointers of 64 bits");

// The architecture is asked for only here. Each of these modules has the words of one architecture, and a macro,
// `if_x86` or `if_aarch64`, that chooses between two pieces of code: for that architecture, and for all others.
#[macro_use]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;
#[macro_use]
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[path = "absent/x86.rs"]
mod x86;
#[macro_use]
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod aarch64;
#[macro_use]
#[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
#[path = "absent/aarch64.rs"]
mod aarch64;

mod absent;
mod backend;
mod bytes;
mod maker;
mod placed;
mod polynomials;
mod registers;
mod scalar;
mod shorts;
mod sm3_ni;
mod sm4_ni;
mod stores;
#[cfg(test)]
mod tests;
mod token;
mod words;

#[cfg(feature = "std")]
pub use backend::{AllowListError, allow_list};
pub use backend::{AnyToken, Backend, UnknownBackend, Unsupported};
pub use bytes::{BlocksN, Inversion, RowsN, Table, U8x16Scalar, U8xN};
pub use maker::is_zen;
pub use placed::Placed;
pub use polynomials::{P128x1, Polynomials};
pub use registers::clear_registers;
pub use scalar::{U32x1, U64x1};
pub use shorts::{CoefficientCoding, I16x2, I16xN};
pub use sm3_ni::Sm3Rounds;
pub use sm4_ni::Sm4Rounds;
pub use stores::in_one_store;
pub use token::{
    Avx2, Avx2Aes, Avx2Gfni, Avx512, Avx512Gfni, Avx512Ifma, Avx512Vbmi, Neon, NeonAes, NeonSha3, Sm3Ni, Sm4Ni,
};
pub use token::{Kernel, Scalar, Token};
pub use words::{KeccakWord, Pairs, Products52, Quads, Sm3Word, U32xN, U64xN};

pub use aarch64::{P128x1Pmull, U8x16, U32x4, U64x2, U64x2Sha3};
pub use x86::{
    I16x16, I16x32, P128x1Clmul, P128x2, P128x4, Sm3x4, U8x16Aes, U8x16Gfni, U8x16Vbmi, U8x16Vl, U8x32Aes, U8x32Gfni,
    U8x32Vbmi, U8x64, U8x64Vbmi, U32x1Bmi2, U32x4Vl, U32x8, U32x8Vl, U32x16, U64x1Vl, U64x1Zen, U64x4, U64x4Vl,
    U64x4Zen, U64x8, U64x8Ifma, U64x8Zen,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
