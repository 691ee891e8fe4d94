//! Sealed streams: known answers, an independent STREAM, every way to damage a file, and readers of every manner.

use aead_stream::{NewStream, StreamBE32};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, XChaCha20Poly1305};
use fairlane::kusumi::Kusumi512Poly1305;
use fairlane::sealed::{
    Algorithm, CHUNK, Error, HEADER, Identity, Kem, Key, Opener, Options, PassphraseCost, Secret, TAG, open, seal,
};
use hkdf::Hkdf;
use serde_json::Value;
use sha2::Sha512;
use std::io::{self, Read, Write};

/// Lengths where code goes wrong.
const LENGTHS: &[usize] =
    &[0, 1, 15, 16, 17, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1, 5 * CHUNK + 99];

fn key() -> Key {
    Key::from_bytes(&std::array::from_fn(|i| i as u8))
}

fn plaintext(length: usize) -> Vec<u8> {
    (0..length).map(|i| ((i * i) >> 7) as u8).collect()
}

fn sealed(plain: &[u8], algorithm: Algorithm) -> Vec<u8> {
    let mut sealed = Vec::new();
    let options = Options { algorithm, experimental: true, ..Options::default() };
    assert_eq!(seal(plain, &mut sealed, Secret::Key(&key()), &options).unwrap(), plain.len() as u64);
    sealed
}

/// Opens; whatever happens, what was written must be the beginning of `plain`, whole chunks of it.
#[track_caller]
fn opened(sealed: &[u8], plain: &[u8]) -> Result<u64, Error> {
    let mut written = Vec::new();
    let result =
        Opener::new(sealed).and_then(|opener| opener.allow_experimental().open(&mut written, Secret::Key(&key())));
    match &result {
        Ok(length) => assert_eq!((*length, &written[..]), (plain.len() as u64, plain)),
        Err(_) => assert!(plain.starts_with(&written) && written.len().is_multiple_of(CHUNK)),
    }
    result
}

/// The chunks of a sealed file.
fn chunks(sealed: &[u8]) -> Vec<&[u8]> {
    sealed[HEADER..].chunks(CHUNK + TAG).collect()
}

/// A file of this header and these chunks.
fn joined(sealed: &[u8], chunks: &[&[u8]]) -> Vec<u8> {
    [&sealed[..HEADER], &chunks.concat()].concat()
}

#[test]
fn known_answers() {
    let vectors: Value = serde_json::from_str(fairlane_vectors::SEALED).unwrap();
    let hex = |value: &Value| -> Vec<u8> {
        let digits = value.as_str().unwrap().as_bytes();
        digits.chunks(2).map(|byte| u8::from_str_radix(str::from_utf8(byte).unwrap(), 16).unwrap()).collect()
    };
    let cases = vectors["cases"].as_array().unwrap();
    // Of older versions one for each KEM but X-Wing; of this one X-Wing alone, and two for one file with three.
    assert_eq!(cases.len(), 4 * Algorithm::ALL.len() + 6 + 3);
    for case in cases {
        let opener = Opener::new(io::Cursor::new(hex(&case["sealed"]))).unwrap().allow_experimental();
        assert_eq!(opener.algorithm().name(), case["algorithm"].as_str().unwrap());
        let mut plain = Vec::new();
        let (cost, kem) = (opener.cost(), opener.kem());
        if let Some(kems) = case["kems"].as_array() {
            assert_eq!(opener.kems().iter().map(|kem| kem.name()).collect::<Vec<_>>(), *kems);
        }
        match (case["passphrase"].as_str(), case["kem"].as_str()) {
            (Some(passphrase), _) => {
                assert_eq!((cost, kem), (Some("m=64,t=2,p=4".parse().unwrap()), None));
                opener.open(&mut plain, Secret::Passphrase(passphrase.as_bytes()))
            }
            (None, Some(name)) => {
                let named: Kem = name.parse().unwrap();
                assert!(cost.is_none() && opener.kems().contains(&named));
                let own = Identity::from_bytes(named, &hex(&case["identity"])).unwrap();
                opener.open(&mut plain, Secret::Identity(&own))
            }
            (None, None) => {
                assert_eq!((cost, kem), (None, None));
                let key = Key::from_bytes(hex(&case["key"]).as_slice().try_into().unwrap());
                opener.open(&mut plain, Secret::Key(&key))
            }
        }
        .unwrap();
        assert_eq!(plain, hex(&case["plaintext"]));
    }
}

