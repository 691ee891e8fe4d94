//! Files sealed to a KEM's key: every KEM, every way to damage one, and the texts of both keys.

use fairlane::sealed::{
    Algorithm, CHUNK, DEFAULT_KEM, Error, HEADER, Identity, Kem, KemKeyError, MAX_RECIPIENTS, Opener, Options,
    Recipient, Secret, TAG, open, seal,
};
use fairlane_reference::kem::{self as reference, Params};
use std::io::{self, Write};

/// An identity that is the same each time.
fn identity(kem: Kem) -> Identity {
    numbered(kem, 0)
}

/// One of many identities of a KEM, the same each time.
fn numbered(kem: Kem, number: usize) -> Identity {
    let seeds: Vec<_> = (0..kem.seeds_size()).map(|i| (5 * i + kem.ciphertext_size() + 31 * number) as u8).collect();
    Identity::from_bytes(kem, &seeds).unwrap()
}

/// Every test but those of the flag allows every KEM and algorithm.
const ALL: Options = Options { experimental: true, ..Options::DEFAULT };

fn sealed(plain: &[u8], to: &Recipient, algorithm: Algorithm) -> Vec<u8> {
    let mut sealed = Vec::new();
    seal(plain, &mut sealed, Secret::Recipient(to), &Options { algorithm, ..ALL }).unwrap();
    sealed
}

fn sealed_to(plain: &[u8], to: &[&Identity]) -> Vec<u8> {
    let recipients: Vec<_> = to.iter().map(|own| own.recipient()).collect();
    let mut sealed = Vec::new();
    seal(plain, &mut sealed, Secret::Recipients(&recipients), &ALL).unwrap();
    sealed
}

fn opened(file: &[u8], writer: impl Write, own: &Identity) -> Result<u64, Error> {
    Opener::new(file)?.allow_experimental().open(writer, Secret::Identity(own))
}

/// Bytes of a stanza: the KEM's number, its ciphertext, and 32 bytes with a tag.
fn stanza(kem: Kem) -> usize {
    1 + kem.ciphertext_size() + 32 + TAG
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
                assert_eq!(file.len(), HEADER + stanza(kem) + length + tags);
                let mut written = Vec::new();
                opened(&file, &mut written, &own).unwrap();
                assert!(written == plain, "{kem}, {algorithm}, {length} bytes");
            }
        }
        let [one, other] = [0; 2].map(|_| sealed(b"the same", &recipient, Algorithm::default()));
        assert_ne!(one[HEADER..], other[HEADER..], "each file has a secret of its own");
    }
}

