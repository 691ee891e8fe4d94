//! The reference twins: how slow the plain words of a document are.

use super::{About, Roster};
use crate::contest::{Contest, Kind, Label};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let about = About {
        name: "reference",
        library: "fairlane-reference",
        version: env!("CARGO_PKG_VERSION"),
        backend: "portable Rust",
        labels: if contest.batch { &[Label::Reference, Label::OneByOne] } else { &[Label::Reference] },
        how_to_use: "to be read, not used: crate fairlane-reference",
    };
    if matches!(contest.kind, Kind::Own(_)) {
        return;
    }
    for function in contest.functions() {
        roster.operation_of(contest, function, &about, function.reference);
    }
}
