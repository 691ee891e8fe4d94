//! `ParallelHash128` and `ParallelHash256` (NIST SP 800-185, section 6): blocks of a length of the caller's choice,
//! hashed side by side.

use super::encoding::{absorb_prefix, left_encode, right_encode};
use super::kernels::Keccak;
use super::leaves::Leaves;
use super::sponge::Sponge;
use super::xofs::{CSHAKE, Reader, SHAKE};
use crate::{Backend, Unsupported};
use core::fmt;
use core::num::NonZeroUsize;
use digest::common::AlgorithmName;
use digest::{ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update, XofReader};

macro_rules! parallel_hash {
    ($name:ident, $function:ident, $title:literal, $rate:literal, $chaining:literal) => {
        #[doc = concat!($title, " (NIST SP 800-185): blocks of long messages are hashed side by side.")]
        ///
        /// The block length is a part of the function: another one gives another output. 8192 bytes suit most
        /// messages; only pieces of 16 blocks or more gain all the speed.
        ///
        /// [`finalize`](Self::finalize) is `ParallelHash`, of whose output the length is a part. The traits of an
        /// extendable-output function are those of `ParallelHashXOF`, whose outputs begin alike whatever their length.
        #[derive(Clone)]
        pub struct $name {
            /// The final node: it absorbs the chaining values of the blocks.
            node: Sponge<$rate, 24>,
            /// The node after a reset, which has absorbed the customization and the block length.
            start: Sponge<$rate, 24>,
            leaves: Leaves<$rate, 24, $chaining>,
        }

        #[doc = concat!("Fills `out` with [`", stringify!($name), "`] of one message, in blocks of `block_length` \
            bytes, under a customization, which may be empty.")]
        pub fn $function(message: &[u8], block_length: NonZeroUsize, customization: &[u8], out: &mut [u8]) {
            let mut hasher = $name::new(block_length, customization);
            hasher.update(message);
            hasher.finalize(out);
        }

        impl $name {
            /// A hasher of blocks of `block_length` bytes, for a customization of any length, which may be empty.
            pub fn new(block_length: NonZeroUsize, customization: &[u8]) -> Self {
                Self::with(Keccak::best(), block_length, customization)
            }

            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(
                backend: Backend,
                block_length: NonZeroUsize,
                customization: &[u8],
            ) -> Result<Self, Unsupported> {
                Ok(Self::with(Keccak::new(backend)?, block_length, customization))
            }

            fn with(keccak: Keccak, block_length: NonZeroUsize, customization: &[u8]) -> Self {
                let mut node = Sponge::new(keccak);
                absorb_prefix(&mut node, b"ParallelHash", customization);
                let (code, length) = left_encode(block_length.get() as u128);
                node.absorb(&code[..length]);
                Self { start: node.clone(), node, leaves: Leaves::new(keccak, block_length.get(), SHAKE) }
            }

            /// Takes the next piece of the message, as [`Update::update`] does, on the threads of rayon's pool.
            ///
            /// That pays from about 1 MiB on, in blocks of some kibibytes. No more than 1 MiB is allocated at a time.
            #[cfg(feature = "rayon")]
            #[inline(never)]
            pub fn update_rayon(&mut self, data: &[u8]) {
                self.leaves.absorb_on_threads(&mut self.node, data);
            }

            /// Ends the message and fills `out` with its `ParallelHash`, of which the length of `out` is a part.
            pub fn finalize(self, out: &mut [u8]) {
                let bits = 8 * out.len() as u128;
                self.end(bits).read(out);
            }

            /// Ends the message. `bits` is the length of the output, 0 for any.
            #[inline(never)]
            fn end(mut self, bits: u128) -> Reader<$rate, 24> {
                let blocks = self.leaves.finish(&mut self.node);
                for number in [blocks.into(), bits] {
                    let (code, length) = right_encode(number);
                    self.node.absorb(&code[..length]);
                }
                Reader::new(self.node, CSHAKE)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($title)
            }
        }

        impl HashMarker for $name {}

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}

        // Not inlined, like all that leads to kernels: they are compiled in this crate only.
        impl Update for $name {
            #[inline(never)]
            fn update(&mut self, data: &[u8]) {
                self.leaves.absorb(&mut self.node, data);
            }
        }

        impl Reset for $name {
            fn reset(&mut self) {
                self.node = self.start.clone();
                self.leaves.reset();
            }
        }

        impl ExtendableOutput for $name {
            type Reader = Reader<$rate, 24>;

            fn finalize_xof(self) -> Self::Reader {
                self.end(0)
            }
        }

        impl ExtendableOutputReset for $name {
            fn finalize_xof_reset(&mut self) -> Self::Reader {
                let reader = self.clone().finalize_xof();
                self.reset();
                reader
            }
        }
    };
}

parallel_hash!(ParallelHash128, parallel_hash128, "ParallelHash128", 168, 32);
parallel_hash!(ParallelHash256, parallel_hash256, "ParallelHash256", 136, 64);
