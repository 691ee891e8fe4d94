//! The KEMs whose keys a file can be sealed to: their numbers, names and sizes, and their operations where the KEM is
//! known at run time only.

use super::Error;
use crate::clwe::{Clwe512, Clwe768, Clwe1024};
use crate::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet,
};
use digest::typenum::Unsigned;
use kem::KeyInit;
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

/// Bytes of the seeds d and z.
pub(super) const SEEDS: usize = 64;

/// Bytes of a shared secret.
const SHARED: usize = 32;

/// The KEM of a [`Recipient`](super::Recipient) or an [`Identity`](super::Identity).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Kem {
    /// ML-KEM-768 of FIPS 203. The default.
    #[default]
    MlKem768,
    /// ML-KEM-512 of FIPS 203.
    MlKem512,
    /// ML-KEM-1024 of FIPS 203.
    MlKem1024,
    /// CLWE-512. **Nobody but its authors has analysed CLWE-KEM**; it is here for comparison.
    Clwe512,
    /// CLWE-768, as little analysed.
    Clwe768,
    /// CLWE-1024, as little analysed.
    Clwe1024,
}

/// Calls a generic function for the parameter set of a [`Kem`].
macro_rules! with_set {
    ($kem:expr, $function:ident($($argument:expr),*)) => {
        match $kem {
            Kem::MlKem512 => $function::<MlKem512>($($argument),*),
            Kem::MlKem768 => $function::<MlKem768>($($argument),*),
            Kem::MlKem1024 => $function::<MlKem1024>($($argument),*),
            Kem::Clwe512 => $function::<Clwe512>($($argument),*),
            Kem::Clwe768 => $function::<Clwe768>($($argument),*),
            Kem::Clwe1024 => $function::<Clwe1024>($($argument),*),
        }
    };
}

impl Kem {
    /// Every KEM, the default first.
    pub const ALL: &[Self] =
        &[Self::MlKem768, Self::MlKem512, Self::MlKem1024, Self::Clwe512, Self::Clwe768, Self::Clwe1024];

    /// Its name, such as `ml-kem-768`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MlKem512 => "ml-kem-512",
            Self::MlKem768 => "ml-kem-768",
            Self::MlKem1024 => "ml-kem-1024",
            Self::Clwe512 => "clwe-512",
            Self::Clwe768 => "clwe-768",
            Self::Clwe1024 => "clwe-1024",
        }
    }

    /// Whether cryptographers other than the KEM's authors have published analyses of it.
    pub const fn reviewed(self) -> bool {
        matches!(self, Self::MlKem512 | Self::MlKem768 | Self::MlKem1024)
    }

    /// Bytes of an encapsulation key.
    pub fn encapsulation_key_size(self) -> usize {
        fn size<P: ParameterSet>() -> usize {
            P::EncapsulationKeySize::USIZE
        }
        with_set!(self, size())
    }

    /// Bytes of a ciphertext.
    pub fn ciphertext_size(self) -> usize {
        fn size<P: ParameterSet>() -> usize {
            P::CiphertextSize::USIZE
        }
        with_set!(self, size())
    }

    /// Its number in the header.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::MlKem512 => 1,
            Self::MlKem768 => 2,
            Self::MlKem1024 => 3,
            Self::Clwe512 => 4,
            Self::Clwe768 => 5,
            Self::Clwe1024 => 6,
        }
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|kem| kem.number() == number)
    }

    /// Checks an encapsulation key (FIPS 203, section 7.2).
    pub(super) fn check(self, key: &[u8]) -> Result<(), KeyError> {
        fn check<P: ParameterSet>(key: &[u8]) -> Result<(), KeyError> {
            EncapsulationKey::<P>::from_bytes(key).map(drop)
        }
        with_set!(self, check(key))
    }

    /// Computes the encapsulation key from the seeds d and z.
    pub(super) fn encapsulation_key(self, seeds: &[u8; SEEDS]) -> Vec<u8> {
        fn key<P: ParameterSet>(seeds: &[u8; SEEDS]) -> Vec<u8> {
            decapsulation_key::<P>(seeds).encapsulation_key().as_bytes().to_vec()
        }
        with_set!(self, key(seeds))
    }

    /// Computes the ciphertext and the shared secret for a checked key and the randomness `m`.
    pub(super) fn encapsulate(self, key: &[u8], m: &[u8; SHARED]) -> (Vec<u8>, SharedSecret) {
        fn encapsulate<P: ParameterSet>(key: &[u8], m: &[u8; SHARED]) -> (Vec<u8>, SharedSecret) {
            let key = EncapsulationKey::<P>::from_bytes(key).expect("it was checked");
            let (ciphertext, secret) = key.encapsulate_deterministic(m);
            (ciphertext.to_vec(), Zeroizing::new(secret.0))
        }
        with_set!(self, encapsulate(key, m))
    }

    /// Computes the shared secret; `None` if the ciphertext has the wrong length.
    pub(super) fn decapsulate(self, seeds: &[u8; SEEDS], ciphertext: &[u8]) -> Option<SharedSecret> {
        fn decapsulate<P: ParameterSet>(seeds: &[u8; SEEDS], ciphertext: &[u8]) -> Option<SharedSecret> {
            let ciphertext: &Ciphertext<P> = ciphertext.try_into().ok()?;
            Some(Zeroizing::new(decapsulation_key::<P>(seeds).decapsulate(ciphertext).0))
        }
        with_set!(self, decapsulate(seeds, ciphertext))
    }
}

/// The shared secret of an encapsulation, erased on drop: 32 bytes.
pub type SharedSecret = Zeroizing<[u8; SHARED]>;

fn decapsulation_key<P: ParameterSet>(seeds: &[u8; SEEDS]) -> DecapsulationKey<P> {
    DecapsulationKey::new(seeds.into())
}

/// Returns 32 random bytes from the system.
pub(super) fn random() -> Result<Zeroizing<[u8; SHARED]>, Error> {
    let mut bytes = Zeroizing::new([0; SHARED]);
    getrandom::fill(&mut *bytes).map_err(Error::Random)?;
    Ok(bytes)
}

impl fmt::Display for Kem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No KEM has this name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownKemName(String);

impl fmt::Display for UnknownKemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Kem::ALL.iter().map(|kem| kem.name()).collect();
        write!(f, "no KEM is called '{}'; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownKemName {}

impl FromStr for Kem {
    type Err = UnknownKemName;

    fn from_str(name: &str) -> Result<Self, UnknownKemName> {
        Self::ALL.iter().copied().find(|kem| kem.name() == name).ok_or_else(|| UnknownKemName(name.to_owned()))
    }
}
