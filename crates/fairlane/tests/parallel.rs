//! Batches on several cores.
#![cfg(all(feature = "rayon", feature = "keccak", feature = "sm3"))]

mod common;

use common::random_from;
use fairlane::keccak::{Keccak256, Shake128};
use fairlane::sm3::Sm3;
use fairlane::{HashMany, HashManyError, parallel};

fn check<H: HashMany>(length: usize, count: usize, output_length: usize) {
    let messages = random_from(length, length * count);
    let (mut outputs, mut expected) = (vec![0; output_length * count], vec![0; output_length * count]);
    parallel::hash_fixed::<H>(&messages, count, &mut outputs).unwrap();
    H::hash_fixed(&messages, count, &mut expected).unwrap();
    assert_eq!(outputs, expected, "{count} messages of {length} bytes");

    let messages: Vec<_> = (0..count).map(|i| &messages[i * length..][..length - length.min(i % 7)]).collect();
    let (mut outputs, mut expected) = (vec![vec![0; output_length]; count], vec![vec![0; output_length]; count]);
    parallel::hash_many::<H, _, _>(&messages, &mut outputs).unwrap();
    H::hash_many(messages, &mut expected).unwrap();
    assert_eq!(outputs, expected, "{count} messages of about {length} bytes");
}

#[test]
fn threads_give_the_same_digests() {
    for count in [0, 1, 64, 65, 1000, 20_001] {
        for length in [0, 20, 137] {
            check::<Keccak256>(length, count, 32);
            check::<Sm3>(length, count, 32);
            check::<Shake128>(length, count, 33);
            check::<Shake128>(length, count, 0);
        }
    }
}

#[test]
fn wrong_lengths_are_errors_and_nothing_is_written() {
    let mut outputs = vec![0xaa; 32 * 1000 - 1];
    let error = parallel::hash_fixed::<Keccak256>(&[7; 2000], 1000, &mut outputs).unwrap_err();
    assert_eq!(error, HashManyError::Uneven { messages: 2000, outputs: 31_999, count: 1000 });
    let mut outputs = vec![[0xaa; 31]; 1000];
    let error = parallel::hash_many::<Sm3, _, _>(&[b"a"; 1000], &mut outputs).unwrap_err();
    assert_eq!(error, HashManyError::WrongLength { index: 0, length: 31, expected: 32 });
    let error = parallel::hash_many::<Sm3, _, _>(&[b"a"; 999], &mut outputs).unwrap_err();
    assert_eq!(error, HashManyError::WrongCount { messages: 999, outputs: 1000 });
    assert_eq!(outputs, [[0xaa; 31]; 1000]);
}
