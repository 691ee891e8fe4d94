//! The native methods of the Java class `io.github.fairlane.Native`. Nothing here computes: names lead to the objects
//! of [`fairlane::dynamic`].
//!
//! | file | methods |
//! | --- | --- |
//! | `border` | none: arrays of Java become slices, and errors exceptions |
//! | `hash` | the hashes' names and sizes, one message, many messages, a message in pieces |
//! | `aead` | an AEAD under a key |
//!
//! The Java classes check what they pass; lengths and positions are checked here again, so that no mistake there can
//! reach memory that is not theirs.

// The Java class says what it passes, for all methods together.
#![allow(clippy::missing_safety_doc)]

pub mod aead;
mod border;
pub mod hash;
