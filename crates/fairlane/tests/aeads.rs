//! The AEADs on every backend that this machine has: known answers, the reference, an independent crate, and nothing
//! written where a tag is wrong.

mod common;

use common::random_from;
use fairlane::aead::consts::{U12, U16};
use fairlane::aead::{Aead, AeadInOut, Key, KeyInit, Nonce, Payload, Tag};
use fairlane::chacha::{ChaCha20Poly1305, XChaCha20Poly1305};
use fairlane::cipher::InOutBuf;
use fairlane::kusumi::Kusumi512Poly1305;
use fairlane::sm4::{Sm4, Sm4Ccm, Sm4Gcm};
use fairlane::{Backend, Unsupported};
use fairlane_reference::{aead as reference, sm4 as reference_sm4};
use fairlane_vectors as vectors;

/// An AEAD and what it is tested against.
trait Tested: AeadInOut + KeyInit {
    /// Its name in the vectors.
    const NAME: &str;
    /// The backends it has kernels for.
    const BACKENDS: &[Backend];

    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported>;
    fn reference(key: &[u8], nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16];
    /// An independent crate's ciphertext and tag, where there is one.
    fn crates(_key: &[u8], _nonce: &[u8], _payload: Payload<'_, '_>) -> Option<Vec<u8>> {
        None
    }
}

macro_rules! tested {
    ($($type:ident, $name:literal, $backends:expr, $reference:path $(, $oracle:ty)?;)*) => {$(
        impl Tested for $type {
            const NAME: &str = $name;
            const BACKENDS: &[Backend] = $backends;

            fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $type::with_backend(key, backend)
            }
            fn reference(key: &[u8], nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
                $reference(key.try_into().unwrap(), nonce.try_into().unwrap(), aad, data)
            }
            $(fn crates(key: &[u8], nonce: &[u8], payload: Payload<'_, '_>) -> Option<Vec<u8>> {
                <$oracle>::new_from_slice(key).unwrap().encrypt(nonce.try_into().unwrap(), payload).ok()
            })?
        }
    )*};
}

const ARX: &[Backend] = &[Backend::Scalar, Backend::Avx2, Backend::Avx512, Backend::Avx512Ifma, Backend::Neon];
const SM4: &[Backend] =
    &[Backend::Scalar, Backend::Avx2Aes, Backend::Avx2Gfni, Backend::Avx512Gfni, Backend::Sm4Ni, Backend::NeonAes];

tested! {
    ChaCha20Poly1305, "chacha20-poly1305", ARX, reference::chacha20_poly1305_seal, chacha20poly1305::ChaCha20Poly1305;
    XChaCha20Poly1305, "xchacha20-poly1305", ARX, reference::xchacha20_poly1305_seal, chacha20poly1305::XChaCha20Poly1305;
    Kusumi512Poly1305, "kusumi512-poly1305", ARX, reference::kusumi512_poly1305_seal;
    Sm4Gcm, "sm4-gcm", SM4, reference_sm4::gcm_seal, aes_gcm::AesGcm<Sm4, U12>;
    Sm4Ccm, "sm4-ccm", SM4, reference_sm4::ccm_seal, ccm::Ccm<Sm4, U16, U12>;
}

/// One test for each AEAD.
macro_rules! tests {
    ($($test:ident)*) => {$(
        #[test]
        fn $test() {
            checks::$test::<ChaCha20Poly1305>();
            checks::$test::<XChaCha20Poly1305>();
            checks::$test::<Kusumi512Poly1305>();
            checks::$test::<Sm4Gcm>();
            checks::$test::<Sm4Ccm>();
        }
    )*};
}

tests!(known_answers agreement what_is_changed_is_refused_and_nothing_is_written backends_not_here);

/// The cipher on each backend that runs here.
fn ciphers<C: Tested>(key: &Key<C>) -> impl Iterator<Item = C> {
    Backend::ALL.iter().filter_map(|backend| C::with_backend(key, *backend).ok())
}

fn key_and_nonce<C: Tested>(seed: usize) -> (Key<C>, Nonce<C>) {
    let (mut key, mut nonce) = (Key::<C>::default(), Nonce::<C>::default());
    let length = key.len();
    key.copy_from_slice(&random_from(seed, length));
    let length = nonce.len();
    nonce.copy_from_slice(&random_from(seed + 1000, length));
    (key, nonce)
}

/// Around blocks (of 16, 64 and 100 bytes), what is made in one go with block 0, batches, and chunks.
const LENGTHS: &[usize] = &[
    0, 1, 15, 16, 17, 63, 64, 65, 99, 100, 101, 127, 128, 129, 191, 192, 193, 199, 200, 201, 224, 239, 240, 241, 256,
    257, 287, 300, 320, 352, 383, 384, 399, 400, 401, 447, 448, 449, 495, 496, 497, 511, 512, 513, 560, 640, 750, 1000,
    1023, 1024, 1025, 1088, 1215, 1216, 1217, 1263, 1264, 1265, 1599, 1600, 1601, 1700, 1701, 2048, 4096, 6500, 16_299,
    16_300, 16_301, 16_383, 16_384, 16_385, 16_400, 16_401, 16_576, 16_577, 16_623, 16_624, 16_625, 40_000,
];

mod checks {
    use super::*;

