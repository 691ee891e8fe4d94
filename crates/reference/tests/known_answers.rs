//! Every known answer in the crate `fairlane-vectors`, against the reference.

#[path = "known_answers/kalyna.rs"]
mod kalyna;
#[path = "known_answers/kem.rs"]
mod kem;

use fairlane_reference::aead::*;
use fairlane_reference::chacha::{chacha, hchacha20, xchacha20};
use fairlane_reference::ghash::ghash;
use fairlane_reference::keccak::*;
use fairlane_reference::kusumi::kusumi512;
use fairlane_reference::poly1305::poly1305;
use fairlane_reference::sm3::{hmac_sm3, sm3};
use fairlane_reference::sm4::*;
use fairlane_reference::threefish::{Threefish, threefish512_ctr};
use fairlane_vectors as vectors;
use fairlane_vectors::CipherCase;

#[test]
fn keccak() {
    for case in vectors::load("keccak.json") {
        match case.function.as_str() {
            "keccak224" => case.check(&keccak224(&case.message)),
            "keccak256" => case.check(&keccak256(&case.message)),
            "keccak384" => case.check(&keccak384(&case.message)),
            "keccak512" => case.check(&keccak512(&case.message)),
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn sha3() {
    for case in vectors::load("sha3.json") {
        match case.function.as_str() {
            "sha3-224" => case.check(&sha3_224(&case.message)),
            "sha3-256" => case.check(&sha3_256(&case.message)),
            "sha3-384" => case.check(&sha3_384(&case.message)),
            "sha3-512" => case.check(&sha3_512(&case.message)),
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn shake() {
    for case in vectors::load("shake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "shake128" => shake128(&case.message, output),
            "shake256" => shake256(&case.message, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn parallel_hash() {
    for case in vectors::load("parallel_hash.json") {
        let function = match case.function.as_str() {
            "parallelhash128" => parallel_hash128,
            "parallelhash256" => parallel_hash256,
            "parallelhashxof128" => parallel_hash_xof128,
            "parallelhashxof256" => parallel_hash_xof256,
            name => panic!("{name}"),
        };
        case.check_xof(|output| function(&case.message, case.block, &case.customization, output));
    }
}

#[test]
fn cshake() {
    for case in vectors::load("cshake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "cshake128" => cshake128(&case.message, &case.name, &case.customization, output),
            "cshake256" => cshake256(&case.message, &case.name, &case.customization, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn turboshake() {
    for case in vectors::load("turboshake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "turboshake128" => turboshake128(&case.message, case.domain, output),
            "turboshake256" => turboshake256(&case.message, case.domain, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn kangaroo_twelve() {
    for case in vectors::load("kt128.json") {
        case.check_xof(|output| kt128(&case.message, &case.customization, output));
    }
    for case in vectors::load("kt256.json") {
        case.check_xof(|output| kt256(&case.message, &case.customization, output));
    }
}

#[test]
fn poly1305_and_hchacha20() {
    for case in vectors::load("poly1305.json") {
        case.check(&poly1305(array(&case.key), &case.message));
    }
    for case in vectors::load("hchacha20.json") {
        case.check(&hchacha20(array(&case.key), array(&case.message)));
    }
}

#[test]
fn stream_ciphers() {
    for file in ["chacha20.json", "xchacha20.json", "kusumi512.json"] {
        for case in vectors::load_ciphers(file) {
            let counter = || u32::try_from(case.counter).unwrap();
            let apply = |data: &mut [u8]| match case.function.as_str() {
                "chacha8" => chacha(8, array(&case.key), array(&case.nonce), counter(), data),
                "chacha12" => chacha(12, array(&case.key), array(&case.nonce), counter(), data),
                "chacha20" => chacha(20, array(&case.key), array(&case.nonce), counter(), data),
                "xchacha20" => xchacha20(array(&case.key), array(&case.nonce), counter(), data),
                "kusumi512" => kusumi512(array(&case.key), array(&case.nonce), case.counter, data),
                other => panic!("unknown function {other}"),
            };
            check_stream(&case, apply);
        }
    }
}

#[test]
fn threefish() {
    for case in vectors::load_ciphers("threefish.json") {
        match case.function.as_str() {
            "threefish256" => check_threefish::<4>(&case),
            "threefish512" => check_threefish::<8>(&case),
            "threefish1024" => check_threefish::<16>(&case),
            "threefish512-ctr" => {
                check_stream(&case, |data| threefish512_ctr(array(&case.key), array(&case.nonce), data));
            }
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn sm3_hmac_sm3_and_ghash() {
    for case in vectors::load("sm3.json") {
        case.check(&sm3(&case.message));
    }
    for case in vectors::load("hmac_sm3.json") {
        case.check(&hmac_sm3(&case.key, &case.message));
    }
    for case in vectors::load("ghash.json") {
        case.check(&ghash(array(&case.key), &case.message));
    }
}

#[test]
fn sm4() {
    for case in vectors::load_ciphers("sm4.json") {
        let key = array(&case.key);
        match case.function.as_str() {
            "sm4" => {
                let cipher = Sm4::new(key);
                let repeat = |apply: fn(&Sm4, &mut [u8; 16]), data: &mut [u8]| {
                    for _ in 0..case.times {
                        apply(&cipher, data.try_into().unwrap());
                    }
                };
                check_cipher(&case, |data| repeat(Sm4::encrypt, data), |data| repeat(Sm4::decrypt, data));
            }
            "sm4-ecb" => check_cipher(&case, |data| ecb_encrypt(key, data), |data| ecb_decrypt(key, data)),
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn sm4_modes() {
    for file in ["sm4_cbc.json", "sm4_ctr.json", "sm4_xts.json"] {
        for case in vectors::load_ciphers(file) {
            match case.function.as_str() {
                "sm4-cbc" => {
                    let (key, iv) = (array(&case.key), array(&case.nonce));
                    check_cipher(&case, |data| cbc_encrypt(key, iv, data), |data| cbc_decrypt(key, iv, data));
                }
                "sm4-ctr" => check_stream(&case, |data| ctr(array(&case.key), array(&case.nonce), data)),
                "sm4-xts" => {
                    let (key, tweak) = (array(&case.key), array(&case.tweak));
                    check_cipher(&case, |data| xts_encrypt(key, tweak, data), |data| xts_decrypt(key, tweak, data));
                }
                "sm4-xts-gb" => {
                    let (key, tweak) = (array(&case.key), array(&case.tweak));
                    check_cipher(
                        &case,
                        |data| xts_gb_encrypt(key, tweak, data),
                        |data| xts_gb_decrypt(key, tweak, data),
                    );
                }
                other => panic!("unknown function {other}"),
            }
        }
    }
}

#[test]
fn aeads() {
    for case in vectors::load_ciphers("chacha20_poly1305.json") {
        check_aead(&case, "chacha20-poly1305", array, chacha20_poly1305_seal, chacha20_poly1305_open);
    }
    for case in vectors::load_ciphers("xchacha20_poly1305.json") {
        check_aead(&case, "xchacha20-poly1305", array, xchacha20_poly1305_seal, xchacha20_poly1305_open);
    }
    for case in vectors::load_ciphers("kusumi512_poly1305.json") {
        check_aead(&case, "kusumi512-poly1305", array, kusumi512_poly1305_seal, kusumi512_poly1305_open);
    }
    for file in ["sm4_gcm.json", "sm4_ccm.json", "sm4_nonces.json"] {
        for case in vectors::load_ciphers(file) {
            match case.function.as_str() {
                "sm4-gcm" => check_aead(&case, "sm4-gcm", |nonce| nonce, gcm_seal, gcm_open),
                _ => check_aead(&case, "sm4-ccm", |nonce| nonce, ccm_seal, ccm_open),
            }
        }
    }
}

fn array<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().unwrap()
}

fn check_stream(case: &CipherCase, apply: impl Fn(&mut [u8])) {
    check_cipher(case, &apply, &apply);
}

fn check_cipher(case: &CipherCase, encrypt: impl Fn(&mut [u8]), decrypt: impl Fn(&mut [u8])) {
    let mut data = case.plaintext.clone();
    encrypt(&mut data);
    case.check(&data);
    decrypt(&mut data);
    assert!(data == case.plaintext, "{case}: decrypted to something else");
}

fn check_threefish<const WORDS: usize>(case: &CipherCase) {
    let tweak = if case.tweak.is_empty() { [0; 2] } else { words(&case.tweak) };
    let cipher = Threefish::<WORDS>::new(&words(&case.key), tweak);
    let mut block = words(&case.plaintext);
    cipher.encrypt(&mut block);
    case.check(&block.map(u64::to_le_bytes).concat());
    cipher.decrypt(&mut block);
    assert_eq!(block, words(&case.plaintext), "{case}: decrypted to something else");
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    assert_eq!(bytes.len(), 8 * N);
    std::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]))
}

type Seal<const KEY: usize, Nonce> = fn(&[u8; KEY], &Nonce, &[u8], &mut [u8]) -> [u8; 16];
type Open<const KEY: usize, Nonce> = fn(&[u8; KEY], &Nonce, &[u8], &mut [u8], &[u8; 16]) -> bool;

/// Seals and opens the case; then opens it with each part changed by one bit, which must change nothing.
fn check_aead<const KEY: usize, Nonce: ?Sized>(
    case: &CipherCase,
    function: &str,
    nonce_of: fn(&[u8]) -> &Nonce,
    seal: Seal<KEY, Nonce>,
    open: Open<KEY, Nonce>,
) {
    assert!(case.function == function && case.counter == 0, "{case}: not {function}");
    let (key, nonce) = (array(&case.key), nonce_of(&case.nonce));
    let mut data = case.plaintext.clone();
    let tag = seal(key, nonce, &case.aad, &mut data);
    case.check_sealed(&data, &tag);

    let refused = |key: &[u8; KEY], nonce: &Nonce, aad: &[u8], ciphertext: &[u8], tag: &[u8; 16]| {
        let mut data = ciphertext.to_vec();
        assert!(!open(key, nonce, aad, &mut data, tag), "{case}: opened, though changed");
        assert!(data == ciphertext, "{case}: refused, but the data is changed");
    };
    for bit in 0..128 {
        refused(key, nonce, &case.aad, &data, array(&flipped(&tag, bit)));
    }
    refused(array(&flipped(key, 8 * KEY - 1)), nonce, &case.aad, &data, &tag);
    refused(key, nonce_of(&flipped(&case.nonce, 8 * case.nonce.len() - 1)), &case.aad, &data, &tag);
    for aad in changes(&case.aad) {
        refused(key, nonce, &aad, &data, &tag);
    }
    for ciphertext in changes(&data) {
        refused(key, nonce, &case.aad, &ciphertext, &tag);
    }

    assert!(open(key, nonce, &case.aad, &mut data, &tag), "{case}: does not open");
    assert!(data == case.plaintext, "{case}: opened to something else");
}

/// The bytes with the first or the last bit flipped, with a zero more, and without the last byte.
fn changes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut changes = vec![[bytes, &[0]].concat()];
    if let Some(last) = bytes.len().checked_sub(1) {
        changes.extend([flipped(bytes, 0), flipped(bytes, 8 * last + 7), bytes[..last].to_vec()]);
    }
    changes
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}
