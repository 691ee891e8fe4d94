//! KEMs.

use super::common::random_from;
use super::{assert_wrong_length, choices, missing};
use fairlane::aead::KeyInit;
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::dynamic::{Error, KemAlgorithm};
use fairlane::ml_kem::{DecapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet};
use fairlane::x_wing;

/// Encapsulation key, expanded decapsulation key, ciphertext and shared secret.
fn exchange<P: ParameterSet>(seeds: &[u8], m: &[u8]) -> [Vec<u8>; 4] {
    let key = DecapsulationKey::<P>::new(seeds.try_into().unwrap());
    let ek = key.encapsulation_key();
    let (ciphertext, secret) = ek.encapsulate_deterministic(m.try_into().unwrap());
    assert_eq!(key.decapsulate(&ciphertext), secret);
    [ek.as_bytes().to_vec(), key.to_expanded().to_vec(), ciphertext.to_vec(), secret.to_vec()]
}

/// The same of X-Wing, whose decapsulation key is its seed.
fn x_wing_exchange(seed: &[u8], randomness: &[u8]) -> [Vec<u8>; 4] {
    let key = x_wing::DecapsulationKey::new(seed.try_into().unwrap());
    let ek = key.encapsulation_key();
    let (ciphertext, secret) = ek.encapsulate_deterministic(randomness.try_into().unwrap());
    [ek.as_bytes().to_vec(), seed.to_vec(), ciphertext.to_vec(), secret.to_vec()]
}

#[test]
fn kems_are_those_of_the_types() {
    for &algorithm in KemAlgorithm::ALL {
        let (seeds, m) = (random_from(1, algorithm.seeds_size()), random_from(2, algorithm.randomness_size()));
        assert!(seeds.len() <= KemAlgorithm::MAX_SEEDS_SIZE && m.len() <= KemAlgorithm::MAX_RANDOMNESS_SIZE);
        let [ek, dk, ciphertext, secret] = match algorithm {
            KemAlgorithm::MlKem512 => exchange::<MlKem512>(&seeds, &m),
            KemAlgorithm::MlKem768 => exchange::<MlKem768>(&seeds, &m),
            KemAlgorithm::MlKem1024 => exchange::<MlKem1024>(&seeds, &m),
            KemAlgorithm::XWing => x_wing_exchange(&seeds, &m),
            KemAlgorithm::Clwe512 => exchange::<Clwe512>(&seeds, &m),
            KemAlgorithm::Clwe768 => exchange::<Clwe768>(&seeds, &m),
            KemAlgorithm::Clwe1024 => exchange::<Clwe1024>(&seeds, &m),
            _ => panic!("{algorithm} is not tested"),
        };
        assert_eq!((ek.len(), dk.len()), (algorithm.encapsulation_key_size(), algorithm.expanded_size()));
        assert_eq!((ciphertext.len(), secret.len()), (algorithm.ciphertext_size(), KemAlgorithm::SHARED_SECRET_SIZE));
        for backend in choices(algorithm.backends()) {
            let key = algorithm.encapsulation_key_from_bytes(&ek, backend).unwrap();
            for key in [key.prepare(), key.prepare().prepare(), key.clone(), key] {
                assert_eq!((key.algorithm(), key.as_bytes()), (algorithm, &ek[..]));
                let (mut sent, mut shared) = (vec![0; ciphertext.len()], vec![0; secret.len()]);
                key.encapsulate(&m, &mut sent, &mut shared).unwrap();
                assert!(sent == ciphertext && shared == secret, "{algorithm} on {backend:?}");
            }
            let from_seeds = algorithm.decapsulation_key_from_seeds(&seeds, backend).unwrap();
            let from_expanded = algorithm.decapsulation_key_from_expanded(&dk, backend).unwrap();
            for key in [from_seeds.prepare(), from_expanded.prepare(), from_seeds.clone(), from_seeds, from_expanded] {
                assert_eq!((key.algorithm(), key.encapsulation_key()), (algorithm, &ek[..]));
                let (mut expanded, mut shared) = (vec![0; dk.len()], vec![0; secret.len()]);
                key.write_expanded(&mut expanded).unwrap();
                key.decapsulate(&ciphertext, &mut shared).unwrap();
                assert!(expanded == dk && shared == secret, "{algorithm} on {backend:?}");
            }
        }
    }
}

