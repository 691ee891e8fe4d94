//! AWS-LC, built from source. Cargo feature `aws-lc`.

#[cfg(feature = "aws-lc")]
mod kem;
#[cfg(feature = "aws-lc")]
mod linked;

use super::Roster;
use crate::contest::Contest;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    match contest.algorithm() {
        "sm3" | "sm4" => roster.absent("AWS-LC", "AWS-LC has no SM3 and no SM4"),
        #[cfg(feature = "aws-lc")]
        _ => linked::enter(contest, roster),
        #[cfg(not(feature = "aws-lc"))]
        "keccak256" | "sha3-256" | "shake128" | "chacha20" | "chacha20-poly1305" | "xchacha20-poly1305"
        | "ml-kem-512" | "ml-kem-768" | "ml-kem-1024" => {
            roster.absent("AWS-LC", "cargo feature aws-lc builds it; that needs a C compiler");
        }
        #[cfg(not(feature = "aws-lc"))]
        _ => {}
    }
}
