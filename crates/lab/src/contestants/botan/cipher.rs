//! Stream ciphers and AEADs: one object takes a key and a nonce with every message. The C interface copies what it
//! processes through a buffer of its own.

use super::Libbotan;
use crate::contest::{Contest, Op};
use crate::contestants::Roster;
use crate::contestants::c_cipher::{Aead, enter_aead, nonce};
use crate::contestants::ffi::c_api;
use crate::contests::aead::AAD;
use crate::contests::arx::KEY256;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

c_api! {
    /// The part of Botan's C interface that a cipher needs; the same in 2 and 3.
    pub(super) struct FfiCipher linked by "botan" {
        fn botan_cipher_init(cipher: *mut *mut c_void, name: *const c_char, flags: u32) -> c_int;
        fn botan_cipher_destroy(cipher: *mut c_void) -> c_int;
        fn botan_cipher_set_key(cipher: *mut c_void, key: *const u8, len: usize) -> c_int;
        fn botan_cipher_set_associated_data(cipher: *mut c_void, data: *const u8, len: usize) -> c_int;
        fn botan_cipher_start(cipher: *mut c_void, nonce: *const u8, len: usize) -> c_int;
        fn botan_cipher_update(
            cipher: *mut c_void,
            flags: u32,
            output: *mut u8,
            output_len: usize,
            written: *mut usize,
            input: *const u8,
            input_len: usize,
            consumed: *mut usize,
        ) -> c_int;
    }
}

/// Flags of ffi.h.
const BOTAN_CIPHER_INIT_FLAG_ENCRYPT: u32 = 0;
const BOTAN_CIPHER_INIT_FLAG_DECRYPT: u32 = 1;
const BOTAN_CIPHER_UPDATE_FLAG_FINAL: u32 = 1;

const CHACHA20: &CStr = c"ChaCha(20)";
const CHACHA20_POLY1305: &CStr = c"ChaCha20Poly1305";

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let (ffi, nonce) = (&library.cipher, nonce(contest));
    let stream = contest.algorithm() == "chacha20";
    let algorithm = if stream { CHACHA20 } else { CHACHA20_POLY1305 };
    if Cipher::new(ffi, algorithm, nonce, false).is_none() {
        return library.absent(roster, algorithm);
    }
    let mut backend = (library.provider)(CHACHA20);
    let poly1305 = (library.provider)(c"Poly1305");
    if !stream && poly1305 != backend {
        backend = format!("ChaCha20 {backend}, Poly1305 {poly1305}");
    }
    let how_to_use = "botan_cipher_init once; botan_cipher_set_key, start, update on one object";
    let about = library.about(&backend, how_to_use);
    let make = move |decrypt| Cipher::new(ffi, algorithm, nonce, decrypt).expect("it could be made before");
    if stream {
        roster.op(contest, &about, move |_| {
            let mut cipher = make(false);
            Op::fill(move |message, encrypted| {
                cipher.start(&[]);
                cipher.stream(message, encrypted);
            })
        });
    } else {
        enter_aead(contest, roster, &about, make);
    }
}

/// A `botan_cipher_t`.
struct Cipher {
    ffi: &'static FfiCipher,
    object: NonNull<c_void>,
    nonce: &'static [u8],
}
// SAFETY: the object is ours alone; Botan does not tie it to a thread.
unsafe impl Send for Cipher {}

impl Cipher {
    /// None if this Botan does not have the algorithm.
    fn new(ffi: &'static FfiCipher, algorithm: &CStr, nonce: &'static [u8], decrypt: bool) -> Option<Self> {
        let mut object = ptr::null_mut();
        let flags = if decrypt { BOTAN_CIPHER_INIT_FLAG_DECRYPT } else { BOTAN_CIPHER_INIT_FLAG_ENCRYPT };
        // SAFETY: `object` is a place for the object; the name ends in NUL.
        let error = unsafe { (ffi.botan_cipher_init)(&mut object, algorithm.as_ptr(), flags) };
        Some(Self { ffi, object: NonNull::new(object).filter(|_| error == 0)?, nonce })
    }

    /// Begins a message: sets key, additional data (none for a stream cipher) and nonce.
    fn start(&mut self, aad: &[u8]) {
        let (ffi, object) = (self.ffi, self.object.as_ptr());
        // SAFETY: the object is alive; pointers and lengths are those of arrays and slices.
        let done = unsafe {
            (ffi.botan_cipher_set_key)(object, KEY256.as_ptr(), KEY256.len()) == 0
                && (aad.is_empty() || (ffi.botan_cipher_set_associated_data)(object, aad.as_ptr(), aad.len()) == 0)
                && (ffi.botan_cipher_start)(object, self.nonce.as_ptr(), self.nonce.len()) == 0
        };
        assert!(done, "Botan refused a key or nonce");
    }

    /// Processes some input; returns how much of it, and how much it wrote.
    fn update(&mut self, flags: u32, from: &[u8], to: &mut [u8]) -> (usize, usize) {
        let (mut consumed, mut written) = (0, 0);
        // SAFETY: the object has its key and nonce; pointers and lengths are those of slices and places.
        let error = unsafe {
            (self.ffi.botan_cipher_update)(
                self.object.as_ptr(),
                flags,
                to.as_mut_ptr(),
                to.len(),
                &mut written,
                from.as_ptr(),
                from.len(),
                &mut consumed,
            )
        };
        assert_eq!(error, 0, "Botan refused a message or its tag");
        (consumed, written)
    }

    /// Processes a whole message in one call.
    fn finish(&mut self, from: &[u8], to: &mut [u8]) {
        let (consumed, written) = self.update(BOTAN_CIPHER_UPDATE_FLAG_FINAL, from, to);
        assert!(consumed == from.len() && written == to.len(), "Botan left something out");
    }

    /// Keystream over a message: in pieces that stay in the cache; then what Botan 2 leaves for the end.
    fn stream(&mut self, from: &[u8], to: &mut [u8]) {
        let (consumed, _) = self.update(0, from, to);
        if consumed < from.len() {
            self.finish(&from[consumed..], &mut to[consumed..]);
        }
    }
}

impl Aead for Cipher {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        self.start(&AAD);
        self.finish(message, sealed);
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) {
        self.start(&AAD);
        self.finish(sealed, message);
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: made by botan_cipher_init, destroyed once.
        unsafe { (self.ffi.botan_cipher_destroy)(self.object.as_ptr()) };
    }
}
