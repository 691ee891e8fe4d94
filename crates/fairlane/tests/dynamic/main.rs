//! Algorithms by name: every one on every backend gives what its type gives, and bad input is an error.

mod aeads;
mod block_modes;
mod ciphers;
#[path = "../common/mod.rs"]
mod common;
mod hashes;
mod kems;

use fairlane::Backend;
use fairlane::dynamic::{AeadAlgorithm, BlockModeAlgorithm, CipherAlgorithm, Error, HashAlgorithm, KemAlgorithm};
use std::mem::MaybeUninit;

/// Lengths of messages in bytes.
const LENGTHS: [usize; 8] = [0, 1, 15, 64, 136, 137, 1000, 20_000];

/// The best backend, and each of those that are available.
fn choices(backends: &'static [Backend]) -> impl Iterator<Item = Option<Backend>> {
    let here = backends.iter().copied().filter(|backend| backend.is_available());
    [None].into_iter().chain(here.map(Some))
}

/// A backend that an algorithm lacks.
fn missing(backends: &[Backend]) -> Backend {
    *Backend::ALL.iter().find(|backend| !backends.contains(backend)).expect("no algorithm has kernels for all backends")
}

fn assert_wrong_length<T>(result: Result<T, Error>, expected: usize, given: usize) {
    match result {
        Err(Error::WrongLength { expected: found, given: len, .. }) => assert_eq!((found, len), (expected, given)),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{given} bytes instead of {expected} were taken"),
    }
}

#[test]
fn names_lead_to_algorithms_and_back() {
    for &algorithm in HashAlgorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        assert!(!algorithm.description().is_empty() && algorithm.block_size() > 0);
    }
    assert!(AeadAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert!(CipherAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert!(KemAlgorithm::ALL.iter().all(|&algorithm| algorithm.name().parse() == Ok(algorithm)));
    assert_eq!(KemAlgorithm::default(), KemAlgorithm::ALL[0]);

    let error = "ML-KEM-768\n".parse::<KemAlgorithm>().unwrap_err();
    let known = "ml-kem-768, ml-kem-512, ml-kem-1024, x-wing, clwe-512, clwe-768, clwe-1024";
    assert_eq!(error.to_string(), format!(r"no KEM is called 'ML-KEM-768\n'; there are {known}"));
    assert_eq!((error.name(), error.known().join(", ").as_str()), ("ML-KEM-768\n", known));
    assert!("".parse::<HashAlgorithm>().is_err() && "sha3".parse::<HashAlgorithm>().is_err());
    assert!("aes-gcm".parse::<AeadAlgorithm>().is_err() && "chacha".parse::<CipherAlgorithm>().is_err());
}

#[test]
fn errors_say_what_is_wrong() {
    let unknown = "sm5".parse::<CipherAlgorithm>().unwrap_err();
    let message = unknown.to_string();
    let errors = [
        (Error::from(unknown), message.as_str()),
        (
            Error::WrongLength { what: "key", expected: 32, given: 31 },
            "the length of the key is 31 bytes instead of 32",
        ),
        (Error::WrongCount { messages: 1, outputs: 3 }, "1 messages, but 3 outputs"),
        (Error::InvalidKey, "the bytes are no key of this algorithm"),
        (Error::AuthenticationFailed, "the tag is not that of the message"),
        (Error::TooLong, "longer than the algorithm is defined for"),
        (Error::Empty, "the algorithm is not defined for empty messages"),
        (Error::TooShort { at_least: 16, given: 3 }, "the message has 3 bytes; it needs 16"),
        (Error::NotWholeBlocks { block: 16, given: 17 }, "the message has 17 bytes, which are not whole blocks of 16"),
        (Error::OtherAlgorithm, "a key is of another algorithm"),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
    }
    let backend = missing(HashAlgorithm::ALL[0].backends());
    let unsupported = HashAlgorithm::ALL[0].hasher(Some(backend)).expect_err("no kernel for it");
    assert!(unsupported.to_string().contains(backend.name()), "{unsupported}");
}

#[test]
fn objects_in_memory_of_the_caller_are_those_of_the_heap() {
    let bytes: Vec<u8> = (0..64).collect();
    let mut memory = vec![MaybeUninit::uninit(); 8192];
    // At several addresses, each with as much memory as is needed and with too little.
    for at in [0, 1, 7, 8, 16, 33] {
        for &algorithm in AeadAlgorithm::ALL {
            let (key, nonce) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.nonce_size()]);
            let size = algorithm.memory_size();
            let [mut here, mut there] = [(); 2].map(|()| vec![0; 50 + algorithm.tag_size()]);
            let aead = algorithm.aead_in(key, None, &mut memory[at..][..size]).unwrap();
            assert_eq!(aead.algorithm(), algorithm);
            aead.seal(nonce, b"header", &[7; 50], &mut here).unwrap();
            algorithm.aead(key, None).unwrap().seal(nonce, b"header", &[7; 50], &mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            drop(aead);
            assert_wrong_length(algorithm.aead_in(key, None, &mut memory[at..][..9]), size, 9);
            assert!(algorithm.aead_in(&bytes[1..][..key.len() - 1], None, &mut memory).is_err());
        }
        for &algorithm in CipherAlgorithm::ALL {
            let (key, iv) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.iv_size()]);
            let size = algorithm.memory_size();
            let (mut here, mut there) = ([7; 50], [7; 50]);
            let mut cipher = algorithm.cipher_in(key, iv, None, &mut memory[at..][..size]).unwrap();
            cipher.apply(&mut here).unwrap();
            algorithm.cipher(key, iv, None).unwrap().apply(&mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            assert_eq!(cipher.position(), Ok(50));
            drop(cipher);
            assert_wrong_length(algorithm.cipher_in(key, iv, None, &mut memory[at..][..9]), size, 9);
        }
        for &algorithm in BlockModeAlgorithm::ALL {
            let (key, iv) = (&bytes[..algorithm.key_size()], &bytes[..algorithm.iv_size()]);
            let size = algorithm.memory_size();
            let (mut here, mut there) = ([7; 128], [7; 128]);
            let mode = algorithm.mode_in(key, None, &mut memory[at..][..size]).unwrap();
            mode.encrypt_in_place(iv, &mut here).unwrap();
            algorithm.mode(key, None).unwrap().encrypt_in_place(iv, &mut there).unwrap();
            assert_eq!(here, there, "{algorithm}");
            drop(mode);
            assert_wrong_length(algorithm.mode_in(key, None, &mut memory[at..][..9]), size, 9);
        }
    }
}
