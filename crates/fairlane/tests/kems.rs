//! ML-KEM and CLWE-KEM on every backend: known answers, agreement with the reference, refused keys and rejected
//! ciphertexts.

mod common;

use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::keccak::{Shake128, sha3_256};
use fairlane::kem::{Decapsulator, Generate, KeyExport, KeyInit, TryKeyInit};
use fairlane::ml_kem::{
    BatchError, Ciphertext, DecapsulationKey, EncapsulationKey, KeyError, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, Seeds, SharedSecret, Workspace, decapsulate_expanded, decapsulate_expanded_with_backend,
    decapsulate_many, encapsulate_many, keygen_many, keygen_many_with_backend,
};
use fairlane::{Backend, digest};
use fairlane_reference::kem::{self as reference, Params};
use fairlane_vectors as vectors;
use fairlane_vectors::{AccumulatedCase, KemCase};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// Calls a generic function for the parameter set of a name, such as `ml-kem-768`.
macro_rules! with_set {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name.to_lowercase().as_str() {
            "ml-kem-512" => $function::<MlKem512>($($argument),*),
            "ml-kem-768" => $function::<MlKem768>($($argument),*),
            "ml-kem-1024" => $function::<MlKem1024>($($argument),*),
            "clwe-512" => $function::<Clwe512>($($argument),*),
            "clwe-768" => $function::<Clwe768>($($argument),*),
            "clwe-1024" => $function::<Clwe1024>($($argument),*),
            other => panic!("no parameter set is called {other}"),
        }
    };
}

fn backends() -> Vec<Backend> {
    common::backends("ml-kem")
}

fn array(bytes: &[u8]) -> &[u8; 32] {
    bytes.try_into().unwrap()
}

fn ciphertext<P: ParameterSet>(bytes: &[u8]) -> &Ciphertext<P> {
    bytes.try_into().unwrap()
}

#[test]
fn known_answers() {
    for case in ["ml_kem.json", "clwe.json"].into_iter().flat_map(vectors::load_kems) {
        for backend in backends() {
            with_set!(case.function, known_answer(&case, backend));
        }
    }
}

fn known_answer<P: ParameterSet>(case: &KemCase, backend: Backend) {
    if !case.dk.is_empty() && !case.ciphertext.is_empty() {
        let own = PreparedDecapsulationKey::<P>::with_backend(&case.dk, backend).unwrap();
        assert_eq!(own.to_expanded()[..], case.dk);
        let ciphertext = ciphertext::<P>(&case.ciphertext);
        assert_eq!(own.decapsulate(ciphertext)[..], case.secret, "{}: expanded", case.function);
        let once = decapsulate_expanded_with_backend::<P>(&case.dk, ciphertext, backend).unwrap();
        assert_eq!(once[..], case.secret, "{}: once", case.function);
    }
    let name = format!("{} on {backend}", case.function);
    let own = (!case.d.is_empty())
        .then(|| DecapsulationKey::<P>::with_backend(array(&case.d), array(&case.z), backend).unwrap());
    let key = match &own {
        Some(own) => own.encapsulation_key().clone(),
        None if case.ek.is_empty() => return,
        None => EncapsulationKey::with_backend(&case.ek, backend).unwrap(),
    };
    if !case.ek_sha3_256.is_empty() {
        assert_eq!(sha3_256(key.as_bytes())[..], case.ek_sha3_256, "{name}: ek");
    }
    if let Some(own) = own.as_ref().filter(|_| !case.dk_sha3_256.is_empty()) {
        assert_eq!(sha3_256(&own.prepare().to_expanded())[..], case.dk_sha3_256, "{name}: dk");
    }
    if !case.m.is_empty() {
        let (sent, secret) = key.encapsulate_deterministic(array(&case.m));
        assert_eq!((&sent[..], &secret[..]), (&case.ciphertext[..], &case.secret[..]), "{name}: encapsulation");
    }
    if let Some(own) = own.filter(|_| !case.ciphertext.is_empty()) {
        assert_eq!(own.decapsulate(ciphertext::<P>(&case.ciphertext))[..], case.secret, "{name}: decapsulation");
        assert_eq!(own.prepare().decapsulate(ciphertext::<P>(&case.ciphertext))[..], case.secret, "{name}: prepared");
    }
}

