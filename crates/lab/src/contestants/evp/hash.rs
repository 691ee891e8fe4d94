//! Hashes: used by OpenSSL and AWS-LC.

use super::EvpAlgorithm;
use crate::contest::{Algorithm, Contest};
use crate::contestants::ffi::{Owned, c_api};
use crate::contestants::{About, Roster};
use crate::contests::keccak::DIGEST;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

c_api! {
    /// The part of a libcrypto that a hash needs; the same from OpenSSL 1.1 to 4.
    pub(crate) struct EvpHash linked by "openssl" {
        fn EVP_MD_CTX_new() -> *mut c_void;
        fn EVP_MD_CTX_free(ctx: *mut c_void);
        fn EVP_DigestInit_ex(ctx: *mut c_void, md: *const c_void, engine: *mut c_void) -> c_int;
        fn EVP_DigestUpdate(ctx: *mut c_void, data: *const c_void, len: usize) -> c_int;
        fn EVP_DigestFinal_ex(ctx: *mut c_void, digest: *mut u8, len: *mut c_uint) -> c_int;
        fn EVP_DigestFinalXOF(ctx: *mut c_void, digest: *mut u8, len: usize) -> c_int;
    }
}

/// Enters one hash of one library.
pub(crate) fn enter(contest: &Contest, roster: &mut Roster, about: &About, evp: &'static EvpHash, md: EvpAlgorithm) {
    let xof = contest.algorithm() == Algorithm::Shake128;
    roster.hash_with(contest, about, move || {
        let mut context = Context::new(evp, md);
        move |message: &[u8], digest: &mut [u8]| context.hash(message, digest, xof)
    });
}

/// An `EVP_MD_CTX`.
struct Context {
    evp: &'static EvpHash,
    md: EvpAlgorithm,
    ctx: Owned,
}

impl Context {
    fn new(evp: &'static EvpHash, md: EvpAlgorithm) -> Self {
        // SAFETY: it takes nothing, and makes a context that is not tied to a thread.
        let ctx = unsafe { Owned::new((evp.EVP_MD_CTX_new)(), evp.EVP_MD_CTX_free) };
        Self { evp, md, ctx: ctx.expect("the library has memory for a context") }
    }

    fn hash(&mut self, message: &[u8], digest: &mut [u8], xof: bool) {
        assert_eq!(digest.len(), DIGEST, "a fixed digest is written whole, whatever room there is");
        let (evp, md, ctx) = (self.evp, self.md.0.as_ptr(), self.ctx.as_ptr());
        // SAFETY: the algorithm and the context are alive; pointers and lengths are those of slices. The null pointers
        // stand for no engine, and for a length that nobody asks for.
        let done = unsafe {
            (evp.EVP_DigestInit_ex)(ctx, md, ptr::null_mut()) == 1
                && (evp.EVP_DigestUpdate)(ctx, message.as_ptr().cast(), message.len()) == 1
                && if xof {
                    (evp.EVP_DigestFinalXOF)(ctx, digest.as_mut_ptr(), digest.len()) == 1
                } else {
                    (evp.EVP_DigestFinal_ex)(ctx, digest.as_mut_ptr(), ptr::null_mut()) == 1
                }
        };
        assert!(done, "libcrypto refused to hash");
    }
}
