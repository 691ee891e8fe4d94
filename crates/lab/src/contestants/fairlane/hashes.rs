//! The hashes.

use super::Entry;
use crate::contest::{Algorithm, Contest, Job, Operation};
use crate::contestants::{Make, traits};
use digest::{ExtendableOutputReset, FixedOutputReset, Update};
use fairlane::keccak::{Keccak256, Sha3_256, Shake128};
use fairlane::sm3::Sm3;
use fairlane::{Backend, HashMany, Unsupported};

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let entry: Entry = match (contest.algorithm(), contest.job()) {
        (Algorithm::Keccak256, Job::Batch) => ("keccak::Keccak256::hash_fixed", many::<Keccak256>(backend)),
        (Algorithm::Keccak256, _) => ("keccak::Keccak256", Box::new(move |_| hash(Keccak256::with_backend(backend)))),
        (Algorithm::Sha3_256, _) => ("keccak::Sha3_256", Box::new(move |_| hash(Sha3_256::with_backend(backend)))),
        (Algorithm::Shake128, _) => ("keccak::Shake128", Box::new(move |_| shake(Shake128::with_backend(backend)))),
        (Algorithm::Sm3, Job::Batch) => ("sm3::Sm3::hash_fixed", many::<Sm3>(backend)),
        (Algorithm::Sm3, _) => ("sm3::Sm3", Box::new(move |_| hash(Sm3::with_backend(backend)))),
        _ => return None,
    };
    Some(entry)
}

fn hash<H: Update + FixedOutputReset + Send + 'static>(hasher: Result<H, Unsupported>) -> Operation {
    Operation::to_output(traits::hash(hasher.expect("the backend is available")))
}

fn shake(hasher: Result<Shake128, Unsupported>) -> Operation {
    let mut hasher = hasher.expect("the backend is available");
    Operation::to_output(move |message, output| {
        hasher.update(message);
        hasher.finalize_xof_reset_into(output);
    })
}

/// All messages in one call.
fn many<H: HashMany>(backend: Backend) -> Make {
    Box::new(move |size| {
        Operation::to_output(move |messages, digests| {
            let count = messages.len() / size.bytes;
            H::hash_fixed_with(backend, messages, count, digests).expect("as many digests as messages");
        })
    })
}
