//! Backends by name, which of them this machine has, and the choice between them.

use crate::token::Sealed as _;
use crate::token::{
    Avx2, Avx2Aes, Avx2Gfni, Avx512, Avx512Gfni, Avx512Ifma, Avx512Vbmi, Neon, NeonAes, NeonSha3, Scalar, Sm3Ni, Sm4Ni,
    Token,
};
use core::{fmt, str::FromStr};

macro_rules! backends {
    ($($(#[$doc:meta])* $name:ident $text:literal;)+) => {
        /// One way to compute a primitive: a name for the CPU features that its kernels need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$doc])* $name,)+
        }

        impl Backend {
            /// All backends, of every architecture.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name that `FAIRLANE_BACKEND`, `--backend` and every report use.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// The CPU features that the backend needs, as `std::arch` spells them; none for a backend of another
            /// architecture.
            pub const fn features(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => $name::FEATURES,)+
                }
            }

            /// Whether this machine has the backend's features.
            pub fn is_available(self) -> bool {
                AnyToken::new(self).is_ok()
            }
        }

        /// The token of one backend, chosen at run time. A `match` needs an arm for all other backends, as with
        /// [`Backend`], so that a new backend breaks none.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "each variant holds the token that its name says")]
        pub enum AnyToken {
            $($name($name),)+
        }

        impl AnyToken {
            /// The token of `backend`, if the CPU has its features.
            fn detect(backend: Backend) -> Option<Self> {
                match backend {
                    $(Backend::$name => $name::new().map(Self::$name),)+
                }
            }

            /// The token of `backend`, if this one implies it.
            #[inline(always)]
            fn implied(self, backend: Backend) -> Option<Self> {
                match self {
                    $(Self::$name(token) => Self::implied_by(token, backend),)+
                }
            }

            /// The token of `backend`, if `token` implies it.
            #[inline(always)]
            fn implied_by(token: impl Token, backend: Backend) -> Option<Self> {
                match backend {
                    $(Backend::$name => $name::implied_by(token).map(Self::$name),)+
                }
            }

            /// The backend of the token.
            pub const fn backend(self) -> Backend {
                match self {
                    $(Self::$name(_) => Backend::$name,)+
                }
            }
        }

        /// No backend has this name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct UnknownBackend;

        impl fmt::Display for UnknownBackend {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("unknown backend; backends are")?;
                for (i, backend) in Backend::ALL.iter().enumerate() {
                    let before = if i == 0 { "" } else if i + 1 < Backend::ALL.len() { "," } else { " and" };
                    write!(f, "{before} {backend}")?;
                }
                Ok(())
            }
        }
    };
}

backends! {
    /// Plain integer code, on every machine.
    Scalar "scalar";
    /// x86-64 with AVX2, BMI1 and BMI2.
    Avx2 "avx2";
    /// [`Avx2`](Self::Avx2) with AES-NI and PCLMULQDQ.
    Avx2Aes "avx2-aes";
    /// [`Avx2Aes`](Self::Avx2Aes) with GFNI and VPCLMULQDQ.
    Avx2Gfni "avx2-gfni";
    /// x86-64 with AVX-512 F, BW, DQ and VL.
    Avx512 "avx512";
    /// [`Avx512`](Self::Avx512) with IFMA.
    Avx512Ifma "avx512-ifma";
    /// [`Avx512`](Self::Avx512) with GFNI and VPCLMULQDQ.
    Avx512Gfni "avx512-gfni";
    /// [`Avx512Gfni`](Self::Avx512Gfni) with VBMI and VBMI2.
    Avx512Vbmi "avx512-vbmi";
    /// x86-64 with AVX2, GFNI and the SM4 instructions.
    Sm4Ni "sm4-ni";
    /// x86-64 with AVX2 and the SM3 instructions.
    Sm3Ni "sm3-ni";
    /// 64-bit Arm with Advanced SIMD.
    Neon "neon";
    /// 64-bit Arm with Advanced SIMD and the SHA-3 instructions.
    NeonSha3 "neon-sha3";
    /// 64-bit Arm with Advanced SIMD, AES and PMULL.
    NeonAes "neon-aes";
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    /// Takes a backend's [`name`](Backend::name).
    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        Self::ALL.iter().copied().find(|b| b.name() == name).ok_or(UnknownBackend)
    }
}

impl core::error::Error for UnknownBackend {}

/// The backend cannot be used: this CPU lacks its features, or the primitive has no kernel for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported(pub Backend);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_available() {
            write!(f, "this primitive has no kernel for backend '{}'", self.0)
        } else {
            write!(f, "backend '{}' is not available on this CPU", self.0)
        }
    }
}

