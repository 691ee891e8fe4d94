//! Algorithms by name: every one on every backend gives what its type gives, and bad input is an error.

mod common;

use common::{Promising, random_from};
use fairlane::aead::{AeadInOut, KeyInit};
use fairlane::chacha::{ChaCha8, ChaCha12, ChaCha20, ChaCha20Poly1305, XChaCha20, XChaCha20Poly1305};
use fairlane::cipher::{BlockModeEncrypt, KeyIvInit, StreamCipherSeek};
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::digest::{ExtendableOutput, FixedOutput, Update, XofReader};
use fairlane::dynamic::{AeadAlgorithm, BlockModeAlgorithm, CipherAlgorithm, Error, HashAlgorithm, KemAlgorithm};
use fairlane::kalyna::{
    CbcEncryptor, Ccm, Ctr, Gcm, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512, Xts,
};
use fairlane::keccak::{
    Keccak224, Keccak256, Keccak384, Keccak512, Kt128, Kt256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128,
    Shake256, TurboShake128, TurboShake256,
};
use fairlane::kusumi::{Kusumi512, Kusumi512Poly1305};
use fairlane::ml_kem::{DecapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet};
use fairlane::sm3::Sm3;
use fairlane::sm4::{Sm4Ccm, Sm4Ctr, Sm4Gcm};
use fairlane::threefish::Threefish512Ctr;
use fairlane::x_wing;
use fairlane::{Backend, cipher, sm4};
use std::mem::MaybeUninit;

/// Lengths of messages in bytes.
const LENGTHS: [usize; 8] = [0, 1, 15, 64, 136, 137, 1000, 20_000];

/// The best backend, and each of those that are available.
fn choices(backends: &'static [Backend]) -> impl Iterator<Item = Option<Backend>> {
    let here = backends.iter().copied().filter(|backend| backend.is_available());
    [None].into_iter().chain(here.map(Some))
}

/// A backend that an algorithm lacks.
fn missing(backends: &[Backend]) -> Backend {
    *Backend::ALL.iter().find(|backend| !backends.contains(backend)).expect("no algorithm has kernels for all backends")
}

fn assert_wrong_length<T>(result: Result<T, Error>, expected: usize, given: usize) {
    match result {
        Err(Error::WrongLength { expected: found, given: len, .. }) => assert_eq!((found, len), (expected, given)),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{given} bytes instead of {expected} were taken"),
    }
}

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

/// Encapsulation key, expanded decapsulation key, ciphertext and shared secret.
fn exchange<P: ParameterSet>(seeds: &[u8], m: &[u8]) -> [Vec<u8>; 4] {
    let key = DecapsulationKey::<P>::new(seeds.try_into().unwrap());
    let ek = key.encapsulation_key();
    let (ciphertext, secret) = ek.encapsulate_deterministic(m.try_into().unwrap());
    assert_eq!(key.decapsulate(&ciphertext), secret);
    [ek.as_bytes().to_vec(), key.to_expanded().to_vec(), ciphertext.to_vec(), secret.to_vec()]
}

/// The same of X-Wing, whose decapsulation key is its seed.
fn x_wing_exchange(seed: &[u8], randomness: &[u8]) -> [Vec<u8>; 4] {
    let key = x_wing::DecapsulationKey::new(seed.try_into().unwrap());
    let ek = key.encapsulation_key();
    let (ciphertext, secret) = ek.encapsulate_deterministic(randomness.try_into().unwrap());
    [ek.as_bytes().to_vec(), seed.to_vec(), ciphertext.to_vec(), secret.to_vec()]
}

