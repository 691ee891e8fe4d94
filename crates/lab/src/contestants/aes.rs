//! The aes crate of the `RustCrypto` project, and its crates ctr and aes-gcm: what other ciphers are held against.

use super::{About, Roster, traits};
use crate::contest::{Contest, Label};
use crate::inputs::arx::{AES_IV, KEY256, NONCE};
use aead::KeyInit;
use aes::Aes256;
use aes_gcm::AesGcm;
use cipher::KeyIvInit;
use cipher::consts::U12;
use ctr::Ctr128BE;
use std::hint::black_box;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    enter_ctr(contest, roster);
    enter_gcm(contest, roster);
}

fn enter_gcm(contest: &Contest, roster: &mut Roster) {
    let Some(function) = contest.function("AES-256-GCM") else { return };
    let key = black_box(&KEY256);
    let Some(make) = traits::sealing(contest, move || <AesGcm<Aes256, U12>>::new(&(**key).into()), NONCE.given())
    else {
        return;
    };
    let about = About {
        name: "aes-gcm",
        library: "aes-gcm",
        version: "0.11.1",
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: "crate aes-gcm: AeadInOut, encrypt_inout_detached",
    };
    let contestant = roster.operation_of(contest, function, &about, make);
    contestant.valgrind &= !backend().starts_with("VAES");
}

fn enter_ctr(contest: &Contest, roster: &mut Roster) {
    let Some(function) = contest.function("AES-256-CTR") else { return };
    let (key, iv) = black_box((&KEY256, &AES_IV));
    let stream = move || Ctr128BE::<Aes256>::new(&(**key).into(), &(**iv).into());
    let Some(make) = traits::stream(contest, stream) else { return };
    let about = About {
        name: "aes + ctr",
        library: "aes",
        version: "0.9.4",
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: "crates aes and ctr 0.10.1: Ctr128BE<Aes256>",
    };
    let contestant = roster.operation_of(contest, function, &about, make);
    contestant.valgrind &= !backend().starts_with("VAES");
}

/// The crate's rule: the best instructions that the CPU has for AES, bit-slicing where it has none.
fn backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        match () {
            () if has!("vaes") && has!("avx512f") => "VAES, 512 bits",
            () if has!("vaes") => "VAES, 256 bits",
            () if has!("aes") => "AES-NI",
            () => "bit-sliced",
        }
    }
    #[cfg(target_arch = "aarch64")]
    return if std::arch::is_aarch64_feature_detected!("aes") { "AES instructions" } else { "bit-sliced" };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    "bit-sliced"
}
