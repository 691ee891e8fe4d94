//! The Keccak family on every backend that this machine has: known answers, the reference, independent crates,
//! pieces of any length, and many messages at once.

mod common;

use common::Promising;
use fairlane::digest::{
    CustomizedInit, Digest, ExtendableOutput, ExtendableOutputReset, FixedOutput, Update, XofReader,
};
use fairlane::keccak::*;
use fairlane::{Backend, HashMany, HashManyError};
use fairlane_reference::keccak as reference;
use fairlane_vectors as vectors;
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use std::num::NonZeroUsize;

fn backends() -> Vec<Backend> {
    common::backends("keccak")
}

/// Around every rate, KangarooTwelve's chunks and groups of them, and the blocks between.
const LENGTHS: &[usize] = &[
    0, 1, 7, 8, 9, 31, 32, 33, 71, 72, 73, 103, 104, 105, 135, 136, 137, 143, 144, 145, 167, 168, 169, 200, 271, 272,
    273, 335, 336, 337, 1000, 1023, 1024, 1025, 4096, 8191, 8192, 8193, 16383, 16384, 16385, 100_000, 139_264, 139_265,
];

fn message(length: usize) -> Vec<u8> {
    common::random_from(length, length)
}

/// Feeds a message in pieces of random lengths.
fn in_pieces<H: Update>(mut hasher: H, message: &[u8]) -> H {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut rest = message;
    while !rest.is_empty() {
        let (piece, next) = rest.split_at(rng.random_range(0..=rest.len().min(400)));
        hasher.update(piece);
        rest = next;
    }
    hasher
}

/// Reads an output in pieces of random lengths.
fn read_in_pieces(mut reader: impl XofReader, out: &mut [u8]) {
    let mut rng = SmallRng::seed_from_u64(8);
    let mut rest = out;
    while !rest.is_empty() {
        let at = rng.random_range(0..=rest.len().min(400));
        let (piece, next) = rest.split_at_mut(at);
        reader.read(piece);
        rest = next;
    }
}

/// Every fixed-size hash: name, type, function here, function of the reference, type of an independent crate.
macro_rules! for_each_hash {
    ($check:ident!) => {
        $check!("keccak224", Keccak224, keccak224, keccak224, sha3::Keccak224);
        $check!("keccak256", Keccak256, keccak256, keccak256, sha3::Keccak256);
        $check!("keccak384", Keccak384, keccak384, keccak384, sha3::Keccak384);
        $check!("keccak512", Keccak512, keccak512, keccak512, sha3::Keccak512);
        $check!("sha3-224", Sha3_224, sha3_224, sha3_224, sha3::Sha3_224);
        $check!("sha3-256", Sha3_256, sha3_256, sha3_256, sha3::Sha3_256);
        $check!("sha3-384", Sha3_384, sha3_384, sha3_384, sha3::Sha3_384);
        $check!("sha3-512", Sha3_512, sha3_512, sha3_512, sha3::Sha3_512);
    };
}

#[test]
fn known_answers() {
    for backend in backends() {
        let mut checked = 0;
        for file in
            ["keccak.json", "sha3.json", "shake.json", "cshake.json", "turboshake.json", "kt128.json", "kt256.json"]
        {
            for case in vectors::load(file) {
                macro_rules! hash {
                    ($name:literal, $type:ident, $($rest:tt)*) => {
                        if case.function == $name {
                            case.check(&$type::with_backend(backend).unwrap().chain(&case.message).finalize_fixed());
                            checked += 1;
                        }
                    };
                }
                for_each_hash!(hash!);
                let (name, customization) = (&case.name, &case.customization);
                macro_rules! xof {
                    ($name:literal, $hasher:expr) => {
                        if case.function == $name {
                            case.check_xof(|out| $hasher.unwrap().chain(&case.message).finalize_xof_into(out));
                            checked += 1;
                        }
                    };
                }
                xof!("shake128", Shake128::with_backend(backend));
                xof!("shake256", Shake256::with_backend(backend));
                xof!("cshake128", CShake128::with_backend(backend, name, customization));
                xof!("cshake256", CShake256::with_backend(backend, name, customization));
                xof!("turboshake128", TurboShake128::with_backend(backend).unwrap().with_domain(case.domain));
                xof!("turboshake256", TurboShake256::with_backend(backend).unwrap().with_domain(case.domain));
                xof!("kt128", Kt128::with_backend(backend, customization));
                xof!("kt256", Kt256::with_backend(backend, customization));
            }
        }
        assert!(checked > 400, "only {checked} known answers on {backend}");
    }
}

