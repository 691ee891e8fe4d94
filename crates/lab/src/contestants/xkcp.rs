//! xkcp-rs: the Keccak team's own C and assembly, built from source. Cargo feature `xkcp`.

use super::Roster;
use crate::contest::{Algorithm, Contest};

#[cfg(not(feature = "xkcp"))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    // It is no contestant for KT128, KT256 and ParallelHash128: it has none of them.
    if matches!(contest.algorithm(), Algorithm::Keccak256 | Algorithm::Sha3_256 | Algorithm::Shake128) {
        roster.absent("xkcp-rs", "cargo feature xkcp builds it; that needs libclang, make and xsltproc");
    }
}

#[cfg(feature = "xkcp")]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    use crate::contest::Label;
    use xkcp_rs::KeccakHash;

    let hash: super::HashFn = match contest.algorithm() {
        Algorithm::Keccak256 => |message, digest| fixed(KeccakHash::keccak256(), message, digest),
        Algorithm::Sha3_256 => |message, digest| fixed(KeccakHash::sha3_256(), message, digest),
        // A SHAKE is an instance of output length 0: it is finalized without output, then squeezed.
        Algorithm::Shake128 => |message, digest| {
            let mut hasher = KeccakHash::shake128();
            hasher.update(message).expect("XKCP absorbs");
            hasher.finalize(&mut []).expect("XKCP pads");
            hasher.squeeze(digest).expect("XKCP squeezes");
        },
        _ => return,
    };
    let about = super::About {
        name: "xkcp-rs",
        library: "xkcp-rs",
        version: "0.0.5",
        backend: BACKEND,
        labels: &[Label::ConstantTime, Label::ContextInside, Label::Ffi, Label::Vendored],
        how_to_use: "crate xkcp-rs: KeccakHash::keccak256, update, finalize; target-cpu or XKCP_RS_TARGET choose its \
                     code",
    };
    roster.hash(contest, &about, hash);

    fn fixed(mut hasher: KeccakHash, message: &[u8], digest: &mut [u8]) {
        hasher.update(message).expect("XKCP absorbs");
        hasher.finalize(digest).expect("XKCP pads and squeezes");
    }
}

/// XKCP's target, by the rule of xkcp-sys's build script: an environment variable, else the features of the build.
#[cfg(feature = "xkcp")]
const BACKEND: &str = match option_env!("XKCP_RS_TARGET") {
    Some(target) => target,
    None if cfg!(target_arch = "aarch64") => "ARMv8A",
    None if cfg!(target_feature = "avx512f") => "AVX512",
    None if cfg!(target_feature = "avx2") => "AVX2",
    None if cfg!(target_feature = "avx") => "AVX",
    None if cfg!(target_feature = "ssse3") => "SSSE3",
    None if cfg!(target_pointer_width = "64") => "generic64",
    None => "generic32",
};
