//! Key encapsulation.

use crate::border::{
    Checked, Input, Key, Kind, Object, Output, Seed, algorithm, backend, end, guarded, place_on_heap, shared,
};
use crate::status::Status;
use core::ffi::c_char;
use fairlane::dynamic::{self, KemAlgorithm};
use zeroize::Zeroizing;

/// A key that encapsulates: `fairlane_encapsulation_key`.
pub type EncapsulationKey = Object<Box<dyn dynamic::EncapsulationKey>>;

/// A key that decapsulates: `fairlane_decapsulation_key`.
pub type DecapsulationKey = Object<Box<dyn dynamic::DecapsulationKey>>;

impl Kind for Box<dyn dynamic::EncapsulationKey> {
    const LETTERS: [u8; 4] = *b"ekey";
}

impl Kind for Box<dyn dynamic::DecapsulationKey> {
    const LETTERS: [u8; 4] = *b"dkey";
}

/// Random bytes of the system.
fn random(length: usize) -> Checked<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; length]);
    getrandom::fill(&mut bytes).map_err(|_| Status::Random)?;
    Ok(bytes)
}

/// Random bytes of the system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_random(output: *mut u8, output_length: usize) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let output = Output::new(output, output_length)?.slice();
        let (first, rest) = output.split_at_mut(output.len().min(256));
        let mut bytes = Zeroizing::new([0; 256]);
        let bytes = &mut bytes[..first.len()];
        // A system without random numbers has not even the first ones, and nothing is written. If it fails after them,
        // some of the rest may be: a copy of it all would double the memory for what hardly ever happens.
        getrandom::fill(bytes).and_then(|()| getrandom::fill(rest)).map_err(|_| Status::Random)?;
        first.copy_from_slice(bytes);
        Ok(())
    })
}

/// A fresh key pair.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_generate(
    key: *mut *mut DecapsulationKey,
    name: *const c_char,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(key, || {
            let (kem, on): (KemAlgorithm, _) = (algorithm(name)?, backend(on)?);
            let make = move || Ok(kem.decapsulation_key_from_seeds(&random(kem.seeds_size())?, on)?);
            Ok(([], make))
        })
    }
}

/// The key pair of seeds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_from_seeds(
    key: *mut *mut DecapsulationKey,
    name: *const c_char,
    seeds: Seed,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(key, || {
            let (kem, on): (KemAlgorithm, _) = (algorithm(name)?, backend(on)?);
            let seeds = seeds.input()?;
            Ok(([seeds], move || Ok(kem.decapsulation_key_from_seeds(seeds.slice(), on)?)))
        })
    }
}

/// A key in its document's own form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_from_bytes(
    key: *mut *mut DecapsulationKey,
    name: *const c_char,
    bytes: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(key, || {
            let (kem, on): (KemAlgorithm, _) = (algorithm(name)?, backend(on)?);
            let bytes = bytes.input()?;
            Ok(([bytes], move || Ok(kem.decapsulation_key_from_expanded(bytes.slice(), on)?)))
        })
    }
}

/// Writes a key in its document's own form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_bytes(
    key: *const DecapsulationKey,
    output: *mut u8,
    output_length: usize,
) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let ((key, room), output) = (shared(key)?, Output::new(output, output_length)?);
        output.apart_from(&[room])?;
        Ok(key.write_expanded(output.slice())?)
    })
}

/// Writes the encapsulation key of a pair.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_public(
    key: *const DecapsulationKey,
    output: *mut u8,
    output_length: usize,
) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let ((key, room), output) = (shared(key)?, Output::new(output, output_length)?);
        output.apart_from(&[room])?;
        write(key.encapsulation_key(), output)
    })
}

/// The same key, prepared for many decapsulations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_prepare(
    prepared: *mut *mut DecapsulationKey,
    key: *const DecapsulationKey,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(prepared, || {
            let (key, original) = shared(key)?;
            Ok(([original], || Ok(key.prepare())))
        })
    }
}

