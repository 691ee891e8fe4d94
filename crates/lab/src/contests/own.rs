//! Contests of any other function, for contestants of its own: plug-ins, or the closures of a [`Bench`](crate::Bench).
//!
//! There is no reference: the right answer is the one that more contestants give than any other. `docs/plugins.md` says
//! what a file of such a contest holds.

mod file;

pub use file::{load, loaded};

use super::PLAIN;
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, OwnFunction, Pace, Place, Size};

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
    Ok(Contest {
        id: ContestId::new(Algorithm::Custom(algorithm), job),
        suite: algorithm,
        about: about.leak(),
        conditions: known(&own),
        kind: Kind::Own(Box::leak(Box::new(own.of(function)))),
        ..PLAIN
    })
}

/// What the laboratory itself knows of the conditions: which keys it hands over, whose the buffers are, and whether an
/// operation goes on from the last one.
fn known(own: &Own) -> Conditions {
    let [key, iv, _] = own.key_len.map(|len| if len == 0 { Place::None } else { Place::Unknown });
    let pace = if own.in_place { Pace::Latency } else { Pace::Throughput };
    Conditions { key, iv, allocation: Place::Outside, pace, ..Conditions::UNKNOWN }
}

/// What an own function takes and gives: see [`OwnFunction`].
pub(crate) struct Own {
    pub(crate) output_len: Box<dyn Fn(usize) -> usize + Send + Sync>,
    pub(crate) in_place: bool,
    pub(crate) key_len: [usize; 3],
}

impl Own {
    fn of(self, function: Function) -> OwnFunction {
        let Self { output_len, in_place, key_len } = self;
        OwnFunction { function, output_len, in_place, key_len }
    }
}

/// Sizes as a contest holds them.
pub(crate) fn sizes(sizes: Vec<Size>) -> &'static [Size] {
    sizes.leak()
}