#[test]
fn keys_and_secrets_are_the_references() {
    for &kem in Kem::ALL.iter().filter(|&&kem| kem != Kem::XWing) {
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
    for kem in [Kem::MlKem512, Kem::XWing, Kem::Clwe512] {
        let own = identity(kem);
        let file = sealed(b"text", &own.recipient(), Algorithm::default());
        let body = HEADER + stanza(kem);
        for bit in 0..8 * file.len() {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let error = opened(&changed, io::sink(), &own).unwrap_err();
            let right = match bit / 8 {
                0..8 => matches!(error, Error::NotASealedFile),
                8 => matches!(error, Error::UnknownVersion(_)),
                9 => matches!(error, Error::UnknownAlgorithm(_) | Error::WrongIdentity),
                // A passphrase, or the one recipient of older versions, who has ML-KEM-512.
                10 if kem == Kem::MlKem512 => {
                    matches!(error, Error::UnknownKeySource(_) | Error::BadCost(..) | Error::WrongIdentity)
                }
                10 => matches!(error, Error::UnknownKeySource(_) | Error::BadCost(..) | Error::OtherKem { .. }),
                // More stanzas than there are.
                11 => matches!(error, Error::RecipientCount(_) | Error::UnknownKem(_) | Error::Truncated),
                at @ 12..20 => matches!(error, Error::NotZero { at: found, .. } if found == at),
                20..HEADER => matches!(error, Error::WrongIdentity),
                // A stanza of another KEM, which is longer than the file or shorter.
                HEADER => matches!(error, Error::UnknownKem(_) | Error::OtherKem { .. } | Error::Truncated),
                _ if bit / 8 < body => matches!(error, Error::WrongIdentity),
                _ => matches!(error, Error::Corrupt { chunk: 0, last: true }),
            };
            assert!(right, "{kem}, bit {bit}: {error:?}");
        }
    }
}

#[test]
fn every_recipient_opens_and_nobody_else() {
    let own = [
        numbered(Kem::XWing, 0),
        numbered(Kem::MlKem768, 1),
        numbered(Kem::XWing, 2),
        numbered(Kem::Clwe512, 3),
        numbered(Kem::MlKem1024, 4),
    ];
    let file = sealed_to(b"to all of you", &own.each_ref());
    let opener = Opener::new(&file[..]).unwrap();
    assert_eq!(opener.kems(), own.each_ref().map(Identity::kem));
    assert_eq!((opener.kem(), opener.cost()), (Some(Kem::XWing), None));
    for own in &own {
        let mut written = Vec::new();
        opened(&file, &mut written, own).unwrap();
        assert_eq!(written, b"to all of you");
    }
    for kem in [Kem::XWing, Kem::MlKem768, Kem::Clwe512, Kem::MlKem1024] {
        let error = opened(&file, io::sink(), &numbered(kem, 9)).unwrap_err();
        assert!(matches!(error, Error::WrongIdentity), "{error:?}");
    }
    let error = opened(&file, io::sink(), &numbered(Kem::MlKem512, 1)).unwrap_err();
    assert!(matches!(error, Error::OtherKem { file: Kem::XWing, identity: Kem::MlKem512 }), "{error:?}");
}

#[test]
fn every_byte_of_a_header_for_several_counts() {
    let own = [numbered(Kem::XWing, 0), numbered(Kem::MlKem512, 1), numbered(Kem::XWing, 2)];
    let file = sealed_to(b"text", &own.each_ref());
    let body: usize = HEADER + own.iter().map(|own| stanza(own.kem())).sum::<usize>();
    for at in 0..body {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] ^= change;
            // Also whose own stanza is unchanged gets nothing.
            for own in &own {
                let mut written = Vec::new();
                let error = opened(&changed, &mut written, own).unwrap_err();
                assert!(written.is_empty());
                let right = match at {
                    0..12 => true,
                    at @ 12..20 => matches!(error, Error::NotZero { at: found, .. } if found == at),
                    20..HEADER => matches!(error, Error::WrongIdentity),
                    _ => matches!(
                        error,
                        Error::WrongIdentity | Error::UnknownKem(_) | Error::OtherKem { .. } | Error::Truncated
                    ),
                };
                assert!(right, "byte {at}, {}: {error:?}", own.kem());
            }
        }
    }
}

#[test]
fn stanzas_belong_to_their_file() {
    let own = [0, 1, 2].map(|number| numbered(Kem::XWing, number));
    let (one, other) = (sealed_to(b"text", &own.each_ref()), sealed_to(b"text", &own.each_ref()));
    let size = stanza(Kem::XWing);
    let stanzas = |file: &[u8]| file[HEADER..][..3 * size].chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let ([a, b, c], [d, ..]) = (&stanzas(&one)[..], &stanzas(&other)[..]) else { panic!("three stanzas") };
    let with = |stanzas: &[&Vec<u8>]| {
        let mut head = one[..HEADER].to_vec();
        head[11] = stanzas.len() as u8;
        let stanzas: Vec<u8> = stanzas.iter().flat_map(|stanza| stanza.iter().copied()).collect();
        [&head, &stanzas, &one[HEADER + 3 * size..]].concat()
    };
    assert_eq!(with(&[a, b, c]), one);
    // Exchanged, left out, repeated and from another file.
    for changed in [&[b, a, c][..], &[a, b], &[c], &[a, b, c, c], &[d, b, c], &[a, b, c, d]] {
        for own in &own {
            let error = opened(&with(changed), io::sink(), own).unwrap_err();
            assert!(matches!(error, Error::WrongIdentity), "{error:?}");
        }
    }
}

