//! Ciphers: one handle takes a key and a nonce with every message.

use super::Libgcrypt;
use crate::contest::{Contest, Op};
use crate::contestants::Roster;
use crate::contestants::c_cipher::{Aead, enter_aead, split, split_mut};
use crate::contestants::ffi::c_api;
use crate::contests::aead::AAD;
use crate::contests::arx::{KEY256, NONCE};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{self, NonNull};

c_api! {
    /// The part of libgcrypt that a cipher needs.
    pub(super) struct GcryptCipher {
        fn gcry_cipher_open(handle: *mut *mut c_void, algorithm: c_int, mode: c_int, flags: c_uint) -> c_uint;
        fn gcry_cipher_close(handle: *mut c_void);
        fn gcry_cipher_setkey(handle: *mut c_void, key: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_setiv(handle: *mut c_void, iv: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_authenticate(handle: *mut c_void, data: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_encrypt(h: *mut c_void, to: *mut u8, to_len: usize, from: *const u8, from_len: usize) -> c_uint;
        fn gcry_cipher_decrypt(h: *mut c_void, to: *mut u8, to_len: usize, from: *const u8, from_len: usize) -> c_uint;
        fn gcry_cipher_gettag(handle: *mut c_void, tag: *mut u8, len: usize) -> c_uint;
        fn gcry_cipher_checktag(handle: *mut c_void, tag: *const u8, len: usize) -> c_uint;
    }
}

/// `gcry_cipher_algos` and `gcry_cipher_modes` of gcrypt.h.
const GCRY_CIPHER_CHACHA20: c_int = 316;
const GCRY_CIPHER_MODE_STREAM: c_int = 4;
const GCRY_CIPHER_MODE_POLY1305: c_int = 10;

/// The CPU features that its ChaCha20 and Poly1305 ask for.
const ASKED_FOR: &[&str] = &["intel-avx512", "intel-avx2", "intel-ssse3", "arm-neon", "ppc-arch_2_07", "s390x-vx"];

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libgcrypt) {
    let backend = library.backend(ASKED_FOR);
    let about = library.about(&backend, "gcry_cipher_open once; gcry_cipher_setkey, setiv, encrypt on one handle");
    let api = &library.cipher;
    if contest.algorithm() == "chacha20" {
        roster.op(contest, &about, move |_| {
            let mut handle = Handle::new(api, GCRY_CIPHER_MODE_STREAM);
            Op::fill(move |message, encrypted| {
                handle.start();
                handle.process(api.gcry_cipher_encrypt, message, encrypted);
            })
        });
    } else {
        enter_aead(contest, roster, &about, |_| Handle::new(api, GCRY_CIPHER_MODE_POLY1305));
    }
}

/// `gcry_cipher_encrypt` or `gcry_cipher_decrypt`.
type Process = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;

/// A `gcry_cipher_hd_t` of ChaCha20.
struct Handle {
    api: &'static GcryptCipher,
    handle: NonNull<c_void>,
}
// SAFETY: the handle is ours alone; libgcrypt does not tie it to a thread.
unsafe impl Send for Handle {}

impl Handle {
    fn new(api: &'static GcryptCipher, mode: c_int) -> Self {
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` is a place for the handle.
        let error = unsafe { (api.gcry_cipher_open)(&mut handle, GCRY_CIPHER_CHACHA20, mode, 0) };
        let handle = NonNull::new(handle).filter(|_| error == 0).expect("libgcrypt has ChaCha20 and memory for it");
        Self { api, handle }
    }

    /// Begins a message: sets key and nonce; the block counter starts at 0.
    fn start(&mut self) {
        let handle = self.handle.as_ptr();
        // SAFETY: the handle is alive; the pointers and lengths are those of arrays.
        let errors = unsafe {
            (self.api.gcry_cipher_setkey)(handle, KEY256.as_ptr().cast(), KEY256.len())
                | (self.api.gcry_cipher_setiv)(handle, NONCE.as_ptr().cast(), NONCE.len())
        };
        assert_eq!(errors, 0, "libgcrypt refused a key or nonce");
    }

    fn authenticate(&mut self) {
        // SAFETY: the handle has its key and nonce; pointer and length are those of an array.
        let error =
            unsafe { (self.api.gcry_cipher_authenticate)(self.handle.as_ptr(), AAD.as_ptr().cast(), AAD.len()) };
        assert_eq!(error, 0, "libgcrypt refused additional data");
    }

    fn process(&mut self, process: Process, from: &[u8], to: &mut [u8]) {
        // SAFETY: the handle has its key and nonce; pointers and lengths are those of slices.
        let error = unsafe { process(self.handle.as_ptr(), to.as_mut_ptr(), to.len(), from.as_ptr(), from.len()) };
        assert_eq!(error, 0, "libgcrypt refused a message");
    }
}

impl Aead for Handle {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        self.start();
        self.authenticate();
        self.process(self.api.gcry_cipher_encrypt, message, encrypted);
        // SAFETY: the handle is alive; pointer and length are those of an array.
        let error = unsafe { (self.api.gcry_cipher_gettag)(self.handle.as_ptr(), tag.as_mut_ptr(), tag.len()) };
        assert_eq!(error, 0, "libgcrypt refused to seal");
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) {
        let (encrypted, tag) = split(sealed);
        self.start();
        self.authenticate();
        self.process(self.api.gcry_cipher_decrypt, encrypted, message);
        // SAFETY: the handle is alive; pointer and length are those of an array.
        let error = unsafe { (self.api.gcry_cipher_checktag)(self.handle.as_ptr(), tag.as_ptr(), tag.len()) };
        assert_eq!(error, 0, "libgcrypt refused a tag that is right");
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by gcry_cipher_open, closed once.
        unsafe { (self.api.gcry_cipher_close)(self.handle.as_ptr()) }
    }
}
