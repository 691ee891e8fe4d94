//! ML-KEM and CLWE-KEM.

use super::Entry;
use crate::contest::{Contest, Size};
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, op, op_with_kept_keys, params};
use fairlane::Backend;
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet,
    PreparedDecapsulationKey, PreparedEncapsulationKey, decapsulate_expanded_with_backend,
};
use fairlane_reference::kem::Params;
use std::marker::PhantomData;

/// Why making a key cannot fail here.
const GOOD: &str = "the backend is available, and the key a good one";

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
                _ => concat!($module, "::{DecapsulationKey, EncapsulationKey}"),
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
        if job.ends_with("-prepared") {
            op_with_kept_keys(params, job, size, Prepared(plain))
        } else {
            op(params, job, size, plain)
        }
    };
    (call, Box::new(make))
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