#[test]
fn hashes_agree_with_the_reference_and_with_sha3() {
    for &length in LENGTHS {
        let message = message(length);
        macro_rules! hash {
            ($name:literal, $type:ident, $function:ident, $reference:ident, $other:ty) => {
                let expected = reference::$reference(&message);
                assert_eq!(<$other>::digest(&message)[..], expected);
                assert_eq!($function(&message), expected);
                for backend in backends() {
                    let hasher = $type::with_backend(backend).unwrap();
                    assert_eq!(in_pieces(hasher, &message).finalize_fixed()[..], expected, "{} on {backend}", $name);
                }
            };
        }
        for_each_hash!(hash!);
    }
}

#[test]
fn xofs_agree_with_the_reference_and_with_independent_crates() {
    fn check<H: ExtendableOutput>(hasher: H, message: &[u8], expected: &[u8]) {
        let mut out = vec![0; expected.len()];
        read_in_pieces(in_pieces(hasher, message).finalize_xof(), &mut out);
        assert!(out == expected, "{} of {} bytes", core::any::type_name::<H>(), message.len());
    }
    for &length in LENGTHS {
        let message = message(length);
        let mut expected = vec![0; 1000];
        macro_rules! xof {
            ($reference:expr, $other:expr, $here:expr) => {{
                let (reference, here) = ($reference, $here);
                reference(&mut expected);
                check($other, &message, &expected);
                for backend in backends() {
                    check(here(backend), &message, &expected);
                }
            }};
        }
        let m = &message[..];
        xof!(|out: &mut [u8]| reference::shake128(m, out), shake::Shake128::default(), |b| Shake128::with_backend(b)
            .unwrap());
        xof!(|out: &mut [u8]| reference::shake256(m, out), shake::Shake256::default(), |b| Shake256::with_backend(b)
            .unwrap());
        xof!(|out: &mut [u8]| reference::turboshake128(m, 0x1f, out), turboshake::TurboShake128::default(), |b| {
            TurboShake128::with_backend(b).unwrap()
        });
        xof!(
            |out: &mut [u8]| reference::turboshake256(m, 0x2a, out),
            turboshake::CTurboShake256::<0x2a>::default(),
            |b| TurboShake256::with_backend(b).unwrap().with_domain(0x2a).unwrap()
        );
        for (name, customization) in [(&b"KMAC"[..], &b"x"[..]), (b"", b"customization"), (b"", b""), (b"", &[9; 500])]
        {
            xof!(
                |out: &mut [u8]| reference::cshake128(m, name, customization, out),
                cshake::CShake128::new_with_function_name(name, customization),
                |b| CShake128::with_backend(b, name, customization).unwrap()
            );
            xof!(
                |out: &mut [u8]| reference::cshake256(m, name, customization, out),
                cshake::CShake256::new_with_function_name(name, customization),
                |b| CShake256::with_backend(b, name, customization).unwrap()
            );
            xof!(
                |out: &mut [u8]| reference::kt128(m, customization, out),
                k12::CustomKt128::new_customized(customization),
                |b| Kt128::with_backend(b, customization).unwrap()
            );
            xof!(
                |out: &mut [u8]| reference::kt256(m, customization, out),
                k12::CustomKt256::new_customized(customization),
                |b| Kt256::with_backend(b, customization).unwrap()
            );
        }
    }
}

