//! Threefish-256, -512 and -1024: tweakable block ciphers ("The Skein Hash Function Family", version 1.3, October 2010,
//! section 3.3).
//!
//! | type | block and key | rounds |
//! | --- | --- | --- |
//! | [`Threefish256`] | 32 bytes | 72 |
//! | [`Threefish512`] | 64 bytes | 72 |
//! | [`Threefish1024`] | 128 bytes | 80 |
//!
//! A tweak of 16 bytes, which need not be secret, makes each cipher a family of independent ones; it costs nothing to
//! change. They implement the traits of [`cipher`], and so work in the modes of generic crates. Many blocks in one call
//! are much faster than one by one.
//!
//! ```
//! use fairlane::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
//! use fairlane::threefish::Threefish512;
//!
//! let cipher = Threefish512::new(&[7; 64].into());
//! let mut blocks = [[1; 64].into(), [2; 64].into()];
//! cipher.encrypt_blocks(&mut blocks);
//! assert_ne!(blocks[0], [1; 64]);
//! cipher.decrypt_blocks(&mut blocks);
//! assert_eq!(blocks, [[1; 64], [2; 64]]);
//! ```
//!
//! A block cipher alone neither hides that two blocks are equal nor detects that one was changed.
//!
//! Constant time: running time depends on the number of blocks only, on every backend.

mod blocks;
mod ctr;
mod kernels;
mod rounds;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;

pub use blocks::{Threefish256, Threefish512, Threefish1024};
pub use ctr::{CtrBlocks, Threefish512Ctr, Threefish512CtrKey};
pub(crate) use kernels::BACKENDS;
