//! AEADs.

use super::common::random_from;
use super::{LENGTHS, assert_wrong_length, choices, missing};
use fairlane::aead::{AeadInOut, KeyInit};
use fairlane::chacha::{ChaCha20Poly1305, XChaCha20Poly1305};
use fairlane::dynamic::{AeadAlgorithm, Error};
use fairlane::kalyna::{Ccm, Gcm, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane::kusumi::Kusumi512Poly1305;
use fairlane::sm4::{Sm4Ccm, Sm4Gcm};

/// Ciphertext and tag; `None` if the AEAD does not take the message.
fn sealed<A: AeadInOut + KeyInit>(key: &[u8], nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> Option<Vec<u8>> {
    let mut data = plaintext.to_vec();
    let aead = A::new_from_slice(key).unwrap();
    let tag = aead.encrypt_inout_detached(nonce.try_into().unwrap(), aad, data.as_mut_slice().into()).ok()?;
    data.extend_from_slice(&tag);
    Some(data)
}

#[test]
fn aeads_are_those_of_the_types() {
    for &algorithm in AeadAlgorithm::ALL {
        let expected = match algorithm {
            AeadAlgorithm::XChaCha20Poly1305 => sealed::<XChaCha20Poly1305>,
            AeadAlgorithm::ChaCha20Poly1305 => sealed::<ChaCha20Poly1305>,
            AeadAlgorithm::Kusumi512Poly1305 => sealed::<Kusumi512Poly1305>,
            AeadAlgorithm::Sm4Gcm => sealed::<Sm4Gcm>,
            AeadAlgorithm::Sm4Ccm => sealed::<Sm4Ccm>,
            AeadAlgorithm::Kalyna128_128Gcm => sealed::<Gcm<Kalyna128_128>>,
            AeadAlgorithm::Kalyna128_256Gcm => sealed::<Gcm<Kalyna128_256>>,
            AeadAlgorithm::Kalyna256_256Gcm => sealed::<Gcm<Kalyna256_256>>,
            AeadAlgorithm::Kalyna256_512Gcm => sealed::<Gcm<Kalyna256_512>>,
            AeadAlgorithm::Kalyna512_512Gcm => sealed::<Gcm<Kalyna512_512>>,
            AeadAlgorithm::Kalyna128_128Ccm => sealed::<Ccm<Kalyna128_128>>,
            AeadAlgorithm::Kalyna128_256Ccm => sealed::<Ccm<Kalyna128_256>>,
            AeadAlgorithm::Kalyna256_256Ccm => sealed::<Ccm<Kalyna256_256>>,
            AeadAlgorithm::Kalyna256_512Ccm => sealed::<Ccm<Kalyna256_512>>,
            AeadAlgorithm::Kalyna512_512Ccm => sealed::<Ccm<Kalyna512_512>>,
            _ => panic!("{algorithm} is not tested"),
        };
        let (key, nonce) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.nonce_size()));
        let tag_size = algorithm.tag_size();
        for backend in choices(algorithm.backends()) {
            let aead = algorithm.aead(&key, backend).unwrap().clone();
            assert_eq!(aead.algorithm(), algorithm);
            for length in LENGTHS {
                let (plaintext, aad) = (random_from(length, length), random_from(3, length % 50));
                let mut output = vec![0xa5; length + tag_size];
                let result = aead.seal(&nonce, &aad, &plaintext, &mut output);
                let Some(expected) = expected(&key, &nonce, &aad, &plaintext) else {
                    assert_eq!((length, result), (0, Err(Error::Empty)));
                    assert_eq!(output, vec![0xa5; tag_size]);
                    continue;
                };
                result.unwrap();
                assert_eq!(output, expected, "{algorithm} on {backend:?}");
                let mut opened = vec![0xa5; length];
                aead.open(&nonce, &aad, &output, &mut opened).unwrap();
                assert_eq!(opened, plaintext);

                let (mut data, mut tag) = (plaintext.clone(), vec![0; tag_size]);
                aead.seal_in_place(&nonce, &aad, &mut data, &mut tag).unwrap();
                assert_eq!([&data[..], &tag].concat(), expected);
                tag[0] ^= 1;
                let ciphertext = data.clone();
                assert_eq!(aead.open_in_place(&nonce, &aad, &mut data, &tag), Err(Error::AuthenticationFailed));
                assert_eq!(data, ciphertext);
                tag[0] ^= 1;
                aead.open_in_place(&nonce, &aad, &mut data, &tag).unwrap();
                assert_eq!(data, plaintext);

                output[length] ^= 1;
                opened.fill(0xa5);
                assert_eq!(aead.open(&nonce, &aad, &output, &mut opened), Err(Error::AuthenticationFailed));
                assert_eq!(opened, vec![0xa5; length]);
            }
        }
    }
}

#[test]
fn aeads_refuse_wrong_lengths() {
    for &algorithm in AeadAlgorithm::ALL {
        let (key, nonce) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.nonce_size()));
        let unsupported = algorithm.aead(&key, Some(missing(algorithm.backends())));
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        for wrong in [0, key.len() - 1, key.len() + 1] {
            assert_wrong_length(algorithm.aead(&vec![0; wrong], None), key.len(), wrong);
        }
        let aead = algorithm.aead(&key, None).unwrap();
        let (tag_size, plaintext) = (algorithm.tag_size(), [7; 20]);
        let sealed_size = plaintext.len() + tag_size;
        let mut data = plaintext;
        for wrong in [0, nonce.len() - 1, nonce.len() + 1] {
            let (nonce, expected) = (vec![0; wrong], nonce.len());
            let (mut sealed, mut tag) = (vec![0; sealed_size], vec![0; tag_size]);
            assert_wrong_length(aead.seal(&nonce, b"", &plaintext, &mut sealed), expected, wrong);
            assert_wrong_length(aead.open(&nonce, b"", &sealed, &mut data), expected, wrong);
            assert_wrong_length(aead.seal_in_place(&nonce, b"", &mut data, &mut tag), expected, wrong);
            assert_wrong_length(aead.open_in_place(&nonce, b"", &mut data, &tag), expected, wrong);
        }
        for wrong in [0, plaintext.len(), sealed_size - 1, sealed_size + 1] {
            let mut sealed = vec![0; wrong];
            assert_wrong_length(aead.seal(&nonce, b"", &plaintext, &mut sealed), sealed_size, wrong);
            assert_wrong_length(aead.open(&nonce, b"", &sealed, &mut data), sealed_size, wrong);
            assert_eq!(sealed, vec![0; wrong]);
        }
        for wrong in [0, tag_size - 1, tag_size + 1] {
            let mut tag = vec![0; wrong];
            assert_wrong_length(aead.seal_in_place(&nonce, b"", &mut data, &mut tag), tag_size, wrong);
            assert_wrong_length(aead.open_in_place(&nonce, b"", &mut data, &tag), tag_size, wrong);
        }
        assert_eq!(data, plaintext);
    }
}
