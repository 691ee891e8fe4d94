//! The extendable-output functions: SHAKE, cSHAKE and TurboSHAKE.

use super::encoding::absorb_prefix;
use super::kernels::Keccak;
use super::sponge::{self, Sponge};
use crate::{Backend, Unsupported};
use core::fmt;
use digest::{ExtendableOutput, ExtendableOutputReset, Reset, Update, XofReader};

/// The domain byte of SHAKE.
pub(super) const SHAKE: u8 = 0x1f;
/// The domain byte of cSHAKE with a name or a customization.
pub(super) const CSHAKE: u8 = 0x04;
/// The domain byte of TurboSHAKE that RFC 9861 suggests if an application needs no other.
const TURBOSHAKE: u8 = 0x1f;

/// The output of an extendable-output function, read in pieces of any length.
///
/// `RATE` (in bytes) and `ROUNDS` depend on the function: [`Shake128Reader`] and so on are names for the types.
#[derive(Clone)]
pub struct Reader<const RATE: usize, const ROUNDS: usize>(Sponge<RATE, ROUNDS>);

/// The output of [`Shake128`] and [`CShake128`].
pub type Shake128Reader = Reader<168, 24>;
/// The output of [`Shake256`] and [`CShake256`].
pub type Shake256Reader = Reader<136, 24>;
/// The output of [`TurboShake128`].
pub type TurboShake128Reader = Reader<168, 12>;
/// The output of [`TurboShake256`].
pub type TurboShake256Reader = Reader<136, 12>;

impl<const RATE: usize, const ROUNDS: usize> Reader<RATE, ROUNDS> {
    /// The output of a sponge that has absorbed the message.
    pub(super) fn new(mut sponge: Sponge<RATE, ROUNDS>, domain: u8) -> Self {
        sponge.finish(domain);
        Self(sponge)
    }
}

macro_rules! reader {
    ($rate:literal, $rounds:literal) => {
        impl XofReader for Reader<$rate, $rounds> {
            #[inline(never)]
            fn read(&mut self, buffer: &mut [u8]) {
                self.0.squeeze(buffer);
            }
        }
    };
}

// No generic code leads to kernels: they are compiled in this crate only.
reader!(168, 24);
reader!(136, 24);
reader!(168, 12);
reader!(136, 12);

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize> zeroize::ZeroizeOnDrop for Reader<RATE, ROUNDS> {}

impl<const RATE: usize, const ROUNDS: usize> fmt::Debug for Reader<RATE, ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader { .. }")
    }
}

/// The traits of all extendable-output functions; each type says which byte follows the message (`domain`).
macro_rules! xof_traits {
    ($name:ident, $title:literal, $rate:literal $rate_type:ident, $rounds:literal) => {
        hasher_traits!($name, $title, $rate_type);

        impl ExtendableOutput for $name {
            type Reader = Reader<$rate, $rounds>;

            #[inline]
            fn finalize_xof(self) -> Self::Reader {
                let domain = self.domain();
                Reader::new(self.sponge, domain)
            }

            #[inline]
            fn finalize_xof_into(mut self, out: &mut [u8]) {
                let domain = self.domain();
                self.sponge.output(domain, out);
            }
        }

        impl ExtendableOutputReset for $name {
            #[inline]
            fn finalize_xof_reset(&mut self) -> Self::Reader {
                let reader = Reader::new(self.sponge.clone(), self.domain());
                self.reset();
                reader
            }

            #[inline]
            fn finalize_xof_reset_into(&mut self, out: &mut [u8]) {
                let domain = self.domain();
                self.sponge.output(domain, out);
                self.reset();
            }
        }
    };
}

macro_rules! shake {
    ($name:ident, $function:ident, $title:literal, $rate:literal $rate_type:ident) => {
        #[doc = concat!($title, " (FIPS 202): output of any length, rate ", stringify!($rate), " bytes.")]
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$rate, 24>,
        }

        #[doc = concat!("Fills `out` with [`", stringify!($name), "`] of one message.")]
        pub fn $function(message: &[u8], out: &mut [u8]) {
            sponge::fill::<$rate, 24>(Keccak::best(), SHAKE, message, out);
        }

        impl $name {
            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
                Ok(Self { sponge: Sponge::new(Keccak::new(backend)?) })
            }

            #[inline]
            fn domain(&self) -> u8 {
                SHAKE
            }
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self { sponge: Sponge::new(Keccak::best()) }
            }
        }

        xof_traits!($name, $title, $rate $rate_type, 24);
        batch_traits!($name, $rate, 24, SHAKE, None);
    };
}

