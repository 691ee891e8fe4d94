//! Files sealed to a KEM's key: every KEM, every way to damage one, and the texts of both keys.

use fairlane::sealed::{
    Algorithm, CHUNK, Error, HEADER, Identity, Kem, KemKeyError, Options, Recipient, Secret, TAG, open, seal,
};
use fairlane_reference::kem::{self as reference, Params};
use std::io;

/// An identity that is the same each time.
fn identity(kem: Kem) -> Identity {
    Identity::from_bytes(kem, &std::array::from_fn(|i| (5 * i + kem.ciphertext_size()) as u8))
}

fn sealed(plain: &[u8], to: &Recipient, algorithm: Algorithm) -> Vec<u8> {
    let mut sealed = Vec::new();
    seal(plain, &mut sealed, Secret::Recipient(to), &Options { algorithm, ..Options::default() }).unwrap();
    sealed
}

#[test]
fn every_kem_with_every_algorithm() {
    for &kem in Kem::ALL {
        let own = identity(kem);
        let recipient = own.recipient();
        for &algorithm in Algorithm::ALL {
            for length in [0, 1, CHUNK, 2 * CHUNK + 1] {
                let plain = vec![7; length];
                let file = sealed(&plain, &recipient, algorithm);
                let tags = TAG * length.div_ceil(CHUNK).max(1);
                assert_eq!(file.len(), HEADER + kem.ciphertext_size() + length + tags);
                let mut opened = Vec::new();
                open(&file[..], &mut opened, Secret::Identity(&own)).unwrap();
                assert!(opened == plain, "{kem}, {algorithm}, {length} bytes");
            }
        }
        let [one, other] = [0; 2].map(|_| sealed(b"the same", &recipient, Algorithm::default()));
        assert_ne!(one[HEADER..], other[HEADER..], "each file has a secret of its own");
    }
}

#[test]
fn keys_and_secrets_are_the_references() {
    for &kem in Kem::ALL {
        let params = Params::ALL.into_iter().find(|params| params.name().eq_ignore_ascii_case(kem.name())).unwrap();
        let own = identity(kem);
        let ([d, z], _) = own.as_bytes().as_chunks() else { panic!("two seeds") };
        let (ek, dk) = reference::keygen(params, d, z);
        let recipient = own.recipient();
        assert_eq!(recipient.as_bytes(), ek);
        let (ciphertext, secret) = recipient.encapsulate().unwrap();
        assert_eq!((ek.len(), ciphertext.len()), (kem.encapsulation_key_size(), kem.ciphertext_size()));
        assert_eq!(reference::decaps(params, &dk, &ciphertext).unwrap(), *secret);
        assert_eq!(own.decapsulate(&ciphertext).unwrap(), secret);
        let (secret, ciphertext) = reference::encaps(params, &ek, &[9; 32]).unwrap();
        assert_eq!(*own.decapsulate(&ciphertext).unwrap(), secret);
        for wrong in [&ciphertext[1..], &[&ciphertext[..], &[0]].concat(), &[]] {
            let error = own.decapsulate(wrong).unwrap_err();
            assert!(matches!(error, Error::CiphertextLength { found, .. } if found == wrong.len()), "{error:?}");
        }
    }
}

#[test]
fn every_bit_counts() {
    // CLWE-512 has coefficients of u that a changed bit takes over q.
    for kem in [Kem::MlKem512, Kem::Clwe512] {
        let own = identity(kem);
        let file = sealed(b"text", &own.recipient(), Algorithm::default());
        let body = HEADER + kem.ciphertext_size();
        for bit in 0..8 * file.len() {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let error = open(&changed[..], io::sink(), Secret::Identity(&own)).unwrap_err();
            let right = match bit / 8 {
                0..8 => matches!(error, Error::NotASealedFile),
                8 => matches!(error, Error::UnknownVersion(_)),
                9 => matches!(error, Error::UnknownAlgorithm(_) | Error::WrongIdentity),
                10 => matches!(error, Error::UnknownKeySource(_) | Error::NeedsKey),
                // A longer ciphertext of another KEM is not there.
                11 => matches!(error, Error::UnknownKem(_) | Error::OtherKem { .. } | Error::Truncated),
                12.. if bit / 8 < body => matches!(error, Error::WrongIdentity),
                _ => matches!(error, Error::Corrupt { chunk: 0, last: true }),
            };
            assert!(right, "{kem}, bit {bit}: {error:?}");
        }
    }
}

#[test]
fn cut_anywhere() {
    for &kem in Kem::ALL {
        let own = identity(kem);
        let file = sealed(b"text", &own.recipient(), Algorithm::default());
        let body = HEADER + kem.ciphertext_size();
        for end in 0..file.len() {
            let error = open(&file[..end], io::sink(), Secret::Identity(&own)).unwrap_err();
            let right = match end {
                0..8 => matches!(error, Error::NotASealedFile),
                _ if end < body + TAG => matches!(error, Error::Truncated),
                _ => matches!(error, Error::Corrupt { chunk: 0, last: true }),
            };
            assert!(right, "{kem}, {end} of {} bytes: {error:?}", file.len());
        }
    }
}

