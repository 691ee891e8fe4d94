//! The block cipher itself, ECB, and generic modes over it.

use super::{STRIDE, backends, check, counts, not_here, random, rng, vectors};
use fairlane::cipher::common::InnerInit;
use fairlane::cipher::{
    AlgorithmName, Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit,
    KeyInit, KeyIvInit, StreamCipher,
};
use fairlane::sm4::hazmat::{EcbDecryptor, EcbEncryptor};
use fairlane::sm4::{CbcDecryptor, CbcEncryptor, Sm4, Sm4Ctr, Sm4Xts};
use fairlane::{Backend, Unsupported};
use fairlane_reference::sm4 as reference;
use rand::RngExt;
use std::fmt;

#[test]
fn known_answers() {
    for backend in backends() {
        let mut seen = 0;
        // A million iterations take long under an emulator.
        for case in vectors::load_ciphers("sm4.json").into_iter().filter(|case| STRIDE == 1 || case.times == 1) {
            assert!(["sm4", "sm4-ecb"].contains(&&*case.function), "{} is not tested", case.function);
            let cipher = Sm4::with_backend(case.key[..].try_into().unwrap(), backend).unwrap();
            let mut data = case.plaintext.clone();
            let (blocks, _) = Array::slice_as_chunks_mut(&mut data);
            for _ in 0..case.times {
                cipher.encrypt_blocks(blocks);
            }
            case.check(&data);
            seen += case.times;
            if case.times == 1 {
                cipher.decrypt_blocks(Array::slice_as_chunks_mut(&mut data).0);
                assert!(data == case.plaintext, "decryption on {backend}, {case}");
            }
        }
        assert!(STRIDE > 1 || seen > 2_000_000, "the cases of a million iterations are missing");
    }
}

#[test]
fn takes_any_number_of_blocks() {
    for count in counts() {
        let mut rng = rng(count);
        let (key, plain) = (rng.random(), random(&mut rng, 16 * count));
        let mut expected = plain.clone();
        reference::ecb_encrypt(&key, &mut expected);
        let mut other = plain.clone();
        sm4::Sm4::new(&key.into()).encrypt_blocks(Array::slice_as_chunks_mut(&mut other).0);
        assert!(other == expected, "the reference, {count} blocks");

        for backend in backends() {
            let context = format!("{backend}, {count} blocks");
            let cipher = Sm4::with_backend(&key.into(), backend).unwrap();
            check(&context, &plain, &expected, |data| cipher.encrypt_blocks_inout(data.into_chunks().0));
            check(&context, &expected, &plain, |data| cipher.decrypt_blocks_inout(data.into_chunks().0));
            check(&context, &plain, &expected, |data| {
                data.into_chunks().0.into_iter().for_each(|block| cipher.encrypt_block_inout(block));
            });
            check(&context, &expected, &plain, |data| {
                data.into_chunks().0.into_iter().for_each(|block| cipher.decrypt_block_inout(block));
            });
        }
    }
}

#[test]
fn buffers_of_two_lengths_are_an_error() {
    for backend in backends() {
        let cipher = Sm4::with_backend(&[7; 16].into(), backend).unwrap();
        let (input, mut output) = ([[1; 16].into(); 3], [[2; 16].into(); 4]);
        assert!(cipher.encrypt_blocks_b2b(&input, &mut output).is_err());
        assert!(cipher.decrypt_blocks_b2b(&input, &mut output).is_err());
        assert_eq!(output, [[2; 16]; 4], "an error changes nothing");
    }
}