#[test]
fn batches_of_kems_are_one_by_one() {
    for &algorithm in KemAlgorithm::ALL {
        let (seeds, size) = (random_from(1, 19 * algorithm.seeds_size()), algorithm.randomness_size());
        for backend in choices(algorithm.backends()) {
            let mut own = algorithm.generate_many(&seeds, backend).unwrap();
            assert_eq!(own.len(), 19);
            for (key, seeds) in own.iter().zip(seeds.chunks(algorithm.seeds_size())) {
                let alone = algorithm.decapsulation_key_from_seeds(seeds, backend).unwrap();
                assert_eq!((key.algorithm(), key.encapsulation_key()), (algorithm, alone.encapsulation_key()));
            }
            let mut keys: Vec<_> = own
                .iter()
                .map(|key| algorithm.encapsulation_key_from_bytes(key.encapsulation_key(), backend).unwrap())
                .collect();
            for (sender, receiver) in [(0, 1), (4, 6), (5, 7), (18, 17)] {
                keys[sender] = keys[sender].prepare();
                own[receiver] = own[receiver].prepare();
            }
            for count in [0, 1, 4, 19] {
                let m = random_from(2, size * count);
                let (mut sent, mut shared) = (vec![0; count * algorithm.ciphertext_size()], vec![0; 32 * count]);
                let slice: Vec<_> = keys.iter().take(count).map(|key| &**key).collect();
                algorithm.encapsulate_many(&slice, &m, &mut sent, &mut shared).unwrap();
                for (i, key) in slice.iter().enumerate() {
                    let (mut ciphertext, mut secret) = (vec![0; algorithm.ciphertext_size()], [0; 32]);
                    key.encapsulate(&m[size * i..][..size], &mut ciphertext, &mut secret).unwrap();
                    assert!(sent[ciphertext.len() * i..].starts_with(&ciphertext));
                    assert!(shared[32 * i..].starts_with(&secret));
                }
                let mut received = vec![0; 32 * count];
                let slice: Vec<_> = own.iter().take(count).map(|key| &**key).collect();
                algorithm.decapsulate_many(&slice, &sent, &mut received).unwrap();
                assert_eq!(received, shared, "{algorithm} on {backend:?}");
            }
        }
    }
}

#[test]
fn batches_of_kems_refuse_bad_input() {
    for &algorithm in KemAlgorithm::ALL {
        let backend = Some(missing(algorithm.backends()));
        for seeds in [vec![], vec![0; algorithm.seeds_size()]] {
            let made = algorithm.generate_many(&seeds, backend);
            assert!(matches!(made, Err(Error::Unsupported(_))), "{} bytes of seeds, {algorithm}", seeds.len());
        }
    }
    let algorithm = KemAlgorithm::MlKem512;
    assert_wrong_length(algorithm.generate_many(&[0; 65], None), 128, 65);
    let own = algorithm.generate_many(&[7; 128], None).unwrap();
    let key = algorithm.encapsulation_key_from_bytes(own[0].encapsulation_key(), None).unwrap();
    let (keys, own) = ([&*key, &*key], [&*own[0], &*own[1]]);
    for (m, ciphertexts, secrets) in [(63, 1536, 64), (64, 1535, 64), (64, 1536, 65)] {
        let (mut sent, mut shared) = (vec![0xa5; ciphertexts], vec![0xa5; secrets]);
        let result = algorithm.encapsulate_many(&keys, &vec![0; m], &mut sent, &mut shared);
        assert!(matches!(result, Err(Error::WrongLength { .. })));
        if m == 64 {
            let result = algorithm.decapsulate_many(&own, &sent, &mut shared);
            assert!(matches!(result, Err(Error::WrongLength { .. })));
        }
        assert_eq!((sent, shared), (vec![0xa5; ciphertexts], vec![0xa5; secrets]));
    }
    let other = KemAlgorithm::Clwe512;
    let (mut sent, mut shared) = (vec![0xa5; 2 * other.ciphertext_size()], [0xa5; 64]);
    assert_eq!(other.encapsulate_many(&keys, &[0; 64], &mut sent, &mut shared), Err(Error::OtherAlgorithm));
    assert_eq!(other.decapsulate_many(&own, &sent, &mut shared), Err(Error::OtherAlgorithm));
    assert!(sent.iter().chain(&shared).all(|&byte| byte == 0xa5));
}

