//! The pqcrypto-mlkem crate, which is `PQClean`'s C and assembly. Cargo feature `pqcrypto`.
//!
//! It leaves the checks of keys from bytes to its user, and has no functions for them, so they are made here.

use super::Roster;
use crate::contest::Contest;

#[cfg(not(feature = "pqcrypto"))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.algorithm().ml_kem().is_some() {
        roster.absent("pqcrypto-mlkem", "cargo feature pqcrypto builds it; that needs a C compiler");
    }
}

#[cfg(feature = "pqcrypto")]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    use super::About;
    use crate::contest::Label;
    use fairlane_reference::kem::Params;
    let backend = match () {
        #[cfg(target_arch = "x86_64")]
        () if is_x86_feature_detected!("avx2") => "C and assembly (AVX2)",
        #[cfg(target_arch = "aarch64")]
        () => "C and assembly (NEON)",
        #[cfg(not(target_arch = "aarch64"))]
        () => "C",
    };
    let about = About {
        name: "pqcrypto-mlkem",
        library: "pqcrypto-mlkem",
        version: "0.1.1",
        backend,
        labels: &[Label::ConstantTime, Label::Ffi, Label::Vendored],
        how_to_use: "crate pqcrypto-mlkem: mlkem{512,768,1024}::{keypair,encapsulate,decapsulate}, and before these the \
                     checks of keys in FIPS 203, 7.2 and 7.3",
    };
    let contestant = match contest.algorithm().params() {
        Some(Params::ML_KEM_512) => roster.kem_on_bytes(contest, &about, |_| linked::MlKem512),
        Some(Params::ML_KEM_768) => roster.kem_on_bytes(contest, &about, |_| linked::MlKem768),
        Some(Params::ML_KEM_1024) => roster.kem_on_bytes(contest, &about, |_| linked::MlKem1024),
        _ => return,
    };
    // Decapsulation needs no randomness.
    if !contest.job().is_decapsulation() {
        contestant.label(Label::DrawsRandomness);
    }
}

#[cfg(feature = "pqcrypto")]
mod linked {
    use crate::contestants::kem::{Kem, MESSAGE, SECRET, SEEDS};
    use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};
    use sha3::{Digest, Sha3_256};

    const Q: u16 = 3329;
    const RHO: usize = 32;
    const HASH: usize = 32;
    const Z: usize = 32;

    /// The modulus check of FIPS 203, 7.2: t̂ holds pairs of 12-bit numbers, all below q.
    fn is_reduced(ek: &[u8]) -> bool {
        let (pairs, _) = ek[..ek.len() - RHO].as_chunks::<3>();
        pairs.iter().fold(true, |reduced, [a, b, c]| {
            let [a, b, c] = [a, b, c].map(|byte| u16::from(*byte));
            reduced & (a | (b & 15) << 8 < Q) & (b >> 4 | c << 4 < Q)
        })
    }

    /// The hash check of FIPS 203, 7.3, of ŝ ‖ ek ‖ H(ek) ‖ z, where ŝ is as long as t̂.
    fn hash_fits(dk: &[u8]) -> bool {
        let vector = (dk.len() - RHO - HASH - Z) / 2;
        let (ek, rest) = dk[vector..].split_at(vector + RHO);
        Sha3_256::digest(ek)[..] == rest[..HASH]
    }

    macro_rules! sets {
        ($($Set:ident: $module:ident;)*) => {$(
            pub(super) struct $Set;

            impl Kem for $Set {
                fn keygen(&mut self, _: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
                    let (public, private) = pqcrypto_mlkem::$module::keypair();
                    ek.copy_from_slice(public.as_bytes());
                    dk.copy_from_slice(private.as_bytes());
                }

                fn encaps(&mut self, ek: &[u8], _: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
                    use pqcrypto_mlkem::$module::{PublicKey as Key, encapsulate};
                    assert!(is_reduced(ek), "the key is good");
                    let (shared, sent) = encapsulate(&Key::from_bytes(ek).expect("as long as a key"));
                    ciphertext.copy_from_slice(sent.as_bytes());
                    secret.copy_from_slice(shared.as_bytes());
                }

                fn decaps(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]) {
                    use pqcrypto_mlkem::$module::{Ciphertext as Sent, SecretKey as Key, decapsulate};
                    assert!(hash_fits(dk), "the key is good");
                    let key = Key::from_bytes(dk).expect("as long as a key");
                    let sent = Sent::from_bytes(ciphertext).expect("as long as a ciphertext");
                    secret.copy_from_slice(decapsulate(&sent, &key).as_bytes());
                }
            }
        )*};
    }
    sets! {
        MlKem512: mlkem512;
        MlKem768: mlkem768;
        MlKem1024: mlkem1024;
    }
}
