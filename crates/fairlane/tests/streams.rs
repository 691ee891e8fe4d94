//! The stream ciphers on every backend that this machine has: known answers, the reference, an independent crate, and
//! the same bytes however a message is cut.

mod common;

use common::random;
use fairlane::chacha::{ChaCha8, ChaCha12, ChaCha20, XChaCha20};
use fairlane::cipher::{Iv, Key, KeyIvInit, StreamCipher, StreamCipherSeek};
use fairlane::keystream;
use fairlane::kusumi::Kusumi512;
use fairlane::sm4::Sm4Ctr;
use fairlane::{Backend, Unsupported};
use fairlane_reference as reference;
use fairlane_vectors as vectors;
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use std::io::{self, Read};

/// A cipher and what it is tested against.
trait Tested: StreamCipher + StreamCipherSeek + KeyIvInit + Clone {
    /// Its name in the vectors.
    const NAME: &str;
    /// That of its family in [`fairlane::primitives`].
    const FAMILY: &str;
    const BLOCK: usize;
    /// The counter of the block at position 0.
    const FIRST: u64;
    /// How many blocks there are from that on.
    const BLOCKS: u64;

    fn with_backend(key: &Key<Self>, nonce: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported>;
    fn reference(key: &[u8], nonce: &[u8], counter: u64, data: &mut [u8]);
    /// An independent crate's answer from position 0 on, where there is one.
    fn crates(_key: &[u8], _nonce: &[u8], _data: &mut [u8]) -> bool {
        false
    }
}

macro_rules! tested {
    ($($type:ident, $name:literal of $family:literal, $block:literal, $first:literal, $blocks:expr, $reference:expr $(, $oracle:ty)?;)*) => {$(
        impl Tested for $type {
            const NAME: &str = $name;
            const FAMILY: &str = $family;
            const BLOCK: usize = $block;
            const FIRST: u64 = $first;
            const BLOCKS: u64 = $blocks;

            fn with_backend(key: &Key<Self>, nonce: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $type::with_backend(key, nonce, backend)
            }
            fn reference(key: &[u8], nonce: &[u8], counter: u64, data: &mut [u8]) {
                let reference: fn(&_, &_, _, &mut [u8]) = $reference;
                reference(key.try_into().unwrap(), nonce.try_into().unwrap(), counter, data);
            }
            $(fn crates(key: &[u8], nonce: &[u8], data: &mut [u8]) -> bool {
                <$oracle>::new_from_slices(key, nonce).unwrap().apply_keystream(data);
                true
            })?
        }
    )*};
}

tested! {
    ChaCha8, "chacha8" of "chacha", 64, 0, 1 << 32, |key, nonce, counter, data| reference::chacha::chacha(8, key, nonce, counter as u32, data),
        chacha20::ChaCha8;
    ChaCha12, "chacha12" of "chacha", 64, 0, 1 << 32, |key, nonce, counter, data| reference::chacha::chacha(12, key, nonce, counter as u32, data),
        chacha20::ChaCha12;
    ChaCha20, "chacha20" of "chacha", 64, 0, 1 << 32, |key, nonce, counter, data| reference::chacha::chacha(20, key, nonce, counter as u32, data),
        chacha20::ChaCha20;
    XChaCha20, "xchacha20" of "chacha", 64, 0, 1 << 32, |key, nonce, counter, data| reference::chacha::xchacha20(key, nonce, counter as u32, data),
        chacha20::XChaCha20;
    Kusumi512, "kusumi512" of "kusumi", 100, 1, u64::MAX, |key, nonce, counter, data| reference::kusumi::kusumi512(key, nonce, counter, data);
    Sm4Ctr, "sm4-ctr" of "sm4", 16, 0, u64::MAX, |key, iv, counter, data| {
        let first = u128::from_be_bytes(*iv).wrapping_add(u128::from(counter));
        reference::sm4::ctr(key, &first.to_be_bytes(), data);
    }, ctr::Ctr128BE<sm4::Sm4>;
}

/// One test for each cipher.
macro_rules! tests {
    ($($test:ident)*) => {$(
        #[test]
        fn $test() {
            checks::$test::<ChaCha8>();
            checks::$test::<ChaCha12>();
            checks::$test::<ChaCha20>();
            checks::$test::<XChaCha20>();
            checks::$test::<Kusumi512>();
            checks::$test::<Sm4Ctr>();
        }
    )*};
}

tests!(known_answers agreement pieces seeking counters_that_carry the_end_is_an_error_first backends_not_here whole_buffers_and_streams);

fn rng(seed: usize) -> SmallRng {
    SmallRng::seed_from_u64(seed as u64)
}

/// The cipher on each backend that runs here, with its key and nonce.
fn ciphers<C: Tested>(seed: usize) -> impl Iterator<Item = (C, Vec<u8>, Vec<u8>)> {
    let mut rng = rng(seed);
    let (mut key, mut nonce) = (Key::<C>::default(), Iv::<C>::default());
    key.iter_mut().chain(&mut *nonce).for_each(|byte| *byte = rng.random());
    Backend::ALL
        .iter()
        .filter_map(move |backend| Some((C::with_backend(&key, &nonce, *backend).ok()?, key.to_vec(), nonce.to_vec())))
}

/// Around blocks, quarters, halves and wholes of batches.
fn lengths(block: usize) -> impl Iterator<Item = usize> {
    let whole = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 32, 33, 40, 100].into_iter().map(move |n| n * block);
    whole.flat_map(|n| [n.saturating_sub(1), n, n + 1, n + 37])
}

