//! AWS-LC's ML-KEM, through the functions of EVP that take the randomness.

use super::linked::about;
use crate::contest::Contest;
use crate::contestants::Roster;
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, params};
use aws_lc_sys as sys;
use fairlane_reference::kem::Params;
use std::cell::OnceCell;
use std::ffi::c_int;
use std::ptr::{self, NonNull};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let nid = match params(contest) {
        Some(Params::ML_KEM_512) => sys::NID_MLKEM512,
        Some(Params::ML_KEM_768) => sys::NID_MLKEM768,
        Some(Params::ML_KEM_1024) => sys::NID_MLKEM1024,
        _ => return,
    };
    let how_to_use = "crate aws-lc-sys: EVP_PKEY_keygen_deterministic, EVP_PKEY_kem_new_raw_public_key, \
                      EVP_PKEY_encapsulate_deterministic, EVP_PKEY_kem_new_raw_secret_key, EVP_PKEY_decapsulate";
    // What its sources choose.
    #[cfg(target_arch = "x86_64")]
    let backend = if std::is_x86_feature_detected!("avx2") { "mlkem-native, AVX2" } else { "mlkem-native, C" };
    #[cfg(not(target_arch = "x86_64"))]
    let backend = "mlkem-native, its own choice";
    roster.kem(contest, &about(backend, how_to_use), move |_| OfSet::new(nid));
}

/// An `EVP_PKEY`.
struct Key(NonNull<sys::EVP_PKEY>);
// SAFETY: the key is ours alone; AWS-LC does not tie it to a thread.
unsafe impl Send for Key {}

impl Key {
    /// # Safety
    /// `key` is null or a key that nobody else frees.
    unsafe fn new(key: *mut sys::EVP_PKEY) -> Self {
        Self(NonNull::new(key).expect("AWS-LC takes a good key"))
    }

    /// Writes one of its two forms as bytes.
    fn write(&self, get: unsafe extern "C" fn(*const sys::EVP_PKEY, *mut u8, *mut usize) -> c_int, bytes: &mut [u8]) {
        let mut len = bytes.len();
        // SAFETY: the key is alive; pointer and length are those of a slice, beyond which nothing is written.
        let done = unsafe { get(self.0.as_ptr(), bytes.as_mut_ptr(), &mut len) };
        assert!(done == 1 && len == bytes.len(), "AWS-LC refused to write a key");
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: made by AWS-LC, freed once.
        unsafe { sys::EVP_PKEY_free(self.0.as_ptr()) }
    }
}

/// An `EVP_PKEY_CTX`.
struct Context(NonNull<sys::EVP_PKEY_CTX>);
// SAFETY: as above.
unsafe impl Send for Context {}

impl Context {
    /// Keeps the key alive by itself.
    fn of_key(key: &Key) -> Self {
        // SAFETY: the key is alive; null stands for no engine.
        let ctx = unsafe { sys::EVP_PKEY_CTX_new(key.0.as_ptr(), ptr::null_mut()) };
        Self(NonNull::new(ctx).expect("AWS-LC has memory for a context"))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by AWS-LC, freed once.
        unsafe { sys::EVP_PKEY_CTX_free(self.0.as_ptr()) }
    }
}

/// A parameter set, with what makes its key pairs.
struct OfSet {
    nid: c_int,
    maker: Context,
}

impl OfSet {
    fn new(nid: c_int) -> Self {
        // SAFETY: null stands for no engine; the context is alive.
        let maker = unsafe {
            let maker = sys::EVP_PKEY_CTX_new_id(sys::EVP_PKEY_KEM, ptr::null_mut());
            let maker = Context(NonNull::new(maker).expect("AWS-LC has KEMs"));
            let done = sys::EVP_PKEY_CTX_kem_set_params(maker.0.as_ptr(), nid) == 1
                && sys::EVP_PKEY_keygen_init(maker.0.as_ptr()) == 1;
            assert!(done, "AWS-LC refused a parameter set");
            maker
        };
        Self { nid, maker }
    }
}

/// A key pair, and what decapsulates with it once it has been asked to.
struct Pair {
    key: Key,
    opener: OnceCell<Context>,
}

impl Pair {
    fn decapsulate(&self, sent: &[u8], secret: &mut [u8; SECRET]) {
        let opener = self.opener.get_or_init(|| Context::of_key(&self.key));
        let (mut len, to) = (secret.len(), secret.as_mut_ptr());
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done = unsafe { sys::EVP_PKEY_decapsulate(opener.0.as_ptr(), to, &mut len, sent.as_ptr(), sent.len()) };
        assert!(done == 1 && len == SECRET, "AWS-LC refused to decapsulate");
    }
}

impl KeptKeys for OfSet {
    type Pair = Pair;
    type Key = Context;

    fn pair(&mut self, pair: &FixedPair) -> Pair {
        self.generate(&pair.seeds)
    }

    fn key(&mut self, ek: &[u8]) -> Context {
        // SAFETY: pointer and length are those of a slice; the key is ours.
        Context::of_key(&unsafe { Key::new(sys::EVP_PKEY_kem_new_raw_public_key(self.nid, ek.as_ptr(), ek.len())) })
    }

    fn encapsulate(&mut self, key: &Context, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (mut sent_len, mut secret_len, mut m_len) = (sent.len(), secret.len(), m.len());
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done = unsafe {
            sys::EVP_PKEY_encapsulate_deterministic(
                key.0.as_ptr(),
                sent.as_mut_ptr(),
                &mut sent_len,
                secret.as_mut_ptr(),
                &mut secret_len,
                m.as_ptr(),
                &mut m_len,
            )
        };
        assert!(done == 1 && (sent_len, secret_len) == (sent.len(), SECRET), "AWS-LC refused to encapsulate");
    }

    fn decapsulate(&mut self, pair: &Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        pair.decapsulate(sent, secret);
    }
}

impl TypedKeys for OfSet {
    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Pair {
        let (mut key, mut len) = (ptr::null_mut(), seeds.len());
        // SAFETY: the context is alive; `key` is a place for a key, which is ours; pointer and length are those of a slice.
        let key = unsafe {
            let done = sys::EVP_PKEY_keygen_deterministic(self.maker.0.as_ptr(), &mut key, seeds.as_ptr(), &mut len);
            assert_eq!(done, 1, "AWS-LC refused to make a key pair");
            Key::new(key)
        };
        Pair { key, opener: OnceCell::new() }
    }

    fn write_key(&mut self, pair: &Pair, ek: &mut [u8]) {
        pair.key.write(sys::EVP_PKEY_get_raw_public_key, ek);
    }

    fn write_pair(&mut self, pair: &Pair, dk: &mut [u8]) {
        pair.key.write(sys::EVP_PKEY_get_raw_private_key, dk);
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        // SAFETY: pointer and length are those of a slice; the key is ours.
        let key = unsafe { Key::new(sys::EVP_PKEY_kem_new_raw_secret_key(self.nid, dk.as_ptr(), dk.len())) };
        Pair { key, opener: OnceCell::new() }.decapsulate(sent, secret);
    }
}
