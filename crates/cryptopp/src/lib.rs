//! Links the Crypto++ that is installed, when feature `build` is on and its headers are there.
//!
//! Crypto++ is C++ only, so `shim.cpp` hands out what the race needs as one table of C functions: [`api`].

use std::ffi::{c_char, c_int, c_void};

/// An object of Crypto++. Each belongs to one kind (stream cipher, AEAD, block cipher, hash) and goes only to the
/// functions of that kind.
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
    /// Kalyna with blocks of 16 bytes and keys of 16 or 32, to decrypt or to encrypt: a block cipher.
    pub kalyna128: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// Kalyna with blocks of 32 bytes and keys of 32 or 64.
    pub kalyna256: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// Kalyna with blocks and keys of 64 bytes.
    pub kalyna512: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// SM4 by itself, to decrypt or to encrypt: a block cipher.
    pub sm4: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// SM4-CBC without padding, to decrypt or to encrypt: a stream cipher, but for whole blocks only.
    pub sm4_cbc: unsafe extern "C" fn(decrypt: bool) -> Object,
    /// SM4-CTR, a stream cipher.
    pub sm4_ctr: unsafe extern "C" fn() -> Object,
    /// SM4-XTS of IEEE 1619, to encrypt: a stream cipher, but for 16 bytes or more.
    pub sm4_xts: unsafe extern "C" fn() -> Object,
    /// SM4-GCM, to open or to seal.
    pub sm4_gcm: unsafe extern "C" fn(open: bool) -> Object,
    /// SM3, a hash of 32 bytes.
    pub sm3: unsafe extern "C" fn() -> Object,
    /// Stream cipher: sets key and nonce or IV, then processes `len` bytes; `from` may be `to`. Without a key, the one
    /// before stays.
    pub stream: unsafe extern "C" fn(
        Object,
        key: *const u8,
        nonce: *const u8,
        from: *const u8,
        to: *mut u8,
        len: usize,
    ) -> bool,
    /// AEAD: sets key and nonce, then seals `len` bytes and writes the tag, 16 bytes; `from` may be `to`. Without a
    /// key, the one before stays.
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
    /// Any cipher: sets its key of `len` bytes, with a tweak of zero where there is one. False if it takes no such key.
    pub key: unsafe extern "C" fn(Object, key: *const u8, len: usize) -> bool,
    /// Block cipher: processes `len` bytes, whole blocks, as many at once as it can; `from` may be `to`.
    pub blocks: unsafe extern "C" fn(Object, from: *const u8, to: *mut u8, len: usize) -> bool,
    /// Hash: writes the digest of `len` bytes.
    pub hash: unsafe extern "C" fn(Object, data: *const u8, len: usize, digest: *mut u8) -> bool,
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
    Err("no headers of Crypto++ 8.3 or newer were found when this was built; on Debian: apt install libcrypto++-dev")
}