#[test]
fn kems_are_those_of_the_types() {
    for &algorithm in KemAlgorithm::ALL {
        let (seeds, m) = (random_from(1, algorithm.seeds_size()), random_from(2, algorithm.randomness_size()));
        assert!(seeds.len() <= KemAlgorithm::MAX_SEEDS_SIZE && m.len() <= KemAlgorithm::MAX_RANDOMNESS_SIZE);
        let [ek, dk, ciphertext, secret] = match algorithm {
            KemAlgorithm::MlKem512 => exchange::<MlKem512>(&seeds, &m),
            KemAlgorithm::MlKem768 => exchange::<MlKem768>(&seeds, &m),
            KemAlgorithm::MlKem1024 => exchange::<MlKem1024>(&seeds, &m),
            KemAlgorithm::XWing => x_wing_exchange(&seeds, &m),
            KemAlgorithm::Clwe512 => exchange::<Clwe512>(&seeds, &m),
            KemAlgorithm::Clwe768 => exchange::<Clwe768>(&seeds, &m),
            KemAlgorithm::Clwe1024 => exchange::<Clwe1024>(&seeds, &m),
            _ => panic!("{algorithm} is not tested"),
        };
        assert_eq!((ek.len(), dk.len()), (algorithm.encapsulation_key_size(), algorithm.expanded_size()));
        assert_eq!((ciphertext.len(), secret.len()), (algorithm.ciphertext_size(), KemAlgorithm::SHARED_SECRET_SIZE));
        for backend in choices(algorithm.backends()) {
            let key = algorithm.encapsulation_key_from_bytes(&ek, backend).unwrap();
            for key in [key.prepare(), key.prepare().prepare(), key.clone(), key] {
                assert_eq!((key.algorithm(), key.as_bytes()), (algorithm, &ek[..]));
                let (mut sent, mut shared) = (vec![0; ciphertext.len()], vec![0; secret.len()]);
                key.encapsulate(&m, &mut sent, &mut shared).unwrap();
                assert!(sent == ciphertext && shared == secret, "{algorithm} on {backend:?}");
            }
            let from_seeds = algorithm.decapsulation_key_from_seeds(&seeds, backend).unwrap();
            let from_expanded = algorithm.decapsulation_key_from_expanded(&dk, backend).unwrap();
            for key in [from_seeds.prepare(), from_expanded.prepare(), from_seeds.clone(), from_seeds, from_expanded] {
                assert_eq!((key.algorithm(), key.encapsulation_key()), (algorithm, &ek[..]));
                let (mut expanded, mut shared) = (vec![0; dk.len()], vec![0; secret.len()]);
                key.write_expanded(&mut expanded).unwrap();
                key.decapsulate(&ciphertext, &mut shared).unwrap();
                assert!(expanded == dk && shared == secret, "{algorithm} on {backend:?}");
            }
        }
    }
}

#[test]
fn batches_of_kems_are_one_by_one() {
    for &algorithm in KemAlgorithm::ALL {
        let (seeds, size) = (random_from(1, 19 * algorithm.seeds_size()), algorithm.randomness_size());
        for backend in choices(algorithm.backends()) {
            let mut own = algorithm.generate_many(&seeds, backend).unwrap();
            assert_eq!(own.len(), 19);
            for (key, seeds) in own.iter().zip(seeds.chunks(algorithm.seeds_size())) {
                let alone = algorithm.decapsulation_key_from_seeds(seeds, backend).unwrap();
                assert_eq!((key.algorithm(), key.encapsulation_key()), (algorithm, alone.encapsulation_key()));
            }
            let mut keys: Vec<_> = own
                .iter()
                .map(|key| algorithm.encapsulation_key_from_bytes(key.encapsulation_key(), backend).unwrap())
                .collect();
            for (sender, receiver) in [(0, 1), (4, 6), (5, 7), (18, 17)] {
                keys[sender] = keys[sender].prepare();
                own[receiver] = own[receiver].prepare();
            }
            for count in [0, 1, 4, 19] {
                let m = random_from(2, size * count);
                let (mut sent, mut shared) = (vec![0; count * algorithm.ciphertext_size()], vec![0; 32 * count]);
                let slice: Vec<_> = keys.iter().take(count).map(|key| &**key).collect();
                algorithm.encapsulate_many(&slice, &m, &mut sent, &mut shared).unwrap();
                for (i, key) in slice.iter().enumerate() {
                    let (mut ciphertext, mut secret) = (vec![0; algorithm.ciphertext_size()], [0; 32]);
                    key.encapsulate(&m[size * i..][..size], &mut ciphertext, &mut secret).unwrap();
                    assert!(sent[ciphertext.len() * i..].starts_with(&ciphertext));
                    assert!(shared[32 * i..].starts_with(&secret));
                }
                let mut received = vec![0; 32 * count];
                let slice: Vec<_> = own.iter().take(count).map(|key| &**key).collect();
                algorithm.decapsulate_many(&slice, &sent, &mut received).unwrap();
                assert_eq!(received, shared, "{algorithm} on {backend:?}");
            }
        }
    }
}

