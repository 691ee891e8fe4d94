//! Slow, specification-shaped twins of fairlane's primitives.
//!
//! Each follows its document's own steps and names, has no dependencies and no tricks. They are the tests' oracle
//! and the reader's first stop; nobody should use them for anything else.

#![forbid(unsafe_code)]

pub mod aead;
pub mod chacha;
pub mod ghash;
pub mod kalyna;
pub mod keccak;
pub mod kem;
pub mod kusumi;
pub mod poly1305;
pub mod sm3;
pub mod sm4;
pub mod threefish;
