//! Cipher block chaining (DSTU 7624:2014, clause 10).

use super::blocks::{Kalyna, Sealed};
use crate::modes::cbc::{CbcCipher, Decryption, Decryptor, Encryptor};
use crate::{Backend, Unsupported};
use cipher::{Block, InOutBuf, Key};

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

impl<C: Kalyna> CbcCipher for C {
    const MODULE: &'static str = "kalyna";
    const DEBUG_NAMES: [&'static str; 2] = ["KalynaCbcEncryptor", "KalynaCbcDecryptor"];

    #[inline]
    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Sealed::with_backend(key, backend)
    }

    #[inline]
    fn cbc_encrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
        Sealed::cbc_encrypt(self, previous, blocks);
    }

    #[inline]
    fn cbc_decrypt(&self, ciphertext: &mut Decryption<'_, Self::BlockSize>) {
        Sealed::cbc_decrypt(self, ciphertext);
    }
}
