//! Merkle–Damgård hashes of 32-bit words and blocks of 64 bytes, such as SM3: everything but the compression function.
//!
//! A hash implements [`CompressionFunction`]; from that come the traits of `digest` ([`HashCore`]), a function for one
//! message ([`hash_message`]) and the batches of [`HashMany`](crate::HashMany) ([`hash_messages`]). The tests have
//! SHA-256 as an example.

mod core;
mod function;
mod kernels;
#[cfg(test)]
mod sha256_example;
#[cfg(test)]
mod tests;

pub(crate) use self::core::{HashCore, hash_message};
pub(crate) use function::{BLOCK, ByteOrder, CompressionFunction, load};
pub(crate) use kernels::{absorb_in, hash_groups, hash_messages};
