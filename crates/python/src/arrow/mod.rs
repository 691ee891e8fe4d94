//! Arrow's C interface: the arrays of other packages as messages, and digests as an array for them.
//!
//! - `interface`: the structures of Arrow's C data interface and C stream interface
//! - `values`: the values of an array, read where they are
//! - `import`: the arrays and streams of Python's objects, and the digests of their values
//! - `export`: the digests, as an array of FixedSizeBinary and as a buffer
//! - `views`: the digests as an array of BinaryView, as Polars has them

mod export;
mod import;
mod interface;
mod values;
mod views;

pub(crate) use export::Digests;
pub(crate) use import::{Column, digests_of};
pub(crate) use interface::{Array, NULLABLE, Schema};
pub(crate) use values::Values;
pub(crate) use views::views;