#[test]
fn batches_of_kems_refuse_bad_input() {
    for &algorithm in KemAlgorithm::ALL {
        let backend = Some(missing(algorithm.backends()));
        for seeds in [vec![], vec![0; algorithm.seeds_size()]] {
            let made = algorithm.generate_many(&seeds, backend);
            assert!(matches!(made, Err(Error::Unsupported(_))), "{} bytes of seeds, {algorithm}", seeds.len());
        }
    }
    let algorithm = KemAlgorithm::MlKem512;
    assert_wrong_length(algorithm.generate_many(&[0; 65], None), 128, 65);
    let own = algorithm.generate_many(&[7; 128], None).unwrap();
    let key = algorithm.encapsulation_key_from_bytes(own[0].encapsulation_key(), None).unwrap();
    let (keys, own) = ([&*key, &*key], [&*own[0], &*own[1]]);
    for (m, ciphertexts, secrets) in [(63, 1536, 64), (64, 1535, 64), (64, 1536, 65)] {
        let (mut sent, mut shared) = (vec![0xa5; ciphertexts], vec![0xa5; secrets]);
        let result = algorithm.encapsulate_many(&keys, &vec![0; m], &mut sent, &mut shared);
        assert!(matches!(result, Err(Error::WrongLength { .. })));
        if m == 64 {
            let result = algorithm.decapsulate_many(&own, &sent, &mut shared);
            assert!(matches!(result, Err(Error::WrongLength { .. })));
        }
        assert_eq!((sent, shared), (vec![0xa5; ciphertexts], vec![0xa5; secrets]));
    }
    let other = KemAlgorithm::Clwe512;
    let (mut sent, mut shared) = (vec![0xa5; 2 * other.ciphertext_size()], [0xa5; 64]);
    assert_eq!(other.encapsulate_many(&keys, &[0; 64], &mut sent, &mut shared), Err(Error::OtherAlgorithm));
    assert_eq!(other.decapsulate_many(&own, &sent, &mut shared), Err(Error::OtherAlgorithm));
    assert!(sent.iter().chain(&shared).all(|&byte| byte == 0xa5));
}

