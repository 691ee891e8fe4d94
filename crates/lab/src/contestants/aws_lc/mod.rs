//! AWS-LC, built from source. Cargo feature `aws-lc`.

#[cfg(feature = "aws-lc")]
mod about;
#[cfg(feature = "aws-lc")]
mod kem;
#[cfg(feature = "aws-lc")]
mod linked;

use super::Roster;
#[cfg(not(feature = "aws-lc"))]
use crate::contest::Job;
use crate::contest::{Algorithm, Contest};
#[cfg(not(feature = "aws-lc"))]
use fairlane_reference::kem::Params;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    match contest.algorithm() {
        Algorithm::Sm3 | Algorithm::Sm4 => roster.absent("AWS-LC", "AWS-LC has no SM3 and no SM4"),
        #[cfg(feature = "aws-lc")]
        _ => linked::enter(contest, roster),
        // Its streams are not entered there.
        #[cfg(not(feature = "aws-lc"))]
        Algorithm::Arx if contest.job() != Job::Seal => {}
        #[cfg(not(feature = "aws-lc"))]
        Algorithm::Arx
        | Algorithm::Keccak256
        | Algorithm::Sha3_256
        | Algorithm::Shake128
        | Algorithm::ChaCha20
        | Algorithm::ChaCha20Poly1305
        | Algorithm::XChaCha20Poly1305
        | Algorithm::Kem(Params::ML_KEM_512 | Params::ML_KEM_768 | Params::ML_KEM_1024) => {
            roster.absent("AWS-LC", "cargo feature aws-lc builds it; that needs a C compiler");
        }
        #[cfg(not(feature = "aws-lc"))]
        _ => {}
    }
}
