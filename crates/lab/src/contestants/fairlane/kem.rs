//! ML-KEM and CLWE-KEM.

use super::Entry;
use crate::contest::{Contest, Op, Size};
use crate::contestants::Make;
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, op, op_with_kept_keys, params};
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
    let params = params(contest)?;
    macro_rules! entry {
        ($module:literal, $set:ident) => {{
            let call = match contest.job() {
                "keygen" => concat!($module, "::DecapsulationKey::to_expanded"),
                "encaps" => concat!($module, "::EncapsulationKey"),
                "decaps" => concat!($module, "::decapsulate_expanded"),
                "encaps-prepared" => concat!($module, "::PreparedEncapsulationKey"),
                "decaps-prepared" => concat!($module, "::PreparedDecapsulationKey"),
                "batch-keygen" => concat!($module, "::keygen_many"),
                "batch-encaps" => concat!($module, "::encapsulate_many"),
                "batch-decaps" => concat!($module, "::decapsulate_many"),
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

fn entry_of<P: ParameterSet + Send>(params: Params, job: &'static str, backend: Backend, call: &'static str) -> Entry {
    let make = move |size: Size| {
        let plain = Plain::<P>(backend, PhantomData);
        if job.starts_with("batch-") {
            many::<P>(params, job, size, backend)
        } else if job.ends_with("-prepared") {
            op_with_kept_keys(params, job, size, Prepared(plain))
        } else {
            op(params, job, size, plain)
        }
    };
    (call, Box::new(make))
}

/// The calls of one key each that a batch call is held against.
pub(super) fn single_calls(contest: &Contest, backend: Backend) -> Option<Make> {
    let params = params(contest).filter(|_| contest.batch)?;
    let job = contest.job();
    macro_rules! make {
        ($set:ident) => {
            Box::new(move |size| op(params, job, size, Plain::<$set>(backend, PhantomData)))
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
fn many<P: ParameterSet + Send>(params: Params, job: &str, size: Size, backend: Backend) -> Op {
    let (ek_len, sent_len) = (params.encapsulation_key_len(), params.ciphertext_len());
    let mut plain = Plain::<P>(backend, PhantomData);
    let mut workspace = Box::<Workspace>::default();
    match job {
        "batch-keygen" => {
            let mut pairs = vec![None; size.count];
            Op::fill(move |seeds, output| {
                let seeds = Array::slice_as_chunks(seeds).0;
                keygen_many_with_backend::<P>(seeds, &mut pairs, &mut workspace, backend).expect(GOOD);
                for (pair, keys) in
                    pairs.iter().flatten().zip(output.chunks_exact_mut(ek_len + params.decapsulation_key_len()))
                {
                    let (ek, dk) = keys.split_at_mut(ek_len);
                    plain.write_key(pair, ek);
                    plain.write_pair(pair, dk);
                }
            })
        }
        "batch-encaps" => {
            let (mut keys, mut messages) = (Vec::with_capacity(size.count), Vec::with_capacity(size.count));
            let mut ciphertexts = vec![Ciphertext::<P>::default(); size.count];
            let mut secrets = vec![SharedSecret::default(); size.count];
            Op::fill(move |input, output| {
                keys.clear();
                messages.clear();
                for input in input.chunks_exact(ek_len + MESSAGE) {
                    let (ek, m) = input.split_at(ek_len);
                    keys.push(plain.key(ek));
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
            let pairs: Vec<DecapsulationKey<P>> =
                (0..size.count).map(|place| plain.pair(&FixedPair::new(params, place))).collect();
            Op::fill(move |sent, secrets| {
                let (sent, secrets) = (Array::slice_as_chunks(sent).0, Array::slice_as_chunks_mut(secrets).0);
                decapsulate_many(&pairs, sent, secrets, &mut workspace).expect(GOOD);
            })
        }
    }
}

/// Keys as they come.
struct Plain<P>(Backend, PhantomData<P>);

impl<P: ParameterSet + Send> KeptKeys for Plain<P> {
    type Pair = DecapsulationKey<P>;
    type Key = EncapsulationKey<P>;

    fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
        self.generate(&pair.seeds)
    }

    fn key(&mut self, ek: &[u8]) -> Self::Key {
        EncapsulationKey::with_backend(ek, self.0).expect(GOOD)
    }

    fn encapsulate(&mut self, key: &Self::Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (ciphertext, shared) = key.encapsulate_deterministic(m);
        sent.copy_from_slice(&ciphertext);
        *secret = shared.0;
    }

    fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        *secret = pair.decapsulate(ciphertext::<P>(sent)).0;
    }
}

impl<P: ParameterSet + Send> TypedKeys for Plain<P> {
    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Self::Pair {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        DecapsulationKey::with_backend(d, z, self.0).expect(GOOD)
    }

    fn write_key(&mut self, pair: &Self::Pair, ek: &mut [u8]) {
        ek.copy_from_slice(pair.encapsulation_key().as_bytes());
    }

    fn write_pair(&mut self, pair: &Self::Pair, dk: &mut [u8]) {
        dk.copy_from_slice(&pair.to_expanded());
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        let shared = decapsulate_expanded_with_backend::<P>(dk, ciphertext::<P>(sent), self.0);
        *secret = shared.expect(GOOD).0;
    }
}

/// Keys made ready for many uses.
struct Prepared<P>(Plain<P>);

impl<P: ParameterSet + Send> KeptKeys for Prepared<P> {
    type Pair = PreparedDecapsulationKey<P>;
    type Key = PreparedEncapsulationKey<P>;

    fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
        self.0.pair(pair).prepare()
    }

    fn key(&mut self, ek: &[u8]) -> Self::Key {
        self.0.key(ek).prepare()
    }

    fn encapsulate(&mut self, key: &Self::Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (ciphertext, shared) = key.encapsulate_deterministic(m);
        sent.copy_from_slice(&ciphertext);
        *secret = shared.0;
    }

    fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        *secret = pair.decapsulate(ciphertext::<P>(sent)).0;
    }
}

fn ciphertext<P: ParameterSet>(sent: &[u8]) -> &Ciphertext<P> {
    sent.try_into().expect("as long as a ciphertext")
}