#[test]
fn a_file_has_from_1_to_64_recipients() {
    let own: Vec<_> = (0..=MAX_RECIPIENTS).map(|number| numbered(Kem::XWing, number)).collect();
    let recipients: Vec<_> = own.iter().map(Identity::recipient).collect();
    let to = |recipients| {
        let mut file = Vec::new();
        seal(&b"text"[..], &mut file, Secret::Recipients(recipients), &Options::default()).map(|_| file)
    };
    let mut file = to(&recipients[..MAX_RECIPIENTS]).unwrap();
    assert_eq!(file.len(), HEADER + MAX_RECIPIENTS * stanza(Kem::XWing) + 4 + TAG);
    for own in &own[MAX_RECIPIENTS - 2..MAX_RECIPIENTS] {
        opened(&file, io::sink(), own).unwrap();
    }
    assert!(matches!(opened(&file, io::sink(), &own[MAX_RECIPIENTS]), Err(Error::WrongIdentity)));
    assert!(matches!(to(&recipients), Err(Error::RecipientCount(65))));
    assert!(matches!(to(&[]), Err(Error::RecipientCount(0))));
    for count in [0, 65, 255] {
        file[11] = count;
        let error = Opener::new(&file[..]).unwrap_err();
        assert!(matches!(error, Error::RecipientCount(c) if c == usize::from(count)), "{error:?}");
    }
}

#[test]
fn experimental_algorithms_have_to_be_allowed() {
    let (safe, clwe) = (identity(DEFAULT_KEM), identity(Kem::Clwe768));
    let kusumi = Options { algorithm: Algorithm::Kusumi512Poly1305, ..Options::default() };
    let refused = |result: Result<u64, Error>, name: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Experimental(given) if given == name), "{error:?}");
        assert!(error.to_string().starts_with(name), "{error}");
    };
    let mut written = Vec::new();
    let recipients = [safe.recipient(), clwe.recipient()];
    let plain = &b"text"[..];
    refused(seal(plain, &mut written, Secret::Recipients(&recipients), &Options::default()), "clwe-768");
    refused(seal(plain, &mut written, Secret::Identity(&clwe), &Options::default()), "clwe-768");
    refused(seal(plain, &mut written, Secret::Recipient(&recipients[0]), &kusumi), "kusumi512-poly1305");
    refused(seal(plain, &mut written, Secret::Passphrase(b"hush"), &kusumi), "kusumi512-poly1305");

    let file = sealed_to(plain, &[&safe, &clwe]);
    refused(open(&file[..], &mut written, Secret::Identity(&clwe)), "clwe-768");
    let by_kusumi = sealed(plain, &recipients[0], Algorithm::Kusumi512Poly1305);
    refused(open(&by_kusumi[..], &mut written, Secret::Identity(&safe)), "kusumi512-poly1305");
    assert!(written.is_empty());
    open(&file[..], &mut written, Secret::Identity(&safe)).unwrap();
    for (file, own) in [(&file, &clwe), (&by_kusumi, &safe)] {
        written.clear();
        opened(file, &mut written, own).unwrap();
        assert_eq!(written, plain);
    }
}

#[test]
fn cut_anywhere() {
    for &kem in Kem::ALL {
        let own = identity(kem);
        let file = sealed(b"text", &own.recipient(), Algorithm::default());
        let body = HEADER + stanza(kem);
        for end in 0..file.len() {
            let error = opened(&file[..end], io::sink(), &own).unwrap_err();
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
        let seeds = identity(kem).as_bytes().to_vec();
        for wrong in [&seeds[1..], &[&seeds[..], &[0]].concat(), &[]] {
            let error = KemKeyError::Length { kem, found: wrong.len(), expected: kem.seeds_size() };
            assert_eq!(Identity::from_bytes(kem, wrong).unwrap_err(), error);
        }
    }
}

#[test]
fn keys_as_text() {
    for &kem in Kem::ALL {
        let own = identity(kem);
        let (secret, public) = (own.to_text(), own.recipient().to_text());
        assert!(secret.starts_with(&format!("fairlane identity 1\n{kem}\n")), "{}", *secret);
        assert!(public.starts_with(&format!("fairlane recipient 1\n{kem}\n")), "{public}");
        let lines = (3 + kem.seeds_size() / 32, 3 + kem.encapsulation_key_size() / 32);
        assert_eq!((secret.lines().count(), public.lines().count()), lines);
        let read = |text: &str| text.parse::<Identity>().map(|own| (own.kem(), own.as_bytes().to_vec()));
        for right in [secret.to_string(), secret.replace('\n', " \r\n"), format!("{}\n\n", secret.trim_end())] {
            assert_eq!(read(&right), Ok((kem, own.as_bytes().to_vec())));
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
    assert_eq!(Kem::ALL.iter().filter(|kem| kem.reviewed()).count(), 4);
    assert!(DEFAULT_KEM == Kem::XWing && DEFAULT_KEM.reviewed());
}
