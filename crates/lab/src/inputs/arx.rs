//! Keys and nonces of the ARX ciphers.

use super::counting;

/// The key of the ciphers that take 512 bits; its first half is the key of those that take 256.
pub const KEY512: [u8; 64] = counting(0);
/// The key of the ciphers that take 256 bits.
pub const KEY256: [u8; 32] = counting(0);
/// The nonce of `ChaCha20` and Kusumi-512.
pub const NONCE: [u8; 12] = counting(0x80);
/// The nonce of `XChaCha20`.
pub const XNONCE: [u8; 24] = counting(0x80);
/// The first counter block of Threefish-512-CTR.
pub const IV: [u8; 64] = counting(0x80);

/// Bytes of the buffer between reader and writer: that of the write-up whose tables these contests make again.
pub const STREAM_BUFFER: usize = 4096;
