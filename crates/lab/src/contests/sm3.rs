//! The SM3 contests (GB/T 32905-2016): one message, and many at once.
//!
//! Input: the messages one after the other. Output: their digests one after the other, 32 bytes each. A timed operation
//! begins with the message and ends with the digest; contexts are made before and used again.

use super::{PLAIN, digests};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Place, Size};
use fairlane_reference::sm3;

/// Bytes of one digest.
const DIGEST: usize = 32;

/// A block of the compression function, a packet, and files up to the largest of the write-up whose table this makes
/// again.
const MESSAGE_SIZES: &[Size] =
    &[Size::one(64), Size::one(1 << 10), Size::one(64 << 10), Size::one(1 << 20), Size::one(10 << 20)];
const MESSAGE_QUICK_SIZES: &[Size] = &[Size::one(64), Size::one(1 << 10), Size::one(1 << 20)];

/// Few and many, short and long: fewer messages than lanes, as many, more.
const BATCH_SIZES: &[Size] = &[
    Size::batch(2, 64),
    Size::batch(8, 64),
    Size::batch(16, 64),
    Size::batch(64, 64),
    Size::batch(1024, 64),
    Size::batch(2, 1 << 10),
    Size::batch(8, 1 << 10),
    Size::batch(16, 1 << 10),
    Size::batch(64, 1 << 10),
    Size::batch(1024, 1 << 10),
    Size::batch(64, 64 << 10),
];
const BATCH_QUICK_SIZES: &[Size] = &[Size::batch(1024, 64), Size::batch(1024, 1 << 10)];

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest { id: ContestId::new(Algorithm::Sm3, Job::Message), about: "SM3 of one message", ..MESSAGE },
    Contest {
        id: ContestId::new(Algorithm::Sm3, Job::Batch),
        about: "SM3 of independent messages of one length, in order",
        conditions: Conditions { dispatch: Place::Inside, ..Conditions::KEYLESS },
        batch: true,
        sizes: BATCH_SIZES,
        quick_sizes: BATCH_QUICK_SIZES,
        ..MESSAGE
    },
];

/// What the two have in common.
const MESSAGE: Contest = Contest {
    suite: "sm",
    conditions: Conditions::KEYLESS,
    kind: Kind::OneFunction(Function {
        name: "SM3",
        primitive: "sm3",
        labels: &[],
        reference: |size| digests(size, sm3::sm3),
    }),
    sizes: MESSAGE_SIZES,
    quick_sizes: MESSAGE_QUICK_SIZES,
    output_len: |size| size.count * DIGEST,
    ..PLAIN
};
