//! SM4 (GB/T 32907-2016, RFC 8998): the block cipher alone, and the modes that people use it in.
//!
//! Unless a contest is about it, the key schedule is left outside: a key serves many messages. What belongs to one message
//! (IV, nonce, the number of a data unit) is set inside.

use super::arx::{KEY256, NONCE};
use super::{PLAIN, aead, counting, fill};
use crate::contest::{Contest, Function, Kind, Label, Lengths, Op, Size, Unit};
use fairlane_reference::sm4::{self, Sm4};

/// Bytes of a block, and of a key.
pub const BLOCK: usize = 16;
/// The key.
pub const KEY: [u8; BLOCK] = counting(0);
/// The IV of CBC, and the first counter block of CTR.
pub const IV: [u8; BLOCK] = counting(0x80);
/// The key of XTS: that of the data, and that of the tweak.
pub const XTS_KEY: [u8; 2 * BLOCK] = KEY256;
/// The tweak of XTS: a data unit's number, least significant byte first.
pub const TWEAK: [u8; BLOCK] = counting(0x80);

/// The key of the stream at a place of `sm4/cbc-encrypt-many`.
pub fn stream_key(place: usize) -> [u8; BLOCK] {
    numbered(KEY, place)
}

/// The IV of the stream at a place of `sm4/cbc-encrypt-many`.
pub fn stream_iv(place: usize) -> [u8; BLOCK] {
    numbered(IV, place)
}

/// `bytes` with a number in them.
fn numbered(mut bytes: [u8; BLOCK], number: usize) -> [u8; BLOCK] {
    bytes[..8].copy_from_slice(&(number as u64).to_be_bytes());
    bytes
}

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
        id: "sm4/ecb-encrypt",
        about: "SM4 of many independent blocks under one key, from input to a given output; the key schedule is left \
                outside",
        kind: function(|_| fill(|data| sm4::ecb_encrypt(&KEY, data))),
        ..BLOCKS
    },
    Contest {
        id: "sm4/ecb-decrypt",
        about: "the inverse of SM4 of many independent blocks under one key, from input to a given output; the key \
                schedule is left outside",
        kind: function(|_| fill(|data| sm4::ecb_decrypt(&KEY, data))),
        ..BLOCKS
    },
    Contest {
        id: "sm4/cbc-encrypt",
        about: "SM4-CBC of one message of whole blocks, without padding, from input to a given output; the key schedule \
                is left outside, the IV is set inside",
        kind: function(|_| fill(|data| sm4::cbc_encrypt(&KEY, &IV, data))),
        ..BLOCKS
    },
    Contest {
        id: "sm4/cbc-decrypt",
        about: "decrypts one message of SM4-CBC, whole blocks without padding, from input to a given output; the key \
                schedule is left outside, the IV is set inside",
        kind: function(|_| fill(|data| sm4::cbc_decrypt(&KEY, &IV, data))),
        ..BLOCKS
    },
    Contest {
        id: "sm4/cbc-encrypt-many",
        about: "SM4-CBC of independent messages of one length, whole blocks without padding, each under its own key, from \
                input to a given output; the key schedules are left outside, the IVs are set inside",
        kind: function(cbc_encrypt_many),
        batch: true,
        sizes: STREAMS,
        quick_sizes: STREAMS,
        ..BLOCKS
    },
    Contest {
        id: "sm4/ctr",
        about: "SM4-CTR (a counter of 128 bits, most significant byte first) of one message, from input to a given output; \
                the key schedule is left outside, the counter is set inside",
        kind: function(|_| fill(|data| sm4::ctr(&KEY, &IV, data))),
        lengths: Lengths::Any,
        ..BLOCKS
    },
    Contest {
        id: "sm4/xts",
        about: "SM4-XTS with the tweak order of IEEE 1619, not that of GB/T 17964-2021: encrypts one data unit, from input \
                to a given output; the key schedules are left outside, the tweak is set inside",
        kind: function(|_| fill(|data| sm4::xts_encrypt(&XTS_KEY, &TWEAK, data))),
        lengths: Lengths::AtLeast(BLOCK),
        ..BLOCKS
    },
    Contest {
        id: "sm4/gcm-seal",
        about: "SM4-GCM (RFC 8998) of one message with a nonce of 12 bytes, from input to ciphertext and tag in a given \
                output; the key schedule is left outside, the nonce is set inside",
        kind: function(|_| Op::fill(|message, sealed| aead::seal(message, sealed, gcm_seal))),
        lengths: Lengths::Any,
        output_len: |size| size.total() + aead::TAG,
        ..BLOCKS
    },
    Contest {
        id: "sm4/gcm-open",
        about: "checks and decrypts one message of SM4-GCM, from ciphertext and tag to a given output; the key schedule is \
                left outside, the nonce is set inside",
        kind: function(|_| Op::fill(|sealed, message| aead::open(sealed, message, gcm_open))),
        lengths: Lengths::Any,
        input_len: |size| size.total() + aead::TAG,
        prepare: |_, input| aead::prepare(input, gcm_seal),
        ..BLOCKS
    },
    Contest {
        id: "sm4/block",
        about: "SM4 of one block where it lies, each on what the last one left; the key schedule is left outside",
        kind: function(|_| Op::in_place(|block| sm4::ecb_encrypt(&KEY, block))),
        ..BLOCK_OR_KEY
    },
    Contest {
        id: "sm4/key-schedule",
        about: "makes SM4 ready to encrypt under a key of 16 bytes; no block is encrypted inside",
        kind: function(|_| Op::set_up(set_up)),
        unit: Unit::Operations,
        ..BLOCK_OR_KEY
    },
];

/// What the contests have in common.
const BLOCKS: Contest =
    Contest { suite: "sm", lengths: Lengths::Blocks(BLOCK), sizes: SIZES, quick_sizes: QUICK_SIZES, ..PLAIN };

/// The contests of one block or one key.
const BLOCK_OR_KEY: Contest =
    Contest { lengths: Lengths::Only(BLOCK), sizes: ONE_BLOCK, quick_sizes: ONE_BLOCK, ..BLOCKS };

const fn function(reference: fn(Size) -> Op) -> Kind {
    Kind::OneFunction(Function { name: "SM4", primitive: "sm4", labels: &[Label::Key128, Label::Standard], reference })
}

fn cbc_encrypt_many(size: Size) -> Op {
    Op::fill(move |messages, output| {
        output.copy_from_slice(messages);
        for (place, message) in output.chunks_exact_mut(size.bytes).enumerate() {
            sm4::cbc_encrypt(&stream_key(place), &stream_iv(place), message);
        }
    })
}

fn gcm_seal(data: &mut [u8]) -> [u8; aead::TAG] {
    sm4::gcm_seal(&KEY, &NONCE, &aead::AAD, data)
}

fn gcm_open(data: &mut [u8], tag: &[u8; aead::TAG]) -> bool {
    sm4::gcm_open(&KEY, &NONCE, &aead::AAD, data, tag)
}

/// What a key does is shown by a block of zeros.
fn set_up(key: &[u8], room: Option<&mut [u8]>) {
    let cipher = std::hint::black_box(Sm4::new(key.try_into().expect("one key")));
    if let Some(room) = room {
        room.fill(0);
        cipher.encrypt(room.try_into().expect("one block"));
    }
}
