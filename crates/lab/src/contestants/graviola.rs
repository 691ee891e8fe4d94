//! The graviola crate: assembly in Rust, for ML-KEM-768 only.
//!
//! What its public functions draw or consume is given and kept through those that it hides: the work is the same.

use super::Roster;
use crate::contest::{Algorithm, Contest};
use fairlane_reference::kem::Params;

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    use super::About;
    use crate::contest::{Job, Label};

    match (contest.algorithm(), contest.job()) {
        (Algorithm::Kem(Params::ML_KEM_768), Job::Decaps) => {
            return roster.absent("graviola", "graviola takes no decapsulation key as bytes");
        }
        (Algorithm::Kem(Params::ML_KEM_768), _) if !here::has_features() => {
            return roster.absent("graviola", "this CPU lacks what it needs");
        }
        (Algorithm::Kem(Params::ML_KEM_768), _) => {}
        (Algorithm::Kem(Params::ML_KEM_512 | Params::ML_KEM_1024), _) => {
            return roster.absent("graviola", "of ML-KEM graviola has ML-KEM-768");
        }
        _ => return,
    }
    let about = About {
        name: "graviola",
        library: "graviola",
        version: "0.4.4",
        backend: here::backend(),
        labels: &[Label::ConstantTime],
        how_to_use: "crate graviola: key_agreement::mlkem768; what takes the randomness is hidden there",
    };
    let contestant = roster.kem(contest, &about, |_| here::MlKem768);
    if contest.job() == Job::EncapsPrepared {
        contestant.label(Label::KeyNotPrepared);
    }
    contestant.valgrind &= here::backend() != here::AVX512;
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.algorithm() == Algorithm::Kem(Params::ML_KEM_768) {
        roster.absent("graviola", "graviola is for x86-64 and AArch64");
    }
}

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod here {
    use crate::contestants::kem::{KemObjects, MESSAGE, SECRET, SEEDS};
    use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey, Message};

    /// What its sources choose where the CPU has it.
    pub(super) const AVX512: &str = "x86-64 assembly (AVX2), AVX-512 for Keccak and sampling";

    /// What it asks for before its public functions do anything.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_features() -> bool {
        is_x86_feature_detected!("adx")
            && is_x86_feature_detected!("aes")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("pclmulqdq")
    }

    /// As above.
    #[cfg(target_arch = "aarch64")]
    pub(super) fn has_features() -> bool {
        use std::arch::is_aarch64_feature_detected;
        is_aarch64_feature_detected!("aes")
            && is_aarch64_feature_detected!("neon")
            && is_aarch64_feature_detected!("pmull")
            && is_aarch64_feature_detected!("sha2")
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn backend() -> &'static str {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        if avx512 { AVX512 } else { "x86-64 assembly (AVX2)" }
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn backend() -> &'static str {
        "AArch64 assembly"
    }

    pub(super) struct MlKem768;

    impl KemObjects for MlKem768 {
        type PublicKey = EncapKey;
        type PrivateKey = DecapKey;

        fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> DecapKey {
            let key = DecapKey::keygen_internal(seeds);
            ek.copy_from_slice(&key.encapsulation_key().as_bytes());
            key
        }

        fn public_key(&mut self, ek: &[u8]) -> EncapKey {
            EncapKey::from_bytes(ek.try_into().expect("as long as a key")).expect("a good key")
        }

        fn write_private_key(&mut self, key: &DecapKey, dk: &mut [u8]) {
            dk.copy_from_slice(&key.as_bytes());
        }

        fn encapsulate(&mut self, key: &EncapKey, m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
            // It uses the key up.
            let (shared, sent) = key.clone().encaps_internal(Message(*m));
            ciphertext.copy_from_slice(sent.as_ref());
            *secret = *shared.as_ref();
        }

        fn decapsulate(&mut self, key: &DecapKey, ciphertext: &[u8], secret: &mut [u8; SECRET]) {
            let sent: [u8; 1088] = ciphertext.try_into().expect("as long as a ciphertext");
            *secret = *key.decaps_internal(&Ciphertext::from(sent)).as_ref();
        }
    }
}