#[test]
fn kems_refuse_bad_input() {
    for &algorithm in KemAlgorithm::ALL {
        let (size, random) = (algorithm.seeds_size(), algorithm.randomness_size());
        let (seeds, backend) = (random_from(1, size), Some(missing(algorithm.backends())));
        let own = algorithm.decapsulation_key_from_seeds(&seeds, None).unwrap();
        let mut ek = own.encapsulation_key().to_vec();
        let mut dk = vec![0; algorithm.expanded_size()];
        for wrong in [0, dk.len() - 1, dk.len() + 1] {
            assert_wrong_length(own.write_expanded(&mut vec![0; wrong]), dk.len(), wrong);
            let result = algorithm.decapsulation_key_from_expanded(&vec![0; wrong], None);
            assert_wrong_length(result, dk.len(), wrong);
        }
        own.write_expanded(&mut dk).unwrap();
        for wrong in [0, size - 1, size + 1] {
            assert_wrong_length(algorithm.decapsulation_key_from_seeds(&vec![0; wrong], None), size, wrong);
        }
        for wrong in [0, ek.len() - 1, ek.len() + 1] {
            assert_wrong_length(algorithm.encapsulation_key_from_bytes(&vec![0; wrong], None), ek.len(), wrong);
        }
        let unsupported = algorithm.encapsulation_key_from_bytes(&ek, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        let unsupported = algorithm.decapsulation_key_from_seeds(&seeds, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));
        let unsupported = algorithm.decapsulation_key_from_expanded(&dk, backend);
        assert!(matches!(unsupported, Err(Error::Unsupported(_))));

        let sent = algorithm.encapsulation_key_from_bytes(&ek, None).unwrap();
        let size = algorithm.ciphertext_size();
        let wrong = [(random - 1, size, 32), (random + 1, size, 32), (random, size - 1, 32), (random, size + 1, 32)];
        for (m, ciphertext, secret) in
            wrong.into_iter().chain([(random, size, 0), (random, size, 31), (random, size, 33)])
        {
            let (mut sealed, mut shared) = (vec![0xa5; ciphertext], vec![0xa5; secret]);
            let result = sent.encapsulate(&vec![0; m], &mut sealed, &mut shared);
            assert!(matches!(result, Err(Error::WrongLength { .. })));
            if (ciphertext, secret) != (size, 32) {
                let result = own.decapsulate(&sealed, &mut shared);
                assert!(matches!(result, Err(Error::WrongLength { .. })));
            }
            assert_eq!((sealed, shared), (vec![0xa5; ciphertext], vec![0xa5; secret]));
        }

        // Any 32 bytes are a key of X-Wing.
        if algorithm != KemAlgorithm::XWing {
            dk[0] ^= 1;
            dk[algorithm.expanded_size() - 33] ^= 1;
            assert_eq!(algorithm.decapsulation_key_from_expanded(&dk, None).unwrap_err(), Error::InvalidKey);
        }
        ek[..2].fill(0xff);
        assert_eq!(algorithm.encapsulation_key_from_bytes(&ek, None).unwrap_err(), Error::InvalidKey);
    }
}
