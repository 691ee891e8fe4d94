//! Messages of one length, one after the other in memory.
#![cfg(all(feature = "keccak", feature = "sm3"))]

mod common;

use common::{backends, random_from};
use fairlane::keccak::{Keccak256, Sha3_224, Sha3_384, Sha3_512, Shake128, Shake256, TurboShake128};
use fairlane::{Backend, HashMany, HashManyError, sm3::Sm3};

/// Counts around those of the lanes, and above what one chunk holds.
const COUNTS: [usize; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 16, 17, 40, 70];

/// The outputs must be those of single messages on the scalar backend.
fn check<H: HashMany>(primitive: &str, lengths: impl Iterator<Item = usize>, output_length: usize) {
    let backends = backends(primitive);
    for length in lengths {
        for &backend in &backends {
            check_one::<H>(backend, length, COUNTS[length % COUNTS.len()], output_length);
        }
    }
    for &backend in &backends {
        for count in COUNTS {
            // Those above 136 are the ends of 32 bytes in the last numbers of a block of SHAKE128 and after a block.
            for length in [0, 32, 64, 96, 128, 136, 160, 168, 168 + 32, 168 + 160] {
                check_one::<H>(backend, length, count, output_length);
            }
        }
    }
}

fn check_one<H: HashMany>(backend: Backend, length: usize, count: usize, output_length: usize) {
    let messages = random_from(length, length * count);
    let mut outputs = vec![0xaa; output_length * count];
    H::hash_fixed_with(backend, &messages, count, &mut outputs).unwrap();
    let message = |i: usize| &messages[length * i..][..length];
    let mut of_slices = vec![vec![0xaa; output_length]; count];
    H::hash_many_with(backend, (0..count).map(message), &mut of_slices).unwrap();
    for i in 0..count {
        let mut expected = [vec![0; output_length]];
        H::hash_many_with(Backend::Scalar, [message(i)], &mut expected).unwrap();
        let output = &outputs[output_length * i..][..output_length];
        assert_eq!(output, expected[0], "{backend}, message {i} of {count}, {length} bytes");
        assert_eq!(of_slices[i], expected[0], "{backend}, slice {i} of {count}, {length} bytes");
    }
}

#[test]
fn keccak_agrees_with_single_messages() {
    check::<Keccak256>("keccak", 0..2 * 136 + 10, 32);
    check::<Sha3_224>("keccak", 0..144 + 10, 28);
    check::<Sha3_384>("keccak", 0..104 + 10, 48);
    check::<Sha3_512>("keccak", 0..2 * 72 + 10, 64);
}

#[test]
fn outputs_of_any_length() {
    for output_length in [0, 1, 31, 32, 33, 167, 168, 169, 500] {
        check::<Shake128>("keccak", (0..2 * 168 + 10).step_by(7), output_length);
        check::<Shake256>("keccak", (0..2 * 136 + 10).step_by(11), output_length);
        check::<TurboShake128>("keccak", (0..168 + 10).step_by(13), output_length);
    }
}

#[test]
fn empty_outputs_take_no_time() {
    for &backend in &backends("keccak") {
        Shake128::hash_fixed_with(backend, &[], usize::MAX, &mut []).unwrap();
    }
    let uneven = Shake128::hash_fixed(&[7], usize::MAX, &mut []).unwrap_err();
    assert_eq!(uneven, HashManyError::Uneven { messages: 1, outputs: 0, count: usize::MAX });
    let wrong = Keccak256::hash_fixed(&[], usize::MAX, &mut []).unwrap_err();
    assert_eq!(wrong, HashManyError::WrongLength { index: 0, length: 0, expected: 32 });
}

#[test]
fn sm3_agrees_with_single_messages() {
    check::<Sm3>("sm3", 0..2 * 64 + 10, 32);
}

#[test]
fn wrong_lengths_are_errors() {
    let mut outputs = [0xaa; 96];
    let uneven = Keccak256::hash_fixed(&[7; 10], 3, &mut outputs).unwrap_err();
    assert_eq!(uneven, HashManyError::Uneven { messages: 10, outputs: 96, count: 3 });
    assert_eq!(uneven.to_string(), "10 bytes of messages and 96 bytes of outputs are not 3 parts of one length each");
    let uneven = Keccak256::hash_fixed(&[7; 9], 0, &mut outputs).unwrap_err();
    assert_eq!(uneven, HashManyError::Uneven { messages: 9, outputs: 96, count: 0 });
    let wrong = Keccak256::hash_fixed(&[7; 10], 2, &mut outputs).unwrap_err();
    assert_eq!(wrong, HashManyError::WrongLength { index: 0, length: 48, expected: 32 });
    assert_eq!(outputs, [0xaa; 96], "nothing is written");
    assert_eq!(Keccak256::hash_fixed(&[], 0, &mut []), Ok(()));
}

#[test]
fn unavailable_backends_are_errors() {
    for &backend in Backend::ALL {
        let result = Keccak256::hash_fixed_with(backend, &[1, 2], 2, &mut [0; 64]);
        assert_eq!(result.is_ok(), backends("keccak").contains(&backend), "{backend}");
    }
}
