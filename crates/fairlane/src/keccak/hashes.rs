//! The hashes of fixed size: Keccak with its original padding, and SHA-3.

use super::kernels::Keccak;
use super::many::hash_all;
use super::sponge::Sponge;
use crate::{Backend, HashMany, HashManyError, Unsupported};
use core::fmt;
use digest::common::{AlgorithmName, BlockSizeUser};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update, consts};

macro_rules! hash {
    ($name:ident, $function:ident, $title:literal, $document:literal, $size:literal $size_type:ident,
     $rate:literal $rate_type:ident, $domain:literal) => {
        #[doc = concat!($title, " (", $document, "): ", stringify!($size), " bytes, absorbing ", stringify!($rate), " bytes a permutation.")]
        #[derive(Clone)]
        pub struct $name(Sponge<$rate, 24>);

        #[doc = concat!("[`", stringify!($name), "`] of one message, in one call.")]
        pub fn $function(message: &[u8]) -> [u8; $size] {
            let mut sponge = Sponge::<$rate, 24>::new();
            sponge.absorb(message);
            sponge.finish($domain);
            let mut digest = [0; $size];
            sponge.squeeze(&mut digest);
            digest
        }

        impl $name {
            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
                Sponge::with_backend(backend).map(Self)
            }
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self(Sponge::new())
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

        impl OutputSizeUser for $name {
            type OutputSize = consts::$size_type;
        }

        impl BlockSizeUser for $name {
            type BlockSize = consts::$rate_type;
        }

        impl Update for $name {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }
        }

        impl Reset for $name {
            #[inline]
            fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl FixedOutput for $name {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.0.finish($domain);
                self.0.squeeze(out);
            }
        }

        impl FixedOutputReset for $name {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.0.finish($domain);
                self.0.squeeze(out);
                self.0.reset();
            }
        }

        impl HashMany for $name {
            fn hash_many<I, O>(messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
            where
                I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
                O: AsMut<[u8]>,
            {
                hash_all::<$rate, 24, _, _>(Keccak::best(), $domain, messages, outputs, Some($size))
            }

            fn hash_many_with<I, O>(backend: Backend, messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
            where
                I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
                O: AsMut<[u8]>,
            {
                hash_all::<$rate, 24, _, _>(Keccak::new(backend)?, $domain, messages, outputs, Some($size))
            }
        }
    };
}

hash!(Keccak224, keccak224, "Keccak-224", "original padding, not SHA-3", 28 U28, 144 U144, 0x01);
hash!(Keccak256, keccak256, "Keccak-256", "original padding, not SHA-3", 32 U32, 136 U136, 0x01);
hash!(Keccak384, keccak384, "Keccak-384", "original padding, not SHA-3", 48 U48, 104 U104, 0x01);
hash!(Keccak512, keccak512, "Keccak-512", "original padding, not SHA-3", 64 U64, 72 U72, 0x01);
hash!(Sha3_224, sha3_224, "SHA3-224", "FIPS 202", 28 U28, 144 U144, 0x06);
hash!(Sha3_256, sha3_256, "SHA3-256", "FIPS 202", 32 U32, 136 U136, 0x06);
hash!(Sha3_384, sha3_384, "SHA3-384", "FIPS 202", 48 U48, 104 U104, 0x06);
hash!(Sha3_512, sha3_512, "SHA3-512", "FIPS 202", 64 U64, 72 U72, 0x06);
