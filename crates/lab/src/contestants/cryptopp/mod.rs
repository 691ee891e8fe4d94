//! Crypto++, if its headers were installed when this was built. Cargo feature `cryptopp`.

#[cfg(feature = "cryptopp")]
mod linked;

use super::Roster;
use crate::contest::{Algorithm, Contest, Job};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    match contest.algorithm() {
        Algorithm::ChaCha20 | Algorithm::ChaCha20Poly1305 | Algorithm::XChaCha20Poly1305 => {}
        Algorithm::Threefish512 | Algorithm::Sm3 | Algorithm::Sm4 => {}
        // Its counters count the other way.
        Algorithm::Kalyna(_) if contest.job() != Job::Ctr => {}
        _ => return,
    }
    #[cfg(feature = "cryptopp")]
    match fairlane_cryptopp::api() {
        Ok(api) => linked::enter(contest, roster, api),
        Err(why) => roster.absent("Crypto++", why),
    }
    #[cfg(not(feature = "cryptopp"))]
    roster.absent("Crypto++", "cargo feature cryptopp links the installed one; on Debian: apt install libcrypto++-dev");
}
