//! The sm3 crate of the `RustCrypto` project.

use super::{About, Roster, traits};
use crate::contest::{Algorithm, Contest, Label};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.algorithm() != Algorithm::Sm3 {
        return;
    }
    let about = About {
        name: "sm3",
        library: "sm3",
        version: "0.5.0",
        backend: "portable Rust",
        labels: &[Label::ConstantTime],
        how_to_use: "crate sm3: Sm3; update, finalize_into_reset on one hasher",
    };
    roster.hash_with(contest, &about, || traits::hash(sm3::Sm3::default()));
}
