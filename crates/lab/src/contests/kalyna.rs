//! Kalyna (DSTU 7624:2014) in its five sizes: the block cipher alone, and the standard's counter mode.
//!
//! Unless a contest is about it, the key schedule is left outside: a key serves many messages. The IV belongs to one
//! message and is set inside.

use super::PLAIN;
use crate::contest::{
    Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Lengths, Operation, Size, Unit,
};
use crate::inputs::kalyna::{iv, key};
use fairlane_reference::kalyna::{self, Kalyna, Variant};
use std::hint::black_box;

/// The contests of one variant. Names are literals, so that descriptions can be put together here.
macro_rules! contests {
    ($name:literal, $variant:ident, $key:ident) => {{
        const VARIANT: Variant = Variant::$variant;
        const ALGORITHM: Algorithm = Algorithm::Kalyna(VARIANT);
        const BLOCK: usize = VARIANT.block_len();
        const fn function(reference: fn(Size) -> Operation) -> Kind {
            let labels = &[Label::$key, Label::Standard];
            Kind::OneFunction(Function { name: $name, primitive: "kalyna", labels, reference })
        }
        // A block, a packet, a record, a file.
        const BLOCKS: Contest = Contest {
            suite: "kalyna",
            conditions: Conditions::READY_KEY,
            lengths: Lengths::Blocks(BLOCK),
            sizes: &[Size::one(BLOCK), Size::one(1 << 10), Size::one(16 << 10), Size::one(1 << 20)],
            quick_sizes: &[Size::one(1 << 10), Size::one(1 << 20)],
            reference_limit: 16 << 10,
            ..PLAIN
        };
        const ONE: &[Size] = &[Size::one(BLOCK)];
        const ONE_BLOCK: Contest = Contest { lengths: Lengths::Only(BLOCK), sizes: ONE, quick_sizes: ONE, ..BLOCKS };
        const ONE_KEY: &[Size] = &[Size::one(VARIANT.key_len())];
        [
            Contest {
                id: ContestId::new(ALGORITHM, Job::EcbEncrypt),
                about: concat!(
                    $name,
                    " of many independent blocks under one key, from input to a given output; the key schedule is left \
                     outside"
                ),
                kind: function(|_| fill(VARIANT, kalyna::ecb_encrypt)),
                ..BLOCKS
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::EcbDecrypt),
                about: concat!(
                    "the inverse of ",
                    $name,
                    " of many independent blocks under one key, from input to a given output; the key schedule is left \
                     outside"
                ),
                kind: function(|_| fill(VARIANT, kalyna::ecb_decrypt)),
                ..BLOCKS
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::Ctr),
                about: concat!(
                    $name,
                    " in the standard's counter mode (the encrypted IV, plus one before each block, least significant \
                     byte first) of one message, from input to a given output; the key schedule is left outside, the \
                     IV is set inside"
                ),
                conditions: Conditions::READY_KEY_NEW_IV,
                kind: function(|_| fill(VARIANT, |cipher, data| kalyna::ctr(cipher, &iv(VARIANT), data))),
                lengths: Lengths::Any,
                ..BLOCKS
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::BlockEncrypt),
                about: concat!(
                    $name,
                    " of one block where it lies, each on what the last one left; the key schedule is left outside"
                ),
                conditions: Conditions::READY_KEY.in_place(),
                kind: function(|_| block(VARIANT, Kalyna::encrypt)),
                ..ONE_BLOCK
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::BlockDecrypt),
                about: concat!(
                    "the inverse of ",
                    $name,
                    " of one block where it lies, each on what the last one left; the key schedule is left outside"
                ),
                conditions: Conditions::READY_KEY.in_place(),
                kind: function(|_| block(VARIANT, Kalyna::decrypt)),
                ..ONE_BLOCK
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::KeySchedule),
                about: concat!(
                    "makes ",
                    $name,
                    " ready to encrypt, and to decrypt where a library makes both at once, under a key; no block is \
                     encrypted inside"
                ),
                conditions: Conditions::NEW_KEY,
                kind: function(|_| Operation::key_setup(|key, room| set_up(VARIANT, key, room))),
                unit: Unit::Operations,
                lengths: Lengths::Only(VARIANT.key_len()),
                sizes: ONE_KEY,
                quick_sizes: ONE_KEY,
                output_len: |_| BLOCK,
                ..BLOCKS
            },
        ]
    }};
}

/// The contests of this family.
pub const CONTESTS: &[Contest] = [
    contests!("Kalyna-128/128", K128_128, Key128),
    contests!("Kalyna-128/256", K128_256, Key256),
    contests!("Kalyna-256/256", K256_256, Key256),
    contests!("Kalyna-256/512", K256_512, Key512),
    contests!("Kalyna-512/512", K512_512, Key512),
]
.as_flattened();

/// A reference that changes a message where it lies, as one that fills a given output. The key is set outside.
fn fill(variant: Variant, apply: fn(&Kalyna, &mut [u8])) -> Operation {
    let cipher = Kalyna::new(variant, &key(variant));
    Operation::to_output(move |input, output| {
        output.copy_from_slice(input);
        apply(&cipher, output);
    })
}

fn block(variant: Variant, apply: fn(&Kalyna, &mut [u8])) -> Operation {
    let cipher = Kalyna::new(variant, &key(variant));
    Operation::in_place(move |block| apply(&cipher, block))
}

/// What a key does is shown by a block of zeros.
fn set_up(variant: Variant, key: &[u8], room: Option<&mut [u8]>) {
    let cipher = black_box(Kalyna::new(variant, key));
    if let Some(room) = room {
        room.fill(0);
        cipher.encrypt(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_the_same_jobs_at_sizes_of_its_own() {
        for (contests, of) in CONTESTS.chunks(6).zip(Variant::ALL) {
            for (contest, like) in contests.iter().zip(CONTESTS) {
                assert_eq!(contest.algorithm().variant(), Some(of), "{}", contest.id);
                assert_eq!(contest.job(), like.job());
                assert_eq!((contest.output_len)(contest.sizes[0]), of.block_len(), "{}", contest.id);
                let bits = 8 * of.key_len();
                let label = match contest.functions()[0].labels[0] {
                    Label::Key128 => 128,
                    Label::Key256 => 256,
                    Label::Key512 => 512,
                    _ => 0,
                };
                assert_eq!(label, bits, "{}", contest.id);
            }
        }
        assert_eq!(CONTESTS.len(), 6 * Variant::ALL.len());
    }
}
