//! SHA3-256 of the crate `sha3`, as a plug-in of fairlane's race.
//!
//! ```sh
//! cargo build --release
//! fairlane race --plugin target/release/libfairlane_plugin_sha3.so
//! ```
//!
//! A project in Rust that wants to race its own function needs no plug-in: see `fairlane_lab::bench`.

use sha3::{Digest, Sha3_256};
use std::ffi::{CStr, c_char, c_int};
use std::{ptr, slice};

/// The structures of `fairlane_contestant.h`.
#[repr(C)]
pub struct Contestant {
    contest: *const c_char,
    function: *const c_char,
    name: *const c_char,
    library: *const c_char,
    version: *const c_char,
    backend: *const c_char,
    labels: *const c_char,
    how_to_use: *const c_char,
}

#[repr(C)]
pub struct Job {
    contest: *const c_char,
    function: *const c_char,
    shape: u32,
    count: usize,
    bytes: usize,
    input_len: usize,
    output_len: usize,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    aad: *const u8,
    aad_len: usize,
}

struct List([Contestant; 1]);
// SAFETY: its pointers are to constants.
unsafe impl Sync for List {}

const fn text(text: &'static CStr) -> *const c_char {
    text.as_ptr()
}

static CONTESTANTS: List = List([Contestant {
    contest: text(c"sha3-256/message"),
    function: ptr::null(),
    name: text(c"sha3 from outside"),
    library: text(c"sha3"),
    version: text(c"0.12"),
    backend: text(c"its own choice"),
    labels: text(c"constant-time"),
    how_to_use: text(c"sha3::Sha3_256"),
}]);

#[unsafe(no_mangle)]
pub extern "C" fn fairlane_abi() -> u32 {
    1
}

/// # Safety
/// `count` can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_contestants(count: *mut usize) -> *const Contestant {
    // SAFETY: by the caller's promise.
    unsafe { *count = CONTESTANTS.0.len() };
    CONTESTANTS.0.as_ptr()
}

/// The state: the length of a message.
///
/// # Safety
/// `job` points to a job.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_set_up(_contestant: usize, job: *const Job) -> *mut usize {
    // SAFETY: by the caller's promise.
    Box::into_raw(Box::new(unsafe { (*job).input_len }))
}

/// # Safety
/// The state is alive, and the buffers are as long as its job said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_run(
    state: *const usize,
    input: *const u8,
    output: *mut [u8; 32],
    times: u64,
) -> c_int {
    // SAFETY: by the caller's promise.
    let (message, digest) = unsafe { (slice::from_raw_parts(input, *state), &mut *output) };
    for _ in 0..times {
        // Every time in full.
        *digest = Sha3_256::digest(std::hint::black_box(message)).into();
    }
    0
}

/// # Safety
/// The state is alive, and nobody uses it again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_tear_down(state: *mut usize) {
    // SAFETY: `fairlane_set_up` made it.
    drop(unsafe { Box::from_raw(state) });
}

#[unsafe(no_mangle)]
pub extern "C" fn fairlane_error() -> *const c_char {
    ptr::null()
}
