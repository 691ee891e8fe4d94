//! The KEMs whose keys a file can be sealed to: their numbers in the header, and their operations on keys as bytes.

use super::Error;
use crate::dynamic::{self, DecapsulationKey};
use zeroize::Zeroizing;

/// The KEM of a [`Recipient`](super::Recipient) or an [`Identity`](super::Identity).
pub use crate::dynamic::KemAlgorithm as Kem;

/// Bytes of the seeds d and z.
pub(super) const SEEDS: usize = Kem::SEEDS_SIZE;

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
        }
    }

    pub(super) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|kem| kem.number() == number)
    }

    /// Checks an encapsulation key (FIPS 203, section 7.2).
    pub(super) fn check(self, key: &[u8]) -> Result<(), dynamic::Error> {
        self.encapsulation_key_from_bytes(key, None).map(drop)
    }

    /// Computes the encapsulation key from the seeds d and z.
    pub(super) fn encapsulation_key(self, seeds: &[u8; SEEDS]) -> Vec<u8> {
        self.decapsulation_key(seeds).encapsulation_key().to_vec()
    }

    /// Computes the ciphertext and the shared secret for a checked key and the randomness `m`.
    pub(super) fn encapsulate(self, key: &[u8], m: &[u8; SHARED]) -> (Vec<u8>, SharedSecret) {
        let key = self.encapsulation_key_from_bytes(key, None).expect("it was checked");
        let (mut ciphertext, mut secret) = (vec![0; self.ciphertext_size()], Zeroizing::new([0; SHARED]));
        key.encapsulate(m, &mut ciphertext, &mut *secret).expect("the lengths are right");
        (ciphertext, secret)
    }

    /// Computes the shared secret; `None` if the ciphertext has the wrong length.
    pub(super) fn decapsulate(self, seeds: &[u8; SEEDS], ciphertext: &[u8]) -> Option<SharedSecret> {
        let mut secret = Zeroizing::new([0; SHARED]);
        self.decapsulation_key(seeds).decapsulate(ciphertext, &mut *secret).ok()?;
        Some(secret)
    }

    fn decapsulation_key(self, seeds: &[u8; SEEDS]) -> Box<dyn DecapsulationKey> {
        self.decapsulation_key_from_seeds(seeds, None).expect("the length is right")
    }
}

/// Returns 32 random bytes from the system.
pub(super) fn random() -> Result<Zeroizing<[u8; SHARED]>, Error> {
    let mut bytes = Zeroizing::new([0; SHARED]);
    getrandom::fill(&mut *bytes).map_err(Error::Random)?;
    Ok(bytes)
}
