//! The KEMs whose keys a file can be sealed to: their numbers in the header, and their operations on keys as bytes.

use super::Error;
use crate::dynamic::{self, DecapsulationKey};
use zeroize::Zeroizing;

/// The KEM of a [`Recipient`](super::Recipient) or an [`Identity`](super::Identity).
pub use crate::dynamic::KemAlgorithm as Kem;

/// The KEM of a new key, where none is named: X-Wing, which holds as long as ML-KEM-768 or X25519 does.
pub const DEFAULT_KEM: Kem = Kem::XWing;

/// Bytes of a shared secret.
const SHARED: usize = Kem::SHARED_SECRET_SIZE;

/// The shared secret of an encapsulation, erased on drop: 32 bytes.
pub type SharedSecret = Zeroizing<[u8; SHARED]>;

impl Kem {
    /// Its number in the header.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::MlKem512 => 1,
            Self::MlKem768 => 2,
            Self::MlKem1024 => 3,
            Self::Clwe512 => 4,
            Self::Clwe768 => 5,
            Self::Clwe1024 => 6,
            Self::XWing => 7,
        }
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|kem| kem.number() == number)
    }

    /// Checks an encapsulation key (FIPS 203, section 7.2).
    pub(super) fn check(self, key: &[u8]) -> Result<(), dynamic::Error> {
        self.encapsulation_key_from_bytes(key, None).map(drop)
    }

    /// Computes the encapsulation key from seeds of the right length.
    pub(super) fn encapsulation_key(self, seeds: &[u8]) -> Vec<u8> {
        self.decapsulation_key(seeds).encapsulation_key().to_vec()
    }

    /// Computes a ciphertext and its shared secret for a checked key, with random numbers of the system.
    pub(super) fn encapsulate(self, key: &[u8]) -> Result<(Vec<u8>, SharedSecret), Error> {
        let key = self.encapsulation_key_from_bytes(key, None).expect("it was checked");
        let (mut ciphertext, mut secret) = (vec![0; self.ciphertext_size()], Zeroizing::new([0; SHARED]));
        let mut randomness = Zeroizing::new(vec![0; self.randomness_size()]);
        getrandom::fill(&mut randomness).map_err(Error::Random)?;
        key.encapsulate(&randomness, &mut ciphertext, &mut *secret).expect("the lengths are right");
        Ok((ciphertext, secret))
    }

    /// Computes the shared secret; `None` if the ciphertext has the wrong length.
    pub(super) fn decapsulate(self, seeds: &[u8], ciphertext: &[u8]) -> Option<SharedSecret> {
        let mut secret = Zeroizing::new([0; SHARED]);
        self.decapsulation_key(seeds).decapsulate(ciphertext, &mut *secret).ok()?;
        Some(secret)
    }

    fn decapsulation_key(self, seeds: &[u8]) -> Box<dyn DecapsulationKey> {
        self.decapsulation_key_from_seeds(seeds, None).expect("the length is right")
    }
}
