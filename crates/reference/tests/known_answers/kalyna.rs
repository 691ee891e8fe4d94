//! Kalyna: every variant and mode.

use fairlane_reference::kalyna::*;

use super::vectors::{self, CipherCase};
use super::{changes, check_cipher, flipped};

/// The cipher that a case's function names, and the mode: of `kalyna-128-256-ctr`, `ctr`; of `kalyna-128-256`, nothing.
fn parse<'a>(function: &'a str, key: &[u8]) -> (Kalyna, &'a str) {
    let [name, block, bits, mode] =
        std::array::from_fn::<_, 4, _>(|i| function.splitn(4, '-').nth(i).unwrap_or_default());
    let bytes = |bits: &str| bits.parse::<usize>().unwrap() / 8;
    let named = |v: &Variant| v.block_len() == bytes(block) && v.key_len() == bytes(bits);
    let variant = Variant::ALL.into_iter().find(named).filter(|_| name == "kalyna").expect(function);
    (Kalyna::new(variant, key), mode)
}

#[test]
fn blocks() {
    for case in vectors::load_ciphers("kalyna.json") {
        let (cipher, mode) = parse(&case.function, &case.key);
        match mode {
            "" => check_cipher(&case, |data| cipher.encrypt(data), |data| cipher.decrypt(data)),
            "ecb" => check_cipher(&case, |data| ecb_encrypt(&cipher, data), |data| ecb_decrypt(&cipher, data)),
            other => panic!("unknown mode {other}"),
        }
    }
}

#[test]
fn modes() {
    for case in vectors::load_ciphers("kalyna_modes.json") {
        let (cipher, mode) = parse(&case.function, &case.key);
        let (iv, q) = (&case.nonce, case.q);
        let check = |encrypt: fn(&Kalyna, &[u8], &mut [u8]), decrypt: fn(&Kalyna, &[u8], &mut [u8])| {
            check_cipher(&case, |data| encrypt(&cipher, iv, data), |data| decrypt(&cipher, iv, data));
        };
        match mode {
            "ctr" => check(ctr, ctr),
            "cbc" => check(cbc_encrypt, cbc_decrypt),
            "ofb" => check(ofb, ofb),
            "xts" => check(xts_encrypt, xts_decrypt),
            "cfb" => {
                check_cipher(&case, |data| cfb_encrypt(&cipher, q, iv, data), |data| cfb_decrypt(&cipher, q, iv, data));
            }
            other => panic!("unknown mode {other}"),
        }
    }
}

#[test]
fn aeads() {
    for case in vectors::load_ciphers("kalyna_aeads.json") {
        let (cipher, mode) = parse(&case.function, &case.key);
        let (nb, len) = (case.nb, case.tag.len());
        match mode {
            // GCM's tag says nothing of the IV.
            "gcm" => check_aead(
                &case,
                &[],
                |data| gcm_seal(&cipher, &case.nonce, &case.aad, data, len),
                |iv, aad, data, tag| gcm_open(&cipher, iv, aad, data, tag),
            ),
            "ccm" => check_aead(
                &case,
                &changed(&case.nonce),
                |data| ccm_seal(&cipher, nb, &case.nonce, &case.aad, data, len),
                |iv, aad, data, tag| ccm_open(&cipher, nb, iv, aad, data, tag),
            ),
            other => panic!("unknown mode {other}"),
        }
    }
}

/// The bytes with their first or last bit flipped.
fn changed(bytes: &[u8]) -> [Vec<u8>; 2] {
    [flipped(bytes, 0), flipped(bytes, 8 * bytes.len() - 1)]
}

