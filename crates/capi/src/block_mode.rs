//! Block ciphers in ECB, CBC and XTS mode.

use crate::border::{Input, Key, Kind, Nonce, Object, Output, Room, end, guarded, make, room, shared};
use crate::status::Status;
use core::ffi::{c_char, c_void};
use fairlane::dynamic::{self, BlockModeAlgorithm};

/// A block cipher in a mode under a key: `fairlane_block_mode`.
pub type BlockMode = Object<dyn dynamic::BlockMode>;

impl Kind for dyn dynamic::BlockMode {
    const LETTERS: [u8; 4] = *b"mode";
}

room! {
    /// Room that is enough for every block mode.
    BLOCK_MODE_SIZE = 4096, BlockMode, BlockModeAlgorithm;
}

make! {
    BlockMode, BlockModeAlgorithm, mode_in(key: Key);
}

/// A mode under a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_new(
    mode: *mut *mut BlockMode,
    name: *const c_char,
    key: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(mode, Room::Heap, name, key, on) }
}

/// A mode in memory that the caller provides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_init(
    mode: *mut *mut BlockMode,
    room: *mut c_void,
    room_length: usize,
    name: *const c_char,
    key: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(mode, Room::Given(room, room_length), name, key, on) }
}

/// Encrypts a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_encrypt(
    mode: *const BlockMode,
    iv: Nonce,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input, or takes its place.
    guarded(|| unsafe {
        let ((mode, room), iv) = (shared(mode)?, iv.input()?);
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        output.apart_from(&[iv, room])?;
        if output.in_place_of(input)? {
            Ok(mode.encrypt_in_place(iv.slice(), output.slice())?)
        } else {
            Ok(mode.encrypt(iv.slice(), input.slice(), output.slice())?)
        }
    })
}

/// Decrypts a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_decrypt(
    mode: *const BlockMode,
    iv: Nonce,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with an input, or takes its place.
    guarded(|| unsafe {
        let ((mode, room), iv) = (shared(mode)?, iv.input()?);
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        output.apart_from(&[iv, room])?;
        if output.in_place_of(input)? {
            Ok(mode.decrypt_in_place(iv.slice(), output.slice())?)
        } else {
            Ok(mode.decrypt(iv.slice(), input.slice(), output.slice())?)
        }
    })
}

/// Erases a mode, and frees it if it is on the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_free(mode: *mut BlockMode) {
    // SAFETY: the header's conditions.
    unsafe { end(mode) };
}
