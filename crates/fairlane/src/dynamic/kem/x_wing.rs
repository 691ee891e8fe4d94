//! X-Wing by name. Its batches are computed one after the other.

use super::{DecapsulationKey, EncapsulationKey, Entry, Key, write_secret};
use crate::Backend;
use crate::dynamic::kem::KemAlgorithm;
use crate::dynamic::{Error, check_length, sized};
use crate::ml_kem;
use crate::stack::{AFTER_KEM, erased};
use crate::x_wing::{self, Ciphertext, Seed};
use alloc::boxed::Box;
use alloc::vec::Vec;
use fairlane_lanes::AnyToken;
use kem::KeyInit;

/// Bytes of an encapsulation's randomness.
const RANDOMNESS: usize = 64;

/// What the table holds of it.
pub(super) const ENTRY: Entry = Entry {
    seeds_size: size_of::<Seed>(),
    randomness_size: RANDOMNESS,
    encapsulation_key_size: 1216,
    expanded_size: size_of::<Seed>(),
    ciphertext_size: size_of::<Ciphertext>(),
    backends: ml_kem::BACKENDS,
    from_bytes,
    from_seeds,
    from_expanded: from_seeds,
    generate_many,
    encapsulate_many,
    decapsulate_many,
};

fn from_bytes(
    algorithm: KemAlgorithm,
    bytes: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn EncapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => x_wing::EncapsulationKey::with_backend(bytes, backend)?,
        None => x_wing::EncapsulationKey::from_bytes(bytes)?,
    };
    Ok(Box::new(Key { algorithm, key }))
}

fn from_seeds(
    algorithm: KemAlgorithm,
    seed: &[u8],
    backend: Option<Backend>,
) -> Result<Box<dyn DecapsulationKey>, Error> {
    let key = match backend {
        Some(backend) => x_wing::DecapsulationKey::with_backend(sized("seeds", seed)?, backend)?,
        None => x_wing::DecapsulationKey::new(sized("seeds", seed)?),
    };
    Ok(Box::new(Key { algorithm, key }))
}

impl EncapsulationKey for Key<x_wing::EncapsulationKey> {
    fn algorithm(&self) -> KemAlgorithm {
        self.algorithm
    }

    fn as_bytes(&self) -> &[u8] {
        self.key.as_bytes()
    }

    fn encapsulate(&self, randomness: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
        let randomness = sized("randomness", randomness)?;
        check_length("ciphertext", size_of::<Ciphertext>(), ciphertext.len())?;
        check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
        erased::<AFTER_KEM, _>(|| {
            let (sent, shared) = self.key.encapsulate_deterministic(randomness);
            ciphertext.copy_from_slice(&sent);
            write_secret(shared, secret);
        });
        Ok(())
    }

    fn prepare(&self) -> Box<dyn EncapsulationKey> {
        self.box_clone()
    }

    fn box_clone(&self) -> Box<dyn EncapsulationKey> {
        Box::new(self.clone())
    }
}

impl DecapsulationKey for Key<x_wing::DecapsulationKey> {
    fn algorithm(&self) -> KemAlgorithm {
        self.algorithm
    }

    fn encapsulation_key(&self) -> &[u8] {
        self.key.encapsulation_key().as_bytes()
    }

    fn write_expanded(&self, bytes: &mut [u8]) -> Result<(), Error> {
        check_length("decapsulation key", size_of::<Seed>(), bytes.len())?;
        bytes.copy_from_slice(self.key.as_bytes());
        fairlane_lanes::clear_registers();
        Ok(())
    }

    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        let ciphertext = sized("ciphertext", ciphertext)?;
        check_length("shared secret", KemAlgorithm::SHARED_SECRET_SIZE, secret.len())?;
        erased::<AFTER_KEM, _>(|| write_secret(self.key.decapsulate(ciphertext), secret));
        Ok(())
    }

    fn prepare(&self) -> Box<dyn DecapsulationKey> {
        self.box_clone()
    }

    fn box_clone(&self) -> Box<dyn DecapsulationKey> {
        erased::<AFTER_KEM, _>(|| Box::new(self.clone()))
    }
}

fn generate_many(
    algorithm: KemAlgorithm,
    seeds: &[u8],
    backend: Option<Backend>,
) -> Result<Vec<Box<dyn DecapsulationKey>>, Error> {
    // Also where there is no seed.
    backend.map_or(Ok(()), |backend| AnyToken::among(ml_kem::BACKENDS, backend).map(|_| ()))?;
    seeds.chunks_exact(size_of::<Seed>()).map(|seed| from_seeds(algorithm, seed, backend)).collect()
}

fn encapsulate_many(
    keys: &[&dyn EncapsulationKey],
    randomness: &[u8],
    ciphertexts: &mut [u8],
    secrets: &mut [u8],
) -> Result<(), Error> {
    let outputs = ciphertexts.chunks_exact_mut(size_of::<Ciphertext>()).zip(secrets.chunks_exact_mut(32));
    for ((key, randomness), (ciphertext, secret)) in keys.iter().zip(randomness.chunks_exact(RANDOMNESS)).zip(outputs) {
        key.encapsulate(randomness, ciphertext, secret)?;
    }
    Ok(())
}

fn decapsulate_many(keys: &[&dyn DecapsulationKey], ciphertexts: &[u8], secrets: &mut [u8]) -> Result<(), Error> {
    let inputs = ciphertexts.chunks_exact(size_of::<Ciphertext>());
    for ((key, ciphertext), secret) in keys.iter().zip(inputs).zip(secrets.chunks_exact_mut(32)) {
        key.decapsulate(ciphertext, secret)?;
    }
    Ok(())
}
