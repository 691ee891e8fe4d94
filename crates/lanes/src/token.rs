//! Tokens: zero-sized proofs that this CPU can run certain instructions.
//!
//! The crate's `unsafe` blocks rest on two rules:
//!
//! 1. A token exists only if the CPU has all of the token's [`FEATURES`](Token::FEATURES). [`Token::new`] asks the CPU;
//!    otherwise a token is made only from one whose features include its own. The field of a token is private, and
//!    [`Token`] is sealed, so that generic code can trust each implementation.
//! 2. A vector word, or anything else that holds a register, is made only from a token or from another word of the same
//!    token. No public field, constructor or method takes or returns a bare register.

/// An algorithm compiled for one token's features by [`Token::run`].
///
/// `call` and all that it calls must be `#[inline(always)]`, and loops must be plain `for` loops: code that is not
/// inlined is compiled without the features, and each operation on a word becomes a function call. The result is
/// correct, but far slower.
pub trait Kernel<T> {
    /// What the kernel computes.
    type Output;
    /// Whether the kernel has more vectors in use than there are registers.
    ///
    /// Then the stack, where the others are kept, is aligned to 64 bytes first. That takes a few instructions; without
    /// it a vector may lie in two cache lines, which costs up to a quarter of the speed.
    const SPILLS: bool = false;
    /// Runs the kernel; called with the token's features enabled.
    fn call(self, token: T) -> Self::Output;
}

/// [`Kernel::call`] as a function with the features of token `T`.
///
/// It is a method of the kernel because the compiler places methods beside their type: with one function for all
/// kernels, a library's kernels would be one code-generation unit, compiled on one core.
#[allow(dead_code, reason = "some architectures have no token but `Scalar`")]
trait WithFeatures<T>: Kernel<T> + Sized {
    /// # Safety
    ///
    /// The CPU has the features of `T`.
    unsafe fn with_features(self, token: T) -> Self::Output;
}

/// A proof that this CPU has the features of a backend.
///
/// The trait is sealed: all tokens are in this crate.
pub trait Token: Sealed + Copy + Send + Sync + 'static {
    /// The CPU features that the token proves, as `std::arch` spells them; none for a token of another architecture.
    const FEATURES: &'static [&'static str];

    /// The token, if this CPU (and its operating system) has all the features.
    fn new() -> Option<Self>;

    /// Runs a kernel compiled with the features.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// Keeps implementations of [`Token`] in this crate.
pub trait Sealed: Sized {
    /// The token, if `other` proves all of its features.
    fn implied_by<T: Token>(other: T) -> Option<Self>;
}

/// A type without values.
#[derive(Clone, Copy, Debug)]
pub enum Never {}

/// A token of another architecture.
pub trait AbsentToken: Token {
    /// Proves that the token does not exist.
    fn never(self) -> Never;
}

/// The token of every CPU: plain integer code.
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Sealed for Scalar {
    #[inline(always)]
    fn implied_by<T: Token>(_: T) -> Option<Self> {
        Some(Self(()))
    }
}

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
    /// The token.
    pub const PROOF: Self = Self(());
}

