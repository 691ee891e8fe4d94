//! The threefish crate of the `RustCrypto` project, and its ctr crate for the stream.

use super::{About, Roster, traits};
use crate::contest::{Contest, Label};
use crate::inputs::arx::{IV, KEY512};
use cipher::{KeyInit, KeyIvInit};
use ctr::Ctr64LE;
use std::hint::black_box;
use threefish::Threefish512;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let (key, iv) = black_box((&KEY512, &IV));
    let stream = move || Ctr64LE::<Threefish512>::new(&(**key).into(), &(**iv).into());
    let about = About {
        name: "threefish",
        library: "threefish",
        version: "0.6.0",
        backend: "portable Rust",
        labels: &[Label::ConstantTime],
        how_to_use: "crate threefish: Threefish512, encrypt_blocks_b2b",
    };
    if let Some((function, make)) =
        contest.function("Threefish-512").zip(traits::block(contest, Threefish512::new, KEY512.given()))
    {
        roster.operation_of(contest, function, &about, make);
    }
    if let Some((function, make)) = contest.function("Threefish-512-CTR").zip(traits::stream(contest, stream)) {
        let about = About {
            name: "threefish + ctr",
            how_to_use: "crates threefish and ctr 0.10.1: Ctr64LE<Threefish512>",
            ..about
        };
        roster.operation_of(contest, function, &about, make);
    }
}
