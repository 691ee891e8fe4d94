//! Authenticated encryption.

use crate::border::{Checked, Input, Key, Kind, Nonce, Object, Output, Room, end, guarded, make, room, shared};
use crate::status::Status;
use core::ffi::{c_char, c_void};
use fairlane::dynamic::{self, AeadAlgorithm};

/// An AEAD under a key: `fairlane_aead`.
pub type Aead = Object<dyn dynamic::Aead>;

impl Kind for dyn dynamic::Aead {
    const LETTERS: [u8; 4] = *b"aead";
}

room! {
    /// Room that is enough for every AEAD.
    AEAD_SIZE = 8192, Aead, AeadAlgorithm;
}

/// Checks that a sealed message is as long as the plaintext and the tag.
fn check_sealed(aead: &dyn dynamic::Aead, plaintext: usize, sealed: usize) -> Checked<()> {
    let expected = plaintext.checked_add(aead.algorithm().tag_size());
    if expected == Some(sealed) { Ok(()) } else { Err(Status::Length) }
}

make! {
    Aead, AeadAlgorithm, aead_in(key: Key);
}

/// An AEAD under a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_new(
    aead: *mut *mut Aead,
    name: *const c_char,
    key: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(aead, Room::Heap, name, key, on) }
}

/// An AEAD in memory that the caller provides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_init(
    aead: *mut *mut Aead,
    room: *mut c_void,
    room_length: usize,
    name: *const c_char,
    key: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(aead, Room::Given(room, room_length), name, key, on) }
}

/// Encrypts and authenticates: ciphertext and tag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_seal(
    aead: *const Aead,
    nonce: Nonce,
    associated_data: *const u8,
    associated_data_length: usize,
    plaintext: *const u8,
    plaintext_length: usize,
    sealed: *mut u8,
    sealed_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input, or takes its place.
    guarded(|| unsafe {
        let ((aead, room), nonce) = (shared(aead)?, nonce.input()?);
        let associated_data = Input::new(associated_data, associated_data_length)?;
        let (plaintext, sealed) = (Input::new(plaintext, plaintext_length)?, Output::new(sealed, sealed_length)?);
        check_sealed(aead, plaintext.len(), sealed.len())?;
        sealed.apart_from(&[nonce, associated_data, room])?;
        let (nonce, associated_data) = (nonce.slice(), associated_data.slice());
        if sealed.in_place_of(plaintext)? {
            let (data, tag) = sealed.slice().split_at_mut(plaintext.len());
            Ok(aead.seal_in_place(nonce, associated_data, data, tag)?)
        } else {
            Ok(aead.seal(nonce, associated_data, plaintext.slice(), sealed.slice())?)
        }
    })
}

/// Decrypts ciphertext and tag, if the tag is right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_open(
    aead: *const Aead,
    nonce: Nonce,
    associated_data: *const u8,
    associated_data_length: usize,
    sealed: *const u8,
    sealed_length: usize,
    plaintext: *mut u8,
    plaintext_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input, or takes its place.
    guarded(|| unsafe {
        let ((aead, room), nonce) = (shared(aead)?, nonce.input()?);
        let associated_data = Input::new(associated_data, associated_data_length)?;
        let (sealed, plaintext) = (Input::new(sealed, sealed_length)?, Output::new(plaintext, plaintext_length)?);
        check_sealed(aead, plaintext.len(), sealed.len())?;
        plaintext.apart_from(&[nonce, associated_data, room])?;
        let (nonce, associated_data) = (nonce.slice(), associated_data.slice());
        if plaintext.in_place_of(sealed)? {
            // The tag comes after the bytes that are written.
            let (_, tag) = sealed.split_at(plaintext.len());
            Ok(aead.open_in_place(nonce, associated_data, plaintext.slice(), tag.slice())?)
        } else {
            Ok(aead.open(nonce, associated_data, sealed.slice(), plaintext.slice())?)
        }
    })
}

/// Encrypts in place, with the tag apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_seal_detached(
    aead: *const Aead,
    nonce: Nonce,
    associated_data: *const u8,
    associated_data_length: usize,
    data: *mut u8,
    data_length: usize,
    tag: *mut u8,
    tag_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte with an input or each other.
    guarded(|| unsafe {
        let ((aead, room), nonce) = (shared(aead)?, nonce.input()?);
        let associated_data = Input::new(associated_data, associated_data_length)?;
        let (data, tag) = (Output::new(data, data_length)?, Output::new(tag, tag_length)?);
        data.apart_from(&[nonce, associated_data, room])?;
        tag.apart_from(&[nonce, associated_data, room])?;
        data.apart_from_output(tag)?;
        Ok(aead.seal_in_place(nonce.slice(), associated_data.slice(), data.slice(), tag.slice())?)
    })
}

/// Decrypts in place, with the tag apart, if the tag is right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_open_detached(
    aead: *const Aead,
    nonce: Nonce,
    associated_data: *const u8,
    associated_data_length: usize,
    data: *mut u8,
    data_length: usize,
    tag: *const u8,
    tag_length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input.
    guarded(|| unsafe {
        let ((aead, room), nonce) = (shared(aead)?, nonce.input()?);
        let associated_data = Input::new(associated_data, associated_data_length)?;
        let (data, tag) = (Output::new(data, data_length)?, Input::new(tag, tag_length)?);
        data.apart_from(&[nonce, associated_data, tag, room])?;
        Ok(aead.open_in_place(nonce.slice(), associated_data.slice(), data.slice(), tag.slice())?)
    })
}

/// Erases an AEAD, and frees it if it is on the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_aead_free(aead: *mut Aead) {
    // SAFETY: the header's conditions.
    unsafe { end(aead) };
}
