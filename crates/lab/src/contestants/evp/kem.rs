//! Key encapsulation: used by OpenSSL, whose parameters let one give the randomness.

use super::param::Param;
use crate::contest::Contest;
use crate::contestants::ffi::c_api;
use crate::contestants::{About, Roster};
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys};
use fairlane_reference::kem::Params;
use std::cell::OnceCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

c_api! {
    /// The part of a libcrypto that a KEM needs; there from OpenSSL 3 on.
    pub(crate) struct EvpKem linked by "openssl" {
        fn EVP_PKEY_CTX_new_from_name(
            library: *mut c_void,
            name: *const c_char,
            properties: *const c_char,
        ) -> *mut c_void;
        fn EVP_PKEY_CTX_new_from_pkey(
            library: *mut c_void,
            key: *mut c_void,
            properties: *const c_char,
        ) -> *mut c_void;
        fn EVP_PKEY_CTX_set_params(ctx: *mut c_void, params: *const Param) -> c_int;
        fn EVP_PKEY_CTX_free(ctx: *mut c_void);
        fn EVP_PKEY_free(key: *mut c_void);
        fn EVP_PKEY_keygen_init(ctx: *mut c_void) -> c_int;
        fn EVP_PKEY_generate(ctx: *mut c_void, key: *mut *mut c_void) -> c_int;
        fn EVP_PKEY_new_raw_public_key_ex(
            library: *mut c_void,
            name: *const c_char,
            properties: *const c_char,
            bytes: *const u8,
            len: usize,
        ) -> *mut c_void;
        fn EVP_PKEY_new_raw_private_key_ex(
            library: *mut c_void,
            name: *const c_char,
            properties: *const c_char,
            bytes: *const u8,
            len: usize,
        ) -> *mut c_void;
        fn EVP_PKEY_get_raw_public_key(key: *const c_void, bytes: *mut u8, len: *mut usize) -> c_int;
        fn EVP_PKEY_get_raw_private_key(key: *const c_void, bytes: *mut u8, len: *mut usize) -> c_int;
        fn EVP_PKEY_encapsulate_init(ctx: *mut c_void, params: *const Param) -> c_int;
        fn EVP_PKEY_encapsulate(
            ctx: *mut c_void,
            sent: *mut u8,
            sent_len: *mut usize,
            secret: *mut u8,
            secret_len: *mut usize,
        ) -> c_int;
        fn EVP_PKEY_decapsulate_init(ctx: *mut c_void, params: *const Param) -> c_int;
        fn EVP_PKEY_decapsulate(
            ctx: *mut c_void,
            secret: *mut u8,
            secret_len: *mut usize,
            sent: *const u8,
            sent_len: usize,
        ) -> c_int;
    }
}

/// The name of a parameter set there.
pub(crate) fn name(params: Params) -> Option<&'static CStr> {
    match params {
        Params::ML_KEM_512 => Some(c"ML-KEM-512"),
        Params::ML_KEM_768 => Some(c"ML-KEM-768"),
        Params::ML_KEM_1024 => Some(c"ML-KEM-1024"),
        _ => None,
    }
}

/// Whether a libcrypto has it.
pub(crate) fn has(evp: &'static EvpKem, name: &'static CStr) -> bool {
    Context::of_name(evp, name).is_some()
}

/// Enters a parameter set that a libcrypto has.
pub(crate) fn enter(contest: &Contest, roster: &mut Roster, about: &About, evp: &'static EvpKem, name: &'static CStr) {
    roster.kem(contest, about, move |_| OfSet::new(evp, name));
}

/// An `EVP_PKEY`.
struct Key {
    evp: &'static EvpKem,
    key: NonNull<c_void>,
}
// SAFETY: the key is ours alone; the library does not tie it to a thread.
unsafe impl Send for Key {}

impl Key {
    /// # Safety
    /// `key` is null or a key of the same library, and nobody else frees it.
    unsafe fn new(evp: &'static EvpKem, key: *mut c_void) -> Self {
        Self { evp, key: NonNull::new(key).expect("libcrypto takes a good key") }
    }

    /// Writes one of its two forms as bytes.
    fn write(&self, get: unsafe extern "C" fn(*const c_void, *mut u8, *mut usize) -> c_int, bytes: &mut [u8]) {
        let mut len = bytes.len();
        // SAFETY: the key is alive; pointer and length are those of a slice, beyond which nothing is written.
        let done = unsafe { get(self.key.as_ptr(), bytes.as_mut_ptr(), &mut len) };
        assert!(done == 1 && len == bytes.len(), "libcrypto refused to write a key");
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: made by the same library, freed once.
        unsafe { (self.evp.EVP_PKEY_free)(self.key.as_ptr()) }
    }
}

/// An `EVP_PKEY_CTX`.
struct Context {
    evp: &'static EvpKem,
    ctx: NonNull<c_void>,
}
// SAFETY: as above.
unsafe impl Send for Context {}