#[test]
fn kems_refuse_bad_input() {
    for &algorithm in KemAlgorithm::ALL {
        let (size, random) = (algorithm.seeds_size(), algorithm.randomness_size());
        let (seeds, backend) = (random_from(1, size), Some(missing(algorithm.backends())));
        let own = algorithm.decapsulation_key_from_seeds(&seeds, None).unwrap();
        let mut ek = own.encapsulation_key().to_vec();
        let mut dk = vec![0; algorithm.expanded_size()];
        for wrong in [0, dk.len() - 1, dk.len() + 1] {
            assert_wrong_length(own.write_expanded(&mut vec![0; wrong]), dk.len(), wrong);
            let result = algorithm.decapsulation_key_from_expanded(&vec![0; wrong], None);
            assert_wrong_length(result, dk.len(), wrong);
        }
        own.write_expanded(&mut dk).unwrap();
        for wrong in [0, size - 1, size + 1] {
            assert_wrong_length(algorithm.decapsulation_key_from_seeds(&vec![0; wrong], None), size, wrong);
        }
        for wrong in [0, ek.len() - 1, ek.len() + 1] {
            assert_wrong_length(algorithm.encapsulation_key_from_bytes(&vec![0; wrong], None), ek.len(), wrong);
        }
        let unsupported = algorithm.encapsulation_key_from_bytes(&ek, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        let unsupported = algorithm.decapsulation_key_from_seeds(&seeds, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        let unsupported = algorithm.decapsulation_key_from_expanded(&dk, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));

        let sent = algorithm.encapsulation_key_from_bytes(&ek, None).unwrap();
        let size = algorithm.ciphertext_size();
        let wrong = [(random - 1, size, 32), (random + 1, size, 32), (random, size - 1, 32), (random, size + 1, 32)];
        for (m, ciphertext, secret) in
            wrong.into_iter().chain([(random, size, 0), (random, size, 31), (random, size, 33)])
        {
            let (mut sealed, mut shared) = (vec![0xa5; ciphertext], vec![0xa5; secret]);
            let result = sent.encapsulate(&vec![0; m], &mut sealed, &mut shared);
            assert!(matches!(result, Err(Error::WrongLength { .. })));
            if (ciphertext, secret) != (size, 32) {
                let result = own.decapsulate(&sealed, &mut shared);
                assert!(matches!(result, Err(Error::WrongLength { .. })));
            }
            assert_eq!((sealed, shared), (vec![0xa5; ciphertext], vec![0xa5; secret]));
        }

        // Any 32 bytes are a key of X-Wing.
        if algorithm != KemAlgorithm::XWing {
            dk[0] ^= 1;
            dk[algorithm.expanded_size() - 33] ^= 1;
            assert_eq!(algorithm.decapsulation_key_from_expanded(&dk, None).unwrap_err(), Error::InvalidKey);
        }
        ek[..2].fill(0xff);
        assert_eq!(algorithm.encapsulation_key_from_bytes(&ek, None).unwrap_err(), Error::InvalidKey);
    }
}

#[test]
fn names_lead_to_algorithms_and_back() {
    for &algorithm in HashAlgorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        assert!(!algorithm.description().is_empty() && algorithm.block_size() > 0);
    }
    assert!(AeadAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert!(CipherAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert!(KemAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert_eq!(KemAlgorithm::default(), KemAlgorithm::ALL[0]);

    let error = "ML-KEM-768\n".parse::<KemAlgorithm>().unwrap_err();
    let known = "ml-kem-768, ml-kem-512, ml-kem-1024, x-wing, clwe-512, clwe-768, clwe-1024";
    assert_eq!(error.to_string(), format!(r"no KEM is called 'ML-KEM-768\n'; there are {known}"));
    assert_eq!((error.name(), error.known().join(", ").as_str()), ("ML-KEM-768\n", known));
    assert!("".parse::<HashAlgorithm>().is_err() && "sha3".parse::<HashAlgorithm>().is_err());
    assert!("aes-gcm".parse::<AeadAlgorithm>().is_err() && "chacha".parse::<CipherAlgorithm>().is_err());
}

#[test]
fn errors_say_what_is_wrong() {
    let unknown = "sm5".parse::<CipherAlgorithm>().unwrap_err();
    let message = unknown.to_string();
    let errors = [
        (Error::from(unknown), message.as_str()),
        (
            Error::WrongLength { what: "key", expected: 32, given: 31 },
            "the length of the key is 31 bytes instead of 32",
        ),
        (Error::WrongCount { messages: 1, outputs: 3 }, "1 messages, but 3 outputs"),
        (Error::InvalidKey, "the bytes are no key of this algorithm"),
        (Error::AuthenticationFailed, "the tag is not that of the message"),
        (Error::TooLong, "longer than the algorithm is defined for"),
        (Error::Empty, "the algorithm is not defined for empty messages"),
        (Error::TooShort { at_least: 16, given: 3 }, "the message has 3 bytes; it needs 16"),
        (Error::NotWholeBlocks { block: 16, given: 17 }, "the message has 17 bytes, which are not whole blocks of 16"),
        (Error::OtherAlgorithm, "a key is of another algorithm"),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
    }
    let backend = missing(HashAlgorithm::ALL[0].backends());
    let unsupported = HashAlgorithm::ALL[0].hasher(Some(backend)).expect_err("no kernel for it");
    assert!(unsupported.to_string().contains(backend.name()), "{unsupported}");
}

#[test]
fn objects_in_memory_of_the_caller_are_those_of_the_heap() {
    let bytes: Vec<u8> = (0..64).collect();
    let mut memory = vec![MaybeUninit::uninit(); 8192];
    // At several addresses, each with as much memory as is needed and with too little.
    for at in [0, 1, 7, 8, 16, 33] {
        for &algorithm in AeadAlgorithm::ALL {
            let (key, nonce) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.nonce_size()]);
            let size = algorithm.memory_size();
            let [mut here, mut there] = [(); 2].map(|()| vec![0; 50 + algorithm.tag_size()]);
            let aead = algorithm.aead_in(key, None, &mut memory[at..][..size]).unwrap();
            assert_eq!(aead.algorithm(), algorithm);
            aead.seal(nonce, b"header", &[7; 50], &mut here).unwrap();
            algorithm.aead(key, None).unwrap().seal(nonce, b"header", &[7; 50], &mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            drop(aead);
            assert_wrong_length(algorithm.aead_in(key, None, &mut memory[at..][..9]), size, 9);
            assert!(algorithm.aead_in(&bytes[1..][..key.len() - 1], None, &mut memory).is_err());
        }
        for &algorithm in CipherAlgorithm::ALL {
            let (key, iv) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.iv_size()]);
            let size = algorithm.memory_size();
            let (mut here, mut there) = ([7; 50], [7; 50]);
            let mut cipher = algorithm.cipher_in(key, iv, None, &mut memory[at..][..size]).unwrap();
            cipher.apply(&mut here).unwrap();
            algorithm.cipher(key, iv, None).unwrap().apply(&mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            assert_eq!(cipher.position(), Ok(50));
            drop(cipher);
            assert_wrong_length(algorithm.cipher_in(key, iv, None, &mut memory[at..][..9]), size, 9);
        }
        for &algorithm in BlockModeAlgorithm::ALL {
            let (key, iv) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.iv_size()]);
            let size = algorithm.memory_size();
            let (mut here, mut there) = ([7; 128], [7; 128]);
            let mode = algorithm.mode_in(key, None, &mut memory[at..][..size]).unwrap();
            mode.encrypt_in_place(iv, &mut here).unwrap();
            algorithm.mode(key, None).unwrap().encrypt_in_place(iv, &mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            drop(mode);
            assert_wrong_length(algorithm.mode_in(key, None, &mut memory[at..][..9]), size, 9);
        }
    }
}
