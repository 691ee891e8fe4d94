//! Kalyna's authenticating modes (GCM, CCM, GMAC, CMAC) for all five ciphers on every backend that this machine has:
//! known answers, the reference, forgeries of every bit of a tag, and lengths that the standard has no tag for.

mod common;

use common::{STRIDE, random_from};
use fairlane::aead::consts::*;
use fairlane::aead::{Aead, AeadInOut};
use fairlane::cipher::{InOutBuf, Key, KeyInit, typenum::Unsigned};
use fairlane::digest::{FixedOutputReset, Mac, Reset, Update};
use fairlane::kalyna::*;
use fairlane::{Backend, Unsupported};
use fairlane_reference::kalyna as reference;
use fairlane_vectors as vectors;
use reference::Variant;

fn backends() -> Vec<Backend> {
    common::backends("kalyna")
}

/// A cipher, and its name in the vectors.
trait Tested: Kalyna + 'static {
    const VARIANT: Variant;
    const NAME: &str;

    fn reference(key: &[u8]) -> reference::Kalyna {
        reference::Kalyna::new(Self::VARIANT, key)
    }
}

/// Runs a check for each of the ciphers.
macro_rules! ciphers {
    ($($type:ident $variant:ident $name:literal;)*) => {
        $(impl Tested for $type {
            const VARIANT: Variant = Variant::$variant;
            const NAME: &str = $name;
        })*

        macro_rules! for_all {
            ($check:ident) => { $($check::<$type>();)* };
        }
    };
}
ciphers! {
    Kalyna128_128 K128_128 "kalyna-128-128";
    Kalyna128_256 K128_256 "kalyna-128-256";
    Kalyna256_256 K256_256 "kalyna-256-256";
    Kalyna256_512 K256_512 "kalyna-256-512";
    Kalyna512_512 K512_512 "kalyna-512-512";
}

/// An AEAD of any sizes, checked as it is used.
trait Checked {
    /// The ciphertext and the tag, in place and from one buffer to another; opened again, they are the message.
    fn seal(&self, nonce: &[u8], aad: &[u8], message: &[u8]) -> Option<(Vec<u8>, Vec<u8>)>;
    /// Opens what must be refused, without a byte written.
    fn refuses(&self, nonce: &[u8], aad: &[u8], data: &[u8], tag: &[u8]);
}

