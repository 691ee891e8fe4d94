//! Threefish on every backend that this machine has: known answers, the reference, an independent crate, numbers of
//! blocks around every word, and the counter mode in pieces.

mod common;

use fairlane::cipher::{
    AlgorithmName, Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeyIvInit,
    StreamCipher, StreamCipherSeek, TweakBlockCipherDecrypt, TweakBlockCipherEncrypt, array::ArraySize, consts::U16,
};
use fairlane::threefish::*;
use fairlane::{Backend, Unsupported};
use fairlane_reference::threefish as reference;
use fairlane_vectors as vectors;
use rand::{Rng, RngExt, SeedableRng, rngs::SmallRng};
use std::fmt;

fn backends() -> Vec<Backend> {
    common::backends("threefish")
}

/// Around every word of lanes, the blocks that a kernel takes, and many.
fn counts() -> impl Iterator<Item = usize> {
    (0..=33).chain([63, 64, 65, 1000])
}

fn random<S: ArraySize>(rng: &mut SmallRng) -> Array<u8, S> {
    let mut bytes = Array::default();
    rng.fill_bytes(&mut bytes);
    bytes
}

fn words<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let (bytes, rest) = bytes.as_chunks();
    assert!(bytes.len() == WORDS && rest.is_empty());
    std::array::from_fn(|i| u64::from_le_bytes(bytes[i]))
}

/// The reference's answer for one block.
fn encrypted<const WORDS: usize>(key: &[u8], tweak: &[u8], block: &[u8]) -> Vec<u8> {
    let mut block = words::<WORDS>(block);
    reference::Threefish::new(&words(key), words(tweak)).encrypt(&mut block);
    block.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A size of Threefish, with an independent implementation.
trait Size:
    KeyInit
    + Clone
    + fmt::Debug
    + AlgorithmName
    + BlockCipherEncrypt
    + BlockCipherDecrypt
    + TweakBlockCipherEncrypt<TweakSize = U16>
    + TweakBlockCipherDecrypt
{
    const NAME: &str;
    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported>;
    fn new_with_tweak(key: &Key<Self>, tweak: &[u8; 16]) -> Self;
    fn with_tweak(self, tweak: &[u8; 16]) -> Self;
    fn reference(key: &[u8], tweak: &[u8], block: &[u8]) -> Vec<u8>;
    fn other(key: &[u8], tweak: &[u8; 16]) -> impl BlockCipherEncrypt<BlockSize = Self::BlockSize>;
}

macro_rules! size {
    ($name:ident, $words:literal) => {
        impl Size for $name {
            const NAME: &str = stringify!($name);
            fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $name::with_backend(key, backend)
            }
            fn new_with_tweak(key: &Key<Self>, tweak: &[u8; 16]) -> Self {
                $name::new_with_tweak(key, tweak)
            }
            fn with_tweak(self, tweak: &[u8; 16]) -> Self {
                self.with_tweak(tweak)
            }
            fn reference(key: &[u8], tweak: &[u8], block: &[u8]) -> Vec<u8> {
                encrypted::<$words>(key, tweak, block)
            }
            fn other(key: &[u8], tweak: &[u8; 16]) -> impl BlockCipherEncrypt<BlockSize = Self::BlockSize> {
                threefish::$name::new_with_tweak(key.try_into().unwrap(), tweak)
            }
        }
    };
}
size!(Threefish256, 4);
size!(Threefish512, 8);
size!(Threefish1024, 16);

#[test]
fn known_answers() {
    fn one<T: Size>(case: &vectors::CipherCase, backend: Backend) {
        let key = case.key[..].try_into().unwrap();
        let mut tweak = [0; 16];
        tweak[..case.tweak.len()].copy_from_slice(&case.tweak);
        let cipher = T::with_backend(key, backend).unwrap().with_tweak(&tweak);
        let mut block: Block<T> = case.plaintext[..].try_into().unwrap();
        BlockCipherEncrypt::encrypt_block(&cipher, &mut block);
        case.check(&block);
        BlockCipherDecrypt::decrypt_block(&cipher, &mut block);
        assert_eq!(block[..], case.plaintext, "decryption of {}", case.function);
    }
    for backend in backends() {
        for case in vectors::load_ciphers("threefish.json") {
            match &*case.function {
                "threefish256" => one::<Threefish256>(&case, backend),
                "threefish512" => one::<Threefish512>(&case, backend),
                "threefish1024" => one::<Threefish1024>(&case, backend),
                "threefish512-ctr" => {
                    let (key, iv) = (case.key[..].try_into().unwrap(), case.nonce[..].try_into().unwrap());
                    let mut cipher = Threefish512Ctr::with_backend(key, iv, backend).unwrap();
                    cipher.seek(64 * case.counter);
                    let mut data = case.plaintext.clone();
                    cipher.apply_keystream(&mut data);
                    case.check(&data);
                }
                other => panic!("{other} is not tested"),
            }
        }
    }
}

