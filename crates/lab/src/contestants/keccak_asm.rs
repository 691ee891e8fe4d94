//! keccak-asm: the assembly of the OpenSSL and CRYPTOGAMS projects, or vector Rust, chosen when it is built.

use super::{About, Roster};
use crate::contest::{Algorithm, Contest, Label};
use keccak_asm::digest::{FixedOutputReset, Update};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    // Assembly is called through C's conventions; builds for AVX2, AVX-512 and 64-bit Arm take Rust instead.
    let rust = keccak_asm::IMPL.ends_with("-rust");
    let about = About {
        name: "keccak-asm",
        library: "keccak-asm",
        version: "0.1.9",
        // The crate's own name of the code that its build chose; target-cpu changes it.
        backend: keccak_asm::IMPL,
        labels: if rust { &[Label::ConstantTime] } else { &[Label::ConstantTime, Label::Ffi] },
        how_to_use: "crate keccak-asm: Keccak256; update, finalize_into_reset on one hasher",
    };
    match contest.algorithm() {
        Algorithm::Keccak256 => {
            roster.hash_with(contest, &about, || hash(keccak_asm::Keccak256::default()));
        }
        Algorithm::Sha3_256 => {
            roster.hash_with(contest, &about, || hash(keccak_asm::Sha3_256::default()));
        }
        Algorithm::Shake128 => roster.absent("keccak-asm", "keccak-asm 0.1.9 has no SHAKE128"),
        _ => {}
    }
}

/// As `traits::hash`, with the traits of the `digest` crate before.
fn hash<H: Update + FixedOutputReset>(mut hasher: H) -> impl FnMut(&[u8], &mut [u8]) {
    move |message, digest| {
        hasher.update(message);
        hasher.finalize_into_reset(digest.into());
    }
}
