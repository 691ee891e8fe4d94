//! Hashes: one object is used again for every message.

use super::{Libbotan, Owned};
use crate::contest::{Algorithm, Contest, Label};
use crate::contestants::Roster;
use crate::contestants::ffi::c_api;
use std::ffi::{CStr, c_char, c_int, c_void};

c_api! {
    /// The part of Botan's C interface that a hash needs; the same in 2 and 3.
    pub(super) struct FfiHash linked by "botan" {
        fn botan_hash_init(hash: *mut *mut c_void, name: *const c_char, flags: u32) -> c_int;
        fn botan_hash_destroy(hash: *mut c_void) -> c_int;
        fn botan_hash_update(hash: *mut c_void, data: *const u8, len: usize) -> c_int;
        fn botan_hash_final(hash: *mut c_void, output: *mut u8) -> c_int;
        fn botan_hash_output_length(hash: *mut c_void, len: *mut usize) -> c_int;
    }
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let algorithm = match contest.algorithm() {
        Algorithm::Keccak256 => c"Keccak-1600(256)",
        Algorithm::Sha3_256 => c"SHA-3(256)",
        Algorithm::Sm3 => c"SM3",
        _ => c"SHAKE-128(256)",
    };
    let ffi = &library.hash;
    if Hash::new(ffi, algorithm).is_none() {
        return library.absent(roster, algorithm);
    }
    let backend = (library.provider)(algorithm);
    let how_to_use = "botan_hash_init once; botan_hash_update, botan_hash_final on one object";
    roster.hash_with(contest, &library.about(&backend, &library.labels(Label::ConstantTime), how_to_use), move || {
        let mut hash = Hash::new(ffi, algorithm).expect("it could be made before");
        move |message: &[u8], output: &mut [u8]| hash.hash(message, output)
    });
}

/// A `botan_hash_t`.
struct Hash {
    ffi: &'static FfiHash,
    object: Owned,
    output_len: usize,
}

impl Hash {
    /// None if this Botan does not have the algorithm.
    fn new(ffi: &'static FfiHash, algorithm: &CStr) -> Option<Self> {
        // SAFETY: the name ends in NUL; it makes an object that is not tied to a thread.
        let object =
            unsafe { Owned::made(ffi.botan_hash_destroy, |place| (ffi.botan_hash_init)(place, algorithm.as_ptr(), 0)) };
        let mut hash = Self { ffi, object: object?, output_len: 0 };
        // SAFETY: the object is alive; `output_len` is a place for a length.
        let error = unsafe { (ffi.botan_hash_output_length)(hash.object.as_ptr(), &mut hash.output_len) };
        (error == 0).then_some(hash)
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        assert_eq!(output.len(), self.output_len, "Botan writes a whole digest");
        let (ffi, object) = (self.ffi, self.object.as_ptr());
        // SAFETY: the object is alive; pointers and lengths are those of slices; `output` is as long as the digest.
        // The object starts afresh after `final`.
        let done = unsafe {
            (ffi.botan_hash_update)(object, message.as_ptr(), message.len()) == 0
                && (ffi.botan_hash_final)(object, output.as_mut_ptr()) == 0
        };
        assert!(done, "Botan refused to hash");
    }
}
