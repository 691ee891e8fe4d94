//! fairlane itself: each backend that this machine has and `FAIRLANE_BACKEND` allows is a contestant of its own.
//!
//! | file | primitives |
//! | --- | --- |
//! | `arx` | chacha, kusumi, poly1305 (the AEADs), threefish |
//! | `hashes` | keccak, sm3 |
//! | `kalyna` | kalyna |
//! | `kem` | ml-kem |
//! | `sm4` | sm4 |

mod arx;
mod hashes;
mod kalyna;
mod kem;
mod sm4;

use super::modes::Mode;
use super::{About, Make, Roster};
use crate::contest::{Contest, Function, Label};
use crate::engine::callgrind;
use fairlane::Backend;

/// How a program calls the job, after `crate fairlane: `, and what makes its operation.
type Entry = (&'static str, Make);

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let allowed = match fairlane_lanes::allow_list() {
        Ok(allowed) => allowed,
        Err(error) => return roster.absent("fairlane", format!("FAIRLANE_BACKEND: {error}")),
    };
    for function in contest.functions() {
        let primitives = fairlane::primitives().iter();
        for primitive in primitives.filter(|primitive| primitive.name == function.primitive) {
            for &backend in primitive.backends {
                let name = format!("fairlane/{backend}");
                if !backend.is_available() {
                    // A backend of another architecture needs no features here, and nobody misses it.
                    if !backend.features().is_empty() {
                        roster.absent(name, format!("this CPU lacks some of {}", backend.features().join(", ")));
                    }
                    continue;
                }
                if allowed.as_ref().is_some_and(|allowed| !allowed.contains(&backend)) {
                    roster.absent(name, "FAIRLANE_BACKEND does not allow it");
                    continue;
                }
                let Some((call, make)) = entry(contest, function, backend) else { continue };
                let limit = format!(", restricted by FAIRLANE_BACKEND={backend}");
                let about = About {
                    name: &name,
                    library: "fairlane",
                    version: env!("CARGO_PKG_VERSION"),
                    backend: backend.name(),
                    labels: match primitive.variable_time.contains(&backend) {
                        false => &[Label::ConstantTime],
                        true => &[Label::NotConstantTime],
                    },
                    how_to_use: &format!(
                        "crate fairlane: {call}{}",
                        if backend == primitive.chosen() { "" } else { &limit }
                    ),
                };
                let contestant = roster.operation_of(contest, function, &about, make);
                contestant.valgrind &= callgrind::knows(backend);
                if backend == primitive.chosen() {
                    via_mode_crate(contest, roster, &about, backend);
                    via_single_calls(contest, roster, &about, backend);
                }
            }
        }
    }
}

/// Enters the block cipher in a mode crate of others, beside fairlane's own mode on the same backend: is that worth
/// having?
fn via_mode_crate(contest: &Contest, roster: &mut Roster, own: &About, backend: Backend) {
    // One message after the other is no match for a batch.
    let Some(mode) = sm4::in_mode_crate(contest, backend).filter(|_| !contest.batch) else { return };
    let Mode { name, version, copies_first, make } = mode;
    let about = About {
        name: &format!("{} via {name}", own.name),
        backend: &format!("{} via {name} {version}", own.backend),
        how_to_use: &format!("crates fairlane and {name} {version}: sm4::Sm4"),
        ..*own
    };
    let contestant = roster.operation(contest, &about, make);
    contestant.valgrind &= callgrind::knows(backend);
    if copies_first {
        contestant.label(Label::CopiesFirst);
    }
}

/// Enters the calls of one key each, beside the batch call on the same backend: is that worth having?
fn via_single_calls(contest: &Contest, roster: &mut Roster, own: &About, backend: Backend) {
    let Some(make) = kem::single_calls(contest, backend) else { return };
    let about = About {
        name: &format!("{} via single calls", own.name),
        backend: &format!("{} via single calls", own.backend),
        how_to_use: "crate fairlane: DecapsulationKey, EncapsulationKey",
        ..*own
    };
    let contestant = roster.operation(contest, &about, make);
    contestant.valgrind &= callgrind::knows(backend);
    contestant.label(Label::OneByOne);
}

/// The job of one contest on one backend, if fairlane does it.
fn entry(contest: &Contest, function: &Function, backend: Backend) -> Option<Entry> {
    match function.primitive {
        "keccak" | "sm3" => hashes::entry(contest, backend),
        "sm4" => sm4::entry(contest, backend),
        "kalyna" => kalyna::entry(contest, backend),
        "ml-kem" => kem::entry(contest, backend),
        _ => arx::entry(contest, function, backend),
    }
}