impl<C: AeadInOut> Checked for C {
    fn seal(&self, nonce: &[u8], aad: &[u8], message: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let (nonce, mut data) = (nonce.try_into().unwrap(), message.to_vec());
        let Ok(tag) = self.encrypt_inout_detached(nonce, aad, data.as_mut_slice().into()) else {
            assert!(data == message);
            return None;
        };
        let mut output = vec![0x5a; data.len()];
        let both = InOutBuf::new(message, &mut output).unwrap();
        assert!(self.encrypt_inout_detached(nonce, aad, both).unwrap() == tag && output == data);
        self.decrypt_inout_detached(nonce, aad, output.as_mut_slice().into(), &tag).unwrap();
        assert!(output == message);
        Some((data, tag.to_vec()))
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

fn on_each_backend<C: AeadInOut + 'static>(make: impl Fn(Backend) -> Result<C, Unsupported>) -> Vec<Box<dyn Checked>> {
    backends().into_iter().map(|backend| Box::new(make(backend).unwrap()) as Box<dyn Checked>).collect()
}

/// GCM with tags of so many bytes.
fn gcm<C: Tested>(key: &[u8], tag: usize) -> Vec<Box<dyn Checked>> {
    let key = key.try_into().unwrap();
    match tag {
        8 => on_each_backend(|backend| Gcm::<C, U8>::with_backend(key, backend)),
        11 => on_each_backend(|backend| Gcm::<C, U11>::with_backend(key, backend)),
        16 => on_each_backend(|backend| Gcm::<C, U16>::with_backend(key, backend)),
        tag if tag == C::BlockSize::USIZE => on_each_backend(|backend| Gcm::<C>::with_backend(key, backend)),
        tag => panic!("no type for tags of {tag} bytes"),
    }
}

/// CCM with lengths and tags of so many bytes.
fn ccm<C: Tested>(key: &[u8], nb: usize, tag: usize) -> Vec<Box<dyn Checked>> {
    let key = key.try_into().unwrap();
    macro_rules! sizes {
        ($($nb:literal)*) => {
            match (nb, tag) {
                $(($nb, 8) => on_each_backend(|backend| Ccm::<C, U8, $nb>::with_backend(key, backend)),
                ($nb, 16) => on_each_backend(|backend| Ccm::<C, U16, $nb>::with_backend(key, backend)),
                ($nb, tag) if tag == C::BlockSize::USIZE => {
                    on_each_backend(|backend| Ccm::<C, C::BlockSize, $nb>::with_backend(key, backend))
                })*
                sizes => panic!("no type for {sizes:?}"),
            }
        };
    }
    sizes!(1 4 5 6 8)
}

#[test]
fn known_answers_of_aeads() {
    fn check<C: Tested>() {
        let mut seen = 0;
        for case in vectors::load_ciphers("kalyna_aeads.json") {
            let Some(mode) = case.function.strip_prefix(C::NAME) else { continue };
            let ciphers = match mode {
                "-gcm" => gcm::<C>(&case.key, case.tag.len()),
                "-ccm" => ccm::<C>(&case.key, case.nb, case.tag.len()),
                mode => panic!("{mode}"),
            };
            for cipher in ciphers {
                let (ciphertext, tag) = cipher.seal(&case.nonce, &case.aad, &case.plaintext).unwrap();
                case.check_sealed(&ciphertext, &tag);
            }
            seen += 1;
        }
        assert!(seen > 40, "{}: {seen}", C::NAME);
    }
    for_all!(check);
}

/// The tag of a message in one piece; cut in two, in many and after another message it is the same.
fn tag<M: Mac + FixedOutputReset + Clone>(mac: &M, message: &[u8]) -> Vec<u8> {
    let tag = mac.clone().chain_update(message).finalize();
    for cut in [1, 16, 31, 32, 64, 65] {
        let mut pieces = mac.clone();
        message.chunks(cut).for_each(|piece| Update::update(&mut pieces, piece));
        assert!(pieces.finalize_reset() == tag, "{} bytes in pieces of {cut}", message.len());
        let (first, rest) = message.split_at(cut.min(message.len()));
        Update::update(&mut pieces, first);
        Update::update(&mut pieces, &[]);
        Update::update(&mut pieces, rest);
        assert!(pieces.finalize() == tag, "{} bytes, cut at {cut}", message.len());
    }
    tag.as_bytes().to_vec()
}

fn macs<C: Tested>(key: &[u8]) -> Vec<(Cmac<C>, Gmac<C>)> {
    let key = key.try_into().unwrap();
    let on = |backend| (Cmac::with_backend(key, backend).unwrap(), Gmac::with_backend(key, backend).unwrap());
    backends().into_iter().map(on).collect()
}

#[test]
fn known_answers_of_macs() {
    fn check<C: Tested>() {
        let mut seen = 0;
        for case in vectors::load("kalyna_macs.json") {
            let Some(mode) = case.function.strip_prefix(C::NAME) else { continue };
            for (cmac, gmac) in macs::<C>(&case.key) {
                let tag = match mode {
                    "-cmac" => tag(&cmac, &case.message),
                    "-gmac" => tag(&gmac, &case.message),
                    mode => panic!("{mode}"),
                };
                case.check(&tag[..case.output.len()]);
            }
            seen += 1;
        }
        assert!(seen > 20, "{}: {seen}", C::NAME);
    }
    for_all!(check);
}

/// Around blocks, groups of the hash, batches of every kernel, and chunks.
const LENGTHS: &[usize] = &[
    0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 95, 96, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300, 511, 512,
    513, 777, 1023, 1024, 1025, 2047, 2048, 2049, 2100, 8191, 8192, 8193, 8200, 16_400,
];

#[test]
fn agreement_of_aeads() {
    fn check<C: Tested>() {
        let (block, key) = (C::BlockSize::USIZE, random_from(C::KeySize::USIZE, C::KeySize::USIZE));
        let reference = C::reference(&key);
        let sizes = [(4, block), (8, 16), (1, 8), (6, block), (5, 16)];
        for (i, &length) in LENGTHS.iter().enumerate().step_by(STRIDE) {
            let nonce = random_from(length + 1, block);
            let message = random_from(length, length);
            // Other lengths of associated data with each, and none.
            for aad in [0, LENGTHS[(7 * i + 5) % 24]] {
                let aad = random_from(length + 2, aad);
                let tag_len = [block, 8, 16, 11][i % 4];
                let mut data = message.clone();
                let sealed = (aad.len() + length > 0)
                    .then(|| reference::gcm_seal(&reference, &nonce, &aad, &mut data, tag_len))
                    .map(|tag| (data, tag));
                for cipher in gcm::<C>(&key, tag_len) {
                    assert!(cipher.seal(&nonce, &aad, &message) == sealed, "{} GCM, {length} bytes", C::NAME);
                }

                let (mut nb, tag_len) = sizes[i % sizes.len()];
                if nb == 1 && length.max(aad.len()) > 255 {
                    nb = 4;
                }
                let mut data = message.clone();
                let sealed = (length > 0)
                    .then(|| reference::ccm_seal(&reference, nb, &nonce, &aad, &mut data, tag_len))
                    .map(|tag| (data, tag));
                for cipher in ccm::<C>(&key, nb, tag_len) {
                    assert!(cipher.seal(&nonce, &aad, &message) == sealed, "{} CCM, {length} bytes", C::NAME);
                }
            }
        }
    }
    for_all!(check);
}

#[test]
fn agreement_of_macs() {
    fn check<C: Tested>() {
        let (block, key) = (C::BlockSize::USIZE, random_from(C::KeySize::USIZE, C::KeySize::USIZE));
        let reference = C::reference(&key);
        for length in (1..=5 * block + 1).step_by(3).chain(LENGTHS[1..].iter().copied()).step_by(STRIDE) {
            let message = random_from(length, length);
            let expected = reference::cmac(&reference, &message, block);
            let hashed = reference::gmac(&reference, &message, block);
            for (cmac, gmac) in macs::<C>(&key) {
                assert!(tag(&cmac, &message) == expected, "{} CMAC, {length} bytes", C::NAME);
                assert!(tag(&gmac, &message) == hashed, "{} GMAC, {length} bytes", C::NAME);
                assert!(cmac.chain(&message).try_finalize().unwrap().as_bytes()[..] == expected);
                assert!(gmac.chain(&message).try_finalize().unwrap().as_bytes()[..] == hashed);
            }
        }
    }
    for_all!(check);
}

/// Each bit of tag, data, associated data and, where the standard's tag covers it, nonce.
#[test]
fn what_is_changed_is_refused_and_nothing_is_written() {
    fn check_cipher(cipher: &dyn Checked, nonce: &[u8], covered: usize) {
        let (message, aad) = (random_from(1, 133), random_from(2, 21));
        let (data, tag) = cipher.seal(nonce, &aad, &message).unwrap();
        let flipped = |bytes: &[u8], bit: usize| {
            let mut wrong = bytes.to_vec();
            wrong[bit / 8] ^= 1 << (bit % 8);
            wrong
        };
        for bit in (0..8 * tag.len()).step_by(STRIDE) {
            cipher.refuses(nonce, &aad, &data, &flipped(&tag, bit));
        }
        for bit in (0..8 * data.len()).step_by(7 * STRIDE) {
            cipher.refuses(nonce, &aad, &flipped(&data, bit), &tag);
        }
        for bit in (0..8 * aad.len()).step_by(STRIDE) {
            cipher.refuses(nonce, &flipped(&aad, bit), &data, &tag);
        }
        for bit in (0..8 * covered).step_by(5 * STRIDE) {
            cipher.refuses(&flipped(nonce, bit), &aad, &data, &tag);
        }
        cipher.refuses(nonce, &aad[1..], &data, &tag);
        cipher.refuses(nonce, &[], &data, &tag);
        cipher.refuses(nonce, &aad, &data[1..], &tag);
    }
    fn check<C: Tested>() {
        let (block, key) = (C::BlockSize::USIZE, random_from(3, C::KeySize::USIZE));
        let nonce = random_from(4, block);
        for tag in [8, 16, block] {
            gcm::<C>(&key, tag).iter().for_each(|cipher| check_cipher(&**cipher, &nonce, 0));
            ccm::<C>(&key, 4, tag).iter().for_each(|cipher| check_cipher(&**cipher, &nonce, block));
        }
    }
    for_all!(check);
}

#[test]
fn wrong_tags_of_macs_are_refused() {
    fn check_mac<M: Mac + Clone>(mac: &M) {
        let right = mac.clone().finalize().into_bytes();
        for bit in 0..8 * right.len() {
            let mut wrong = right.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            mac.clone().verify(&wrong).unwrap_err();
        }
        mac.clone().verify(&right).unwrap();
        mac.clone().verify_truncated_left(&right[..8]).unwrap();
    }
    fn check<C: Tested>() {
        for (cmac, gmac) in macs::<C>(&random_from(3, C::KeySize::USIZE)) {
            check_mac(&cmac.chain(random_from(1, 133)));
            check_mac(&gmac.chain(random_from(1, 133)));
        }
    }
    for_all!(check);
}

#[test]
fn lengths_without_tags() {
    fn check<C: Tested>() {
        let key = random_from(3, C::KeySize::USIZE);
        for (cmac, mut gmac) in macs::<C>(&key) {
            assert_eq!(cmac.clone().try_finalize().unwrap_err(), LengthError::Empty);
            assert_eq!(gmac.clone().try_finalize().unwrap_err(), LengthError::Empty);
            // By the traits nothing is as a block of padding, masked as one or with no length.
            let mut padding = vec![0; C::BlockSize::USIZE];
            padding[0] = 0x80;
            let tag = cmac.clone().finalize().into_bytes();
            assert_ne!(tag, cmac.clone().chain(&padding).finalize().into_bytes());
            assert_ne!(tag, cmac.chain([0]).finalize().into_bytes());
            let tag = gmac.clone().finalize().into_bytes();
            let mut h = padding.clone();
            h[0] = 0;
            C::reference(&key).encrypt(&mut h);
            assert_ne!(tag[..], h);
            Update::update(&mut gmac, &padding);
            assert_ne!(tag, gmac.clone().finalize().into_bytes());
            Reset::reset(&mut gmac);
            assert_eq!(gmac.try_finalize().unwrap_err(), LengthError::Empty);
        }
        assert_eq!(Gcm::<C>::check_lengths(0, 0), Err(LengthError::Empty));
        assert_eq!(Gcm::<C>::check_lengths(1, 0).and(Gcm::<C>::check_lengths(0, 1)), Ok(()));
        assert_eq!(Ccm::<C>::check_lengths(1, 0), Err(LengthError::Empty));
        assert_eq!(Ccm::<C>::check_lengths(0, 1), Ok(()));
        assert_eq!(Ccm::<C, U8, 1>::check_lengths(255, 255), Ok(()));
        assert_eq!(Ccm::<C, U8, 1>::check_lengths(256, 1), Err(LengthError::TooLong));
        assert_eq!(Ccm::<C, U8, 1>::check_lengths(0, 256), Err(LengthError::TooLong));
        if let Ok(more) = usize::try_from(1_u64 << 61) {
            assert_eq!(Gcm::<C>::check_lengths(more - 1, more - 1), Ok(()));
            assert_eq!(Gcm::<C>::check_lengths(more, 1), Err(LengthError::TooLong));
            assert_eq!(Gcm::<C>::check_lengths(0, more), Err(LengthError::TooLong));
            assert_eq!(Ccm::<C, U8, 8>::check_lengths(usize::MAX, usize::MAX), Ok(()));
            assert_eq!(Ccm::<C>::check_lengths(0, 1 << 32), Err(LengthError::TooLong));
        }

        let nonce = random_from(4, C::BlockSize::USIZE);
        let tag = vec![0; C::BlockSize::USIZE];
        for cipher in gcm::<C>(&key, C::BlockSize::USIZE) {
            assert!(cipher.seal(&nonce, &[], &[]).is_none() && cipher.seal(&nonce, &[1], &[]).is_some());
            cipher.refuses(&nonce, &[], &[], &tag);
        }
        for cipher in ccm::<C>(&key, 1, 8) {
            let (right, wrong) = ([0x5a; 255], [0x5a; 256]);
            assert!(cipher.seal(&nonce, &right, &right).is_some());
            assert!(cipher.seal(&nonce, &right, &wrong).is_none() && cipher.seal(&nonce, &wrong, &right).is_none());
            assert!(cipher.seal(&nonce, &right, &[]).is_none());
            cipher.refuses(&nonce, &[], &[], &tag[..8]);
            cipher.refuses(&nonce, &[], &wrong, &tag[..8]);
        }
    }
    for_all!(check);
}

#[test]
fn what_they_are_made_of() {
    fn check<C: Tested>() {
        let key = vec![7; C::KeySize::USIZE];
        let right: &Key<C> = key[..].try_into().unwrap();
        for &backend in Backend::ALL {
            let here = backends().contains(&backend);
            assert_eq!(Gcm::<C>::with_backend(right, backend).is_ok(), here);
            assert_eq!(Ccm::<C>::with_backend(right, backend).is_ok(), here);
            assert_eq!(Gmac::<C>::with_backend(right, backend).is_ok(), here);
            assert_eq!(Cmac::<C>::with_backend(right, backend).is_ok(), here);
        }
        assert!(Gcm::<C>::new_from_slice(&key[1..]).is_err() && Cmac::<C>::new_from_slice(&key[1..]).is_err());
        let (gcm, ccm) = (Gcm::<C>::new(right), Ccm::<C>::new(right));
        let sealed = gcm.encrypt(&Default::default(), &b"a message"[..]).unwrap();
        for length in 0..sealed.len() {
            assert!(gcm.decrypt(&Default::default(), &sealed[..length]).is_err());
        }
        let (gmac, cmac) = (Gmac::<C>::new(right), Cmac::<C>::new(right));
        let shown = format!("{gcm:?} {ccm:?} {gmac:?} {cmac:?}");
        assert_eq!(shown, "KalynaGcm { .. } KalynaCcm { .. } KalynaGmac { .. } KalynaCmac { .. }");
    }
    for_all!(check);
}
