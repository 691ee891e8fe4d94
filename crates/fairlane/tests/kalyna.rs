//! Kalyna's block ciphers on every backend that this machine has: known answers, the reference, an independent crate,
//! numbers of blocks around every word, and all values of every byte. The modes have tests of their own.

mod common;

use common::{STRIDE, random};
use dstu_core::hazmat::kalyna as other;
use fairlane::cipher::{AlgorithmName, Array, Block, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, Key};
use fairlane::kalyna::*;
use fairlane::{Backend, Unsupported};
use fairlane_reference::kalyna as reference;
use fairlane_vectors as vectors;
use rand::{SeedableRng, rngs::SmallRng};
use std::fmt;

fn backends() -> Vec<Backend> {
    common::backends("kalyna")
}

/// The most blocks in a call: of each variant several of the longest batches, and every rest of one.
const MOST: usize = 200;

/// One of the five, with its reference and an independent implementation.
trait Size: Kalyna + AlgorithmName + fmt::Debug + Send + 'static {
    const NAME: &str;
    const VARIANT: reference::Variant;
    fn on(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported>;
    /// A block by the independent implementation, and back.
    fn other(key: &[u8], block: &[u8]) -> [Vec<u8>; 2];
}

macro_rules! size {
    ($name:ident, $variant:ident, $other:ident) => {
        impl Size for $name {
            const NAME: &str = stringify!($name);
            const VARIANT: reference::Variant = reference::Variant::$variant;
            fn on(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $name::with_backend(key, backend)
            }
            fn other(key: &[u8], block: &[u8]) -> [Vec<u8>; 2] {
                let (cipher, block) = (other::$other::new(key.try_into().unwrap()), block.try_into().unwrap());
                [cipher.encrypt_block(block).to_vec(), cipher.decrypt_block(block).to_vec()]
            }
        }
    };
}
size!(Kalyna128_128, K128_128, Kalyna128_128ExpandedKey);
size!(Kalyna128_256, K128_256, Kalyna128_256ExpandedKey);
size!(Kalyna256_256, K256_256, Kalyna256_256ExpandedKey);
size!(Kalyna256_512, K256_512, Kalyna256_512ExpandedKey);
size!(Kalyna512_512, K512_512, Kalyna512_512ExpandedKey);

fn key<T: Size>(bytes: &[u8]) -> &Key<T> {
    bytes.try_into().unwrap()
}

/// The blocks of a buffer.
fn blocks<T: Size>(bytes: &[u8]) -> &[Block<T>] {
    Array::slice_as_chunks(bytes).0
}

fn blocks_mut<T: Size>(bytes: &mut [u8]) -> &mut [Block<T>] {
    Array::slice_as_chunks_mut(bytes).0
}

/// The reference's answers for the blocks of some data: encryption and decryption.
fn reference<T: Size>(key: &[u8], data: &[u8]) -> [Vec<u8>; 2] {
    let cipher = reference::Kalyna::new(T::VARIANT, key);
    let [mut encrypted, mut decrypted] = [data.to_vec(), data.to_vec()];
    reference::ecb_encrypt(&cipher, &mut encrypted);
    reference::ecb_decrypt(&cipher, &mut decrypted);
    [encrypted, decrypted]
}

/// Fails unless `run` makes `expected` of `input`, in place and from one buffer to another (which is 0x5a before), and
/// writes nothing around it.
fn check<T: Size>(context: &str, input: &[u8], expected: &[u8], mut run: impl FnMut(InOutBuf<'_, '_, Block<T>>)) {
    const AROUND: [u8; 70] = [0xa5; 70];
    // At an odd address.
    let within = 1..1 + input.len();
    for in_place in [true, false] {
        let mut buffer = [&AROUND[..1], input, &AROUND].concat();
        let output = &mut buffer[within.clone()];
        if in_place {
            run(blocks_mut::<T>(output).into());
        } else {
            output.fill(0x5a);
            run(InOutBuf::new(blocks::<T>(input), blocks_mut::<T>(output)).unwrap());
        }
        assert!(buffer[within.clone()] == *expected, "{context}, in place: {in_place}");
        assert!(buffer[0] == 0xa5 && buffer[within.end..] == AROUND, "{context}: written around the blocks");
    }
}

#[test]
fn known_answers() {
    fn one<T: Size>(case: &vectors::CipherCase, backend: Backend) {
        let cipher = T::on(key::<T>(&case.key), backend).unwrap();
        let mut data = case.plaintext.clone();
        cipher.encrypt_blocks(blocks_mut::<T>(&mut data));
        case.check(&data);
        cipher.decrypt_blocks(blocks_mut::<T>(&mut data));
        assert!(data == case.plaintext, "decryption on {backend}, {case}");
    }
    for backend in backends() {
        for case in vectors::load_ciphers("kalyna.json") {
            match case.function.trim_end_matches("-ecb") {
                "kalyna-128-128" => one::<Kalyna128_128>(&case, backend),
                "kalyna-128-256" => one::<Kalyna128_256>(&case, backend),
                "kalyna-256-256" => one::<Kalyna256_256>(&case, backend),
                "kalyna-256-512" => one::<Kalyna256_512>(&case, backend),
                "kalyna-512-512" => one::<Kalyna512_512>(&case, backend),
                other => panic!("{other} is not tested"),
            }
        }
    }
}

