//! Batches on several cores: [`HashMany`]'s calls over the threads of [`rayon`], in parts that fit a core's cache.
//!
//! Results are those of [`HashMany`], in the same order. The number of threads is that of rayon's pool.
//!
#![cfg_attr(feature = "keccak", doc = "```")]
#![cfg_attr(not(feature = "keccak"), doc = "```ignore")]
//! use fairlane::keccak::{Keccak256, keccak256};
//!
//! let rows = vec![[7; 100]; 50_000];
//! let mut digests = vec![[0; 32]; rows.len()];
//! fairlane::parallel::hash_fixed::<Keccak256>(rows.as_flattened(), rows.len(), digests.as_flattened_mut())?;
//! assert_eq!(digests[49_999], keccak256(&[7; 100]));
//! # Ok::<(), fairlane::HashManyError>(())
//! ```

use crate::hash_many::{HashMany, HashManyError, check_outputs, check_rows};
use rayon::prelude::*;

/// Most bytes of messages and outputs in a part, so that it fits the second-level cache of current CPUs.
const PART_BYTES: usize = 1 << 20;
/// A part has a whole number of so many messages, which fills the lanes of every backend.
const GROUP: usize = 64;

/// [`HashMany::hash_fixed`] on several cores.
///
/// # Errors
/// Those of [`HashMany::hash_fixed`]; nothing is written then.
pub fn hash_fixed<H: HashMany>(messages: &[u8], count: usize, outputs: &mut [u8]) -> Result<(), HashManyError> {
    let (length, output_length) = check_rows::<H>(messages, count, outputs)?;
    let part = part(count, length.saturating_add(output_length));
    if length == 0 || output_length == 0 || part >= count {
        return H::hash_fixed(messages, count, outputs);
    }
    let parts = messages.par_chunks(part * length).zip(outputs.par_chunks_mut(part * output_length));
    parts.try_for_each(|(messages, outputs)| H::hash_fixed(messages, messages.len() / length, outputs))
}

/// [`HashMany::hash_many`] on several cores, of messages in a slice.
///
/// # Errors
/// Those of [`HashMany::hash_many`]; nothing is written then.
pub fn hash_many<H, M, O>(messages: &[M], outputs: &mut [O]) -> Result<(), HashManyError>
where
    H: HashMany,
    M: AsRef<[u8]> + Sync,
    O: AsMut<[u8]> + Send,
{
    check_outputs::<H, O>(messages.len(), outputs)?;
    // Lengths may differ much, and rayon balances parts: so a part is small.
    let part = part(messages.len(), PART_BYTES / 1024);
    let parts = messages.par_chunks(part).zip(outputs.par_chunks_mut(part));
    parts.try_for_each(|(messages, outputs)| H::hash_many(messages, outputs))
}

/// How many messages of about so many bytes are a part: at least four parts a thread, if there are so many groups.
fn part(count: usize, bytes: usize) -> usize {
    let for_balance = count / (4 * rayon::current_num_threads());
    let part = (PART_BYTES / bytes.max(1)).min(for_balance);
    (part / GROUP * GROUP).max(GROUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_groups() {
        for count in [0, 1, 63, 64, 65, 1000, 1 << 20] {
            for bytes in [0, 1, 64, 1024, PART_BYTES, usize::MAX] {
                let part = part(count, bytes);
                assert!(part >= GROUP && part.is_multiple_of(GROUP));
                assert!(part == GROUP || part * bytes <= PART_BYTES);
            }
        }
    }
}
