//! The sm4 crate of the `RustCrypto` project, with the crates that make modes of it.

use super::modes::{self, Mode};
use super::{About, Roster, traits};
use crate::contest::{Contest, Label};
use crate::inputs::sm4::KEY;
use cipher::KeyInit;
use sm4::Sm4;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.function("SM4").is_none() {
        return;
    }
    let about = About {
        name: "sm4",
        library: "sm4",
        version: "0.6.0",
        backend: "portable Rust, table look-ups",
        labels: &[Label::NotConstantTime],
        how_to_use: "crate sm4: Sm4, encrypt_blocks_b2b",
    };
    if let Some(make) = traits::block(contest, Sm4::new, KEY.given()) {
        roster.operation(contest, &about, make);
    }
    if let Some(Mode { name, version, copies_first, make }) = modes::mode(contest, Sm4::new) {
        let (name, how_to_use) = (format!("sm4 + {name}"), format!("crates sm4 and {name} {version}"));
        let contestant = roster.operation(contest, &About { name: &name, how_to_use: &how_to_use, ..about }, make);
        if contest.batch {
            contestant.label(Label::OneByOne);
        }
        if copies_first {
            contestant.label(Label::CopiesFirst);
        }
    }
}