#[test]
fn kangaroo_twelve_of_whole_chunks_in_one_piece() {
    let message = message(20 * 8192);
    let (mut expected, mut out) = ([0; 100], [0; 100]);
    for chunks in 1..20 {
        for length in [0, 1, 2047, 2048, 20 * 168, 24 * 136, 8191].map(|more| 8192 * chunks + more) {
            let message = &message[..length];
            macro_rules! check {
                ($type:ident, $reference:ident) => {
                    reference::$reference(message, b"x", &mut expected);
                    for backend in backends() {
                        let hasher = $type::with_backend(backend, b"x").unwrap();
                        hasher.chain(message).finalize_xof_into(&mut out);
                        assert_eq!(out, expected, "{length} bytes on {backend}");
                        // A hasher that is reset, and one that is a copy from the middle.
                        let mut hasher = $type::with_backend(backend, b"x").unwrap();
                        hasher.update(message);
                        let copy = hasher.clone();
                        digest::Reset::reset(&mut hasher);
                        hasher.update(message);
                        for hasher in [hasher, copy] {
                            hasher.finalize_xof_into(&mut out);
                            assert_eq!(out, expected, "{length} bytes again on {backend}");
                        }
                        // The first chunk begins in another piece, or ends one.
                        for first in [0, 1, 8192] {
                            let hasher = $type::with_backend(backend, b"x").unwrap();
                            let (first, rest) = message.split_at(first.min(length));
                            hasher.chain(first).chain(rest).finalize_xof_into(&mut out);
                            assert_eq!(out, expected, "{length} bytes in two pieces on {backend}");
                        }
                    }
                };
            }
            check!(Kt128, kt128);
            check!(Kt256, kt256);
        }
    }
    // The customization is a piece like any other.
    for length in [0, 1, 3000, 8192, 20_000] {
        let (message, customization) = (&message[..length], &message[length..length + 30_000]);
        reference::kt128(message, customization, &mut expected);
        for backend in backends() {
            Kt128::with_backend(backend, customization).unwrap().chain(message).finalize_xof_into(&mut out);
            assert_eq!(out, expected, "{length} bytes with a long customization on {backend}");
        }
    }
}

fn block_length(bytes: usize) -> NonZeroUsize {
    NonZeroUsize::new(bytes).unwrap()
}

#[test]
fn known_answers_of_parallel_hash() {
    for backend in backends() {
        for case in vectors::load("parallel_hash.json") {
            macro_rules! check {
                ($type:ident, $end:expr) => {
                    case.check_xof(|out| {
                        let hasher = $type::with_backend(backend, block_length(case.block), &case.customization);
                        $end(hasher.unwrap().chain(&case.message), out);
                    })
                };
            }
            match case.function.as_str() {
                "parallelhash128" => check!(ParallelHash128, ParallelHash128::finalize),
                "parallelhash256" => check!(ParallelHash256, ParallelHash256::finalize),
                "parallelhashxof128" => check!(ParallelHash128, ParallelHash128::finalize_xof_into),
                "parallelhashxof256" => check!(ParallelHash256, ParallelHash256::finalize_xof_into),
                name => panic!("{name}"),
            }
        }
    }
}

#[test]
fn parallel_hash_agrees_with_the_reference_and_with_tiny_keccak() {
    use tiny_keccak::Hasher;
    for length in [0, 1, 8, 9, 135, 136, 168, 1000, 8192, 33_000] {
        let message = message(length);
        for block in [1, 8, 63, 168, 1000, 8192, 100_000].into_iter().filter(|block| length / block < 2000) {
            for customization in [&b""[..], b"customization"] {
                let (mut expected, mut other, mut out) = ([0; 100], [0; 100], [0; 100]);
                macro_rules! check {
                    ($type:ident, $function:ident, $tiny:ident, $fixed:ident, $xof:ident) => {
                        reference::$fixed(&message, block, customization, &mut expected);
                        let mut tiny = tiny_keccak::ParallelHash::$tiny(customization, block);
                        tiny.update(&message);
                        tiny.finalize(&mut other);
                        assert_eq!(other, expected);
                        $function(&message, block_length(block), customization, &mut out);
                        assert_eq!(out, expected, "{length} bytes in blocks of {block}");
                        for backend in backends() {
                            let new = || $type::with_backend(backend, block_length(block), customization).unwrap();
                            in_pieces(new(), &message).finalize(&mut out);
                            reference::$fixed(&message, block, customization, &mut expected);
                            assert_eq!(out, expected, "{length} bytes in blocks of {block} on {backend}");
                            in_pieces(new(), &message).finalize_xof_into(&mut out);
                            reference::$xof(&message, block, customization, &mut expected);
                            assert_eq!(out, expected, "{length} bytes in blocks of {block} on {backend}");
                        }
                    };
                }
                check!(ParallelHash128, parallel_hash128, v128, parallel_hash128, parallel_hash_xof128);
                check!(ParallelHash256, parallel_hash256, v256, parallel_hash256, parallel_hash_xof256);
            }
        }
    }
}

