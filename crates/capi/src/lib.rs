//! The C interface of fairlane. `include/fairlane.h` is its documentation: what functions take, write and return.
//!
//! Every function checks its pointers, lengths and names, and catches panics, of which none is expected. Names lead to
//! the objects of [`fairlane::dynamic`]; nothing here computes.
//!
//! | file | functions |
//! | --- | --- |
//! | `border` | none: pointers become slices, names algorithms, and results status codes |
//! | `panics` | none: a panic becomes a result |
//! | `status` | the status codes |
//! | `list` | the names and sizes of algorithms, backends, the version |
//! | `hash`, `aead`, `cipher`, `block_mode`, `kem` | one kind of algorithms each |

// The header says what a caller has to keep to, for all functions together.
#![allow(clippy::missing_safety_doc)]

pub mod aead;
pub mod block_mode;
mod border;
pub mod cipher;
pub mod hash;
pub mod kem;
pub mod list;
mod panics;
pub mod status;

pub use border::{ALIGNMENT, Bytes, Key, Nonce, Object, Seed};