impl core::error::Error for Unsupported {}

/// A name in `FAIRLANE_BACKEND` that cannot be used.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowListError {
    /// No backend has this name.
    Unknown(String),
    /// The backend exists, but not on this CPU.
    Unavailable(Backend),
}

#[cfg(feature = "std")]
impl fmt::Display for AllowListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "'{}': {UnknownBackend}", name.escape_debug()),
            Self::Unavailable(backend) => Unsupported(*backend).fmt(f),
        }
    }
}

#[cfg(feature = "std")]
impl core::error::Error for AllowListError {}

/// The backends that the environment variable `FAIRLANE_BACKEND` (names separated by commas) allows for default
/// choices; `None` if it is unset or holds no name.
///
/// # Errors
/// The first name that is unknown or not available here. The library itself skips such names, and takes scalar where
/// none is left.
#[cfg(feature = "std")]
pub fn allow_list() -> Result<Option<Vec<Backend>>, AllowListError> {
    let allowed = named(&variable()).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(allowed).filter(|allowed| !allowed.is_empty()))
}

/// The value of `FAIRLANE_BACKEND`. Bytes that are not UTF-8 become a character that is in no backend's name.
#[cfg(feature = "std")]
fn variable() -> String {
    std::env::var_os("FAIRLANE_BACKEND").unwrap_or_default().to_string_lossy().into_owned()
}

/// The backends that a list names, or an error for each name that is unknown or not available here.
#[cfg(feature = "std")]
fn named(list: &str) -> impl Iterator<Item = Result<Backend, AllowListError>> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| {
        let backend: Backend = name.parse().map_err(|_| AllowListError::Unknown(name.to_owned()))?;
        if backend.is_available() { Ok(backend) } else { Err(AllowListError::Unavailable(backend)) }
    })
}

impl AnyToken {
    /// The token of `backend`.
    ///
    /// # Errors
    /// This CPU lacks the backend's features.
    #[inline]
    pub fn new(backend: Backend) -> Result<Self, Unsupported> {
        found(backend).ok_or(Unsupported(backend))
    }

    /// The token of `backend`, for a primitive that has kernels for those `supported`.
    ///
    /// # Errors
    /// The backend is not among them, or this CPU lacks its features.
    #[inline]
    pub fn among(supported: &[Backend], backend: Backend) -> Result<Self, Unsupported> {
        if supported.contains(&backend) { Self::new(backend) } else { Err(Unsupported(backend)) }
    }

    /// The token for a primitive that has kernels for those `supported`, best first: this token if its backend is among
    /// them, otherwise the first of them that it implies, otherwise scalar.
    ///
    /// Where `supported` is a constant, this compiles to a choice by the token's tag.
    #[inline(always)]
    pub fn narrow(self, supported: &[Backend]) -> Self {
        for i in 0..supported.len() {
            if supported[i] as u8 == self.backend() as u8 {
                return self;
            }
        }
        for i in 0..supported.len() {
            if let Some(token) = self.implied(supported[i]) {
                return token;
            }
        }
        Self::Scalar(Scalar::PROOF)
    }

    /// The first of `preferred` that this machine has and `FAIRLANE_BACKEND` allows; scalar where none is left.
    #[inline]
    pub fn best(preferred: &[Backend]) -> Self {
        let usable = usable();
        for &backend in preferred {
            if usable & bit(backend) != 0
                && let Ok(token) = Self::new(backend)
            {
                return token;
            }
        }
        Self::Scalar(Scalar::PROOF)
    }
}

/// The token of a backend that this machine has. Features are detected once, because detection takes longer than a key
/// schedule.
#[cfg(feature = "std")]
#[inline]
fn found(backend: Backend) -> Option<AnyToken> {
    static FOUND: std::sync::OnceLock<[Option<AnyToken>; Backend::ALL.len()]> = std::sync::OnceLock::new();
    FOUND.get_or_init(|| std::array::from_fn(|i| AnyToken::detect(Backend::ALL[i])))[backend as usize]
}

#[cfg(not(feature = "std"))]
fn found(backend: Backend) -> Option<AnyToken> {
    AnyToken::detect(backend)
}

const fn bit(backend: Backend) -> u16 {
    const { assert!(Backend::ALL.len() <= u16::BITS as usize) };
    1 << backend as u8
}

