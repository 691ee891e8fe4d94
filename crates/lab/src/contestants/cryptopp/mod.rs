//! Crypto++, if its headers were installed when this was built. Cargo feature `cryptopp`.

#[cfg(feature = "cryptopp")]
mod linked;

use super::Roster;
use crate::contest::Contest;
use crate::contests::kalyna;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    const HAS: &[&str] = &["chacha20", "chacha20-poly1305", "xchacha20-poly1305", "threefish512", "sm3", "sm4"];
    // Its counters count the other way.
    let kalyna = kalyna::variant(contest).is_some() && contest.job() != "ctr";
    if !kalyna && !HAS.contains(&contest.algorithm()) {
        return;
    }
    #[cfg(feature = "cryptopp")]
    match fairlane_cryptopp::api() {
        Ok(api) => linked::enter(contest, roster, api),
        Err(why) => roster.absent("Crypto++", why),
    }
    #[cfg(not(feature = "cryptopp"))]
    roster.absent("Crypto++", "cargo feature cryptopp links the installed one; on Debian: apt install libcrypto++-dev");
}
