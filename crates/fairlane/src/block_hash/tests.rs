//! SHA-256 by [`CompressionFunction`], as an example of what a hash of this kind takes; it is not part of the library.

use super::sha256_example::{Sha256, sha256};
use crate::{AnyToken, Backend, HashMany};
use digest::{Digest, FixedOutput, Update};

/// Around the block and where the padding takes a second one.
const LENGTHS: &[usize] = &[0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 1000, 4096, 10_001];

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * i + 7 * i + length) as u8).collect()
}

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.iter().copied().filter(|backend| Sha256::with_backend(*backend).is_ok())
}

#[test]
fn one_message() {
    assert_eq!(sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
    for &length in LENGTHS {
        let message = message(length);
        let expected = sha2::Sha256::digest(&message);
        assert_eq!(sha256(&message)[..], expected[..], "{length} bytes");
        for backend in backends() {
            let mut hasher = Sha256::with_backend(backend).unwrap();
            for piece in message.chunks(61) {
                Update::update(&mut hasher, piece);
            }
            assert_eq!(hasher.finalize_fixed()[..], expected[..], "{length} bytes on {backend}");
        }
    }
}

#[test]
fn many_messages() {
    assert!(AnyToken::best(<Sha256 as crate::hash_many::HashManyKernels>::BACKENDS).backend().is_available());
    for backend in backends() {
        for count in (0..=36).chain([64, 65, 500]) {
            let messages: Vec<_> = (0..count).map(|i| message(LENGTHS[i * 7 % LENGTHS.len()])).collect();
            let mut digests = vec![[0; 32]; count];
            Sha256::hash_many_with(backend, &messages, &mut digests).unwrap();
            for (message, digest) in messages.iter().zip(&digests) {
                assert_eq!(digest[..], sha2::Sha256::digest(message)[..], "{count} messages on {backend}");
            }
        }
    }
}
