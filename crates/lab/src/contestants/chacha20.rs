//! The chacha20 crate of the `RustCrypto` project.

use super::{About, Roster, traits};
use crate::contest::{Contest, Label};
use crate::inputs::arx::{KEY256, NONCE};
use chacha20::ChaCha20;
use cipher::KeyIvInit;
use std::hint::black_box;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(function) = contest.function("ChaCha20") else { return };
    let (key, nonce) = black_box((&KEY256, &NONCE));
    let Some(make) = traits::stream(contest, move || ChaCha20::new(&(**key).into(), &(**nonce).into())) else { return };
    let about = About {
        name: "chacha20",
        library: "chacha20",
        version: "0.10.2",
        backend: backend(),
        labels: &[Label::ConstantTime],
        how_to_use: if cfg!(chacha20_avx512) {
            "crate chacha20: ChaCha20, built with RUSTFLAGS='--cfg chacha20_avx512'"
        } else {
            "crate chacha20: ChaCha20; RUSTFLAGS='--cfg chacha20_avx512' builds its AVX-512 code too"
        },
    };
    let contestant = roster.operation_of(contest, function, &about, make);
    contestant.valgrind &= backend() != AVX512;
}

pub(super) const AVX512: &str = "AVX-512";

/// The crate's rule: the best that the CPU has of what a build holds; AVX-512 only where a flag asks for it.
pub(super) fn backend() -> &'static str {
    if cfg!(any(
        chacha20_backend = "soft",
        chacha20_backend = "sse2",
        chacha20_backend = "avx2",
        chacha20_backend = "avx512"
    )) {
        return "forced by cfg chacha20_backend";
    }
    #[cfg(target_arch = "x86_64")]
    {
        if cfg!(chacha20_avx512)
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            return AVX512;
        }
        if std::arch::is_x86_feature_detected!("avx2") { "AVX2" } else { "SSE2" }
    }
    #[cfg(not(target_arch = "x86_64"))]
    if cfg!(target_arch = "aarch64") { "NEON" } else { "portable Rust" }
}
