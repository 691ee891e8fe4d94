//! Stream ciphers, AEADs and modes: one object for all messages. The C interface copies what it processes through a
//! buffer of its own.

use super::{Libbotan, Owned, block};
use crate::contest::{Algorithm, Contest, Label, Operation};
use crate::contestants::Roster;
use crate::contestants::c_cipher::{Aead, BlockCipher, Mode, enter_aead, enter_block_cipher, nonce};
use crate::contestants::ffi::c_api;
use crate::inputs::Given;
use crate::inputs::aead::AAD;
use crate::inputs::arx::{KEY256, NONCE};
use crate::inputs::sm4::BLOCK;
use std::ffi::{CStr, c_char, c_int, c_void};

c_api! {
    /// The part of Botan's C interface that a cipher needs; the same in 2 and 3.
    pub(super) struct FfiCipher linked by "botan" {
        fn botan_cipher_init(cipher: *mut *mut c_void, name: *const c_char, flags: u32) -> c_int;
        fn botan_cipher_destroy(cipher: *mut c_void) -> c_int;
        fn botan_cipher_reset(cipher: *mut c_void) -> c_int;
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
const SM4_GCM: &CStr = c"SM4/GCM";

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let stream = contest.algorithm() == Algorithm::ChaCha20;
    let algorithm = if stream { CHACHA20 } else { CHACHA20_POLY1305 };
    let nonce = nonce(contest);
    let make = move |decrypt| {
        let mut cipher = Cipher::new(&library.cipher, algorithm, decrypt)?;
        cipher.key = Some(KEY256.given());
        cipher.nonce = nonce;
        Some(cipher)
    };
    if make(false).is_none() {
        return library.absent(roster, algorithm);
    }
    let mut backend = (library.provider)(CHACHA20);
    let poly1305 = (library.provider)(c"Poly1305");
    if !stream && poly1305 != backend {
        backend = format!("ChaCha20 {backend}, Poly1305 {poly1305}");
    }
    let labels = library.labels(Label::ConstantTime);
    let how_to_use = "botan_cipher_init once; botan_cipher_set_key, start, update on one object";
    let about = library.about(&backend, &labels, how_to_use);
    let make = move |decrypt| make(decrypt).expect("it could be made before");
    if stream {
        roster.operation(contest, &about, move |_| {
            let mut cipher = make(false);
            Operation::to_output(move |message, encrypted| {
                cipher.set_key(&*KEY256);
                cipher.start(&*NONCE);
                cipher.pieces(message, encrypted, 0);
            })
        });
    } else {
        enter_aead(contest, roster, &about, make);
    }
}

/// Enters SM4, in any mode.
pub(super) fn enter_sm4(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let mode = Mode::of(contest);
    let algorithm = match mode {
        Mode::Ecb => return block::enter(contest, roster, library),
        Mode::Cbc => c"SM4/CBC/NoPadding",
        Mode::Ctr => c"CTR-BE(SM4)",
        Mode::Xts => c"SM4/XTS",
        Mode::Gcm => SM4_GCM,
    };
    let make = move |decrypt| Cipher::new(&library.cipher, algorithm, decrypt);
    if make(false).is_none() {
        return library.absent(roster, algorithm);
    }
    let (mut backend, time) = library.sm4();
    let ghash = (library.provider)(SM4_GCM);
    if mode == Mode::Gcm && ghash != backend {
        backend = format!("SM4 {backend}, GHASH {ghash}");
    }
    let labels = library.labels(time);
    let about =
        library.about(&backend, &labels, "botan_cipher_init, set_key once; botan_cipher_start, update on one object");
    let make = move |decrypt| make(decrypt).expect("it could be made before");
    if mode == Mode::Gcm {
        enter_aead(contest, roster, &about, move |open| {
            let mut cipher = make(open);
            cipher.set_key(&mode.sm4_key());
            cipher
        });
    } else {
        enter_block_cipher(contest, roster, &about, make);
    }
}

/// A `botan_cipher_t`.
struct Cipher {
    ffi: &'static FfiCipher,
    object: Owned,
    /// The key that a message of an AEAD begins with, unless one was set before, and its nonce.
    key: Option<Given>,
    nonce: Given,
}

impl Cipher {
    /// None if this Botan does not have the algorithm.
    fn new(ffi: &'static FfiCipher, algorithm: &CStr, decrypt: bool) -> Option<Self> {
        let flags = if decrypt { BOTAN_CIPHER_INIT_FLAG_DECRYPT } else { BOTAN_CIPHER_INIT_FLAG_ENCRYPT };
        // SAFETY: the name ends in NUL; it makes an object that is not tied to a thread.
        let object = unsafe {
            let init = |place| (ffi.botan_cipher_init)(place, algorithm.as_ptr(), flags);
            Owned::made(ffi.botan_cipher_destroy, init)
        };
        Some(Self { ffi, object: object?, key: None, nonce: NONCE.given() })
    }

    /// Begins a message.
    fn start(&mut self, nonce: &[u8]) {
        // SAFETY: the object has its key; pointer and length are those of a slice.
        let error = unsafe { (self.ffi.botan_cipher_start)(self.object.as_ptr(), nonce.as_ptr(), nonce.len()) };
        assert_eq!(error, 0, "Botan refused a nonce or IV");
    }

    /// Begins a message of an AEAD: sets key, additional data and nonce.
    fn start_aead(&mut self) {
        if let Some(key) = self.key {
            self.set_key(&key);
        }
        // SAFETY: the object has its key; pointer and length are those of an array.
        let error =
            unsafe { (self.ffi.botan_cipher_set_associated_data)(self.object.as_ptr(), AAD.as_ptr(), AAD.len()) };
        assert_eq!(error, 0, "Botan refused additional data");
        self.start(self.nonce.get());
    }

    /// Processes some input; returns how much of it, and how much it wrote.
    fn update(&mut self, flags: u32, from: &[u8], to: &mut [u8]) -> (usize, usize) {
        let (error, consumed, written) = self.try_update(flags, from, to);
        assert_eq!(error, 0, "Botan refused a message");
        (consumed, written)
    }

    /// The same, with Botan's error: 0 for none.
    fn try_update(&mut self, flags: u32, from: &[u8], to: &mut [u8]) -> (c_int, usize, usize) {
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
        (error, consumed, written)
    }

    /// Processes a whole message in one call, or what is left of it. Of an AEAD that is faster than pieces, which are
    /// of few blocks there.
    fn finish(&mut self, from: &[u8], to: &mut [u8]) {
        let (consumed, written) = self.update(BOTAN_CIPHER_UPDATE_FLAG_FINAL, from, to);
        assert!(consumed == from.len() && written == to.len(), "Botan left something out");
    }

    /// Processes a message in pieces that stay in the cache, but for the last `held` bytes; then these, and what Botan
    /// 2 leaves for the end.
    fn pieces(&mut self, from: &[u8], to: &mut [u8], held: usize) {
        let (done, _) = self.update(0, &from[..from.len() - held], to);
        if done < from.len() {
            self.finish(&from[done..], &mut to[done..]);
        }
    }
}

impl Aead for Cipher {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        self.start_aead();
        self.finish(message, sealed);
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        self.start_aead();
        let (error, consumed, written) = self.try_update(BOTAN_CIPHER_UPDATE_FLAG_FINAL, sealed, message);
        if error != 0 {
            // What is left of the message must not be part of the next one.
            // SAFETY: the object is alive.
            let error = unsafe { (self.ffi.botan_cipher_reset)(self.object.as_ptr()) };
            assert_eq!(error, 0, "Botan refused to begin again");
            return false;
        }
        consumed == sealed.len() && written == message.len()
    }
}

impl BlockCipher for Cipher {
    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the object is alive; pointer and length are those of a slice.
        let error = unsafe { (self.ffi.botan_cipher_set_key)(self.object.as_ptr(), key.as_ptr(), key.len()) };
        assert_eq!(error, 0, "Botan refused a key");
    }

    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        self.start(iv.expect("a mode with an IV"));
        // Ciphertext stealing takes the last whole block and the rest at once.
        let held = match to.len() % BLOCK {
            0 => 0,
            rest => to.len().min(BLOCK + rest),
        };
        self.pieces(from.expect("a mode goes from one buffer to another"), to, held);
    }
}
