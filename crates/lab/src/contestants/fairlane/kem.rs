//! ML-KEM and CLWE-KEM.

use super::Entry;
use crate::contest::{Contest, Job, Operation, Size};
use crate::contestants::Make;
use crate::contestants::kem::{KemObjects, MESSAGE, SECRET, SEEDS};
use crate::contests::kem::with_objects;
use crate::inputs::kem::KeyPair;
use cipher::Array;
use fairlane::Backend;
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, SharedSecret, Workspace, decapsulate_expanded_with_backend,
    decapsulate_many, encapsulate_many, keygen_many_with_backend,
};
use fairlane_reference::kem::Params;
use std::marker::PhantomData;

/// Why making a key cannot fail here.
const GOOD: &str = "the backend is available, keys are good, and slices are as long as each other";

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let params = contest.algorithm().params()?;
    macro_rules! entry {
        ($module:literal, $set:ident) => {{
            let call = match contest.job() {
                Job::Keygen => concat!($module, "::DecapsulationKey::to_expanded"),
                Job::Encaps => concat!($module, "::EncapsulationKey"),
                Job::Decaps => concat!($module, "::decapsulate_expanded"),
                Job::EncapsPrepared => concat!($module, "::PreparedEncapsulationKey"),
                Job::DecapsPrepared => concat!($module, "::PreparedDecapsulationKey"),
                Job::BatchKeygen => concat!($module, "::keygen_many"),
                Job::BatchEncaps => concat!($module, "::encapsulate_many"),
                Job::BatchDecaps => concat!($module, "::decapsulate_many"),
                _ => concat!($module, "::DecapsulationKey and EncapsulationKey"),
            };
            entry_of::<$set>(params, contest.job(), backend, call)
        }};
    }
    Some(match params {
        Params::ML_KEM_512 => entry!("ml_kem", MlKem512),
        Params::ML_KEM_768 => entry!("ml_kem", MlKem768),
        Params::ML_KEM_1024 => entry!("ml_kem", MlKem1024),
        Params::CLWE_512 => entry!("clwe", Clwe512),
        Params::CLWE_768 => entry!("clwe", Clwe768),
        _ => entry!("clwe", Clwe1024),
    })
}

fn entry_of<P: ParameterSet + Send>(params: Params, job: Job, backend: Backend, call: &'static str) -> Entry {
    let make = move |size: Size| {
        let plain = Plain::<P>(backend, PhantomData);
        match job {
            Job::BatchKeygen | Job::BatchEncaps | Job::BatchDecaps => many::<P>(params, job, size, backend),
            Job::EncapsPrepared | Job::DecapsPrepared => with_objects(params, job, size, Prepared(plain)),
            _ => with_objects(params, job, size, plain),
        }
    };
    (call, Box::new(make))
}

/// The calls of one key each that a batch call is held against.
pub(super) fn single_calls(contest: &Contest, backend: Backend) -> Option<Make> {
    let params = contest.algorithm().params().filter(|_| contest.batch)?;
    let job = contest.job();
    macro_rules! make {
        ($set:ident) => {
            Box::new(move |size| with_objects(params, job, size, Plain::<$set>(backend, PhantomData)))
        };
    }
    Some(match params {
        Params::ML_KEM_512 => make!(MlKem512),
        Params::ML_KEM_768 => make!(MlKem768),
        Params::ML_KEM_1024 => make!(MlKem1024),
        Params::CLWE_512 => make!(Clwe512),
        Params::CLWE_768 => make!(Clwe768),
        _ => make!(Clwe1024),
    })
}

