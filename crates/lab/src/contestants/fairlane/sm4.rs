//! SM4 and its modes.

use super::Entry;
use crate::contest::{Contest, Job, Operation};
use crate::contestants::{Make, modes, traits};
use crate::inputs::arx::NONCE;
use crate::inputs::sm4::{IV, KEY, TWEAK, XTS_KEY, stream_iv, stream_key};
use cipher::inout::InOutBuf;
use cipher::{Array, InnerIvInit, Key, StreamCipher};
use fairlane::Backend;
use fairlane::sm4::cbc::{self, Message};
use fairlane::sm4::{Sm4, Sm4CtrKey, Sm4Gcm, Sm4Xts};

/// Why making a cipher cannot fail here.
const AVAILABLE: &str = "the backend is available";

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let cipher = move |key: &Key<Sm4>| Sm4::with_backend(key, backend).expect(AVAILABLE);
    let gcm = move || Sm4Gcm::with_backend(&(*KEY).into(), backend).expect(AVAILABLE);
    let entry: Entry = match contest.job() {
        Job::CbcEncrypt => (
            "sm4::cbc::Encryptor::inner_iv_init(&cipher, iv)",
            Box::new(move |_| {
                let cipher = cipher(&(*KEY).into());
                Operation::to_output(move |message, output| {
                    traits::encrypt_blocks(cbc::Encryptor::inner_iv_init(&cipher, &(*IV).into()), message, output);
                })
            }),
        ),
        Job::CbcEncryptMany => ("sm4::cbc::encrypt_many_inout", encrypt_many(cipher)),
        Job::CbcDecrypt => (
            "sm4::cbc::Decryptor::inner_iv_init(&cipher, iv)",
            Box::new(move |_| {
                let cipher = cipher(&(*KEY).into());
                Operation::to_output(move |message, output| {
                    traits::decrypt_blocks(cbc::Decryptor::inner_iv_init(&cipher, &(*IV).into()), message, output);
                })
            }),
        ),
        Job::Ctr => (
            "sm4::Sm4CtrKey::stream",
            Box::new(move |_| {
                let key = Sm4CtrKey::with_backend(&(*KEY).into(), backend).expect(AVAILABLE);
                Operation::to_output(move |message, output| {
                    key.stream(&(*IV).into()).apply_keystream_b2b(message, output);
                })
            }),
        ),
        Job::Xts => (
            "sm4::Sm4Xts",
            Box::new(move |_| {
                let mode = Sm4Xts::with_backend(&XTS_KEY, backend).expect(AVAILABLE);
                Operation::to_output(move |message, output| {
                    let data = InOutBuf::new(message, output).expect("as much output as input");
                    mode.encrypt(&TWEAK, data).expect("a block or more");
                })
            }),
        ),
        Job::GcmSeal | Job::GcmOpen => ("sm4::Sm4Gcm", traits::sealing(contest, gcm, NONCE.given())?),
        _ => ("sm4::Sm4", traits::block(contest, cipher, KEY.given())?),
    };
    Some(entry)
}

/// All messages in one call.
fn encrypt_many(cipher: impl Fn(&Key<Sm4>) -> Sm4 + Copy + Send + Sync + 'static) -> Make {
    Box::new(move |size| {
        let streams: Vec<_> =
            (0..size.count).map(|place| (cipher(&stream_key(place).into()), stream_iv(place))).collect();
        Operation::to_output(move |messages, output| {
            let messages = messages.chunks_exact(size.bytes).zip(output.chunks_exact_mut(size.bytes));
            cbc::encrypt_many_inout(streams.iter().zip(messages).map(|((cipher, iv), (message, output))| {
                let (blocks, encrypted) = (Array::slice_as_chunks(message).0, Array::slice_as_chunks_mut(output).0);
                let blocks = InOutBuf::new(blocks, encrypted).expect("as much output as input");
                Message { cipher, iv: *iv, blocks }
            }));
        })
    })
}

/// The block cipher in a mode crate of others.
pub(super) fn in_mode_crate(contest: &Contest, backend: Backend) -> Option<modes::Mode> {
    modes::mode(contest, move |key: &Key<Sm4>| Sm4::with_backend(key, backend).expect(AVAILABLE))
}
