//! Batch calls: many independent keys in one, eight of which go together.

use super::batch::{self, Each, Made, TOGETHER};
use super::keys::{Ciphertext, DecapsulationKey, EncapsulationKey, Seeds, SharedSecret};
use super::parameters::ParameterSet;
use super::pke::{Machine, ZEROS};
use super::scheme::{BYTES, Own};
use super::secret::Secret;
use crate::{Backend, Unsupported};
use core::array;
use core::borrow::Borrow;
use digest::array::Array;

/// Makes a key of each pair of seeds, which must be random and secret, as [`DecapsulationKey`]'s `new` does, and appends them in order.
pub fn keygen_many<P: ParameterSet>(seeds: &[Seeds], keys: &mut impl Extend<DecapsulationKey<P>>) {
    generate(Machine::best(), seeds, keys);
}

/// [`keygen_many`] on one backend.
///
/// # Errors
/// This CPU lacks the backend's features, or there is no kernel for it.
pub fn keygen_many_with_backend<P: ParameterSet>(
    seeds: &[Seeds],
    backend: Backend,
    keys: &mut impl Extend<DecapsulationKey<P>>,
) -> Result<(), Unsupported> {
    generate(Machine::new(backend)?, seeds, keys);
    Ok(())
}

fn generate<P: ParameterSet>(machine: Machine, seeds: &[Seeds], keys: &mut impl Extend<DecapsulationKey<P>>) {
    for seeds in seeds.chunks(TOGETHER) {
        let mut halves = Secret([[[0; BYTES]; 2]; TOGETHER]);
        for (halves, seeds) in halves.0.iter_mut().zip(seeds) {
            halves.as_flattened_mut().copy_from_slice(seeds);
        }
        let mut vectors = Secret([ZEROS; TOGETHER]);
        let mut bytes: Each<Array<u8, P::EncapsulationKeySize>> = Default::default();
        let mut hashes = [[0; BYTES]; TOGETHER];
        let parts = halves.0.iter().zip(bytes.iter_mut()).zip(&mut vectors.0).zip(&mut hashes);
        let mut parts = parts.map(|((([d, _], key), s), hash)| Made { d, key, s, hash });
        let mut made: Each<_> = array::from_fn(|_| parts.next().expect("there are eight of each"));
        batch::generate(machine, &P::SET, &mut made[..seeds.len()]);
        // Copied once, to where they stay: keys are large.
        keys.extend((0..seeds.len()).map(|i| DecapsulationKey {
            seeds: Secret(halves.0[i]),
            s: Secret(vectors.0[i]),
            key: EncapsulationKey { bytes: bytes[i].clone(), machine },
            hash: hashes[i],
        }));
    }
}

/// Encapsulates to each key with its message, as [`EncapsulationKey::encapsulate_deterministic`]: messages must be random, secret and used
/// once. On the backend of the first of every eight keys.
///
/// # Panics
/// If there are not as many keys, messages and places for what is sent.
pub fn encapsulate_many<P: ParameterSet>(
    keys: &[impl Borrow<EncapsulationKey<P>>],
    messages: &[[u8; BYTES]],
    sent: &mut [(Ciphertext<P>, SharedSecret)],
) {
    assert!(keys.len() == messages.len() && keys.len() == sent.len(), "a message and a place for each key");
    for ((keys, messages), sent) in keys.chunks(TOGETHER).zip(messages.chunks(TOGETHER)).zip(sent.chunks_mut(TOGETHER))
    {
        let (count, machine) = (keys.len(), keys[0].borrow().machine);
        let keys: Each<&[u8]> = array::from_fn(|i| keys.get(i).map_or(&[][..], |key| &key.borrow().bytes));
        let mut ciphertexts: Each<&mut [u8]> = Default::default();
        let mut secrets: Each<&mut [u8]> = Default::default();
        for (i, (ciphertext, secret)) in sent.iter_mut().enumerate() {
            (ciphertexts[i], secrets[i]) = (ciphertext, secret);
        }
        let (ciphertexts, secrets) = (&mut ciphertexts[..count], &mut secrets[..count]);
        batch::encapsulate(machine, &P::SET, &keys[..count], messages, ciphertexts, secrets);
    }
}

/// Decapsulates each ciphertext with its key, as [`DecapsulationKey::decapsulate`]. On the backend of the first of every eight keys.
///
/// # Panics
/// If there are not as many keys, ciphertexts and places for secrets.
pub fn decapsulate_many<P: ParameterSet>(
    keys: &[impl Borrow<DecapsulationKey<P>>],
    ciphertexts: &[Ciphertext<P>],
    secrets: &mut [SharedSecret],
) {
    assert!(keys.len() == ciphertexts.len() && keys.len() == secrets.len(), "a ciphertext and a place for each key");
    let all = keys.chunks(TOGETHER).zip(ciphertexts.chunks(TOGETHER)).zip(secrets.chunks_mut(TOGETHER));
    for ((keys, ciphertexts), secrets) in all {
        let (count, first) = (keys.len(), keys[0].borrow());
        // Those that are missing in the last eight are not looked at.
        let key = |i: usize| keys.get(i).map_or(first, Borrow::borrow);
        let bytes: Each<&[u8]> = array::from_fn(|i| &key(i).key.bytes[..]);
        let hashes: Each<_> = array::from_fn(|i| &key(i).hash);
        let own: Each<_> = array::from_fn(|i| Own { s: &key(i).s.0, z: &key(i).seeds.0[1] });
        let ciphertexts: Each<&[u8]> = array::from_fn(|i| ciphertexts.get(i).map_or(&[][..], |ciphertext| ciphertext));
        let mut rooms: Each<&mut [u8]> = Default::default();
        for (room, secret) in rooms.iter_mut().zip(secrets) {
            *room = secret;
        }
        let keys = (&bytes[..count], &hashes[..count]);
        let (own, ciphertexts) = (&own[..count], &ciphertexts[..count]);
        batch::decapsulate(first.key.machine, &P::SET, keys, own, ciphertexts, &mut rooms[..count]);
    }
}