/// A batch in one call. Its buffers are kept from call to call.
fn many<P: ParameterSet + Send>(params: Params, job: Job, size: Size, backend: Backend) -> Operation {
    let (ek_len, sent_len) = (params.encapsulation_key_len(), params.ciphertext_len());
    let mut plain = Plain::<P>(backend, PhantomData);
    let mut workspace = Box::<Workspace>::default();
    match job {
        Job::BatchKeygen => {
            let mut pairs = vec![None; size.count];
            Operation::to_output(move |seeds, output| {
                let seeds = Array::slice_as_chunks(seeds).0;
                keygen_many_with_backend::<P>(seeds, &mut pairs, &mut workspace, backend).expect(GOOD);
                for (pair, keys) in
                    pairs.iter().flatten().zip(output.chunks_exact_mut(ek_len + params.decapsulation_key_len()))
                {
                    let (ek, dk) = keys.split_at_mut(ek_len);
                    ek.copy_from_slice(pair.encapsulation_key().as_bytes());
                    plain.write_private_key(pair, dk);
                }
            })
        }
        Job::BatchEncaps => {
            let (mut keys, mut messages) = (Vec::with_capacity(size.count), Vec::with_capacity(size.count));
            let mut ciphertexts = vec![Ciphertext::<P>::default(); size.count];
            let mut secrets = vec![SharedSecret::default(); size.count];
            Operation::to_output(move |input, output| {
                keys.clear();
                messages.clear();
                for input in input.chunks_exact(ek_len + MESSAGE) {
                    let (ek, m) = input.split_at(ek_len);
                    keys.push(plain.public_key(ek));
                    messages.push(m.try_into().expect("a message"));
                }
                encapsulate_many(&keys, &messages, &mut ciphertexts, &mut secrets, &mut workspace).expect(GOOD);
                for ((ciphertext, secret), output) in
                    ciphertexts.iter().zip(&secrets).zip(output.chunks_exact_mut(sent_len + SECRET))
                {
                    let (sent, shared) = output.split_at_mut(sent_len);
                    sent.copy_from_slice(ciphertext);
                    shared.copy_from_slice(secret);
                }
            })
        }
        _ => {
            let pairs = KeyPair::of_batch(params, size.count);
            let pairs: Vec<_> = pairs.map(|mut pair| plain.generate(&pair.seeds, &mut pair.ek)).collect();
            Operation::to_output(move |sent, secrets| {
                let (sent, secrets) = (Array::slice_as_chunks(sent).0, Array::slice_as_chunks_mut(secrets).0);
                decapsulate_many(&pairs, sent, secrets, &mut workspace).expect(GOOD);
            })
        }
    }
}

/// Keys as they come.
struct Plain<P>(Backend, PhantomData<P>);

impl<P: ParameterSet + Send> KemObjects for Plain<P> {
    type PublicKey = EncapsulationKey<P>;
    type PrivateKey = DecapsulationKey<P>;

    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        let key = DecapsulationKey::with_backend(d, z, self.0).expect(GOOD);
        ek.copy_from_slice(key.encapsulation_key().as_bytes());
        key
    }

    fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey {
        EncapsulationKey::with_backend(ek, self.0).expect(GOOD)
    }

    fn write_private_key(&mut self, key: &Self::PrivateKey, dk: &mut [u8]) {
        dk.copy_from_slice(&key.to_expanded());
    }

    fn encapsulate(
        &mut self,
        key: &Self::PublicKey,
        m: &[u8; MESSAGE],
        ciphertext: &mut [u8],
        secret: &mut [u8; SECRET],
    ) {
        let (sent, shared) = key.encapsulate_deterministic(m);
        ciphertext.copy_from_slice(&sent);
        *secret = shared.0;
    }

    fn decapsulate(&mut self, key: &Self::PrivateKey, sent: &[u8], secret: &mut [u8; SECRET]) {
        *secret = key.decapsulate(ciphertext::<P>(sent)).0;
    }

    // One call, without a key between.
    fn decapsulate_once(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        let shared = decapsulate_expanded_with_backend::<P>(dk, ciphertext::<P>(sent), self.0);
        *secret = shared.expect(GOOD).0;
    }
}

/// Keys made ready for many uses.
struct Prepared<P>(Plain<P>);

impl<P: ParameterSet + Send> KemObjects for Prepared<P> {
    type PublicKey = PreparedEncapsulationKey<P>;
    type PrivateKey = PreparedDecapsulationKey<P>;

    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey {
        self.0.generate(seeds, ek).prepare()
    }

    fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey {
        self.0.public_key(ek).prepare()
    }

    fn encapsulate(
        &mut self,
        key: &Self::PublicKey,
        m: &[u8; MESSAGE],
        ciphertext: &mut [u8],
        secret: &mut [u8; SECRET],
    ) {
        let (sent, shared) = key.encapsulate_deterministic(m);
        ciphertext.copy_from_slice(&sent);
        *secret = shared.0;
    }

    fn decapsulate(&mut self, key: &Self::PrivateKey, sent: &[u8], secret: &mut [u8; SECRET]) {
        *secret = key.decapsulate(ciphertext::<P>(sent)).0;
    }
}

fn ciphertext<P: ParameterSet>(sent: &[u8]) -> &Ciphertext<P> {
    sent.try_into().expect("as long as a ciphertext")
}
