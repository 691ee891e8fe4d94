//! What each job of a KEM is: written once for all who do it, so that all do the same.

use super::{FixedPair, MESSAGE, SECRET, SEEDS};
use crate::contest::{Op, Size};
use fairlane_reference::kem::Params;

/// One implementation of a parameter set, with keys that are kept for many uses. All buffers are as long as the set says.
pub(crate) trait KeptKeys: Send + 'static {
    /// A key pair as it is kept.
    type Pair: Send;
    /// An encapsulation key as it is kept.
    type Key: Send;

    /// Takes a key pair.
    fn pair(&mut self, pair: &FixedPair) -> Self::Pair;

    /// Takes an encapsulation key.
    fn key(&mut self, ek: &[u8]) -> Self::Key;

    /// Encapsulates with the message m: writes the ciphertext and the secret.
    fn encapsulate(&mut self, key: &Self::Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]);

    /// Writes the secret of a ciphertext.
    fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]);
}

/// A library with types for its keys.
pub(crate) trait TypedKeys: KeptKeys {
    /// The pair of the seeds d and z.
    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Self::Pair;

    /// Writes the encapsulation key.
    fn write_key(&mut self, pair: &Self::Pair, ek: &mut [u8]);

    /// Writes the decapsulation key in FIPS 203's own form.
    fn write_pair(&mut self, pair: &Self::Pair, dk: &mut [u8]);

    /// Writes the secret of a ciphertext with a decapsulation key in that form.
    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]);
}

/// A library whose keys are bytes.
pub(crate) trait BytesKeys: Send + 'static {
    /// Writes both keys of the seeds d and z.
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]);

    /// Encapsulates with the message m: writes the ciphertext and the secret.
    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]);

    /// Writes the secret of a ciphertext.
    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]);
}

/// The jobs that begin or end with keys as bytes.
pub(crate) trait Kem: KeptKeys {
    /// Writes both keys of the seeds d and z.
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]);

    /// Encapsulates with the message m: writes the ciphertext and the secret.
    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]);

    /// Writes the secret of a ciphertext.
    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]);

    /// One exchange with a fresh pair: what is sent either way is bytes. The sender's secret comes first.
    fn exchange(
        &mut self,
        seeds: &[u8; SEEDS],
        m: &[u8; MESSAGE],
        sent: [&mut [u8]; 2],
        secrets: [&mut [u8; SECRET]; 2],
    );
}

impl<K: TypedKeys> Kem for K {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        let pair = self.generate(seeds);
        self.write_key(&pair, ek);
        self.write_pair(&pair, dk);
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let key = self.key(ek);
        self.encapsulate(&key, m, sent, secret);
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        TypedKeys::decaps(self, dk, sent, secret);
    }

    fn exchange(
        &mut self,
        seeds: &[u8; SEEDS],
        m: &[u8; MESSAGE],
        [ek, sent]: [&mut [u8]; 2],
        [sender, receiver]: [&mut [u8; SECRET]; 2],
    ) {
        let pair = self.generate(seeds);
        self.write_key(&pair, ek);
        self.encaps(ek, m, sent, sender);
        self.decapsulate(&pair, sent, receiver);
    }
}

/// Keys that are kept as their bytes. None is copied or allocated where a program with such a library would not.
pub(crate) struct OnBytes<K> {
    kem: K,
    /// The decapsulation key of an exchange.
    dk: Vec<u8>,
}

impl<K> OnBytes<K> {
    /// With a library's functions for a parameter set.
    pub(crate) fn new(params: Params, kem: K) -> Self {
        Self { kem, dk: vec![0; params.decapsulation_key_len()] }
    }
}

impl<K: BytesKeys> KeptKeys for OnBytes<K> {
    type Pair = Box<[u8]>;
    type Key = Box<[u8]>;

    fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
        pair.dk.as_slice().into()
    }

    fn key(&mut self, ek: &[u8]) -> Self::Key {
        ek.into()
    }

    fn encapsulate(&mut self, key: &Self::Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        self.kem.encaps(key, m, sent, secret);
    }

    fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        self.kem.decaps(pair, sent, secret);
    }
}

