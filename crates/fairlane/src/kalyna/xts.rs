//! XTS (DSTU 7624:2014, clause 14): data units of a block or more, such as a disk's sectors, without room for a tag.

use super::blocks::Kalyna;
use super::keyed::keyed_mode;
use cipher::typenum::Unsigned;
use cipher::{Block, InOutBuf};
use core::fmt;

/// Kalyna in XTS mode as DSTU 7624:2014 defines it (clause 14): data units of a block or more, whole blocks or not,
/// each under an IV of one block, such as its number.
///
/// **IEEE 1619 defines another mode**: here one key encrypts both data and tweaks, and the first block's tweak is the
/// encrypted IV times x. A unit of more than a block that is not whole blocks ends with ciphertext stealing in both.
///
/// XTS reveals which blocks of a unit stay the same when it is written again, and does not detect changed data: a
/// changed block decrypts to a random one. It is for disks, where ciphertext must not be longer than plaintext. The key
/// is erased on drop.
///
/// ```
/// use fairlane::cipher::KeyInit;
/// use fairlane::kalyna::{Kalyna128_256, Xts};
///
/// let xts = Xts::<Kalyna128_256>::new(&[7; 32].into());
/// let sector = 5_u128.to_le_bytes().into();
/// let mut data = *b"20 bytes in a sector";
/// xts.encrypt(&sector, data.as_mut_slice().into())?;
/// xts.decrypt(&sector, data.as_mut_slice().into())?;
/// assert_eq!(&data, b"20 bytes in a sector");
/// # Ok::<(), fairlane::kalyna::XtsError>(())
/// ```
#[derive(Clone)]
pub struct Xts<C: Kalyna> {
    cipher: C,
}

/// The error of a data unit that XTS does not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XtsError {
    /// It is shorter than a block.
    TooShort,
}

impl fmt::Display for XtsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("a data unit of XTS has at least a block of the cipher"),
        }
    }
}

impl core::error::Error for XtsError {}

impl<C: Kalyna> Xts<C> {
    fn with_cipher(cipher: C) -> Self {
        Self { cipher }
    }

    /// Encrypts a data unit, in place or from one buffer to another.
    ///
    /// # Errors
    /// The unit is shorter than a block; nothing is written then.
    pub fn encrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run(iv, false, data)
    }

    /// The inverse of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// The unit is shorter than a block; nothing is written then.
    pub fn decrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run(iv, true, data)
    }

    fn run(&self, iv: &Block<C>, decrypt: bool, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        if data.len() < C::BlockSize::USIZE {
            return Err(XtsError::TooShort);
        }
        self.cipher.xts(iv, decrypt, data);
        Ok(())
    }
}

keyed_mode!(Xts, "KalynaXts");
