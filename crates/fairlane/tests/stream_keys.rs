//! Keys that serve many nonces, on every backend that this machine has: known answers, and the same bytes as the
//! streams that are made with a key of their own.

mod common;

use common::random;
use fairlane::chacha::{ChaChaBlocks, XChaChaBlocks};
use fairlane::cipher::{
    AlgorithmName, Array, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit, StreamCipher, StreamCipherSeek,
};
use fairlane::keystream::{Blocks, Generator, Stream, StreamKey};
use fairlane::kusumi::KusumiBlocks;
use fairlane::sm4::{Sm4, cbc};
use fairlane::{Backend, Unsupported, kalyna, sm4, threefish};
use fairlane_lanes::AnyToken;
use fairlane_vectors as vectors;
use kalyna::{Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use std::fmt;

/// Runs a check for every stream cipher, with the file of its known answers, its name there, and what they call the
/// first block.
macro_rules! for_all {
    ($check:ident) => {
        $check::<ChaChaBlocks<8>>("chacha20.json", "chacha8", 0);
        $check::<ChaChaBlocks<12>>("chacha20.json", "chacha12", 0);
        $check::<ChaChaBlocks<20>>("chacha20.json", "chacha20", 0);
        $check::<XChaChaBlocks>("xchacha20.json", "xchacha20", 0);
        $check::<KusumiBlocks>("kusumi512.json", "kusumi512", 1);
        $check::<sm4::CtrBlocks>("sm4_ctr.json", "sm4-ctr", 0);
        $check::<threefish::CtrBlocks>("threefish.json", "threefish512-ctr", 0);
        $check::<kalyna::CtrBlocks<Kalyna128_128>>("kalyna_modes.json", "kalyna-128-128-ctr", 0);
        $check::<kalyna::CtrBlocks<Kalyna128_256>>("kalyna_modes.json", "kalyna-128-256-ctr", 0);
        $check::<kalyna::CtrBlocks<Kalyna256_256>>("kalyna_modes.json", "kalyna-256-256-ctr", 0);
        $check::<kalyna::CtrBlocks<Kalyna256_512>>("kalyna_modes.json", "kalyna-256-512-ctr", 0);
        $check::<kalyna::CtrBlocks<Kalyna512_512>>("kalyna_modes.json", "kalyna-512-512-ctr", 0);
    };
}

fn backends<G: Generator>() -> impl Iterator<Item = Backend> {
    G::BACKENDS.iter().copied().filter(|backend| backend.is_available())
}

#[test]
fn known_answers() {
    fn one<G: Generator>(file: &str, name: &str, first: u64) {
        let mut seen = 0;
        for case in vectors::load_ciphers(file).iter().filter(|case| case.function == name) {
            let (key, nonce) = (case.key[..].try_into().unwrap(), case.nonce[..].try_into().unwrap());
            let Some(block) = case.counter.checked_sub(first) else { continue };
            for backend in backends::<G>() {
                let key = StreamKey::<G>::with_backend(key, backend).unwrap();
                // The second message is not touched by the first one.
                for _ in 0..2 {
                    let mut stream = key.stream(nonce);
                    stream.seek(u128::from(block) * size_of::<G::Block>() as u128);
                    let mut data = case.plaintext.clone();
                    stream.apply_keystream(&mut data);
                    case.check(&data);
                }
                seen += 1;
            }
        }
        assert!(seen > 0, "no known answers of {name}");
    }
    for_all!(one);
}

/// Several streams of one key at once, in pieces and from any position on.
#[test]
fn streams_are_those_of_a_key_of_their_own() {
    fn one<G: Generator>(_: &str, name: &str, _: u64) {
        for (seed, backend) in backends::<G>().enumerate() {
            let mut rng = SmallRng::seed_from_u64(seed as u64);
            let mut key = Array::<u8, G::KeySize>::default();
            rng.fill(&mut key[..]);
            let ready = StreamKey::<G>::with_backend(&key, backend).unwrap();
            let nonces = [(); 4].map(|()| {
                let mut nonce = Array::<u8, G::NonceSize>::default();
                rng.fill(&mut nonce[..]);
                nonce
            });
            let mut streams = nonces.clone().map(|nonce| ready.stream(&nonce));
            let length = 70 * size_of::<G::Block>() + 5;
            let message = random(&mut rng, length);
            let mut pieces = [(); 4].map(|()| message.clone());
            let mut done = 0;
            while done < length {
                let piece = rng.random_range(1..=length / 4).min(length - done);
                for (stream, data) in streams.iter_mut().zip(&mut pieces) {
                    stream.apply_keystream(&mut data[done..][..piece]);
                }
                done += piece;
            }
            for (nonce, data) in nonces.iter().zip(&pieces) {
                let own = Stream::<G>::with_backend(&key, nonce, backend).unwrap();
                let mut expected = message.clone();
                own.clone().apply_keystream(&mut expected);
                assert!(*data == expected, "{name} on {backend}");
                for from in [0, 1, 100, length - 3] {
                    let (mut own, mut keyed) = (own.clone(), ready.stream(nonce));
                    own.seek(from);
                    keyed.seek(from);
                    let (mut output, mut expected) = (vec![0; length], vec![0; length]);
                    own.apply_keystream_b2b(&message, &mut expected);
                    keyed.apply_keystream_b2b(&message, &mut output);
                    assert!(output == expected, "{name} on {backend} from byte {from}");
                    assert_eq!(own.current_pos::<u128>(), keyed.current_pos::<u128>());
                }
            }
        }
    }
    for_all!(one);
}

/// A token of a backend that the cipher has no kernel for stands for one that it implies.
#[test]
fn any_token_will_do() {
    fn one<G: Generator>(_: &str, name: &str, _: u64) {
        let (key, nonce) = (Array::default(), Array::default());
        let mut expected = vec![0; 3 * size_of::<G::Block>()];
        Stream::<G>::with_backend(&key, &nonce, Backend::Scalar).unwrap().apply_keystream(&mut expected);
        for token in Backend::ALL.iter().filter_map(|backend| AnyToken::new(*backend).ok()) {
            let (mut data, mut keyed) = (vec![0; expected.len()], vec![0; expected.len()]);
            let ready = G::ready_key(token, &key);
            G::new(token, &key, &nonce).apply(G::FIRST, data.as_mut_slice().into(), &mut G::EMPTY.clone());
            G::keyed(&ready, &nonce).apply(G::FIRST, keyed.as_mut_slice().into(), &mut G::EMPTY.clone());
            assert!(data == expected && keyed == expected, "{name} under {}", token.backend());
        }
    }
    for_all!(one);
}

/// The keystream of a borrowed key ends where that of an owned one does.
#[test]
fn the_end_is_an_error_first() {
    fn one<G: Generator>(_: &str, name: &str, _: u64) {
        let key = StreamKey::<G>::new(&Array::default());
        let mut stream = key.stream(&Array::default());
        stream.seek(u128::from(G::BLOCKS) * size_of::<G::Block>() as u128 - 1);
        let mut data = [7; 2];
        assert!(stream.try_apply_keystream(&mut data).is_err(), "{name}");
        assert_eq!(data, [7; 2]);
        stream.try_apply_keystream(&mut data[..1]).unwrap();
    }
    for_all!(one);
}

#[test]
fn unsupported_backends_are_errors_and_no_key_is_shown() {
    struct Name<T>(std::marker::PhantomData<T>);
    impl<T: AlgorithmName> fmt::Display for Name<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn one<G: Generator>(_: &str, name: &str, _: u64) {
        for &backend in Backend::ALL {
            let here = G::BACKENDS.contains(&backend) && backend.is_available();
            let made = StreamKey::<G>::with_backend(&Array::default(), backend);
            assert_eq!(made.err(), (!here).then_some(Unsupported(backend)), "{name}");
        }
        let key = StreamKey::<G>::new_from_slice(&vec![0xab; size_of::<Array<u8, G::KeySize>>()]).unwrap();
        assert_eq!(format!("{key:?}"), format!("{} {{ .. }}", G::NAME));
        assert_eq!(format!("{:?}", key.stream(&Array::default())), format!("{} {{ .. }}", G::NAME));
        assert_eq!(Name::<StreamKey<G>>(Default::default()).to_string(), G::NAME);
        assert!(StreamKey::<G>::new_from_slice(&[1]).is_err());
    }
    for_all!(one);
}

/// CBC over a cipher that each message borrows.
#[test]
fn cbc_borrows_its_cipher() {
    /// The type's own encryptor has a copy of the cipher.
    macro_rules! check {
        ($cipher:expr, $encryptor:ty, $backend:ident) => {
            let cipher = $cipher;
            for length in [1, 2, 7, 150] {
                let iv = Array::from_fn(|i| (i + length) as u8);
                let plain = vec![iv.clone(); length];
                let (mut data, mut expected) = (plain.clone(), plain.clone());
                <$encryptor>::inner_iv_init(cipher.clone(), &iv).encrypt_blocks(&mut expected);
                let mut encryptor = cbc::Encryptor::inner_iv_init(&cipher, &iv);
                let (first, rest) = data.split_at_mut(1);
                encryptor.encrypt_blocks(first);
                encryptor.encrypt_blocks(rest);
                assert!(data == expected, "CBC encryption on {}", $backend);
                cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(&mut data);
                assert!(data == plain, "CBC decryption on {}", $backend);
            }
        };
    }
    fn kalyna<C: Kalyna>() {
        for backend in backends::<kalyna::CtrBlocks<C>>() {
            check!(C::with_backend(&Array::default(), backend).unwrap(), kalyna::CbcEncryptor<C>, backend);
        }
    }
    for backend in backends::<sm4::CtrBlocks>() {
        check!(Sm4::with_backend(&[7; 16].into(), backend).unwrap(), sm4::CbcEncryptor, backend);
    }
    kalyna::<Kalyna128_128>();
    kalyna::<Kalyna128_256>();
    kalyna::<Kalyna256_256>();
    kalyna::<Kalyna256_512>();
    kalyna::<Kalyna512_512>();
}