#[test]
fn a_ciphertext_is_bound_to_its_file() {
    let own = identity(Kem::default());
    let [one, other] = [0; 2].map(|_| sealed(b"text", &own.recipient(), Algorithm::default()));
    let body = HEADER + Kem::default().ciphertext_size();
    for (head, ciphertext) in [(&one, &other), (&other, &one)] {
        let mixed = [&head[..HEADER], &ciphertext[HEADER..body], &head[body..]].concat();
        assert!(matches!(open(&mixed[..], io::sink(), Secret::Identity(&own)), Err(Error::WrongIdentity)));
    }
}

#[test]
fn recipients_as_bytes() {
    for &kem in Kem::ALL {
        let recipient = identity(kem).recipient();
        let key = recipient.as_bytes();
        assert_eq!(Recipient::from_bytes(kem, key), Ok(recipient.clone()));
        for wrong in [&key[1..], &[key, &[0]].concat(), &[]] {
            let expected = kem.encapsulation_key_size();
            let error = KemKeyError::Length { kem, found: wrong.len(), expected };
            assert_eq!(Recipient::from_bytes(kem, wrong), Err(error));
        }
        let mut wrong = key.to_vec();
        wrong[..2].copy_from_slice(&[0xff, 0xff]);
        assert_eq!(Recipient::from_bytes(kem, &wrong), Err(KemKeyError::Modulus));
    }
}

#[test]
fn keys_as_text() {
    for &kem in Kem::ALL {
        let own = identity(kem);
        let (secret, public) = (own.to_text(), own.recipient().to_text());
        assert!(secret.starts_with(&format!("fairlane identity 1\n{kem}\n")), "{}", *secret);
        assert!(public.starts_with(&format!("fairlane recipient 1\n{kem}\n")), "{public}");
        assert_eq!((secret.lines().count(), public.lines().count()), (5, 3 + kem.encapsulation_key_size() / 32));
        let read = |text: &str| text.parse::<Identity>().map(|own| (own.kem(), *own.as_bytes()));
        for right in [secret.to_string(), secret.replace('\n', " \r\n"), format!("{}\n\n", secret.trim_end())] {
            assert_eq!(read(&right), Ok((kem, *own.as_bytes())));
        }
        assert_eq!(public.parse::<Recipient>().unwrap(), own.recipient());
        let shouted = public.lines().enumerate().map(|(i, line)| if i < 2 { line.into() } else { line.to_uppercase() });
        assert_eq!(shouted.collect::<Vec<_>>().join("\n").parse::<Recipient>().unwrap(), own.recipient());
        // One is not the other.
        assert!(matches!(public.parse::<Identity>(), Err(KemKeyError::NotThis { .. })));
        assert!(matches!(secret.parse::<Recipient>(), Err(KemKeyError::NotThis { .. })));
    }
    assert_eq!(format!("{:?}", identity(Kem::Clwe512)), "Identity(clwe-512, ..)");
}

#[test]
fn damaged_texts() {
    let own = identity(Kem::MlKem512);
    for text in [own.to_text().to_string(), own.recipient().to_text()] {
        let read = |text: &str| match text.starts_with("fairlane identity") {
            true => text.parse::<Identity>().map(drop),
            false => text.parse::<Recipient>().map(drop),
        };
        let digits = text.match_indices('\n').nth(1).unwrap().0 + 1;
        let length = |error| matches!(error, Err(KemKeyError::Length { kem: Kem::MlKem512, .. }));
        // Another digit in the place of each.
        for at in (digits..text.len()).filter(|&at| text.as_bytes()[at] != b'\n') {
            let mut changed = text.clone();
            let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
            changed.replace_range(at..=at, other);
            assert_eq!(read(&changed), Err(KemKeyError::Damaged), "{at}");
        }
        for (from, to, error) in [
            (" 1\n", " 2\n", KemKeyError::UnknownVersion),
            ("ml-kem-512", "ml-kem-513", KemKeyError::UnknownKem),
            ("ml-kem-512", "", KemKeyError::UnknownKem),
            ("\n", "", KemKeyError::UnknownVersion),
        ] {
            assert_eq!(read(&text.replacen(from, to, 1)), Err(error), "{from:?} as {to:?}");
        }
        for wrong in ["g", "", "ö", "00"] {
            let changed = [&text[..digits], wrong, &text[digits + 1..]].concat();
            assert_eq!(read(&changed), Err(KemKeyError::NotHexadecimal), "{wrong:?}");
        }
        // Cut, or of another KEM.
        assert!(length(read(&text[..digits])));
        assert!(length(read(&text[..digits + 65])));
        assert!(length(read(&format!("{text}{}", &text[digits..]))));
        let other = read(&text.replacen("ml-kem-512", "clwe-512", 1));
        assert_eq!(other, Err(KemKeyError::Damaged));
        let other = read(&text.replacen("ml-kem-512", "ml-kem-768", 1));
        assert!(matches!(other, Err(KemKeyError::Length { kem: Kem::MlKem768, .. } | KemKeyError::Damaged)));
    }
    assert!("".parse::<Identity>().is_err() && "fairlane identity ".parse::<Identity>().is_err());
}

#[test]
fn kems_as_text() {
    for kem in Kem::ALL {
        assert_eq!(kem.to_string().parse(), Ok(*kem));
    }
    assert!("rot13".parse::<Kem>().unwrap_err().to_string().contains("clwe-512"));
    assert_eq!(Kem::ALL.iter().filter(|kem| kem.reviewed()).count(), 3);
    assert!(Kem::default().reviewed());
}