/// Whether the CPU has the features, found at run time; without `std`, whether the build enables them for the whole
/// program.
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
    let mut i = 0;
    while i < base.len() {
        let (mut j, mut found) = (0, false);
        while j < all.len() {
            found |= same(all[j].as_bytes(), base[i].as_bytes());
            j += 1;
        }
        if !found {
            return false;
        }
        i += 1;
    }
    true
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The features of each token, as those of the token that it extends and its own, to be passed to a macro after
/// `$args`.
macro_rules! with_features {
    ($then:ident $args:tt Avx2 $($own:tt)*) => { $then! { $args $($own)* "avx2" "bmi1" "bmi2" "popcnt" } };
    ($then:ident $args:tt Avx2Aes $($own:tt)*) => { with_features! { $then $args Avx2 $($own)* "aes" "pclmulqdq" } };
    ($then:ident $args:tt Avx2Gfni $($own:tt)*) => {
        with_features! { $then $args Avx2Aes $($own)* "gfni" "vpclmulqdq" }
    };
    ($then:ident $args:tt Avx512 $($own:tt)*) => {
        with_features! { $then $args Avx2 $($own)* "avx512f" "avx512bw" "avx512dq" "avx512vl" }
    };
    ($then:ident $args:tt Avx512Ifma $($own:tt)*) => { with_features! { $then $args Avx512 $($own)* "avx512ifma" } };
    ($then:ident $args:tt Avx512Gfni $($own:tt)*) => {
        with_features! { $then $args Avx512 $($own)* "gfni" "vpclmulqdq" "aes" "pclmulqdq" }
    };
    ($then:ident $args:tt Avx512Vbmi $($own:tt)*) => {
        with_features! { $then $args Avx512Gfni $($own)* "avx512vbmi2" "avx512vbmi" }
    };
    ($then:ident $args:tt Sm4Ni $($own:tt)*) => { with_features! { $then $args Avx2Gfni $($own)* "sm4" } };
    ($then:ident $args:tt Sm3Ni $($own:tt)*) => { with_features! { $then $args Avx2 $($own)* "sm3" } };
    ($then:ident $args:tt Neon $($own:tt)*) => { $then! { $args $($own)* "neon" } };
    ($then:ident $args:tt NeonSha3 $($own:tt)*) => { with_features! { $then $args Neon $($own)* "sha3" } };
    ($then:ident $args:tt NeonAes $($own:tt)*) => { with_features! { $then $args Neon $($own)* "aes" } };
}

