//! ML-KEM and CLWE-KEM: known answers, and what is refused or rejected.

use fairlane_reference::keccak::{sha3_256, shake128};
use fairlane_reference::kem::ring::{N, Q, byte_decode, byte_encode};
use fairlane_reference::kem::*;

use super::vectors::{self, AccumulatedCase, KemCase};
use super::{array, flipped};

/// The parameter set that a case's function names.
fn params(function: &str) -> Params {
    Params::ALL.into_iter().find(|params| params.name().to_lowercase() == function).expect(function)
}

#[test]
fn key_pairs() {
    for case in ["ml_kem.json", "clwe.json"].into_iter().flat_map(vectors::load_kems) {
        let KemCase { function, d, z, ek, dk, ek_sha3_256, dk_sha3_256, m, ciphertext, secret, .. } = case;
        let params = params(&function);
        let (ek, dk) = if d.is_empty() { (ek, dk) } else { keygen(params, array(&d), array(&z)) };
        if !ek_sha3_256.is_empty() {
            assert!(sha3_256(&ek) == *ek_sha3_256, "{function}: wrong ek");
            assert!(sha3_256(&dk) == *dk_sha3_256, "{function}: wrong dk");
        }
        if !m.is_empty() {
            let (given, c) = encaps(params, &ek, array(&m)).unwrap();
            assert!(c == ciphertext, "{function}: wrong ciphertext");
            assert!(given == *secret, "{function}: wrong shared secret of encapsulation");
        }
        if !dk.is_empty() && !ciphertext.is_empty() {
            assert!(decaps(params, &dk, &ciphertext).unwrap() == *secret, "{function}: wrong shared secret");
        }
    }
}

#[test]
fn accumulated() {
    accumulated_over(300);
}

/// A million runs are not for a slow twin.
#[test]
#[ignore = "takes half a minute"]
fn accumulated_over_10_000() {
    accumulated_over(10_000);
}

fn accumulated_over(runs: usize) {
    let cases = vectors::load_accumulated("ml_kem_accumulated.json");
    let sets = cases.iter().filter(|case| case.runs == runs).map(accumulate).count();
    assert_eq!(sets, 3);
}

/// `crates/vectors/README.md` says what is accumulated.
fn accumulate(case: &AccumulatedCase) {
    let params = params(&case.function);
    let mut random = vec![0; case.runs * (3 * 32 + params.ciphertext_len())];
    shake128(&[], &mut random);
    let mut answers = Vec::new();
    for input in random.chunks_exact(random.len() / case.runs) {
        let ([d, z, m], wrong) = (std::array::from_fn(|i| array(&input[32 * i..][..32])), &input[3 * 32..]);
        let (ek, dk) = keygen(params, d, z);
        let (secret, ciphertext) = encaps(params, &ek, m).unwrap();
        assert_eq!(decaps(params, &dk, &ciphertext), Ok(secret));
        let rejected = decaps(params, &dk, wrong).unwrap();
        answers.extend([&ek[..], &dk, &ciphertext, &secret, &rejected].concat());
    }
    let mut output = [0; 32];
    shake128(&answers, &mut output);
    assert!(output == *case.output, "{} with {} runs: wrong output", case.function, case.runs);
}

/// FIPS 203, table 3, and CLWE-KEM's own table.
#[test]
fn sizes() {
    let table = [
        ("ML-KEM-512", 2, 800, 1632, 768),
        ("ML-KEM-768", 3, 1184, 2400, 1088),
        ("ML-KEM-1024", 4, 1568, 3168, 1568),
        ("CLWE-512", 2, 800, 1632, 992),
        ("CLWE-768", 3, 1184, 2400, 1376),
        ("CLWE-1024", 4, 1568, 3168, 1760),
    ];
    for (params, (name, k, ek_len, dk_len, c_len)) in Params::ALL.into_iter().zip(table) {
        assert_eq!((params.name(), params.k()), (name, k));
        let (ek, dk) = some_keys(params);
        let (_, ciphertext) = encaps(params, &ek, &[3; 32]).unwrap();
        assert_eq!((ek.len(), params.encapsulation_key_len()), (ek_len, ek_len), "{name}");
        assert_eq!((dk.len(), params.decapsulation_key_len()), (dk_len, dk_len), "{name}");
        assert_eq!((ciphertext.len(), params.ciphertext_len()), (c_len, c_len), "{name}");
    }
}

/// A key pair of the parameter set.
fn some_keys(params: Params) -> (Vec<u8>, Vec<u8>) {
    keygen(params, &[1; 32], &[2; 32])
}

