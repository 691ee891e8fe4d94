//! CBC, of one message and of many at once.

use super::{backends, check, counts, not_here, random, rng, vectors};
use fairlane::Unsupported;
use fairlane::cipher::block_padding::{NoPadding, Pkcs7};
use fairlane::cipher::{
    AlgorithmName, Array, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, IvState, KeyInit, KeyIvInit,
};
use fairlane::sm4::cbc::{EncryptManyError, Message, encrypt_many, encrypt_many_b2b, encrypt_many_inout};
use fairlane::sm4::{CbcDecryptor, CbcEncryptor, Sm4};
use fairlane_reference::sm4 as reference;
use rand::{RngExt, seq::SliceRandom};
use std::fmt;

#[test]
fn known_answers() {
    for case in vectors::load_ciphers("sm4_cbc.json") {
        assert_eq!(case.function, "sm4-cbc");
        let (key, iv) = (case.key[..].try_into().unwrap(), case.nonce[..].try_into().unwrap());
        for backend in backends() {
            let mut data = case.plaintext.clone();
            let (blocks, _) = Array::slice_as_chunks_mut(&mut data);
            CbcEncryptor::with_backend(key, iv, backend).unwrap().encrypt_blocks(blocks);
            case.check(&data);
            let (blocks, _) = Array::slice_as_chunks_mut(&mut data);
            CbcDecryptor::with_backend(key, iv, backend).unwrap().decrypt_blocks(blocks);
            assert!(data == case.plaintext, "decryption on {backend}, {case}");
        }
    }
}

#[test]
fn takes_any_number_of_blocks_in_any_pieces() {
    for count in counts() {
        let mut rng = rng(count);
        let (key, iv): ([u8; 16], [u8; 16]) = (rng.random(), rng.random());
        let plain = random(&mut rng, 16 * count);
        let mut expected = plain.clone();
        reference::cbc_encrypt(&key, &iv, &mut expected);
        let last = expected.last_chunk().copied().unwrap_or(iv);

        for backend in backends() {
            let context = format!("{backend}, {count} blocks");
            let encryptor = CbcEncryptor::with_backend(&key.into(), &iv.into(), backend).unwrap();
            let decryptor = CbcDecryptor::with_backend(&key.into(), &iv.into(), backend).unwrap();
            assert_eq!((encryptor.iv_state(), decryptor.iv_state()), (iv.into(), iv.into()));
            // All at once, block by block, and in any pieces.
            for longest in [usize::MAX, 1, 3, 100] {
                check(&context, &plain, &expected, |data| {
                    let mut encryptor = encryptor.clone();
                    in_pieces(data, longest, |piece| encryptor.encrypt_blocks_inout(piece.into_chunks().0));
                    assert_eq!(encryptor.iv_state(), last);
                });
                check(&context, &expected, &plain, |data| {
                    let mut decryptor = decryptor.clone();
                    in_pieces(data, longest, |piece| decryptor.decrypt_blocks_inout(piece.into_chunks().0));
                    assert_eq!(decryptor.iv_state(), last);
                });
            }
        }
    }
}

/// Up to `longest` blocks at a time; all of them if that is [`usize::MAX`].
fn in_pieces(data: InOutBuf<'_, '_, u8>, longest: usize, mut run: impl FnMut(InOutBuf<'_, '_, u8>)) {
    let (mut rng, mut data) = (rng(data.len()), data);
    while !data.is_empty() {
        let blocks = data.len() / 16;
        let piece = if longest == usize::MAX { blocks } else { rng.random_range(0..=longest.min(blocks)) };
        let (now, rest) = data.split_at(16 * piece);
        run(now);
        data = rest;
    }
}

#[test]
fn block_by_block() {
    for backend in backends() {
        let (key, iv) = ([7; 16].into(), [1; 16].into());
        let mut encryptor = CbcEncryptor::with_backend(&key, &iv, backend).unwrap();
        let mut decryptor = CbcDecryptor::with_backend(&key, &iv, backend).unwrap();
        let mut expected = [3; 16 * 20];
        reference::cbc_encrypt(&key.into(), &iv.into(), &mut expected);
        for ciphertext in expected.as_chunks::<16>().0 {
            let (mut block, mut other) = ([3; 16].into(), Array::default());
            encryptor.encrypt_block(&mut block);
            assert_eq!(block, *ciphertext, "{backend}");
            decryptor.decrypt_block_b2b(&block, &mut other);
            assert_eq!(other, [3; 16], "{backend}");
        }
    }
}