/// Runs a test on all sizes.
macro_rules! all_sizes {
    ($($test:ident)*) => {$(
        #[test]
        fn $test() {
            checks::$test::<Threefish256>();
            checks::$test::<Threefish512>();
            checks::$test::<Threefish1024>();
        }
    )*};
}
all_sizes! {
    agrees_with_the_reference_and_an_independent_crate
    takes_any_number_of_blocks
    takes_a_tweak_with_each_block
    names_itself_and_shows_no_key
    unsupported_backends_are_errors
}

mod checks {
    use super::*;

    pub(super) fn agrees_with_the_reference_and_an_independent_crate<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(1);
        for _ in 0..50 {
            let (key, tweak) = (random(&mut rng), rng.random());
            let block: Block<T> = random(&mut rng);
            let mut expected = block.clone();
            T::other(&key, &tweak).encrypt_block(&mut expected);
            assert_eq!(T::reference(&key, &tweak, &block), expected[..], "the reference of {}", T::NAME);
            for backend in backends() {
                let mut answer = block.clone();
                let cipher = T::with_backend(&key, backend).unwrap().with_tweak(&tweak);
                BlockCipherEncrypt::encrypt_block(&cipher, &mut answer);
                assert_eq!(answer, expected, "{} on {backend}", T::NAME);
                BlockCipherDecrypt::decrypt_block(&cipher, &mut answer);
                assert_eq!(answer, block, "{} on {backend}, decryption", T::NAME);
            }
        }
    }

    pub(super) fn takes_any_number_of_blocks<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(2);
        for (backend, count) in backends().into_iter().flat_map(|b| counts().map(move |count| (b, count))) {
            let context = format!("{} on {backend}, {count} blocks", T::NAME);
            let (key, tweak) = (random(&mut rng), rng.random());
            let cipher = T::with_backend(&key, backend).unwrap().with_tweak(&tweak);
            let plain: Vec<Block<T>> = (0..count).map(|_| random(&mut rng)).collect();
            let mut expected = plain.clone();
            T::other(&key, &tweak).encrypt_blocks(&mut expected);

            let mut blocks = plain.clone();
            cipher.encrypt_blocks(&mut blocks);
            assert!(blocks == expected, "{context}: encryption in place");
            cipher.decrypt_blocks(&mut blocks);
            assert!(blocks == plain, "{context}: decryption in place");

            let mut other = vec![Block::<T>::default(); count];
            cipher.encrypt_blocks_b2b(&plain, &mut other).unwrap();
            assert!(other == expected, "{context}: encryption to another buffer");
            cipher.decrypt_blocks_b2b(&expected, &mut other).unwrap();
            assert!(other == plain, "{context}: decryption to another buffer");

            other.push(Block::<T>::default());
            assert!(cipher.encrypt_blocks_b2b(&plain, &mut other).is_err(), "{context}: buffers of two lengths");
        }
    }

    pub(super) fn takes_a_tweak_with_each_block<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(3);
        for backend in backends() {
            let (key, own, given) = (random(&mut rng), rng.random(), rng.random::<[u8; 16]>());
            let cipher = T::with_backend(&key, backend).unwrap().with_tweak(&own);
            let plain: Block<T> = random(&mut rng);
            for tweak in [given, own, [0; 16]] {
                let mut block = plain.clone();
                TweakBlockCipherEncrypt::encrypt_block(&cipher, &tweak.into(), &mut block);
                assert_eq!(T::reference(&key, &tweak, &plain), block[..], "{} on {backend}", T::NAME);
                let mut back = Block::<T>::default();
                TweakBlockCipherDecrypt::decrypt_block_b2b(&cipher, tweak[..].try_into().unwrap(), &block, &mut back);
                assert_eq!(back, plain, "{} on {backend}", T::NAME);
            }
        }
        // The tweak that a value has: zeros, or the one given.
        let (key, tweak) = (random(&mut rng), rng.random());
        let plain: Block<T> = random(&mut rng);
        for (cipher, tweak) in [
            (<T as KeyInit>::new(&key), [0; 16]),
            (T::new_with_tweak(&key, &tweak), tweak),
            (T::new_with_tweak(&key, &tweak).clone(), tweak),
            (T::new_with_tweak(&key, &tweak).with_tweak(&[0; 16]), [0; 16]),
        ] {
            let mut block = plain.clone();
            BlockCipherEncrypt::encrypt_block(&cipher, &mut block);
            assert_eq!(T::reference(&key, &tweak, &plain), block[..], "{}", T::NAME);
        }
    }

    pub(super) fn names_itself_and_shows_no_key<T: Size>() {
        struct Name<T>(std::marker::PhantomData<T>);
        impl<T: AlgorithmName> fmt::Display for Name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                T::write_alg_name(f)
            }
        }
        assert_eq!(Name::<T>(std::marker::PhantomData).to_string(), T::NAME);
        let cipher = <T as KeyInit>::new(&Key::<T>::default());
        assert_eq!(format!("{cipher:?}"), format!("{} {{ .. }}", T::NAME));
        assert!(<T as KeyInit>::new_from_slice(&vec![0; <T as BlockSizeUser>::block_size() - 1]).is_err());
    }

    pub(super) fn unsupported_backends_are_errors<T: Size>() {
        for &backend in Backend::ALL.iter().filter(|backend| !backends().contains(backend)) {
            assert_eq!(T::with_backend(&Key::<T>::default(), backend).unwrap_err(), Unsupported(backend));
            let (key, iv) = ([0; 64].into(), [0; 64].into());
            assert_eq!(Threefish512Ctr::with_backend(&key, &iv, backend).unwrap_err(), Unsupported(backend));
        }
    }
}

