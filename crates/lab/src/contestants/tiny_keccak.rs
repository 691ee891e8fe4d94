//! tiny-keccak: portable Rust.

use super::{About, HashFn, Roster};
use crate::contest::{Algorithm, Contest, Label};
use crate::contests::keccak::PARALLEL_HASH_BLOCK;
use tiny_keccak::{Hasher, KangarooTwelve, Keccak, ParallelHash, Sha3, Shake};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let about = About {
        name: "tiny-keccak",
        library: "tiny-keccak",
        version: "2.0.2",
        backend: "portable Rust",
        // Finishing uses a hasher up.
        labels: &[Label::ConstantTime, Label::ContextInside],
        how_to_use: "crate tiny-keccak: Keccak::v256(), update, finalize",
    };
    let hash: HashFn = match contest.algorithm() {
        Algorithm::Keccak256 => |message, digest| run(Keccak::v256(), message, digest),
        Algorithm::Sha3_256 => |message, digest| run(Sha3::v256(), message, digest),
        Algorithm::Shake128 => |message, digest| run(Shake::v128(), message, digest),
        Algorithm::Kt128 => |message, digest| run(KangarooTwelve::new(b""), message, digest),
        Algorithm::ParallelHash128 => {
            // To make a hasher takes a permutation, so one that was made before is copied, as fairlane's is.
            let about = About {
                labels: &[Label::ConstantTime],
                how_to_use: "crate tiny-keccak: ParallelHash::v128(), clone, update, finalize",
                ..about
            };
            roster.hash_with(contest, &about, || {
                let start = ParallelHash::v128(b"", PARALLEL_HASH_BLOCK);
                move |message: &[u8], digest: &mut [u8]| run(start.clone(), message, digest)
            });
            return;
        }
        _ => return,
    };
    roster.hash(contest, &about, hash);
}

fn run(mut hasher: impl Hasher, message: &[u8], digest: &mut [u8]) {
    hasher.update(message);
    hasher.finalize(digest);
}
