//! The nine jobs of a KEM, derived from what a contestant implements: [`Kem`], or [`KemObjects`] if its library has
//! types for keys.
//!
//! All buffers are as long as the parameter set says. Keys, ciphertexts and secrets that pass through here are valid.

use crate::contest::{Job, Operation, Size};
use crate::inputs::kem::{KeyPair, MESSAGE, SECRET, SEEDS};
use fairlane_reference::kem::Params;

/// One parameter set of a KEM as FIPS 203 describes it: keys are bytes. A library that draws its randomness itself
/// ignores `seeds` and `m`, and is labelled so.
pub(crate) trait Kem: Send + 'static {
    /// `KeyGen`: writes the encapsulation key and the decapsulation key of the seeds d and z.
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]);

    /// `Encaps` with the randomness m: writes the ciphertext and the secret.
    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]);

    /// `Decaps`: writes the secret.
    fn decaps(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]);

    /// An exchange with a new key pair, in which encapsulation key and ciphertext are sent as bytes. `dk` is room for
    /// the decapsulation key, the first secret is the sender's.
    fn exchange(
        &mut self,
        seeds: &[u8; SEEDS],
        m: &[u8; MESSAGE],
        dk: &mut [u8],
        [ek, ciphertext]: [&mut [u8]; 2],
        [sender, receiver]: [&mut [u8; SECRET]; 2],
    ) {
        self.keygen(seeds, ek, dk);
        self.encaps(ek, m, ciphertext, sender);
        self.decaps(dk, ciphertext, receiver);
    }
}

/// One parameter set of a KEM whose keys are objects of the library, which can be used many times.
pub(crate) trait KemObjects: Send + 'static {
    /// An encapsulation key as the library keeps it.
    type PublicKey: Send;
    /// A decapsulation key as the library keeps it.
    type PrivateKey: Send;

    /// Makes the key pair of the seeds d and z, and writes its encapsulation key.
    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey;

    /// Reads and checks an encapsulation key.
    fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey;

    /// Encapsulates with the randomness m: writes the ciphertext and the secret.
    fn encapsulate(
        &mut self,
        key: &Self::PublicKey,
        m: &[u8; MESSAGE],
        ciphertext: &mut [u8],
        secret: &mut [u8; SECRET],
    );

    /// Writes the secret.
    fn decapsulate(&mut self, key: &Self::PrivateKey, ciphertext: &[u8], secret: &mut [u8; SECRET]);

    /// Writes a decapsulation key in the form of FIPS 203. A library that cannot does not enter [`Job::Keygen`].
    fn write_private_key(&mut self, _key: &Self::PrivateKey, _dk: &mut [u8]) {
        unreachable!("a library that cannot write a decapsulation key does not generate one for others")
    }

    /// Reads and checks a decapsulation key in the form of FIPS 203. A library that reads none does not enter
    /// [`Job::Decaps`].
    fn private_key(&mut self, _dk: &[u8]) -> Self::PrivateKey {
        unreachable!("a library that cannot read a decapsulation key is not given one")
    }

    /// Decapsulates with a decapsulation key in the form of FIPS 203, which no one will use again.
    fn decapsulate_once(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        let key = self.private_key(dk);
        self.decapsulate(&key, ciphertext, secret);
    }
}

impl<K: KemObjects> Kem for K {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        let key = self.generate(seeds, ek);
        self.write_private_key(&key, dk);
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
        let key = self.public_key(ek);
        self.encapsulate(&key, m, ciphertext, secret);
    }

    fn decaps(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        self.decapsulate_once(dk, ciphertext, secret);
    }

    fn exchange(
        &mut self,
        seeds: &[u8; SEEDS],
        m: &[u8; MESSAGE],
        _: &mut [u8],
        [ek, ciphertext]: [&mut [u8]; 2],
        [sender, receiver]: [&mut [u8; SECRET]; 2],
    ) {
        let key = self.generate(seeds, ek);
        self.encaps(ek, m, ciphertext, sender);
        self.decapsulate(&key, ciphertext, receiver);
    }
}

/// A job's operation by a library whose keys are bytes. In a batch it does one after the other.
pub(crate) fn on_bytes<K: Kem>(params: Params, job: Job, size: Size, mut kem: K) -> Operation {
    match job {
        Job::EncapsPrepared => {
            let KeyPair { ek, .. } = KeyPair::new(params, 0);
            encaps_prepared(params, move |m, ciphertext, secret| kem.encaps(&ek, m, ciphertext, secret))
        }
        Job::DecapsPrepared | Job::BatchDecaps => {
            let keys = KeyPair::of_batch(params, size.count).map(|pair| pair.dk).collect();
            decaps_prepared(params, keys, move |dk: &Vec<u8>, ciphertext, secret| kem.decaps(dk, ciphertext, secret))
        }
        _ => unprepared(params, job, kem),
    }
}

