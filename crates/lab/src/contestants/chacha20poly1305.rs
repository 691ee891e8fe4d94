//! The chacha20poly1305 crate of the `RustCrypto` project, which is made of its chacha20 and poly1305 crates.

use super::{About, Roster, chacha20, traits};
use crate::contest::{Contest, Label};
use crate::inputs::arx::{KEY256, NONCE, XNONCE};
use aead::KeyInit;
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use std::hint::black_box;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let key = black_box(&KEY256);
    let (function, make) = if let Some(function) = contest.function("ChaCha20-Poly1305") {
        (function, traits::sealing(contest, move || ChaCha20Poly1305::new(&(**key).into()), NONCE.given()))
    } else if let Some(function) = contest.function("XChaCha20-Poly1305") {
        (function, traits::sealing(contest, move || XChaCha20Poly1305::new(&(**key).into()), XNONCE.given()))
    } else {
        return;
    };
    let Some(make) = make else { return };
    let about = About {
        name: "chacha20poly1305",
        library: "chacha20poly1305",
        version: "0.11.0",
        backend: &format!("{} for ChaCha20", chacha20::backend()),
        labels: &[Label::ConstantTime],
        how_to_use: "crate chacha20poly1305: AeadInOut, encrypt_inout_detached",
    };
    let contestant = roster.operation_of(contest, function, &about, make);
    contestant.valgrind &= chacha20::backend() != chacha20::AVX512;
}