mod checks {
    use super::*;

    pub(super) fn known_answers<C: Tested>() {
        let cases = vectors::load_ciphers(&format!(
            "{}.json",
            C::NAME.replace("chacha8", "chacha20").replace("chacha12", "chacha20").replace('-', "_")
        ));
        let mut seen = 0;
        for case in cases.iter().filter(|case| case.function == C::NAME) {
            let (key, nonce) = (case.key.as_slice().try_into().unwrap(), case.nonce.as_slice().try_into().unwrap());
            for &backend in Backend::ALL.iter().filter(|backend| backend.is_available()) {
                let Ok(mut cipher) = C::with_backend(key, nonce, backend) else { continue };
                // Block 0 of Kusumi-512 is out of reach here; the AEAD's answers show it.
                let Some(block) = case.counter.checked_sub(C::FIRST) else { continue };
                cipher.seek(u128::from(block) * C::BLOCK as u128);
                let mut data = case.plaintext.clone();
                cipher.apply_keystream(&mut data);
                case.check(&data);
                seen += 1;
            }
        }
        assert!(seen > 0, "no known answers of {}", C::NAME);
    }

    pub(super) fn agreement<C: Tested>() {
        for (at, length) in lengths(C::BLOCK).enumerate() {
            let message = random(&mut rng(length), length);
            for (mut cipher, key, nonce) in ciphers::<C>(at) {
                let mut expected = message.clone();
                C::reference(&key, &nonce, C::FIRST, &mut expected);
                let mut other = message.clone();
                assert!(!C::crates(&key, &nonce, &mut other) || other == expected, "{} {length}", C::NAME);

                let mut in_place = message.clone();
                cipher.clone().apply_keystream(&mut in_place);
                assert!(in_place == expected, "{} {length}", C::NAME);
                let mut output = vec![0xa5; length];
                cipher.apply_keystream_b2b(&message, &mut output);
                assert!(output == expected, "{} {length}", C::NAME);
            }
        }
    }

    pub(super) fn pieces<C: Tested>() {
        for seed in 0..30 {
            let mut rng = rng(seed);
            let length = rng.random_range(0..60 * C::BLOCK);
            let message = random(&mut rng, length);
            for (whole, ..) in ciphers::<C>(seed) {
                let mut expected = message.clone();
                whole.clone().apply_keystream(&mut expected);
                let (mut cipher, mut data, mut done) = (whole, message.clone(), 0);
                while done < length {
                    let most = [3, C::BLOCK, 2000][rng.random_range(0..3)].min(length - done);
                    let piece = rng.random_range(0..=most);
                    assert_eq!(cipher.current_pos::<usize>(), done);
                    cipher.apply_keystream(&mut data[done..][..piece]);
                    done += piece;
                }
                assert!(data == expected, "{} {length}", C::NAME);
            }
        }
    }

    pub(super) fn seeking<C: Tested>() {
        for (mut cipher, ..) in ciphers::<C>(3) {
            let mut keystream = vec![0; 50 * C::BLOCK];
            cipher.clone().write_keystream(&mut keystream);
            let mut rng = rng(4);
            for _ in 0..200 {
                let from = rng.random_range(0..keystream.len());
                let mut part = vec![0xff; rng.random_range(0..=keystream.len() - from)];
                cipher.seek(from);
                assert_eq!(cipher.current_pos::<usize>(), from);
                cipher.write_keystream(&mut part);
                assert!(part == keystream[from..][..part.len()]);
                assert_eq!(cipher.current_pos::<usize>(), from + part.len());
            }
        }
    }

    /// The counter's lower half overflows inside a batch, where it has an upper one.
    pub(super) fn counters_that_carry<C: Tested>() {
        if C::BLOCKS == 1 << 32 {
            return;
        }
        for back in [1, 2, 7, 15, 16] {
            let counter = (5 << 32) - back;
            for (mut cipher, key, nonce) in ciphers::<C>(back as usize) {
                let (mut data, mut expected) = (vec![0; 40 * C::BLOCK], vec![0; 40 * C::BLOCK]);
                cipher.seek(u128::from(counter - C::FIRST) * C::BLOCK as u128);
                cipher.apply_keystream(&mut data);
                C::reference(&key, &nonce, counter, &mut expected);
                assert!(data == expected, "{} from {counter}", C::NAME);
            }
        }
    }

