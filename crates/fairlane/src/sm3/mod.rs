//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018): a hash of 32 bytes.
//!
//! [`Sm3`] has the traits of [`digest`] and `with_backend`, and [`HashMany`](crate::HashMany) for many messages at
//! once.
//!
//! ```
//! use fairlane::digest::Digest;
//! use fairlane::sm3::{Sm3, sm3};
//!
//! let mut hasher = Sm3::new();
//! hasher.update(b"in ");
//! hasher.update(b"pieces");
//! assert_eq!(hasher.finalize()[..], sm3(b"in pieces"));
//! ```
//!
//! HMAC-SM3 (GM/T 0042-2015) is `Hmac<Sm3>` of the crate `hmac`:
//!
//! ```
//! use fairlane::sm3::Sm3;
//! use hmac::{Hmac, KeyInit, Mac};
//!
//! let mut mac = Hmac::<Sm3>::new_from_slice(b"a key of any length")?;
//! mac.update(b"message");
//! let tag = mac.finalize().into_bytes();
//! assert_eq!(tag.len(), 32);
//! # Ok::<(), hmac::digest::InvalidLength>(())
//! ```
//!
//! The backend `sm3-ni` has never run: no machine at hand had the SM3 instructions. Its code is tested with a model of
//! them.
//!
//! Constant time: running time depends on lengths only, on every backend.

mod compression;
mod hash;
mod kernels;
mod message_expansion;
mod ni;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;

pub use hash::{Sm3, Sm3Core, sm3};
pub(crate) use kernels::BACKENDS;
