//! Stream ciphers.

use crate::border::{
    Input, Key, Kind, Nonce, Object, Output, Room, check_object, end, exclusive, guarded, make, room, shared,
};
use crate::status::Status;
use core::ffi::{c_char, c_void};
use fairlane::dynamic::{CipherAlgorithm, StreamCipher};

/// A position in the keystream of a key and a nonce: `fairlane_cipher`.
pub type Cipher = Object<dyn StreamCipher>;

impl Kind for dyn StreamCipher {
    const LETTERS: [u8; 4] = *b"ciph";
}

room! {
    /// Room that is enough for every stream cipher.
    CIPHER_SIZE = 4096, Cipher, CipherAlgorithm;
}

make! {
    Cipher, CipherAlgorithm, cipher_in(key: Key, nonce: Nonce);
}

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
    unsafe { make(cipher, Room::Heap, name, key, nonce, on) }
}

/// A stream cipher in memory that the caller provides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_init(
    cipher: *mut *mut Cipher,
    room: *mut c_void,
    room_length: usize,
    name: *const c_char,
    key: Key,
    nonce: Nonce,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(cipher, Room::Given(room, room_length), name, key, nonce, on) }
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
        let (cipher, room) = exclusive(cipher)?;
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        room.apart_from(&[input])?;
        room.apart_from_output(output)?;
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
        let (cipher, room) = shared(cipher)?;
        // What is there may be no value yet.
        check_object(position)?;
        Output::new(position.cast(), size_of::<u64>())?.apart_from(&[room])?;
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

/// Erases a stream cipher, and frees it if it is on the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_cipher_free(cipher: *mut Cipher) {
    // SAFETY: the header's conditions.
    unsafe { end(cipher) };
}
