//! Links the Crypto++ that is installed, when feature `build` is on and its headers are there.
//!
//! Crypto++ is C++ only, so `shim.cpp` hands out what the race needs as one table of C functions: [`api`].

use std::ffi::{c_char, c_int, c_void};

/// A keyed object of Crypto++. Each belongs to one kind (stream cipher, AEAD, block cipher) and goes only to the functions
/// of that kind.
pub type Object = *mut c_void;

/// What `shim.cpp` hands out, in its order. Every object is null if there was no memory for it; every other answer is
/// false if Crypto++ threw.
#[repr(C)]
pub struct Api {
    /// Major, minor and revision as decimal digits: `870`.
    pub version: unsafe extern "C" fn() -> c_int,
    /// ChaCha20 of RFC 8439, a stream cipher.
    pub chacha20: unsafe extern "C" fn() -> Object,
    /// ChaCha20-Poly1305 of RFC 8439, to open or to seal.
    pub chacha20_poly1305: unsafe extern "C" fn(open: bool) -> Object,
    /// XChaCha20-Poly1305, to open or to seal.
    pub xchacha20_poly1305: unsafe extern "C" fn(open: bool) -> Object,
    /// Threefish-512, to decrypt or to encrypt.
    pub threefish512: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// Stream cipher: sets key (32 bytes) and nonce (12 bytes), then encrypts `len` bytes; `from` may be `to`.
    pub stream: unsafe extern "C" fn(
        Object,
        key: *const u8,
        nonce: *const u8,
        from: *const u8,
        to: *mut u8,
        len: usize,
    ) -> bool,
    /// AEAD: sets key (32 bytes) and nonce, then seals `len` bytes and writes the tag, 16 bytes; `from` may be `to`.
    pub seal: unsafe extern "C" fn(
        Object,
        key: *const u8,
        nonce: *const u8,
        aad: *const u8,
        aad_len: usize,
        from: *const u8,
        to: *mut u8,
        len: usize,
        tag: *mut u8,
    ) -> bool,
    /// AEAD: the inverse; false also if the tag is wrong, and what lies at `to` is then to be thrown away.
    pub open: unsafe extern "C" fn(
        Object,
        key: *const u8,
        nonce: *const u8,
        aad: *const u8,
        aad_len: usize,
        from: *const u8,
        to: *mut u8,
        len: usize,
        tag: *const u8,
    ) -> bool,
    /// Block cipher: sets key (64 bytes) and tweak (16 bytes).
    pub block_key: unsafe extern "C" fn(Object, key: *const u8, tweak: *const u8) -> bool,
    /// Block cipher: processes `count` blocks one after the other; `from` may be `to`.
    pub blocks: unsafe extern "C" fn(Object, from: *const u8, to: *mut u8, count: usize) -> bool,
    /// Writes which code the object takes (`AVX2`, `SSE2`, `C++`) and a NUL into `len` bytes.
    pub provider: unsafe extern "C" fn(Object, to: *mut c_char, len: usize) -> bool,
    /// Ends an object of any kind.
    pub destroy: unsafe extern "C" fn(Object),
}

/// The table.
///
/// # Errors
/// Why Crypto++ is not in this build, and what brings it.
pub fn api() -> Result<&'static Api, &'static str> {
    #[cfg(found)]
    {
        unsafe extern "C" {
            safe fn fairlane_cryptopp() -> &'static Api;
        }
        Ok(fairlane_cryptopp())
    }
    #[cfg(not(found))]
    Err("no headers of Crypto++ 8.1 or newer were found when this was built; on Debian: apt install libcrypto++-dev")
}
