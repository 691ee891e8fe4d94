//! Hashes of rows.

use crate::gpu::{DeviceBytes, Gpu, Parameters, Section, check_length};
use crate::rows::RowFunction;
use crate::{Error, unrolled};
use std::ops::Range;

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

    pub(crate) fn shader(self) -> String {
        let message = include_str!("shaders/message.wgsl");
        match self {
            Self::Keccak256 | Self::Sha3_256 => {
                [message, &unrolled::keccak(), include_str!("shaders/keccak_hash.wgsl")].concat()
            }
            Self::Sm3 => [message, include_str!("shaders/sm3_hash.wgsl"), &unrolled::sm3()].concat(),
        }
    }
}

impl Gpu {
    /// Hashes `count` messages of one length, which lie one after the other in `messages`, and writes their digests one
    /// after the other to `outputs`, 32 bytes each. Messages and digests cross to the device and back in parts, which
    /// are hashed meanwhile.
    ///
    /// # Errors
    /// The length of `messages` must be a multiple of `count`, that of `outputs` 32 times `count`; else `outputs` is
    /// unchanged. If the device fails, it is zeros.
    pub fn hash_fixed(&self, hash: Hash, messages: &[u8], count: usize, outputs: &mut [u8]) -> Result<(), Error> {
        let length = row_length(messages.len(), count)?;
        check_length("output", count * Hash::OUTPUT_SIZE, outputs.len())?;
        self.run_rows(&HashRows { hash, length }, count, &[messages], &mut [outputs])
    }

    /// [`hash_fixed`](Self::hash_fixed) of messages that are on the device, to outputs that stay there. It returns when
    /// the work has begun; [`wait`](Self::wait) waits for it.
    ///
    /// # Errors
    /// Those of [`hash_fixed`](Self::hash_fixed).
    pub fn hash_fixed_on_device(
        &self,
        hash: Hash,
        messages: &DeviceBytes,
        count: usize,
        outputs: &mut DeviceBytes,
    ) -> Result<(), Error> {
        let length = row_length(messages.len(), count)?;
        check_length("output", count * Hash::OUTPUT_SIZE, outputs.len())?;
        self.run_on_device(&HashRows { hash, length }, count, &[messages.section()], &[outputs.section()]);
        Ok(())
    }
}

fn row_length(bytes: usize, count: usize) -> Result<usize, Error> {
    let length = bytes.checked_div(count).unwrap_or(0);
    check_length("messages", length * count, bytes)?;
    Ok(length)
}

struct HashRows {
    hash: Hash,
    length: usize,
}

impl RowFunction for HashRows {
    fn input_sizes(&self) -> Vec<usize> {
        vec![self.length]
    }

    fn output_sizes(&self) -> Vec<usize> {
        vec![Hash::OUTPUT_SIZE]
    }

    fn encode(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::ComputePass<'_>,
        Range { start, end }: Range<usize>,
        inputs: &[Section<'_>],
        outputs: &[Section<'_>],
    ) {
        let suffix = if self.hash == Hash::Sha3_256 { 0x06 } else { 0x01 };
        let count = end - start;
        let parameters = Parameters(count, self.length, suffix);
        let kernel = gpu.hash_kernel(self.hash);
        let bindings = [(1, gpu.round_constants()), (2, inputs[0]), (3, outputs[0])];
        // SM3 has no round constants in memory.
        let bindings = if self.hash == Hash::Sm3 { &bindings[1..] } else { &bindings };
        gpu.dispatch(pass, kernel, count, &parameters, bindings);
    }
}
