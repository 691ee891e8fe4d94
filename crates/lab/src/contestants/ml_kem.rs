//! The ml-kem crate of the `RustCrypto` project: keys of its own types, with their matrix.

use super::kem::{KemObjects, MESSAGE, SECRET, SEEDS};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use fairlane_reference::kem::Params;
use ml_kem::{Decapsulate, KeyExport};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let about = About {
        name: "ml-kem",
        library: "ml-kem",
        version: "0.3.4",
        backend: "portable Rust",
        labels: &[Label::ConstantTime],
        how_to_use: "crate ml-kem: DecapsulationKey, EncapsulationKey",
    };
    match contest.algorithm().params() {
        Some(Params::ML_KEM_512) => roster.kem(contest, &about, |_| MlKem512),
        Some(Params::ML_KEM_768) => roster.kem(contest, &about, |_| MlKem768),
        Some(Params::ML_KEM_1024) => roster.kem(contest, &about, |_| MlKem1024),
        _ => return,
    };
}

/// A macro, because the bounds of its generic types can be written in the crate itself only.
macro_rules! sets {
    ($($Set:ident)*) => {$(
        struct $Set;

        /// Decapsulation keys in FIPS 203's own form need the functions that this crate advises against.
        #[allow(deprecated)]
        impl KemObjects for $Set {
            type PublicKey = ml_kem::EncapsulationKey<ml_kem::$Set>;
            type PrivateKey = ml_kem::DecapsulationKey<ml_kem::$Set>;

            fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey {
                let key = Self::PrivateKey::from_seed((*seeds).into());
                ek.copy_from_slice(&key.encapsulation_key().to_bytes());
                key
            }

            fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey {
                Self::PublicKey::new(ek.try_into().expect("as long as a key")).expect("a good key")
            }

            fn private_key(&mut self, dk: &[u8]) -> Self::PrivateKey {
                Self::PrivateKey::from_expanded(dk.try_into().expect("as long as a key")).expect("a good key")
            }

            fn write_private_key(&mut self, key: &Self::PrivateKey, dk: &mut [u8]) {
                dk.copy_from_slice(&ml_kem::ExpandedKeyEncoding::to_expanded_bytes(key));
            }

            fn encapsulate(
                &mut self,
                key: &Self::PublicKey,
                m: &[u8; MESSAGE],
                ciphertext: &mut [u8],
                secret: &mut [u8; SECRET],
            ) {
                let (sent, shared) = key.encapsulate_deterministic(m.into());
                ciphertext.copy_from_slice(&sent);
                *secret = shared.into();
            }

            fn decapsulate(&mut self, key: &Self::PrivateKey, ciphertext: &[u8], secret: &mut [u8; SECRET]) {
                *secret = key.decapsulate(ciphertext.try_into().expect("as long as a ciphertext")).into();
            }
        }
    )*};
}
sets! { MlKem512 MlKem768 MlKem1024 }
