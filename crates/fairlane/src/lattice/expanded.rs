//! Decapsulation keys in FIPS 203's own form: ŝ, ek, H(ek) and z, one after the other.

use super::keys::{Ciphertext, EncapsulationKey, KeyError, SharedSecret};
use super::packing::are_reduced;
use super::parameters::ParameterSet;
use super::pke::Machine;
use super::scheme::{self, BYTES, Own, SecretVector};
use crate::Backend;
use digest::array::Array;
use zeroize::Zeroize;

/// ŝ, ek, H(ek) and z.
pub(super) fn expanded<P: ParameterSet>(
    key: &EncapsulationKey<P>,
    s: &SecretVector,
    hash: &[u8; BYTES],
    z: &[u8; BYTES],
) -> Array<u8, P::ExpandedSize> {
    let mut bytes = Array::default();
    let (vector, rest) = bytes.split_at_mut(P::SET.vector());
    scheme::pack(key.machine, &s.0, vector);
    let (public, rest) = rest.split_at_mut(P::SET.encapsulation_key());
    public.copy_from_slice(key.as_bytes());
    let (own_hash, own_z) = rest.split_at_mut(BYTES);
    own_hash.copy_from_slice(hash);
    own_z.copy_from_slice(z);
    bytes
}

/// A key in FIPS 203's own form, whose numbers are below q.
pub(super) struct Expanded<'a, P: ParameterSet> {
    pub(super) s: SecretVector,
    pub(super) key: EncapsulationKey<P>,
    pub(super) hash: &'a [u8; BYTES],
    pub(super) z: &'a [u8; BYTES],
}

impl<'a, P: ParameterSet> Expanded<'a, P> {
    pub(super) fn new(machine: Machine, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let set = &P::SET;
        let bytes: &Array<u8, P::ExpandedSize> = bytes.try_into().map_err(|_| KeyError::Length)?;
        let (vector, rest) = bytes.split_at(set.vector());
        let (key, rest) = rest.split_at(set.encapsulation_key());
        let ([hash, z], _) = rest.as_chunks() else { unreachable!("what is left is as long") };
        let key = EncapsulationKey::on(machine, key)?;
        if !are_reduced(machine, vector) {
            return Err(KeyError::Modulus);
        }
        Ok(Self { s: scheme::unpack(machine, set, vector), key, hash, z })
    }
}

/// The shared secret of one ciphertext, with a decapsulation key in FIPS 203's own form: ŝ, ek, H(ek) and z, one after the other. As
/// [`DecapsulationKey::decapsulate`](super::DecapsulationKey::decapsulate), on the best backend.
///
/// # Errors
/// The key's length is wrong, a number in it, or the hash.
pub fn decapsulate_expanded<P: ParameterSet>(key: &[u8], ciphertext: &Ciphertext<P>) -> Result<SharedSecret, KeyError> {
    decapsulate_expanded_on::<P>(Machine::best(), key, ciphertext)
}

/// The same on one backend.
///
/// # Errors
/// Those of [`decapsulate_expanded`]; this CPU lacks the backend's features, or there is no kernel for it.
pub fn decapsulate_expanded_with_backend<P: ParameterSet>(
    key: &[u8],
    ciphertext: &Ciphertext<P>,
    backend: Backend,
) -> Result<SharedSecret, KeyError> {
    decapsulate_expanded_on::<P>(Machine::new(backend)?, key, ciphertext)
}

fn decapsulate_expanded_on<P: ParameterSet>(
    machine: Machine,
    key: &[u8],
    ciphertext: &Ciphertext<P>,
) -> Result<SharedSecret, KeyError> {
    let Expanded { s, key, hash, z } = Expanded::<P>::new(machine, key)?;
    let mut room = Ciphertext::<P>::default();
    let (own, key) = (Own { s: &s.0, z }, (&key.bytes[..], hash));
    let (shared, right) = scheme::decapsulate_checked(machine, &P::SET, key, own, ciphertext, &mut room);
    room.zeroize();
    if right { Ok(Array(shared.0)) } else { Err(KeyError::Hash) }
}
