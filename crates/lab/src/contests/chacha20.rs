//! `ChaCha20` as RFC 8439 has it, alone: an IETF nonce, data from block 0 on.

use super::{PLAIN, STREAM_QUICK_SIZES, STREAM_SIZES, fill};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label};
use crate::inputs::arx::{KEY256, NONCE};
use fairlane_reference::chacha;

/// The cipher, for every contest that it is in.
pub(super) const CIPHER: Function = Function {
    name: "ChaCha20",
    primitive: "chacha",
    labels: &[Label::Key256, Label::Standard],
    reference: |_| fill(apply),
};

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[Contest {
    id: ContestId::new(Algorithm::ChaCha20, Job::Encrypt),
    suite: "arx",
    about: "ChaCha20 (RFC 8439) of one message, from input to a given output; key and nonce are set inside",
    conditions: Conditions::NEW_KEY_AND_IV,
    kind: Kind::OneFunction(CIPHER),
    sizes: STREAM_SIZES,
    quick_sizes: STREAM_QUICK_SIZES,
    ..PLAIN
}];

/// The reference, in place.
pub(super) fn apply(data: &mut [u8]) {
    chacha::chacha(20, &KEY256, &NONCE, 0, data);
}