#[test]
fn accumulated_answers() {
    // Fewer runs under an emulator.
    accumulated(if cfg!(target_arch = "aarch64") { 300 } else { 10_000 });
}

#[test]
#[ignore = "takes minutes"]
fn a_million_accumulated_answers() {
    accumulated(1_000_000);
}

fn accumulated(runs: usize) {
    let cases = vectors::load_accumulated("ml_kem_accumulated.json");
    let cases: Vec<_> = cases.iter().filter(|case| case.runs == runs).collect();
    assert_eq!(cases.len(), 3, "one for each parameter set");
    for case in cases {
        for backend in backends() {
            with_set!(case.function, accumulate(case, backend));
        }
    }
}

/// `crates/vectors/README.md` describes the accumulated answers.
fn accumulate<P: ParameterSet>(case: &AccumulatedCase, backend: Backend) {
    use digest::{ExtendableOutput, Update, XofReader};
    let (mut random, mut answers) = (Shake128::default().finalize_xof(), Shake128::default());
    for _ in 0..case.runs {
        let (mut inputs, mut other) = ([[0; 32]; 3], Ciphertext::<P>::default());
        random.read(inputs.as_flattened_mut());
        random.read(&mut other);
        let [d, z, m] = inputs;
        let own = DecapsulationKey::<P>::with_backend(&d, &z, backend).unwrap();
        let key = own.encapsulation_key();
        let (sent, secret) = key.prepare().encapsulate_deterministic(&m);
        let own = own.prepare();
        assert_eq!(own.decapsulate(&sent), secret);
        answers.update(key.as_bytes());
        answers.update(&own.to_expanded());
        answers.update(&sent);
        answers.update(&secret);
        answers.update(&own.decapsulate(&other));
    }
    let mut output = [0; 32];
    answers.finalize_xof().read(&mut output);
    assert_eq!(output[..], case.output, "{} on {backend}", case.function);
}

#[test]
fn agreement_with_the_reference() {
    for params in Params::ALL {
        for backend in backends() {
            with_set!(params.name(), agree(params, backend));
        }
    }
}

fn agree<P: ParameterSet>(params: Params, backend: Backend) {
    let mut rng = SmallRng::seed_from_u64(1);
    for round in 0..40 {
        let name = format!("{} on {backend}, round {round}", params.name());
        let [d, z, m] = std::array::from_fn(|_| rng.random::<[u8; 32]>());
        let (ek, dk) = reference::keygen(params, &d, &z);
        let own = DecapsulationKey::<P>::with_backend(&d, &z, backend).unwrap();
        let key = own.encapsulation_key();
        assert!(key.as_bytes()[..] == ek, "{name}: ek");
        assert!(own.to_expanded()[..] == dk, "{name}: dk");
        assert!(own.prepare().to_expanded()[..] == dk, "{name}: dk, prepared");
        let (secret, sent) = reference::encaps(params, &ek, &m).unwrap();
        assert!(
            key.encapsulate_deterministic(&m) == (ciphertext::<P>(&sent).clone(), secret.into()),
            "{name}: encapsulation"
        );
        assert_eq!(own.decapsulate(ciphertext::<P>(&sent))[..], secret, "{name}: decapsulation");
        // A ciphertext with one bit flipped.
        let mut wrong = ciphertext::<P>(&sent).clone();
        wrong[rng.random_range(..sent.len())] ^= 1 << (round % 8);
        let rejected = own.decapsulate(&wrong);
        assert_eq!(rejected[..], reference::decaps(params, &dk, &wrong).unwrap(), "{name}: rejection");
        assert_ne!(rejected[..], secret);
        let once = |sent| decapsulate_expanded_with_backend::<P>(&dk, sent, backend).unwrap();
        assert_eq!(once(ciphertext::<P>(&sent))[..], secret, "{name}: once");
        assert_eq!(once(&wrong), rejected, "{name}: once");
    }
}

#[test]
fn many_are_as_one_by_one() {
    for params in Params::ALL {
        for backend in backends() {
            with_set!(params.name(), many(backend));
        }
    }
}

