//! The sha3, shake and k12 crates of the `RustCrypto` project, which share the permutation of its keccak crate.

use super::{About, Roster, traits};
use crate::contest::{Algorithm, Contest, Label};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let about = About {
        name: "sha3",
        library: "sha3",
        version: "0.12.0",
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: "crate sha3: Keccak256; update, finalize_into_reset on one hasher",
    };
    match contest.algorithm() {
        Algorithm::Keccak256 => {
            roster.hash_with(contest, &about, || traits::hash(sha3::Keccak256::default()));
        }
        Algorithm::Sha3_256 => {
            roster.hash_with(contest, &about, || traits::hash(sha3::Sha3_256::default()));
        }
        Algorithm::Shake128 => {
            let about = About {
                name: "shake",
                library: "shake",
                version: "0.1.0",
                how_to_use: "crate shake: Shake128; update, finalize_xof_reset_into on one hasher",
                ..about
            };
            roster.hash_with(contest, &about, || traits::xof(shake::Shake128::default()));
        }
        Algorithm::Kt128 | Algorithm::Kt256 => {
            let about = About {
                name: "k12",
                library: "k12",
                version: "0.5.1",
                how_to_use: "crate k12: Kt128; update, finalize_xof_reset_into on one hasher",
                ..about
            };
            match contest.algorithm() {
                Algorithm::Kt128 => roster.hash_with(contest, &about, || traits::xof(k12::Kt128::default())),
                _ => roster.hash_with(contest, &about, || traits::xof(k12::Kt256::default())),
            };
        }
        _ => {}
    }
}

/// The keccak crate's rule: the SHA-3 instructions of 64-bit Arm where the CPU has them, else one body of Rust.
fn backend() -> &'static str {
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("sha3") {
        return "SHA-3 instructions of 64-bit Arm";
    }
    "portable Rust"
}