/// Seals and opens the case; then opens it with the IV one of `ivs`, or another part changed, which must change
/// nothing.
fn check_aead(
    case: &CipherCase,
    ivs: &[Vec<u8>],
    seal: impl Fn(&mut [u8]) -> Vec<u8>,
    open: impl Fn(&[u8], &[u8], &mut [u8], &[u8]) -> bool,
) {
    let mut data = case.plaintext.clone();
    let tag = seal(&mut data);
    case.check_sealed(&data, &tag);

    let refused = |iv: &[u8], aad: &[u8], ciphertext: &[u8], tag: &[u8]| {
        // Nothing at all to authenticate is not for these modes, and CCM has none without data.
        if ciphertext.is_empty() {
            return;
        }
        let mut data = ciphertext.to_vec();
        assert!(!open(iv, aad, &mut data, tag), "{case}: opened, though changed");
        assert!(data == ciphertext, "{case}: refused, but the data is changed");
    };
    for iv in ivs {
        refused(iv, &case.aad, &data, &tag);
    }
    for tag in changed(&tag) {
        refused(&case.nonce, &case.aad, &data, &tag);
    }
    for aad in changes(&case.aad) {
        refused(&case.nonce, &aad, &data, &tag);
    }
    for ciphertext in changes(&data) {
        refused(&case.nonce, &case.aad, &ciphertext, &tag);
    }

    assert!(open(&case.nonce, &case.aad, &mut data, &tag), "{case}: does not open");
    assert!(data == case.plaintext, "{case}: opened to something else");
}

#[test]
fn macs() {
    for case in vectors::load("kalyna_macs.json") {
        let (cipher, mode) = parse(&case.function, &case.key);
        let len = case.output.len();
        match mode {
            "cmac" => case.check(&cmac(&cipher, &case.message, len)),
            "gmac" => {
                case.check(&gmac(&cipher, &case.message, len));
                let iv = vec![0; cipher.variant().block_len()];
                case.check(&gcm_seal(&cipher, &iv, &case.message, &mut [], len));
            }
            other => panic!("unknown mode {other}"),
        }
    }
}

#[test]
fn key_wrap() {
    for case in vectors::load("kalyna_kw.json") {
        let (cipher, mode) = parse(&case.function, &case.key);
        type Wrap = fn(&Kalyna, &[u8]) -> Vec<u8>;
        type Unwrap = fn(&Kalyna, &[u8]) -> Option<Vec<u8>>;
        let (wrap, unwrap, other): (Wrap, Unwrap, Unwrap) = match mode {
            "kw" => (kw_wrap, kw_unwrap, kw_unwrap_padded),
            "kw-p" => (kw_wrap_padded, kw_unwrap_padded, kw_unwrap),
            other => panic!("unknown mode {other}"),
        };
        let wrapped = wrap(&cipher, &case.message);
        case.check(&wrapped);
        assert!(unwrap(&cipher, &wrapped).as_ref() == Some(&case.message), "{}: unwrapped to another", case.function);
        for changed in changes(&wrapped) {
            assert!(unwrap(&cipher, &changed).is_none(), "{}: unwrapped, though changed", case.function);
            assert!(other(&cipher, &changed).is_none(), "{}: unwrapped, though changed", case.function);
        }
        assert!(unwrap(&cipher, &wrapped[..cipher.variant().block_len()]).is_none());
        assert!(unwrap(&cipher, &[]).is_none());
    }
}

/// What KW with padding must see for itself, the zeros at the end being right: another length, another bit in the
/// padding, another block of it, and what is too short or has nothing to pad.
#[test]
fn wrong_paddings() {
    for variant in Variant::ALL {
        let cipher = Kalyna::new(variant, &vec![7; variant.key_len()]);
        let l = variant.block_len();
        let padded = |key: usize, bits: u64, one: u8, blocks: usize| {
            let mut padded = vec![0xaa; key];
            padded.extend(bits.to_le_bytes());
            padded.resize(key + l / 2, 0);
            padded.push(one);
            padded.resize(l * blocks, 0);
            padded
        };
        let unwrapped = |padded: &[u8]| kw_unwrap_padded(&cipher, &kw_wrap(&cipher, padded));
        let key = l + 1;
        let bits = 8 * key as u64;
        assert_eq!(unwrapped(&padded(key, bits, 0x80, 2)), Some(vec![0xaa; key]));
        for wrong in [
            padded(key, bits + 8, 0x80, 2),
            padded(key, bits + 1, 0x80, 2),
            padded(key, bits, 0x81, 2),
            padded(key, bits, 0x40, 2),
            padded(key, bits, 0x80, 3),
            padded(l, 8 * l as u64, 0x80, 2),
            padded(l - 1, 8 * (l as u64 - 1), 0x80, 2),
            padded(2 * l, 16 * l as u64, 0x80, 3),
            vec![0; 2 * l],
            vec![0x80; l],
        ] {
            assert_eq!(unwrapped(&wrong), None, "{variant:?} {wrong:02x?}");
        }
    }
}

