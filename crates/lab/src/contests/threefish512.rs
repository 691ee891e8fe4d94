//! Threefish-512 alone, with a tweak of zero, which is all that some libraries can set.

use super::{PLAIN, fill};
use crate::contest::{
    Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Lengths, Operation, Size, Unit,
};
use crate::inputs::arx::{IV, KEY512};
use fairlane_reference::threefish::{self, Threefish};

/// Bytes of a block, and of a key.
pub const BLOCK: usize = 64;

/// As many blocks as there are lanes, and more.
const SIZES: &[Size] = &[Size::one(256), Size::one(1 << 10), Size::one(16 << 10), Size::one(1 << 20)];
const QUICK_SIZES: &[Size] = &[Size::one(1 << 10), Size::one(1 << 20)];
const ONE_BLOCK: &[Size] = &[Size::one(BLOCK)];

/// The block cipher.
const CIPHER: Function = Function {
    name: "Threefish-512",
    primitive: "threefish",
    labels: &[Label::Key512, Label::Analysed],
    reference: |_| fill(encrypt),
};

/// The stream cipher that counter mode makes of it, for the contests of one job.
pub(super) const CTR: Function = Function { name: "Threefish-512-CTR", reference: |_| fill(apply_ctr), ..CIPHER };

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest {
        id: ContestId::new(Algorithm::Threefish512, Job::Encrypt),
        about: "Threefish-512 of many independent blocks under one key and tweak, from input to a given output; \
                the key schedule is left outside",
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Threefish512, Job::Decrypt),
        about: "the inverse of Threefish-512 of many independent blocks under one key and tweak, from input to a given \
                output; the key schedule is left outside",
        kind: Kind::OneFunction(Function { reference: |_| fill(decrypt), ..CIPHER }),
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Threefish512, Job::Block),
        about: "Threefish-512 of one block where it lies, each on what the last one left; the key schedule is left \
                outside",
        kind: Kind::OneFunction(Function { reference: |_| Operation::in_place(encrypt), ..CIPHER }),
        conditions: Conditions::READY_KEY.in_place(),
        lengths: Lengths::Only(BLOCK),
        sizes: ONE_BLOCK,
        quick_sizes: ONE_BLOCK,
        ..BLOCKS
    },
    Contest {
        id: ContestId::new(Algorithm::Threefish512, Job::KeySchedule),
        about: "makes Threefish-512 ready for a key of 64 bytes and a tweak of zero; no block is encrypted inside",
        kind: Kind::OneFunction(Function { reference: |_| Operation::key_setup(set_up), ..CIPHER }),
        conditions: Conditions::NEW_KEY,
        unit: Unit::Operations,
        lengths: Lengths::Only(BLOCK),
        sizes: ONE_BLOCK,
        quick_sizes: ONE_BLOCK,
        ..BLOCKS
    },
];

/// What the contests have in common.
const BLOCKS: Contest = Contest {
    suite: "arx",
    // The tweak is one for all messages: no IV.
    conditions: Conditions::READY_KEY,
    kind: Kind::OneFunction(CIPHER),
    lengths: Lengths::Blocks(BLOCK),
    sizes: SIZES,
    quick_sizes: QUICK_SIZES,
    ..PLAIN
};

/// The reference of counter mode, in place.
pub(super) fn apply_ctr(data: &mut [u8]) {
    threefish::threefish512_ctr(&KEY512, &IV, data);
}

fn encrypt(data: &mut [u8]) {
    let cipher = Threefish::new(&words(&*KEY512), [0; 2]);
    each_block(data, |block| cipher.encrypt(block));
}

fn decrypt(data: &mut [u8]) {
    let cipher = Threefish::new(&words(&*KEY512), [0; 2]);
    each_block(data, |block| cipher.decrypt(block));
}

/// What a key does is shown by a block of zeros.
fn set_up(key: &[u8], room: Option<&mut [u8]>) {
    let cipher = std::hint::black_box(Threefish::new(&words(key), [0; 2]));
    if let Some(room) = room {
        room.fill(0);
        each_block(room, |block| cipher.encrypt(block));
    }
}

fn each_block(data: &mut [u8], op: impl Fn(&mut [u64; 8])) {
    for bytes in data.chunks_exact_mut(BLOCK) {
        let mut block = words(bytes);
        op(&mut block);
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(block) {
            *bytes = word.to_le_bytes();
        }
    }
}

/// The words of a block or key, least significant byte first.
fn words(bytes: &[u8]) -> [u64; 8] {
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
