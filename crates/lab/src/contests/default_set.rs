//! The contests that a race runs when none is named: those that answer what the five write-ups asked, at one size or
//! two, so that all suites fit in three minutes and on one screen.

use super::all;
use crate::contest::{Algorithm, Contest, ContestId, Job, Size};
use fairlane_reference::kalyna::Variant;
use fairlane_reference::kem::Params;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// The contests with their sizes, in the order of [`all`].
pub const DEFAULT_SET: &[(ContestId, &[Size])] = &[
    // The third write-up: who hashes fastest with Keccak-256? And what do lanes bring to many messages?
    (id(Algorithm::Keccak256, Job::Message), &[Size::one(32), Size::one(MIB)]),
    (id(Algorithm::Keccak256, Job::Batch), &[Size::batch(1024, 32)]),
    (id(Algorithm::Sha3_256, Job::Message), &[Size::one(KIB)]),
    // The first: Kusumi-512 against Threefish-512, with ChaCha20 as the line to reach. And what programs use instead.
    (id(Algorithm::Arx, Job::EncryptInPlace), &[Size::one(KIB), Size::one(MIB)]),
    (id(Algorithm::ChaCha20Poly1305, Job::Seal), &[Size::one(KIB)]),
    // The fifth: what do vectors bring to SM4 and SM3? And to the mode that programs use.
    (id(Algorithm::Sm4, Job::EcbEncrypt), &[Size::one(16 * KIB)]),
    (id(Algorithm::Sm4, Job::CbcDecrypt), &[Size::one(16 * KIB)]),
    (id(Algorithm::Sm4, Job::GcmSeal), &[Size::one(16 * KIB)]),
    (id(Algorithm::Sm3, Job::Message), &[Size::one(MIB)]),
    // The fourth: Kalyna in Rust against C, by the block and the key. And what programs encrypt with.
    (id(Algorithm::Kalyna(Variant::K128_128), Job::BlockEncrypt), &[Size::one(16)]),
    (id(Algorithm::Kalyna(Variant::K128_128), Job::KeySchedule), &[Size::one(16)]),
    (id(Algorithm::Kalyna(Variant::K256_256), Job::Ctr), &[Size::one(16 * KIB)]),
    (id(Algorithm::Kalyna(Variant::K512_512), Job::BlockEncrypt), &[Size::one(64)]),
    // The second: the steps of a key exchange, by ML-KEM and by CLWE-KEM.
    (id(Algorithm::Kem(Params::ML_KEM_768), Job::Keygen), &[Size::one(32)]),
    (id(Algorithm::Kem(Params::ML_KEM_768), Job::Encaps), &[Size::one(32)]),
    (id(Algorithm::Kem(Params::ML_KEM_768), Job::Decaps), &[Size::one(32)]),
    (id(Algorithm::Kem(Params::ML_KEM_768), Job::BatchEncaps), &[Size::batch(64, 32)]),
    (id(Algorithm::Kem(Params::CLWE_768), Job::Exchange), &[Size::one(32)]),
];

const fn id(algorithm: Algorithm, job: Job) -> ContestId {
    ContestId::new(algorithm, job)
}

/// The contests of [`DEFAULT_SET`], each with its sizes there as its only ones.
pub fn default_set() -> Vec<Contest> {
    let at = |contest: Contest| {
        let (_, sizes) = DEFAULT_SET.iter().find(|(id, _)| *id == contest.id)?;
        Some(Contest { sizes, quick_sizes: sizes, ..contest })
    };
    all().into_iter().filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_contest_at_sizes_of_its_own() {
        let ids: Vec<ContestId> = DEFAULT_SET.iter().map(|(id, _)| *id).collect();
        assert_eq!(default_set().iter().map(|contest| contest.id).collect::<Vec<_>>(), ids);
        for (contest, (id, sizes)) in default_set().iter().zip(DEFAULT_SET) {
            let own = all().into_iter().find(|own| own.id == contest.id).unwrap();
            assert!(sizes.iter().all(|size| own.sizes.contains(size)), "{id}");
            assert_eq!((contest.sizes, contest.quick_sizes), (*sizes, *sizes));
        }
    }

    #[test]
    fn every_suite_is_there_and_all_fit_on_a_screen() {
        for contest in all() {
            assert!(default_set().iter().any(|chosen| chosen.suite == contest.suite), "{}", contest.suite);
        }
        assert!(DEFAULT_SET.iter().map(|(_, sizes)| sizes.len()).sum::<usize>() <= 22);
    }
}
