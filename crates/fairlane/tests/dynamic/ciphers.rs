//! Stream ciphers.

use super::common::random_from;
use super::{assert_wrong_length, choices, missing};
use fairlane::chacha::{ChaCha8, ChaCha12, ChaCha20, XChaCha20};
use fairlane::cipher;
use fairlane::cipher::{KeyIvInit, StreamCipherSeek};
use fairlane::dynamic::{CipherAlgorithm, Error};
use fairlane::kalyna::{Ctr, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane::kusumi::Kusumi512;
use fairlane::sm4::Sm4Ctr;
use fairlane::threefish::Threefish512Ctr;

fn keystream<C: KeyIvInit + cipher::StreamCipher + StreamCipherSeek>(key: &[u8], iv: &[u8], position: u64) -> Vec<u8> {
    let mut cipher = C::new_from_slices(key, iv).unwrap();
    cipher.seek(position);
    let mut keystream = vec![0; 5000];
    cipher.apply_keystream(&mut keystream);
    keystream
}

#[test]
fn ciphers_are_those_of_the_types() {
    for &algorithm in CipherAlgorithm::ALL {
        let expected = match algorithm {
            CipherAlgorithm::XChaCha20 => keystream::<XChaCha20>,
            CipherAlgorithm::ChaCha20 => keystream::<ChaCha20>,
            CipherAlgorithm::ChaCha12 => keystream::<ChaCha12>,
            CipherAlgorithm::ChaCha8 => keystream::<ChaCha8>,
            CipherAlgorithm::Kusumi512 => keystream::<Kusumi512>,
            CipherAlgorithm::Sm4Ctr => keystream::<Sm4Ctr>,
            CipherAlgorithm::Threefish512Ctr => keystream::<Threefish512Ctr>,
            CipherAlgorithm::Kalyna128_128Ctr => keystream::<Ctr<Kalyna128_128>>,
            CipherAlgorithm::Kalyna128_256Ctr => keystream::<Ctr<Kalyna128_256>>,
            CipherAlgorithm::Kalyna256_256Ctr => keystream::<Ctr<Kalyna256_256>>,
            CipherAlgorithm::Kalyna256_512Ctr => keystream::<Ctr<Kalyna256_512>>,
            CipherAlgorithm::Kalyna512_512Ctr => keystream::<Ctr<Kalyna512_512>>,
            _ => panic!("{algorithm} is not tested"),
        };
        let (key, iv) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.iv_size()));
        for backend in choices(algorithm.backends()) {
            let mut cipher = algorithm.cipher(&key, &iv, backend).unwrap();
            assert_eq!((cipher.algorithm(), cipher.position()), (algorithm, Ok(0)));
            for position in [0, 1, 99, 1 << 20] {
                let expected = expected(&key, &iv, position);
                cipher.seek(position).unwrap();
                let mut data = vec![0; expected.len()];
                cipher.apply(&mut data[..777]).unwrap();
                let mut copy = cipher.clone();
                cipher.apply(&mut data[777..]).unwrap();
                assert_eq!(data, expected, "{algorithm} on {backend:?}");
                assert_eq!(cipher.position(), Ok(position + data.len() as u64));
                let (zeros, mut output) = (vec![0; data.len() - 777], vec![0xa5; data.len() - 777]);
                copy.apply_to(&zeros, &mut output).unwrap();
                assert_eq!(output, expected[777..], "{algorithm} on {backend:?}");
            }
        }
    }
}

#[test]
fn ciphers_refuse_wrong_lengths() {
    for &algorithm in CipherAlgorithm::ALL {
        let (key, iv) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.iv_size()));
        let unsupported = algorithm.cipher(&key, &iv, Some(missing(algorithm.backends())));
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        for wrong in [0, key.len() - 1, key.len() + 1] {
            assert_wrong_length(algorithm.cipher(&vec![0; wrong], &iv, None), key.len(), wrong);
        }
        for wrong in [0, iv.len() - 1, iv.len() + 1] {
            assert_wrong_length(algorithm.cipher(&key, &vec![0; wrong], None), iv.len(), wrong);
        }
        let mut cipher = algorithm.cipher(&key, &iv, None).unwrap();
        let mut output = [0xa5; 6];
        assert_wrong_length(cipher.apply_to(&[0; 5], &mut output), 5, 6);
        assert_eq!((output, cipher.position()), ([0xa5; 6], Ok(0)));
    }
    // 2^32 blocks of 64 bytes.
    let mut cipher = CipherAlgorithm::ChaCha20.cipher(&[7; 32], &[9; 12], None).unwrap();
    let end = 1 << 38;
    cipher.seek(end - 1).unwrap();
    let mut data = [0xa5; 2];
    assert_eq!(cipher.apply(&mut data), Err(Error::TooLong));
    assert_eq!((data, cipher.position()), ([0xa5; 2], Ok(end - 1)));
    cipher.apply(&mut data[..1]).unwrap();
    assert_eq!(cipher.apply(&mut data), Err(Error::TooLong));
    assert_eq!(cipher.seek(end + 1), Err(Error::TooLong));
}