#[test]
fn padded_messages() {
    for backend in backends() {
        for length in (0..70).chain([1023, 1024, 1025, 1039, 1040]) {
            let (key, iv) = ([7; 16].into(), [1; 16].into());
            let encryptor = CbcEncryptor::with_backend(&key, &iv, backend).unwrap();
            let decryptor = CbcDecryptor::with_backend(&key, &iv, backend).unwrap();
            let message = random(&mut rng(length), length);
            let padding = 16 - length % 16;
            let mut expected = [&message[..], &vec![padding as u8; padding]].concat();
            reference::cbc_encrypt(&key.into(), &iv.into(), &mut expected);

            let mut buffer = [&message[..], &[0; 16]].concat();
            assert_eq!(encryptor.clone().encrypt_padded::<Pkcs7>(&mut buffer, length).unwrap(), expected);
            assert_eq!(encryptor.clone().encrypt_padded_vec::<Pkcs7>(&message), expected);
            assert!(encryptor.clone().encrypt_padded_b2b::<Pkcs7>(&message, &mut vec![0; length]).is_err());
            let mut ciphertext = expected.clone();
            assert_eq!(decryptor.clone().decrypt_padded::<Pkcs7>(&mut ciphertext).unwrap(), message);
            assert_eq!(decryptor.clone().decrypt_padded_vec::<Pkcs7>(&expected).unwrap(), message);

            // What is cut, and what ends with another byte.
            for cut in 1..=16 {
                let cut = &expected[..expected.len() - cut];
                let decrypted = decryptor.clone().decrypt_padded_vec::<Pkcs7>(cut);
                assert!(decrypted.is_err() || cut.len().is_multiple_of(16), "{} bytes", cut.len());
            }
            let mut wrong = [&message[..], &vec![padding as u8; padding - 1], &[17]].concat();
            reference::cbc_encrypt(&key.into(), &iv.into(), &mut wrong);
            assert!(decryptor.clone().decrypt_padded_vec::<Pkcs7>(&wrong).is_err());

            let unpadded = encryptor.encrypt_padded::<NoPadding>(&mut buffer, length);
            assert_eq!(unpadded.is_ok(), length.is_multiple_of(16), "{length} bytes");
        }
    }
}

#[test]
fn begins_with_a_cipher_of_any_backend() {
    for backend in backends() {
        let (key, iv) = ([7; 16].into(), [1; 16].into());
        let cipher = Sm4::with_backend(&key, backend).unwrap();
        let (mut data, mut expected) = ([[3; 16].into(); 9], [[3; 16].into(); 9]);
        CbcEncryptor::new(&key, &iv).encrypt_blocks(&mut expected);
        CbcEncryptor::inner_iv_init(cipher.clone(), &iv).encrypt_blocks(&mut data);
        assert_eq!(data, expected);
        CbcDecryptor::inner_iv_init(cipher, &iv).decrypt_blocks(&mut data);
        assert_eq!(data, [[3; 16]; 9]);
        CbcDecryptor::new(&key, &iv).decrypt_blocks(&mut expected);
        assert_eq!(expected, data);
    }
}

/// Messages under keys of any backends; each in place, or from one buffer to another.
#[test]
fn many_messages_are_encrypted_as_each_one_is() {
    struct One {
        key: [u8; 16],
        cipher: Sm4,
        iv: [u8; 16],
        plain: Vec<u8>,
        in_place: bool,
        output: Vec<u8>,
    }
    let here = backends();
    // All of them on one backend, and any mix of two.
    let pairs = here.iter().flat_map(|first| here.iter().map(move |second| [first, second]));
    for (number, mix) in pairs.enumerate() {
        for count in (0..=70).chain([200]) {
            let mut rng = rng(1000 * number + count);
            // Of one length, of few, and of many.
            let longest = [5, 2, 40][count % 3];
            let same = count % 5 == 0;
            let mut messages: Vec<_> = (0..count)
                .map(|_| {
                    let (key, iv): ([u8; 16], [u8; 16]) = (rng.random(), rng.random());
                    let blocks = if same { longest } else { rng.random_range(0..=longest) };
                    let cipher = Sm4::with_backend(&key.into(), *mix[rng.random_range(0..2)]).unwrap();
                    let plain = random(&mut rng, 16 * blocks);
                    let in_place = rng.random();
                    let output = if in_place { plain.clone() } else { vec![0xa5; plain.len()] };
                    One { key, cipher, iv, plain, in_place, output }
                })
                .collect();
            if count == 67 {
                messages.sort_by_key(|message| message.plain.len());
            } else {
                messages.shuffle(&mut rng);
            }
            encrypt_many_inout(messages.iter_mut().map(|One { cipher, iv, plain, in_place, output, .. }| {
                let data: InOutBuf<'_, '_, u8> =
                    if *in_place { output.as_mut_slice().into() } else { InOutBuf::new(plain, output).unwrap() };
                Message { cipher, iv: *iv, blocks: data.into_chunks().0 }
            }));
            for One { key, iv, plain, output, .. } in &messages {
                let mut expected = plain.clone();
                reference::cbc_encrypt(key, iv, &mut expected);
                assert!(*output == expected, "{count} messages on {mix:?}, of {} bytes", plain.len());
            }
        }
    }
}

