//! Stream ciphers.

use crate::border::{
    Input, Key, Nonce, Output, algorithm, backend, check_object, exclusive, free, guarded, place, shared,
};
use crate::status::Status;
use core::ffi::c_char;
use fairlane::dynamic::{CipherAlgorithm, StreamCipher};

/// A position in the keystream of a key and a nonce: `fairlane_cipher`.
pub struct Cipher(Box<dyn StreamCipher>);

/// A stream cipher at the beginning of the keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_new(
    cipher: *mut *mut Cipher,
    name: *const c_char,
    key: Key,
    nonce: Nonce,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place(cipher, || {
            let (cipher, on): (CipherAlgorithm, _) = (algorithm(name)?, backend(on)?);
            Ok(Cipher(cipher.cipher(key.input()?.slice(), nonce.input()?.slice(), on)?))
        })
    }
}

/// Encrypts or decrypts the next piece of a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_apply(
    cipher: *mut Cipher,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with the input, or takes its place.
    guarded(|| unsafe {
        let Cipher(cipher) = exclusive(cipher)?;
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        if output.in_place_of(input)? {
            Ok(cipher.apply(output.slice())?)
        } else {
            Ok(cipher.apply_to(input.slice(), output.slice())?)
        }
    })
}

/// The position in the keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_position(cipher: *const Cipher, position: *mut u64) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let Cipher(cipher) = shared(cipher)?;
        // What is there may be no value yet.
        check_object(position)?;
        position.write(cipher.position()?);
        Ok(())
    })
}

/// Moves to a position in the keystream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_seek(cipher: *mut Cipher, position: u64) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe { Ok(exclusive(cipher)?.0.seek(position)?) })
}

/// Erases the key and frees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_free(cipher: *mut Cipher) {
    // SAFETY: the header's conditions.
    unsafe { free(cipher) };
}