/// The set of backends that are available and allowed, one bit for each. The environment is read once.
#[cfg(feature = "std")]
fn usable() -> u16 {
    static USABLE: std::sync::OnceLock<u16> = std::sync::OnceLock::new();
    *USABLE.get_or_init(|| usable_of(&variable()))
}

/// The set of backends that are available and that the list allows; a list without names allows all.
#[cfg(feature = "std")]
fn usable_of(list: &str) -> u16 {
    let all = named(list).next().is_none();
    let allows = |backend: &Backend| all || named(list).flatten().any(|named| named == *backend);
    Backend::ALL.iter().filter(|b| b.is_available() && allows(b)).fold(0, |set, b| set | bit(*b))
}

#[cfg(not(feature = "std"))]
fn usable() -> u16 {
    u16::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_back() {
        for &backend in Backend::ALL {
            assert_eq!(backend.name().parse(), Ok(backend));
        }
        assert_eq!("sse9".parse::<Backend>(), Err(UnknownBackend));
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_list_allows_what_it_names() {
        let foreign = if cfg!(target_arch = "aarch64") { Backend::Avx2 } else { Backend::Neon };
        let unknown = |name: &str| Err(AllowListError::Unknown(name.to_owned()));
        let scalar = bit(Backend::Scalar);
        let all = usable_of("");
        for (list, names, usable) in [
            ("", vec![], all),
            (" , ", vec![], all),
            ("scalar", vec![Ok(Backend::Scalar)], scalar),
            (" scalar ,,", vec![Ok(Backend::Scalar)], scalar),
            ("scalar,\u{fffd}", vec![Ok(Backend::Scalar), unknown("\u{fffd}")], scalar),
            ("Scalar", vec![unknown("Scalar")], 0),
            (foreign.name(), vec![Err(AllowListError::Unavailable(foreign))], 0),
        ] {
            assert_eq!(named(list).collect::<Vec<_>>(), names, "{list:?}");
            assert_eq!(usable_of(list), usable, "{list:?}");
        }
        let here = Backend::ALL.iter().filter(|backend| backend.is_available());
        assert_eq!(all, here.fold(0, |set, backend| set | bit(*backend)));
        let said = AllowListError::Unknown("sse\n9".to_owned()).to_string();
        assert!(said.starts_with("'sse\\n9': unknown backend;"), "{said}");
        assert!(Backend::ALL.iter().all(|backend| said.contains(backend.name())), "{said}");
    }

    #[test]
    fn a_token_is_of_the_backend_asked_for() {
        for (i, &backend) in Backend::ALL.iter().enumerate() {
            assert_eq!(i, backend as usize);
            match AnyToken::new(backend) {
                Ok(token) => assert_eq!(token.backend(), backend),
                Err(error) => assert_eq!(error, Unsupported(backend)),
            }
        }
        assert_eq!(AnyToken::best(&[]).backend(), Backend::Scalar);
    }

    #[test]
    fn a_token_is_narrowed_to_what_it_implies() {
        let all = Backend::ALL;
        let here: Vec<AnyToken> = all.iter().filter_map(|backend| AnyToken::new(*backend).ok()).collect();
        let covers = |a: Backend, b: Backend| b.features().iter().all(|feature| a.features().contains(feature));
        // All lists of up to three backends.
        let lists = (0..(all.len() + 1).pow(3)).map(|n| {
            let places = [n % (all.len() + 1), n / (all.len() + 1) % (all.len() + 1), n / (all.len() + 1).pow(2)];
            places.into_iter().filter_map(|place| all.get(place).copied()).collect::<Vec<_>>()
        });
        for supported in lists.chain([all.to_vec(), all.iter().rev().copied().collect()]) {
            for token in &here {
                let (own, narrowed) = (token.backend(), token.narrow(&supported).backend());
                if supported.contains(&own) {
                    assert_eq!(narrowed, own);
                } else {
                    let implied = |backend: &&Backend| backend.is_available() && covers(own, **backend);
                    let first = supported.iter().find(implied).copied();
                    assert_eq!(narrowed, first.unwrap_or(Backend::Scalar), "{own} among {supported:?}");
                }
            }
        }
    }

    #[test]
    fn a_token_implies_all_that_its_features_cover() {
        for token in Backend::ALL.iter().filter_map(|backend| AnyToken::new(*backend).ok()) {
            for &backend in Backend::ALL.iter().filter(|backend| backend.is_available()) {
                let covered = backend.features().iter().all(|feature| token.backend().features().contains(feature));
                assert_eq!(token.implied(backend).map(AnyToken::backend), covered.then_some(backend));
            }
        }
    }
}
