//! Cipher feedback (DSTU 7624:2014, clause 8).

use super::blocks::Kalyna;
use crate::{Backend, Unsupported};
use cipher::typenum::Unsigned;
use cipher::{Block, InOutBuf, Key};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Kalyna in CFB mode as DSTU 7624:2014 defines it (clause 8): messages of any length, under an IV of one block. A step
/// processes 1, 8, 16, 32 or 64 bytes, at most a block.
///
/// A step encrypts a block and adds the last bytes of the result to the message. The next step encrypts that result
/// with these bytes replaced by the ciphertext. **NIST's CFB is another mode**: it is the same only for messages of
/// whole blocks with one block a step. A short step at the end takes the last bytes of its block, too, so that a
/// message must be given in one piece.
///
/// One block a step is fastest, and only then does decryption process many blocks at once. An IV must never be used for
/// two messages under one key, and nothing here detects changed data: most programs want an AEAD. The key is erased on
/// drop.
///
/// ```
/// use fairlane::kalyna::{Cfb, Kalyna256_256};
///
/// let cfb = Cfb::<Kalyna256_256>::new(&[7; 32].into(), 32)?;
/// let iv = [1; 32].into();
/// let mut data = *b"a message";
/// cfb.encrypt(&iv, data.as_mut_slice().into());
/// assert_ne!(&data, b"a message");
/// cfb.decrypt(&iv, data.as_mut_slice().into());
/// assert_eq!(&data, b"a message");
/// # Ok::<(), fairlane::kalyna::CfbError>(())
/// ```
#[derive(Clone)]
pub struct Cfb<C: Kalyna> {
    cipher: C,
    step: usize,
}

/// The error of a step or a backend that CFB does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CfbError {
    /// A step of other than 1, 8, 16, 32 or 64 bytes, or of more than a block.
    Step,
    /// The backend is not available.
    Unsupported(Unsupported),
}

impl fmt::Display for CfbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step => f.write_str("CFB of DSTU 7624 takes 1, 8, 16, 32 or 64 bytes a step, at most a block"),
            Self::Unsupported(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CfbError {}

impl<C: Kalyna> Cfb<C> {
    /// The mode with steps of `step` bytes, on the best backend that this machine has.
    ///
    /// # Errors
    /// `step` is not 1, 8, 16, 32 or 64, or more than a block.
    pub fn new(key: &Key<C>, step: usize) -> Result<Self, CfbError> {
        check::<C>(step)?;
        Ok(Self { cipher: C::new(key), step })
    }

    /// As [`new`](Self::new), on one backend.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); or this CPU lacks the backend's features, or Kalyna has no kernel for it.
    pub fn with_backend(key: &Key<C>, step: usize, backend: Backend) -> Result<Self, CfbError> {
        check::<C>(step)?;
        Ok(Self { cipher: C::with_backend(key, backend).map_err(CfbError::Unsupported)?, step })
    }

    /// Encrypts a whole message, in place or from one buffer to another.
    pub fn encrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) {
        self.run::<false>(&mut iv.clone(), data);
    }

    /// The inverse of [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) {
        let (mut iv, mut rest) = (iv.clone(), data);
        if self.step == C::BlockSize::USIZE {
            let (blocks, part) = rest.into_chunks();
            self.cipher.cfb_decrypt(&mut iv, blocks);
            rest = part;
        }
        self.run::<true>(&mut iv, rest);
    }

    /// Processes the message one step after the other. `block` is what the next step encrypts.
    fn run<const DECRYPT: bool>(&self, block: &mut Block<C>, data: InOutBuf<'_, '_, u8>) {
        let mut rest = data;
        while !rest.is_empty() {
            self.cipher.encrypt_block(block);
            let step = self.step.min(rest.len());
            let (mut now, next) = rest.split_at(step);
            let keystream = &mut block[C::BlockSize::USIZE - step..];
            for i in 0..step {
                let input = now.get_in()[i];
                let output = input ^ keystream[i];
                now.get_out()[i] = output;
                keystream[i] = if DECRYPT { input } else { output };
            }
            rest = next;
        }
        block.zeroize();
    }
}

fn check<C: Kalyna>(step: usize) -> Result<(), CfbError> {
    if matches!(step, 1 | 8 | 16 | 32 | 64) && step <= C::BlockSize::USIZE { Ok(()) } else { Err(CfbError::Step) }
}

/// Shows no secret.
impl<C: Kalyna> fmt::Debug for Cfb<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KalynaCfb").field("step", &self.step).finish_non_exhaustive()
    }
}

/// The cipher erases itself.
impl<C: Kalyna> ZeroizeOnDrop for Cfb<C> {}
