//! What is meant by a name under which there is no contest, but which is in use elsewhere.

use super::{glob, matching};

/// Other names, as globs over what stands before the slash, and what to race instead. Of several that fit, the first
/// counts.
const OTHER_NAMES: &[(&str, &str)] = &[
    // AES races in the contests of the ARX ciphers.
    ("aes*", "arx"),
    ("chacha*poly*", "chacha20-poly1305"),
    ("*kyber*", "ml-kem"),
    ("dstu", "kalyna"),
    ("dstu*7624*", "kalyna"),
    ("fips*202", "keccak"),
    ("fips*203", "ml-kem"),
    ("k12", "kt128"),
    ("kangaroo*", "kt128"),
    ("kem", "ml-kem"),
    ("lwe*", "clwe"),
    ("parallelhash*", "parallel-hash128"),
    ("poly1305*", "chacha20-poly1305"),
    ("salsa*poly*", "chacha20-poly1305"),
    ("salsa*", "chacha20"),
    ("sha3*", "sha3-256"),
    ("sha-3*", "sha3-256"),
    ("*shake*", "shake128"),
    ("shangmi", "sm"),
    ("skein*", "threefish512"),
    ("sms4", "sm4"),
    ("xsalsa*", "xchacha20-poly1305"),
];

/// What `pattern`, which matches no contest, means by its name for an algorithm, or by a job alone, such as `keygen`.
/// There are contests that the result matches.
pub(super) fn meant(pattern: &str) -> Option<String> {
    let pattern = pattern.to_lowercase();
    let job_at = pattern.find('/').unwrap_or(pattern.len());
    let (name, job) = pattern.split_at(job_at);
    let mut likely = Vec::new();
    if let Some((_, ours)) = OTHER_NAMES.iter().find(|(other, _)| glob(other, name)) {
        // kyber768 is ml-kem-768.
        let size = &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        if !size.is_empty() {
            likely.push(format!("{ours}-{size}{job}"));
        }
        likely.extend([format!("{ours}{job}"), format!("{ours}*{job}"), (*ours).to_owned()]);
    } else if job.is_empty() {
        likely.extend([format!("*/{name}"), format!("*/{name}-*")]);
    }
    likely.into_iter().find(|pattern| !matching(pattern).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_contests_instead_of_each() {
        for (other, ours) in OTHER_NAMES {
            assert!(!matching(ours).is_empty(), "{other}: {ours}");
        }
    }

    #[test]
    fn a_size_and_a_job_are_kept_where_there_are_such_contests() {
        for (pattern, ours) in [
            ("kyber", "ml-kem"),
            ("Kyber512", "ml-kem-512"),
            ("crystals-kyber-1024", "ml-kem-1024"),
            ("kyber768/keygen", "ml-kem-768/keygen"),
            ("kyber/keygen", "ml-kem*/keygen"),
            ("kyber/many", "ml-kem"),
            ("aes-128", "arx"),
            ("dstu", "kalyna"),
            ("dstu-7624:2014", "kalyna"),
            ("dstu7624/ctr", "kalyna*/ctr"),
            ("lwe", "clwe"),
            ("salsa20/encrypt", "chacha20/encrypt"),
            ("sha3-512", "sha3-256"),
            ("shake256", "shake128"),
            ("K12", "kt128"),
            ("KangarooTwelve/message", "kt128/message"),
            ("ParallelHash256", "parallel-hash128"),
            ("skein512/encrypt", "threefish512/encrypt"),
            ("xsalsa20-poly1305/seal", "xchacha20-poly1305/seal"),
            ("keygen", "*/keygen"),
            ("gcm", "*/gcm-*"),
        ] {
            assert_eq!(meant(pattern).as_deref(), Some(ours), "{pattern}");
        }
        // DSTU 7564 is a hash, Kupyna.
        for pattern in ["dstu7564", "md6", "", "é/"] {
            assert_eq!(meant(pattern), None, "{pattern}");
        }
    }
}
