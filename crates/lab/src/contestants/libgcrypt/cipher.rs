//! Ciphers: one handle for all messages.

use super::Libgcrypt;
use crate::contest::{Algorithm, Contest, Label};
use crate::contestants::c_cipher::{
    AES256_CTR, Aead, BlockCipher, CHACHA20, Mode, StreamCipher, enter_aead, enter_aead_of, enter_block_cipher,
    enter_stream, pointers, split, split_mut,
};
use crate::contestants::ffi::{Owned, c_api};
use crate::contestants::{About, Roster};
use crate::inputs::Given;
use crate::inputs::aead::AAD;
use crate::inputs::arx::{KEY256, NONCE};
use crate::inputs::sm4::BLOCK;
use std::ffi::{c_int, c_uint, c_void};

c_api! {
    /// The part of libgcrypt that a cipher needs.
    pub(super) struct GcryptCipher {
        fn gcry_cipher_open(handle: *mut *mut c_void, algorithm: c_int, mode: c_int, flags: c_uint) -> c_uint;
        fn gcry_cipher_close(handle: *mut c_void);
        fn gcry_cipher_setkey(handle: *mut c_void, key: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_setiv(handle: *mut c_void, iv: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_setctr(handle: *mut c_void, counter: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_authenticate(handle: *mut c_void, data: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_encrypt(h: *mut c_void, to: *mut u8, to_len: usize, from: *const u8, from_len: usize) -> c_uint;
        fn gcry_cipher_decrypt(h: *mut c_void, to: *mut u8, to_len: usize, from: *const u8, from_len: usize) -> c_uint;
        fn gcry_cipher_gettag(handle: *mut c_void, tag: *mut u8, len: usize) -> c_uint;
        fn gcry_cipher_checktag(handle: *mut c_void, tag: *const u8, len: usize) -> c_uint;
    }
}

/// `gcry_cipher_algos` and `gcry_cipher_modes` of gcrypt.h.
const GCRY_CIPHER_AES256: c_int = 9;
const GCRY_CIPHER_CHACHA20: c_int = 316;
const GCRY_CIPHER_SM4: c_int = 318;
const GCRY_CIPHER_MODE_ECB: c_int = 1;
const GCRY_CIPHER_MODE_CBC: c_int = 3;
const GCRY_CIPHER_MODE_STREAM: c_int = 4;
const GCRY_CIPHER_MODE_CTR: c_int = 6;
const GCRY_CIPHER_MODE_GCM: c_int = 9;
const GCRY_CIPHER_MODE_POLY1305: c_int = 10;
const GCRY_CIPHER_MODE_XTS: c_int = 13;

/// The CPU features that its ChaCha20 and Poly1305 ask for.
const CHACHA20_ASKS_FOR: &[&str] =
    &["intel-avx512", "intel-avx2", "intel-ssse3", "arm-neon", "ppc-arch_2_07", "s390x-vx"];

/// The CPU features that its AES asks for.
const AES_ASKS_FOR: &[&str] = &["intel-aesni", "intel-vaes-vpclmul", "arm-aes", "ppc-vcrypto", "s390x-msa-4"];

/// The CPU features that its SM4 asks for. With one of the first its single blocks have no tables either.
const SM4_WHOLLY_ASKS_FOR: &[&str] = &["intel-gfni", "arm-sm4"];
const SM4_ASKS_FOR: &[&str] = &["intel-aesni", "intel-avx", "intel-avx2", "intel-avx512", "arm-neon", "ppc-vcrypto"];
/// The same of its GHASH.
const GHASH_ASKS_FOR: &[&str] = &["intel-pclmul", "intel-vaes-vpclmul", "arm-pmull", "s390x-msa-8"];

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libgcrypt) {
    let api = &library.cipher;
    if contest.algorithm() == Algorithm::Sm4 {
        return enter_sm4(contest, roster, library);
    }
    enter_aes256(contest, roster, library);
    let backend = library.backend(CHACHA20_ASKS_FOR);
    let about = library.about(&backend, "gcry_cipher_open once; gcry_cipher_setkey, setiv, encrypt on one handle");
    let make = |mode| Handle::new(api, GCRY_CIPHER_CHACHA20, mode).expect("libgcrypt has ChaCha20 from 1.7 on");
    enter_aead_of(contest, "ChaCha20-Poly1305", roster, &about, move |_| {
        let mut handle = make(GCRY_CIPHER_MODE_POLY1305);
        handle.key = Some(KEY256.given());
        handle
    });
    // With an IV of 16 bytes the first of these are the counter.
    enter_stream(contest, roster, &about, CHACHA20, move || make(GCRY_CIPHER_MODE_STREAM));
}

fn enter_aes256(contest: &Contest, roster: &mut Roster, library: &'static Libgcrypt) {
    let api = &library.cipher;
    let backend = library.backend(AES_ASKS_FOR);
    let about = library.about(&backend, "gcry_cipher_open once; gcry_cipher_setkey, setctr, encrypt on one handle");
    enter_stream(contest, roster, &about, AES256_CTR, move || {
        let handle = Handle::new(api, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_CTR).expect("every libgcrypt has AES");
        Handle { set_iv: api.gcry_cipher_setctr, ..handle }
    });
    let backend = library.backend(&[AES_ASKS_FOR, GHASH_ASKS_FOR].concat());
    let about = library.about(&backend, "gcry_cipher_open once; gcry_cipher_setkey, setiv, encrypt on one handle");
    enter_aead_of(contest, "AES-256-GCM", roster, &about, move |_| {
        let handle = Handle::new(api, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM).expect("every libgcrypt has AES-GCM");
        Handle { key: Some(KEY256.given()), ..handle }
    });
}

fn enter_sm4(contest: &Contest, roster: &mut Roster, library: &'static Libgcrypt) {
    let (api, mode) = (&library.cipher, Mode::of(contest));
    let ghash = if mode == Mode::Gcm { GHASH_ASKS_FOR } else { &[] };
    let backend = library.backend(&[SM4_WHOLLY_ASKS_FOR, SM4_ASKS_FOR, ghash].concat());
    let about =
        library.about(&backend, "gcry_cipher_open, setkey once; gcry_cipher_setiv or setctr, encrypt on one handle");
    let labels = [Label::NotConstantTime, Label::Ffi, Label::Installed];
    let about = if library.saw_any(SM4_WHOLLY_ASKS_FOR) { about } else { About { labels: &labels, ..about } };
    let id = match mode {
        Mode::Ecb => GCRY_CIPHER_MODE_ECB,
        Mode::Cbc => GCRY_CIPHER_MODE_CBC,
        Mode::Ctr => GCRY_CIPHER_MODE_CTR,
        Mode::Xts => GCRY_CIPHER_MODE_XTS,
        Mode::Gcm => GCRY_CIPHER_MODE_GCM,
    };
    let make = move || Handle::new(api, GCRY_CIPHER_SM4, id);
    if make().is_none() {
        return library.absent(roster, "SM4");
    }
    if mode == Mode::Gcm {
        enter_aead(contest, roster, &about, move |_| {
            let mut handle = make().expect("it could be made before");
            handle.set_key(&mode.sm4_key());
            handle
        });
    } else {
        enter_block_cipher(contest, roster, &about, move |decrypt| {
            let mut handle = make().expect("it could be made before");
            if decrypt {
                handle.process = api.gcry_cipher_decrypt;
            }
            if mode == Mode::Ctr {
                handle.set_iv = api.gcry_cipher_setctr;
            }
            handle
        });
    }
}

/// `gcry_cipher_encrypt` or `gcry_cipher_decrypt`.
type Process = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
/// `gcry_cipher_setiv` or `gcry_cipher_setctr`.
type SetIv = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> c_uint;

/// A `gcry_cipher_hd_t`.
struct Handle {
    api: &'static GcryptCipher,
    handle: Owned,
    /// The key that a message of an AEAD begins with, unless one was set before.
    key: Option<Given>,
    /// How a block cipher takes its IV, and what it does with a message.
    set_iv: SetIv,
    process: Process,
}

impl Handle {
    /// None if this libgcrypt does not have the algorithm.
    fn new(api: &'static GcryptCipher, algorithm: c_int, mode: c_int) -> Option<Self> {
        // SAFETY: it makes a handle that is not tied to a thread.
        let handle =
            unsafe { Owned::made(api.gcry_cipher_close, |place| (api.gcry_cipher_open)(place, algorithm, mode, 0)) }?;
        Some(Self { api, handle, key: None, set_iv: api.gcry_cipher_setiv, process: api.gcry_cipher_encrypt })
    }

    fn set_iv(&mut self, iv: &[u8]) {
        // SAFETY: the handle is alive; pointer and length are those of a slice.
        let error = unsafe { (self.set_iv)(self.handle.as_ptr(), iv.as_ptr().cast(), iv.len()) };
        assert_eq!(error, 0, "libgcrypt refused an IV");
    }

    /// Begins a message of an AEAD: sets key and nonce, and takes in the additional data.
    fn start(&mut self) {
        if let Some(key) = self.key {
            self.set_key(&key);
        }
        self.set_iv(&*NONCE);
        // SAFETY: the handle has its key and nonce; pointer and length are those of an array.
        let error =
            unsafe { (self.api.gcry_cipher_authenticate)(self.handle.as_ptr(), AAD.as_ptr().cast(), AAD.len()) };
        assert_eq!(error, 0, "libgcrypt refused additional data");
    }

    fn run(&mut self, process: Process, from: Option<&[u8]>, to: &mut [u8]) {
        let len = to.len();
        let (from, to) = pointers(from, to);
        // SAFETY: the handle has its key and IV; as many bytes can be read and written.
        let error = unsafe { process(self.handle.as_ptr(), to, len, from, len) };
        assert_eq!(error, 0, "libgcrypt refused a message");
    }
}

impl StreamCipher for Handle {
    fn begin(&mut self, key: &[u8], iv: &[u8]) {
        self.set_key(key);
        self.set_iv(iv);
    }

    fn apply(&mut self, from: Option<&[u8]>, to: &mut [u8]) {
        self.run(self.process, from, to);
    }
}

impl BlockCipher for Handle {
    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the handle is alive; pointer and length are those of a slice.
        let error = unsafe { (self.api.gcry_cipher_setkey)(self.handle.as_ptr(), key.as_ptr().cast(), key.len()) };
        assert_eq!(error, 0, "libgcrypt refused a key");
    }

    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        if let Some(iv) = iv {
            self.set_iv(iv);
        }
        self.run(self.process, from, to);
    }
}

impl Aead for Handle {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        self.start();
        self.run(self.api.gcry_cipher_encrypt, Some(message), encrypted);
        // SAFETY: the handle is alive; pointer and length are those of an array.
        let error = unsafe { (self.api.gcry_cipher_gettag)(self.handle.as_ptr(), tag.as_mut_ptr(), tag.len()) };
        assert_eq!(error, 0, "libgcrypt refused to seal");
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        let (encrypted, tag) = split(sealed);
        self.start();
        self.run(self.api.gcry_cipher_decrypt, Some(encrypted), message);
        // SAFETY: the handle is alive; pointer and length are those of an array.
        unsafe { (self.api.gcry_cipher_checktag)(self.handle.as_ptr(), tag.as_ptr(), tag.len()) == 0 }
    }
}