impl Context {
    /// None if the library does not know the name.
    fn of_name(evp: &'static EvpKem, name: &CStr) -> Option<Self> {
        // SAFETY: the name ends in NUL; null stands for the default library context and for no properties.
        let ctx = unsafe { (evp.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        Some(Self { evp, ctx: NonNull::new(ctx)? })
    }

    /// Keeps the key alive by itself.
    fn of_key(key: &Key) -> Self {
        // SAFETY: the key is alive; null as above.
        let ctx = unsafe { (key.evp.EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key.key.as_ptr(), ptr::null()) };
        Self { evp: key.evp, ctx: NonNull::new(ctx).expect("the library has memory for a context") }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by the same library, freed once.
        unsafe { (self.evp.EVP_PKEY_CTX_free)(self.ctx.as_ptr()) }
    }
}

/// A parameter set.
struct OfSet {
    evp: &'static EvpKem,
    name: &'static CStr,
    /// What makes key pairs, used again for every one.
    maker: Context,
}

impl OfSet {
    fn new(evp: &'static EvpKem, name: &'static CStr) -> Self {
        let maker = Context::of_name(evp, name).expect("it could be made before");
        // SAFETY: the context is alive.
        let done = unsafe { (evp.EVP_PKEY_keygen_init)(maker.ctx.as_ptr()) };
        assert_eq!(done, 1, "libcrypto refused to make keys");
        Self { evp, name, maker }
    }

    /// Takes a key of either kind.
    fn take(
        &self,
        new: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const u8, usize) -> *mut c_void,
        bytes: &[u8],
    ) -> Key {
        let (name, from) = (self.name.as_ptr(), bytes.as_ptr());
        // SAFETY: the name ends in NUL; null as above; pointer and length are those of a slice; the key is ours.
        unsafe { Key::new(self.evp, new(ptr::null_mut(), name, ptr::null(), from, bytes.len())) }
    }
}

/// A key pair, and what decapsulates with it once it has been asked to.
struct Pair {
    key: Key,
    opener: OnceCell<Context>,
}

impl Pair {
    fn decapsulate(&self, sent: &[u8], secret: &mut [u8; SECRET]) {
        let evp = self.key.evp;
        let opener = self.opener.get_or_init(|| {
            let opener = Context::of_key(&self.key);
            // SAFETY: the context is alive; null stands for no parameters.
            let done = unsafe { (evp.EVP_PKEY_decapsulate_init)(opener.ctx.as_ptr(), ptr::null()) };
            assert_eq!(done, 1, "libcrypto refused a key");
            opener
        });
        let mut len = secret.len();
        let secret = secret.as_mut_ptr();
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done =
            unsafe { (evp.EVP_PKEY_decapsulate)(opener.ctx.as_ptr(), secret, &mut len, sent.as_ptr(), sent.len()) };
        assert!(done == 1 && len == SECRET, "libcrypto refused to decapsulate");
    }
}

impl KeptKeys for OfSet {
    type Pair = Pair;
    type Key = Context;

    fn pair(&mut self, pair: &FixedPair) -> Pair {
        self.generate(&pair.seeds)
    }

    fn key(&mut self, ek: &[u8]) -> Context {
        Context::of_key(&self.take(self.evp.EVP_PKEY_new_raw_public_key_ex, ek))
    }

    fn encapsulate(&mut self, key: &Context, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (evp, ctx) = (self.evp, key.ctx.as_ptr());
        let params = [Param::octets(c"ikme", m), Param::END];
        let (mut sent_len, mut secret_len) = (sent.len(), secret.len());
        // SAFETY: the context is alive; the array ends as such arrays do, and what it points to outlives the calls;
        // pointers and lengths are those of slices.
        let done = unsafe {
            (evp.EVP_PKEY_encapsulate_init)(ctx, params.as_ptr()) == 1
                && (evp.EVP_PKEY_encapsulate)(
                    ctx,
                    sent.as_mut_ptr(),
                    &mut sent_len,
                    secret.as_mut_ptr(),
                    &mut secret_len,
                ) == 1
        };
        assert!(done && (sent_len, secret_len) == (sent.len(), SECRET), "libcrypto refused to encapsulate");
    }

    fn decapsulate(&mut self, pair: &Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        pair.decapsulate(sent, secret);
    }
}

impl TypedKeys for OfSet {
    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Pair {
        let (evp, ctx) = (self.evp, self.maker.ctx.as_ptr());
        let params = [Param::octets(c"seed", seeds), Param::END];
        let mut key = ptr::null_mut();
        // SAFETY: the context is alive; the array ends as such arrays do, and what it points to outlives the calls;
        // `key` is a place for a key, which is ours.
        let key = unsafe {
            let done =
                (evp.EVP_PKEY_CTX_set_params)(ctx, params.as_ptr()) == 1 && (evp.EVP_PKEY_generate)(ctx, &mut key) == 1;
            assert!(done, "libcrypto refused to make a key pair");
            Key::new(evp, key)
        };
        Pair { key, opener: OnceCell::new() }
    }

    fn write_key(&mut self, pair: &Pair, ek: &mut [u8]) {
        pair.key.write(self.evp.EVP_PKEY_get_raw_public_key, ek);
    }

    fn write_pair(&mut self, pair: &Pair, dk: &mut [u8]) {
        pair.key.write(self.evp.EVP_PKEY_get_raw_private_key, dk);
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        let key = self.take(self.evp.EVP_PKEY_new_raw_private_key_ex, dk);
        Pair { key, opener: OnceCell::new() }.decapsulate(sent, secret);
    }
}