/// Every bit of a ciphertext counts, and any ciphertext has a secret.
#[test]
fn changed_ciphertexts() {
    for params in Params::ALL {
        let (ek, dk) = some_keys(params);
        let (secret, ciphertext) = encaps(params, &ek, &[3; 32]).unwrap();
        assert_eq!(decaps(params, &dk, &ciphertext), Ok(secret));
        let mut secrets = vec![secret];
        // An odd step comes by each bit of a byte, and by u and v.
        let changed = (0..8 * ciphertext.len()).step_by(97).map(|bit| flipped(&ciphertext, bit));
        for changed in changed.chain([vec![0; ciphertext.len()], vec![0xff; ciphertext.len()]]) {
            let rejected = decaps(params, &dk, &changed).unwrap();
            assert!(!secrets.contains(&rejected), "{}: a secret twice", params.name());
            secrets.push(rejected);
        }
    }
}

/// No key or ciphertext of one scheme is good in the other.
#[test]
fn schemes_are_apart() {
    for (ml_kem, clwe) in Params::ALL[..3].iter().zip(&Params::ALL[3..]) {
        let (ek, dk) = some_keys(*ml_kem);
        let (other_ek, other_dk) = some_keys(*clwe);
        assert!(ek.len() == other_ek.len() && ek[..] != other_ek && dk[..32] != other_dk[..32]);
        // With the same key, too, the same m gives another secret.
        let (secret, ciphertext) = encaps(*ml_kem, &ek, &[3; 32]).unwrap();
        assert_ne!(encaps(*clwe, &ek, &[3; 32]).unwrap().0, secret);
        assert_eq!(decaps(*clwe, &dk, &ciphertext), Err(KeyError::Length));
    }
}

#[test]
fn wrong_lengths() {
    for params in Params::ALL {
        let (ek, dk) = some_keys(params);
        let (_, ciphertext) = encaps(params, &ek, &[3; 32]).unwrap();
        for wrong in of_wrong_lengths(&ek) {
            assert_eq!(encaps(params, &wrong, &[3; 32]), Err(KeyError::Length), "{}", params.name());
        }
        for wrong in of_wrong_lengths(&dk) {
            assert_eq!(decaps(params, &wrong, &ciphertext), Err(KeyError::Length), "{}", params.name());
        }
        for wrong in of_wrong_lengths(&ciphertext) {
            assert_eq!(decaps(params, &dk, &wrong), Err(KeyError::Length), "{}", params.name());
        }
    }
}

/// Nothing, the seeds' length, the bytes without the last, and with one more.
fn of_wrong_lengths(bytes: &[u8]) -> [Vec<u8>; 4] {
    [vec![], bytes[..64].to_vec(), bytes[..bytes.len() - 1].to_vec(), [bytes, &[0]].concat()]
}

/// q at every place of an encapsulation key, and every larger integer at the first.
#[test]
fn coefficients_that_are_not_reduced() {
    for params in Params::ALL {
        let (ek, _) = some_keys(params);
        let places = (0..N * params.k()).map(|place| (place, Q));
        for (place, coefficient) in places.chain((Q..1 << 12).map(|larger| (0, larger))) {
            let mut ek = ek.clone();
            let element = &mut ek[384 * (place / N)..][..384];
            let mut f = byte_decode(12, element);
            f[place % N] = coefficient;
            element.copy_from_slice(&byte_encode(12, &f));
            assert_eq!(encaps(params, &ek, &[3; 32]), Err(KeyError::Modulus), "{coefficient} at {place}");
        }
    }
}

/// The encapsulation key in a decapsulation key and its hash must fit. What is private is for nobody to check: it gives
/// another secret.
#[test]
fn changed_decapsulation_keys() {
    for params in Params::ALL {
        let (ek, dk) = some_keys(params);
        let (secret, ciphertext) = encaps(params, &ek, &[3; 32]).unwrap();
        let public = 384 * params.k()..dk.len() - 32;
        for byte in (0..dk.len()).step_by(31) {
            let answer = decaps(params, &flipped(&dk, 8 * byte), &ciphertext);
            if public.contains(&byte) {
                assert_eq!(answer, Err(KeyError::Hash), "{}, byte {byte}", params.name());
            } else {
                // z is only for ciphertexts that are rejected.
                assert_eq!(answer == Ok(secret), byte >= public.end, "{}, byte {byte}", params.name());
            }
        }
    }
}
