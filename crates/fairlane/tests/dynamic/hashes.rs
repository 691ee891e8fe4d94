//! Hashes.

use super::common::{Promising, random_from};
use super::{LENGTHS, assert_wrong_length, choices, missing};
use fairlane::digest::{ExtendableOutput, FixedOutput, Update, XofReader};
use fairlane::dynamic::{Error, HashAlgorithm};
use fairlane::keccak::{
    Keccak224, Keccak256, Keccak384, Keccak512, Kt128, Kt256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128,
    Shake256, TurboShake128, TurboShake256,
};
use fairlane::sm3::Sm3;

fn fixed<H: Update + FixedOutput + Default>(message: &[u8], output: &mut [u8]) {
    let mut hash = H::default();
    hash.update(message);
    output.copy_from_slice(&hash.finalize_fixed());
}

fn extendable<H: Update + ExtendableOutput + Default>(message: &[u8], output: &mut [u8]) {
    H::digest_xof(message, output);
}

#[test]
fn hashes_are_those_of_the_types() {
    for &algorithm in HashAlgorithm::ALL {
        let expected: fn(&[u8], &mut [u8]) = match algorithm {
            HashAlgorithm::Keccak224 => fixed::<Keccak224>,
            HashAlgorithm::Keccak256 => fixed::<Keccak256>,
            HashAlgorithm::Keccak384 => fixed::<Keccak384>,
            HashAlgorithm::Keccak512 => fixed::<Keccak512>,
            HashAlgorithm::Sha3_224 => fixed::<Sha3_224>,
            HashAlgorithm::Sha3_256 => fixed::<Sha3_256>,
            HashAlgorithm::Sha3_384 => fixed::<Sha3_384>,
            HashAlgorithm::Sha3_512 => fixed::<Sha3_512>,
            HashAlgorithm::Shake128 => extendable::<Shake128>,
            HashAlgorithm::Shake256 => extendable::<Shake256>,
            HashAlgorithm::TurboShake128 => extendable::<TurboShake128>,
            HashAlgorithm::TurboShake256 => extendable::<TurboShake256>,
            HashAlgorithm::Kt128 => extendable::<Kt128<'_>>,
            HashAlgorithm::Kt256 => extendable::<Kt256<'_>>,
            HashAlgorithm::Sm3 => fixed::<Sm3>,
            _ => panic!("{algorithm} is not tested"),
        };
        let sizes = algorithm.output_size().map_or(vec![0, 1, 32, 200], |size| vec![size]);
        let messages: Vec<_> = LENGTHS.iter().map(|&length| random_from(length, length)).collect();
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        for size in sizes {
            let mut digests = vec![0; size * messages.len()];
            for (i, message) in messages.iter().enumerate() {
                expected(message, &mut digests[size * i..][..size]);
            }
            for backend in choices(algorithm.backends()) {
                let mut outputs = vec![0xa5; digests.len()];
                algorithm.hash_many(&slices, &mut outputs, backend).unwrap();
                assert_eq!(outputs, digests, "{algorithm} on {backend:?}");
                let (mut rows, mut alone) = (vec![0xa5; digests.len()], vec![0xa5; digests.len()]);
                algorithm.hash_each(messages.iter().map(Vec::as_slice), &mut rows, backend).unwrap();
                for (i, message) in messages.iter().enumerate() {
                    algorithm.hash(message, &mut alone[size * i..][..size], backend).unwrap();
                }
                assert!(rows == digests && alone == digests, "{algorithm} on {backend:?}");

                let mut hasher = algorithm.hasher(backend).unwrap();
                assert_eq!(hasher.algorithm(), algorithm);
                for (i, message) in messages.iter().enumerate() {
                    let digest = &digests[size * i..][..size];
                    let mut output = vec![0xa5; size];
                    hasher.update(b"forgotten");
                    hasher.reset();
                    hasher.update(&message[..message.len() / 3]);
                    let mut copy = hasher.clone();
                    for hasher in [&mut hasher, &mut copy] {
                        hasher.update(&message[message.len() / 3..]);
                        hasher.finalize_into(&mut output).unwrap();
                        assert_eq!(output, digest, "{algorithm} on {backend:?}");
                    }
                    hasher.update(message);
                    match hasher.finalize_xof() {
                        Some(mut reader) => {
                            let (start, end) = output.split_at_mut(size / 2);
                            reader.read(start);
                            reader.read(end);
                        }
                        None => hasher.finalize_into(&mut output).unwrap(),
                    }
                    assert_eq!(output, digest, "{algorithm} on {backend:?}");
                }
            }
        }
    }
}

