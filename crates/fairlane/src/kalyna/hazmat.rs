//! ECB (DSTU 7624:2014, clause 6), which is hazardous: equal blocks of a message give equal ciphertext, which anybody
//! can see.
//!
//! It is here for protocols that require it, and for building other modes.

/// Encryption with Kalyna in ECB mode: `encrypt_blocks` of the cipher with the traits of a mode.
pub type EcbEncryptor<C> = ecb::Encryptor<C>;
/// Decryption with Kalyna in ECB mode.
pub type EcbDecryptor<C> = ecb::Decryptor<C>;
