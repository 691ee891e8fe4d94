//! keccak-asm: the assembly of the OpenSSL and CRYPTOGAMS projects, or vector Rust, chosen when it is built.

use super::{About, HashFn, Roster};
use crate::contest::{Algorithm, Contest, Label};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let hash: HashFn = match contest.algorithm() {
        Algorithm::Keccak256 => |message, digest| digest.copy_from_slice(&keccak_asm::Keccak256::digest(message)),
        Algorithm::Sha3_256 => |message, digest| digest.copy_from_slice(&keccak_asm::Sha3_256::digest(message)),
        Algorithm::Shake128 => return roster.absent("keccak-asm", "keccak-asm 0.1.9 has no SHAKE128"),
        _ => return,
    };
    // Assembly is called through C's conventions; builds for AVX2, AVX-512 and 64-bit Arm take Rust instead.
    let rust = keccak_asm::IMPL.ends_with("-rust");
    let about = About {
        name: "keccak-asm",
        library: "keccak-asm",
        version: "0.1.9",
        // The crate's own name of the code that its build chose; target-cpu changes it.
        backend: keccak_asm::IMPL,
        labels: if rust { &[Label::ConstantTime] } else { &[Label::ConstantTime, Label::Ffi] },
        how_to_use: "crate keccak-asm: Keccak256::digest",
    };
    roster.hash(contest, &about, hash);
}
