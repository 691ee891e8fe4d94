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
//! The standard has modes of its own, which are not NIST's of the same names; here they are generic over the five
//! types.
//!
//! | mode | types |
//! | --- | --- |
//! | GCM, CCM | [`Gcm`], [`Ccm`]: authenticated encryption, what most programs want |
//! | GMAC, CMAC | [`Gmac`], [`Cmac`]: tags for what is not secret |
//! | CTR, OFB | [`Ctr`], [`Ofb`]: streams |
//! | CBC, CFB | [`CbcEncryptor`], [`CbcDecryptor`], [`Cfb`] |
//! | XTS | [`Xts`]: sectors, with one key |
//! | KW | [`Kw`]: keys under a key |
//! | ECB | [`hazmat`]: shows which blocks are equal |
//!
//! A block cipher alone hides neither that two blocks are equal nor that one was changed.
//!
//! # Constant time
//!
//! On every vector backend, and the default is one wherever the machine has it: running time depends on the number of
//! blocks only. **Backend `scalar` is not constant-time**: it looks words up in tables, at addresses that depend on the
//! key and the data. It is what other libraries do everywhere, is fast for single blocks, and is there for those who
//! ask for it and for machines without vectors.
//!
//! A program that must not use it has two ways. [`primitives`](crate::primitives) tells which backend is chosen on this
//! machine and which are not constant-time. Or it takes the crate with the feature `constant-time`: then `scalar` reads
//! all entries of the S-boxes for every byte, is constant-time too, and takes many times as long. Other backends stay
//! as they are.

mod aeads;
mod ahead;
mod blocks;
mod buffer;
mod cbc;
mod ccm;
mod cfb;
mod chains;
mod cmac;
mod constants;
mod counters;
mod ctr;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod few;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod few_keys;
mod field;
mod gcm;
mod gmac;
pub mod hazmat;
mod integers;
mod kernels;
mod kw;
mod lengths;
mod ofb;
mod products;
mod rows;
#[cfg(feature = "constant-time")]
mod scan;
mod schedule;
mod stages;
mod state;
#[cfg(not(feature = "constant-time"))]
mod tables;
mod xts;

pub use blocks::{Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
pub use cbc::{CbcDecryptor, CbcEncryptor};
pub use ccm::Ccm;
pub use cfb::{Cfb, CfbError};
pub use cmac::Cmac;
pub use ctr::{Ctr, CtrBlocks};
pub use gcm::Gcm;
pub use gmac::Gmac;
pub(crate) use kernels::{BACKENDS, VARIABLE_TIME};
pub use kw::{Kw, KwError};
pub use lengths::LengthError;
pub use ofb::Ofb;
pub use xts::{Xts, XtsError};
