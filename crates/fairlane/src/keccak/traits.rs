//! The traits that hashes and extendable-output functions have in common. Each type has a field `sponge`.

/// The traits of all hashers.
macro_rules! hasher_traits {
    ($name:ident, $title:literal, $rate_type:ident) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }

        impl digest::common::AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($title)
            }
        }

        impl digest::HashMarker for $name {}

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}

        impl digest::common::BlockSizeUser for $name {
            type BlockSize = digest::consts::$rate_type;
        }

        // Not inlined, like all that leads to kernels: they are compiled in this crate only.
        impl digest::Update for $name {
            #[inline(never)]
            fn update(&mut self, data: &[u8]) {
                self.sponge.absorb(data);
            }
        }
    };
}

/// `Reset` and `HashMany` of a function without parameters.
macro_rules! batch_traits {
    ($name:ident, $rate:literal, $rounds:literal, $domain:expr, $output_size:expr) => {
        impl digest::Reset for $name {
            #[inline]
            fn reset(&mut self) {
                self.sponge.reset();
            }
        }

        impl crate::hash_many::HashManyKernels for $name {
            const BACKENDS: &'static [crate::Backend] = super::kernels::BACKENDS;
            const OUTPUT_SIZE: Option<usize> = $output_size;

            #[inline(never)]
            fn hash_message(token: fairlane_lanes::AnyToken, message: &[u8], output: &mut [u8]) {
                let keccak = super::kernels::Keccak(token);
                if Self::OUTPUT_SIZE.is_some() {
                    super::sponge::digest::<$rate, $rounds>(keccak, $domain, message, output);
                } else {
                    super::sponge::fill::<$rate, $rounds>(keccak, $domain, message, output);
                }
            }

            fn hash_messages(token: fairlane_lanes::AnyToken, messages: &mut dyn crate::hash_many::Messages) {
                let function = const { super::parameters::SpongeFunction::new($rate, $rounds, $domain) };
                super::kernels::Keccak(token).hash_messages(function, messages);
            }

            fn hash_groups(token: fairlane_lanes::AnyToken, rows: &mut crate::hash_many::Rows<'_>) {
                let function = const { super::parameters::SpongeFunction::new($rate, $rounds, $domain) };
                super::kernels::Keccak(token).hash_groups(function, rows);
            }
        }

        impl crate::HashMany for $name {}
    };
}