/// The shared secret of a ciphertext.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulate(
    key: *const DecapsulationKey,
    ciphertext: *const u8,
    ciphertext_length: usize,
    secret: *mut u8,
    secret_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with the input.
    guarded(|| unsafe {
        let (key, room) = shared(key)?;
        let (ciphertext, secret) = (Input::new(ciphertext, ciphertext_length)?, Output::new(secret, secret_length)?);
        secret.apart_from(&[ciphertext, room])?;
        Ok(key.decapsulate(ciphertext.slice(), secret.slice())?)
    })
}

/// Erases a key and frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulation_key_free(key: *mut DecapsulationKey) {
    // SAFETY: the header's conditions.
    unsafe { end(key) };
}

/// A key of its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulation_key_from_bytes(
    key: *mut *mut EncapsulationKey,
    name: *const c_char,
    bytes: *const u8,
    bytes_length: usize,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(key, || {
            let (kem, on): (KemAlgorithm, _) = (algorithm(name)?, backend(on)?);
            let bytes = Input::new(bytes, bytes_length)?;
            Ok(([bytes], move || Ok(kem.encapsulation_key_from_bytes(bytes.slice(), on)?)))
        })
    }
}

/// Writes a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulation_key_bytes(
    key: *const EncapsulationKey,
    output: *mut u8,
    output_length: usize,
) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let ((key, room), output) = (shared(key)?, Output::new(output, output_length)?);
        output.apart_from(&[room])?;
        write(key.as_bytes(), output)
    })
}

/// The same key, prepared for many encapsulations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulation_key_prepare(
    prepared: *mut *mut EncapsulationKey,
    key: *const EncapsulationKey,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_on_heap(prepared, || {
            let (key, original) = shared(key)?;
            Ok(([original], || Ok(key.prepare())))
        })
    }
}

/// A ciphertext and its shared secret, with the system's random numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulate(
    key: *const EncapsulationKey,
    ciphertext: *mut u8,
    ciphertext_length: usize,
    secret: *mut u8,
    secret_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte.
    guarded(|| unsafe {
        let (key, room) = shared(key)?;
        let (ciphertext, secret) = (Output::new(ciphertext, ciphertext_length)?, Output::new(secret, secret_length)?);
        ciphertext.apart_from(&[room])?;
        secret.apart_from(&[room])?;
        ciphertext.apart_from_output(secret)?;
        let randomness = random(key.algorithm().randomness_size())?;
        Ok(key.encapsulate(&randomness, ciphertext.slice(), secret.slice())?)
    })
}

/// A ciphertext and its shared secret, with the caller's randomness.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulate_with(
    key: *const EncapsulationKey,
    randomness: Seed,
    ciphertext: *mut u8,
    ciphertext_length: usize,
    secret: *mut u8,
    secret_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte with each other or the input.
    guarded(|| unsafe {
        let ((key, room), randomness) = (shared(key)?, randomness.input()?);
        let (ciphertext, secret) = (Output::new(ciphertext, ciphertext_length)?, Output::new(secret, secret_length)?);
        ciphertext.apart_from(&[randomness, room])?;
        secret.apart_from(&[randomness, room])?;
        ciphertext.apart_from_output(secret)?;
        Ok(key.encapsulate(randomness.slice(), ciphertext.slice(), secret.slice())?)
    })
}

/// Frees a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulation_key_free(key: *mut EncapsulationKey) {
    // SAFETY: the header's conditions.
    unsafe { end(key) };
}

/// The key pairs of many seeds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_generate_many(
    name: *const c_char,
    keys: *mut *mut DecapsulationKey,
    count: usize,
    seeds: Seed,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions; the places share no byte with the seeds.
    guarded(|| unsafe {
        let places = Input::array(keys, count)?;
        let (kem, on): (KemAlgorithm, _) = (algorithm(name)?, backend(on)?);
        let seeds = seeds.input()?;
        check_lengths(count, &[(kem.seeds_size(), seeds.len())])?;
        Output::new(keys.cast(), places.len())?.apart_from(&[seeds])?;
        for (i, key) in kem.generate_many(seeds.slice(), on)?.into_iter().enumerate() {
            place_on_heap(keys.add(i), || Ok(([], || Ok(key))));
        }
        Ok(())
    })
}

