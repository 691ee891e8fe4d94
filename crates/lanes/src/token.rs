//! Tokens: zero-sized proofs that this CPU can run certain instructions.

use crate::absent::{AbsentToken, Never};

/// An algorithm compiled for one token's features by [`Token::run`].
///
/// `call` and everything in it must be `#[inline(always)]` and use plain `for` loops: what is not inlined is compiled
/// without the features, and every operation on a word becomes a function call: correct, but far slower.
pub trait Kernel<T> {
    /// What the kernel computes.
    type Output;
    /// Runs the kernel; called with the token's features enabled.
    fn call(self, token: T) -> Self::Output;
}

/// A proof that this CPU has the features of a backend.
pub trait Token: Copy + Send + Sync + 'static {
    /// The CPU features that it stands for, as `std::arch` spells them; none for a token of another architecture.
    const FEATURES: &'static [&'static str];

    /// The token, if this CPU (and its operating system) has all the features.
    fn new() -> Option<Self>;

    /// Runs a kernel compiled with the features.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// The token that every CPU grants: plain integer code.
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Token for Scalar {
    const FEATURES: &'static [&'static str] = &[];

    #[inline(always)]
    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.call(self)
    }
}

impl Scalar {
    /// The token, which needs no proof.
    pub const PROOF: Self = Self(());
}

/// Asks the CPU at run time; without `std`, only what the build enables everywhere counts.
#[allow(unused_macros, reason = "a machine of neither architecture has nothing to ask")]
macro_rules! detected {
    ($detect:ident, $($feature:tt),+) => {{
        #[cfg(feature = "std")]
        { true $(&& std::arch::$detect!($feature))+ }
        #[cfg(not(feature = "std"))]
        { true $(&& cfg!(target_feature = $feature))+ }
    }};
}

/// Whether every feature of `base` is among `all`.
pub(crate) const fn covers(all: &[&str], base: &[&str]) -> bool {
    let (mut i, mut found) = (0, 0);
    while i < base.len() {
        let mut j = 0;
        while j < all.len() {
            found += same(all[j].as_bytes(), base[i].as_bytes()) as usize;
            j += 1;
        }
        i += 1;
    }
    found == base.len()
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

macro_rules! tokens {
    ($gate:ident, $detect:ident: $($(#[$doc:meta])* $name:ident { $($feature:tt),+ } $(implies $base:ident)*;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name($gate!({ () } else { Never }));

        $gate!({
            impl Token for $name {
                const FEATURES: &'static [&'static str] = &[$($feature),+];

                #[inline]
                fn new() -> Option<Self> {
                    detected!($detect, $($feature),+).then_some(Self(()))
                }

                #[inline(always)]
                fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
                    $(#[target_feature(enable = $feature)])+
                    fn go<K: Kernel<$name>>(kernel: K, token: $name) -> K::Output {
                        kernel.call(token)
                    }
                    // SAFETY: a token is made only after these features were found, or from one that has them all.
                    unsafe { go(kernel, self) }
                }
            }
        } else {
            impl Token for $name {
                const FEATURES: &'static [&'static str] = &[];

                #[inline(always)]
                fn new() -> Option<Self> {
                    None
                }

                #[inline(always)]
                fn run<K: Kernel<Self>>(self, _: K) -> K::Output {
                    match self.0 {}
                }
            }

            impl AbsentToken for $name {
                #[inline(always)]
                fn never(self) -> Never {
                    self.0
                }
            }
        });

        $(impl From<$name> for $base {
            #[inline(always)]
            fn from(token: $name) -> Self {
                const { assert!(covers(<$name>::FEATURES, <$base>::FEATURES)) };
                Self(token.0)
            }
        })*
    )+};
}

tokens! { if_x86, is_x86_feature_detected:
    /// AVX2 with BMI1, BMI2 (`andn`, `rorx`) and `popcnt`: x86-64-v3 machines, from Haswell and Zen on.
    Avx2 { "avx2", "bmi1", "bmi2", "popcnt" };
    /// AVX-512 F, BW, DQ and VL: x86-64-v4 machines, from Skylake-SP and Zen 4 on.
    Avx512 { "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx2;
    /// [`Avx512`] with products of 52 bits: from Ice Lake and Zen 4 on.
    Avx512Ifma { "avx512ifma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx512 implies Avx2;
    /// [`Avx2`] with AES's rounds and carry-less multiplication in 128 bits: every CPU with AVX2.
    Avx2Aes { "aes", "pclmulqdq", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx2;
    /// [`Avx2Aes`] with affine maps and inversion in GF(2^8), and carry-less multiplication in 256 bits: from Alder Lake on.
    Avx2Gfni { "gfni", "vpclmulqdq", "aes", "pclmulqdq", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx2Aes implies Avx2;
    /// [`Avx512`] with affine maps and inversion in GF(2^8) and carry-less multiplication in all widths: from Ice Lake and
    /// Zen 4 on.
    Avx512Gfni { "gfni", "vpclmulqdq", "aes", "pclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx512 implies Avx2Gfni implies Avx2Aes implies Avx2;
    /// [`Avx512Gfni`] with byte permutes and compression over whole registers: from Ice Lake and Zen 4 on.
    Avx512Vbmi { "avx512vbmi2", "avx512vbmi", "gfni", "vpclmulqdq", "aes", "pclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx512Gfni implies Avx512 implies Avx2Gfni implies Avx2Aes implies Avx2;
    /// [`Avx2Gfni`] with the rounds of SM4: from Lunar Lake and Arrow Lake on.
    Sm4Ni { "sm4", "gfni", "vpclmulqdq", "aes", "pclmulqdq", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx2Gfni implies Avx2Aes implies Avx2;
    /// [`Avx2`] with the rounds of SM3: from Lunar Lake and Arrow Lake on.
    Sm3Ni { "sm3", "avx2", "bmi1", "bmi2", "popcnt" } implies Avx2;
}

tokens! { if_aarch64, is_aarch64_feature_detected:
    /// Advanced SIMD: every 64-bit Arm CPU.
    Neon { "neon" };
    /// Advanced SIMD with `eor3`, `bcax`, `rax1` and `xar`: Armv8.2-SHA, from Apple A13/M1 and Neoverse V1 on.
    NeonSha3 { "sha3", "neon" } implies Neon;
    /// Advanced SIMD with AES's rounds and carry-less multiplication: nearly every server, desktop and phone.
    NeonAes { "aes", "neon" } implies Neon;
}