#[test]
fn blocks_of_parallel_hash_may_be_longer_than_any_message() {
    for message in [&b""[..], b"a short message"] {
        for block in [usize::MAX / 32 + 1, usize::MAX / 16 + 1, usize::MAX] {
            let (mut expected, mut out) = ([0; 100], [0; 100]);
            reference::parallel_hash128(message, block, b"", &mut expected);
            parallel_hash128(message, block_length(block), b"", &mut out);
            assert_eq!(out, expected, "{} bytes in blocks of {block}", message.len());
            reference::parallel_hash256(message, block, b"", &mut expected);
            let mut hasher = ParallelHash256::new(block_length(block), b"");
            #[cfg(not(feature = "rayon"))]
            hasher.update(message);
            #[cfg(feature = "rayon")]
            hasher.update_rayon(message);
            hasher.finalize(&mut out);
            assert_eq!(out, expected, "{} bytes in blocks of {block}", message.len());
        }
    }
}

/// The lengths are around a chunk, a thread's part and the piece whose chaining values are held at a time.
#[cfg(feature = "rayon")]
#[test]
fn trees_on_threads_are_those_on_one() {
    fn check<H: ExtendableOutput + Clone>(hasher: &H, on_threads: fn(&mut H, &[u8]), message: &[u8]) {
        let (mut expected, mut out) = ([0; 64], [0; 64]);
        let mut on_one = hasher.clone();
        on_one.update(message);
        on_one.finalize_xof_into(&mut expected);
        for first in [0, 1, 8192, 20_000].into_iter().filter(|first| *first <= message.len()) {
            let mut hasher = hasher.clone();
            on_threads(&mut hasher, &message[..first]);
            on_threads(&mut hasher, &message[first..]);
            hasher.finalize_xof_into(&mut out);
            assert_eq!(out, expected, "{} bytes", message.len());
        }
    }
    for length in [0, 1, 8192, 8193, 300_000, (64 << 20) + 300_000] {
        let message = vec![7; length];
        check(&Kt128::new(b"x"), Kt128::update_rayon, &message);
        check(&Kt256::new(b""), Kt256::update_rayon, &message);
        check(&ParallelHash128::new(block_length(1 << 16), b""), ParallelHash128::update_rayon, &message);
        check(&ParallelHash256::new(block_length(100), b""), ParallelHash256::update_rayon, &message);
    }
    // Around the number of blocks whose chaining values are held at a time.
    for length in [0, 1, (1 << 14) - 1, (1 << 14) + 1, 1 << 15, 100_000] {
        let message = vec![7; length];
        check(&ParallelHash128::new(block_length(1), b""), ParallelHash128::update_rayon, &message);
        check(&ParallelHash256::new(block_length(1), b""), ParallelHash256::update_rayon, &message);
    }
}

#[test]
fn functions_and_defaults_agree() {
    let message = message(20_000);
    let (mut expected, mut out) = ([0; 300], [0; 300]);
    macro_rules! agree {
        ($type:ident, $function:expr) => {
            $type::default().chain(&message).finalize_xof_into(&mut expected);
            $function(&message, &mut out);
            assert_eq!(out, expected);
        };
    }
    agree!(Shake128, shake128);
    agree!(Shake256, shake256);
    agree!(TurboShake128, turboshake128);
    agree!(TurboShake256, turboshake256);
    agree!(Shake128, |m, out: &mut [u8]| cshake128(m, b"", b"", out));
    agree!(Shake256, |m, out: &mut [u8]| cshake256(m, b"", b"", out));
    agree!(Kt128, |m, out: &mut [u8]| kt128(m, b"", out));
    agree!(Kt256, |m, out: &mut [u8]| kt256(m, b"", out));
}

#[test]
fn reset_and_clone() {
    fn check<H: ExtendableOutputReset + Clone>(mut hasher: H) {
        let (mut first, mut again, mut copy) = ([0; 100], [0; 100], [0; 100]);
        hasher.update(&[1; 9000]);
        let half = hasher.clone();
        hasher.update(b"end");
        hasher.finalize_xof_reset_into(&mut first);
        hasher.update(&[1; 9000]);
        hasher.update(b"end");
        hasher.finalize_xof_reset_into(&mut again);
        half.chain(b"end").finalize_xof_into(&mut copy);
        assert_eq!(first, again);
        assert_eq!(first, copy);
        hasher.update(b"something else");
        hasher.reset();
        hasher.update(&[1; 9000]);
        hasher.update(b"end");
        hasher.finalize_xof_into(&mut again);
        assert_eq!(first, again);
    }
    check(Shake128::default());
    check(TurboShake256::default().with_domain(3).unwrap());
    check(CShake128::new(b"name", b"customization"));
    check(Kt128::new(b"customization"));
    check(Kt256::new(b"customization"));
    check(ParallelHash256::new(block_length(1000), b"customization"));

    let mut hasher = Keccak256::new();
    Digest::update(&mut hasher, b"something");
    let digest = hasher.finalize_reset();
    Digest::update(&mut hasher, b"something");
    assert_eq!(hasher.finalize(), digest);
}

