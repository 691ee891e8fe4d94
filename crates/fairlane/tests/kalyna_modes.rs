//! Kalyna's modes without authentication (ECB, CTR, CFB, CBC, OFB, XTS) and KW, for all five ciphers on every backend
//! that this machine has: known answers, the reference, lengths around every batch, counters that carry, and what is
//! not taken.

mod common;

use common::{STRIDE, random_from};
use fairlane::cipher::typenum::Unsigned;
use fairlane::cipher::{
    Array, Block, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, IvState, Key, KeyInit, KeyIvInit,
    StreamCipher, StreamCipherSeek,
};
use fairlane::digest::InnerInit;
use fairlane::kalyna::hazmat::{EcbDecryptor, EcbEncryptor};
use fairlane::kalyna::*;
use fairlane::{Backend, Unsupported};
use fairlane_reference::kalyna as reference;
use fairlane_vectors as vectors;
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use reference::Variant;
use std::fmt::Debug;

fn backends() -> Vec<Backend> {
    common::backends("kalyna")
}

/// A cipher, and its name in the vectors.
trait Tested: Kalyna + Debug + 'static {
    const VARIANT: Variant;
    const NAME: &str;
    const BLOCK: usize = Self::VARIANT.block_len();

    fn on(key: &[u8], backend: Backend) -> Self;

    /// A key, an IV, and the reference with that key.
    fn setting(seed: usize) -> (Vec<u8>, Vec<u8>, reference::Kalyna) {
        let (key, iv) = (random_from(seed, Self::VARIANT.key_len()), random_from(seed + 1, Self::BLOCK));
        let reference = reference::Kalyna::new(Self::VARIANT, &key);
        (key, iv, reference)
    }
}