impl<K: BytesKeys> Kem for OnBytes<K> {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        self.kem.keygen(seeds, ek, dk);
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        self.kem.encaps(ek, m, sent, secret);
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        self.kem.decaps(dk, sent, secret);
    }

    fn exchange(
        &mut self,
        seeds: &[u8; SEEDS],
        m: &[u8; MESSAGE],
        [ek, sent]: [&mut [u8]; 2],
        [sender, receiver]: [&mut [u8; SECRET]; 2],
    ) {
        self.kem.keygen(seeds, ek, &mut self.dk);
        self.kem.encaps(ek, m, sent, sender);
        self.kem.decaps(&self.dk, sent, receiver);
    }
}

/// A job's operation, in a batch on one after the other.
///
/// # Panics
/// If no job is called so, and where `kem` does.
pub(crate) fn op<K: Kem>(params: Params, job: &str, size: Size, mut kem: K) -> Op {
    let (ek_len, dk_len) = (params.encapsulation_key_len(), params.decapsulation_key_len());
    let sent_len = params.ciphertext_len();
    match job {
        "keygen" | "batch-keygen" => each(SEEDS, ek_len + dk_len, move |seeds, keys| {
            let (ek, dk) = keys.split_at_mut(ek_len);
            kem.keygen(fixed(seeds), ek, dk);
        }),
        "encaps" | "batch-encaps" => each(ek_len + MESSAGE, sent_len + SECRET, move |input, output| {
            let (ek, m) = input.split_at(ek_len);
            let (sent, secret) = output.split_at_mut(sent_len);
            kem.encaps(ek, fixed(m), sent, fixed_mut(secret));
        }),
        "decaps" => each(dk_len + sent_len, SECRET, move |input, secret| {
            let (dk, sent) = input.split_at(dk_len);
            kem.decaps(dk, sent, fixed_mut(secret));
        }),
        "exchange" => each(SEEDS + MESSAGE, ek_len + sent_len + 2 * SECRET, move |input, output| {
            let (seeds, m) = input.split_at(SEEDS);
            let (ek, rest) = output.split_at_mut(ek_len);
            let (sent, secrets) = rest.split_at_mut(sent_len);
            let (sender, receiver) = secrets.split_at_mut(SECRET);
            kem.exchange(fixed(seeds), fixed(m), [ek, sent], [fixed_mut(sender), fixed_mut(receiver)]);
        }),
        _ => op_with_kept_keys(params, job, size, kem),
    }
}

/// The same of a job whose keys are made outside.
///
/// # Panics
/// If no such job is called so, and where `kem` does.
pub(crate) fn op_with_kept_keys<K: KeptKeys>(params: Params, job: &str, size: Size, mut kem: K) -> Op {
    let sent_len = params.ciphertext_len();
    match job {
        "encaps-prepared" => {
            let key = kem.key(&FixedPair::new(params, 0).ek);
            each(MESSAGE, sent_len + SECRET, move |m, output| {
                let (sent, secret) = output.split_at_mut(sent_len);
                kem.encapsulate(&key, fixed(m), sent, fixed_mut(secret));
            })
        }
        "decaps-prepared" | "batch-decaps" => {
            let pairs: Vec<K::Pair> = (0..size.count).map(|place| kem.pair(&FixedPair::new(params, place))).collect();
            Op::fill(move |input, output| {
                let pieces = input.chunks_exact(sent_len).zip(output.chunks_exact_mut(SECRET));
                for (pair, (sent, secret)) in pairs.iter().zip(pieces) {
                    kem.decapsulate(pair, sent, fixed_mut(secret));
                }
            })
        }
        _ => unreachable!("no job of a KEM is called {job}"),
    }
}

/// An operation on each piece of the input in turn.
fn each(input_len: usize, output_len: usize, mut job: impl FnMut(&[u8], &mut [u8]) + Send + 'static) -> Op {
    Op::fill(move |input, output| {
        for (input, output) in input.chunks_exact(input_len).zip(output.chunks_exact_mut(output_len)) {
            job(input, output);
        }
    })
}

fn fixed<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().expect("cut to this length")
}

fn fixed_mut<const N: usize>(bytes: &mut [u8]) -> &mut [u8; N] {
    bytes.try_into().expect("cut to this length")
}
