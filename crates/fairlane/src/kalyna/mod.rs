//! Kalyna, the block cipher of DSTU 7624:2014.
//!
//! | type | block | key | rounds |
//! | --- | --- | --- | --- |
//! | [`Kalyna128_128`] | 16 bytes | 16 bytes | 10 |
//! | [`Kalyna128_256`] | 16 | 32 | 14 |
//! | [`Kalyna256_256`] | 32 | 32 | 14 |
//! | [`Kalyna256_512`] | 32 | 64 | 18 |
//! | [`Kalyna512_512`] | 64 | 64 | 18 |
//!
//! They have the traits of [`cipher`], and so work in the modes of generic crates.
//!
//! ```
//! use fairlane::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
//! use fairlane::kalyna::Kalyna256_512;
//!
//! let cipher = Kalyna256_512::new(&[7; 64].into());
//! let mut blocks = [[1; 32].into(), [2; 32].into()];
//! cipher.encrypt_blocks(&mut blocks);
//! assert_ne!(blocks[0], [1; 32]);
//! cipher.decrypt_blocks(&mut blocks);
//! assert_eq!(blocks, [[1; 32], [2; 32]]);
//! ```
//!
//! A block cipher alone hides neither that two blocks are equal nor that one was changed.
//!
//! # Constant time
//!
//! On every vector backend, and the default is one wherever the machine has it: running time depends on the number of
//! blocks only. **Backend `scalar` is not constant-time**: it looks words up in tables, at addresses that depend on the key and the
//! data. It is what other libraries do everywhere, is fast for single blocks, and is there for those who ask for it and for machines
//! without vectors.

mod cipher;
mod constants;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod few;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod few_keys;
mod kernels;
mod rows;
mod schedule;
mod state;
mod tables;

pub use cipher::{Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
pub(crate) use kernels::BACKENDS;
