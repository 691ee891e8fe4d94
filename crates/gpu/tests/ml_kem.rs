//! Encapsulations of the GPU against those of the library on the CPU.

mod common;

use fairlane::ml_kem::{self, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, Workspace};
use fairlane_gpu::{Error, Gpu, Hash, ParameterSet};

/// `count` encapsulation keys of seeds that look random.
fn keys<P: ml_kem::ParameterSet>(count: usize) -> Vec<EncapsulationKey<P>> {
    let seeds: Vec<_> = common::bytes(64 * count).as_chunks::<64>().0.iter().map(|&seeds| seeds.into()).collect();
    let mut keys: Vec<Option<DecapsulationKey<P>>> = (0..count).map(|_| None).collect();
    ml_kem::keygen_many(&seeds, &mut keys, &mut Box::<Workspace>::default()).unwrap();
    keys.iter().flatten().map(|key| key.encapsulation_key().clone()).collect()
}

fn agrees<P: ml_kem::ParameterSet>(gpu: &Gpu, set: ParameterSet, count: usize) {
    let keys = keys::<P>(count);
    let messages = common::bytes(32 * count).as_chunks().0.to_vec();
    let mut expected = (vec![Default::default(); count], vec![Default::default(); count]);
    let workspace = &mut Box::<Workspace>::default();
    ml_kem::encapsulate_many(&keys, &messages, &mut expected.0, &mut expected.1, workspace).unwrap();

    let keys: Vec<u8> = keys.iter().flat_map(|key| key.as_bytes().iter().copied()).collect();
    let (mut ciphertexts, mut secrets) = (vec![0; set.ciphertext_size() * count], vec![[0; 32]; count]);
    gpu.encapsulate_many(set, &keys, &messages, &mut ciphertexts, &mut secrets).unwrap();
    assert!(secrets.iter().zip(&expected.1).all(|(secret, expected)| secret[..] == expected[..]));
    assert!(ciphertexts == expected.0.concat());

    let [keys, messages] = [&keys, messages.as_flattened()].map(|bytes| gpu.upload(bytes).unwrap());
    let mut on_device = [set.ciphertext_size() * count, 32 * count].map(|bytes| gpu.allocate(bytes).unwrap());
    let [device_ciphertexts, device_secrets] = &mut on_device;
    gpu.encapsulate_on_device(set, &keys, &messages, device_ciphertexts, device_secrets).unwrap();
    let mut back = vec![0; ciphertexts.len()];
    gpu.download(device_ciphertexts, &mut back).unwrap();
    assert!(back == ciphertexts);
    let mut back = vec![[0; 32]; count];
    gpu.download(device_secrets, back.as_flattened_mut()).unwrap();
    assert!(back == secrets);
}

#[test]
fn ciphertexts_and_secrets() {
    let Some(gpu) = common::gpu() else { return };
    for count in [1, 2, 65, 1025] {
        agrees::<MlKem512>(&gpu, ParameterSet::MlKem512, count);
        agrees::<MlKem768>(&gpu, ParameterSet::MlKem768, count);
        agrees::<MlKem1024>(&gpu, ParameterSet::MlKem1024, count);
    }
}

/// More keys than are processed together, and several parts.
#[test]
fn several_groups() {
    let Some(gpu) = common::gpu() else { return };
    agrees::<MlKem512>(&gpu, ParameterSet::MlKem512, if gpu.is_software() { 2500 } else { 150_000 });
}

#[test]
fn invalid_keys() {
    let Some(gpu) = common::gpu() else { return };
    let count = if gpu.is_software() { 1200 } else { 5000 };
    for set in ParameterSet::ALL {
        // All coefficients are 0.
        let mut keys = vec![0; set.key_size() * count];
        let messages = vec![[1; 32]; count];
        let (mut ciphertexts, mut secrets) = (vec![7; set.ciphertext_size() * count], vec![[7; 32]; count]);
        gpu.encapsulate_many(set, &keys, &messages, &mut ciphertexts, &mut secrets).unwrap();
        for (index, coefficient) in [(count - 100, 0), (count / 2, 255), (17, set.key_size() * 2 / 3 - 22), (0, 130)] {
            // q, the first number that is no coefficient: 0xd01.
            let bytes = &mut keys[index * set.key_size() + coefficient / 2 * 3..][..3];
            bytes.copy_from_slice(if coefficient % 2 == 0 { &[0x01, 0x0d, 0] } else { &[0, 0x10, 0xd0] });
            ciphertexts.fill(7);
            secrets.fill([7; 32]);
            let result = gpu.encapsulate_many(set, &keys, &messages, &mut ciphertexts, &mut secrets);
            assert_eq!(result, Err(Error::InvalidKey { index }), "{set:?}");
            assert!(ciphertexts.iter().all(|&byte| byte == 0) && secrets.as_flattened().iter().all(|&byte| byte == 0));
            // A batch without keys is valid after an invalid one.
            gpu.encapsulate_many(set, &[], &[], &mut [], &mut []).unwrap();
        }
        let [keys, messages] = [&keys, messages.as_flattened()].map(|bytes| gpu.upload(bytes).unwrap());
        let [mut ciphertexts, mut secrets] = [&ciphertexts, secrets.as_flattened()].map(|bytes| {
            let ones = vec![1; bytes.len()];
            gpu.upload(&ones).unwrap()
        });
        let result = gpu.encapsulate_on_device(set, &keys, &messages, &mut ciphertexts, &mut secrets);
        assert_eq!(result, Err(Error::InvalidKey { index: 0 }), "{set:?}");
        for memory in [ciphertexts, secrets] {
            let mut bytes = vec![1; memory.len()];
            gpu.download(&memory, &mut bytes).unwrap();
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
        let mut nothing = [(); 4].map(|()| gpu.allocate(0).unwrap());
        let [keys, messages, ciphertexts, secrets] = &mut nothing;
        gpu.encapsulate_on_device(set, keys, messages, ciphertexts, secrets).unwrap();
    }
}

/// Buffers of more and smaller parts, left by another call.
#[test]
fn after_smaller_rows() {
    let Some(gpu) = common::gpu() else { return };
    gpu.hash_fixed(Hash::Sm3, &[0; 3000], 3000, &mut [0; 32 * 3000]).unwrap();
    agrees::<MlKem1024>(&gpu, ParameterSet::MlKem1024, 100);
}

#[test]
fn wrong_lengths() {
    let Some(gpu) = common::gpu() else { return };
    let (set, messages) = (ParameterSet::MlKem768, [[1; 32]; 2]);
    let (mut ciphertexts, mut secrets) = (vec![7; 2 * 1088], [[7; 32]; 2]);
    let error = gpu.encapsulate_many(set, &[0; 1184], &messages, &mut ciphertexts, &mut secrets).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "encapsulation keys", expected: 2368, given: 1184 });
    let error = gpu.encapsulate_many(set, &[0; 2368], &messages, &mut ciphertexts[1..], &mut secrets).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "ciphertexts", expected: 2176, given: 2175 });
    let error = gpu.encapsulate_many(set, &[0; 2368], &messages, &mut ciphertexts, &mut secrets[1..]).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "shared secrets", expected: 64, given: 32 });
    assert!(ciphertexts.iter().all(|&byte| byte == 7) && secrets == [[7; 32]; 2]);
    gpu.encapsulate_many(set, &[], &[], &mut [], &mut []).unwrap();
}
