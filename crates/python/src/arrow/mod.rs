//! Arrow's C interface: the arrays of other packages as messages, and digests as an array for them.
//!
//! - `interface`: the structures of Arrow's C data interface and C stream interface
//! - `import`: the values of an array or a stream, read where they are
//! - `export`: the digests, as an array and as a buffer

mod export;
mod import;
mod interface;

pub(crate) use export::Digests;
pub(crate) use import::{Column, digests_of};