type OtherCtr = ctr::Ctr64LE<threefish::Threefish512>;

#[test]
fn ctr_agrees_in_any_pieces() {
    let mut rng = SmallRng::seed_from_u64(4);
    for backend in backends() {
        for length in counts().flat_map(|count| [64 * count, 64 * count + 1 + count % 63]) {
            let (key, iv) = (random(&mut rng), random(&mut rng));
            let mut data = vec![0; length];
            rng.fill_bytes(&mut data);
            let mut expected = data.clone();
            OtherCtr::new(&key, &iv).apply_keystream(&mut expected);
            if length < 2000 {
                let mut slow = data.clone();
                reference::threefish512_ctr(&key.into(), &iv.into(), &mut slow);
                assert!(slow == expected, "the reference, {length} bytes");
            }

            let cipher = Threefish512Ctr::with_backend(&key, &iv, backend).unwrap();
            let mut whole = data.clone();
            cipher.clone().apply_keystream(&mut whole);
            assert!(whole == expected, "{backend}, {length} bytes");
            let mut other = vec![0; length];
            cipher.clone().apply_keystream_b2b(&data, &mut other);
            assert!(other == expected, "{backend}, {length} bytes to another buffer");

            let (mut pieces, mut rest) = (cipher, &mut data[..]);
            while !rest.is_empty() {
                let at = rng.random_range(0..=rest.len().min(1500));
                let (piece, next) = rest.split_at_mut(at);
                pieces.apply_keystream(piece);
                rest = next;
            }
            assert!(data == expected, "{backend}, {length} bytes in pieces");
        }
    }
}

#[test]
fn ctr_seeks() {
    let mut rng = SmallRng::seed_from_u64(5);
    for backend in backends() {
        // The second IV's counter wraps.
        for first in [0x12, 0xff] {
            let key = random(&mut rng);
            let mut iv: Array<u8, _> = random(&mut rng);
            iv[..8].fill(first);
            let mut cipher = Threefish512Ctr::with_backend(&key, &iv, backend).unwrap();
            let mut other = OtherCtr::new(&key, &iv);
            for _ in 0..200 {
                let position = rng.random::<u64>() >> rng.random_range(0..64);
                let mut data = [0; 1000];
                let length = rng.random_range(0..=1000);
                cipher.seek(position);
                assert_eq!(cipher.current_pos::<u128>(), position.into());
                cipher.apply_keystream(&mut data[..length]);
                assert_eq!(cipher.current_pos::<u128>(), u128::from(position) + length as u128);
                other.seek(position);
                other.apply_keystream(&mut data[..length]);
                assert!(data == [0; 1000], "{backend}, {length} bytes from {position}");
            }
        }
    }
}

#[test]
fn ctr_ends_before_the_counter_repeats() {
    const END: u128 = (u64::MAX as u128) * 64;
    for backend in backends() {
        let mut cipher = Threefish512Ctr::with_backend(&[1; 64].into(), &[2; 64].into(), backend).unwrap();
        cipher.seek(END - 100);
        let mut data = [7; 101];
        assert!(cipher.try_apply_keystream(&mut data).is_err());
        assert_eq!(data, [7; 101], "an error changes nothing");
        assert_eq!(cipher.current_pos::<u128>(), END - 100);
        cipher.try_apply_keystream(&mut data[..100]).unwrap();
        assert!(data[..100].iter().any(|byte| *byte != 7));
        assert!(cipher.try_apply_keystream(&mut data[..1]).is_err());
        assert!(cipher.try_apply_keystream(&mut []).is_ok());
        assert!(cipher.try_seek(END).is_ok());
        assert!(cipher.try_seek(END + 1).is_err());
        assert!(cipher.try_seek(u128::MAX).is_err());
        assert_eq!(cipher.current_pos::<u128>(), END, "an error moves nothing");
    }
}
