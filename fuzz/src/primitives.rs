//! Primitives on any backend, in any pieces.

use crate::input::Input;
use fairlane::Backend;
use fairlane::dynamic::{AeadAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use fairlane_reference as reference;

/// A backend of an algorithm that this machine has.
pub(crate) fn backend(input: &mut Input, backends: &[Backend]) -> Backend {
    let here: Vec<Backend> = backends.iter().copied().filter(|backend| backend.is_available()).collect();
    *input.choose(&here)
}

/// The reference's answer, if it has the algorithm.
fn reference_hash(algorithm: HashAlgorithm, message: &[u8], output: &mut [u8]) -> bool {
    use reference::{keccak, sm3};
    match algorithm {
        HashAlgorithm::Keccak224 => output.copy_from_slice(&keccak::keccak224(message)),
        HashAlgorithm::Keccak256 => output.copy_from_slice(&keccak::keccak256(message)),
        HashAlgorithm::Keccak384 => output.copy_from_slice(&keccak::keccak384(message)),
        HashAlgorithm::Keccak512 => output.copy_from_slice(&keccak::keccak512(message)),
        HashAlgorithm::Sha3_224 => output.copy_from_slice(&keccak::sha3_224(message)),
        HashAlgorithm::Sha3_256 => output.copy_from_slice(&keccak::sha3_256(message)),
        HashAlgorithm::Sha3_384 => output.copy_from_slice(&keccak::sha3_384(message)),
        HashAlgorithm::Sha3_512 => output.copy_from_slice(&keccak::sha3_512(message)),
        HashAlgorithm::Shake128 => keccak::shake128(message, output),
        HashAlgorithm::Shake256 => keccak::shake256(message, output),
        HashAlgorithm::TurboShake128 => keccak::turboshake128(message, 0x1f, output),
        HashAlgorithm::TurboShake256 => keccak::turboshake256(message, 0x1f, output),
        HashAlgorithm::Kt128 => keccak::kt128(message, b"", output),
        HashAlgorithm::Kt256 => keccak::kt256(message, b"", output),
        HashAlgorithm::Sm3 => output.copy_from_slice(&sm3::sm3(message)),
        _ => return false,
    }
    true
}

pub(crate) fn hashes(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(HashAlgorithm::ALL);
    let backend = Some(backend(&mut input, algorithm.backends()));
    let len = algorithm.output_size().unwrap_or_else(|| input.below(1000));
    let messages: Vec<Vec<u8>> = (0..input.below(12))
        .map(|_| input.below(20_000))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|len| input.bytes(len))
        .collect();
    let mut expected = vec![0; len * messages.len()];
    for (message, expected) in messages.iter().zip(expected.chunks_mut(len.max(1))) {
        assert!(reference_hash(algorithm, message, expected), "the reference has {algorithm}");
        let (mut hasher, mut rest) = (algorithm.hasher(backend).unwrap(), &message[..]);
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(1 + input.below(rest.len()));
            hasher.update(piece);
            rest = others;
        }
        let mut output = vec![0; len];
        hasher.finalize_into(&mut output).unwrap();
        assert_eq!(output, expected, "{algorithm} on {backend:?}");
    }
    let (mut output, slices) = (vec![0; expected.len()], messages.iter().map(Vec::as_slice).collect::<Vec<_>>());
    algorithm.hash_many(&slices, &mut output, backend).unwrap();
    assert_eq!(output, expected, "{algorithm} on {backend:?}, many");
}