    pub(super) fn the_end_is_an_error_first<C: Tested>() {
        let whole = u128::from(C::BLOCKS) * C::BLOCK as u128;
        for (mut cipher, ..) in ciphers::<C>(9) {
            for left in [0, 1, C::BLOCK - 1, C::BLOCK, C::BLOCK + 1, 20 * C::BLOCK + 5] {
                cipher.seek(whole - left as u128);
                let mut data = vec![0x5a; left + 1];
                assert!(cipher.try_apply_keystream(&mut data).is_err(), "{} {left}", C::NAME);
                assert!(data.iter().all(|byte| *byte == 0x5a), "a byte was written before the error");
                assert!(cipher.try_apply_keystream_b2b(&[1; 3], &mut [0; 2]).is_err());
                assert_eq!(cipher.current_pos::<u128>(), whole - left as u128);
                cipher.try_apply_keystream(&mut data[..left]).unwrap();
                assert_eq!(cipher.current_pos::<u128>(), whole);
                assert!(cipher.try_apply_keystream(&mut data[..1]).is_err());
                cipher.try_apply_keystream(&mut []).unwrap();
            }
            assert!(cipher.try_seek(whole + 1).is_err());
            assert!(cipher.try_seek(u128::MAX).is_err());
            assert!(cipher.try_seek(-1).is_err());
            for position in [i32::MAX as u128, u32::MAX.into(), u128::from(u64::MAX), u128::from(u64::MAX) + 1] {
                if position <= whole {
                    cipher.seek(position);
                    assert_eq!(cipher.try_current_pos::<i32>().is_ok(), position <= i32::MAX as u128);
                    assert_eq!(cipher.try_current_pos::<u32>().is_ok(), position <= u32::MAX.into());
                    assert_eq!(cipher.try_current_pos::<u64>().is_ok(), position <= u64::MAX.into());
                    assert_eq!(cipher.try_current_pos::<u128>().unwrap(), position);
                }
            }
            // Who does not check goes on; who checks does not, then.
            cipher.seek(whole - 1);
            cipher.unchecked_apply_keystream(&mut [0; 300]);
            assert!(cipher.try_apply_keystream(&mut [0; 1000]).is_err());
            cipher.seek(whole - 1);
            assert!(cipher.try_current_pos::<i32>().is_err());
            let mut reader = &[7; 99][..];
            let error = keystream::copy(&mut cipher, &mut reader, io::sink(), &mut [0; 10]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
            assert!(keystream::apply_to_vec(&mut cipher, &[1, 2]).is_err());
        }
    }

    pub(super) fn backends_not_here<C: Tested>() {
        let (key, nonce) = (Key::<C>::default(), Iv::<C>::default());
        let family = fairlane::primitives().iter().find(|primitive| primitive.name == C::FAMILY).unwrap();
        for &backend in Backend::ALL {
            let made = C::with_backend(&key, &nonce, backend);
            let here = family.backends.contains(&backend) && backend.is_available();
            assert_eq!(made.err(), (!here).then_some(Unsupported(backend)));
        }
        assert!(C::new_from_slices(&key[1..], &nonce).is_err());
        assert!(C::new_from_slices(&key, &[&nonce[..], &[0]].concat()).is_err());
    }

    /// A reader that gives a little at a time, and is interrupted.
    struct Slow<'a>(&'a [u8], SmallRng);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.1.random_range(0..4) == 0 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let some = self.1.random_range(1..=40).min(self.0.len()).min(buffer.len());
            let (now, rest) = self.0.split_at(some);
            buffer[..some].copy_from_slice(now);
            self.0 = rest;
            Ok(some)
        }
    }

    pub(super) fn whole_buffers_and_streams<C: Tested>() {
        for length in [0, 1, 99, 4096, 10_001] {
            let message = random(&mut rng(length), length);
            for (cipher, ..) in ciphers::<C>(length) {
                let expected = keystream::apply_to_vec(&mut cipher.clone(), &message).unwrap();
                assert_eq!(keystream::apply_to_vec(&mut cipher.clone(), &expected).unwrap(), message);
                for buffer in [1, 7, 64, 1000, 65536] {
                    let mut output = Vec::new();
                    let slow = Slow(&message, rng(buffer));
                    let copied = keystream::copy(&mut cipher.clone(), slow, &mut output, &mut vec![0; buffer]).unwrap();
                    assert!(copied == length as u64 && output == expected, "{} {length} {buffer}", C::NAME);
                }
                let empty = keystream::copy(&mut cipher.clone(), &message[..], io::sink(), &mut []).unwrap_err();
                assert_eq!(empty.kind(), io::ErrorKind::InvalidInput);
            }
        }
    }
}

#[test]
fn nothing_secret_is_shown() {
    let cipher = Kusumi512::new(&[0xab; 64].into(), &[0xcd; 12].into());
    assert_eq!(format!("{cipher:?}"), "Kusumi512 { .. }");
}
