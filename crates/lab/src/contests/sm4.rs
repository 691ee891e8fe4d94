//! SM4 (GB/T 32907-2016, RFC 8998): the block cipher alone, and the modes that people use it in.
//!
//! Unless a contest is about it, the key schedule is left outside: a key serves many messages. What belongs to one
//! message (IV, nonce, the number of a data unit) is set inside.

use super::{PLAIN, aead, fill};
use crate::contest::{
    Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Lengths, Operation, Size, Unit,
};
use crate::inputs::aead::{AAD, TAG, make_sealed};
use crate::inputs::arx::NONCE;
use crate::inputs::sm4::{BLOCK, IV, KEY, TWEAK, XTS_KEY, stream_iv, stream_key};
use fairlane_reference::sm4::{self, Sm4};

/// Some blocks, a packet, a record, a file.
const SIZES: &[Size] = &[Size::one(64), Size::one(1 << 10), Size::one(16 << 10), Size::one(1 << 20)];
const QUICK_SIZES: &[Size] = &[Size::one(1 << 10), Size::one(1 << 20)];
const ONE_BLOCK: &[Size] = &[Size::one(BLOCK)];
/// As many streams as a vector has lanes, and more.
const STREAMS: &[Size] =
    &[Size::batch(16, 1 << 10), Size::batch(64, 1 << 10), Size::batch(16, 16 << 10), Size::batch(64, 16 << 10)];

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::EcbEncrypt),
        about: "SM4 of many independent blocks under one key, from input to a given output; the key schedule is left \
                outside",
        kind: function(|_| fill(|data| sm4::ecb_encrypt(&KEY, data))),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::EcbDecrypt),
        about: "the inverse of SM4 of many independent blocks under one key, from input to a given output; the key \
                schedule is left outside",
        kind: function(|_| fill(|data| sm4::ecb_decrypt(&KEY, data))),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::CbcEncrypt),
        about: "SM4-CBC of one message of whole blocks, without padding, from input to a given output; the key \
                schedule is left outside, the IV is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| fill(|data| sm4::cbc_encrypt(&KEY, &IV, data))),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::CbcDecrypt),
        about: "decrypts one message of SM4-CBC, whole blocks without padding, from input to a given output; the key \
                schedule is left outside, the IV is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| fill(|data| sm4::cbc_decrypt(&KEY, &IV, data))),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::CbcEncryptMany),
        about: "SM4-CBC of independent messages of one length, whole blocks without padding, each under its own key, \
                from input to a given output; the key schedules are left outside, the IVs are set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(cbc_encrypt_many),
        batch: true,
        sizes: STREAMS,
        quick_sizes: STREAMS,
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::Ctr),
        about: "SM4-CTR (a counter of 128 bits, most significant byte first) of one message, from input to a given \
                output; the key schedule is left outside, the counter is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| fill(|data| sm4::ctr(&KEY, &IV, data))),
        lengths: Lengths::Any,
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::Xts),
        about: "SM4-XTS with the tweak order of IEEE 1619, not that of GB/T 17964-2021: encrypts one data unit, from \
                input to a given output; the key schedules are left outside, the tweak is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| fill(|data| sm4::xts_encrypt(&XTS_KEY, &TWEAK, data))),
        lengths: Lengths::AtLeast(BLOCK),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::GcmSeal),
        about: "SM4-GCM (RFC 8998) of one message with a nonce of 12 bytes, from input to ciphertext and tag in a \
                given output; the key schedule is left outside, the nonce is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| Operation::to_output(|message, sealed| aead::seal(message, sealed, gcm_seal))),
        lengths: Lengths::Any,
        output_len: |size| size.total() + TAG,
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::GcmOpen),
        about: "checks and decrypts one message of SM4-GCM, from ciphertext and tag to a given output; the key \
                schedule is left outside, the nonce is set inside",
        conditions: Conditions::READY_KEY_NEW_IV,
        kind: function(|_| Operation::to_opened(|sealed, message| aead::open(sealed, message, gcm_open))),
        lengths: Lengths::Any,
        input_len: |size| size.total() + TAG,
        prepare: |_, input| make_sealed(input, gcm_seal),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::Block),
        about: "SM4 of one block where it lies, each on what the last one left; the key schedule is left outside",
        conditions: Conditions::READY_KEY.in_place(),
        kind: function(|_| Operation::in_place(|block| sm4::ecb_encrypt(&KEY, block))),
        ..BLOCK_OR_KEY
    },
    Contest {
        id: ContestId::new(Algorithm::Sm4, Job::KeySchedule),
        about: "makes SM4 ready to encrypt under a key of 16 bytes; no block is encrypted inside",
        conditions: Conditions::NEW_KEY,
        kind: function(|_| Operation::key_setup(set_up)),
        unit: Unit::Operations,
        ..BLOCK_OR_KEY
    },
];

/// What the contests have in common.
const BLOCKS: Contest = Contest {
    suite: "sm",
    conditions: Conditions::READY_KEY,
    lengths: Lengths::Blocks(BLOCK),
    sizes: SIZES,
    quick_sizes: QUICK_SIZES,
    ..PLAIN
};

/// The contests of one block or one key.
const BLOCK_OR_KEY: Contest =
    Contest { lengths: Lengths::Only(BLOCK), sizes: ONE_BLOCK, quick_sizes: ONE_BLOCK, ..BLOCKS };

const fn function(reference: fn(Size) -> Operation) -> Kind {
    Kind::OneFunction(Function { name: "SM4", primitive: "sm4", labels: &[Label::Key128, Label::Standard], reference })
}

fn cbc_encrypt_many(size: Size) -> Operation {
    Operation::to_output(move |messages, output| {
        output.copy_from_slice(messages);
        for (place, message) in output.chunks_exact_mut(size.bytes).enumerate() {
            sm4::cbc_encrypt(&stream_key(place), &stream_iv(place), message);
        }
    })
}

fn gcm_seal(data: &mut [u8]) -> [u8; TAG] {
    sm4::gcm_seal(&KEY, &*NONCE, &AAD, data)
}

fn gcm_open(data: &mut [u8], tag: &[u8; TAG]) -> bool {
    sm4::gcm_open(&KEY, &*NONCE, &AAD, data, tag)
}

/// What a key does is shown by a block of zeros.
fn set_up(key: &[u8], room: Option<&mut [u8]>) {
    let cipher = std::hint::black_box(Sm4::new(key.try_into().expect("one key")));
    if let Some(room) = room {
        room.fill(0);
        cipher.encrypt(room.try_into().expect("one block"));
    }
}
