//! The hashes of fixed size: Keccak with its original padding, and SHA-3.

use super::kernels::Keccak;
use super::sponge::{self, Sponge};
use crate::{Backend, Unsupported};
use digest::{FixedOutput, FixedOutputReset, Output, OutputSizeUser, Reset, consts};

macro_rules! hash {
    ($name:ident, $function:ident, $title:literal, $document:literal, $size:literal $size_type:ident,
     $rate:literal $rate_type:ident, $domain:literal) => {
        #[doc = concat!($title, " (", $document, "): ", $size, " bytes, rate ", $rate, " bytes.")]
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$rate, 24>,
        }

        #[doc = concat!("[`", stringify!($name), "`] of one message, in one call.")]
        pub fn $function(message: &[u8]) -> [u8; $size] {
            let mut digest = [0; $size];
            sponge::digest::<$rate, 24>(Keccak::best(), $domain, message, &mut digest);
            digest
        }

        impl $name {
            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
                Ok(Self { sponge: Sponge::new(Keccak::new(backend)?) })
            }

            #[inline(never)]
            fn finish(&mut self, digest: &mut [u8; $size]) {
                self.sponge.digest($domain, digest);
            }
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self { sponge: Sponge::new(Keccak::best()) }
            }
        }

        impl OutputSizeUser for $name {
            type OutputSize = consts::$size_type;
        }

        impl FixedOutput for $name {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.finish(&mut out.0);
            }
        }

        impl FixedOutputReset for $name {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.finish(&mut out.0);
                self.reset();
            }
        }

        hasher_traits!($name, $title, $rate_type);
        batch_traits!($name, $rate, 24, $domain, Some($size));
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
