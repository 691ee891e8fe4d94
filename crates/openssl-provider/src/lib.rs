//! A provider for OpenSSL 3 and later: digests, ciphers and ML-KEM of fairlane for programs that do not change.
//!
//! OpenSSL loads the library and calls [`OSSL_provider_init`]; everything else is reached through the tables that this
//! returns. The tables are those of OpenSSL's `core_dispatch.h`, written by hand, so that nothing of OpenSSL is needed
//! to build. Functions check pointers and lengths, let no panic out, and return 0 or null on failure. Those that work
//! with a context or a key put the reason into OpenSSL's queue of errors.
//!
//! | file | what it has |
//! | --- | --- |
//! | `border` | the types of OpenSSL's tables; pointers become slices, results numbers |
//! | `params` | `OSSL_PARAM`, by which OpenSSL asks and sets |
//! | `digest` | the hashes |
//! | `cipher` | the table of ciphers and its functions; a file for each kind of mode |
//! | `kem` | ML-KEM and X25519MLKEM768: keys, operations, and the groups of TLS |

// What OpenSSL has to keep to is the same for all functions: pointers are those of objects made here, or of as many
// bytes as the length beside them says, which nothing else changes during the call.
#![allow(clippy::missing_safety_doc)]

mod border;
mod cipher;
mod digest;
mod kem;
mod params;

use border::{Algorithm, Core, Dispatch, END, Failure, entry};
use core::ffi::{CStr, c_char, c_int, c_void};
use params::{Param, known};

/// What OpenSSL calls first. Returns 1, and the table of the provider's functions; 0 on failure.
///
/// # Safety
/// As OpenSSL's `core.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    functions: *const Dispatch,
    table: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    border::answer(0, || {
        if table.is_null() || context.is_null() {
            return 0;
        }
        // SAFETY: OpenSSL's table of functions ends with a zero.
        let mut core = unsafe { Core::new(handle, functions) };
        core.long_ivs = says_yes(core, c"long_ivs");
        // SAFETY: neither is null; OpenSSL takes both.
        unsafe {
            context.write(Box::into_raw(Box::new(core)).cast());
            table.write(PROVIDER.as_ptr());
        }
        1
    })
}

/// Whether the provider's section of the configuration has this line with a value that OpenSSL takes for yes.
fn says_yes(core: Core, name: &'static CStr) -> bool {
    let mut value: *const c_char = core::ptr::null();
    let mut params = [Param::text_at(name, &mut value), Param::LAST];
    // SAFETY: a list with its end, and a place for the address of a text.
    let answered = unsafe { core.configuration(params.as_mut_ptr().cast()) };
    if !answered || value.is_null() {
        return false;
    }
    // SAFETY: OpenSSL's text, which ends with a zero.
    let value = unsafe { CStr::from_ptr(value) }.to_bytes();
    ["1", "yes", "true", "on"].iter().any(|yes| value.eq_ignore_ascii_case(yes.as_bytes()))
}

static PROVIDER: &[Dispatch] = &[
    entry(1024, teardown as *const ()),
    entry(1025, gettable_params as *const ()),
    entry(1026, get_params as *const ()),
    entry(1027, query_operation as *const ()),
    entry(1029, reason_strings as *const ()),
    entry(1030, kem::get_capabilities as *const ()),
    END,
];

unsafe extern "C" fn teardown(context: *mut c_void) {
    border::answer((), || {
        if !context.is_null() {
            // SAFETY: it came from a box, in `OSSL_provider_init`.
            drop(unsafe { Box::from_raw(context.cast::<Core>()) });
        }
    });
}

known! {
    gettable_params(*mut c_void):
    Param::text(c"name"),
    Param::text(c"version"),
    Param::text(c"buildinfo"),
    Param::number(c"status"),
}

unsafe extern "C" fn get_params(_: *mut c_void, params: *mut Param) -> c_int {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(VERSION_BYTES) {
        Ok(version) => version,
        Err(_) => c"",
    };
    const VERSION_BYTES: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    border::guarded(None, || {
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list_mut(params) } {
            match param.name() {
                b"name" => param.put_text(c"fairlane")?,
                b"version" | b"buildinfo" => param.put_text(VERSION)?,
                b"status" => param.put_number(1)?,
                _ => {}
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn query_operation(context: *mut c_void, operation: c_int, no_store: *mut c_int) -> *const Algorithm {
    if !no_store.is_null() {
        // SAFETY: OpenSSL's place for a number.
        unsafe { no_store.write(0) };
    }
    match operation {
        1 => digest::ALGORITHMS.as_ptr(),
        2 => {
            // SAFETY: what `OSSL_provider_init` has given OpenSSL.
            let core = unsafe { Core::of(context) };
            cipher::algorithms(core.is_some_and(|core| core.long_ivs)).as_ptr()
        }
        10 => kem::KEYS.as_ptr(),
        14 => kem::OPERATIONS.as_ptr(),
        _ => core::ptr::null(),
    }
}

/// `OSSL_ITEM`.
#[repr(C)]
struct Reason {
    number: u32,
    text: *const c_char,
}

// SAFETY: the texts are constants.
unsafe impl Sync for Reason {}

unsafe extern "C" fn reason_strings(_: *mut c_void) -> *const Reason {
    const fn reason(failure: Failure) -> Reason {
        Reason { number: failure as u32, text: failure.text().as_ptr() }
    }
    static REASONS: [Reason; Failure::ALL.len() + 1] = {
        let mut reasons = [const { Reason { number: 0, text: core::ptr::null() } }; Failure::ALL.len() + 1];
        let mut i = 0;
        while i < Failure::ALL.len() {
            reasons[i] = reason(Failure::ALL[i]);
            i += 1;
        }
        reasons
    };
    REASONS.as_ptr()
}