/// The modes of other crates over our cipher give what ours do, and what they give over another cipher.
#[test]
fn generic_modes_agree_with_ours() {
    for count in counts().filter(|count| *count > 0) {
        let mut rng = rng(count);
        let (keys, iv): ([u8; 32], [u8; 16]) = (rng.random(), rng.random());
        let (key, tweak_key) = (keys[..16].try_into().unwrap(), keys[16..].try_into().unwrap());
        let plain = random(&mut rng, 16 * count);
        for backend in backends() {
            let context = format!("{backend}, {count} blocks");
            let cipher = Sm4::with_backend(key, backend).unwrap();
            /// What a mode makes of the plaintext.
            macro_rules! made {
                (|$data:ident| $work:expr) => {{
                    let mut data = plain.clone();
                    let $data = &mut data[..];
                    $work;
                    data
                }};
                (blocks |$blocks:ident| $work:expr) => {
                    made!(|data| {
                        let ($blocks, _) = Array::slice_as_chunks_mut(data);
                        $work
                    })
                };
            }

            let theirs = made!(blocks | b | cbc::Encryptor::<sm4::Sm4>::new(key, &iv.into()).encrypt_blocks(b));
            let generic =
                made!(blocks | b | cbc::Encryptor::inner_iv_init(cipher.clone(), &iv.into()).encrypt_blocks(b));
            let ours = made!(blocks | b | CbcEncryptor::inner_iv_init(cipher.clone(), &iv.into()).encrypt_blocks(b));
            assert!(ours == theirs && generic == theirs, "CBC encryption, {context}");

            let theirs = made!(blocks | b | cbc::Decryptor::<sm4::Sm4>::new(key, &iv.into()).decrypt_blocks(b));
            let generic =
                made!(blocks | b | cbc::Decryptor::inner_iv_init(cipher.clone(), &iv.into()).decrypt_blocks(b));
            let ours = made!(blocks | b | CbcDecryptor::inner_iv_init(cipher.clone(), &iv.into()).decrypt_blocks(b));
            assert!(ours == theirs && generic == theirs, "CBC decryption, {context}");

            let theirs = made!(|data| ctr::Ctr128BE::<sm4::Sm4>::new(key, &iv.into()).apply_keystream(data));
            let generic = made!(|data| ctr::Ctr128BE::<Sm4>::new(key, &iv.into()).apply_keystream(data));
            let ours = made!(|data| {
                Sm4Ctr::with_backend(key, &iv.into(), backend).unwrap().apply_keystream(data);
            });
            assert!(ours == theirs && generic == theirs, "CTR, {context}");

            let (data_key, second) = (sm4::Sm4::new(key), sm4::Sm4::new(tweak_key));
            let theirs = made!(|data| xts_mode::Xts128::new(data_key, second).encrypt_sector(data, iv.into()));
            let second = Sm4::with_backend(tweak_key, backend).unwrap();
            let generic = made!(|data| xts_mode::Xts128::new(cipher, second).encrypt_sector(data, iv.into()));
            let ours = made!(|data| {
                Sm4Xts::with_backend(&keys, backend).unwrap().encrypt(&iv, data.into()).unwrap();
            });
            assert!(ours == theirs && generic == theirs, "XTS, {context}");
        }
    }
}

#[test]
fn ecb_is_the_cipher_with_the_traits_of_a_mode() {
    let key = [7; 16].into();
    for backend in backends() {
        let cipher = Sm4::with_backend(&key, backend).unwrap();
        let plain: [Array<u8, _>; 70] = std::array::from_fn(|i| [i as u8 / 2; 16].into());
        let (mut expected, mut data) = (plain, plain);
        cipher.encrypt_blocks(&mut expected);
        EcbEncryptor::inner_init(cipher.clone()).encrypt_blocks(&mut data);
        assert_eq!(data, expected);
        EcbEncryptor::new(&key).encrypt_blocks_b2b(&plain, &mut data).unwrap();
        assert_eq!(data, expected);
        EcbDecryptor::inner_init(cipher).decrypt_blocks(&mut data);
        assert_eq!(data, plain);
        EcbDecryptor::new(&key).decrypt_blocks_b2b(&expected, &mut data).unwrap();
        assert_eq!(data, plain);
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
    assert_eq!(Name::<Sm4>(std::marker::PhantomData).to_string(), "Sm4");
    assert_eq!(format!("{:?}", Sm4::new(&[0xab; 16].into())), "Sm4 { .. }");
    assert!(Sm4::new_from_slice(&[0; 15]).is_err());
    assert!(Sm4::new_from_slice(&[0; 17]).is_err());
}

#[test]
fn a_clone_goes_to_other_threads() {
    let cipher = Sm4::new(&[7; 16].into());
    let mut here = [1; 16].into();
    cipher.encrypt_block(&mut here);
    let clone = cipher.clone();
    drop(cipher);
    let there = std::thread::spawn(move || {
        let mut block = [1; 16].into();
        clone.encrypt_block(&mut block);
        block
    });
    assert_eq!(there.join().unwrap(), here);
}

#[test]
fn unsupported_backends_are_errors() {
    for backend in not_here() {
        assert_eq!(Sm4::with_backend(&[0; 16].into(), backend).unwrap_err(), Unsupported(backend));
    }
    assert!(not_here().any(|backend| backend == Backend::Avx2), "SM4 has a kernel for plain AVX2 now: test it");
}
