//! X-Wing: the draft's answers on every backend and by name, agreement with the crate `x-wing`, and refused keys.

mod common;

use fairlane::Backend;
use fairlane::dynamic::{Error, KemAlgorithm};
use fairlane::kem::{Decapsulate, Decapsulator, Encapsulate, Generate, Kem, KeyExport, KeyInit, TryKeyInit};
use fairlane::ml_kem::KeyError;
use fairlane::x_wing::{Ciphertext, DecapsulationKey, EncapsulationKey, Seed, XWing};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use x_wing as other;

fn backends() -> Vec<Backend> {
    common::backends("ml-kem")
}

fn array<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().unwrap()
}

#[test]
fn known_answers() {
    let cases = fairlane_vectors::load_kems("x_wing.json");
    assert_eq!(cases.len(), 3);
    for case in cases {
        let ciphertext: &Ciphertext = case.ciphertext[..].try_into().unwrap();
        let best = DecapsulationKey::new(&(*array(&case.seed)).into());
        let on = |backend| DecapsulationKey::with_backend(array(&case.seed), backend).unwrap();
        for own in backends().into_iter().map(on).chain([best]) {
            assert_eq!(own.encapsulation_key().as_bytes()[..], case.ek);
            assert_eq!((own.as_bytes()[..].to_vec(), own.to_bytes().to_vec()), (case.seed.clone(), case.seed.clone()));
            assert_eq!(own.decapsulate(ciphertext)[..], case.secret);
            let (sent, secret) = own.encapsulation_key().encapsulate_deterministic(array(&case.m));
            assert_eq!((&sent[..], &secret[..]), (&case.ciphertext[..], &case.secret[..]));
        }
        for backend in backends() {
            let key = EncapsulationKey::with_backend(&case.ek, backend).unwrap();
            let (sent, secret) = key.encapsulate_deterministic(array(&case.m));
            assert_eq!((&sent[..], &secret[..]), (&case.ciphertext[..], &case.secret[..]), "{backend}");
        }
        let own = KemAlgorithm::XWing.decapsulation_key_from_seeds(&case.seed, None).unwrap();
        let mut secret = [0; 32];
        own.decapsulate(&case.ciphertext, &mut secret).unwrap();
        assert_eq!((own.encapsulation_key(), &secret[..]), (&case.ek[..], &case.secret[..]));
    }
}

#[test]
fn agreement_with_another_crate() {
    let mut rng = SmallRng::seed_from_u64(1);
    for round in 0..20 {
        let (seed, m, m2) = (rng.random::<[u8; 32]>(), rng.random::<[u8; 64]>(), rng.random::<[u8; 64]>());
        let theirs = other::DecapsulationKey::from(seed);
        for backend in backends() {
            let own = DecapsulationKey::with_backend(&seed, backend).unwrap();
            let key = Decapsulator::encapsulation_key(&theirs).to_bytes();
            assert_eq!(own.encapsulation_key().as_bytes()[..], key[..], "{backend}, round {round}");
            // From us to them, and back.
            let (sent, secret) = own.encapsulation_key().encapsulate_deterministic(&m);
            assert_eq!(theirs.decapsulate(&sent)[..], secret[..], "{backend}, round {round}");
            let (sent, secret) = Decapsulator::encapsulation_key(&theirs).encapsulate_deterministic(&m2.into());
            assert_eq!(own.decapsulate(&sent)[..], secret[..], "{backend}, round {round}");
            assert_eq!(own.encapsulation_key().encapsulate_deterministic(&m2), (sent, secret));
            // A damaged ciphertext gives both the same secret; so do points whose product is zero.
            for at in [0, 500, 1087, 1088, 1119] {
                let mut damaged = sent;
                damaged[at] ^= 1 << rng.random_range(0..8);
                let rejected = own.decapsulate(&damaged);
                assert_ne!(rejected, secret, "{backend}, byte {at}");
                assert_eq!(rejected[..], theirs.decapsulate(&damaged)[..], "{backend}, byte {at}");
            }
            for point in [0, 1] {
                let mut low = sent;
                low[1088..].fill(0);
                low[1088] = point;
                assert_eq!(own.decapsulate(&low)[..], theirs.decapsulate(&low)[..], "{backend}, {point}");
            }
        }
    }
}

#[test]
fn keys_are_refused() {
    let own = DecapsulationKey::new(&Seed::from([7; 32]));
    let key = own.encapsulation_key().as_bytes();
    assert_eq!(EncapsulationKey::from_bytes(key).as_ref(), Ok(own.encapsulation_key()));
    for wrong in [&key[1..], &[&key[..], &[0]].concat(), &[], &key[..1184]] {
        assert_eq!(EncapsulationKey::from_bytes(wrong).unwrap_err(), KeyError::Length);
    }
    let mut wrong = *key;
    wrong[..2].fill(0xff);
    assert_eq!(EncapsulationKey::from_bytes(&wrong).unwrap_err(), KeyError::Modulus);
    assert!(<EncapsulationKey as TryKeyInit>::new(&wrong).is_err());
    let missing = if cfg!(target_arch = "x86_64") { Backend::NeonSha3 } else { Backend::Avx512 };
    assert!(matches!(EncapsulationKey::with_backend(key, missing), Err(KeyError::Unsupported(_))));
    assert!(DecapsulationKey::with_backend(&[7; 32], missing).is_err());
    // By name, too.
    assert_eq!(KemAlgorithm::XWing.encapsulation_key_from_bytes(&wrong, None).unwrap_err(), Error::InvalidKey);
}

#[test]
fn the_traits() {
    let mut rng = rand::rngs::StdRng::seed_from_u64(2);
    let (own, key) = XWing::generate_keypair_from_rng(&mut rng);
    assert_eq!(Decapsulator::encapsulation_key(&own), &key);
    let (sent, secret) = Encapsulate::encapsulate_with_rng(&key, &mut rng);
    assert_eq!(Decapsulate::decapsulate(&own, &sent), secret);
    let (again, _) = key.encapsulate_with_rng(&mut rng);
    assert_ne!(sent, again);
    assert_ne!(DecapsulationKey::generate_from_rng(&mut rng).as_bytes(), own.as_bytes());
    assert_eq!(format!("{own:?} {key:?}"), "x_wing::DecapsulationKey(..) x_wing::EncapsulationKey(..)");
}