shake!(Shake128, shake128, "SHAKE128", 168 U168);
shake!(Shake256, shake256, "SHAKE256", 136 U136);

/// A domain byte of TurboSHAKE is not in the range 0x01 to 0x7f.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDomain;

impl fmt::Display for InvalidDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a domain byte of TurboSHAKE is 0x01 to 0x7f")
    }
}

impl core::error::Error for InvalidDomain {}

macro_rules! turboshake {
    ($name:ident, $function:ident, $title:literal, $rate:literal $rate_type:ident) => {
        #[doc = concat!($title, " (RFC 9861): 12 rounds, output of any length, rate ", stringify!($rate), " bytes.")]
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$rate, 12>,
            domain: u8,
        }

        #[doc = concat!("Fills `out` with [`", stringify!($name), "`] of one message, with the domain byte 0x1f.")]
        pub fn $function(message: &[u8], out: &mut [u8]) {
            sponge::fill::<$rate, 12>(Keccak::best(), TURBOSHAKE, message, out);
        }

        impl $name {
            /// A hasher on a backend of the caller's choice, with the domain byte 0x1f.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
                Ok(Self { sponge: Sponge::new(Keccak::new(backend)?), domain: TURBOSHAKE })
            }

            /// The same hasher with another domain byte, 0x01 to 0x7f, which a reset does not change.
            ///
            /// # Errors
            /// The byte is outside that range.
            pub fn with_domain(self, domain: u8) -> Result<Self, InvalidDomain> {
                if (0x01..=0x7f).contains(&domain) { Ok(Self { domain, ..self }) } else { Err(InvalidDomain) }
            }

            #[inline]
            fn domain(&self) -> u8 {
                self.domain
            }
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self { sponge: Sponge::new(Keccak::best()), domain: TURBOSHAKE }
            }
        }

        xof_traits!($name, $title, $rate $rate_type, 12);
        batch_traits!($name, $rate, 12, TURBOSHAKE, None);
    };
}

turboshake!(TurboShake128, turboshake128, "TurboSHAKE128", 168 U168);
turboshake!(TurboShake256, turboshake256, "TurboSHAKE256", 136 U136);

macro_rules! cshake {
    ($name:ident, $function:ident, $title:literal, $rate:literal $rate_type:ident) => {
        #[doc = concat!($title, " (NIST SP 800-185): SHAKE for a function name and a customization.")]
        ///
        /// If both are empty, as in [`Default`], it is SHAKE.
        #[derive(Clone)]
        pub struct $name {
            sponge: Sponge<$rate, 24>,
            /// The state after a reset, which has absorbed name and customization.
            start: Sponge<$rate, 24>,
            domain: u8,
        }

        #[doc = concat!("Fills `out` with [`", stringify!($name), "`] of one message.")]
        pub fn $function(message: &[u8], name: &[u8], customization: &[u8], out: &mut [u8]) {
            let mut xof = $name::new(name, customization);
            xof.update(message);
            xof.finalize_xof_into(out);
        }

        impl $name {
            /// A hasher for a function name (which NIST defines; empty otherwise) and a customization, of any lengths.
            pub fn new(name: &[u8], customization: &[u8]) -> Self {
                Self::with_sponge(Sponge::new(Keccak::best()), name, customization)
            }

            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend, name: &[u8], customization: &[u8]) -> Result<Self, Unsupported> {
                Ok(Self::with_sponge(Sponge::new(Keccak::new(backend)?), name, customization))
            }

            fn with_sponge(mut sponge: Sponge<$rate, 24>, name: &[u8], customization: &[u8]) -> Self {
                let domain = if name.is_empty() && customization.is_empty() {
                    SHAKE
                } else {
                    absorb_prefix(&mut sponge, name, customization);
                    CSHAKE
                };
                Self { start: sponge.clone(), sponge, domain }
            }

            #[inline]
            fn domain(&self) -> u8 {
                self.domain
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new(&[], &[])
            }
        }

        impl digest::CustomizedInit for $name {
            fn new_customized(customization: &[u8]) -> Self {
                Self::new(&[], customization)
            }
        }

        impl Reset for $name {
            fn reset(&mut self) {
                self.sponge = self.start.clone();
            }
        }

        xof_traits!($name, $title, $rate $rate_type, 24);
    };
}

cshake!(CShake128, cshake128, "cSHAKE128", 168 U168);
cshake!(CShake256, cshake256, "cSHAKE256", 136 U136);
