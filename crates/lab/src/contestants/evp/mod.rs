//! EVP, the interface of OpenSSL that AWS-LC shares: an algorithm found once, a context used again for every message.

pub(super) mod cipher;
pub(super) mod hash;
pub(super) mod kem;
mod param;

use std::ffi::c_void;
use std::ptr::NonNull;

/// An `EVP_MD` or `EVP_CIPHER`, never freed.
#[derive(Clone, Copy)]
pub(super) struct EvpAlgorithm(NonNull<c_void>);
// SAFETY: neither changes after it was made.
unsafe impl Send for EvpAlgorithm {}
// SAFETY: as above.
unsafe impl Sync for EvpAlgorithm {}

impl EvpAlgorithm {
    /// None if the library answered that it has no such algorithm.
    ///
    /// # Safety
    /// `algorithm` is null or an algorithm of the library that it will be used with, alive for the rest of the process.
    pub(super) unsafe fn new(algorithm: *const c_void) -> Option<Self> {
        NonNull::new(algorithm.cast_mut()).map(Self)
    }
}
