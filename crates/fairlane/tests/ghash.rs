//! GHASH on every backend that this machine has: known answers, the reference, an independent crate, blocks in pieces,
//! and keys and blocks whose products are full or nearly empty.

mod common;

use common::random;
use fairlane::ghash::GHash;
use fairlane::universal_hash::common::Reset;
use fairlane::universal_hash::{KeyInit, UniversalHash};
use fairlane::{Backend, Unsupported};
use fairlane_reference::ghash::ghash as reference;
use fairlane_vectors as vectors;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

fn backends() -> Vec<Backend> {
    common::backends("ghash")
}

fn hash(mut ghash: impl UniversalHash, data: &[u8]) -> Vec<u8> {
    ghash.update_padded(data);
    ghash.finalize().to_vec()
}

fn ours(backend: Backend, h: &[u8; 16], data: &[u8]) -> Vec<u8> {
    hash(GHash::with_backend(h, backend).unwrap(), data)
}

/// The crate `ghash`.
fn independent(h: &[u8; 16], data: &[u8]) -> Vec<u8> {
    hash(ghash::GHash::new(h.into()), data)
}

#[test]
fn known_answers() {
    let cases = vectors::load("ghash.json");
    assert!(cases.len() > 3);
    for backend in backends() {
        for case in &cases {
            assert_eq!(case.function, "ghash");
            case.check(&ours(backend, case.key[..].try_into().unwrap(), &case.message));
        }
    }
}

/// Every number of blocks to beyond four groups, and longer ones.
#[test]
fn agrees_with_the_reference_and_the_crate() {
    let mut rng = SmallRng::seed_from_u64(1);
    for blocks in (0..=70).chain([127, 128, 129, 255, 256, 257, 1000, 1024, 4099]) {
        let (h, data) = (rng.random(), random(&mut rng, 16 * blocks));
        let expected = independent(&h, &data);
        assert_eq!(reference(&h, &data)[..], expected, "{blocks} blocks");
        for backend in backends() {
            assert_eq!(ours(backend, &h, &data), expected, "{blocks} blocks on {backend}");
        }
    }
}

/// One bit, all bits or none, in the key and in the data.
#[test]
fn products_full_and_sparse() {
    let one_bit = (0..128).map(|bit| 1_u128 << bit);
    for h in one_bit.chain([0, u128::MAX, u128::MAX << 64, u128::MAX >> 64]) {
        let h = h.to_le_bytes();
        for fill in [0xff, 0, 0x80, 0x01] {
            let data = [fill; 16 * 37];
            for length in [16, 16 * 16, 16 * 19, 16 * 20, 16 * 37] {
                let expected = independent(&h, &data[..length]);
                for backend in backends() {
                    assert_eq!(ours(backend, &h, &data[..length]), expected, "{h:02x?} {fill:#x} {length} {backend}");
                }
            }
        }
    }
}

#[test]
fn padding_is_zeros_to_a_multiple_of_16() {
    let mut rng = SmallRng::seed_from_u64(2);
    for length in [0, 1, 15, 16, 17, 31, 33, 300, 500, 1000] {
        let (h, first, second) = (rng.random(), random(&mut rng, length), random(&mut rng, length / 2));
        let mut padded = first.clone();
        padded.resize(length.next_multiple_of(16), 0);
        padded.extend(&second);
        for backend in backends() {
            let mut ghash = GHash::with_backend(&h, backend).unwrap();
            ghash.update_padded(&first);
            ghash.update_padded(b"");
            ghash.update_padded(&second);
            assert_eq!(ghash.finalize().to_vec(), independent(&h, &padded), "{length} bytes on {backend}");
        }
    }
}

#[test]
fn pieces_of_any_number_of_blocks_are_the_same() {
    let mut rng = SmallRng::seed_from_u64(3);
    for round in 0..200 {
        let most = [2, 20, 80][round % 3];
        let (h, length) = (rng.random(), 16 * rng.random_range(0..300));
        let data = random(&mut rng, length);
        for backend in backends() {
            let mut ghash = GHash::with_backend(&h, backend).unwrap();
            let mut rest = &data[..];
            while !rest.is_empty() {
                let (piece, next) = rest.split_at(rest.len().min(16 * rng.random_range(0..=most)));
                if round % 2 == 0 {
                    ghash.update_padded(piece);
                } else {
                    let (blocks, _) = piece.as_chunks::<16>();
                    blocks.iter().for_each(|block| ghash.update(&[(*block).into()]));
                }
                rest = next;
            }
            ghash.verify(independent(&h, &data)[..].try_into().unwrap()).unwrap();
        }
    }
}

/// A key is good for any number of messages.
#[test]
fn reset_keeps_the_key() {
    for backend in backends() {
        let mut ghash = GHash::with_backend(&[7; 16], backend).unwrap();
        ghash.update_padded(b"another message");
        ghash.reset();
        assert_eq!(hash(ghash, b"a message"), independent(&[7; 16], b"a message"));
    }
}

#[test]
fn what_is_not_to_be_had_is_an_error() {
    for &backend in Backend::ALL {
        let made = GHash::with_backend(&[0; 16], backend).map(drop);
        let expected = if backends().contains(&backend) { Ok(()) } else { Err(Unsupported(backend)) };
        assert_eq!(made, expected);
    }
}

/// The state is a secret.
#[test]
fn nothing_of_the_key_is_shown() {
    assert_eq!(format!("{:?}", GHash::new(&[7; 16].into())), "GHash { .. }");
}
