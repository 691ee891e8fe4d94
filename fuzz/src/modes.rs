//! Block ciphers in modes of operation, and keys that are wrapped.

use crate::input::Input;
use crate::primitives::backend;
use fairlane::cipher::Key;
use fairlane::dynamic::BlockModeAlgorithm;
use fairlane::kalyna::{self, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512, Kw};
use fairlane_reference::kalyna::{self as dstu, Variant};
use fairlane_reference::sm4;

fn variant(block_size: usize, key_size: usize) -> Variant {
    match (block_size, key_size) {
        (16, 16) => Variant::K128_128,
        (16, _) => Variant::K128_256,
        (32, 32) => Variant::K256_256,
        (32, _) => Variant::K256_512,
        _ => Variant::K512_512,
    }
}

/// Encrypts as the reference does.
fn reference(algorithm: BlockModeAlgorithm, key: &[u8], iv: &[u8], data: &mut [u8]) {
    let (name, key16, key32, iv16) = (algorithm.name(), key.first_chunk(), key.first_chunk(), iv.first_chunk());
    match name {
        "sm4-ecb" => return sm4::ecb_encrypt(key16.unwrap(), data),
        "sm4-cbc" => return sm4::cbc_encrypt(key16.unwrap(), iv16.unwrap(), data),
        "sm4-xts" => return sm4::xts_encrypt(key32.unwrap(), iv16.unwrap(), data),
        "sm4-xts-gb" => return sm4::xts_gb_encrypt(key32.unwrap(), iv16.unwrap(), data),
        _ => {}
    }
    let cipher = dstu::Kalyna::new(variant(algorithm.block_size(), key.len()), key);
    match &name[name.len() - 4..] {
        "-ecb" => dstu::ecb_encrypt(&cipher, data),
        "-cbc" => dstu::cbc_encrypt(&cipher, iv, data),
        "-xts" => dstu::xts_encrypt(&cipher, iv, data),
        _ => panic!("{name} is new"),
    }
}

pub(crate) fn modes(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(BlockModeAlgorithm::ALL);
    let on = Some(backend(&mut input, algorithm.backends()));
    let (key, iv) = (input.bytes(algorithm.key_size()), input.bytes(algorithm.iv_size()));
    // The two keys of SM4's XTS must differ.
    let Ok(mode) = algorithm.mode(&key, on) else { return };
    let block = algorithm.block_size();
    let len = input.below(6000);
    let len = if algorithm.whole_blocks() { len / block * block } else { len };
    let message = input.bytes(len);
    let mut encrypted = vec![0x5a; len];
    if !algorithm.whole_blocks() && len < block {
        assert!(mode.encrypt(&iv, &message, &mut encrypted).is_err());
        assert!(encrypted.iter().all(|byte| *byte == 0x5a), "nothing is written");
        return;
    }
    mode.encrypt(&iv, &message, &mut encrypted).unwrap();
    let mut expected = message.clone();
    reference(algorithm, &key, &iv, &mut expected);
    assert_eq!(encrypted, expected, "{algorithm} on {on:?}");
    // In place, at any address.
    let shift = usize::from(input.byte() % 70);
    let mut data = vec![0x5a; shift + len + 70];
    data[shift..][..len].copy_from_slice(&message);
    mode.encrypt_in_place(&iv, &mut data[shift..][..len]).unwrap();
    assert_eq!(data[shift..][..len], expected, "{algorithm} on {on:?}, in place");
    mode.decrypt_in_place(&iv, &mut data[shift..][..len]).unwrap();
    assert_eq!(data[shift..][..len], message, "{algorithm} on {on:?}, in place");
    assert!(data[..shift].iter().chain(&data[shift + len..]).all(|byte| *byte == 0x5a));
    let mut decrypted = vec![0; len];
    mode.decrypt(&iv, &encrypted, &mut decrypted).unwrap();
    assert_eq!(decrypted, message, "{algorithm} on {on:?}");
}

pub(crate) fn wrapped_keys(bytes: &[u8]) {
    let mut input = Input(bytes);
    match input.byte() % 5 {
        0 => wrapped_by::<Kalyna128_128>(&mut input, Variant::K128_128),
        1 => wrapped_by::<Kalyna128_256>(&mut input, Variant::K128_256),
        2 => wrapped_by::<Kalyna256_256>(&mut input, Variant::K256_256),
        3 => wrapped_by::<Kalyna256_512>(&mut input, Variant::K256_512),
        _ => wrapped_by::<Kalyna512_512>(&mut input, Variant::K512_512),
    }
}

fn wrapped_by<C: kalyna::Kalyna>(input: &mut Input, variant: Variant) {
    let on = backend(input, fairlane::Backend::ALL);
    let mut key = Key::<C>::default();
    let bytes = input.bytes(key.len());
    key.copy_from_slice(&bytes);
    let Ok(kw) = Kw::<C>::with_backend(&key, on) else { return };
    let cipher = dstu::Kalyna::new(variant, &key);
    let (len, padded) = (input.below(200), input.byte().is_multiple_of(2));
    let (secret, mut buffer) = (input.bytes(len), [0; 512]);
    let wrap = if padded { kw.wrap_padded(&secret, &mut buffer) } else { kw.wrap(&secret, &mut buffer) };
    let Ok(wrapped) = wrap.map(|wrapped| wrapped.to_vec()) else { return };
    let expected = if padded { dstu::kw_wrap_padded(&cipher, &secret) } else { dstu::kw_wrap(&cipher, &secret) };
    assert_eq!(wrapped, expected, "{variant:?} on {on}, padded: {padded}");
    let unwrap = |wrapped: &[u8]| {
        let mut buffer = [0; 512];
        let unwrapped = if padded { kw.unwrap_padded(wrapped, &mut buffer) } else { kw.unwrap(wrapped, &mut buffer) };
        unwrapped.ok().map(|key| key.to_vec())
    };
    assert_eq!(unwrap(&wrapped), Some(secret), "{variant:?} on {on}, padded: {padded}");
    let (mut changed, bit) = (wrapped, input.below(8 * expected.len()));
    changed[bit / 8] ^= 1 << (bit % 8);
    assert_eq!(unwrap(&changed), None, "{variant:?} on {on}, padded: {padded}, bit {bit}");
    // Anything else, of any length.
    let len = input.below(500);
    let _ = unwrap(&input.bytes(len));
}
