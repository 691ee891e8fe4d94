//! AWS-LC's ML-KEM, through the functions of EVP that take the randomness.

use super::about::about;
use crate::contest::Contest;
use crate::contestants::Roster;
use crate::contestants::ffi::Owned;
use crate::contestants::kem::{KemObjects, MESSAGE, PrivateKey, SECRET, SEEDS, write_key};
use aws_lc_sys as sys;
use fairlane_reference::kem::Params;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let nid = match contest.algorithm().params() {
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
    roster.kem(contest, &about(backend, how_to_use), move |_| MlKem::new(nid));
}

unsafe extern "C" fn free_key(key: *mut c_void) {
    // SAFETY: `Owned` calls it for a key, once.
    unsafe { sys::EVP_PKEY_free(key.cast()) }
}

unsafe extern "C" fn free_context(ctx: *mut c_void) {
    // SAFETY: `Owned` calls it for a context, once.
    unsafe { sys::EVP_PKEY_CTX_free(ctx.cast()) }
}

/// A context of a key, which it keeps alive.
fn context(key: &Owned) -> Owned {
    // SAFETY: the key is alive; null stands for no engine; neither is tied to a thread.
    let ctx = unsafe { Owned::new(sys::EVP_PKEY_CTX_new(key.as_ptr().cast(), null_mut()).cast(), free_context) };
    ctx.expect("AWS-LC has memory for a context")
}

/// A parameter set, with the context that generates its keys.
struct MlKem {
    nid: c_int,
    generator: Owned,
}

impl MlKem {
    fn new(nid: c_int) -> Self {
        // SAFETY: null stands for no engine; the context is alive.
        unsafe {
            let ctx = sys::EVP_PKEY_CTX_new_id(sys::EVP_PKEY_KEM, null_mut());
            let generator = Owned::new(ctx.cast(), free_context).expect("AWS-LC has KEMs");
            assert_eq!(sys::EVP_PKEY_CTX_kem_set_params(ctx, nid), 1, "AWS-LC refused a parameter set");
            assert_eq!(sys::EVP_PKEY_keygen_init(ctx), 1, "AWS-LC refused to make keys");
            Self { nid, generator }
        }
    }
}

impl KemObjects for MlKem {
    type PublicKey = Owned;
    type PrivateKey = PrivateKey<Owned>;

    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> PrivateKey<Owned> {
        let (mut made, mut len) = (null_mut(), SEEDS);
        // SAFETY: the objects are alive; pointers and lengths are those of slices.
        unsafe {
            let ctx = self.generator.as_ptr().cast();
            let done = sys::EVP_PKEY_keygen_deterministic(ctx, &mut made, seeds.as_ptr(), &mut len);
            assert_eq!(done, 1, "AWS-LC refused to make a key pair");
            write_key(ek, |to, len| sys::EVP_PKEY_get_raw_public_key(made, to, len));
            PrivateKey::new(Owned::new(made.cast(), free_key).expect("AWS-LC made a key"))
        }
    }

    fn public_key(&mut self, ek: &[u8]) -> Owned {
        // SAFETY: pointer and length are those of a slice; the key is not tied to a thread.
        let key = unsafe { sys::EVP_PKEY_kem_new_raw_public_key(self.nid, ek.as_ptr(), ek.len()) };
        // SAFETY: as above.
        context(&unsafe { Owned::new(key.cast(), free_key) }.expect("AWS-LC takes a good key"))
    }

    fn private_key(&mut self, dk: &[u8]) -> PrivateKey<Owned> {
        // SAFETY: as above.
        let key = unsafe { sys::EVP_PKEY_kem_new_raw_secret_key(self.nid, dk.as_ptr(), dk.len()) };
        // SAFETY: as above.
        PrivateKey::new(unsafe { Owned::new(key.cast(), free_key) }.expect("AWS-LC takes a good key"))
    }

    fn write_private_key(&mut self, key: &PrivateKey<Owned>, dk: &mut [u8]) {
        // SAFETY: the key is alive; room has its length.
        write_key(dk, |to, len| unsafe { sys::EVP_PKEY_get_raw_private_key(key.key.as_ptr().cast(), to, len) });
    }

    fn encapsulate(&mut self, key: &Owned, m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
        let (mut c_len, mut k_len, mut m_len) = (ciphertext.len(), SECRET, MESSAGE);
        let (ctx, c, k) = (key.as_ptr().cast(), ciphertext.as_mut_ptr(), secret.as_mut_ptr());
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done = unsafe {
            sys::EVP_PKEY_encapsulate_deterministic(ctx, c, &mut c_len, k, &mut k_len, m.as_ptr(), &mut m_len)
        };
        assert!(done == 1 && (c_len, k_len) == (ciphertext.len(), SECRET), "AWS-LC refused to encapsulate");
    }

    fn decapsulate(&mut self, key: &PrivateKey<Owned>, ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        let ctx = key.decapsulator(context).as_ptr().cast();
        let (mut len, k, c) = (SECRET, secret.as_mut_ptr(), ciphertext.as_ptr());
        // SAFETY: the context is alive; pointers and lengths are those of slices.
        let done = unsafe { sys::EVP_PKEY_decapsulate(ctx, k, &mut len, c, ciphertext.len()) };
        assert!(done == 1 && len == SECRET, "AWS-LC refused to decapsulate");
    }
}
