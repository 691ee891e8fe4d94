//! fairlane itself: each backend that this machine has and `FAIRLANE_BACKEND` allows is a contestant of its own.

use super::{About, Roster};
use crate::contest::{Contest, Label};
use digest::{ExtendableOutputReset, FixedOutputReset, Update};
use fairlane::keccak::{Keccak256, Sha3_256, Shake128};
use fairlane::{Backend, HashMany, Unsupported};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let allowed = match fairlane_lanes::allow_list() {
        Ok(allowed) => allowed,
        Err(error) => return roster.absent("fairlane", format!("FAIRLANE_BACKEND: {error}")),
    };
    let Some(primitive) = fairlane::primitives().iter().find(|primitive| primitive.name == contest.suite) else {
        return;
    };
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
        let about = About {
            name: &name,
            library: "fairlane",
            version: env!("CARGO_PKG_VERSION"),
            backend: backend.name(),
            labels: if primitive.constant_time { &[Label::ConstantTime] } else { &[Label::NotConstantTime] },
            how_to_use: &how_to_use(contest, backend, primitive.chosen()),
        };
        enter_one(contest, roster, &about, backend);
    }
    for contestant in roster.contestants.iter_mut().filter(|it| it.library == "fairlane" && it.backend == "avx512") {
        contestant.valgrind = false;
    }
}

/// The job of one contest on one backend.
fn enter_one(contest: &Contest, roster: &mut Roster, about: &About, backend: Backend) {
    match contest.id {
        "keccak256/message" => enter_hash(contest, roster, about, move || Keccak256::with_backend(backend)),
        "sha3-256/message" => enter_hash(contest, roster, about, move || Sha3_256::with_backend(backend)),
        "shake128/message" => {
            roster.hash_with(contest, about, move || {
                let mut hasher = Shake128::with_backend(backend).expect("checked above");
                move |message: &[u8], output: &mut [u8]| {
                    hasher.update(message);
                    hasher.finalize_xof_reset_into(output);
                }
            });
        }
        "keccak256/batch" => {
            roster.op(about, move |size| {
                Box::new(move |messages, digests| {
                    let messages = messages.chunks_exact(size.bytes);
                    let (digests, _) = digests.as_chunks_mut::<32>();
                    Keccak256::hash_many_with(backend, messages, digests).expect("as many digests as messages");
                })
            });
        }
        _ => {}
    }
}

/// One message through the type of a hash, used again for every message.
fn enter_hash<H>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    with_backend: impl Fn() -> Result<H, Unsupported> + Send + Sync + 'static,
) where
    H: Update + FixedOutputReset + Send + 'static,
{
    roster.hash_with(contest, about, move || {
        let mut hasher = with_backend().expect("checked above");
        move |message: &[u8], digest: &mut [u8]| {
            hasher.update(message);
            hasher.finalize_into_reset(digest.try_into().expect("as long as the hash"));
        }
    });
}

fn how_to_use(contest: &Contest, backend: Backend, chosen: Backend) -> String {
    let call = match contest.id {
        "keccak256/message" => "Keccak256",
        "sha3-256/message" => "Sha3_256",
        "shake128/message" => "Shake128",
        _ => "Keccak256::hash_many",
    };
    if backend == chosen {
        format!("crate fairlane: keccak::{call}")
    } else {
        format!("crate fairlane: keccak::{call}, restricted by FAIRLANE_BACKEND={backend}")
    }
}