/// Adds the keystream to zeros.
fn reference_keystream(algorithm: CipherAlgorithm, key: &[u8], iv: &[u8], data: &mut [u8]) {
    use reference::kalyna::{Kalyna, Variant};
    use reference::{chacha, kusumi, sm4, threefish};
    let kalyna = |variant| Kalyna::new(variant, key);
    let (key32, iv12) = (key.first_chunk(), iv.first_chunk());
    match algorithm {
        CipherAlgorithm::XChaCha20 => chacha::xchacha20(key32.unwrap(), iv.first_chunk().unwrap(), 0, data),
        CipherAlgorithm::ChaCha20 => chacha::chacha(20, key32.unwrap(), iv12.unwrap(), 0, data),
        CipherAlgorithm::ChaCha12 => chacha::chacha(12, key32.unwrap(), iv12.unwrap(), 0, data),
        CipherAlgorithm::ChaCha8 => chacha::chacha(8, key32.unwrap(), iv12.unwrap(), 0, data),
        CipherAlgorithm::Kusumi512 => kusumi::kusumi512(key.first_chunk().unwrap(), iv12.unwrap(), 1, data),
        CipherAlgorithm::Sm4Ctr => sm4::ctr(key.first_chunk().unwrap(), iv.first_chunk().unwrap(), data),
        CipherAlgorithm::Threefish512Ctr => {
            threefish::threefish512_ctr(key.first_chunk().unwrap(), iv.first_chunk().unwrap(), data);
        }
        CipherAlgorithm::Kalyna128_128Ctr => reference::kalyna::ctr(&kalyna(Variant::K128_128), iv, data),
        CipherAlgorithm::Kalyna128_256Ctr => reference::kalyna::ctr(&kalyna(Variant::K128_256), iv, data),
        CipherAlgorithm::Kalyna256_256Ctr => reference::kalyna::ctr(&kalyna(Variant::K256_256), iv, data),
        CipherAlgorithm::Kalyna256_512Ctr => reference::kalyna::ctr(&kalyna(Variant::K256_512), iv, data),
        CipherAlgorithm::Kalyna512_512Ctr => reference::kalyna::ctr(&kalyna(Variant::K512_512), iv, data),
        _ => panic!("{algorithm} is new"),
    }
}

pub(crate) fn ciphers(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(CipherAlgorithm::ALL);
    let backend = Some(backend(&mut input, algorithm.backends()));
    let (key, iv) = (input.bytes(algorithm.key_size()), input.bytes(algorithm.iv_size()));
    let len = input.below(12_000);
    let mut keystream = vec![0; len];
    // IVs that are counters: their end is an error before the first byte.
    if algorithm.cipher(&key, &iv, Some(Backend::Scalar)).unwrap().apply(&mut keystream).is_err() {
        assert!(keystream.iter().all(|byte| *byte == 0) || len == 0);
        return;
    }
    let mut by_reference = vec![0; len];
    reference_keystream(algorithm, &key, &iv, &mut by_reference);
    assert_eq!(keystream, by_reference, "{algorithm} and the reference");
    let mut cipher = algorithm.cipher(&key, &iv, backend).unwrap();
    let message = input.bytes(len);
    let expected: Vec<u8> = message.iter().zip(&keystream).map(|(a, b)| a ^ b).collect();
    let mut at = 0;
    for _ in 0..12 {
        let piece = at..at + input.below(len - at + 1);
        if input.byte() % 2 == 0 {
            // At any address.
            let shift = usize::from(input.byte() % 70);
            let mut data = vec![0x5a; shift + piece.len() + 70];
            data[shift..][..piece.len()].copy_from_slice(&message[piece.clone()]);
            cipher.apply(&mut data[shift..][..piece.len()]).unwrap();
            assert_eq!(data[shift..][..piece.len()], expected[piece.clone()], "{algorithm} on {backend:?}");
            assert!(data[..shift].iter().chain(&data[shift + piece.len()..]).all(|byte| *byte == 0x5a));
        } else {
            let mut output = vec![0; piece.len()];
            cipher.apply_to(&message[piece.clone()], &mut output).unwrap();
            assert_eq!(output, expected[piece.clone()], "{algorithm} on {backend:?}");
        }
        at = piece.end;
        if input.byte() % 3 == 0 {
            at = input.below(len + 1);
            cipher.seek(at as u64).unwrap();
        }
    }
}

