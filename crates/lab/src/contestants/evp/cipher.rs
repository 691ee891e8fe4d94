//! Ciphers: used by OpenSSL.

use super::Algorithm;
use crate::contest::{Contest, Op};
use crate::contestants::c_cipher::{Aead, enter_aead, split, split_mut};
use crate::contestants::ffi::c_api;
use crate::contestants::{About, Roster};
use crate::contests::aead::{AAD, TAG};
use crate::contests::arx::{KEY256, NONCE};
use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

c_api! {
    /// The part of a libcrypto that a cipher needs; the same from OpenSSL 1.1 to 4.
    pub(crate) struct EvpCipher linked by "openssl" {
        fn EVP_CIPHER_CTX_new() -> *mut c_void;
        fn EVP_CIPHER_CTX_free(ctx: *mut c_void);
        fn EVP_CIPHER_CTX_ctrl(ctx: *mut c_void, control: c_int, len: c_int, data: *mut c_void) -> c_int;
        fn EVP_CipherInit_ex(
            ctx: *mut c_void,
            cipher: *const c_void,
            engine: *mut c_void,
            key: *const u8,
            iv: *const u8,
            encrypt: c_int,
        ) -> c_int;
        fn EVP_CipherUpdate(
            ctx: *mut c_void,
            output: *mut u8,
            output_len: *mut c_int,
            input: *const u8,
            len: c_int,
        ) -> c_int;
        fn EVP_CipherFinal_ex(ctx: *mut c_void, output: *mut u8, output_len: *mut c_int) -> c_int;
    }
}

/// OpenSSL's IV of ChaCha20 alone: the first block's counter, 4 bytes of zero here, and the nonce.
const IV: [u8; 16] = {
    let mut iv = [0; 16];
    let (_, nonce) = iv.split_at_mut(4);
    nonce.copy_from_slice(&NONCE);
    iv
};

/// Lengths are C ints: longer messages go in pieces, of whole blocks of every cipher here.
const PIECE: usize = 1 << 30;

const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;

/// Enters one cipher of one library.
pub(crate) fn enter(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    evp: &'static EvpCipher,
    algorithm: Algorithm,
) {
    if contest.algorithm() == "chacha20" {
        roster.op(contest, about, move |_| {
            let mut context = Context::new(evp, algorithm, &IV, true);
            Op::fill(move |message, encrypted| {
                context.start();
                context.update(message, encrypted);
            })
        });
    } else {
        enter_aead(contest, roster, about, move |open| Context::new(evp, algorithm, &NONCE, !open));
    }
}

/// An `EVP_CIPHER_CTX`.
struct Context {
    evp: &'static EvpCipher,
    ctx: NonNull<c_void>,
    iv: &'static [u8],
}
// SAFETY: the context is ours alone; the library does not tie it to a thread.
unsafe impl Send for Context {}

impl Context {
    fn new(evp: &'static EvpCipher, algorithm: Algorithm, iv: &'static [u8], encrypt: bool) -> Self {
        // SAFETY: it takes nothing.
        let ctx = unsafe { (evp.EVP_CIPHER_CTX_new)() };
        let ctx = NonNull::new(ctx).expect("the library has memory for a context");
        let context = Self { evp, ctx, iv };
        let (algorithm, encrypt) = (algorithm.0.as_ptr(), c_int::from(encrypt));
        // SAFETY: context and algorithm are alive; no engine, and key and IV come later.
        let done = unsafe {
            (evp.EVP_CipherInit_ex)(ctx.as_ptr(), algorithm, ptr::null_mut(), ptr::null(), ptr::null(), encrypt)
        };
        assert_eq!(done, 1, "libcrypto refused the cipher");
        context
    }

    /// Begins a message: sets key and IV, as for one that no other message shares.
    fn start(&mut self) {
        // SAFETY: the context has its cipher, which takes a key and an IV of these lengths; -1 keeps the direction.
        let done = unsafe {
            let (key, iv) = (KEY256.as_ptr(), self.iv.as_ptr());
            (self.evp.EVP_CipherInit_ex)(self.ctx.as_ptr(), ptr::null(), ptr::null_mut(), key, iv, -1)
        };
        assert_eq!(done, 1, "libcrypto refused a key");
    }

    /// Takes in additional data.
    fn authenticate(&mut self, aad: &[u8]) {
        let mut written = 0;
        let len = c_int::try_from(aad.len()).expect("additional data is short");
        // SAFETY: the context has its key; no output stands for additional data.
        let done =
            unsafe { (self.evp.EVP_CipherUpdate)(self.ctx.as_ptr(), ptr::null_mut(), &mut written, aad.as_ptr(), len) };
        assert_eq!(done, 1, "libcrypto refused additional data");
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) {
        assert_eq!(input.len(), output.len(), "a stream cipher writes as much as it reads");
        for (input, output) in input.chunks(PIECE).zip(output.chunks_mut(PIECE)) {
            let mut written = 0;
            let len = c_int::try_from(input.len()).expect("a piece is short enough");
            // SAFETY: the context has its key; pointers and lengths are those of slices, and a stream cipher writes no
            // more than it reads.
            let done = unsafe {
                let (input, output) = (input.as_ptr(), output.as_mut_ptr());
                (self.evp.EVP_CipherUpdate)(self.ctx.as_ptr(), output, &mut written, input, len)
            };
            assert!(done == 1 && written == len, "libcrypto refused a message");
        }
    }

    /// Ends the message; false if its tag is wrong.
    fn finish(&mut self) -> bool {
        let (mut rest, mut written) = ([0_u8; 16], 0);
        // SAFETY: the context has its key; `rest` would hold the rest of any cipher's block.
        unsafe { (self.evp.EVP_CipherFinal_ex)(self.ctx.as_ptr(), rest.as_mut_ptr(), &mut written) == 1 }
    }

    /// Reads or sets the tag: libcrypto writes to it only if `control` is to get it.
    fn tag(&mut self, control: c_int, tag: *mut [u8; TAG]) {
        // SAFETY: the context has its key; the tag is as long as it says, and writable where it is written.
        let done = unsafe { (self.evp.EVP_CIPHER_CTX_ctrl)(self.ctx.as_ptr(), control, TAG as c_int, tag.cast()) };
        assert_eq!(done, 1, "libcrypto refused a tag");
    }
}

impl Aead for Context {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        self.start();
        self.authenticate(&AAD);
        self.update(message, encrypted);
        assert!(self.finish(), "libcrypto refused to seal");
        self.tag(EVP_CTRL_AEAD_GET_TAG, tag);
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) {
        let (encrypted, tag) = split(sealed);
        self.start();
        self.authenticate(&AAD);
        self.update(encrypted, message);
        self.tag(EVP_CTRL_AEAD_SET_TAG, ptr::from_ref(tag).cast_mut());
        assert!(self.finish(), "libcrypto refused a tag that is right");
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by EVP_CIPHER_CTX_new of the same library, freed once.
        unsafe { (self.evp.EVP_CIPHER_CTX_free)(self.ctx.as_ptr()) }
    }
}
