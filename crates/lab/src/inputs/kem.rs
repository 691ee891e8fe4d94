//! Key pairs, and inputs that hold keys and ciphertexts, all from the reference.

use super::{Fixed, numbered};
use fairlane_reference::kem::{self, Params};

/// Bytes of the seeds d and z.
pub const SEEDS: usize = 64;
/// Bytes of an encapsulation's randomness m.
pub const MESSAGE: usize = 32;
/// Bytes of a shared secret.
pub const SECRET: usize = 32;

/// The seeds of the keys that are prepared outside of what is timed.
static PREPARED: Fixed<SEEDS> = Fixed::key();

/// A key pair as bytes.
pub struct KeyPair {
    /// The seeds d and z.
    pub seeds: [u8; SEEDS],
    /// The encapsulation key.
    pub ek: Vec<u8>,
    /// The decapsulation key in the form of FIPS 203: ŝ ‖ ek ‖ H(ek) ‖ z.
    pub dk: Vec<u8>,
}

impl KeyPair {
    /// The key pair that is prepared outside of what is timed, for a place of a batch; a single key is that of place 0.
    pub fn new(params: Params, place: usize) -> Self {
        Self::of(params, numbered(*PREPARED, place))
    }

    /// The key pairs of a batch.
    pub fn of_batch(params: Params, count: usize) -> impl Iterator<Item = Self> {
        (0..count).map(move |place| Self::new(params, place))
    }

    /// The key pair of an input with the randomness m.
    pub(crate) fn of_input(params: Params, m: &[u8]) -> Self {
        let mut seeds = [0xa5; SEEDS];
        seeds[..MESSAGE].copy_from_slice(m);
        Self::of(params, seeds)
    }

    /// The key pair of seeds.
    pub(crate) fn of(params: Params, seeds: [u8; SEEDS]) -> Self {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        let (ek, dk) = kem::keygen(params, d, z);
        Self { seeds, ek, dk }
    }
}

/// Makes an input of encapsulation of random bytes: puts a key before the randomness.
pub(crate) fn make_encaps(params: Params, input: &mut [u8]) {
    let (ek, m) = input.split_at_mut(params.encapsulation_key_len());
    ek.copy_from_slice(&KeyPair::of_input(params, m).ek);
}

/// Makes an input of decapsulation of random bytes: a key and a ciphertext.
pub(crate) fn make_decaps(params: Params, input: &mut [u8]) {
    let (dk, ciphertext) = input.split_at_mut(params.decapsulation_key_len());
    let m = *dk.first_chunk().expect("a key is longer than a message");
    let pair = KeyPair::of_input(params, &m);
    dk.copy_from_slice(&pair.dk);
    make_ciphertext(params, &pair, &m, ciphertext);
}

/// Makes an input of decapsulation with prepared keys of random bytes: a ciphertext for each.
pub(crate) fn make_decaps_prepared(params: Params, input: &mut [u8]) {
    for (place, ciphertext) in input.chunks_exact_mut(params.ciphertext_len()).enumerate() {
        let m = *ciphertext.first_chunk().expect("a ciphertext is longer than a message");
        make_ciphertext(params, &KeyPair::new(params, place), &m, ciphertext);
    }
}

/// Encapsulates a message to a key.
pub(crate) fn make_encapsulated(params: Params, ek: &[u8], m: &[u8; MESSAGE], ciphertext: &mut [u8]) {
    let (_, sent) = kem::encaps(params, ek, m).expect("a key of the reference");
    ciphertext.copy_from_slice(&sent);
}

/// Encapsulates a random message, and damages one ciphertext in four, so that implicit rejection is asked for, too.
fn make_ciphertext(params: Params, pair: &KeyPair, m: &[u8; MESSAGE], ciphertext: &mut [u8]) {
    make_encapsulated(params, &pair.ek, m, ciphertext);
    if m[0] % 4 == 3 {
        ciphertext[usize::from(m[1])] ^= 1 << (m[2] % 8);
    }
}
