//! AWS-LC, built from source. Cargo feature `aws-lc`.

#[cfg(feature = "aws-lc")]
mod linked;
#[cfg(feature = "aws-lc")]
pub(super) use linked::enter;

#[cfg(not(feature = "aws-lc"))]
pub(super) fn enter(contest: &crate::contest::Contest, roster: &mut super::Roster) {
    const HAS: &[&str] = &["keccak256", "sha3-256", "shake128", "chacha20", "chacha20-poly1305", "xchacha20-poly1305"];
    if HAS.contains(&contest.algorithm()) {
        roster.absent("AWS-LC", "cargo feature aws-lc builds it; that needs a C compiler");
    }
}
