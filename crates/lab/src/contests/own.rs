//! Contests of any other function, for contestants of its own: plug-ins, or the closures of a [`Bench`](crate::Bench).
//!
//! There is no reference: the right answer is the one that more contestants give than any other. `docs/plugins.md` says
//! what a file of such a contest holds.

mod file;

pub use file::{load, loaded};

use super::PLAIN;
use crate::contest::{Algorithm, Contest, ContestId, Function, Job, Kind, OwnFunction, Size};

/// A contest without a reference. Its names live as long as the process.
///
/// # Errors
/// If the id is not `ALGORITHM/JOB` in plain characters, or its algorithm is one of the laboratory's.
pub(crate) fn contest(id: &str, function: &str, about: String, own: Own) -> Result<Contest, String> {
    let plain = |name: &str| {
        let mut chars = name.chars();
        !name.is_empty() && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c))
    };
    let Some((algorithm, job)) = id.split_once('/').filter(|(algorithm, job)| plain(algorithm) && plain(job)) else {
        return Err(format!("'{id}' is no name of a contest such as blake3/message"));
    };
    if algorithm.parse::<Algorithm>().is_ok() {
        return Err(format!("'{algorithm}' is an algorithm of this laboratory; choose another name"));
    }
    let algorithm: &str = algorithm.to_owned().leak();
    let job = job.parse().unwrap_or_else(|_| Job::Custom(job.to_owned().leak()));
    let function = Function {
        name: function.to_owned().leak(),
        primitive: "",
        labels: &[],
        reference: |_| unreachable!("a contest of others has no reference"),
    };
    let Own { output_len, in_place, key_len } = own;
    Ok(Contest {
        id: ContestId::new(Algorithm::Custom(algorithm), job),
        suite: algorithm,
        about: about.leak(),
        kind: Kind::Own(Box::leak(Box::new(OwnFunction { function, output_len, in_place, key_len }))),
        ..PLAIN
    })
}

/// What an own function takes and gives: see [`OwnFunction`].
pub(crate) struct Own {
    pub(crate) output_len: Box<dyn Fn(usize) -> usize + Send + Sync>,
    pub(crate) in_place: bool,
    pub(crate) key_len: [usize; 3],
}

/// Sizes as a contest holds them.
pub(crate) fn sizes(sizes: Vec<Size>) -> &'static [Size] {
    sizes.leak()
}