/// From slices, in place and from buffers to others; what is not taken is an error, and nothing is written then.
#[test]
fn slices_of_messages_are_encrypted() {
    for backend in backends() {
        let mut rng = rng(1);
        let keys: Vec<[u8; 16]> = (0..40).map(|_| rng.random()).collect();
        let ciphers: Vec<_> = keys.iter().map(|key| Sm4::with_backend(&(*key).into(), backend).unwrap()).collect();
        let ivs: Vec<[u8; 16]> = keys.iter().map(|_| rng.random()).collect();
        let plain: Vec<_> = (0..40).map(|i| random(&mut rng, 16 * (i % 7))).collect();
        let mut expected = plain.clone();
        for ((key, iv), message) in keys.iter().zip(&ivs).zip(&mut expected) {
            reference::cbc_encrypt(key, iv, message);
        }
        let mut messages = plain.clone();
        encrypt_many(&ciphers, &ivs, &mut messages).unwrap();
        assert!(messages == expected, "{backend}");
        let mut outputs: Vec<_> = plain.iter().map(|message| vec![0xa5; message.len()]).collect();
        let borrowed: Vec<&Sm4> = ciphers.iter().collect();
        encrypt_many_b2b(&borrowed, &ivs, &plain, &mut outputs).unwrap();
        assert!(outputs == expected, "{backend}");

        let mut messages = plain.clone();
        assert_eq!(encrypt_many(&ciphers[1..], &ivs, &mut messages), Err(EncryptManyError::WrongCount));
        assert_eq!(encrypt_many(&ciphers, &ivs[1..], &mut messages), Err(EncryptManyError::WrongCount));
        assert_eq!(encrypt_many_b2b(&ciphers, &ivs, &plain[1..], &mut messages), Err(EncryptManyError::WrongCount));
        assert_eq!(encrypt_many_b2b(&ciphers, &ivs, &plain, &mut messages[1..]), Err(EncryptManyError::WrongCount));
        messages[37].pop();
        let (length, expected) = (messages[37].len(), plain[37].len());
        let error = EncryptManyError::WrongLength { index: 37, length, expected };
        assert_eq!(encrypt_many_b2b(&ciphers, &ivs, &plain, &mut messages), Err(error));
        let error = EncryptManyError::NotWholeBlocks { index: 37, length };
        assert_eq!(encrypt_many(&ciphers, &ivs, &mut messages), Err(error));
        assert_eq!(encrypt_many_b2b(&ciphers, &ivs, &messages.clone(), &mut messages), Err(error));
        messages[37].push(plain[37][length]);
        assert!(messages == plain, "{backend}");
    }
}

/// Messages so that 1 to 32 of them are left, each for some blocks.
#[test]
fn many_messages_end_one_after_the_other() {
    for backend in backends() {
        let cipher = Sm4::with_backend(&[7; 16].into(), backend).unwrap();
        let mut messages: Vec<_> = (0..70).rev().map(|blocks| vec![[3; 16].into(); blocks]).collect();
        encrypt_many_inout(messages.iter_mut().map(|blocks| Message {
            cipher: &cipher,
            iv: [1; 16],
            blocks: blocks.as_mut_slice().into(),
        }));
        let mut expected = vec![3; 16 * 70];
        reference::cbc_encrypt(&[7; 16], &[1; 16], &mut expected);
        for message in &messages {
            assert!(Array::slice_as_flattened(message) == &expected[..16 * message.len()], "{backend}");
        }
    }
}

#[test]
fn names_itself_and_shows_no_key() {
    struct Name<T>(std::marker::PhantomData<T>);
    impl<T: AlgorithmName> fmt::Display for Name<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            T::write_alg_name(f)
        }
    }
    let (key, iv) = ([0xab; 16].into(), [0xcd; 16].into());
    assert_eq!(Name::<CbcEncryptor>(std::marker::PhantomData).to_string(), "sm4::CbcEncryptor");
    assert_eq!(Name::<CbcDecryptor>(std::marker::PhantomData).to_string(), "sm4::CbcDecryptor");
    assert_eq!(format!("{:?}", CbcEncryptor::new(&key, &iv)), "CbcEncryptor { .. }");
    assert_eq!(format!("{:?}", CbcDecryptor::new(&key, &iv)), "CbcDecryptor { .. }");
    let cipher = Sm4::new(&key);
    let mut blocks = [[0xef; 16].into()];
    let message = Message { cipher: &cipher, iv: [0xcd; 16], blocks: blocks.as_mut_slice().into() };
    assert_eq!(format!("{message:?}"), "Message { blocks: 1, .. }");
}

#[test]
fn wrong_sizes_and_unsupported_backends_are_errors() {
    assert!(CbcEncryptor::new_from_slices(&[0; 15], &[0; 16]).is_err());
    assert!(CbcEncryptor::new_from_slices(&[0; 16], &[0; 17]).is_err());
    assert!(CbcDecryptor::new_from_slices(&[0; 17], &[0; 16]).is_err());
    assert!(CbcDecryptor::new_from_slices(&[0; 16], &[0; 15]).is_err());
    let (key, iv) = ([0; 16].into(), [0; 16].into());
    for backend in not_here() {
        assert_eq!(CbcEncryptor::with_backend(&key, &iv, backend).unwrap_err(), Unsupported(backend));
        assert_eq!(CbcDecryptor::with_backend(&key, &iv, backend).unwrap_err(), Unsupported(backend));
    }
}
