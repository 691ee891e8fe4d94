//! The ciphers of additions, rotations and exclusive-ors, and what is sealed with them.

use super::Entry;
use crate::contest::{Algorithm, Contest, Function, Job, Operation};
use crate::contestants::{Make, traits};
use crate::inputs::arx::{IV, KEY256, KEY512, NONCE, STREAM_BUFFER, XNONCE};
use cipher::StreamCipher;
use fairlane::chacha::{ChaCha20, ChaCha20Poly1305, XChaCha20Poly1305};
use fairlane::kusumi::{Kusumi512, Kusumi512Poly1305};
use fairlane::threefish::{Threefish512, Threefish512Ctr};
use fairlane::{Backend, keystream};
use std::hint::black_box;

/// Why making a cipher cannot fail here.
const AVAILABLE: &str = "the backend is available";

pub(super) fn entry(contest: &Contest, function: &Function, backend: Backend) -> Option<Entry> {
    // No compiler sees which bytes these are.
    let (key256, key512, nonce, iv) = black_box((&KEY256, &KEY512, &NONCE, &IV));
    let chacha20 = move || ChaCha20::with_backend(&(**key256).into(), &(**nonce).into(), backend).expect(AVAILABLE);
    let kusumi512 = move || Kusumi512::with_backend(&(**key512).into(), &(**nonce).into(), backend).expect(AVAILABLE);
    let threefish512 = move |key: &_| Threefish512::with_backend(key, backend).expect(AVAILABLE);
    let threefish512_ctr =
        move || Threefish512Ctr::with_backend(&(**key512).into(), &(**iv).into(), backend).expect(AVAILABLE);
    let chacha20_poly1305 = move || ChaCha20Poly1305::with_backend(&(**key256).into(), backend).expect(AVAILABLE);
    let xchacha20_poly1305 = move || XChaCha20Poly1305::with_backend(&(**key256).into(), backend).expect(AVAILABLE);
    let kusumi512_poly1305 = move || Kusumi512Poly1305::with_backend(&(**key512).into(), backend).expect(AVAILABLE);
    let (call, make) = match function.name {
        "ChaCha20" => ("chacha::ChaCha20", stream(contest, chacha20)),
        "Kusumi-512" => ("kusumi::Kusumi512", stream(contest, kusumi512)),
        "Threefish-512" => ("threefish::Threefish512", traits::block(contest, threefish512, KEY512.given())),
        "Threefish-512-CTR" => ("threefish::Threefish512Ctr", stream(contest, threefish512_ctr)),
        "ChaCha20-Poly1305" => ("chacha::ChaCha20Poly1305", traits::sealing(contest, chacha20_poly1305, NONCE.given())),
        "XChaCha20-Poly1305" => {
            ("chacha::XChaCha20Poly1305", traits::sealing(contest, xchacha20_poly1305, XNONCE.given()))
        }
        "Kusumi512-Poly1305" => {
            ("kusumi::Kusumi512Poly1305", traits::sealing(contest, kusumi512_poly1305, NONCE.given()))
        }
        _ => return None,
    };
    Some((call, make?))
}

/// As [`traits::stream`], with fairlane's own ways to a new buffer and from reader to writer.
fn stream<C: StreamCipher>(contest: &Contest, cipher: impl Fn() -> C + Copy + Send + Sync + 'static) -> Option<Make> {
    let make: Make = match (contest.algorithm(), contest.job()) {
        (Algorithm::Arx, Job::Encrypt) => Box::new(move |_| {
            Operation::to_new_buffer(move |message| {
                keystream::apply_to_vec(&mut cipher(), message).expect("a short message")
            })
        }),
        (Algorithm::Arx, Job::EncryptStream) => Box::new(move |_| {
            let mut buffer = vec![0; STREAM_BUFFER];
            Operation::to_output(move |reader, writer| {
                keystream::copy(&mut cipher(), reader, writer, &mut buffer).expect("as much output as input");
            })
        }),
        _ => return traits::stream(contest, cipher),
    };
    Some(make)
}
