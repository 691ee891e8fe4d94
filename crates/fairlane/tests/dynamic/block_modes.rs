//! Block modes.

use super::common::random_from;
use super::{assert_wrong_length, choices, missing};
use fairlane::aead::KeyInit;
use fairlane::cipher::{BlockModeEncrypt, KeyIvInit};
use fairlane::dynamic::{BlockModeAlgorithm, Error};
use fairlane::kalyna::{CbcEncryptor, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512, Xts};
use fairlane::{cipher, sm4};

/// ECB or CBC with a cipher's own types, or XTS.
fn mode<C: fairlane::kalyna::Kalyna>(kind: &str, key: &[u8], iv: &[u8], data: &mut [u8]) {
    match kind {
        "ecb" => blocks_of::<fairlane::kalyna::hazmat::EcbEncryptor<C>>(KeyInit::new_from_slice(key).unwrap(), data),
        "cbc" => blocks_of(CbcEncryptor::<C>::new_from_slices(key, iv).unwrap(), data),
        _ => Xts::<C>::new_from_slice(key).unwrap().encrypt(iv.try_into().unwrap(), data.into()).unwrap(),
    }
}

fn blocks_of<M: BlockModeEncrypt>(mut mode: M, data: &mut [u8]) {
    let (blocks, rest) = cipher::InOutBuf::from(data).into_chunks();
    assert!(rest.is_empty());
    mode.encrypt_blocks_inout(blocks);
}

#[test]
fn block_modes_are_those_of_the_types() {
    for &algorithm in BlockModeAlgorithm::ALL {
        let (key, iv) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.iv_size()));
        let (cipher, kind) = algorithm.name().rsplit_once('-').unwrap();
        let expected = |data: &mut [u8]| match (cipher, kind) {
            ("kalyna128-128", _) => mode::<Kalyna128_128>(kind, &key, &iv, data),
            ("kalyna128-256", _) => mode::<Kalyna128_256>(kind, &key, &iv, data),
            ("kalyna256-256", _) => mode::<Kalyna256_256>(kind, &key, &iv, data),
            ("kalyna256-512", _) => mode::<Kalyna256_512>(kind, &key, &iv, data),
            ("kalyna512-512", _) => mode::<Kalyna512_512>(kind, &key, &iv, data),
            ("sm4", "ecb") => blocks_of(sm4::hazmat::EcbEncryptor::new_from_slice(&key).unwrap(), data),
            ("sm4", "cbc") => blocks_of(sm4::CbcEncryptor::new_from_slices(&key, &iv).unwrap(), data),
            ("sm4", "xts") => {
                let xts = sm4::Sm4Xts::new(key[..].try_into().unwrap()).unwrap();
                xts.encrypt(iv[..].try_into().unwrap(), data.into()).unwrap();
            }
            ("sm4-xts", "gb") => {
                let xts = sm4::Sm4XtsGb::new(key[..].try_into().unwrap()).unwrap();
                xts.encrypt(iv[..].try_into().unwrap(), data.into()).unwrap();
            }
            _ => panic!("{algorithm} is not tested"),
        };
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        let block = algorithm.block_size();
        for backend in choices(algorithm.backends()) {
            let mode = algorithm.mode(&key, backend).unwrap().clone();
            assert_eq!(mode.algorithm(), algorithm);
            for length in [0, block, block + 1, 2 * block, 10 * block, 10 * block + 7, 5000, 64 * block] {
                let plaintext = random_from(length, length);
                let mut output = vec![0xa5; length];
                let wrong = if algorithm.whole_blocks() { length % block != 0 } else { length < block };
                if wrong {
                    let error = mode.encrypt(&iv, &plaintext, &mut output).unwrap_err();
                    assert!(matches!(error, Error::NotWholeBlocks { .. } | Error::TooShort { .. }), "{error}");
                    assert_eq!(mode.decrypt_in_place(&iv, &mut output), Err(error));
                    assert_eq!(output, vec![0xa5; length]);
                    continue;
                }
                let mut ciphertext = plaintext.clone();
                expected(&mut ciphertext);
                mode.encrypt(&iv, &plaintext, &mut output).unwrap();
                assert_eq!(output, ciphertext, "{algorithm} on {backend:?}");
                mode.decrypt(&iv, &ciphertext, &mut output).unwrap();
                assert_eq!(output, plaintext, "{algorithm} on {backend:?}");
                mode.encrypt_in_place(&iv, &mut output).unwrap();
                assert_eq!(output, ciphertext);
                mode.decrypt_in_place(&iv, &mut output).unwrap();
                assert_eq!(output, plaintext);
            }
        }
    }
}

#[test]
fn block_modes_refuse_bad_input() {
    for &algorithm in BlockModeAlgorithm::ALL {
        let (key, iv) = (random_from(1, algorithm.key_size()), random_from(2, algorithm.iv_size()));
        let unsupported = algorithm.mode(&key, Some(missing(algorithm.backends())));
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        for wrong in [0, key.len() - 1, key.len() + 1] {
            assert_wrong_length(algorithm.mode(&vec![0; wrong], None), key.len(), wrong);
        }
        let mode = algorithm.mode(&key, None).unwrap();
        let (data, mut output) = (vec![7; 128], vec![0xa5; 128]);
        assert_wrong_length(mode.encrypt(&vec![0; iv.len() + 1], &data, &mut output), iv.len(), iv.len() + 1);
        assert_wrong_length(mode.decrypt(&iv, &data, &mut output[1..]), 128, 127);
        assert_eq!(output, vec![0xa5; 128]);
    }
    let equal = BlockModeAlgorithm::Sm4Xts.mode(&[7; 32], None);
    assert_eq!(equal.unwrap_err(), Error::InvalidKey);
    let xts = BlockModeAlgorithm::Sm4XtsGb.mode(&random_from(1, 32), None).unwrap();
    assert_eq!(xts.encrypt_in_place(&[0; 16], &mut vec![0; (16 << 20) + 1]), Err(Error::TooLong));
}