/// Checks the lengths of arrays of `count` elements, each given after the size of an element. Without the check more of
/// a list would be read than there is.
fn check_lengths(count: usize, arrays: &[(usize, usize)]) -> Checked<()> {
    let right = |&(size, length): &(usize, usize)| count.checked_mul(size) == Some(length);
    if arrays.iter().all(right) { Ok(()) } else { Err(Status::Length) }
}

/// The objects of an array of pointers, which share no byte with the outputs.
///
/// # Safety
/// The header's conditions.
unsafe fn objects<'a, T: ?Sized>(list: Input, outputs: &[Output]) -> Checked<Vec<&'a T>>
where
    Box<T>: Kind,
{
    // SAFETY: the caller's promise.
    let keys = unsafe { list.elements::<*mut Object<Box<T>>>() }.iter().map(|key| {
        // SAFETY: as above.
        let (object, room) = unsafe { shared(*key) }?;
        outputs.iter().try_for_each(|output| output.apart_from(&[room]))?;
        Ok(&**object)
    });
    keys.collect()
}

/// Encapsulates to many keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_encapsulate_many(
    name: *const c_char,
    keys: *const *mut EncapsulationKey,
    count: usize,
    randomness: Seed,
    ciphertexts: *mut u8,
    ciphertexts_length: usize,
    secrets: *mut u8,
    secrets_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte with each other or an input.
    guarded(|| unsafe {
        let (list, randomness) = (Input::array(keys, count)?, randomness.input()?);
        let ciphertexts = Output::new(ciphertexts, ciphertexts_length)?;
        let secrets = Output::new(secrets, secrets_length)?;
        ciphertexts.apart_from(&[list, randomness])?;
        secrets.apart_from(&[list, randomness])?;
        ciphertexts.apart_from_output(secrets)?;
        let kem: KemAlgorithm = algorithm(name)?;
        let sizes = [
            (kem.randomness_size(), randomness.len()),
            (kem.ciphertext_size(), ciphertexts.len()),
            (KemAlgorithm::SHARED_SECRET_SIZE, secrets.len()),
        ];
        check_lengths(count, &sizes)?;
        let keys = objects(list, &[ciphertexts, secrets])?;
        Ok(kem.encapsulate_many(&keys, randomness.slice(), ciphertexts.slice(), secrets.slice())?)
    })
}

/// Decapsulates with many keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_decapsulate_many(
    name: *const c_char,
    keys: *const *mut DecapsulationKey,
    count: usize,
    ciphertexts: *const u8,
    ciphertexts_length: usize,
    secrets: *mut u8,
    secrets_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input.
    guarded(|| unsafe {
        let (list, ciphertexts) = (Input::array(keys, count)?, Input::new(ciphertexts, ciphertexts_length)?);
        let secrets = Output::new(secrets, secrets_length)?;
        secrets.apart_from(&[list, ciphertexts])?;
        let kem: KemAlgorithm = algorithm(name)?;
        let sizes = [(kem.ciphertext_size(), ciphertexts.len()), (KemAlgorithm::SHARED_SECRET_SIZE, secrets.len())];
        check_lengths(count, &sizes)?;
        let keys = objects(list, &[secrets])?;
        Ok(kem.decapsulate_many(&keys, ciphertexts.slice(), secrets.slice())?)
    })
}

/// Writes bytes into an output of their length.
///
/// # Safety
/// The header's conditions.
unsafe fn write(bytes: &[u8], output: Output) -> Checked<()> {
    if output.len() != bytes.len() {
        return Err(Status::Length);
    }
    // SAFETY: the caller's promise.
    unsafe { output.slice() }.copy_from_slice(bytes);
    Ok(())
}
