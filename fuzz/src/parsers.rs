//! Whatever is read from others.

use crate::input::Input;
use fairlane::Backend;
use fairlane::dynamic::{AeadAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use fairlane::sealed::{
    self, Algorithm, DEFAULT_KEM, Identity, Kem, Key, Opener, Options, PassphraseCost, Recipient, Secret,
};
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
    let _ = PassphraseCost::from_str(&text);
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

/// A file sealed under each kind of secret opens under it. One of them, with a changed bit, does not.
pub(crate) fn secrets(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (key, passphrase) = (Key::from_bytes(&input.bytes(64).try_into().unwrap()), input.bytes(16));
    let own = [*input.choose(Kem::ALL), DEFAULT_KEM]
        .map(|kem| Identity::from_bytes(kem, &input.bytes(kem.seeds_size())).unwrap());
    let recipients = own.each_ref().map(Identity::recipient);
    let algorithm = *input.choose(Algorithm::ALL);
    // The smallest cost.
    let options = Options { algorithm, cost: PassphraseCost::new(8, 1, 1).unwrap(), experimental: true };
    let len = input.below(150_000);
    let message = input.bytes(len);
    let open = |file: &[u8], secret| {
        let mut opened = Vec::new();
        Opener::new(file)?.allow_experimental().open(&mut opened, secret).map(|_| opened)
    };
    let kinds = [
        (Secret::Key(&key), &[Secret::Key(&key)][..]),
        (Secret::Passphrase(&passphrase), &[Secret::Passphrase(&passphrase)]),
        (Secret::Recipients(&recipients), &own.each_ref().map(Secret::Identity)),
    ];
    let changed = input.byte() % 3;
    for ((seal_under, open_under), kind) in kinds.into_iter().zip(0..) {
        let mut file = Vec::new();
        sealed::seal(&message[..], &mut file, seal_under, &options).unwrap();
        for secret in open_under {
            assert_eq!(open(&file, *secret).unwrap(), message, "{algorithm}, {secret:?}");
        }
        if kind == changed {
            // Behind the passphrase's cost: another one could take hours.
            let bit = 160 + input.below(8 * file.len() - 160);
            file[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&file, open_under[0]).is_err(), "{algorithm}, {seal_under:?}, bit {bit}");
        }
    }
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