/// The whole file as docs/sealed.md describes it, by the crate `aead-stream` and, where there is one, another AEAD.
fn twin(header: &[u8], plain: &[u8], algorithm: Algorithm) -> Vec<u8> {
    match algorithm {
        Algorithm::XChaCha20Poly1305 => twin_over::<StreamBE32<XChaCha20Poly1305>, _>(header, plain),
        Algorithm::ChaCha20Poly1305 => twin_over::<StreamBE32<ChaCha20Poly1305>, _>(header, plain),
        _ => twin_over::<StreamBE32<Kusumi512Poly1305>, _>(header, plain),
    }
}

fn twin_over<S, A>(header: &[u8], plain: &[u8]) -> Vec<u8>
where
    S: NewStream<A, Counter = u32>,
    A: aead::AeadInOut + KeyInit,
    A::NonceSize: std::ops::Sub<S::NonceOverhead>,
    aead_stream::NonceSize<A, S>: aead::array::ArraySize,
{
    let nonce = size_of::<aead_stream::Nonce<A, S>>();
    let mut derived = vec![0; 32 + A::key_size() + nonce];
    let (info, salt) = header[..52].split_at(20);
    Hkdf::<Sha512>::new(Some(salt), key().as_bytes()).expand(info, &mut derived).unwrap();
    let (check, derived) = derived.split_at(32);
    let (key, prefix) = derived.split_at(A::key_size());
    let stream = S::new(key.try_into().unwrap(), prefix.try_into().unwrap());
    let mut sealed = [&header[..52], check].concat();
    let mut chunks = plain.chunks(CHUNK).peekable();
    for position in 0.. {
        let mut chunk = chunks.next().unwrap_or_default().to_vec();
        let last = chunks.peek().is_none();
        stream.encrypt_in_place(position, last, b"", &mut chunk).unwrap();
        sealed.extend(chunk);
        if last {
            break;
        }
    }
    sealed
}

#[test]
fn files_agree_with_another_stream_and_open_again() {
    for &algorithm in Algorithm::ALL {
        for &length in LENGTHS {
            let plain = plaintext(length);
            let sealed = sealed(&plain, algorithm);
            assert!(sealed == twin(&sealed, &plain, algorithm), "{algorithm}, {length} bytes");
            assert_eq!(sealed.len(), HEADER + length + TAG * length.div_ceil(CHUNK).max(1));
            opened(&sealed, &plain).unwrap();
        }
    }
}

#[test]
fn every_file_has_its_own_salt() {
    let one = sealed(b"the same", Algorithm::default());
    let other = sealed(b"the same", Algorithm::default());
    assert_ne!(one[20..52], other[20..52]);
    assert_ne!(one[52..], other[52..]);
}

/// Gives from 1 to `most` bytes a read, and is interrupted before each; panics when it is read after its end.
struct Awkward<'a> {
    bytes: &'a [u8],
    most: usize,
    turn: usize,
    ended: bool,
}

impl Read for Awkward<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn % 2 == 1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        assert!(!self.ended, "read after its end");
        let length = (1 + self.turn * 7919 % self.most).min(buffer.len());
        let read = self.bytes.read(&mut buffer[..length])?;
        self.ended = read == 0;
        Ok(read)
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_reads() {
    let algorithm = Algorithm::default();
    for &length in LENGTHS {
        for most in [1, 7, 1000, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let plain = plaintext(length);
            let awkward = |bytes| Awkward { bytes, most, turn: 0, ended: false };
            let mut sealed = Vec::new();
            seal(awkward(&plain), &mut sealed, Secret::Key(&key()), &Options::default()).unwrap();
            assert!(sealed == twin(&sealed, &plain, algorithm), "{length} bytes, up to {most} a read");
            let mut opened = Vec::new();
            open(awkward(&sealed), &mut opened, Secret::Key(&key())).unwrap();
            assert!(opened == plain);
        }
    }
}

#[test]
fn cut_anywhere() {
    for &algorithm in Algorithm::ALL {
        for length in [0, 5, 100] {
            let plain = plaintext(length);
            let sealed = sealed(&plain, algorithm);
            for end in 0..sealed.len() {
                let error = opened(&sealed[..end], &plain).unwrap_err();
                let right = match end {
                    0..8 => matches!(error, Error::NotASealedFile),
                    8..100 => matches!(error, Error::Truncated),
                    _ => matches!(error, Error::Corrupt { chunk: 0, last: true }),
                };
                assert!(right, "{end} of {} bytes: {error:?}", sealed.len());
            }
        }
    }
}

