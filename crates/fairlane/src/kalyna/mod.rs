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
//! They implement the traits of [`cipher`], and so work in the modes of generic crates.
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
//! The standard defines modes of its own, which differ from NIST's of the same names; here they are generic over the
//! five types.
//!
//! | mode | types |
//! | --- | --- |
//! | GCM, CCM | [`Gcm`], [`Ccm`]: authenticated encryption, what most programs want |
//! | GMAC, CMAC | [`Gmac`], [`Cmac`]: tags for data that is not secret |
//! | CTR, OFB | [`Ctr`], [`Ofb`]: streams; [`CtrKey`] serves many messages |
//! | CBC, CFB | [`CbcEncryptor`], [`CbcDecryptor`], [`Cfb`] |
//! | XTS | [`Xts`]: sectors, with one key |
//! | KW | [`Kw`]: keys under a key |
//! | ECB | [`hazmat`]: reveals which blocks are equal |
//!
//! A block cipher alone neither hides that two blocks are equal nor detects that one was changed.
//!
//! # Constant time
//!
//! Running time depends on the number of blocks only, on every backend. **The feature `table-lookups` is the
//! exception**: with it, backend `scalar` looks words up in tables, at addresses that depend on the key and the data,
//! as other libraries do everywhere. It is then several times as fast, and not constant-time. Other backends do not
//! change.
//!
//! Cargo turns a feature on for a whole build if any crate in it asks for it.
//! [`primitives`](crate::primitives) reports which backend is chosen on this machine and which are not constant-time.

#[cfg(any(not(feature = "table-lookups"), feature = "symbolic"))]
#[cfg_attr(feature = "table-lookups", allow(dead_code, reason = "the proofs alone use it"))]
mod bit_sliced;
#[cfg(any(not(feature = "table-lookups"), feature = "symbolic"))]
#[cfg_attr(feature = "table-lookups", allow(dead_code, reason = "the proofs alone use it"))]
mod bit_sliced_s_boxes;
mod blocks;
mod buffer;
mod buffered;
mod byte_sliced;
mod cbc;
mod ccm;
mod cfb;
mod cmac;
#[cfg(any(feature = "symbolic", not(feature = "table-lookups")))]
mod conditional_sums;
mod constants;
mod ctr;
mod eight_columns;
mod few_blocks;
mod field;
mod gcm;
mod gmac;
pub mod hazmat;
mod integers;
mod kernels;
mod keyed;
mod keystream;
mod kw;
mod lengths;
mod lookahead;
mod messages;
mod ofb;
mod products;
mod schedule;
mod schedule_avx512;
mod state;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;
#[cfg(feature = "table-lookups")]
mod tables;
mod xts;

pub use blocks::{Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
pub use cbc::{CbcDecryptor, CbcEncryptor};
pub use ccm::Ccm;
pub use cfb::{Cfb, CfbError};
pub use cmac::Cmac;
pub use ctr::{Ctr, CtrBlocks, CtrKey};
pub use gcm::Gcm;
pub use gmac::Gmac;
pub(crate) use kernels::{BACKENDS, VARIABLE_TIME};
pub use kw::{Kw, KwError};
pub use lengths::LengthError;
pub use ofb::Ofb;
pub use xts::{Xts, XtsError};
