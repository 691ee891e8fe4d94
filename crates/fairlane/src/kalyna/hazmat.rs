//! ECB, which is hazardous: equal blocks of a message give equal ciphertext, for all to see.
//!
//! It is here for protocols that ask for it, and for building other modes (DSTU 7624:2014, clause 6).

/// Encryption with Kalyna in ECB mode: `encrypt_blocks` of the cipher with the traits of a mode.
pub type EcbEncryptor<C> = ecb::Encryptor<C>;
/// Decryption with Kalyna in ECB mode.
pub type EcbDecryptor<C> = ecb::Decryptor<C>;
