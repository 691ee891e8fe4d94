//! Keys and nonces of the ARX ciphers.

use super::Fixed;

/// The key of the ciphers that take 512 bits; its first half is the key of those that take 256.
pub static KEY512: Fixed<64> = Fixed::key();
/// The key of the ciphers that take 256 bits.
pub static KEY256: Fixed<32> = Fixed::key();
/// The nonce of `ChaCha20` and Kusumi-512.
pub static NONCE: Fixed<12> = Fixed::iv();
/// The nonce of `XChaCha20`.
pub static XNONCE: Fixed<24> = Fixed::iv();
/// The first counter block of Threefish-512-CTR.
pub static IV: Fixed<64> = Fixed::iv();

/// The first counter block of AES-256 in counter mode.
pub static AES_IV: Fixed<16> = Fixed::iv();

/// Bytes of the buffer between reader and writer: that of the write-up whose tables these contests make again.
pub const STREAM_BUFFER: usize = 4096;