#[test]
fn cut_between_and_within_chunks() {
    for length in [CHUNK, 2 * CHUNK, 2 * CHUNK + 5] {
        let plain = plaintext(length);
        let sealed = sealed(&plain, Algorithm::default());
        let chunk = CHUNK + TAG;
        let near = |at: usize| at.saturating_sub(40)..at + 40;
        let ends = (1..3).flat_map(|n| near(HEADER + n * chunk)).chain((0..sealed.len()).step_by(7919));
        for end in ends.filter(|&end| (HEADER..sealed.len()).contains(&end)) {
            let error = opened(&sealed[..end], &plain).unwrap_err();
            let (whole, rest) = ((end - HEADER) / chunk, (end - HEADER) % chunk);
            // Less than a tag after whole chunks: if they are all, it is the flag of the last one that tells.
            let right = match error {
                Error::Truncated => rest < TAG,
                Error::Corrupt { chunk, last: true } => rest >= TAG && chunk == whole as u64,
                _ => false,
            };
            assert!(right, "{end} of {} bytes: {error:?}", sealed.len());
        }
    }
}

#[test]
fn every_bit_of_a_small_file_counts() {
    let plain = plaintext(20);
    for &algorithm in Algorithm::ALL {
        let sealed = sealed(&plain, algorithm);
        for bit in 0..8 * sealed.len() {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let error = opened(&changed, &plain).unwrap_err();
            let right = match bit / 8 {
                0..8 => matches!(error, Error::NotASealedFile),
                8 => matches!(error, Error::UnknownVersion(_)),
                9 => matches!(error, Error::UnknownAlgorithm(_) | Error::WrongKey),
                10 => matches!(error, Error::UnknownKeySource(_) | Error::BadCost(0, 0, 0) | Error::UnknownKem(0)),
                at @ 11..20 => matches!(error, Error::NotZero { at: found, .. } if found == at),
                20..HEADER => matches!(error, Error::WrongKey),
                _ => matches!(error, Error::Corrupt { chunk: 0, last: true }),
            };
            assert!(right, "bit {bit}: {error:?}");
        }
    }
}

#[test]
fn every_bit_of_a_passphrases_header_counts() {
    let cost: PassphraseCost = "m=8,t=1,p=1".parse().unwrap();
    let passphrase = Secret::Passphrase(b"passphrase");
    let mut sealed = Vec::new();
    seal(&b"text"[..], &mut sealed, passphrase, &Options { cost, ..Options::default() }).unwrap();
    for bit in 0..8 * HEADER {
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = match Opener::new(&changed[..]) {
            // What would take long is the same as what does not.
            Ok(opener) if opener.cost().is_some_and(|cost| cost.memory() * cost.passes() > 1 << 12) => continue,
            Ok(opener) => opener.allow_experimental().open(io::sink(), passphrase).unwrap_err(),
            Err(error) => error,
        };
        let right = match bit / 8 {
            0..8 => matches!(error, Error::NotASealedFile),
            8 => matches!(error, Error::UnknownVersion(_)),
            9 => matches!(error, Error::UnknownAlgorithm(_) | Error::WrongKey),
            10 => matches!(error, Error::UnknownKeySource(_) | Error::NotZero { at: 11 | 15, .. }),
            11..20 => matches!(error, Error::BadCost(..) | Error::WrongKey),
            _ => matches!(error, Error::WrongKey),
        };
        assert!(right, "bit {bit}: {error:?}");
    }
}

#[test]
fn reordered_repeated_dropped_and_foreign_chunks() {
    let plain = plaintext(3 * CHUNK + 10);
    let file = sealed(&plain, Algorithm::default());
    let [a, b, c, d] = chunks(&file)[..] else { panic!("four chunks") };
    // Sealed under the same key, the same text in the same place.
    let other = sealed(&plain, Algorithm::default());
    let foreign = chunks(&other)[1];
    for (damaged, chunk, last) in [
        (vec![b, a, c, d], 0, false),
        (vec![a, c, b, d], 1, false),
        (vec![a, a, b, c, d], 1, false),
        (vec![a, b, c, c, d], 3, false),
        (vec![a, c, d], 1, false),
        (vec![a, b, d], 2, true),
        (vec![d], 0, true),
        (vec![a, foreign, c, d], 1, false),
        (vec![a, b, c, chunks(&other)[3]], 3, true),
        (vec![a, b, c, d, d], 3, true),
        (vec![a, b, c, d, b"x"], 3, true),
    ] {
        let error = opened(&joined(&file, &damaged), &plain).unwrap_err();
        let right = matches!(error, Error::Corrupt { chunk: c, last: l } if (c, l) == (chunk, last));
        assert!(right, "{error:?} instead of {chunk}, {last}");
    }
    assert!(matches!(opened(&joined(&file, &[a, b, c]), &plain), Err(Error::Truncated)));
    assert!(matches!(opened(&joined(&other, &[a, b, c, d]), &plain), Err(Error::Corrupt { chunk: 0, last: false })));
}

