//! The few contests that a race runs when it is not told which: those that answer what the five write-ups asked, at one
//! size or two, so that all suites fit in three minutes and on one screen.

use super::all;
use crate::contest::{Contest, Size};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// Contests by id, with their sizes, in the order of [`all`].
pub const HIGHLIGHTS: &[(&str, &[Size])] = &[
    // The third write-up: who hashes fastest with Keccak-256? And what do lanes bring to many messages?
    ("keccak256/message", &[Size::one(32), Size::one(MIB)]),
    ("keccak256/batch", &[Size::batch(1024, 32)]),
    ("sha3-256/message", &[Size::one(KIB)]),
    // The first: Kusumi-512 against Threefish-512, with ChaCha20 as the line to reach. And what programs use instead.
    ("arx/encrypt-in-place", &[Size::one(KIB), Size::one(MIB)]),
    ("chacha20-poly1305/seal", &[Size::one(KIB)]),
    // The fifth: what do vectors bring to SM4 and SM3? And to the mode that programs use.
    ("sm4/ecb-encrypt", &[Size::one(16 * KIB)]),
    ("sm4/cbc-decrypt", &[Size::one(16 * KIB)]),
    ("sm4/gcm-seal", &[Size::one(16 * KIB)]),
    ("sm3/message", &[Size::one(MIB)]),
    // The fourth: Kalyna in Rust against C, by the block and the key. And what programs encrypt with.
    ("kalyna-128-128/block-encrypt", &[Size::one(16)]),
    ("kalyna-128-128/key-schedule", &[Size::one(16)]),
    ("kalyna-256-256/ctr", &[Size::one(16 * KIB)]),
    ("kalyna-512-512/block-encrypt", &[Size::one(64)]),
    // The second: the steps of a key exchange, by ML-KEM and by CLWE-KEM.
    ("ml-kem-768/keygen", &[Size::one(32)]),
    ("ml-kem-768/encaps", &[Size::one(32)]),
    ("ml-kem-768/decaps", &[Size::one(32)]),
    ("ml-kem-768/batch-encaps", &[Size::batch(64, 32)]),
    ("clwe-768/exchange", &[Size::one(32)]),
];

/// The contests of [`HIGHLIGHTS`], each with its sizes there as its only ones.
pub fn highlights() -> Vec<Contest> {
    let at = |contest: Contest| {
        let (_, sizes) = HIGHLIGHTS.iter().find(|(id, _)| *id == contest.id)?;
        Some(Contest { sizes, quick_sizes: sizes, ..contest })
    };
    all().into_iter().filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_contest_at_sizes_of_its_own() {
        let ids: Vec<&str> = HIGHLIGHTS.iter().map(|(id, _)| *id).collect();
        assert_eq!(highlights().iter().map(|contest| contest.id).collect::<Vec<_>>(), ids);
        for (contest, (id, sizes)) in highlights().iter().zip(HIGHLIGHTS) {
            let own = all().into_iter().find(|own| own.id == contest.id).unwrap();
            assert!(sizes.iter().all(|size| own.sizes.contains(size)), "{id}");
            assert_eq!((contest.sizes, contest.quick_sizes), (*sizes, *sizes));
        }
    }

    #[test]
    fn every_suite_is_there_and_all_fit_on_a_screen() {
        for contest in all() {
            assert!(highlights().iter().any(|light| light.suite == contest.suite), "{}", contest.suite);
        }
        assert!(HIGHLIGHTS.iter().map(|(_, sizes)| sizes.len()).sum::<usize>() <= 22);
    }
}
