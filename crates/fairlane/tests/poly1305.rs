//! Poly1305 on every backend that this machine has: known answers, the reference, an independent crate, messages in
//! pieces, and numbers whose carries run far.

mod common;

use common::random;
use fairlane::poly1305::{Poly1305, WrongTag};
use fairlane::{Backend, Unsupported};
use fairlane_reference::poly1305::poly1305 as reference;
use fairlane_vectors as vectors;
use poly1305::universal_hash::{KeyInit, UniversalHash};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

fn backends() -> Vec<Backend> {
    common::backends("poly1305")
}

fn tag(backend: Backend, key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let mut mac = Poly1305::with_backend(key, backend).unwrap();
    mac.update(message);
    mac.finalize()
}

/// The `poly1305` crate.
fn independent(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    poly1305::Poly1305::new(key.into()).compute_unpadded(message).into()
}

#[test]
fn known_answers() {
    let cases = vectors::load("poly1305.json");
    assert!(cases.len() > 30);
    for backend in backends() {
        for case in &cases {
            assert_eq!(case.function, "poly1305");
            case.check(&tag(backend, case.key[..].try_into().unwrap(), &case.message));
        }
    }
}

/// Every length to beyond four words of each kind, and longer ones.
#[test]
fn agrees_with_the_reference_and_the_crate() {
    let mut rng = SmallRng::seed_from_u64(1);
    for length in (0..=1100).chain([2047, 4096, 5000, 8191, 16 * 1024 + 1, 65_551]) {
        let (key, message) = (rng.random(), random(&mut rng, length));
        let expected = independent(&key, &message);
        if length % 7 == 0 || length < 100 {
            assert_eq!(reference(&key, &message), expected, "{length} bytes");
        }
        for backend in backends() {
            assert_eq!(tag(backend, &key, &message), expected, "{length} bytes on {backend}");
        }
    }
}

/// Points r as full as they get, and such that sums pass p often; messages of ones, of zeros, and with numbers just
/// below a power of two or p.
#[test]
fn carries_run_to_their_end() {
    for (r, s) in [(u128::MAX, 0xff), (u128::MAX, 0), (0, 0xff), (1, 0xff), (2, 0), (4 << 64, 0xff), (1 << 123, 1)] {
        let mut key = [s; 32];
        key[..16].copy_from_slice(&r.to_le_bytes());
        for length in (0..=40 * 16).step_by(5).chain([16 * 128, 16 * 1000, 16 * 1000 + 15]) {
            let mut messages = [vec![0xff; length], vec![0; length], vec![0xff; length]];
            for (block, below) in messages[2].chunks_exact_mut(16).zip([1, 6, 10, 0, 251].into_iter().cycle()) {
                block.copy_from_slice(&(0u128.wrapping_sub(below)).to_le_bytes());
            }
            for message in &messages {
                let expected = independent(&key, message);
                assert_eq!(reference(&key, message), expected);
                for backend in backends() {
                    assert_eq!(tag(backend, &key, message), expected, "{length} bytes on {backend}, r = {r:#x}");
                }
            }
        }
    }
}

#[test]
fn pieces_of_any_length_are_the_same_message() {
    let mut rng = SmallRng::seed_from_u64(2);
    for round in 0..300 {
        let most = [20, 200, 2000][round % 3];
        let (key, length) = (rng.random(), rng.random_range(0..4000));
        let message = random(&mut rng, length);
        for backend in backends() {
            let mut mac = Poly1305::with_backend(&key, backend).unwrap();
            let mut rest = &message[..];
            while !rest.is_empty() {
                let (piece, next) = rest.split_at(rng.random_range(0..=rest.len().min(most)));
                mac.update(piece);
                rest = next;
            }
            mac.verify(&independent(&key, &message)).unwrap_or_else(|_| panic!("{length} bytes on {backend}"));
        }
    }
}

#[test]
fn padding_is_zeros_to_a_multiple_of_16() {
    let mut rng = SmallRng::seed_from_u64(3);
    for length in [0, 1, 15, 16, 17, 31, 32, 500, 512, 1000] {
        let (key, first, second) = (rng.random(), random(&mut rng, length), random(&mut rng, length / 2));
        let mut padded = first.clone();
        padded.resize(length.next_multiple_of(16), 0);
        padded.extend(&second);
        for backend in backends() {
            let mut mac = Poly1305::with_backend(&key, backend).unwrap();
            let (some, others) = first.split_at(length / 3);
            mac.update(some);
            mac.update_padded(others);
            mac.update_padded(b"");
            mac.update(&second);
            assert_eq!(mac.finalize(), independent(&key, &padded), "{length} bytes on {backend}");
        }
    }
}

/// Through the traits of `universal-hash`, as the crate.
#[test]
fn generic_code_gets_the_same() {
    fn hash<H: KeyInit + UniversalHash>(key: &[u8; 32], message: &[u8]) -> Vec<u8> {
        let mut hash = H::new_from_slice(key).unwrap();
        hash.update_padded(message);
        hash.finalize().to_vec()
    }
    let mut rng = SmallRng::seed_from_u64(4);
    for length in [0, 1, 16, 100, 1024, 5000] {
        let (key, message) = (rng.random(), random(&mut rng, length));
        assert_eq!(hash::<Poly1305>(&key, &message), hash::<poly1305::Poly1305>(&key, &message), "{length} bytes");
    }
}

#[test]
fn a_wrong_tag_is_an_error() {
    for backend in backends() {
        let mut mac = Poly1305::with_backend(&[7; 32], backend).unwrap();
        mac.update(&[1; 100]);
        let right = mac.clone().finalize();
        assert_eq!(mac.clone().verify(&right), Ok(()));
        for bit in 0..128 {
            let mut wrong = right;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(mac.clone().verify(&wrong), Err(WrongTag));
        }
    }
}

#[test]
fn what_is_not_to_be_had_is_an_error() {
    for &backend in Backend::ALL {
        let made = Poly1305::with_backend(&[0; 32], backend).map(drop);
        let expected = if backends().contains(&backend) { Ok(()) } else { Err(Unsupported(backend)) };
        assert_eq!(made, expected);
    }
}

/// The state is a secret.
#[test]
fn nothing_of_the_key_is_shown() {
    assert_eq!(format!("{:?}", Poly1305::new(&[7; 32])), "Poly1305 { .. }");
}
