//! The ml-kem crate of the `RustCrypto` project: keys of its own types, with their matrix.

use super::{About, Roster};
use crate::contest::{Contest, Label};
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, params};
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
    match params(contest) {
        Some(Params::ML_KEM_512) => roster.kem(contest, &about, |_| MlKem512),
        Some(Params::ML_KEM_768) => roster.kem(contest, &about, |_| MlKem768),
        Some(Params::ML_KEM_1024) => roster.kem(contest, &about, |_| MlKem1024),
        _ => return,
    };
}

/// What the bounds of its generic types are, only the crate itself can say.
macro_rules! sets {
    ($($Set:ident)*) => {$(
        struct $Set;

        impl KeptKeys for $Set {
            type Pair = ml_kem::DecapsulationKey<ml_kem::$Set>;
            type Key = ml_kem::EncapsulationKey<ml_kem::$Set>;

            fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
                self.generate(&pair.seeds)
            }

            fn key(&mut self, ek: &[u8]) -> Self::Key {
                Self::Key::new(ek.try_into().expect("as long as a key")).expect("a good key")
            }

            fn encapsulate(&mut self, key: &Self::Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
                let (ciphertext, shared) = key.encapsulate_deterministic(m.into());
                sent.copy_from_slice(&ciphertext);
                *secret = shared.into();
            }

            fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
                *secret = pair.decapsulate(sent.try_into().expect("as long as a ciphertext")).into();
            }
        }

        /// Whoever has keys in FIPS 203's own form needs the functions that this crate advises against.
        #[allow(deprecated)]
        impl TypedKeys for $Set {
            fn generate(&mut self, seeds: &[u8; SEEDS]) -> Self::Pair {
                Self::Pair::from_seed((*seeds).into())
            }

            fn write_key(&mut self, pair: &Self::Pair, ek: &mut [u8]) {
                ek.copy_from_slice(&pair.encapsulation_key().to_bytes());
            }

            fn write_pair(&mut self, pair: &Self::Pair, dk: &mut [u8]) {
                dk.copy_from_slice(&ml_kem::ExpandedKeyEncoding::to_expanded_bytes(pair));
            }

            fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
                let dk = dk.try_into().expect("as long as a key");
                self.decapsulate(&Self::Pair::from_expanded(dk).expect("a good key"), sent, secret);
            }
        }
    )*};
}
sets! { MlKem512 MlKem768 MlKem1024 }
