//! The AWS-LC in this binary: hashes through EVP as in OpenSSL, ciphers through functions of its own.

use super::about::about;
use crate::contest::{Algorithm, Contest, Operation};
use crate::contestants::Roster;
use crate::contestants::c_cipher::{Aead, enter_aead_of, nonce, split, split_mut};
use crate::contestants::evp::EvpAlgorithm;
use crate::contestants::evp::hash::{self, EvpHash};
use crate::inputs::Given;
use crate::inputs::aead::{AAD, TAG};
use crate::inputs::arx::{KEY256, NONCE};
use aws_lc_sys as sys;
use std::mem::{MaybeUninit, transmute};
use std::ptr;

/// Returns a static.
type FindHash = unsafe extern "C" fn() -> *const sys::EVP_MD;
/// Returns a static.
type FindAead = unsafe extern "C" fn() -> *const sys::EVP_AEAD;

pub(in crate::contestants) fn enter(contest: &Contest, roster: &mut Roster) {
    match contest.algorithm() {
        Algorithm::Keccak256 => enter_hash(contest, roster, sys::EVP_keccak256),
        Algorithm::Sha3_256 => enter_hash(contest, roster, sys::EVP_sha3_256),
        Algorithm::Shake128 => enter_hash(contest, roster, sys::EVP_shake128),
        Algorithm::ChaCha20 => enter_chacha20(contest, roster),
        Algorithm::Arx | Algorithm::ChaCha20Poly1305 | Algorithm::XChaCha20Poly1305 => {
            for (function, find) in AEADS {
                enter_aead(contest, function, roster, *find);
            }
        }
        _ => super::kem::enter(contest, roster),
    }
}

fn enter_hash(contest: &Contest, roster: &mut Roster, find: FindHash) {
    // What its sources choose on x86-64, whatever the CPU.
    let backend = if cfg!(all(target_arch = "x86_64", unix)) { "x86-64 assembly (s2n-bignum)" } else { "unknown" };
    let about = about(backend, "crate aws-lc-sys: EVP_DigestInit_ex, Update, Final on one context");
    // SAFETY: what it finds is a static.
    let md = unsafe { EvpAlgorithm::new(find().cast()) };
    hash::enter(contest, roster, &about, &EVP, md.expect("AWS-LC has this algorithm in every build"));
}

fn enter_chacha20(contest: &Contest, roster: &mut Roster) {
    roster.operation(contest, &about(chacha20_backend(), "crate aws-lc-sys: CRYPTO_chacha_20"), |_| {
        Operation::to_output(|message, encrypted| {
            assert_eq!(message.len(), encrypted.len(), "it writes as much as it reads");
            let (from, to) = (message.as_ptr(), encrypted.as_mut_ptr());
            // SAFETY: pointers and lengths are those of slices; key and nonce have 32 and 12 bytes.
            unsafe { sys::CRYPTO_chacha_20(to, from, message.len(), KEY256.as_ptr(), NONCE.as_ptr(), 0) };
        })
    });
}

/// The AEADs, by the name of what they compute.
const AEADS: &[(&str, FindAead)] = &[
    ("ChaCha20-Poly1305", sys::EVP_aead_chacha20_poly1305),
    ("XChaCha20-Poly1305", sys::EVP_aead_xchacha20_poly1305),
    ("AES-256-GCM", sys::EVP_aead_aes_256_gcm),
];

fn enter_aead(contest: &Contest, function: &str, roster: &mut Roster, find: FindAead) {
    let how_to_use = "crate aws-lc-sys: EVP_AEAD_CTX_init, EVP_AEAD_CTX_seal_scatter or _open_gather";
    let backend = if function == "AES-256-GCM" { "unknown" } else { chacha20_backend() };
    let nonce = nonce(contest);
    enter_aead_of(contest, function, roster, &about(backend, how_to_use), move |_| KeyedAead { find, nonce });
}

/// It does not say; its sources choose so, for all but the shortest messages.
fn chacha20_backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return if std::is_x86_feature_detected!("avx2") { "x86-64 assembly (AVX2)" } else { "x86-64 assembly (SSSE3)" };
    #[cfg(not(target_arch = "x86_64"))]
    "unknown"
}

/// An AEAD with its key and nonce: a context is made for every message.
struct KeyedAead {
    find: FindAead,
    nonce: Given,
}

impl KeyedAead {
    /// Works with a context of the key, made for one message.
    fn with_context(&self, work: impl FnOnce(*const sys::EVP_AEAD_CTX) -> bool) -> bool {
        let mut context = MaybeUninit::<sys::EVP_AEAD_CTX>::uninit();
        let context = context.as_mut_ptr();
        // SAFETY: it makes a context where there is room for one, and ends it; the key has 32 bytes; null stands for no
        // engine.
        unsafe {
            let (aead, key) = ((self.find)(), KEY256.as_ptr());
            let done = sys::EVP_AEAD_CTX_init(context, aead, key, KEY256.len(), TAG, ptr::null_mut());
            assert_eq!(done, 1, "AWS-LC refused a key");
            let done = work(context);
            sys::EVP_AEAD_CTX_cleanup(context);
            done
        }
    }
}

impl Aead for KeyedAead {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the ciphertext");
        let mut tag_len = 0;
        // SAFETY: the context has its key; pointers and lengths are those of slices; null stands for no more input.
        let done = self.with_context(|context| unsafe {
            sys::EVP_AEAD_CTX_seal_scatter(
                context,
                encrypted.as_mut_ptr(),
                tag.as_mut_ptr(),
                &mut tag_len,
                tag.len(),
                self.nonce.as_ptr(),
                self.nonce.len(),
                message.as_ptr(),
                message.len(),
                ptr::null(),
                0,
                AAD.as_ptr(),
                AAD.len(),
            ) == 1
        });
        assert!(done && tag_len == TAG, "AWS-LC refused to seal");
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        let (encrypted, tag) = split(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the message");
        // SAFETY: as above.
        self.with_context(|context| unsafe {
            sys::EVP_AEAD_CTX_open_gather(
                context,
                message.as_mut_ptr(),
                self.nonce.as_ptr(),
                self.nonce.len(),
                encrypted.as_ptr(),
                encrypted.len(),
                tag.as_ptr(),
                tag.len(),
                AAD.as_ptr(),
                AAD.len(),
            ) == 1
        })
    }
}

/// AWS-LC prefixes its symbols, so that its EVP can stand beside OpenSSL's.
#[allow(clippy::missing_transmute_annotations)]
static EVP: EvpHash = {
    // SAFETY: the types are those of OpenSSL's EVP but for the names of what is pointed to.
    unsafe {
        EvpHash {
            EVP_MD_CTX_new: transmute(sys::EVP_MD_CTX_new as *const ()),
            EVP_MD_CTX_free: transmute(sys::EVP_MD_CTX_free as *const ()),
            EVP_DigestInit_ex: transmute(sys::EVP_DigestInit_ex as *const ()),
            EVP_DigestUpdate: transmute(sys::EVP_DigestUpdate as *const ()),
            EVP_DigestFinal_ex: transmute(sys::EVP_DigestFinal_ex as *const ()),
            EVP_DigestFinalXOF: transmute(sys::EVP_DigestFinalXOF as *const ()),
        }
    }
};