fn many<P: ParameterSet>(backend: Backend) {
    let mut rng = SmallRng::seed_from_u64(2);
    let mut workspace = Box::<Workspace>::default();
    for count in [0, 1, 2, 3, 5, 7, 8, 9, 16, 21] {
        let seeds: Vec<Seeds> = (0..count).map(|_| rng.random::<[u8; 64]>().into()).collect();
        let mut own = vec![None; count];
        keygen_many_with_backend::<P>(&seeds, &mut own, &mut workspace, backend).unwrap();
        let own: Vec<DecapsulationKey<P>> = own.into_iter().map(Option::unwrap).collect();
        for (seeds, own) in seeds.iter().zip(&own) {
            let alone = DecapsulationKey::<P>::new(seeds);
            assert_eq!(KeyExport::to_bytes(own), *seeds);
            assert_eq!(own.encapsulation_key(), alone.encapsulation_key(), "{backend}, {count}");
            assert_eq!(own.prepare().to_expanded(), alone.prepare().to_expanded(), "{backend}, {count}");
        }
        let keys: Vec<&EncapsulationKey<P>> = own.iter().map(Decapsulator::encapsulation_key).collect();
        let messages: Vec<[u8; 32]> = (0..count).map(|_| rng.random()).collect();
        let mut ciphertexts = vec![Ciphertext::<P>::default(); count];
        let mut secrets = vec![SharedSecret::default(); count];
        encapsulate_many(&keys, &messages, &mut ciphertexts, &mut secrets, &mut workspace).unwrap();
        for (i, (key, message)) in keys.iter().zip(&messages).enumerate() {
            let alone = key.encapsulate_deterministic(message);
            assert!(alone == (ciphertexts[i].clone(), secrets[i]), "{backend}, {count}");
        }
        for ciphertext in ciphertexts.iter_mut().step_by(3) {
            ciphertext[7] ^= 1;
        }
        decapsulate_many(&own, &ciphertexts, &mut secrets, &mut workspace).unwrap();
        for ((own, ciphertext), secret) in own.iter().zip(&ciphertexts).zip(&secrets) {
            assert_eq!(*secret, own.decapsulate(ciphertext), "{backend}, {count}");
        }
        let mut again = vec![None; count];
        keygen_many::<P>(&seeds, &mut again, &mut workspace).unwrap();
        let again: Vec<DecapsulationKey<P>> = again.into_iter().map(Option::unwrap).collect();
        assert!(again.iter().zip(&own).all(|(a, b)| a.encapsulation_key() == b.encapsulation_key()));
    }
}

#[test]
fn batches_need_little_stack() {
    type Key = DecapsulationKey<MlKem1024>;
    let mut workspace = Box::<Workspace>::default();
    // 16 KiB are for the calls, the rest for the thread itself and for this test.
    let thread = std::thread::Builder::new().stack_size(64 << 10);
    let run = move || {
        let workspace = &mut workspace;
        let mut own: Vec<Option<Key>> = std::iter::repeat_with(|| None).take(9).collect();
        keygen_many(&[Seeds::default(); 9], &mut own, workspace).unwrap();
        let own: Vec<Key> = own.into_iter().map(Option::unwrap).collect();
        let keys: Vec<_> = own.iter().map(Key::encapsulation_key).collect();
        let mut ciphertexts = vec![Ciphertext::<MlKem1024>::default(); 9];
        let (mut sent, mut secrets) = ([SharedSecret::default(); 9], [SharedSecret::default(); 9]);
        encapsulate_many(&keys, &[[1; 32]; 9], &mut ciphertexts, &mut sent, workspace).unwrap();
        decapsulate_many(&own, &ciphertexts, &mut secrets, workspace).unwrap();
        assert_eq!(secrets, sent);
    };
    thread.spawn(run).unwrap().join().unwrap();
}

#[test]
fn slices_of_different_lengths_are_errors() {
    let workspace = &mut Box::<Workspace>::default();
    let wrong = |expected, given| Err(BatchError::WrongCount { expected, given });
    let mut own = [const { None::<DecapsulationKey<MlKem512>> }; 3];
    assert_eq!(keygen_many(&[Seeds::default(); 2], &mut own, workspace), wrong(2, 3));
    assert!(own.iter().all(Option::is_none));

    let own = [DecapsulationKey::<MlKem512>::new(&Seeds::default())];
    let keys = [own[0].encapsulation_key()];
    let (mut ciphertexts, mut secrets) = ([Ciphertext::<MlKem512>::default()], [SharedSecret::default()]);
    assert_eq!(encapsulate_many(&keys, &[], &mut ciphertexts, &mut secrets, workspace), wrong(1, 0));
    assert_eq!(encapsulate_many(&keys, &[[1; 32]], &mut [], &mut secrets, workspace), wrong(1, 0));
    assert_eq!(encapsulate_many(&keys, &[[1; 32]], &mut ciphertexts, &mut [], workspace), wrong(1, 0));
    assert_eq!(decapsulate_many(&own, &[], &mut secrets, workspace), wrong(1, 0));
    assert_eq!(decapsulate_many(&own, &ciphertexts, &mut [], workspace), wrong(1, 0));
    assert!(ciphertexts == [Ciphertext::<MlKem512>::default()] && secrets == [SharedSecret::default()]);
}