pub(crate) fn aeads(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(AeadAlgorithm::ALL);
    let backends = [(); 2].map(|()| Some(backend(&mut input, algorithm.backends())));
    let (key, mut nonce) = (input.bytes(algorithm.key_size()), input.bytes(algorithm.nonce_size()));
    let (len, header) = (input.below(6000), input.below(300));
    let (message, mut header) = (input.bytes(len), input.bytes(header));
    let [one, other] = backends.map(|backend| algorithm.aead(&key, backend).unwrap());
    let mut sealed = vec![0; len + algorithm.tag_size()];
    let mut again = sealed.clone();
    let done = one.seal(&nonce, &header, &message, &mut sealed);
    assert_eq!(done.is_ok(), other.seal(&nonce, &header, &message, &mut again).is_ok());
    assert_eq!(sealed, again, "{algorithm} on {backends:?}");
    if done.is_err() {
        return;
    }
    let mut expected = message.clone();
    let (key32, nonce12) = (key.first_chunk(), nonce.first_chunk());
    let tag = match (algorithm, key32, nonce12) {
        (AeadAlgorithm::ChaCha20Poly1305, Some(key), Some(nonce)) => {
            Some(reference::aead::chacha20_poly1305_seal(key, nonce, &header, &mut expected))
        }
        (AeadAlgorithm::XChaCha20Poly1305, Some(key), _) => {
            let nonce = nonce.first_chunk().unwrap();
            Some(reference::aead::xchacha20_poly1305_seal(key, nonce, &header, &mut expected))
        }
        (AeadAlgorithm::Sm4Gcm, ..) => {
            Some(reference::sm4::gcm_seal(key.first_chunk().unwrap(), &nonce, &header, &mut expected))
        }
        (AeadAlgorithm::Sm4Ccm, ..) => {
            Some(reference::sm4::ccm_seal(key.first_chunk().unwrap(), &nonce, &header, &mut expected))
        }
        _ => None,
    };
    if let Some(tag) = tag {
        assert_eq!(sealed, [&expected[..], &tag].concat(), "{algorithm} and the reference");
    }
    let mut opened = vec![0; len];
    other.open(&nonce, &header, &sealed, &mut opened).unwrap();
    assert_eq!(opened, message, "{algorithm} on {backends:?}");
    // One bit of what the tag covers. That of Kalyna's GCM does not cover the nonce.
    let name = algorithm.name();
    let covered = if name.starts_with("kalyna") && name.ends_with("gcm") { 0 } else { nonce.len() };
    let changed = input.below(8 * (sealed.len() + header.len() + covered));
    let mut bit = changed;
    for part in [&mut sealed, &mut header, &mut nonce] {
        if let Some(byte) = part.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
            break;
        }
        bit -= 8 * part.len();
    }
    opened.fill(0x5a);
    assert!(other.open(&nonce, &header, &sealed, &mut opened).is_err(), "{algorithm} on {backends:?}, bit {changed}");
    assert!(opened.iter().all(|byte| *byte == 0x5a), "nothing is written");
}