/// Makes the compiler align the caller's stack to a cache line, so that none of its vectors there lies across two.
///
/// Left to itself, LLVM keeps the 16 bytes of the calling convention, unless a variable needs more.
#[inline(always)]
#[allow(dead_code, reason = "on other architectures vectors have 16 bytes")]
fn align_stack() {
    #[cfg(target_arch = "x86_64")]
    {
        #[repr(align(64))]
        struct CacheLine(#[expect(dead_code, reason = "nobody reads it")] [u8; 64]);
        let line = core::mem::MaybeUninit::<CacheLine>::uninit();
        // SAFETY: no instruction.
        unsafe { core::arch::asm!("/* {0} */", in(reg) line.as_ptr().addr(), options(nomem, nostack, preserves_flags)) }
    }
}

macro_rules! token {
    ({ $gate:ident $detect:ident $(#[$doc:meta])* $name:ident $(implies $($base:ident)+)? } $($feature:tt)+) => {
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
                    // SAFETY: a token is made only after these features were found, or from one that has them all.
                    unsafe { kernel.with_features(self) }
                }
            }

            impl Sealed for $name {
                #[inline(always)]
                fn implied_by<T: Token>(_: T) -> Option<Self> {
                    const { covers(T::FEATURES, <$name>::FEATURES) }.then_some(Self(()))
                }
            }

            impl<K: Kernel<$name>> WithFeatures<$name> for K {
                $(#[target_feature(enable = $feature)])+
                unsafe fn with_features(self, token: $name) -> K::Output {
                    if K::SPILLS {
                        align_stack();
                    }
                    self.call(token)
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

            impl Sealed for $name {
                #[inline(always)]
                fn implied_by<T: Token>(_: T) -> Option<Self> {
                    None
                }
            }

            impl AbsentToken for $name {
                #[inline(always)]
                fn never(self) -> Never {
                    self.0
                }
            }
        });

        $($(impl From<$name> for $base {
            #[inline(always)]
            fn from(token: $name) -> Self {
                const { assert!(covers(<$name>::FEATURES, <$base>::FEATURES)) };
                Self(token.0)
            }
        })+)?
    };
}

macro_rules! tokens {
    ($gate:ident $detect:ident: $($(#[$doc:meta])* $name:ident $(implies $($base:ident),+)?;)+) => {
        $(with_features! { token { $gate $detect $(#[$doc])* $name $(implies $($base)+)? } $name })+
    };
}

tokens! { if_x86 is_x86_feature_detected:
    /// AVX2 with BMI1, BMI2 (`andn`, `rorx`) and `popcnt`: x86-64-v3 machines, from Haswell and Zen on.
    Avx2;
    /// AVX-512 F, BW, DQ and VL: x86-64-v4 machines, from Skylake-SP and Zen 4 on.
    Avx512 implies Avx2;
    /// [`Avx512`] with products of 52 bits: from Ice Lake and Zen 4 on.
    Avx512Ifma implies Avx512, Avx2;
    /// [`Avx2`] with AES's rounds and carry-less multiplication in 128 bits: every CPU with AVX2.
    Avx2Aes implies Avx2;
    /// [`Avx2Aes`] with affine maps and inversion in GF(2^8), and carry-less multiplication in 256 bits: from Alder
    /// Lake on.
    Avx2Gfni implies Avx2Aes, Avx2;
    /// [`Avx512`] with affine maps and inversion in GF(2^8) and carry-less multiplication in all widths: from Ice Lake
    /// and Zen 4 on.
    Avx512Gfni implies Avx512, Avx2Gfni, Avx2Aes, Avx2;
    /// [`Avx512Gfni`] with byte permutes and compression over whole registers: from Ice Lake and Zen 4 on.
    Avx512Vbmi implies Avx512Gfni, Avx512, Avx2Gfni, Avx2Aes, Avx2;
    /// [`Avx2Gfni`] with the rounds of SM4: from Lunar Lake and Arrow Lake on.
    Sm4Ni implies Avx2Gfni, Avx2Aes, Avx2;
    /// [`Avx2`] with the rounds of SM3: from Lunar Lake and Arrow Lake on.
    Sm3Ni implies Avx2;
}

tokens! { if_aarch64 is_aarch64_feature_detected:
    /// Advanced SIMD: every 64-bit Arm CPU.
    Neon;
    /// Advanced SIMD with `eor3`, `bcax`, `rax1` and `xar`: Armv8.2-SHA, from Apple A13/M1 and Neoverse V1 on.
    NeonSha3 implies Neon;
    /// Advanced SIMD with AES's rounds and carry-less multiplication: nearly every server, desktop and phone.
    NeonAes implies Neon;
}

/// What safe code must not be able to write. Each example is a hole that would break the rules above.
///
/// A token of one's own, whose features nobody has found:
/// ```compile_fail,E0277
/// #[derive(Clone, Copy)]
/// struct Mine;
/// impl fairlane_lanes::Token for Mine {
///     const FEATURES: &'static [&'static str] = &[];
///     fn new() -> Option<Self> { Some(Self) }
///     fn run<K: fairlane_lanes::Kernel<Self>>(self, kernel: K) -> K::Output { kernel.call(self) }
/// }
/// ```
/// The trait that seals it:
/// ```compile_fail,E0603
/// use fairlane_lanes::token::Sealed;
/// ```
/// A token from one that proves less:
/// ```compile_fail,E0117
/// impl From<fairlane_lanes::Scalar> for fairlane_lanes::Avx2 {
///     fn from(_: fairlane_lanes::Scalar) -> Self { unreachable!() }
/// }
/// ```
/// ```compile_fail,E0277
/// let token: fairlane_lanes::Avx2 = fairlane_lanes::Scalar::PROOF.into();
/// ```
/// A word of BMI2 under a token without BMI2:
/// ```compile_fail,E0277
/// use fairlane_lanes::{Scalar, U32x1Bmi2, U32xN};
/// let word = U32x1Bmi2::splat(Scalar::PROOF, 1);
/// ```
/// A token or a word by its constructor, or by default:
/// ```compile_fail,E0423
/// let token = fairlane_lanes::Avx2(());
/// ```
/// ```compile_fail
/// let word = fairlane_lanes::U32x8([0_u32; 8]);
/// ```
/// ```compile_fail,E0599
/// let token = fairlane_lanes::Avx512::default();
/// ```
/// Sums of products from registers that no word made:
/// ```compile_fail
/// use core::arch::x86_64::__m256i;
/// use fairlane_lanes::{I16x16, I16xN};
/// fn make(register: __m256i) -> [I16x16; 2] {
///     I16x16::split_sums(register, register)
/// }
/// ```
/// ```compile_fail
/// use core::arch::x86_64::__m512i;
/// use fairlane_lanes::{I16x32, I16xN};
/// fn add(register: __m512i) -> <I16x32 as I16xN<32>>::Sums {
///     I16x32::add_sums(register, register)
/// }
/// ```
#[cfg(doctest)]
pub struct Holes;