#[test]
fn what_follows_a_whole_file() {
    // After a last chunk that is full it is known to be too much; after a shorter one it cannot be told from a
    // change.
    for length in [CHUNK, 2 * CHUNK] {
        let plain = plaintext(length);
        let file = sealed(&plain, Algorithm::default());
        for more in [&b"\0"[..], &[0; TAG], &file, chunks(&file)[0]] {
            let error = opened(&[&file, more].concat(), &plain).unwrap_err();
            assert!(matches!(error, Error::TrailingData), "{error:?}");
        }
    }
    let file = sealed(b"short", Algorithm::default());
    for more in [&b"\0"[..], &file] {
        let error = opened(&[&file, more].concat(), b"short").unwrap_err();
        assert!(matches!(error, Error::Corrupt { chunk: 0, last: true }), "{error:?}");
    }
}

#[test]
fn other_secrets() {
    let cost = PassphraseCost::new(8, 1, 1).unwrap();
    let options = Options { cost, ..Options::default() };
    let keys = [key(), Key::generate().unwrap()];
    let identities = [Kem::MlKem768, Kem::MlKem768, Kem::XWing].map(|kem| Identity::generate(kem).unwrap());
    let secrets = [
        Secret::Key(&keys[0]),
        Secret::Key(&keys[1]),
        Secret::Passphrase(b"passphrase"),
        Secret::Passphrase(b"passphrase "),
        Secret::Identity(&identities[0]),
        Secret::Identity(&identities[1]),
        Secret::Identity(&identities[2]),
    ];
    for (i, &right) in secrets.iter().enumerate() {
        let mut file = Vec::new();
        seal(&b"text"[..], &mut file, right, &options).unwrap();
        for (j, &secret) in secrets.iter().enumerate() {
            let mut written = Vec::new();
            let result = open(&file[..], &mut written, secret);
            let expected = match (right, secret) {
                _ if i == j => matches!(result, Ok(4)),
                (Secret::Key(_), Secret::Key(_)) | (Secret::Passphrase(_), Secret::Passphrase(_)) => {
                    matches!(result, Err(Error::WrongKey))
                }
                (Secret::Identity(one), Secret::Identity(two)) if one.kem() == two.kem() => {
                    matches!(result, Err(Error::WrongIdentity))
                }
                (Secret::Identity(one), Secret::Identity(two)) => matches!(
                    result,
                    Err(Error::OtherKem { file, identity }) if file == one.kem() && identity == two.kem()
                ),
                (Secret::Key(_), _) => matches!(result, Err(Error::NeedsKey)),
                (Secret::Passphrase(_), _) => matches!(result, Err(Error::NeedsPassphrase)),
                _ => matches!(result, Err(Error::NeedsIdentity(_))),
            };
            assert!(expected && (i == j || written.is_empty()), "{right:?} {i}, {secret:?} {j}: {result:?}");
        }
        // To whom it was sealed is not who opens it.
        let recipient = identities[0].recipient();
        assert!(open(&file[..], io::sink(), Secret::Recipient(&recipient)).is_err());
    }
    let empty = seal(&b"text"[..], io::sink(), Secret::Passphrase(b""), &options);
    assert!(matches!(empty, Err(Error::BadPassphrase)));
}

/// Takes so many bytes and fails then.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn readers_and_writers_that_fail() {
    let plain = plaintext(CHUNK + 1);
    let file = sealed(&plain, Algorithm::default());
    let secret_key = key();
    let secret = Secret::Key(&secret_key);
    let broken = || plain.chain(io::empty()).chain(Broken);
    assert!(matches!(seal(broken(), io::sink(), secret, &Options::default()), Err(Error::Read(_))));
    assert!(matches!(open(file[..90].chain(Broken), io::sink(), secret), Err(Error::Read(_))));
    assert!(matches!(Opener::new(Broken), Err(Error::Read(_))));
    for room in [0, HEADER, HEADER + CHUNK + TAG] {
        assert!(matches!(seal(&plain[..], Full(room), secret, &Options::default()), Err(Error::Write(_))));
    }
    assert!(matches!(open(&file[..], Full(CHUNK), secret), Err(Error::Write(_))));
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}
