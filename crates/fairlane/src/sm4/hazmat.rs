//! ECB, which is hazardous: equal blocks of a message give equal ciphertext, which anybody can see.
//!
//! It is here for protocols that require it, and for building other modes.

use super::Sm4;

/// Encryption with SM4 in ECB mode: `encrypt_blocks` of [`Sm4`] with the traits of a mode.
pub type EcbEncryptor = ecb::Encryptor<Sm4>;
/// Decryption with SM4 in ECB mode.
pub type EcbDecryptor = ecb::Decryptor<Sm4>;
