//! Kusumi-512 alone: data from block 1 on, since block 0 is kept for an authenticator's key.

use super::{PLAIN, STREAM_QUICK_SIZES, STREAM_SIZES, fill};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label};
use crate::inputs::arx::{KEY512, NONCE};
use fairlane_reference::kusumi;

/// The cipher, for every contest that it is in.
pub(super) const CIPHER: Function = Function {
    name: "Kusumi-512",
    primitive: "kusumi",
    labels: &[Label::Key512, Label::NoOutsideAnalysis],
    reference: |_| fill(apply),
};

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[Contest {
    id: ContestId::new(Algorithm::Kusumi512, Job::Encrypt),
    suite: "arx",
    about: "Kusumi-512 of one message, from input to a given output; key and nonce are set inside",
    conditions: Conditions::NEW_KEY_AND_IV,
    kind: Kind::OneFunction(CIPHER),
    sizes: STREAM_SIZES,
    quick_sizes: STREAM_QUICK_SIZES,
    ..PLAIN
}];

/// The reference, in place.
pub(super) fn apply(data: &mut [u8]) {
    kusumi::kusumi512(&KEY512, &NONCE, 1, data);
}
