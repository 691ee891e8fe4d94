//! XTS in both orders of bits.

use super::{backends, check, not_here, random, rng, vectors};
use fairlane::cipher::KeyInit;
use fairlane::sm4::{Sm4Xts, Sm4XtsGb, Xts, XtsError};
use fairlane::{Backend, Unsupported};
use fairlane_reference::sm4 as reference;
use rand::RngExt;

fn xts<const GB: bool>(key: &[u8; 32], backend: Backend) -> Xts<GB> {
    Xts::with_backend(key, backend).unwrap()
}

/// Both directions of both standards, on all backends, against the expected ciphertext.
fn check_unit<const GB: bool>(key: &[u8; 32], tweak: &[u8; 16], plain: &[u8], expected: &[u8]) {
    for backend in backends() {
        let cipher = xts::<GB>(key, backend);
        let context = format!("{cipher:?} on {backend}, {} bytes", plain.len());
        check(&context, plain, expected, |data| cipher.encrypt(tweak, data).unwrap());
        check(&context, expected, plain, |data| cipher.decrypt(tweak, data).unwrap());
    }
}

#[test]
fn known_answers() {
    for case in vectors::load_ciphers("sm4_xts.json") {
        let (key, tweak) = (case.key[..].try_into().unwrap(), case.tweak[..].try_into().unwrap());
        for backend in backends() {
            let mut data = case.plaintext.clone();
            macro_rules! both_ways {
                ($type:ident) => {{
                    let cipher = $type::with_backend(key, backend).unwrap();
                    cipher.encrypt(tweak, data.as_mut_slice().into()).unwrap();
                    case.check(&data);
                    cipher.decrypt(tweak, data.as_mut_slice().into()).unwrap();
                }};
            }
            match &*case.function {
                "sm4-xts" => both_ways!(Sm4Xts),
                "sm4-xts-gb" => both_ways!(Sm4XtsGb),
                other => panic!("{other} is not tested"),
            }
            assert!(data == case.plaintext, "decryption on {backend}, {case}");
        }
    }
}

#[test]
fn agrees_with_the_reference_and_a_crate() {
    // With and without a part of a block around every batch, and around two of the longest.
    for length in
        (16..=200).chain(16 * 14..=16 * 18).chain(16 * 29..=16 * 36).chain(16 * 62..=16 * 67).chain(2040..=2100)
    {
        let mut rng = rng(length);
        let (key, tweak): ([u8; 32], [u8; 16]) = (rng.random(), rng.random());
        let plain = random(&mut rng, length);

        let mut expected = plain.clone();
        reference::xts_encrypt(&key, &tweak, &mut expected);
        let mut other = plain.clone();
        independent(&key).encrypt_sector(&mut other, tweak.into());
        assert!(other == expected, "the reference, {length} bytes");
        check_unit::<false>(&key, &tweak, &plain, &expected);

        expected.clone_from(&plain);
        reference::xts_gb_encrypt(&key, &tweak, &mut expected);
        check_unit::<true>(&key, &tweak, &plain, &expected);
    }
}

fn independent(key: &[u8; 32]) -> xts_mode::Xts128<sm4::Sm4> {
    let [data, tweak] = [&key[..16], &key[16..]].map(|key| sm4::Sm4::new_from_slice(key).unwrap());
    xts_mode::Xts128::new(data, tweak)
}

#[test]
fn long_units() {
    let (key, tweak) = (std::array::from_fn(|i| i as u8), [0xff; 16]);
    for length in [65_536, 1 << 20, (1 << 20) + 9] {
        let plain = random(&mut rng(length), length);
        let mut expected = plain.clone();
        independent(&key).encrypt_sector(&mut expected, tweak.into());
        check_unit::<false>(&key, &tweak, &plain, &expected);
        expected.clone_from(&plain);
        reference::xts_gb_encrypt(&key, &tweak, &mut expected);
        check_unit::<true>(&key, &tweak, &plain, &expected);
    }
}

