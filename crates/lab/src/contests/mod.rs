//! The contests, one file per family: their jobs, sizes and references.
//!
//! A new family is a file with a `CONTESTS` slice and its name in [`all`].

pub mod aead;
pub mod arx;
pub mod chacha20;
mod default_set;
pub mod kalyna;
pub mod keccak;
pub mod kem;
pub mod kusumi512;
mod other_names;
pub mod own;
pub mod sm3;
pub mod sm4;
pub mod threefish512;

pub use default_set::{DEFAULT_SET, default_set};

use crate::contest::{Algorithm, Conditions, Contest, ContestId, Job, Kind, Lengths, Operation, Size, Unit};
use fairlane_common::suggest::{did_you_mean, hint};

/// Every contest, family by family, and those of files that were [loaded](own::load).
pub fn all() -> Vec<Contest> {
    let mut all = [
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
    .concat();
    all.extend(own::loaded());
    all
}

/// The sizes at which ciphers of one function are raced: a block, some, a packet, a record, a file.
const STREAM_SIZES: &[Size] =
    &[Size::one(64), Size::one(256), Size::one(1 << 10), Size::one(16 << 10), Size::one(1 << 20)];
const STREAM_QUICK_SIZES: &[Size] = &[Size::one(64), Size::one(1 << 10), Size::one(1 << 20)];

/// The defaults of a contest: as many bytes of output as of input, one message at a time.
const PLAIN: Contest = Contest {
    id: ContestId::new(Algorithm::Custom(""), Job::Message),
    suite: "",
    about: "",
    conditions: Conditions::UNKNOWN,
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

/// A reference that works in place, as one that writes to a given output.
fn fill(apply: fn(&mut [u8])) -> Operation {
    Operation::to_output(move |input, output| {
        output.copy_from_slice(input);
        apply(output);
    })
}

/// The reference's digest of each message of the input.
fn digests<const N: usize>(size: Size, hash: fn(&[u8]) -> [u8; N]) -> Operation {
    Operation::to_output(move |input, output| {
        for (message, digest) in input.chunks_exact(size.bytes).zip(output.as_chunks_mut().0) {
            *digest = hash(message);
        }
    })
}

/// Whether a contest, whose id is spelled out, is meant.
type Matches<'a> = dyn Fn(&str, &Contest) -> bool + 'a;

/// The contests that `pattern` matches: a contest's id, a suite, or a glob over ids (`*/batch`); where it is none of
/// these, what all ids begin with that have `/` or `-` behind it (`keccak256`, `ml-kem-768`), or else just begin with
/// it (`sha`). Empty if there is none.
pub fn matching(pattern: &str) -> Vec<Contest> {
    let all = all();
    let of = |matches: &Matches| -> Vec<Contest> {
        all.iter().filter(|contest| matches(&contest.id.to_string(), contest)).cloned().collect()
    };
    let ends = |rest: &str| pattern.ends_with(['/', '-']) || rest.starts_with(['/', '-']);
    let ways: [&Matches; 3] = [
        &|id, contest| contest.suite == pattern || glob(pattern, id),
        &|id, _| id.strip_prefix(pattern).is_some_and(ends),
        &|id, _| pattern.len() > 1 && id.starts_with(pattern),
    ];
    ways.into_iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

/// What may be asked for by name: suites, what a contest computes, and contests.
pub fn names() -> Vec<String> {
    let all = all();
    let parts = |name: fn(&Contest) -> String| all.iter().map(name);
    let mut names: Vec<String> = parts(|contest| contest.suite.to_owned())
        .chain(parts(|contest| contest.algorithm().to_string()))
        .chain(parts(|contest| contest.id.to_string()))
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// The contests that any of `patterns` matches, each once, in their usual order; all contests if there is no pattern.
///
/// # Errors
/// One line that names the first pattern that matches nothing, and what there is instead.
pub fn select<P: AsRef<str>>(patterns: &[P]) -> Result<Vec<Contest>, String> {
    let mut wanted: Vec<ContestId> = Vec::new();
    for pattern in patterns.iter().map(AsRef::as_ref) {
        let found = matching(pattern);
        if found.is_empty() {
            return Err(unknown(pattern));
        }
        wanted.extend(found.iter().map(|contest| contest.id));
    }
    Ok(all().into_iter().filter(|contest| patterns.is_empty() || wanted.contains(&contest.id)).collect())
}

/// The error for a pattern that matches nothing, with the contests of its algorithm or, if that is unknown, the suites.
fn unknown(pattern: &str) -> String {
    let algorithm = pattern.split('/').next().and_then(|name| name.parse().ok());
    let all = all();
    let near =
        all.iter().filter(|contest| Some(contest.algorithm()) == algorithm).map(|contest| contest.id.to_string());
    let mut there: Vec<String> = near.collect();
    let mut are = "there are";
    if there.is_empty() {
        there = all.iter().map(|contest| contest.suite.to_owned()).collect();
        there.dedup();
        are = "suites are";
    }
    let meant = other_names::meant(pattern).map_or_else(|| did_you_mean(pattern, &names()), |name| hint(&name));
    format!("no contest or suite is called '{pattern}'{meant}; {are} {}", there.join(", "))
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

    fn ids(contests: &[Contest]) -> Vec<String> {
        contests.iter().map(|contest| contest.id.to_string()).collect()
    }

    #[test]
    fn ids_are_unique_and_begin_with_the_function_or_with_the_suite_of_the_job() {
        let spelled = |name: &str| name.to_lowercase().replace(['-', '/'], "");
        let all = all();
        for (at, contest) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.id != contest.id), "{} twice", contest.id);
            let named = match contest.kind {
                Kind::OneFunction(function) => function.name,
                Kind::Own(own) => own.function.name,
                Kind::OneJob(_) => contest.suite,
            };
            assert_eq!(spelled(&contest.algorithm().to_string()), spelled(named), "{}", contest.id);
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
        assert_eq!(ids(&select(&["keccak256"]).unwrap()), ["keccak256/message", "keccak256/batch"]);
        assert_eq!(ids(&select(&["sha"]).unwrap()), ["sha3-256/message", "shake128/message"]);
        assert!(ids(&select(&["ml-kem-768"]).unwrap()).iter().all(|id| id.starts_with("ml-kem-768/")));
        assert!(ids(&select(&["kalyna-256"]).unwrap()).contains(&"kalyna-256-512/ecb-encrypt".to_owned()));
        let why = |pattern| select(&["keccak", pattern]).err().unwrap();
        assert_eq!(why("md6"), "no contest or suite is called 'md6'; suites are keccak, arx, sm, kalyna, ml-kem, clwe");
        let many = why("keccak256/many");
        assert!(many.ends_with("; there are keccak256/message, keccak256/batch"), "{many}");
        assert!(why("kecak256").contains("did you mean 'keccak256'?"), "{}", why("kecak256"));
        assert!(why("sm4/ecb-encrpyt").contains("did you mean 'sm4/ecb-encrypt'?"), "{}", why("sm4/ecb-encrpyt"));
        assert!(why("kyber").contains("'kyber' (did you mean 'ml-kem'?); suites are keccak"), "{}", why("kyber"));
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