/// Runs a check for each of the ciphers.
macro_rules! ciphers {
    ($($type:ident $variant:ident $name:literal;)*) => {
        $(impl Tested for $type {
            const VARIANT: Variant = Variant::$variant;
            const NAME: &str = $name;

            fn on(key: &[u8], backend: Backend) -> Self {
                $type::with_backend(key.try_into().unwrap(), backend).unwrap()
            }
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

/// 0, 1, around blocks and around words and batches of every kernel, and thousands.
fn lengths(block: usize) -> Vec<usize> {
    let around = [64, 128, 192, 256, 512, 640, 768, 1024, 1152, 1536, 2048, 3072];
    let blocks = [block, 2 * block, 3 * block];
    let mut lengths: Vec<_> = around.into_iter().chain(blocks).flat_map(|n| [n - 1, n, n + 1, n + block]).collect();
    lengths.extend([0, 1, 7, 3 * 1024 + 700, 8191, 10_007]);
    lengths.into_iter().step_by(STRIDE).collect()
}

/// Those of whole blocks.
fn whole(block: usize) -> impl Iterator<Item = usize> {
    lengths(block).into_iter().filter(move |length| length.is_multiple_of(block))
}

/// Fails unless `run` makes `expected` of `input`, in place and from one buffer to another (which is 0x5a before), and
/// writes nothing around it.
fn check(context: &str, input: &[u8], expected: &[u8], mut run: impl FnMut(InOutBuf<'_, '_, u8>)) {
    const AROUND: [u8; 70] = [0xa5; 70];
    // At an odd address.
    let within = 1..1 + input.len();
    for in_place in [true, false] {
        let mut buffer = [&AROUND[..1], input, &AROUND].concat();
        let output = &mut buffer[within.clone()];
        if in_place {
            run(output.into());
        } else {
            output.fill(0x5a);
            run(InOutBuf::new(input, output).unwrap());
        }
        assert!(buffer[within.clone()] == *expected, "{context}, in place: {in_place}");
        assert!(buffer[0] == 0xa5 && buffer[within.end..] == AROUND, "{context}: written around the data");
    }
}

/// Up to `longest` units of `unit` bytes at a time.
fn in_pieces(data: InOutBuf<'_, '_, u8>, unit: usize, longest: usize, mut run: impl FnMut(InOutBuf<'_, '_, u8>)) {
    let mut rng = SmallRng::seed_from_u64(data.len() as u64);
    let mut data = data;
    while !data.is_empty() {
        let len = unit * rng.random_range(0..=longest.min(data.len() / unit));
        let (now, rest) = data.split_at(len);
        run(now);
        data = rest;
    }
}

#[test]
fn known_answers() {
    fn one<C: Tested>() {
        let mut seen = 0;
        for case in vectors::load_ciphers("kalyna_modes.json") {
            let Some(mode) = case.function.strip_prefix(C::NAME) else { continue };
            seen += 1;
            let (key, iv) = (&case.key[..], <&Block<C>>::try_from(&case.nonce[..]).unwrap());
            for backend in backends() {
                let mut data = case.plaintext.clone();
                match mode {
                    "-ctr" => {
                        Ctr::<C>::with_backend(key.try_into().unwrap(), iv, backend)
                            .unwrap()
                            .apply_keystream(&mut data);
                        case.check(&data);
                        Ctr::<C>::with_backend(key.try_into().unwrap(), iv, backend)
                            .unwrap()
                            .apply_keystream(&mut data);
                    }
                    "-ofb" => {
                        Ofb::<C>::with_backend(key.try_into().unwrap(), iv, backend)
                            .unwrap()
                            .apply_keystream(&mut data);
                        case.check(&data);
                        Ofb::<C>::with_backend(key.try_into().unwrap(), iv, backend)
                            .unwrap()
                            .apply_keystream(&mut data);
                    }
                    "-cfb" => {
                        let cfb = Cfb::<C>::with_backend(key.try_into().unwrap(), case.q, backend).unwrap();
                        cfb.encrypt(iv, data.as_mut_slice().into());
                        case.check(&data);
                        cfb.decrypt(iv, data.as_mut_slice().into());
                    }
                    "-xts" => {
                        let xts = Xts::<C>::with_backend(key.try_into().unwrap(), backend).unwrap();
                        xts.encrypt(iv, data.as_mut_slice().into()).unwrap();
                        case.check(&data);
                        xts.decrypt(iv, data.as_mut_slice().into()).unwrap();
                    }
                    "-cbc" => {
                        let (blocks, _) = Array::slice_as_chunks_mut(&mut data);
                        let cipher = CbcEncryptor::<C>::with_backend(key.try_into().unwrap(), iv, backend);
                        cipher.unwrap().encrypt_blocks(blocks);
                        case.check(&data);
                        let (blocks, _) = Array::slice_as_chunks_mut(&mut data);
                        let cipher = CbcDecryptor::<C>::with_backend(key.try_into().unwrap(), iv, backend);
                        cipher.unwrap().decrypt_blocks(blocks);
                    }
                    other => panic!("{other} is not tested"),
                }
                assert!(data == case.plaintext, "decryption on {backend}, {case}");
            }
        }
        assert!(seen >= 40, "{} answers for {}", seen, C::NAME);
    }
    for_all!(one);
}

#[test]
fn ctr_agrees_with_the_reference_in_any_pieces() {
    fn one<C: Tested>() {
        for length in lengths(C::BLOCK) {
            let (key, iv, reference) = C::setting(length);
            let plain = random_from(length, length);
            let mut expected = plain.clone();
            reference::ctr(&reference, &iv, &mut expected);
            for backend in backends() {
                let context = format!("{} on {backend}, {length} bytes", C::NAME);
                let (key, iv) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
                let ctr = Ctr::<C>::with_backend(key, iv, backend).unwrap();
                check(&context, &plain, &expected, |data| ctr.clone().apply_keystream_inout(data));
                for longest in [1, 100, 2000] {
                    let mut ctr = ctr.clone();
                    let mut data = plain.clone();
                    in_pieces(data.as_mut_slice().into(), 1, longest, |piece| ctr.apply_keystream_inout(piece));
                    assert!(data == expected, "{context}, in pieces");
                }
                for from in [0, 1, C::BLOCK - 1, C::BLOCK, 513, 1024, length].into_iter().filter(|from| *from <= length)
                {
                    let mut data = plain[from..].to_vec();
                    let mut ctr = ctr.clone();
                    ctr.seek(from);
                    ctr.apply_keystream(&mut data);
                    assert!(data == expected[from..], "{context}, from {from}");
                    assert_eq!(ctr.current_pos::<usize>(), length);
                }
            }
        }
    }
    for_all!(one);
}

/// After `before` blocks the counter carries into byte `bytes`, at the last out of the block.
#[test]
fn counters_carry_into_every_number() {
    fn one<C: Tested>() {
        for before in [1, 2, 3, 4, 8, 16, 31, 32, 63, 64, 65, 130].into_iter().step_by(STRIDE) {
            for bytes in [1, 4, 7, 8, 9, 16, 24, 32, 40, 48, 56, 63, 64].into_iter().filter(|bytes| *bytes <= C::BLOCK)
            {
                let (key, _, reference) = C::setting(before + bytes);
                // The lowest bytes of the encrypted IV are those of -before.
                let mut iv = random_from(bytes, C::BLOCK);
                iv[..bytes].fill(0xff);
                iv[0] = 0u8.wrapping_sub(before as u8);
                reference.decrypt(&mut iv);
                let plain = random_from(before, 140 * C::BLOCK + 5);
                let mut expected = plain.clone();
                reference::ctr(&reference, &iv, &mut expected);
                for backend in backends() {
                    let (key, iv) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
                    let mut data = plain.clone();
                    Ctr::<C>::with_backend(key, iv, backend).unwrap().apply_keystream(&mut data);
                    assert!(data == expected, "{} on {backend}: {bytes} bytes after {before} blocks", C::NAME);
                }
            }
        }
    }
    for_all!(one);
}

#[test]
fn the_end_of_ctr_is_an_error_first() {
    fn one<C: Tested>() {
        let end = u128::from(u64::MAX) * C::BLOCK as u128;
        for backend in backends() {
            let (key, iv) = (Key::<C>::default(), Block::<C>::default());
            let mut ctr = Ctr::<C>::with_backend(&key, &iv, backend).unwrap();
            ctr.try_seek(end - 3).unwrap();
            let mut data = [0x5a; 4];
            ctr.try_apply_keystream(&mut data).unwrap_err();
            assert_eq!(data, [0x5a; 4], "nothing is written");
            ctr.try_apply_keystream(&mut data[..3]).unwrap();
            ctr.try_apply_keystream(&mut data[..1]).unwrap_err();
            ctr.try_seek(end + 1).unwrap_err();
        }
    }
    for_all!(one);
}

#[test]
fn ofb_agrees_with_the_reference_in_any_pieces() {
    fn one<C: Tested>() {
        for length in lengths(C::BLOCK) {
            let (key, iv, reference) = C::setting(length);
            let plain = random_from(length, length);
            let mut expected = plain.clone();
            reference::ofb(&reference, &iv, &mut expected);
            for backend in backends() {
                let context = format!("{} on {backend}, {length} bytes", C::NAME);
                let (key, iv) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
                let ofb = Ofb::<C>::with_backend(key, iv, backend).unwrap();
                check(&context, &plain, &expected, |data| ofb.clone().apply_keystream_inout(data));
                let (mut pieces, mut data) = (ofb.clone(), plain.clone());
                in_pieces(data.as_mut_slice().into(), 1, 100, |piece| pieces.apply_keystream_inout(piece));
                assert!(data == expected, "{context}, in pieces");
            }
        }
    }
    for_all!(one);
}

#[test]
fn cfb_agrees_with_the_reference() {
    fn one<C: Tested>() {
        for length in lengths(C::BLOCK) {
            let (key, iv, reference) = C::setting(length);
            let plain = random_from(length, length);
            for step in [1, 8, 16, 32, 64].into_iter().filter(|step| *step <= C::BLOCK) {
                // More steps than several of the largest batches show nothing new.
                if length > 300 * step {
                    continue;
                }
                let mut expected = plain.clone();
                reference::cfb_encrypt(&reference, step, &iv, &mut expected);
                for backend in backends() {
                    let context = format!("{} on {backend}, {length} bytes by {step}", C::NAME);
                    let (key, iv) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
                    let cfb = Cfb::<C>::with_backend(key, step, backend).unwrap();
                    check(&context, &plain, &expected, |data| cfb.encrypt(iv, data));
                    check(&context, &expected, &plain, |data| cfb.decrypt(iv, data));
                }
            }
        }
    }
    for_all!(one);
}

#[test]
fn cfb_takes_the_steps_of_the_standard() {
    fn one<C: Tested>() {
        let key = Key::<C>::default();
        for step in (0..=130).chain([usize::MAX]) {
            let known = [1, 8, 16, 32, 64].contains(&step) && step <= C::BLOCK;
            assert_eq!(Cfb::<C>::new(&key, step).err(), (!known).then_some(CfbError::Step), "{step}");
        }
    }
    for_all!(one);
    assert!(CfbError::Step.to_string().contains("1, 8, 16, 32 or 64 bytes"));
}

#[test]
fn cbc_takes_any_number_of_blocks_in_any_pieces() {
    fn one<C: Tested>() {
        for length in whole(C::BLOCK) {
            let (key, iv, reference) = C::setting(length);
            let plain = random_from(length, length);
            let mut expected = plain.clone();
            reference::cbc_encrypt(&reference, &iv, &mut expected);
            let last = expected[length.saturating_sub(C::BLOCK)..].to_vec();
            let last = if length == 0 { &iv } else { &last };
            for backend in backends() {
                let context = format!("{} on {backend}, {length} bytes", C::NAME);
                let (key, iv) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
                let encryptor = CbcEncryptor::<C>::with_backend(key, iv, backend).unwrap();
                let decryptor = CbcDecryptor::<C>::with_backend(key, iv, backend).unwrap();
                for longest in [usize::MAX, 1, 3, 70] {
                    check(&context, &plain, &expected, |data| {
                        let mut encryptor = encryptor.clone();
                        in_pieces(data, C::BLOCK, longest, |piece| {
                            encryptor.encrypt_blocks_inout(piece.into_chunks().0);
                        });
                        assert_eq!(encryptor.iv_state()[..], last[..]);
                    });
                    check(&context, &expected, &plain, |data| {
                        let mut decryptor = decryptor.clone();
                        in_pieces(data, C::BLOCK, longest, |piece| {
                            decryptor.decrypt_blocks_inout(piece.into_chunks().0);
                        });
                        assert_eq!(decryptor.iv_state()[..], last[..]);
                    });
                }
            }
        }
    }
    for_all!(one);
}

#[test]
fn cbc_begins_with_a_cipher_of_any_backend_and_goes_block_by_block() {
    fn one<C: Tested>() {
        for backend in backends() {
            let (key, iv, reference) = C::setting(3);
            let mut expected = vec![3; 9 * C::BLOCK];
            reference::cbc_encrypt(&reference, &iv, &mut expected);
            let iv = iv[..].try_into().unwrap();
            let mut encryptor = CbcEncryptor::<C>::inner_iv_init(C::on(&key, backend), iv);
            let mut decryptor = CbcDecryptor::<C>::inner_iv_init(C::on(&key, backend), iv);
            let (ciphertexts, _) = Array::<u8, C::BlockSize>::slice_as_chunks(&expected);
            for ciphertext in ciphertexts {
                let mut block = Block::<C>::default();
                block.fill(3);
                encryptor.encrypt_block(&mut block);
                assert_eq!(block, *ciphertext, "{} on {backend}", C::NAME);
                let mut other = Block::<C>::default();
                decryptor.decrypt_block_b2b(&block, &mut other);
                assert!(other.iter().all(|byte| *byte == 3), "{} on {backend}", C::NAME);
            }
        }
    }
    for_all!(one);
}

#[test]
fn ecb_agrees_with_the_reference() {
    fn one<C: Tested>() {
        for length in whole(C::BLOCK) {
            let (key, _, reference) = C::setting(length);
            let plain = random_from(length, length);
            let mut expected = plain.clone();
            reference::ecb_encrypt(&reference, &mut expected);
            for backend in backends() {
                let context = format!("{} on {backend}, {length} bytes", C::NAME);
                let mut encryptor = EcbEncryptor::<C>::inner_init(C::on(&key, backend));
                let mut decryptor = EcbDecryptor::<C>::inner_init(C::on(&key, backend));
                check(&context, &plain, &expected, |data| encryptor.encrypt_blocks_inout(data.into_chunks().0));
                check(&context, &expected, &plain, |data| decryptor.decrypt_blocks_inout(data.into_chunks().0));
            }
        }
    }
    for_all!(one);
}

#[test]
fn xts_agrees_with_the_reference() {
    fn one<C: Tested>() {
        // With and without a part of a block around every batch.
        let around = [128, 512, 1024, 2048].into_iter().flat_map(|n| n - 5..n + C::BLOCK + 5);
        for length in around.chain(lengths(C::BLOCK)).chain(C::BLOCK..3 * C::BLOCK) {
            let (key, iv, reference) = C::setting(length);
            let plain = random_from(length, length);
            let (key, iv): (&Key<C>, &Block<C>) = (key[..].try_into().unwrap(), iv[..].try_into().unwrap());
            if length < C::BLOCK {
                for backend in backends() {
                    let xts = Xts::<C>::with_backend(key, backend).unwrap();
                    let mut data = plain.clone();
                    assert_eq!(xts.encrypt(iv, data.as_mut_slice().into()), Err(XtsError::TooShort));
                    assert_eq!(xts.decrypt(iv, data.as_mut_slice().into()), Err(XtsError::TooShort));
                    assert_eq!(data, plain, "nothing is written");
                }
                continue;
            }
            let mut expected = plain.clone();
            reference::xts_encrypt(&reference, iv, &mut expected);
            for backend in backends() {
                let context = format!("{} on {backend}, {length} bytes", C::NAME);
                let xts = Xts::<C>::with_backend(key, backend).unwrap();
                check(&context, &plain, &expected, |data| xts.encrypt(iv, data).unwrap());
                check(&context, &expected, &plain, |data| xts.decrypt(iv, data).unwrap());
            }
        }
    }
    for_all!(one);
}

#[test]
fn kw_known_answers() {
    fn one<C: Tested>() {
        let mut seen = [0; 2];
        for case in vectors::load("kalyna_kw.json") {
            let Some(way) = case.function.strip_prefix(C::NAME) else { continue };
            let padded = match way {
                "-kw" => false,
                "-kw-p" => true,
                other => panic!("{other} is not tested"),
            };
            seen[usize::from(padded)] += 1;
            for backend in backends() {
                let kw = Kw::<C>::with_backend(case.key[..].try_into().unwrap(), backend).unwrap();
                let (wrapped, key) = there_and_back(&kw, padded, &case.message);
                case.check(&wrapped);
                assert_eq!(key, case.message);
            }
        }
        assert!(seen[0] > 0 && seen[1] > 0, "{} answers for {}", seen[0] + seen[1], C::NAME);
    }
    for_all!(one);
}

/// A key wrapped and unwrapped, in buffers that are longer.
fn there_and_back<C: Tested>(kw: &Kw<C>, padded: bool, key: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut buffer = vec![0x5a; key.len() + 5 * C::BLOCK];
    let wrapped = if padded { kw.wrap_padded(key, &mut buffer) } else { kw.wrap(key, &mut buffer) }.unwrap().to_vec();
    assert!(buffer[wrapped.len()..].iter().all(|byte| *byte == 0x5a), "written past what is wrapped");
    assert_eq!(buffer[..wrapped.len()], wrapped);
    buffer.fill(0x5a);
    let unwrapped = if padded { kw.unwrap_padded(&wrapped, &mut buffer) } else { kw.unwrap(&wrapped, &mut buffer) };
    let unwrapped = unwrapped.unwrap().to_vec();
    assert!(buffer[wrapped.len() - C::BLOCK..].iter().all(|byte| *byte == 0x5a), "written past what is unwrapped");
    assert!(buffer[unwrapped.len()..wrapped.len() - C::BLOCK].iter().all(|byte| *byte == 0), "the padding is erased");
    (wrapped, unwrapped)
}

#[test]
fn kw_agrees_with_the_reference() {
    fn one<C: Tested>() {
        // 45 blocks take more rounds than a byte can count.
        let many = [44, 45, 46].into_iter().flat_map(|blocks| [blocks * C::BLOCK, blocks * C::BLOCK + 1]);
        for length in (0..3 * C::BLOCK + 2).step_by(STRIDE).chain(many) {
            let (key, _, reference) = C::setting(length);
            let message = random_from(length, length);
            let whole = length > 0 && length.is_multiple_of(C::BLOCK);
            let padded = length > C::BLOCK && !whole;
            for backend in backends() {
                let kw = Kw::<C>::with_backend(key[..].try_into().unwrap(), backend).unwrap();
                let mut buffer = vec![0x5a; length + 3 * C::BLOCK];
                if whole {
                    let expected = reference::kw_wrap(&reference, &message);
                    assert_eq!(there_and_back(&kw, false, &message), (expected, message.clone()));
                } else {
                    assert_eq!(kw.wrap(&message, &mut buffer), Err(KwError::NotWhole));
                }
                if padded {
                    let expected = reference::kw_wrap_padded(&reference, &message);
                    assert_eq!(expected.len(), Kw::<C>::padded_len(length));
                    assert_eq!(there_and_back(&kw, true, &message), (expected, message.clone()));
                } else {
                    assert_eq!(kw.wrap_padded(&message, &mut buffer), Err(KwError::Whole));
                }
                assert!(buffer.iter().all(|byte| *byte == 0x5a), "nothing is written");
            }
        }
    }
    for_all!(one);
}

#[test]
fn kw_refuses_what_was_changed() {
    fn one<C: Tested>() {
        for backend in backends() {
            let (key, _, reference) = C::setting(1);
            let kw = Kw::<C>::with_backend(key[..].try_into().unwrap(), backend).unwrap();
            let message = random_from(2, 2 * C::BLOCK);
            let wrapped = reference::kw_wrap(&reference, &message);
            let padded = reference::kw_wrap_padded(&reference, &message[1..]);
            let refused = |wrapped: &[u8], with_padding: bool| {
                let mut output = vec![0x5a; wrapped.len()];
                let unwrapped =
                    if with_padding { kw.unwrap_padded(wrapped, &mut output) } else { kw.unwrap(wrapped, &mut output) };
                assert_eq!(unwrapped, Err(KwError::Changed), "{} on {backend}", C::NAME);
                output
            };
            // One bit of each byte.
            for byte in 0..wrapped.len() {
                for (wrapped, with_padding) in [(&wrapped, false), (&padded, true)] {
                    let mut changed = wrapped.clone();
                    changed[byte] ^= 1 << (byte % 8);
                    let len = changed.len() - C::BLOCK;
                    assert!(refused(&changed, with_padding)[..len].iter().all(|byte| *byte == 0), "no part is shown");
                }
            }
            // Lengths that nothing is wrapped to, and other ones.
            for len in 0..wrapped.len() {
                let output = refused(&wrapped[..len], false);
                if len < 2 * C::BLOCK || !len.is_multiple_of(C::BLOCK) {
                    assert!(output.iter().all(|byte| *byte == 0x5a), "nothing is written");
                }
                refused(&padded[..len], true);
            }
            // Another key, and keys whose end is not padding, or not that of their length.
            let other = Kw::<C>::with_backend(&Key::<C>::default(), backend).unwrap();
            assert_eq!(other.unwrap(&wrapped, &mut vec![0; wrapped.len()]), Err(KwError::Changed));
            refused(&wrapped, true);
            let half = C::BLOCK / 2;
            let right = |len: usize, lengths: u64, end: &[u8], total: usize| {
                let mut padded = message[..len].to_vec();
                padded.extend(lengths.to_le_bytes());
                padded.resize(len + half, 0);
                padded.extend(end);
                padded.resize(total, 0);
                reference::kw_wrap(&reference, &padded)
            };
            let (len, bits) = (C::BLOCK + 1, 8 * (C::BLOCK as u64 + 1));
            let mut output = vec![0; 4 * C::BLOCK];
            kw.unwrap_padded(&right(len, bits, &[0x80], 2 * C::BLOCK), &mut output).expect("this one is right");
            refused(&right(len, bits + 1, &[0x80], 2 * C::BLOCK), true);
            refused(&right(len, bits, &[0x81], 2 * C::BLOCK), true);
            refused(&right(len, bits, &[0x80, 1], 2 * C::BLOCK), true);
            refused(&right(len, bits, &[0x80], 3 * C::BLOCK), true);
            refused(&right(C::BLOCK, bits - 8, &[0x80], 2 * C::BLOCK), true);
            refused(&right(C::BLOCK - 1, bits - 16, &[0x80], 2 * C::BLOCK), true);
            refused(&reference::kw_wrap(&reference, &vec![0; 2 * C::BLOCK]), true);
        }
    }
    for_all!(one);
}

/// A wrapped key does not say that it is padded, as the documentation warns.
#[test]
fn kw_unwraps_a_padded_key_with_its_padding() {
    fn one<C: Tested>() {
        let (key, _, reference) = C::setting(1);
        let kw = Kw::<C>::new(key[..].try_into().unwrap());
        let message = random_from(3, C::BLOCK + 1);
        let wrapped = reference::kw_wrap_padded(&reference, &message);
        let mut output = vec![0; 2 * C::BLOCK];
        let unwrapped = kw.unwrap(&wrapped, &mut output).unwrap();
        assert_eq!(unwrapped.len(), 2 * C::BLOCK);
        assert!(unwrapped.starts_with(&message));
    }
    for_all!(one);
}

#[test]
fn kw_says_a_length_for_every_key() {
    fn one<C: Tested>() {
        for less in 0..3 * C::BLOCK {
            let (len, padded) = (usize::MAX - less, Kw::<C>::padded_len(usize::MAX - less));
            let needed = (len as u128 + C::BLOCK as u128 / 2 + 1).next_multiple_of(C::BLOCK as u128) + C::BLOCK as u128;
            assert_eq!(padded, usize::try_from(needed).unwrap_or(usize::MAX), "{len}");
        }
    }
    for_all!(one);
}

#[test]
fn kw_refuses_short_buffers() {
    fn one<C: Tested>() {
        let kw = Kw::<C>::new(&Key::<C>::default());
        let message = random_from(1, 3 * C::BLOCK);
        for (message, padded) in [(&message[..], false), (&message[1..], true)] {
            let (wrapped, key) = there_and_back(&kw, padded, message);
            assert_eq!(key, message);
            for len in 0..wrapped.len() {
                let mut short = vec![0x5a; len];
                let result = if padded { kw.wrap_padded(message, &mut short) } else { kw.wrap(message, &mut short) };
                assert_eq!(result, Err(KwError::Buffer));
                let needed = wrapped.len() - C::BLOCK;
                if len < needed {
                    let result =
                        if padded { kw.unwrap_padded(&wrapped, &mut short) } else { kw.unwrap(&wrapped, &mut short) };
                    assert_eq!(result, Err(KwError::Buffer));
                }
                assert!(short.iter().all(|byte| *byte == 0x5a), "nothing is written");
            }
        }
    }
    for_all!(one);
}

#[test]
fn backends_that_are_not_here_are_errors() {
    fn one<C: Tested>() {
        let (key, iv) = (Key::<C>::default(), Block::<C>::default());
        for &backend in Backend::ALL.iter().filter(|backend| !backends().contains(backend)) {
            let is_unsupported = |error: Option<Unsupported>| assert!(error.is_some(), "{} on {backend}", C::NAME);
            is_unsupported(Ctr::<C>::with_backend(&key, &iv, backend).err());
            is_unsupported(Ofb::<C>::with_backend(&key, &iv, backend).err());
            is_unsupported(CbcEncryptor::<C>::with_backend(&key, &iv, backend).err());
            is_unsupported(CbcDecryptor::<C>::with_backend(&key, &iv, backend).err());
            is_unsupported(Xts::<C>::with_backend(&key, backend).err());
            is_unsupported(Kw::<C>::with_backend(&key, backend).err());
            let cfb = Cfb::<C>::with_backend(&key, 8, backend);
            assert!(matches!(cfb, Err(CfbError::Unsupported(_))), "{} on {backend}", C::NAME);
        }
    }
    for_all!(one);
}

#[test]
fn wrong_lengths_of_keys_and_ivs_are_errors() {
    fn one<C: Tested>() {
        for (key, iv) in [(1, 0), (0, 1)] {
            let (key, iv) = (vec![0; C::KeySize::USIZE - key], vec![0; C::BLOCK - iv]);
            assert!(Ctr::<C>::new_from_slices(&key, &iv).is_err());
            assert!(Ofb::<C>::new_from_slices(&key, &iv).is_err());
            assert!(CbcEncryptor::<C>::new_from_slices(&key, &iv).is_err());
            assert!(CbcDecryptor::<C>::new_from_slices(&key, &iv).is_err());
        }
        assert!(Xts::<C>::new_from_slice(&vec![0; C::KeySize::USIZE + 1]).is_err());
        assert!(Kw::<C>::new_from_slice(&vec![0; C::KeySize::USIZE - 1]).is_err());
    }
    for_all!(one);
}

#[test]
fn shows_no_key() {
    type C = Kalyna128_128;
    let (key, iv) = ([0xab; 16].into(), [0xcd; 16].into());
    let shown = [
        format!("{:?}", Ctr::<C>::new(&key, &iv)),
        format!("{:?}", Ofb::<C>::new(&key, &iv)),
        format!("{:?}", CbcEncryptor::<C>::new(&key, &iv)),
        format!("{:?}", CbcDecryptor::<C>::new(&key, &iv)),
        format!("{:?}", Xts::<C>::new(&key)),
        format!("{:?}", Kw::<C>::new(&key)),
        format!("{:?}", Cfb::<C>::new(&key, 8).unwrap()),
    ];
    let names = ["Ctr", "Ofb", "CbcEncryptor", "CbcDecryptor", "Xts", "Kw", "Cfb"];
    for (shown, name) in shown.iter().zip(names) {
        let step = if name == "Cfb" { "step: 8, " } else { "" };
        assert_eq!(*shown, format!("Kalyna{name} {{ {step}.. }}"));
    }
}
