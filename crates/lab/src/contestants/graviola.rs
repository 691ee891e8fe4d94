//! The graviola crate: assembly in Rust, for ML-KEM-768 only.
//!
//! What its public functions draw or consume is given and kept through those that it hides: the work is the same.

use super::Roster;
use crate::contest::Contest;

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    use super::About;
    use crate::contest::Label;

    match (contest.algorithm(), contest.job()) {
        ("ml-kem-768", "decaps") => return roster.absent("graviola", "graviola takes no decapsulation key as bytes"),
        ("ml-kem-768", _) if !here::has_features() => return roster.absent("graviola", "this CPU lacks what it needs"),
        ("ml-kem-768", _) => {}
        ("ml-kem-512" | "ml-kem-1024", _) => return roster.absent("graviola", "of ML-KEM graviola has ML-KEM-768"),
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
    if contest.job() == "encaps-prepared" {
        contestant.label(Label::KeyNotPrepared);
    }
    contestant.valgrind &= here::backend() != here::AVX512;
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.algorithm() == "ml-kem-768" {
        roster.absent("graviola", "graviola is for x86-64 and AArch64");
    }
}

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod here {
    use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys};
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

    impl KeptKeys for MlKem768 {
        type Pair = DecapKey;
        type Key = EncapKey;

        fn pair(&mut self, pair: &FixedPair) -> DecapKey {
            self.generate(&pair.seeds)
        }

        fn key(&mut self, ek: &[u8]) -> EncapKey {
            EncapKey::from_bytes(ek.try_into().expect("as long as a key")).expect("a good key")
        }

        fn encapsulate(&mut self, key: &EncapKey, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
            // It uses the key up.
            encapsulate(key.clone(), m, sent, secret);
        }

        fn decapsulate(&mut self, pair: &DecapKey, sent: &[u8], secret: &mut [u8; SECRET]) {
            let sent: [u8; 1088] = sent.try_into().expect("as long as a ciphertext");
            *secret = *pair.decaps_internal(&Ciphertext::from(sent)).as_ref();
        }
    }

    fn encapsulate(key: EncapKey, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (shared, ciphertext) = key.encaps_internal(Message(*m));
        sent.copy_from_slice(ciphertext.as_ref());
        *secret = *shared.as_ref();
    }

    impl TypedKeys for MlKem768 {
        fn generate(&mut self, seeds: &[u8; SEEDS]) -> DecapKey {
            DecapKey::keygen_internal(seeds)
        }

        fn write_key(&mut self, pair: &DecapKey, ek: &mut [u8]) {
            ek.copy_from_slice(&pair.encapsulation_key().as_bytes());
        }

        fn write_pair(&mut self, pair: &DecapKey, dk: &mut [u8]) {
            dk.copy_from_slice(&pair.as_bytes());
        }

        fn decaps(&mut self, _: &[u8], _: &[u8], _: &mut [u8; SECRET]) {
            unreachable!("it is not entered there")
        }
    }
}
