//! Ciphers: used by OpenSSL.

use super::EvpAlgorithm;
use super::param::Param;
use crate::contest::Contest;
use crate::contestants::c_cipher::{
    self, Aead, BlockCipher, Mode, Stream, StreamCipher, enter_block_cipher, pointers, split, split_mut,
};
use crate::contestants::ffi::{Owned, c_api};
use crate::contestants::{About, Roster};
use crate::inputs::Given;
use crate::inputs::aead::{AAD, TAG};
use crate::inputs::arx::{KEY256, NONCE};
use crate::inputs::sm4::BLOCK;
use std::ffi::{c_int, c_void};
use std::ptr;

c_api! {
    /// The part of a libcrypto that a cipher needs; the same from OpenSSL 1.1 to 4.
    pub(crate) struct EvpCipher linked by "openssl" {
        fn EVP_CIPHER_CTX_new() -> *mut c_void;
        fn EVP_CIPHER_CTX_free(ctx: *mut c_void);
        fn EVP_CIPHER_CTX_ctrl(ctx: *mut c_void, control: c_int, len: c_int, data: *mut c_void) -> c_int;
        fn EVP_CIPHER_CTX_set_padding(ctx: *mut c_void, padding: c_int) -> c_int;
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

c_api! {
    /// What else SM4-XTS needs; there from OpenSSL 3 on.
    pub(crate) struct EvpParams linked by "openssl" {
        fn EVP_CIPHER_CTX_set_params(ctx: *mut c_void, params: *const Param) -> c_int;
    }
}

/// Lengths are C ints: longer messages go in pieces, of whole blocks of every cipher here.
const PIECE: usize = 1 << 30;

const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;

/// The ciphers of one libcrypto.
pub(crate) struct Ciphers {
    pub(crate) evp: EvpCipher,
    /// None before OpenSSL 3, which has no XTS of SM4 either.
    pub(crate) params: Option<EvpParams>,
}

/// Enters SM4 in one of its modes.
pub(crate) fn enter(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    ciphers: &'static Ciphers,
    algorithm: EvpAlgorithm,
) {
    let evp = &ciphers.evp;
    match Mode::of(contest) {
        mode @ Mode::Gcm => c_cipher::enter_aead(contest, roster, about, move |open| {
            let mut context = Context::new(evp, algorithm, !open);
            context.set_key(&mode.sm4_key());
            context
        }),
        mode => enter_block_cipher(contest, roster, about, move |decrypt| {
            let context = Context::new(evp, algorithm, !decrypt);
            if decrypt {
                context.do_not_pad();
            }
            if mode == Mode::Xts {
                context.choose_ieee(ciphers.params.as_ref().expect("a libcrypto that has SM4-XTS has parameters"));
            }
            context
        }),
    }
}

/// Enters an AEAD with a key of 32 bytes that is set for each message.
pub(crate) fn enter_aead(
    contest: &Contest,
    function: &str,
    roster: &mut Roster,
    about: &About,
    ciphers: &'static Ciphers,
    algorithm: EvpAlgorithm,
) {
    c_cipher::enter_aead_of(contest, function, roster, about, move |open| {
        let mut context = Context::new(&ciphers.evp, algorithm, !open);
        context.key = Some(KEY256.given());
        context
    });
}

/// Enters a stream cipher of one library.
pub(crate) fn enter_stream(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    ciphers: &'static Ciphers,
    algorithm: EvpAlgorithm,
    stream: Stream,
) {
    c_cipher::enter_stream(contest, roster, about, stream, move || Context::new(&ciphers.evp, algorithm, true));
}

/// An `EVP_CIPHER_CTX`.
struct Context {
    evp: &'static EvpCipher,
    ctx: Owned,
    /// The key that a message of an AEAD begins with, unless one was set before.
    key: Option<Given>,
}

impl Context {
    fn new(evp: &'static EvpCipher, algorithm: EvpAlgorithm, encrypt: bool) -> Self {
        // SAFETY: it takes nothing, and makes a context that is not tied to a thread.
        let ctx = unsafe { Owned::new((evp.EVP_CIPHER_CTX_new)(), evp.EVP_CIPHER_CTX_free) };
        let ctx = ctx.expect("the library has memory for a context");
        let (algorithm, encrypt) = (algorithm.0.as_ptr(), c_int::from(encrypt));
        // SAFETY: context and algorithm are alive; no engine, and key and IV come later.
        let done = unsafe {
            (evp.EVP_CipherInit_ex)(ctx.as_ptr(), algorithm, ptr::null_mut(), ptr::null(), ptr::null(), encrypt)
        };
        assert_eq!(done, 1, "libcrypto refused the cipher");
        Self { evp, ctx, key: None }
    }

    /// Lets a mode of whole blocks give its last block at once when it decrypts.
    fn do_not_pad(&self) {
        // SAFETY: the context has its cipher.
        let done = unsafe { (self.evp.EVP_CIPHER_CTX_set_padding)(self.ctx.as_ptr(), 0) };
        assert_eq!(done, 1, "libcrypto refused not to pad");
    }

    /// Chooses the tweak order of IEEE 1619 for SM4-XTS, which begins with that of GB/T 17964.
    fn choose_ieee(&self, params: &EvpParams) {
        let list = [Param::text(c"xts_standard", c"IEEE"), Param::END];
        // SAFETY: the context has its cipher; the list ends as it must, and what it points to is static.
        let done = unsafe { (params.EVP_CIPHER_CTX_set_params)(self.ctx.as_ptr(), list.as_ptr()) };
        assert_eq!(done, 1, "libcrypto refused XTS of IEEE 1619");
    }

    /// Sets a key, an IV that begins a message, or both.
    fn start(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) {
        let pointer = |bytes: Option<&[u8]>| bytes.map_or(ptr::null(), <[u8]>::as_ptr);
        // SAFETY: the context has its cipher, which takes a key and an IV of these lengths; null leaves what is there,
        // -1 keeps the direction.
        let done = unsafe {
            let (key, iv) = (pointer(key), pointer(iv));
            (self.evp.EVP_CipherInit_ex)(self.ctx.as_ptr(), ptr::null(), ptr::null_mut(), key, iv, -1)
        };
        assert_eq!(done, 1, "libcrypto refused a key or IV");
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

    /// Processes some of a message, or all of it, in any mode that gives all that it takes.
    fn update(&mut self, input: Option<&[u8]>, output: &mut [u8]) {
        let (from, to) = pointers(input, output);
        for at in (0..output.len()).step_by(PIECE) {
            let mut written = 0;
            let len = c_int::try_from(PIECE.min(output.len() - at)).expect("a piece is short enough");
            // SAFETY: the context has its key; as many bytes can be read and written, of which `at` are done; no more
            // are written than are read.
            let done =
                unsafe { (self.evp.EVP_CipherUpdate)(self.ctx.as_ptr(), to.add(at), &mut written, from.add(at), len) };
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
        self.start(self.key.map(Given::get), Some(&*NONCE));
        self.authenticate(&AAD);
        self.update(Some(message), encrypted);
        assert!(self.finish(), "libcrypto refused to seal");
        self.tag(EVP_CTRL_AEAD_GET_TAG, tag);
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        let (encrypted, tag) = split(sealed);
        self.start(self.key.map(Given::get), Some(&*NONCE));
        self.authenticate(&AAD);
        self.update(Some(encrypted), message);
        self.tag(EVP_CTRL_AEAD_SET_TAG, ptr::from_ref(tag).cast_mut());
        self.finish()
    }
}

impl StreamCipher for Context {
    fn begin(&mut self, key: &[u8], iv: &[u8]) {
        self.start(Some(key), Some(iv));
    }

    fn apply(&mut self, from: Option<&[u8]>, to: &mut [u8]) {
        self.update(from, to);
    }
}

impl BlockCipher for Context {
    fn set_key(&mut self, key: &[u8]) {
        self.start(Some(key), None);
    }

    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        if let Some(iv) = iv {
            self.start(None, Some(iv));
        }
        self.update(from, to);
    }
}