#[test]
fn messages_of_one_length_are_those_of_a_list() {
    for &algorithm in HashAlgorithm::ALL {
        let size = algorithm.default_output_size();
        for (count, length) in [(0, 0), (1, 0), (1, 136), (19, 33)] {
            let messages = random_from(count, count * length);
            let slices: Vec<&[u8]> = (0..count).map(|i| &messages[i * length..][..length]).collect();
            let (mut rows, mut list) = (vec![0xa5; count * size], vec![0; count * size]);
            for backend in choices(algorithm.backends()) {
                algorithm.hash_fixed(&messages, count, &mut rows, backend).unwrap();
                algorithm.hash_many(&slices, &mut list, backend).unwrap();
                assert!(rows == list, "{count} messages of {length} bytes, {algorithm} on {backend:?}");
            }
        }
        if algorithm.output_size().is_none() {
            // Nothing is written, however many messages that is.
            algorithm.hash_fixed(&[], usize::MAX, &mut [], None).unwrap();
            let backend = missing(algorithm.backends());
            let unsupported = algorithm.hash_fixed(&[], usize::MAX, &mut [], Some(backend));
            assert!(matches!(unsupported, Err(Error::Unsupported(_))));
            let each = |backend| algorithm.hash_each((0..usize::MAX).map(|_| &b"a"[..]), &mut [], backend);
            each(None).unwrap();
            assert!(matches!(each(Some(backend)), Err(Error::Unsupported(_))));
        }
        assert_wrong_length(algorithm.hash_fixed(&[0; 7], 2, &mut vec![0; 2 * size], None), 6, 7);
        assert_wrong_length(algorithm.hash_fixed(&[0; 6], 2, &mut vec![0; 2 * size + 1], None), 2 * size, 2 * size + 1);
    }
}

#[test]
fn iterators_that_yield_too_few_are_errors() {
    for &algorithm in HashAlgorithm::ALL {
        let size = algorithm.default_output_size();
        for (promised, yielded) in [(1, 0), (3, 1), (40, 33)] {
            let mut outputs = vec![0xa5; promised * size];
            let messages = Promising(promised, vec![&b"a"[..]; yielded].into_iter());
            let error = algorithm.hash_each(messages, &mut outputs, None).unwrap_err();
            assert_eq!(error, Error::WrongCount { messages: yielded, outputs: promised }, "{algorithm}");
            let mut expected = vec![0xa5; promised * size];
            for output in expected.chunks_exact_mut(size).take(yielded) {
                algorithm.hash(b"a", output, None).unwrap();
            }
            assert_eq!(outputs, expected, "{algorithm}");
        }
    }
}

#[test]
fn hashes_refuse_wrong_lengths() {
    for &algorithm in HashAlgorithm::ALL {
        let backend = missing(algorithm.backends());
        assert!(matches!(algorithm.hasher(Some(backend)), Err(Error::Unsupported(_))));
        let mut output = vec![0xa5; algorithm.default_output_size()];
        assert!(matches!(algorithm.hash(b"", &mut output, Some(backend)), Err(Error::Unsupported(_))));
        let Some(size) = algorithm.output_size() else {
            assert!(algorithm.hasher(None).unwrap().finalize_xof().is_some());
            assert_wrong_length(algorithm.hash_many(&[b"a", b"b"], &mut [0; 33], None), 32, 33);
            assert_wrong_length(algorithm.hash_many(&[], &mut [0; 1], None), 0, 1);
            let unsupported = algorithm.hash_many(&[b""], &mut [0; 32], Some(backend));
            assert!(matches!(unsupported, Err(Error::Unsupported(_))));
            continue;
        };
        let mut hasher = algorithm.hasher(None).unwrap();
        hasher.update(b"a message");
        assert!(hasher.finalize_xof().is_none());
        for wrong in [0, 1, size - 1, size + 1, 2 * size] {
            let mut output = vec![0xa5; wrong];
            assert_wrong_length(hasher.finalize_into(&mut output), size, wrong);
            assert_wrong_length(algorithm.hash_many(&[b"a message"], &mut output, None), size, wrong);
            assert_wrong_length(algorithm.hash(b"a message", &mut output, None), size, wrong);
            assert_eq!(output, vec![0xa5; wrong]);
        }
        // The message is as it was.
        let (mut output, mut expected) = (vec![0; size], vec![0; size]);
        hasher.finalize_into(&mut output).unwrap();
        algorithm.hash_many(&[b"a message"], &mut expected, None).unwrap();
        assert_eq!(output, expected);
        let unsupported = algorithm.hash_many(&[b""], &mut output, Some(backend));
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        algorithm.hash_many(&[], &mut [], None).unwrap();
    }
}