/// A job's operation by a library whose keys are objects. In a batch it does one after the other.
pub(crate) fn with_objects<K: KemObjects>(params: Params, job: Job, size: Size, mut kem: K) -> Operation {
    match job {
        Job::EncapsPrepared => {
            let key = kem.public_key(&KeyPair::new(params, 0).ek);
            encaps_prepared(params, move |m, ciphertext, secret| kem.encapsulate(&key, m, ciphertext, secret))
        }
        Job::DecapsPrepared | Job::BatchDecaps => {
            let pairs = KeyPair::of_batch(params, size.count);
            let keys = pairs.map(|mut pair| kem.generate(&pair.seeds, &mut pair.ek)).collect();
            decaps_prepared(params, keys, move |key, ciphertext, secret| kem.decapsulate(key, ciphertext, secret))
        }
        _ => unprepared(params, job, kem),
    }
}

fn unprepared<K: Kem>(params: Params, job: Job, mut kem: K) -> Operation {
    let (ek_len, dk_len) = (params.encapsulation_key_len(), params.decapsulation_key_len());
    let ciphertext_len = params.ciphertext_len();
    match job {
        Job::Keygen | Job::BatchKeygen => each(SEEDS, ek_len + dk_len, move |seeds, keys| {
            let (ek, dk) = keys.split_at_mut(ek_len);
            kem.keygen(fixed(seeds), ek, dk);
        }),
        Job::Encaps | Job::BatchEncaps => each(ek_len + MESSAGE, ciphertext_len + SECRET, move |input, output| {
            let (ek, m) = input.split_at(ek_len);
            let (ciphertext, secret) = output.split_at_mut(ciphertext_len);
            kem.encaps(ek, fixed(m), ciphertext, fixed_mut(secret));
        }),
        Job::Decaps => each(dk_len + ciphertext_len, SECRET, move |input, secret| {
            let (dk, ciphertext) = input.split_at(dk_len);
            kem.decaps(dk, ciphertext, fixed_mut(secret));
        }),
        Job::Exchange => {
            let mut dk = vec![0; dk_len];
            each(SEEDS + MESSAGE, ek_len + ciphertext_len + 2 * SECRET, move |input, output| {
                let (seeds, m) = input.split_at(SEEDS);
                let (ek, rest) = output.split_at_mut(ek_len);
                let (ciphertext, secrets) = rest.split_at_mut(ciphertext_len);
                let (sender, receiver) = secrets.split_at_mut(SECRET);
                let secrets = [fixed_mut(sender), fixed_mut(receiver)];
                kem.exchange(fixed(seeds), fixed(m), &mut dk, [ek, ciphertext], secrets);
            })
        }
        _ => unreachable!("{job} is no job of a KEM without prepared keys"),
    }
}

fn encaps_prepared(
    params: Params,
    mut encaps: impl FnMut(&[u8; MESSAGE], &mut [u8], &mut [u8; SECRET]) + Send + 'static,
) -> Operation {
    let ciphertext_len = params.ciphertext_len();
    each(MESSAGE, ciphertext_len + SECRET, move |m, output| {
        let (ciphertext, secret) = output.split_at_mut(ciphertext_len);
        encaps(fixed(m), ciphertext, fixed_mut(secret));
    })
}

/// With a key for each place of a batch.
fn decaps_prepared<D: Send + 'static>(
    params: Params,
    keys: Vec<D>,
    mut decaps: impl FnMut(&D, &[u8], &mut [u8; SECRET]) + Send + 'static,
) -> Operation {
    let ciphertext_len = params.ciphertext_len();
    Operation::to_output(move |input, output| {
        let pairs = input.chunks_exact(ciphertext_len).zip(output.chunks_exact_mut(SECRET));
        for (key, (ciphertext, secret)) in keys.iter().zip(pairs) {
            decaps(key, ciphertext, fixed_mut(secret));
        }
    })
}

/// An operation on each piece of the input in turn.
fn each(input_len: usize, output_len: usize, mut job: impl FnMut(&[u8], &mut [u8]) + Send + 'static) -> Operation {
    Operation::to_output(move |input, output| {
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
