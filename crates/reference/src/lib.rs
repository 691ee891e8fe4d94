//! Slow reference implementations of fairlane's primitives, written like their specifications.
//!
//! Each module follows the steps and names of the document that its first lines cite, without dependencies and without
//! optimisations. The tests compare fairlane with them, and they are a good place to begin reading. They are neither
//! fast nor constant-time: use them for nothing else.

#![forbid(unsafe_code)]

pub mod aead;
pub mod aes;
pub mod chacha;
mod gcm;
pub mod ghash;
pub mod kalyna;
pub mod keccak;
pub mod kem;
pub mod kusumi;
pub mod poly1305;
pub mod sm3;
pub mod sm4;
pub mod threefish;
