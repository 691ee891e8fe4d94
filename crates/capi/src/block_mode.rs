//! Block ciphers in ECB, CBC and XTS mode.

use crate::border::{Input, Key, Nonce, Output, algorithm, backend, free, guarded, place, shared};
use crate::status::Status;
use core::ffi::c_char;
use fairlane::dynamic::{self, BlockModeAlgorithm};

/// A block cipher in a mode under a key: `fairlane_block_mode`.
pub struct BlockMode(Box<dyn dynamic::BlockMode>);

/// A mode under a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_new(
    mode: *mut *mut BlockMode,
    name: *const c_char,
    key: Key,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place(mode, || {
            let (mode, on): (BlockModeAlgorithm, _) = (algorithm(name)?, backend(on)?);
            Ok(BlockMode(mode.mode(key.input()?.slice(), on)?))
        })
    }
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
        let (BlockMode(mode), iv) = (shared(mode)?, iv.input()?);
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        output.apart_from(&[iv])?;
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
        let (BlockMode(mode), iv) = (shared(mode)?, iv.input()?);
        let (input, output) = (Input::new(input, length)?, Output::new(output, length)?);
        output.apart_from(&[iv])?;
        if output.in_place_of(input)? {
            Ok(mode.decrypt_in_place(iv.slice(), output.slice())?)
        } else {
            Ok(mode.decrypt(iv.slice(), input.slice(), output.slice())?)
        }
    })
}

/// Erases the key and frees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_block_mode_free(mode: *mut BlockMode) {
    // SAFETY: the header's conditions.
    unsafe { free(mode) };
}
