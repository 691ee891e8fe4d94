//! Three ciphers of additions, rotations and exclusive-ors at one job: to encrypt a message, in the three ways in which
//! a program does it, and to seal it with Poly1305. Beside them the ciphers that most programs would take, AES-256 in
//! counter mode and AES-256-GCM, for which CPUs have instructions.
//!
//! The cipher is made for the message, inside the timed part, because a nonce is: key, nonce, and whatever schedule the
//! cipher has.

use super::aead::{self, CHACHA20_POLY1305, KUSUMI512_POLY1305};
use super::{PLAIN, chacha20, fill, kusumi512, threefish512};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Operation, Place, Size};
use crate::inputs::aead::{AAD, TAG};
use crate::inputs::arx::{AES_IV, KEY256, NONCE};
use fairlane_reference::aes;

const JOB_SIZES: &[Size] = &[Size::one(1 << 10), Size::one(1 << 20)];

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest {
        id: ContestId::new(Algorithm::Arx, Job::Encrypt),
        about: "encrypts one message to a new buffer; buffer and cipher (key, nonce) are made inside",
        conditions: Conditions { allocation: Place::Inside, ..Conditions::NEW_KEY_AND_IV },
        kind: Kind::OneJob(&[
            Function { reference: |_| to_new(kusumi512::apply), ..kusumi512::CIPHER },
            Function { reference: |_| to_new(threefish512::apply_ctr), ..threefish512::CTR },
            Function { reference: |_| to_new(chacha20::apply), ..chacha20::CIPHER },
            Function { reference: |_| to_new(apply_aes), ..AES_CTR },
        ]),
        ..JOB
    },
    Contest {
        id: ContestId::new(Algorithm::Arx, Job::EncryptInPlace),
        about: "encrypts one message where it lies; the cipher (key, nonce) is made inside",
        conditions: Conditions::NEW_KEY_AND_IV.in_place(),
        kind: Kind::OneJob(&[
            Function { reference: |_| Operation::in_place(kusumi512::apply), ..kusumi512::CIPHER },
            Function { reference: |_| Operation::in_place(threefish512::apply_ctr), ..threefish512::CTR },
            Function { reference: |_| Operation::in_place(chacha20::apply), ..chacha20::CIPHER },
            Function { reference: |_| Operation::in_place(apply_aes), ..AES_CTR },
        ]),
        ..JOB
    },
    Contest {
        id: ContestId::new(Algorithm::Arx, Job::EncryptStream),
        about: "encrypts one message from a reader to a writer, both in memory, through a buffer of 4096 bytes; \
                the cipher (key, nonce) is made inside, the buffer outside",
        kind: Kind::OneJob(&[kusumi512::CIPHER, threefish512::CTR, chacha20::CIPHER, AES_CTR]),
        ..JOB
    },
    Contest {
        id: ContestId::new(Algorithm::Arx, Job::Seal),
        about: "seals one message with 13 bytes of additional data, from input to ciphertext and tag in a given \
                output; the cipher (key, nonce) is made inside",
        kind: Kind::OneJob(&[CHACHA20_POLY1305, KUSUMI512_POLY1305, AES_GCM]),
        output_len: |size| size.total() + TAG,
        ..JOB
    },
];

/// What the contests have in common.
const JOB: Contest = Contest {
    suite: "arx",
    conditions: Conditions::NEW_KEY_AND_IV,
    sizes: JOB_SIZES,
    quick_sizes: JOB_SIZES,
    reference_limit: aead::REFERENCE_LIMIT,
    ..PLAIN
};

/// AES-256 in counter mode, which the library does not have.
const AES_CTR: Function = Function {
    name: "AES-256-CTR",
    primitive: "aes",
    labels: &[Label::Key256, Label::Standard],
    reference: |_| fill(apply_aes),
};

/// AES-256-GCM, which the library does not have.
const AES_GCM: Function = Function {
    name: "AES-256-GCM",
    primitive: "aes",
    labels: &[Label::Key256, Label::Standard],
    reference: |_| Operation::to_output(|message, sealed| aead::seal(message, sealed, seal_aes)),
};

fn seal_aes(data: &mut [u8]) -> [u8; TAG] {
    aes::gcm_seal(&KEY256, &*NONCE, &AAD, data)
}

fn apply_aes(data: &mut [u8]) {
    aes::ctr(&KEY256, &AES_IV, data);
}

/// A reference that changes a message where it lies, as one to a new buffer.
fn to_new(apply: fn(&mut [u8])) -> Operation {
    Operation::to_new_buffer(move |input| {
        let mut output = input.to_vec();
        apply(&mut output);
        output
    })
}
