//! Cipher block chaining (DSTU 7624:2014, clause 10).

use crate::modes::cbc::{Decryptor, Encryptor};

/// Encryption with Kalyna in CBC mode (DSTU 7624:2014, clause 10), with the traits of [`cipher`](crate::cipher): whole
/// blocks.
///
/// Each block waits for the one before. An IV must be unpredictable, and nothing here detects changed data: most
/// programs want an AEAD.
///
/// ```
/// use fairlane::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
/// use fairlane::kalyna::{CbcDecryptor, CbcEncryptor, Kalyna256_512};
///
/// let (key, iv) = ([7; 64].into(), [1; 32].into());
/// let mut blocks = [[3; 32].into(), [3; 32].into()];
/// CbcEncryptor::<Kalyna256_512>::new(&key, &iv).encrypt_blocks(&mut blocks);
/// assert_ne!(blocks[0], blocks[1]);
/// CbcDecryptor::<Kalyna256_512>::new(&key, &iv).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks, [[3; 32], [3; 32]]);
/// ```
pub type CbcEncryptor<C> = Encryptor<C>;
/// Decryption with Kalyna in CBC mode, many blocks at once: the inverse of [`CbcEncryptor`].
pub type CbcDecryptor<C> = Decryptor<C>;