/// Lengths that make lanes end at different times, for a batch of `count`.
fn mixed(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| message(if i % 9 == 8 { 5000 } else { (i * 67) % 411 })).collect()
}

#[test]
fn many_messages_are_each_hashed_alone() {
    for backend in backends() {
        for count in (0..=20).chain([33, 100, 1000]) {
            for messages in [mixed(count), vec![message(136); count], vec![message(32); count]] {
                let mut digests = vec![[0; 32]; count];
                Keccak256::hash_many_with(backend, &messages, &mut digests).unwrap();
                for (message, digest) in messages.iter().zip(&digests) {
                    assert_eq!(*digest, reference::keccak256(message), "{count} messages on {backend}");
                }
            }
        }
        let messages = mixed(50);
        macro_rules! hash {
            ($name:literal, $type:ident, $function:ident, $reference:ident, $other:ty) => {
                let mut digests = vec![[0; { size_of::<fairlane::digest::Output<$type>>() }]; 50];
                $type::hash_many_with(backend, &messages, &mut digests).unwrap();
                for (message, digest) in messages.iter().zip(&digests) {
                    assert_eq!(*digest, reference::$reference(message));
                }
            };
        }
        for_each_hash!(hash!);
    }
    let mut digests = [[0; 64]; 3];
    Sha3_512::hash_many([b"a", b"b", b"c"], &mut digests).unwrap();
    assert_eq!(digests[2], sha3_512(b"c"));
}

#[test]
fn many_outputs_of_any_lengths() {
    for backend in backends() {
        let messages = mixed(40);
        let mut outputs: Vec<Vec<u8>> = (0..40).map(|i| vec![0; (i * 97) % 700]).collect();
        macro_rules! xof {
            ($type:ident, $function:ident) => {
                $type::hash_many_with(backend, &messages, &mut outputs).unwrap();
                for (message, output) in messages.iter().zip(&outputs) {
                    let mut expected = vec![0; output.len()];
                    $function(message, &mut expected);
                    assert_eq!(*output, expected, "{} on {backend}", stringify!($type));
                }
            };
        }
        xof!(Shake128, shake128);
        xof!(Shake256, shake256);
        xof!(TurboShake128, turboshake128);
        xof!(TurboShake256, turboshake256);
    }
}

#[test]
fn a_message_that_changes_does_not_panic() {
    for backend in backends() {
        let messages: Vec<_> = (0..200).map(common::Changing::new).collect();
        let _ = Keccak256::hash_many_with(backend, &messages, &mut vec![[0; 32]; 200]);
        let _ = Shake128::hash_many_with(backend, &messages, &mut vec![[0; 500]; 200]);
    }
}

#[test]
fn misuse_is_an_error_and_writes_nothing() {
    let mut digests = [[7; 32]; 2];
    let error = Keccak256::hash_many([b"a", b"b", b"c"], &mut digests).unwrap_err();
    assert_eq!(error, HashManyError::WrongCount { messages: 3, outputs: 2 });
    assert_eq!(digests, [[7; 32]; 2]);

    let mut digests = [vec![7; 32], vec![7; 31]];
    let error = Keccak256::hash_many([b"a", b"b"], &mut digests).unwrap_err();
    assert_eq!(error, HashManyError::WrongLength { index: 1, length: 31, expected: 32 });
    assert_eq!(digests[0], [7; 32]);

    let mut digests = [[7; 32]; 3];
    let error = Keccak256::hash_many(Promising(3, vec![&b"a"[..]].into_iter()), &mut digests).unwrap_err();
    assert_eq!(error, HashManyError::WrongCount { messages: 1, outputs: 3 });
    assert_eq!(digests[2], [7; 32]);
    let error = Keccak256::hash_many(Promising(1, Vec::new().into_iter()), &mut digests[2..]).unwrap_err();
    assert_eq!(error, HashManyError::WrongCount { messages: 0, outputs: 1 });
    assert_eq!(digests[2], [7; 32]);

    for &backend in Backend::ALL {
        assert_eq!(Keccak256::with_backend(backend).is_ok(), backends().contains(&backend), "{backend}");
    }
    assert!(TurboShake128::default().with_domain(0).is_err());
    assert!(TurboShake256::default().with_domain(0x80).is_err());
}