/// The library's page says so, and `primitives()`.
#[test]
fn only_tables_are_not_constant_time() {
    let kalyna = fairlane::primitives().iter().find(|primitive| primitive.name == "kalyna").unwrap();
    assert_eq!(kalyna.variable_time, if cfg!(feature = "table-lookups") { &[Backend::Scalar][..] } else { &[] });
}

/// Runs a test on all sizes.
macro_rules! all_sizes {
    ($($test:ident)*) => {$(
        #[test]
        fn $test() {
            checks::$test::<Kalyna128_128>();
            checks::$test::<Kalyna128_256>();
            checks::$test::<Kalyna256_256>();
            checks::$test::<Kalyna256_512>();
            checks::$test::<Kalyna512_512>();
        }
    )*};
}
all_sizes! {
    agrees_with_the_reference_and_an_independent_crate
    takes_any_number_of_blocks
    every_byte_takes_every_value
    goes_through_modes_of_other_crates
    buffers_of_two_lengths_are_an_error
    names_itself_and_shows_no_key
    a_clone_goes_to_other_threads
    unsupported_backends_are_errors
}

mod checks {
    use super::*;

    pub(super) fn agrees_with_the_reference_and_an_independent_crate<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(1);
        let (key_len, len) = (T::key_size(), T::block_size());
        let mut cases: Vec<_> = (0..50).map(|_| (random(&mut rng, key_len), random(&mut rng, len))).collect();
        // Sums with no carry, and with one from every byte.
        for [key, block] in [[0, 0], [0, 0xff], [0xff, 0], [0xff, 0xff], [1, 0xff], [0x80, 0x80]] {
            cases.push((vec![key; key_len], vec![block; len]));
        }
        for (key, block) in cases {
            let expected = reference::<T>(&key, &block);
            assert_eq!(T::other(&key, &block), expected, "the reference of {}", T::NAME);
            for backend in backends() {
                let cipher = T::on(super::key::<T>(&key), backend).unwrap();
                let mut encrypted: Block<T> = block[..].try_into().unwrap();
                let mut decrypted = encrypted.clone();
                cipher.encrypt_block(&mut encrypted);
                cipher.decrypt_block(&mut decrypted);
                assert_eq!(encrypted[..], expected[0], "{} on {backend}, key {key:02x?}", T::NAME);
                assert_eq!(decrypted[..], expected[1], "{} on {backend}, key {key:02x?}, decryption", T::NAME);
                cipher.decrypt_block(&mut encrypted);
                cipher.encrypt_block(&mut decrypted);
                assert!(encrypted[..] == block && decrypted[..] == block, "{} on {backend}, and back", T::NAME);
            }
        }
    }

    pub(super) fn takes_any_number_of_blocks<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(2);
        let (key, data) = (random(&mut rng, T::key_size()), random(&mut rng, MOST * T::block_size()));
        let [encrypted, decrypted] = reference::<T>(&key, &data);
        for backend in backends() {
            let cipher = T::on(super::key::<T>(&key), backend).unwrap();
            for count in (0..=MOST).step_by(STRIDE) {
                let context = format!("{} on {backend}, {count} blocks", T::NAME);
                // The last ones, so that not all numbers begin alike.
                let from = (MOST - count) * T::block_size();
                let (data, encrypted, decrypted) = (&data[from..], &encrypted[from..], &decrypted[from..]);
                check::<T>(&context, data, encrypted, |blocks| cipher.encrypt_blocks_inout(blocks));
                check::<T>(&context, data, decrypted, |blocks| cipher.decrypt_blocks_inout(blocks));
                let mut there = vec![0x5a; data.len()];
                cipher.encrypt_blocks_b2b(blocks::<T>(data), blocks_mut::<T>(&mut there)).unwrap();
                assert!(there == encrypted, "{context}, to another buffer");
                cipher.decrypt_blocks(blocks_mut::<T>(&mut there));
                assert!(there == data, "{context}, and back");
                cipher.decrypt_blocks_b2b(blocks::<T>(data), blocks_mut::<T>(&mut there)).unwrap();
                assert!(there == decrypted, "{context}, decryption to another buffer");
                cipher.encrypt_blocks(blocks_mut::<T>(&mut there));
                assert!(there == data, "{context}, decryption and back");
            }
            check::<T>("one by one", &data, &encrypted, |blocks| {
                blocks.into_iter().for_each(|block| cipher.encrypt_block_inout(block));
            });
            check::<T>("one by one, decryption", &data, &decrypted, |blocks| {
                blocks.into_iter().for_each(|block| cipher.decrypt_block_inout(block));
            });
            let mut there = Block::<T>::default();
            cipher.encrypt_block_b2b(&blocks::<T>(&data)[0], &mut there);
            assert!(there == blocks::<T>(&encrypted)[0], "{} on {backend}, a block to another place", T::NAME);
            cipher.decrypt_block_b2b(&blocks::<T>(&data)[0], &mut there);
            assert!(there == blocks::<T>(&decrypted)[0], "{} on {backend}, a block to another place", T::NAME);
        }
    }

    /// So every entry of each S-box is looked up at every place: what the key adds to a byte, or the inverse matrix, is
    /// one to one.
    pub(super) fn every_byte_takes_every_value<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(3);
        let (key, block) = (random(&mut rng, T::key_size()), random(&mut rng, T::block_size()));
        let mut data = Vec::new();
        // Under an emulator, some bytes of each row.
        for place in (0..T::block_size()).step_by(STRIDE) {
            for value in 0..=255 {
                data.extend_from_slice(&block);
                let start = data.len() - block.len();
                data[start + place] = value;
            }
        }
        let [encrypted, decrypted] = reference::<T>(&key, &data);
        for backend in backends() {
            let cipher = T::on(super::key::<T>(&key), backend).unwrap();
            // As many bytes a call as each kernel takes.
            for bytes in [data.len(), 128, 64] {
                let context = format!("{} on {backend}, {bytes} bytes a call", T::NAME);
                let mut there = data.clone();
                there.chunks_mut(bytes).for_each(|bytes| cipher.encrypt_blocks(blocks_mut::<T>(bytes)));
                assert!(there == encrypted, "{context}");
                there.copy_from_slice(&data);
                there.chunks_mut(bytes).for_each(|bytes| cipher.decrypt_blocks(blocks_mut::<T>(bytes)));
                assert!(there == decrypted, "{context}, decryption");
            }
        }
    }

    /// CBC of the generic crate is that of the standard.
    pub(super) fn goes_through_modes_of_other_crates<T: Size>() {
        let mut rng = SmallRng::seed_from_u64(4);
        let (key, iv) = (random(&mut rng, T::key_size()), random(&mut rng, T::block_size()));
        let plain = random(&mut rng, MOST * T::block_size());
        let mut expected = plain.clone();
        reference::cbc_encrypt(&reference::Kalyna::new(T::VARIANT, &key), &iv, &mut expected);
        let iv: Block<T> = iv[..].try_into().unwrap();
        for backend in backends() {
            let cipher = T::on(super::key::<T>(&key), backend).unwrap();
            let mut data = plain.clone();
            cbc::Encryptor::inner_iv_init(cipher.clone(), &iv).encrypt_blocks(blocks_mut::<T>(&mut data));
            assert!(data == expected, "{} on {backend}", T::NAME);
            cbc::Decryptor::inner_iv_init(cipher, &iv).decrypt_blocks(blocks_mut::<T>(&mut data));
            assert!(data == plain, "{} on {backend}, decryption", T::NAME);
        }
    }

    pub(super) fn buffers_of_two_lengths_are_an_error<T: Size>() {
        for backend in backends() {
            let cipher = T::on(&Key::<T>::default(), backend).unwrap();
            let (input, mut output) = (vec![1; 3 * T::block_size()], vec![2; 4 * T::block_size()]);
            assert!(cipher.encrypt_blocks_b2b(blocks::<T>(&input), blocks_mut::<T>(&mut output)).is_err());
            assert!(cipher.decrypt_blocks_b2b(blocks::<T>(&input), blocks_mut::<T>(&mut output)).is_err());
            assert!(output.iter().all(|byte| *byte == 2), "an error changes nothing");
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
        assert_eq!(format!("{:?}", T::new(&Key::<T>::default())), format!("{} {{ .. }}", T::NAME));
        assert_eq!(T::block_size(), T::VARIANT.block_len());
        assert_eq!(T::key_size(), T::VARIANT.key_len());
        for wrong in [0, T::key_size() - 1, T::key_size() + 1] {
            assert!(T::new_from_slice(&vec![0; wrong]).is_err(), "a key of {wrong} bytes");
        }
    }

    pub(super) fn a_clone_goes_to_other_threads<T: Size>() {
        let mut here = Block::<T>::default();
        let cipher = T::new(&Key::<T>::default());
        cipher.encrypt_block(&mut here);
        assert_eq!(here[..], reference::<T>(&vec![0; T::key_size()], &vec![0; T::block_size()])[0]);
        let clone = cipher.clone();
        drop(cipher);
        let there = std::thread::spawn(move || {
            let mut block = Block::<T>::default();
            clone.encrypt_block(&mut block);
            block[..].to_vec()
        });
        assert_eq!(there.join().unwrap(), here[..]);
    }

    pub(super) fn unsupported_backends_are_errors<T: Size>() {
        for &backend in Backend::ALL.iter().filter(|backend| !backends().contains(backend)) {
            assert_eq!(T::on(&Key::<T>::default(), backend).unwrap_err(), Unsupported(backend));
        }
        assert!(!backends().contains(&Backend::Avx2), "Kalyna has a kernel for plain AVX2 now: test it");
    }
}
