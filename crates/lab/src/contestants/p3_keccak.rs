//! p3-keccak, of the Plonky3 project: many messages of one length at once.

use super::{About, Roster};
use crate::contest::{Algorithm, Contest, ContestId, Job, Label, Operation};
use p3_keccak::Keccak256Hash;
use p3_symmetric::CryptographicHasher;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.id != ContestId::new(Algorithm::Keccak256, Job::Batch) {
        return;
    }
    let about = About {
        name: "p3-keccak",
        library: "p3-keccak",
        version: "0.9.0-rc.2",
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: "crate p3-keccak: Keccak256Hash, CryptographicHasher::hash_many; messages of one length",
    };
    let contestant = roster.operation(contest, &about, |_| {
        Operation::to_output(|messages, digests| {
            let (digests, rest) = digests.as_chunks_mut();
            assert!(rest.is_empty(), "whole digests");
            Keccak256Hash.hash_many(messages, digests);
        })
    });
    contestant.valgrind &= backend() != AVX512;
}

const AVX512: &str = "AVX-512, 8 at once";

/// The crate's rule: the widest that the CPU has.
fn backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        match () {
            () if has!("avx512f") => AVX512,
            () if has!("avx2") => "AVX2, 4 at once",
            () => "SSE2, 2 at once",
        }
    }
    #[cfg(target_arch = "aarch64")]
    return "NEON, 2 at once";
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    "portable Rust"
}
