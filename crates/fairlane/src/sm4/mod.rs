//! SM4 (GB/T 32907-2016, RFC 8998): a block cipher with blocks of 16 bytes and a key of 16, and its modes.
//!
//! | mode | types |
//! | --- | --- |
//! | GCM, CCM | [`Sm4Gcm`], [`Sm4Ccm`]: authenticated encryption, what most programs want |
//! | CTR | [`Sm4Ctr`], and [`Sm4CtrKey`] for many messages under one key |
//! | CBC | [`CbcEncryptor`], [`CbcDecryptor`], and [`cbc::encrypt_many`] for many messages at once |
//! | XTS | [`Sm4Xts`], [`Sm4XtsGb`]: disks |
//! | ECB | [`hazmat`] |
//!
//! [`Sm4`] alone works with every generic mode, such as those of the crates `cbc` and `ctr`.
//!
//! ```
//! use fairlane::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
//! use fairlane::sm4::Sm4;
//!
//! let cipher = Sm4::new(&[7; 16].into());
//! let mut blocks = [[1; 16].into(), [2; 16].into()];
//! cipher.encrypt_blocks(&mut blocks);
//! assert_ne!(blocks[0], [1; 16]);
//! cipher.decrypt_blocks(&mut blocks);
//! assert_eq!(blocks, [[1; 16], [2; 16]]);
//! ```
//!
//! Constant time: running time depends on the number of blocks only, on every backend; no table is indexed by a secret.

mod bitsliced;
pub mod cbc;
mod ccm;
mod cipher;
mod ctr;
mod gcm;
pub mod hazmat;
mod kernels;
mod ni;
mod parallel_cbc;
mod rounds;
mod sbox;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;
mod xts;

pub use cbc::{CbcDecryptor, CbcEncryptor};
pub use ccm::{Ccm, Sm4Ccm};
pub use cipher::Sm4;
pub use ctr::{CtrBlocks, Sm4Ctr, Sm4CtrKey};
pub use gcm::{Gcm, Sm4Gcm};
pub(crate) use kernels::BACKENDS;
pub use xts::{Sm4Xts, Sm4XtsGb, Xts, XtsError};