#[test]
fn wrong_keys_are_errors() {
    for params in Params::ALL {
        with_set!(params.name(), refuse(params));
    }
}

fn refuse<P: ParameterSet>(params: Params) {
    let (ek, dk) = reference::keygen(params, &[1; 32], &[2; 32]);
    for wrong in [&ek[1..], &[&ek[..], &[0]].concat(), &[]] {
        assert_eq!(EncapsulationKey::<P>::from_bytes(wrong), Err(KeyError::Length));
    }
    assert_eq!(PreparedDecapsulationKey::<P>::from_expanded(&dk[1..]).unwrap_err(), KeyError::Length);
    // 3329 in place of each coefficient of t̂.
    for i in 0..256 * params.k() {
        let mut wrong = ek.clone();
        let at = i / 2 * 3;
        match i % 2 {
            0 => (wrong[at], wrong[at + 1]) = (0x01, wrong[at + 1] & 0xf0 | 0x0d),
            _ => (wrong[at + 1], wrong[at + 2]) = (wrong[at + 1] & 0x0f | 0x10, 0xd0),
        }
        assert_eq!(EncapsulationKey::<P>::from_bytes(&wrong), Err(KeyError::Modulus));
        assert!(EncapsulationKey::<P>::new_from_slice(&wrong).is_err());
    }
    let mut wrong = dk.clone();
    wrong[dk.len() - 40] ^= 1;
    assert_eq!(PreparedDecapsulationKey::<P>::from_expanded(&wrong).unwrap_err(), KeyError::Hash);
    assert_eq!(decapsulate_expanded::<P>(&wrong, &Ciphertext::<P>::default()), Err(KeyError::Hash));
    assert_eq!(decapsulate_expanded::<P>(&wrong[1..], &Ciphertext::<P>::default()), Err(KeyError::Length));
    wrong[1] |= 0x0f;
    wrong[0] = 0xff;
    assert_eq!(PreparedDecapsulationKey::<P>::from_expanded(&wrong).unwrap_err(), KeyError::Modulus);
    assert_eq!(decapsulate_expanded::<P>(&wrong, &Ciphertext::<P>::default()), Err(KeyError::Modulus));
}

#[test]
fn the_traits_work_together() {
    for params in Params::ALL {
        with_set!(params.name(), talk());
    }
}

fn talk<P: ParameterSet>() {
    let mut rng = rand::rngs::StdRng::seed_from_u64(7);
    let (own, key) = P::generate_keypair_from_rng(&mut rng);
    let key = EncapsulationKey::<P>::new(&key.to_bytes()).unwrap();
    let own = DecapsulationKey::<P>::new(&KeyExport::to_bytes(&own));
    assert_eq!(Decapsulator::encapsulation_key(&own), &key);
    let (sent, secret) = key.encapsulate_with_rng(&mut rng);
    assert_eq!(own.decapsulate(&sent), secret);
    assert_ne!(DecapsulationKey::<P>::generate_from_rng(&mut rng).decapsulate(&sent), secret);
}

#[cfg(feature = "getrandom")]
#[test]
fn the_systems_random_numbers() {
    for params in Params::ALL {
        with_set!(params.name(), exchange());
    }
}

#[cfg(feature = "getrandom")]
fn exchange<P: ParameterSet>() {
    use fairlane::kem::Encapsulate;
    let (own, key) = P::generate_keypair();
    let (sent, secret) = key.encapsulate();
    assert_eq!(own.decapsulate(&sent), secret);
    assert_ne!(key.encapsulate().1, secret);
    assert_ne!(DecapsulationKey::<P>::generate().decapsulate(&sent), secret);
}
