//! Authenticated encryption in the form of RFC 8439 section 2.8: one message sealed, one opened.
//!
//! A sealed message is the ciphertext and its tag of 16 bytes. Additional data is 13 bytes, as in a record of TLS 1.2.

use super::{PLAIN, STREAM_QUICK_SIZES, STREAM_SIZES};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Operation, Size};
use crate::inputs::aead::{AAD, Seal, TAG, make_sealed};
use crate::inputs::arx::{KEY256, KEY512, NONCE, XNONCE};
use fairlane_reference::aead;

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest {
        id: ContestId::new(Algorithm::ChaCha20Poly1305, Job::Seal),
        about: "ChaCha20-Poly1305 (RFC 8439) of one message, from input to ciphertext and tag in a given output; \
                key and nonce are set inside",
        ..SEAL
    },
    Contest {
        id: ContestId::new(Algorithm::ChaCha20Poly1305, Job::Open),
        about: "checks and decrypts one message of ChaCha20-Poly1305, from ciphertext and tag to a given output; \
                key and nonce are set inside",
        ..OPEN
    },
    Contest {
        id: ContestId::new(Algorithm::XChaCha20Poly1305, Job::Seal),
        about: "XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) of one message, from input to ciphertext and tag in a \
                given output; key and nonce are set inside",
        kind: sealing("XChaCha20-Poly1305", XCHACHA, |_| Operation::to_output(|m, s| seal(m, s, seal_xchacha20))),
        ..SEAL
    },
    Contest {
        id: ContestId::new(Algorithm::XChaCha20Poly1305, Job::Open),
        about: "checks and decrypts one message of XChaCha20-Poly1305, from ciphertext and tag to a given output; \
                key and nonce are set inside",
        kind: sealing("XChaCha20-Poly1305", XCHACHA, |_| Operation::to_opened(|s, m| open(s, m, open_xchacha20))),
        prepare: |_, input| make_sealed(input, seal_xchacha20),
        ..OPEN
    },
    Contest {
        id: ContestId::new(Algorithm::Kusumi512Poly1305, Job::Seal),
        about: "Kusumi512-Poly1305 (composed as RFC 8439 section 2.8) of one message, from input to ciphertext and tag \
                in a given output; key and nonce are set inside",
        kind: Kind::OneFunction(KUSUMI512_POLY1305),
        ..SEAL
    },
    Contest {
        id: ContestId::new(Algorithm::Kusumi512Poly1305, Job::Open),
        about: "checks and decrypts one message of Kusumi512-Poly1305, from ciphertext and tag to a given output; \
                key and nonce are set inside",
        kind: sealing("Kusumi512-Poly1305", KUSUMI, |_| Operation::to_opened(|s, m| open(s, m, open_kusumi512))),
        prepare: |_, input| make_sealed(input, seal_kusumi512),
        ..OPEN
    },
];

const CHACHA: &[Label] = &[Label::Key256, Label::Standard];
const XCHACHA: &[Label] = &[Label::Key256, Label::Analysed];
const KUSUMI: &[Label] = &[Label::Key512, Label::NoOutsideAnalysis];

/// Sealing, for the contests that it is in.
pub(super) const CHACHA20_POLY1305: Function = Function {
    name: "ChaCha20-Poly1305",
    primitive: "poly1305",
    labels: CHACHA,
    reference: |_| Operation::to_output(|m, s| seal(m, s, seal_chacha20)),
};

/// Sealing, for the contests that it is in.
pub(super) const KUSUMI512_POLY1305: Function = Function {
    name: "Kusumi512-Poly1305",
    primitive: "poly1305",
    labels: KUSUMI,
    reference: |_| Operation::to_output(|m, s| seal(m, s, seal_kusumi512)),
};

/// The reference of Poly1305 takes 78 ms for a mebibyte, that of AES 38 ms: a heat would be theirs.
pub(super) const REFERENCE_LIMIT: usize = 16 << 10;

const SEAL: Contest = Contest {
    suite: "arx",
    conditions: Conditions::NEW_KEY_AND_IV,
    kind: Kind::OneFunction(CHACHA20_POLY1305),
    sizes: STREAM_SIZES,
    quick_sizes: STREAM_QUICK_SIZES,
    reference_limit: REFERENCE_LIMIT,
    output_len: |size| size.total() + TAG,
    ..PLAIN
};

const OPEN: Contest = Contest {
    kind: sealing("ChaCha20-Poly1305", CHACHA, |_| Operation::to_opened(|s, m| open(s, m, open_chacha20))),
    input_len: |size| size.total() + TAG,
    output_len: Size::total,
    prepare: |_, input| make_sealed(input, seal_chacha20),
    ..SEAL
};

/// The backends are the authenticator's, of which there are more than of the ciphers.
const fn sealing(name: &'static str, labels: &'static [Label], reference: fn(Size) -> Operation) -> Kind {
    Kind::OneFunction(Function { name, primitive: "poly1305", labels, reference })
}

/// Decrypts in place if the tag is right.
pub(super) type Open = fn(&mut [u8], &[u8; TAG]) -> bool;

fn seal_chacha20(data: &mut [u8]) -> [u8; TAG] {
    aead::chacha20_poly1305_seal(&KEY256, &NONCE, &AAD, data)
}

fn open_chacha20(data: &mut [u8], tag: &[u8; TAG]) -> bool {
    aead::chacha20_poly1305_open(&KEY256, &NONCE, &AAD, data, tag)
}

fn seal_xchacha20(data: &mut [u8]) -> [u8; TAG] {
    aead::xchacha20_poly1305_seal(&KEY256, &XNONCE, &AAD, data)
}

fn open_xchacha20(data: &mut [u8], tag: &[u8; TAG]) -> bool {
    aead::xchacha20_poly1305_open(&KEY256, &XNONCE, &AAD, data, tag)
}

fn seal_kusumi512(data: &mut [u8]) -> [u8; TAG] {
    aead::kusumi512_poly1305_seal(&KEY512, &NONCE, &AAD, data)
}

fn open_kusumi512(data: &mut [u8], tag: &[u8; TAG]) -> bool {
    aead::kusumi512_poly1305_open(&KEY512, &NONCE, &AAD, data, tag)
}

pub(super) fn seal(message: &[u8], sealed: &mut [u8], seal: Seal) {
    let (data, tag) = sealed.split_at_mut(message.len());
    data.copy_from_slice(message);
    tag.copy_from_slice(&seal(data));
}

pub(super) fn open(sealed: &[u8], message: &mut [u8], open: Open) -> bool {
    let (data, tag) = sealed.split_last_chunk::<TAG>().expect("a tag");
    message.copy_from_slice(data);
    open(message, tag)
}