/// Every length that the functions do not take, each named in the message.
#[test]
fn wrong_lengths() {
    for variant in Variant::ALL {
        let cipher = Kalyna::new(variant, &vec![7; variant.key_len()]);
        let l = variant.block_len();
        let (iv, part) = (vec![0; l], vec![0; l + 1]);
        let panics = |what: &str, call: &dyn Fn()| {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).expect_err(what);
            let message = panic.downcast_ref::<String>().map_or_else(|| *panic.downcast_ref().unwrap(), String::as_str);
            assert!(message.contains(what), "{variant:?}: {message}");
        };
        panics("takes a key of", &|| drop(Kalyna::new(variant, &[0; 5])));
        panics("takes blocks of", &|| cipher.encrypt(&mut part.clone()));
        panics("takes blocks of", &|| cipher.decrypt(&mut []));
        panics("whole blocks of", &|| ecb_encrypt(&cipher, &mut part.clone()));
        panics("whole blocks of", &|| ecb_decrypt(&cipher, &mut part.clone()));
        panics("whole blocks of", &|| cbc_encrypt(&cipher, &iv, &mut part.clone()));
        panics("whole blocks of", &|| cbc_decrypt(&cipher, &iv, &mut part.clone()));
        for q in [0, 2, 17, 2 * l] {
            panics("bytes a step", &|| cfb_encrypt(&cipher, q, &iv, &mut part.clone()));
        }
        panics("or more, not", &|| xts_encrypt(&cipher, &iv, &mut iv[1..].to_vec()));
        type Stream = fn(&Kalyna, &[u8], &mut [u8]);
        for mode in [ctr as Stream, ofb, cbc_encrypt, cbc_decrypt, xts_encrypt, xts_decrypt] {
            panics("an IV of", &|| mode(&cipher, &part, &mut iv.clone()));
        }
        panics("an IV of", &|| cfb_decrypt(&cipher, 8, &part, &mut []));
        panics("an IV of", &|| drop(gcm_seal(&cipher, &part, &[], &mut [1], 8)));
        panics("an IV of", &|| assert!(gcm_open(&cipher, &part, &[], &mut [1], &[0; 8])));
        panics("an IV of", &|| drop(ccm_seal(&cipher, 4, &part, &[], &mut [1], 8)));
        for tag in [7, l + 1] {
            panics("has tags of", &|| drop(gmac(&cipher, &[1], tag)));
            panics("has tags of", &|| drop(ccm_seal(&cipher, 4, &iv, &[], &mut [1], tag)));
            panics("has tags of", &|| assert!(ccm_open(&cipher, 4, &iv, &[], &mut [1], &vec![0; tag])));
        }
        for tag in [0, l + 1] {
            panics("has tags of", &|| drop(cmac(&cipher, &[1], tag)));
        }
        panics("one byte or more", &|| drop(cmac(&cipher, &[], 8)));
        panics("one byte or more", &|| drop(gmac(&cipher, &[], 8)));
        panics("one byte of data", &|| drop(ccm_seal(&cipher, 4, &iv, &[1], &mut [], 8)));
        for nb in [0, 9] {
            panics("in 1 to 8 bytes", &|| drop(ccm_seal(&cipher, nb, &iv, &[], &mut [1], 8)));
        }
        panics("fewer than 2^8 bytes", &|| drop(ccm_seal(&cipher, 1, &iv, &[], &mut [1; 256], 8)));
        panics("fewer than 2^8 bytes", &|| drop(ccm_seal(&cipher, 1, &iv, &[1; 256], &mut [1], 8)));
        panics("whole blocks of", &|| drop(kw_wrap(&cipher, &part)));
        panics("whole blocks of", &|| drop(kw_wrap(&cipher, &[])));
        for len in [0, 1, l, 3 * l] {
            panics("not whole blocks", &|| drop(kw_wrap_padded(&cipher, &vec![0; len])));
        }
    }
}