pub(crate) fn kems(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(KemAlgorithm::ALL);
    let [one, other] = [(); 2].map(|()| Some(backend(&mut input, algorithm.backends())));
    let (seeds, m) = (input.bytes(algorithm.seeds_size()), input.bytes(algorithm.randomness_size()));
    let key = algorithm.decapsulation_key_from_seeds(&seeds, one).unwrap();
    let twin = algorithm.decapsulation_key_from_seeds(&seeds, other).unwrap();
    let (mut expanded, mut again) = (vec![0; algorithm.expanded_size()], vec![0; algorithm.expanded_size()]);
    key.write_expanded(&mut expanded).unwrap();
    twin.write_expanded(&mut again).unwrap();
    assert_eq!(expanded, again, "{algorithm} on {one:?} and {other:?}");
    let public = algorithm.encapsulation_key_from_bytes(key.encapsulation_key(), other).unwrap();
    let mut ciphertext = vec![0; algorithm.ciphertext_size()];
    let [mut sent, mut received, mut damaged, mut damaged_again] = [[0; 32]; 4];
    public.encapsulate(&m, &mut ciphertext, &mut sent).unwrap();
    key.decapsulate(&ciphertext, &mut received).unwrap();
    assert_eq!(sent, received, "{algorithm} on {one:?} and {other:?}");
    let bit = input.below(8 * ciphertext.len());
    ciphertext[bit / 8] ^= 1 << (bit % 8);
    key.prepare().decapsulate(&ciphertext, &mut damaged).unwrap();
    twin.decapsulate(&ciphertext, &mut damaged_again).unwrap();
    assert!(damaged == damaged_again && damaged != sent, "{algorithm} on {one:?} and {other:?}, damaged");
    // A changed key is refused, or another key.
    let bit = input.below(8 * expanded.len());
    expanded[bit / 8] ^= 1 << (bit % 8);
    let [a, b] = [one, other].map(|backend| algorithm.decapsulation_key_from_expanded(&expanded, backend));
    assert_eq!(a.is_ok(), b.is_ok(), "{algorithm} on {one:?} and {other:?}, a changed key");
}

/// Batches of keys, encapsulations and decapsulations, some of them damaged, are as one by one.
pub(crate) fn kem_batches(bytes: &[u8]) {
    let mut input = Input(bytes);
    let algorithm = *input.choose(KemAlgorithm::ALL);
    let on = Some(backend(&mut input, algorithm.backends()));
    let count = usize::from(input.byte() % 20);
    // Miri takes half a minute for each.
    let count = if cfg!(miri) { 2 } else { count };
    let (seeds, m) = (input.bytes(count * algorithm.seeds_size()), input.bytes(count * algorithm.randomness_size()));
    let own = algorithm.generate_many(&seeds, on).unwrap();
    let public: Vec<_> =
        own.iter().map(|key| algorithm.encapsulation_key_from_bytes(key.encapsulation_key(), on).unwrap()).collect();
    let own: Vec<_> = own.iter().map(|key| &**key).collect();
    let public: Vec<_> = public.iter().map(|key| &**key).collect();
    let size = algorithm.ciphertext_size();
    let (mut ciphertexts, mut sent) = (vec![0; count * size], vec![0; 32 * count]);
    algorithm.encapsulate_many(&public, &m, &mut ciphertexts, &mut sent).unwrap();
    for i in 0..count {
        let one =
            algorithm.decapsulation_key_from_seeds(&seeds[i * algorithm.seeds_size()..][..algorithm.seeds_size()], on);
        assert_eq!(one.unwrap().encapsulation_key(), own[i].encapsulation_key(), "{algorithm} on {on:?}, key {i}");
        let (mut ciphertext, mut secret) = (vec![0; size], [0; 32]);
        let m = &m[i * algorithm.randomness_size()..][..algorithm.randomness_size()];
        public[i].encapsulate(m, &mut ciphertext, &mut secret).unwrap();
        assert_eq!(ciphertext, ciphertexts[i * size..][..size], "{algorithm} on {on:?}, {i}");
        assert_eq!(secret, sent[32 * i..][..32], "{algorithm} on {on:?}, {i}");
        if input.byte() % 3 == 0 {
            ciphertexts[i * size + input.below(size)] ^= 1 << (input.byte() % 8);
        }
    }
    let mut received = vec![0; 32 * count];
    algorithm.decapsulate_many(&own, &ciphertexts, &mut received).unwrap();
    for i in 0..count {
        let mut secret = [0; 32];
        own[i].decapsulate(&ciphertexts[i * size..][..size], &mut secret).unwrap();
        assert_eq!(secret, received[32 * i..][..32], "{algorithm} on {on:?}, {i}");
    }
}
