//! Hashes: one handle is reset and used again for every message.

use super::Libgcrypt;
use crate::contest::{Algorithm, Contest};
use crate::contestants::Roster;
use crate::contestants::ffi::{Owned, c_api};
use std::ffi::{c_int, c_uint, c_void};

c_api! {
    /// The part of libgcrypt that a hash needs.
    pub(super) struct GcryptMd {
        fn gcry_md_open(handle: *mut *mut c_void, algorithm: c_int, flags: c_uint) -> c_uint;
        fn gcry_md_close(handle: *mut c_void);
        fn gcry_md_reset(handle: *mut c_void);
        fn gcry_md_write(handle: *mut c_void, data: *const c_void, len: usize);
        fn gcry_md_read(handle: *mut c_void, algorithm: c_int) -> *const u8;
        fn gcry_md_extract(handle: *mut c_void, algorithm: c_int, output: *mut c_void, len: usize) -> c_uint;
    }
}

/// `gcry_md_algos` of gcrypt.h.
const GCRY_MD_SHA3_256: c_int = 313;
const GCRY_MD_SHAKE128: c_int = 316;
const GCRY_MD_SM3: c_int = 326;

/// The CPU features that its Keccak and its SM3 ask for.
const KECCAK_ASKS_FOR: &[&str] = &["intel-avx512", "intel-bmi2", "intel-fast-shld", "arm-neon", "s390x-msa"];
const SM3_ASKS_FOR: &[&str] = &["intel-avx2", "intel-bmi2", "arm-neon", "arm-sm3"];

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libgcrypt) {
    let (algorithm, asks_for) = match contest.algorithm() {
        Algorithm::Sm3 => (GCRY_MD_SM3, SM3_ASKS_FOR),
        Algorithm::Shake128 => (GCRY_MD_SHAKE128, KECCAK_ASKS_FOR),
        _ => (GCRY_MD_SHA3_256, KECCAK_ASKS_FOR),
    };
    let make = move || Handle::new(&library.md, algorithm);
    if make().is_none() {
        return library.absent(roster, contest.functions()[0].name);
    }
    let backend = library.backend(asks_for);
    let about = library.about(&backend, "gcry_md_open once; gcry_md_reset, write, read on one handle");
    roster.hash_with(contest, &about, move || {
        let mut handle = make().expect("it could be made before");
        move |message: &[u8], output: &mut [u8]| handle.hash(message, output)
    });
}

/// A `gcry_md_hd_t`.
struct Handle {
    api: &'static GcryptMd,
    algorithm: c_int,
    handle: Owned,
}

impl Handle {
    /// None if this libgcrypt does not have the algorithm.
    fn new(api: &'static GcryptMd, algorithm: c_int) -> Option<Self> {
        // SAFETY: it makes a handle that is not tied to a thread.
        let handle = unsafe { Owned::made(api.gcry_md_close, |place| (api.gcry_md_open)(place, algorithm, 0)) };
        Some(Self { api, algorithm, handle: handle? })
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        let (api, handle) = (self.api, self.handle.as_ptr());
        // SAFETY: the handle is alive; pointers and lengths are those of slices.
        unsafe {
            (api.gcry_md_reset)(handle);
            (api.gcry_md_write)(handle, message.as_ptr().cast(), message.len());
        }
        if self.algorithm == GCRY_MD_SHAKE128 {
            // SAFETY: as above.
            let error =
                unsafe { (api.gcry_md_extract)(handle, self.algorithm, output.as_mut_ptr().cast(), output.len()) };
            assert_eq!(error, 0, "libgcrypt refused to squeeze");
        } else {
            assert_eq!(output.len(), 32, "SHA3-256 and SM3 have 32 bytes");
            // SAFETY: it gives the 32 bytes of the digest, alive until the next reset.
            let digest = unsafe { std::slice::from_raw_parts((api.gcry_md_read)(handle, self.algorithm), 32) };
            output.copy_from_slice(digest);
        }
    }
}
