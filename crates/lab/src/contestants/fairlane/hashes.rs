//! The hashes.

use super::Entry;
use crate::contest::{Algorithm, Contest, Job, Operation};
use crate::contestants::{Make, traits};
use crate::contests::keccak::PARALLEL_HASH_BLOCK;
use digest::{ExtendableOutputReset, FixedOutputReset, Update};
use fairlane::keccak::{Keccak256, Kt128, Kt256, ParallelHash128, Sha3_256, Shake128};
use fairlane::sm3::Sm3;
use fairlane::{Backend, HashMany, Unsupported};
use std::num::NonZeroUsize;

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let entry: Entry = match (contest.algorithm(), contest.job()) {
        (Algorithm::Keccak256, Job::Batch) => ("keccak::Keccak256::hash_fixed", many::<Keccak256>(backend)),
        (Algorithm::Keccak256, _) => ("keccak::Keccak256", Box::new(move |_| hash(Keccak256::with_backend(backend)))),
        (Algorithm::Sha3_256, _) => ("keccak::Sha3_256", Box::new(move |_| hash(Sha3_256::with_backend(backend)))),
        (Algorithm::Shake128, _) => ("keccak::Shake128", Box::new(move |_| xof(Shake128::with_backend(backend)))),
        (Algorithm::Kt128, _) => ("keccak::Kt128", Box::new(move |_| xof(Kt128::with_backend(backend, b"")))),
        (Algorithm::Kt256, _) => ("keccak::Kt256", Box::new(move |_| xof(Kt256::with_backend(backend, b"")))),
        (Algorithm::ParallelHash128, _) => ("keccak::ParallelHash128", Box::new(move |_| parallel_hash(backend))),
        (Algorithm::Sm3, Job::Batch) => ("sm3::Sm3::hash_fixed", many::<Sm3>(backend)),
        (Algorithm::Sm3, _) => ("sm3::Sm3", Box::new(move |_| hash(Sm3::with_backend(backend)))),
        _ => return None,
    };
    Some(entry)
}

fn hash<H: Update + FixedOutputReset + Send + 'static>(hasher: Result<H, Unsupported>) -> Operation {
    Operation::to_output(traits::hash(hasher.expect("the backend is available")))
}

fn xof<H: Update + ExtendableOutputReset + Send + 'static>(hasher: Result<H, Unsupported>) -> Operation {
    Operation::to_output(traits::xof(hasher.expect("the backend is available")))
}

/// Finishing with a length uses a hasher up: one that has absorbed what stands before every message is copied.
fn parallel_hash(backend: Backend) -> Operation {
    const BLOCK: NonZeroUsize = NonZeroUsize::new(PARALLEL_HASH_BLOCK).unwrap();
    let start = ParallelHash128::with_backend(backend, BLOCK, b"").expect("the backend is available");
    Operation::to_output(move |message, output| {
        let mut hasher = start.clone();
        hasher.update(message);
        hasher.finalize(output);
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
