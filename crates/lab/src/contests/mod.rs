//! The contests, one file a family: which job, which sizes, which answer is right.
//!
//! A new family is a file with a `CONTESTS` slice and its name in [`all`].

pub mod aead;
pub mod arx;
pub mod chacha20;
mod highlights;
pub mod kalyna;
pub mod keccak;
pub mod kem;
pub mod kusumi512;
pub mod sm3;
pub mod sm4;
pub mod threefish512;

pub use highlights::{HIGHLIGHTS, highlights};

use crate::contest::{Contest, Kind, Lengths, Op, Size, Unit};

/// Every contest, family by family.
pub fn all() -> Vec<Contest> {
    [
        keccak::CONTESTS,
        arx::CONTESTS,
        kusumi512::CONTESTS,
        threefish512::CONTESTS,
        chacha20::CONTESTS,
        aead::CONTESTS,
        sm4::CONTESTS,
        sm3::CONTESTS,
        kalyna::CONTESTS,
        kem::CONTESTS,
    ]
    .concat()
}

/// What most contests have in common: bytes in, as many out, one message at a time. The rest is each contest's own.
const PLAIN: Contest = Contest {
    id: "",
    suite: "",
    about: "",
    kind: Kind::OneJob(&[]),
    unit: Unit::Bytes,
    batch: false,
    lengths: Lengths::Any,
    sizes: &[],
    quick_sizes: &[],
    reference_limit: usize::MAX,
    input_len: Size::total,
    output_len: Size::total,
    prepare: |_, _| (),
    accepts: |_, _, _| false,
};

/// A reference that changes a message where it lies, as one that fills a given output.
fn fill(apply: fn(&mut [u8])) -> Op {
    Op::fill(move |input, output| {
        output.copy_from_slice(input);
        apply(output);
    })
}

/// The reference's digest of each message of the input.
fn digests<const N: usize>(size: Size, hash: fn(&[u8]) -> [u8; N]) -> Op {
    Op::fill(move |input, output| {
        for (message, digest) in input.chunks_exact(size.bytes).zip(output.as_chunks_mut().0) {
            *digest = hash(message);
        }
    })
}

/// `N` bytes that count up from `first`: a key, a nonce.
const fn counting<const N: usize>(first: u8) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = first.wrapping_add(i as u8);
        i += 1;
    }
    bytes
}

/// The contests that `pattern` means: a contest's id, a suite, or a glob over ids (`*/batch`). Empty if there is none.
pub fn matching(pattern: &str) -> Vec<Contest> {
    all().into_iter().filter(|contest| contest.suite == pattern || glob(pattern, contest.id)).collect()
}

/// The contests that any of `patterns` means, each once, in their usual order; all contests if there is no pattern.
///
/// # Errors
/// One line that names the first pattern that means nothing, and what could have been meant.
pub fn select<P: AsRef<str>>(patterns: &[P]) -> Result<Vec<Contest>, String> {
    let mut wanted: Vec<&str> = Vec::new();
    for pattern in patterns.iter().map(AsRef::as_ref) {
        let found = matching(pattern);
        if found.is_empty() {
            return Err(unknown(pattern));
        }
        wanted.extend(found.iter().map(|contest| contest.id));
    }
    Ok(all().into_iter().filter(|contest| patterns.is_empty() || wanted.contains(&contest.id)).collect())
}

/// Says that a pattern means nothing: what else there is of its algorithm or, of an unknown one, the suites.
fn unknown(pattern: &str) -> String {
    let (algorithm, _) = pattern.split_once('/').unwrap_or((pattern, ""));
    let all = all();
    let near = all.iter().filter(|contest| contest.algorithm() == algorithm).map(|contest| contest.id);
    let mut there: Vec<&str> = near.collect();
    let mut are = "there are";
    if there.is_empty() {
        there = all.iter().map(|contest| contest.suite).collect();
        there.dedup();
        are = "suites are";
    }
    format!("no contest or suite is called '{pattern}'; {are} {}", there.join(", "))
}

/// Whether the whole of `text` fits `pattern`, where `*` stands for any run of characters and `?` for one.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where to go on when a guess of what the last star swallows was too short.
    let mut retry = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t + 1));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match retry {
                Some((after_star, from)) => {
                    (p, t) = (after_star, from);
                    retry = Some((after_star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(contests: &[Contest]) -> Vec<&'static str> {
        contests.iter().map(|contest| contest.id).collect()
    }

    #[test]
    fn ids_are_unique_and_begin_with_the_function_or_with_the_suite_of_the_job() {
        let spelled = |name: &str| name.to_lowercase().replace(['-', '/'], "");
        let all = all();
        for (at, contest) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.id != contest.id), "{} twice", contest.id);
            let (family, _) = contest.id.split_once('/').expect("family/job");
            let named = match contest.kind {
                Kind::OneFunction(function) => function.name,
                Kind::OneJob(_) => contest.suite,
            };
            assert_eq!(spelled(family), spelled(named), "{}", contest.id);
        }
    }

    #[test]
    fn quick_sizes_are_among_the_sizes_and_only_batches_count() {
        for contest in all() {
            for size in contest.quick_sizes {
                assert!(contest.sizes.contains(size), "{} {size}", contest.id);
            }
            assert!(contest.sizes.iter().all(|size| contest.batch == (size.count > 1)), "{}", contest.id);
            assert!(contest.sizes.iter().all(|size| contest.takes(*size)), "{}", contest.id);
        }
    }

    #[test]
    fn select_takes_ids_suites_and_globs_and_names_what_it_does_not_know() {
        assert_eq!(ids(&select(&["keccak256/batch"]).unwrap()), ["keccak256/batch"]);
        let batches = ["keccak256/message", "keccak256/batch", "sm3/batch"];
        assert_eq!(ids(&select(&["*/batch", "keccak256/*"]).unwrap()), batches);
        assert_eq!(ids(&select(&["keccak"]).unwrap()).len(), keccak::CONTESTS.len());
        assert_eq!(ids(&select::<&str>(&[]).unwrap()), ids(&all()));
        let why = |pattern| select(&["keccak", pattern]).err().unwrap();
        assert_eq!(why("md6"), "no contest or suite is called 'md6'; suites are keccak, arx, sm, kalyna, ml-kem, clwe");
        for near in ["keccak256", "keccak256/many"] {
            assert!(why(near).ends_with("; there are keccak256/message, keccak256/batch"), "{}", why(near));
        }
    }

    #[test]
    fn globs() {
        for (pattern, text) in
            [("*", ""), ("a*c", "abcbc"), ("a?c", "abc"), ("*b*", "abc"), ("abc", "abc"), ("**", "é")]
        {
            assert!(glob(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("", "a"), ("a*c", "abcb"), ("a?c", "ac"), ("abc", "abcd"), ("*d", "abc")] {
            assert!(!glob(pattern, text), "{pattern} {text}");
        }
    }
}
