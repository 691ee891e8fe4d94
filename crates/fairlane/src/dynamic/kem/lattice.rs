//! ML-KEM and CLWE-KEM by name, with keys that are prepared or not.

use super::{DecapsulationKey, EncapsulationKey, Entry, KemAlgorithm, Key, write_secret};
use crate::Backend;
use crate::dynamic::{Error, check_length, sized};
use crate::ml_kem::{self, ParameterSet, Seeds, SharedSecret};
use crate::stack::{AFTER_KEM, AFTER_PREPARING, erased};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use digest::typenum::Unsigned;
use kem::KeyInit;
use zeroize::Zeroize;

/// What the table holds of a parameter set.
pub(super) const fn entry<P: ParameterSet + Send + Sync>() -> Entry {
    Entry {
        seeds_size: size_of::<Seeds>(),
        randomness_size: 32,
        encapsulation_key_size: P::EncapsulationKeySize::USIZE,
        expanded_size: P::ExpandedSize::USIZE,
        ciphertext_size: P::CiphertextSize::USIZE,
        backends: ml_kem::BACKENDS,
        from_bytes: from_bytes::<P>,
        from_seeds: from_seeds::<P>,
        from_expanded: from_expanded::<P>,
        generate_many: generate_many::<P>,
        encapsulate_many: encapsulate_many::<P>,
        decapsulate_many: decapsulate_many::<P>,
    }
}

fn from_bytes<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    bytes: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn EncapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => ml_kem::EncapsulationKey::<P>::with_backend(bytes, backend)?,
        None => ml_kem::EncapsulationKey::<P>::from_bytes(bytes)?,
    };
    Ok(Box::new(Key { algorithm, key }))
}

fn from_seeds<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    seeds: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn DecapsulationKey>, Error> {
    let both = sized::<Seeds>("seeds", seeds)?;
    let key = match backend {
        Some(backend) => {
            let (d, z) = seeds.split_at(seeds.len() / 2);
            ml_kem::DecapsulationKey::<P>::with_backend(sized("seed d", d)?, sized("seed z", z)?, backend)?
        }
        None => ml_kem::DecapsulationKey::<P>::new(both),
    };
    Ok(Box::new(Key { algorithm, key }))
}

fn from_expanded<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    bytes: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn DecapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => ml_kem::PreparedDecapsulationKey::<P>::with_backend(bytes, backend)?,
        None => ml_kem::PreparedDecapsulationKey::<P>::from_expanded(bytes)?,
    };
    Ok(Box::new(Key { algorithm, key }))
}

/// Implements the trait of keys that encapsulate for a type and its prepared form.
macro_rules! encapsulation_key {
    ($($type:ident: |$key:ident| $plain:expr, $prepared:expr;)*) => {$(
        impl<P: ParameterSet + Send + Sync> EncapsulationKey for Key<ml_kem::$type<P>> {
            fn algorithm(&self) -> KemAlgorithm {
                self.algorithm
            }

            fn as_bytes(&self) -> &[u8] {
                let $key = &self.key;
                $plain.as_bytes()
            }

            fn encapsulate(&self, randomness: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
                let m = sized("randomness", randomness)?;
                check_length("ciphertext", P::CiphertextSize::USIZE, ciphertext.len())?;
                check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
                erased::<AFTER_KEM, _>(|| {
                    let (sent, shared) = self.key.encapsulate_deterministic(m);
                    ciphertext.copy_from_slice(&sent);
                    write_secret(shared, secret);
                });
                Ok(())
            }

            fn prepare(&self) -> Box<dyn EncapsulationKey> {
                let $key = &self.key;
                Box::new(Key { algorithm: self.algorithm, key: $prepared })
            }

            fn box_clone(&self) -> Box<dyn EncapsulationKey> {
                Box::new(self.clone())
            }
        }
    )*};
}

encapsulation_key! {
    EncapsulationKey: |key| key, key.prepare();
    PreparedEncapsulationKey: |key| key.encapsulation_key(), key.clone();
}

/// Implements the trait of keys that decapsulate for a type and its prepared form.
macro_rules! decapsulation_key {
    ($($type:ident: |$key:ident| $prepared:expr;)*) => {$(
        impl<P: ParameterSet + Send + Sync> DecapsulationKey for Key<ml_kem::$type<P>> {
            fn algorithm(&self) -> KemAlgorithm {
                self.algorithm
            }

            fn encapsulation_key(&self) -> &[u8] {
                self.key.encapsulation_key().as_bytes()
            }

            fn write_expanded(&self, bytes: &mut [u8]) -> Result<(), Error> {
                check_length("decapsulation key", P::ExpandedSize::USIZE, bytes.len())?;
                erased::<AFTER_KEM, _>(|| {
                    let mut expanded = self.key.to_expanded();
                    bytes.copy_from_slice(&expanded);
                    expanded.as_mut_slice().zeroize();
                });
                Ok(())
            }

            fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
                let ciphertext = sized("ciphertext", ciphertext)?;
                check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
                erased::<AFTER_KEM, _>(|| write_secret(self.key.decapsulate(ciphertext), secret));
                Ok(())
            }

            fn prepare(&self) -> Box<dyn DecapsulationKey> {
                let $key = &self.key;
                erased::<AFTER_PREPARING, _>(|| Box::new(Key { algorithm: self.algorithm, key: $prepared }))
            }

            fn box_clone(&self) -> Box<dyn DecapsulationKey> {
                erased::<AFTER_PREPARING, _>(|| Box::new(self.clone()))
            }
        }
    )*};
}

