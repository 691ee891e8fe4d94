//! Hashes of rows.

use crate::device::{Device, Kernel, Parameters, Section, check_length, get_or_try_init};
use crate::rows::RowFunction;
use crate::{Error, unrolled};
use std::ops::Range;
use std::sync::OnceLock;

/// A hash function with digests of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// Keccak-256, as Ethereum uses it: the padding of Keccak's submission.
    Keccak256,
    /// SHA3-256 (FIPS 202).
    Sha3_256,
    /// SM3 (GB/T 32905-2016).
    Sm3,
}

impl Hash {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Keccak256, Self::Sha3_256, Self::Sm3];
    /// Bytes of a digest.
    pub const OUTPUT_SIZE: usize = 32;

    fn shader(self) -> String {
        let message = include_str!("shaders/message.wgsl");
        match self {
            Self::Keccak256 | Self::Sha3_256 => {
                [message, &unrolled::keccak(), include_str!("shaders/keccak_hash.wgsl")].concat()
            }
            Self::Sm3 => [message, include_str!("shaders/sm3_hash.wgsl"), &unrolled::sm3()].concat(),
        }
    }
}

/// The kernels of the hash functions, each compiled when it is first used.
#[derive(Default)]
pub(crate) struct Kernels([OnceLock<Kernel>; Hash::ALL.len()]);

impl Kernels {
    /// A hash function of `count` messages of one length, which have so many `bytes` together.
    ///
    /// # Errors
    /// `bytes` is no multiple of `count`, or `digests` not the number of bytes of their digests, or the driver fails.
    pub(crate) fn rows(
        &self,
        device: &Device,
        hash: Hash,
        count: usize,
        bytes: usize,
        digests: usize,
    ) -> Result<HashRows<'_>, Error> {
        let length = bytes.checked_div(count).unwrap_or(0);
        check_length("messages", length * count, bytes)?;
        check_length("output", count.saturating_mul(Hash::OUTPUT_SIZE), digests)?;
        let kernel = get_or_try_init(&self.0[hash as usize], || device.compile(&hash.shader(), "hash_rows", 64))?;
        Ok(HashRows { hash, kernel, length })
    }
}

/// A hash function of messages of one length.
pub(crate) struct HashRows<'a> {
    hash: Hash,
    kernel: &'a Kernel,
    /// Bytes of a message.
    length: usize,
}

impl RowFunction for HashRows<'_> {
    fn input_sizes(&self) -> Vec<usize> {
        vec![self.length]
    }

    fn output_sizes(&self) -> Vec<usize> {
        vec![Hash::OUTPUT_SIZE]
    }

    fn encode(
        &self,
        device: &Device,
        pass: &mut wgpu::ComputePass<'_>,
        Range { start, end }: Range<usize>,
        inputs: &[Section<'_>],
        outputs: &[Section<'_>],
    ) {
        let suffix = if self.hash == Hash::Sha3_256 { 0x06 } else { 0x01 };
        let count = end - start;
        let parameters = Parameters(count, self.length, suffix);
        let bindings = [(1, device.round_constants()), (2, inputs[0]), (3, outputs[0])];
        // SM3 has no round constants in memory.
        let bindings = if self.hash == Hash::Sm3 { &bindings[1..] } else { &bindings };
        device.dispatch(pass, self.kernel, count, &parameters, bindings);
    }
}
