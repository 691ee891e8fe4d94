//! The sha3 and shake crates of the `RustCrypto` project, which share the permutation of its keccak crate.

use super::{About, HashFn, Roster};
use crate::contest::{Algorithm, Contest, Label};
use digest::{Digest, ExtendableOutput, Update};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let hash: HashFn = match contest.algorithm() {
        Algorithm::Keccak256 => |message, digest| digest.copy_from_slice(&sha3::Keccak256::digest(message)),
        Algorithm::Sha3_256 => |message, digest| digest.copy_from_slice(&sha3::Sha3_256::digest(message)),
        Algorithm::Shake128 => |message, digest| {
            let mut hasher = shake::Shake128::default();
            hasher.update(message);
            hasher.finalize_xof_into(digest);
        },
        _ => return,
    };
    let shake = contest.algorithm() == Algorithm::Shake128;
    let about = About {
        name: if shake { "shake" } else { "sha3" },
        library: if shake { "shake" } else { "sha3" },
        version: if shake { "0.1.0" } else { "0.12.0" },
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: if shake { "crate shake: Shake128::finalize_xof_into" } else { "crate sha3: Keccak256::digest" },
    };
    roster.hash(contest, &about, hash);
}

/// The keccak crate's rule: the SHA-3 instructions of 64-bit Arm where the CPU has them, else one body of Rust.
fn backend() -> &'static str {
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("sha3") {
        return "SHA-3 instructions of 64-bit Arm";
    }
    "portable Rust"
}
