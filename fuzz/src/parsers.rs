//! Whatever is read from others.

use crate::input::Input;
use fairlane::Backend;
use fairlane::dynamic::{AeadAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use fairlane::sealed::{self, Kem, Key, Opener, Options, Recipient, Secret};
use std::str::FromStr;

pub(crate) fn parsers(bytes: &[u8]) {
    let mut input = Input(bytes);
    match input.byte() % 5 {
        0 => names(input.0),
        1 => damaged(&mut input),
        2 => headers(&mut input),
        3 => keys(&mut input),
        _ => backends(&mut input),
    }
}

fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = (Backend::from_str(&text), HashAlgorithm::from_str(&text), AeadAlgorithm::from_str(&text));
    let _ = (CipherAlgorithm::from_str(&text), KemAlgorithm::from_str(&text), Key::from_str(&text));
    let _ = sealed::PassphraseCost::from_str(&text);
    let _ = Key::from_str(&format!("fairlane key 1\n{text}"));
}

/// A sealed file with some damage is an error; without damage it opens.
fn damaged(input: &mut Input) {
    let key = Key::from_bytes(&input.bytes(64).try_into().unwrap());
    let len = input.below(150_000);
    let (message, mut file, mut opened) = (input.bytes(len), Vec::new(), Vec::new());
    sealed::seal(&message[..], &mut file, Secret::Key(&key), &Options::default()).unwrap();
    sealed::open(&file[..], &mut opened, Secret::Key(&key)).unwrap();
    assert_eq!(opened, message);
    match input.byte() % 3 {
        0 => file.truncate(input.below(file.len())),
        1 => file.push(input.byte()),
        _ => {
            let bit = input.below(8 * file.len());
            file[bit / 8] ^= 1 << (bit % 8);
        }
    }
    opened.clear();
    assert!(sealed::open(&file[..], &mut opened, Secret::Key(&key)).is_err(), "damage is detected");
    assert!(message.starts_with(&opened), "what was written is the beginning of the message");
}

/// Any header; none that costs a passphrase's time is opened.
fn headers(input: &mut Input) {
    let mut file = b"fairseal\x01".to_vec();
    file.extend([input.byte() % 4, input.byte() % 4, input.byte() % 8]);
    let len = input.below(3000);
    file.extend(input.rest_or_bytes(len));
    let key = Key::from_bytes(&[7; 64]);
    if let Ok(opener) = Opener::new(&file[..]) {
        assert!(opener.open(std::io::sink(), Secret::Key(&key)).is_err());
    }
}

fn keys(input: &mut Input) {
    let algorithm = *input.choose(KemAlgorithm::ALL);
    let len = if input.byte().is_multiple_of(2) { algorithm.encapsulation_key_size() } else { input.below(4000) };
    let bytes = input.rest_or_bytes(len);
    let _ = algorithm.encapsulation_key_from_bytes(&bytes, None);
    let _ = algorithm.decapsulation_key_from_expanded(&bytes, None);
    let _ = algorithm.decapsulation_key_from_seeds(&bytes, None);
    let _ = Recipient::from_bytes(*input.choose(Kem::ALL), &bytes);
}

/// Every algorithm by every backend's name: an object, or an error.
fn backends(input: &mut Input) {
    let backend = Some(*input.choose(Backend::ALL));
    let len = input.below(70);
    let bytes = input.bytes(len);
    let _ = input.choose(HashAlgorithm::ALL).hasher(backend);
    let _ = input.choose(AeadAlgorithm::ALL).aead(&bytes, backend);
    let _ = input.choose(CipherAlgorithm::ALL).cipher(&bytes, &bytes, backend);
    let _ = input.choose(KemAlgorithm::ALL).decapsulation_key_from_seeds(&bytes, backend);
}