    pub(super) fn known_answers<C: Tested>() {
        let mut seen = 0;
        for case in vectors::load_ciphers(&format!("{}.json", C::NAME.replace('-', "_"))) {
            let key = case.key.as_slice().try_into().unwrap();
            let nonce = case.nonce.as_slice().try_into().unwrap();
            for cipher in ciphers::<C>(key) {
                let mut data = case.plaintext.clone();
                let tag = cipher.encrypt_inout_detached(nonce, &case.aad, data.as_mut_slice().into()).unwrap();
                case.check_sealed(&data, &tag);
                cipher.decrypt_inout_detached(nonce, &case.aad, data.as_mut_slice().into(), &tag).unwrap();
                assert!(data == case.plaintext, "{case}");
                seen += 1;
            }
        }
        assert!(seen > 0);
    }

    pub(super) fn agreement<C: Tested>() {
        for (at, &length) in LENGTHS.iter().enumerate() {
            let (key, nonce) = key_and_nonce::<C>(at);
            let (message, aad) = (random_from(length, length), random_from(at, at * 7 % 100));
            let mut expected = message.clone();
            let tag = C::reference(&key, &nonce, &aad, &mut expected);
            expected.extend(tag);
            if let Some(other) = C::crates(&key, &nonce, Payload { msg: &message, aad: &aad }) {
                assert!(other == expected, "{} {length}", C::NAME);
            }
            for cipher in ciphers::<C>(&key) {
                let sealed = cipher.encrypt(&nonce, Payload { msg: &message, aad: &aad }).unwrap();
                assert!(sealed == expected, "{} {length}", C::NAME);
                let opened = cipher.decrypt(&nonce, Payload { msg: &sealed, aad: &aad }).unwrap();
                assert!(opened == message, "{} {length}", C::NAME);

                // From one buffer to another.
                let mut output = vec![0x5a; length];
                let both = InOutBuf::new(&message, &mut output).unwrap();
                let tag = cipher.encrypt_inout_detached(&nonce, &aad, both).unwrap();
                assert!(output == expected[..length] && tag[..] == expected[length..], "{} {length}", C::NAME);
            }
        }
    }

    pub(super) fn what_is_changed_is_refused_and_nothing_is_written<C: Tested>() {
        for length in [0, 1, 64, 201, 3000] {
            let (key, nonce) = key_and_nonce::<C>(length);
            let (message, aad) = (random_from(length, length), random_from(3, 20));
            for cipher in ciphers::<C>(&key) {
                let mut sealed = message.clone();
                let tag = cipher.encrypt_inout_detached(&nonce, &aad, sealed.as_mut_slice().into()).unwrap();
                let refused = |nonce: &Nonce<C>, aad: &[u8], data: &[u8], tag: &Tag<C>| {
                    let mut buffer = data.to_vec();
                    cipher.decrypt_inout_detached(nonce, aad, buffer.as_mut_slice().into(), tag).unwrap_err();
                    assert!(buffer == data, "{} wrote where the tag is wrong", C::NAME);
                    let mut output = vec![0x5a; data.len()];
                    let both = InOutBuf::new(data, &mut output).unwrap();
                    cipher.decrypt_inout_detached(nonce, aad, both, tag).unwrap_err();
                    assert!(output.iter().all(|byte| *byte == 0x5a), "{} wrote where the tag is wrong", C::NAME);
                };
                for bit in 0..128 {
                    let mut wrong = tag.clone();
                    wrong[bit / 8] ^= 1 << (bit % 8);
                    refused(&nonce, &aad, &sealed, &wrong);
                }
                let mut wrong = nonce.clone();
                wrong[0] ^= 1;
                refused(&wrong, &aad, &sealed, &tag);
                refused(&nonce, &aad[1..], &sealed, &tag);
                refused(&nonce, &[&aad[..], &[0]].concat(), &sealed, &tag);
                refused(&nonce, &aad, &[&sealed[..], &[0]].concat(), &tag);
                for at in [0, length / 2, length.saturating_sub(1)] {
                    if let Some(byte) = sealed.clone().get_mut(at) {
                        let mut wrong = sealed.clone();
                        wrong[at] = *byte ^ 0x80;
                        refused(&nonce, &aad, &wrong, &tag);
                    }
                }
                // Shorter than a tag.
                assert!(cipher.decrypt(&nonce, &[0; 15][..]).is_err());
                let mut other = key.clone();
                other[5] ^= 4;
                let other = C::new(&other);
                assert!(other.decrypt_inout_detached(&nonce, &aad, sealed.as_mut_slice().into(), &tag).is_err());
            }
        }
    }

    pub(super) fn backends_not_here<C: Tested>() {
        let (key, _) = key_and_nonce::<C>(0);
        for &backend in Backend::ALL {
            let refused = C::with_backend(&key, backend).is_err();
            assert_eq!(refused, !backend.is_available() || !C::BACKENDS.contains(&backend), "{} {backend}", C::NAME);
        }
        assert!(C::new_from_slice(&key[1..]).is_err());
    }
}

#[test]
fn nothing_secret_is_shown() {
    let cipher = Kusumi512Poly1305::new(&[0xab; 64].into());
    assert_eq!(format!("{cipher:?}"), "Kusumi512Poly1305 { .. }");
    assert_eq!(format!("{:?}", Sm4Gcm::new(&[0xab; 16].into())), "Sm4Gcm { .. }");
    assert_eq!(format!("{:?}", Sm4Ccm::new(&[0xab; 16].into())), "Sm4Ccm { .. }");
}