/// The orders of bits are seen from the second block on, not in the first.
#[test]
fn the_standards_differ_after_the_first_block() {
    let key = std::array::from_fn(|i| i as u8);
    let (mut ieee, mut gb) = ([1; 48], [1; 48]);
    Sm4Xts::new(&key).unwrap().encrypt(&[5; 16], ieee.as_mut_slice().into()).unwrap();
    Sm4XtsGb::new(&key).unwrap().encrypt(&[5; 16], gb.as_mut_slice().into()).unwrap();
    assert_eq!(ieee[..16], gb[..16]);
    assert_ne!(ieee[16..32], gb[16..32]);
    assert_ne!(ieee[32..], gb[32..]);
}

/// A unit of a length that is refused, on every backend: nothing is written.
fn check_refused<const GB: bool>(length: usize, error: XtsError) {
    let data = vec![0x5a; length];
    for backend in backends() {
        let cipher = xts::<GB>(&std::array::from_fn(|i| i as u8), backend);
        let context = format!("{length} bytes on {backend}");
        // What is not written to stays 0x5a, as the input is.
        check(&context, &data, &data, |data| assert_eq!(cipher.encrypt(&[1; 16], data), Err(error), "{context}"));
        check(&context, &data, &data, |data| assert_eq!(cipher.decrypt(&[1; 16], data), Err(error), "{context}"));
    }
}

#[test]
fn lengths_that_are_refused() {
    const LONGEST: usize = 1 << 24;
    for length in 0..16 {
        check_refused::<false>(length, XtsError::TooShort);
        check_refused::<true>(length, XtsError::TooShort);
    }
    check_refused::<false>(LONGEST + 1, XtsError::TooLong);
    check_refused::<true>(LONGEST + 16, XtsError::TooLong);

    let mut data = vec![1; LONGEST];
    let cipher = Sm4Xts::new(&std::array::from_fn(|i| i as u8)).unwrap();
    cipher.encrypt(&[1; 16], data.as_mut_slice().into()).unwrap();
    assert!(data.iter().any(|byte| *byte != 1));
    cipher.decrypt(&[1; 16], data.as_mut_slice().into()).unwrap();
    assert!(data.iter().all(|byte| *byte == 1));
}

#[test]
fn keys_that_are_refused() {
    for key in [[0; 32], [7; 32], std::array::from_fn(|i| i as u8 % 16)] {
        assert_eq!(Sm4Xts::new(&key).unwrap_err(), XtsError::EqualKeys);
        for backend in backends() {
            assert_eq!(Sm4Xts::with_backend(&key, backend).unwrap_err(), XtsError::EqualKeys);
            assert_eq!(Sm4XtsGb::with_backend(&key, backend).unwrap_err(), XtsError::EqualKeys);
        }
        // One bit makes them two keys.
        for bit in 0..256 {
            let mut key = key;
            key[bit / 8] ^= 1 << (bit % 8);
            assert!(Sm4Xts::new(&key).is_ok() && Sm4XtsGb::new(&key).is_ok());
        }
    }
}

#[test]
fn unsupported_backends_are_errors_that_say_so() {
    for backend in not_here() {
        let error = Sm4Xts::with_backend(&std::array::from_fn(|i| i as u8), backend).unwrap_err();
        assert_eq!(error, XtsError::Unsupported(Unsupported(backend)));
        assert_eq!(error.to_string(), Unsupported(backend).to_string());
    }
    assert_eq!(XtsError::EqualKeys.to_string(), "the two halves of an XTS key must differ");
    assert_eq!(XtsError::TooShort.to_string(), "a data unit of XTS has at least 16 bytes");
    assert_eq!(XtsError::TooLong.to_string(), "a data unit of XTS has at most 16 MiB");
}

#[test]
fn shows_no_key() {
    let key = std::array::from_fn(|i| i as u8);
    assert_eq!(format!("{:?}", Sm4Xts::new(&key).unwrap()), "Sm4Xts { .. }");
    assert_eq!(format!("{:?}", Sm4XtsGb::new(&key).unwrap()), "Sm4XtsGb { .. }");
}