decapsulation_key! {
    DecapsulationKey: |key| key.prepare();
    PreparedDecapsulationKey: |key| key.clone();
}

fn generate_many<P: ParameterSet + Send + Sync>(
    algorithm: KemAlgorithm,
    seeds: &[u8],
    backend: Option<Backend>,
) -> Result<Vec<Box<dyn DecapsulationKey>>, Error> {
    let (seeds, _) = Seeds::slice_as_chunks(seeds);
    let mut keys: Vec<Option<ml_kem::DecapsulationKey<P>>> = Vec::new();
    keys.resize_with(seeds.len(), || None);
    let mut workspace = Box::<ml_kem::Workspace>::default();
    match backend {
        Some(backend) => ml_kem::keygen_many_with_backend(seeds, &mut keys, &mut workspace, backend)?,
        None => ml_kem::keygen_many(seeds, &mut keys, &mut workspace)?,
    }
    // Copied, not moved, so that the drop erases what stays behind.
    let boxed = keys.iter().flatten().map(|key| Box::new(Key { algorithm, key: key.clone() }) as Box<_>);
    Ok(boxed.collect())
}

/// The key of type `K` that an object holds.
fn held<K: 'static>(object: &dyn Any) -> Option<&K> {
    object.downcast_ref::<Key<K>>().map(|key| &key.key)
}

fn encapsulate_many<P: ParameterSet + Send + Sync>(
    keys: &[&dyn EncapsulationKey],
    mut randomness: &[u8],
    mut ciphertexts: &mut [u8],
    mut secrets: &mut [u8],
) -> Result<(), Error> {
    let plain = |key: &&dyn EncapsulationKey| held::<ml_kem::EncapsulationKey<P>>(*key).is_some();
    let mut workspace = None;
    for keys in keys.chunk_by(|one, next| plain(one) && plain(next)) {
        let (now, later) = randomness.split_at(keys.len() * 32);
        let (sent, unsent) = ciphertexts.split_at_mut(keys.len() * P::CiphertextSize::USIZE);
        let (shared, unshared) = secrets.split_at_mut(keys.len() * KemAlgorithm::SHARED_SECRET_SIZE);
        (randomness, ciphertexts, secrets) = (later, unsent, unshared);
        if let [key] = keys {
            key.encapsulate(now, sent, shared)?;
            continue;
        }
        let keys: Vec<_> = keys.iter().filter_map(|key| held::<ml_kem::EncapsulationKey<P>>(*key)).collect();
        let sent = ml_kem::Ciphertext::<P>::slice_as_chunks_mut(sent).0;
        let shared = SharedSecret::slice_as_chunks_mut(shared).0;
        let workspace = workspace.get_or_insert_with(Box::<ml_kem::Workspace>::default);
        ml_kem::encapsulate_many::<P>(&keys, now.as_chunks().0, sent, shared, workspace)?;
    }
    Ok(())
}

fn decapsulate_many<P: ParameterSet + Send + Sync>(
    keys: &[&dyn DecapsulationKey],
    mut ciphertexts: &[u8],
    mut secrets: &mut [u8],
) -> Result<(), Error> {
    let plain = |key: &&dyn DecapsulationKey| held::<ml_kem::DecapsulationKey<P>>(*key).is_some();
    let mut workspace = None;
    for keys in keys.chunk_by(|one, next| plain(one) && plain(next)) {
        let (sent, unsent) = ciphertexts.split_at(keys.len() * P::CiphertextSize::USIZE);
        let (shared, unshared) = secrets.split_at_mut(keys.len() * KemAlgorithm::SHARED_SECRET_SIZE);
        (ciphertexts, secrets) = (unsent, unshared);
        if let [key] = keys {
            key.decapsulate(sent, shared)?;
            continue;
        }
        let keys: Vec<_> = keys.iter().filter_map(|key| held::<ml_kem::DecapsulationKey<P>>(*key)).collect();
        let sent = ml_kem::Ciphertext::<P>::slice_as_chunks(sent).0;
        let shared = SharedSecret::slice_as_chunks_mut(shared).0;
        let workspace = workspace.get_or_insert_with(Box::<ml_kem::Workspace>::default);
        ml_kem::decapsulate_many::<P>(&keys, sent, shared, workspace)?;
    }
    Ok(())
}
