//! Key encapsulation with OpenSSL, whose parameters take the randomness.

use super::param::Param;
use crate::contestants::ffi::{Owned, c_api};
use crate::contestants::kem::{KemObjects, MESSAGE, PrivateKey, SECRET, SEEDS, write_key};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

type Object = *mut c_void;
type Name = *const c_char;
type Read = unsafe extern "C" fn(Object, Name, Name, *const u8, usize) -> Object;

c_api! {
    /// The part of a libcrypto that a KEM needs, there from OpenSSL 3 on.
    pub(crate) struct EvpKem linked by "openssl" {
        fn EVP_PKEY_CTX_new_from_name(library: Object, name: Name, properties: Name) -> Object;
        fn EVP_PKEY_CTX_new_from_pkey(library: Object, key: Object, properties: Name) -> Object;
        fn EVP_PKEY_CTX_set_params(ctx: Object, params: *const Param) -> c_int;
        fn EVP_PKEY_CTX_free(ctx: Object);
        fn EVP_PKEY_free(key: Object);
        fn EVP_PKEY_keygen_init(ctx: Object) -> c_int;
        fn EVP_PKEY_generate(ctx: Object, key: *mut Object) -> c_int;
        fn EVP_PKEY_new_raw_public_key_ex(l: Object, name: Name, p: Name, key: *const u8, len: usize) -> Object;
        fn EVP_PKEY_new_raw_private_key_ex(l: Object, name: Name, p: Name, key: *const u8, len: usize) -> Object;
        fn EVP_PKEY_get_raw_public_key(key: *const c_void, bytes: *mut u8, len: *mut usize) -> c_int;
        fn EVP_PKEY_get_raw_private_key(key: *const c_void, bytes: *mut u8, len: *mut usize) -> c_int;
        fn EVP_PKEY_encapsulate_init(ctx: Object, params: *const Param) -> c_int;
        fn EVP_PKEY_encapsulate(ctx: Object, c: *mut u8, c_len: *mut usize, k: *mut u8, k_len: *mut usize) -> c_int;
        fn EVP_PKEY_decapsulate_init(ctx: Object, params: *const Param) -> c_int;
        fn EVP_PKEY_decapsulate(ctx: Object, k: *mut u8, k_len: *mut usize, c: *const u8, c_len: usize) -> c_int;
    }
}

/// A parameter set, with the `EVP_PKEY_CTX` that generates its keys.
pub(crate) struct MlKem {
    evp: &'static EvpKem,
    name: &'static CStr,
    generator: Owned,
}

impl MlKem {
    /// None if the libcrypto does not have it.
    pub(crate) fn new(evp: &'static EvpKem, name: &'static CStr) -> Option<Self> {
        // SAFETY: the name ends in NUL; null stands for the default library and no properties; the context may move.
        let generator = unsafe {
            let ctx = (evp.EVP_PKEY_CTX_new_from_name)(null_mut(), name.as_ptr(), null());
            Owned::new(ctx, evp.EVP_PKEY_CTX_free).filter(|ctx| (evp.EVP_PKEY_keygen_init)(ctx.as_ptr()) == 1)?
        };
        Some(Self { evp, name, generator })
    }

    fn read(&self, read: Read, key: &[u8]) -> Owned {
        // SAFETY: the name ends in NUL; null as above; pointer and length are those of a slice; a key may move.
        unsafe {
            let key = read(null_mut(), self.name.as_ptr(), null(), key.as_ptr(), key.len());
            Owned::new(key, self.evp.EVP_PKEY_free).expect("libcrypto takes a good key")
        }
    }

    /// An `EVP_PKEY_CTX`, which keeps the key alive.
    fn context(&self, key: &Owned) -> Owned {
        let (new, free) = (self.evp.EVP_PKEY_CTX_new_from_pkey, self.evp.EVP_PKEY_CTX_free);
        // SAFETY: the key is alive; null as above; the context may move.
        unsafe { Owned::new(new(null_mut(), key.as_ptr(), null()), free) }.expect("libcrypto has memory for a context")
    }
}

impl KemObjects for MlKem {
    type PublicKey = Owned;
    type PrivateKey = PrivateKey<Owned>;

    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> PrivateKey<Owned> {
        let (evp, ctx, params) = (self.evp, self.generator.as_ptr(), [Param::octets(c"seed", seeds), Param::END]);
        let mut key = null_mut();
        // SAFETY: the objects are alive; the parameters end as they must and outlive the calls; room has its length.
        unsafe {
            assert_eq!((evp.EVP_PKEY_CTX_set_params)(ctx, params.as_ptr()), 1, "libcrypto refused seeds");
            assert_eq!((evp.EVP_PKEY_generate)(ctx, &mut key), 1, "libcrypto refused to make a key pair");
            write_key(ek, |to, len| (evp.EVP_PKEY_get_raw_public_key)(key, to, len));
            PrivateKey::new(Owned::new(key, evp.EVP_PKEY_free).expect("libcrypto made a key"))
        }
    }

    fn public_key(&mut self, ek: &[u8]) -> Owned {
        self.context(&self.read(self.evp.EVP_PKEY_new_raw_public_key_ex, ek))
    }

    fn private_key(&mut self, dk: &[u8]) -> PrivateKey<Owned> {
        PrivateKey::new(self.read(self.evp.EVP_PKEY_new_raw_private_key_ex, dk))
    }

    fn write_private_key(&mut self, key: &PrivateKey<Owned>, dk: &mut [u8]) {
        // SAFETY: the key is alive; room has its length.
        write_key(dk, |to, len| unsafe { (self.evp.EVP_PKEY_get_raw_private_key)(key.key.as_ptr(), to, len) });
    }

    fn encapsulate(&mut self, key: &Owned, m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
        let (evp, ctx, params) = (self.evp, key.as_ptr(), [Param::octets(c"ikme", m), Param::END]);
        let (mut c_len, mut k_len, c, k) = (ciphertext.len(), SECRET, ciphertext.as_mut_ptr(), secret.as_mut_ptr());
        // SAFETY: as in `generate`; pointers and lengths are those of slices.
        let done = unsafe {
            (evp.EVP_PKEY_encapsulate_init)(ctx, params.as_ptr()) == 1
                && (evp.EVP_PKEY_encapsulate)(ctx, c, &mut c_len, k, &mut k_len) == 1
        };
        assert!(done && (c_len, k_len) == (ciphertext.len(), SECRET), "libcrypto refused to encapsulate");
    }

    fn decapsulate(&mut self, key: &PrivateKey<Owned>, ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        let ctx = key.decapsulator(|key| {
            // SAFETY: the context is alive; null stands for no parameters.
            let is_ready = |ctx: &Owned| unsafe { (self.evp.EVP_PKEY_decapsulate_init)(ctx.as_ptr(), null()) } == 1;
            Some(self.context(key)).filter(is_ready).expect("libcrypto takes a good key")
        });
        let (mut len, k, c, c_len) = (SECRET, secret.as_mut_ptr(), ciphertext.as_ptr(), ciphertext.len());
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done = unsafe { (self.evp.EVP_PKEY_decapsulate)(ctx.as_ptr(), k, &mut len, c, c_len) };
        assert!(done == 1 && len == SECRET, "libcrypto refused to decapsulate");
    }
}
