//! XTS (DSTU 7624:2014, clause 14): data units of a block and more, such as a disk's sectors, without room for a tag.

use super::ahead::{Ahead, Step, numbers};
use super::blocks::{Kalyna, Sealed};
use super::buffer::xor;
use super::field::exponents;
use super::kernels::{Mode, bytes};
use crate::{Backend, Unsupported};
use cipher::array::ArraySize;
use cipher::typenum::Unsigned;
use cipher::{Block, InOutBuf, Key, KeyInit, KeySizeUser};
use core::fmt;
use fairlane_lanes::BlocksN;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Kalyna in XTS mode as DSTU 7624:2014 has it (clause 14): data units of a block or more, whole blocks or not, each
/// under an IV of one block, such as its number.
///
/// **IEEE 1619's is another mode**: here one key does both, and the first block's tweak is the encrypted IV times x. A unit of more than a
/// block that is not whole blocks ends with ciphertext stealing, as there.
///
/// XTS shows which blocks of a unit stay the same when it is written again, and does not notice changed data: a block
/// that was changed is a random one after decryption. It is for disks, where ciphertext must not be longer. The key is
/// erased on drop.
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

/// Why a data unit is not one for XTS.
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
    /// The mode on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { cipher: Sealed::with_backend(key, backend)? })
    }

    /// Encrypts a data unit, in place or from one buffer to another.
    ///
    /// # Errors
    /// The unit is shorter than a block; nothing is written then.
    pub fn encrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run::<false>(iv, data)
    }

    /// The converse of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// As there.
    pub fn decrypt(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run::<true>(iv, data)
    }

    fn run<const DECRYPT: bool>(&self, iv: &Block<C>, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        let (block, len) = (C::BlockSize::USIZE, data.len());
        if len < block {
            return Err(XtsError::TooShort);
        }
        let mut first = iv.clone();
        self.cipher.encrypt_block(&mut first);
        let mut first_numbers = numbers(&first);
        TimesX.step(&mut first_numbers[..block / 8]);
        // With a part of a block at the end, that and the whole block before it are done apart.
        let part = len % block;
        let (data, last) = data.split_at(if part == 0 { len } else { len - part - block });
        let tweaks = Ahead::<C::BlockSize, _>::new(first_numbers, TimesX, len);
        first.zeroize();
        first_numbers.zeroize();
        let mut units = Units { tweaks, data };
        self.cipher.run::<DECRYPT>(&mut units);
        if part > 0 {
            let (this, next) = (units.tweaks.peek(0), units.tweaks.peek(1));
            if DECRYPT { self.steal::<true>([next, this], last) } else { self.steal::<false>([this, next], last) }
        }
        Ok(())
    }

    /// The last whole block and the part of one after it.
    fn steal<const DECRYPT: bool>(&self, tweaks: [&[u8]; 2], last: InOutBuf<'_, '_, u8>) {
        let crypt = |tweak: &[u8], block: &mut Block<C>| {
            xor(block, tweak);
            if DECRYPT {
                self.cipher.decrypt_block(block);
            } else {
                self.cipher.encrypt_block(block);
            }
            xor(block, tweak);
        };
        let mut last = last;
        let mut block = C::ZERO;
        let size = block.len();
        block.copy_from_slice(&last.get_in()[..size]);
        crypt(tweaks[0], &mut block);
        // What the block's beginning gives is the part; the part's own bytes take its place.
        let mut stolen = block.clone();
        let part = last.len() - size;
        stolen[..part].copy_from_slice(&last.get_in()[size..]);
        crypt(tweaks[1], &mut stolen);
        let out = last.get_out();
        out[..size].copy_from_slice(&stolen);
        out[size..].copy_from_slice(&block[..part]);
    }
}

impl<C: Kalyna> KeySizeUser for Xts<C> {
    type KeySize = C::KeySize;
}

/// On the best backend that this machine has.
impl<C: Kalyna> KeyInit for Xts<C> {
    fn new(key: &Key<Self>) -> Self {
        Self { cipher: C::new(key) }
    }
}

/// Shows no secret.
impl<C: Kalyna> fmt::Debug for Xts<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KalynaXts").finish_non_exhaustive()
    }
}

/// The cipher erases itself.
impl<C: Kalyna> ZeroizeOnDrop for Xts<C> {}

/// A tweak to the next: times x in the field whose elements are blocks.
struct TimesX;

impl Step for TimesX {
    #[inline(always)]
    fn step(&self, block: &mut [u64]) {
        let count = block.len();
        let over = (block[count - 1] >> 63).wrapping_neg();
        for i in (1..count).rev() {
            block[i] = block[i] << 1 | block[i - 1] >> 63;
        }
        let [a, b, c] = exponents(count / 2);
        block[0] = block[0] << 1 ^ (over & (1 << a | 1 << b | 1 << c | 1));
    }
}

/// Whole blocks, with their tweaks added before and after.
struct Units<'a, S: ArraySize> {
    tweaks: Ahead<S, TimesX>,
    data: InOutBuf<'a, 'a, u8>,
}

impl<S: ArraySize> Mode for Units<'_, S> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.data.len()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        let input = W::load(token, &self.data.get_in()[bytes::<N>(from, len)]);
        self.tweaks.take::<W, N>(token, from).xor(input)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let output = self.tweaks.taken::<W, N>(token, from).xor(output);
        output.store(&mut self.data.get_out()[bytes::<N>(from, len)]);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.tweaks.advance(len);
        let rest = core::mem::replace(&mut self.data, (&mut [][..]).into());
        self.data = rest.split_at(len).1;
    }
}
