//! Key wrapping (DSTU 7624:2014, clause 15).

use super::blocks::Kalyna;
use super::buffer::xor;
use super::keyed::keyed_mode;
use crate::ct;
use cipher::Block;
use cipher::typenum::Unsigned;
use core::fmt;
use core::iter::repeat;
use ctutils::{Choice, CtAssign, CtEq, CtLt};
use zeroize::Zeroize;

/// Wraps keys under Kalyna as DSTU 7624:2014 does (clause 15): without an IV. A wrapped key is one block longer than
/// the key; by that block, unwrapping notices any change.
///
/// The standard has one method for keys of whole blocks, [`wrap`](Self::wrap), and one for keys of more than a block
/// that are not, [`wrap_padded`](Self::wrap_padded). A wrapped key does not say which was used:
/// [`unwrap`](Self::unwrap) takes a key that was wrapped with padding, too, and returns it with its padding. The same
/// key is always wrapped to the same bytes.
///
/// The key is erased on drop.
///
/// ```
/// use fairlane::cipher::KeyInit;
/// use fairlane::kalyna::{Kalyna256_256, Kw};
///
/// let kw = Kw::<Kalyna256_256>::new(&[7; 32].into());
/// let key = [1; 64];
/// let (mut wrapped, mut unwrapped) = ([0; 96], [0; 64]);
/// kw.wrap(&key, &mut wrapped)?;
/// kw.unwrap(&wrapped, &mut unwrapped)?;
/// assert_eq!(unwrapped, key);
///
/// let mut buffer = [0; 128];
/// let wrapped = kw.wrap_padded(b"a key of more than one block, and not of two", &mut buffer)?;
/// let mut key = [0; 64];
/// let key = kw.unwrap_padded(wrapped, &mut key)?;
/// assert_eq!(key, b"a key of more than one block, and not of two");
/// # Ok::<(), fairlane::kalyna::KwError>(())
/// ```
#[derive(Clone)]
pub struct Kw<C: Kalyna> {
    cipher: C,
}

/// Why a key was not wrapped or unwrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KwError {
    /// A key for [`wrap`](Kw::wrap) is not whole blocks, one or more.
    NotWhole,
    /// A key for [`wrap_padded`](Kw::wrap_padded) is whole blocks, or shorter than one.
    Whole,
    /// The output buffer is too short.
    Buffer,
    /// The wrapped key was changed, or wrapped under another key or, for [`unwrap_padded`](Kw::unwrap_padded), without
    /// padding.
    Changed,
}

impl fmt::Display for KwError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWhole => "KW without padding wraps whole blocks, one or more: pad the key, or use wrap_padded",
            Self::Whole => "KW with padding wraps more than a block, and no whole blocks: for those use wrap",
            Self::Buffer => "the buffer for a wrapped or unwrapped key is too short",
            Self::Changed => "this is no key wrapped in this way under this key, or it was changed",
        })
    }
}

impl core::error::Error for KwError {}

impl<C: Kalyna> Kw<C> {
    const BLOCK: usize = C::BlockSize::USIZE;
    const HALF: usize = Self::BLOCK / 2;

    fn with_cipher(cipher: C) -> Self {
        Self { cipher }
    }

    /// Wraps a key of whole blocks, one or more, into the beginning of `output`, one block more. Returns that part.
    ///
    /// # Errors
    /// The key is not whole blocks, or the buffer is too short; nothing is written then.
    pub fn wrap<'a>(&self, key: &[u8], output: &'a mut [u8]) -> Result<&'a mut [u8], KwError> {
        if key.is_empty() || !key.len().is_multiple_of(Self::BLOCK) {
            return Err(KwError::NotWhole);
        }
        let output = output.get_mut(..key.len() + Self::BLOCK).ok_or(KwError::Buffer)?;
        let (to, last) = output.split_at_mut(key.len());
        to.copy_from_slice(key);
        last.fill(0);
        self.encrypt(output);
        Ok(output)
    }

    /// The converse of [`wrap`](Self::wrap). It needs a buffer one block shorter than `wrapped`.
    ///
    /// # Errors
    /// The buffer is too short, or no key is wrapped to as many bytes; nothing is written then. Or the wrapped key was
    /// changed; the key's place in the buffer is erased then.
    pub fn unwrap<'a>(&self, wrapped: &[u8], output: &'a mut [u8]) -> Result<&'a mut [u8], KwError> {
        if wrapped.len() < 2 * Self::BLOCK || !wrapped.len().is_multiple_of(Self::BLOCK) {
            return Err(KwError::Changed);
        }
        let len = wrapped.len() - Self::BLOCK;
        let output = output.get_mut(..len).ok_or(KwError::Buffer)?;
        let mut last = C::ZERO;
        output.copy_from_slice(&wrapped[..len]);
        last.copy_from_slice(&wrapped[len..]);
        self.decrypt(output, &mut last);
        let unchanged = ct::equal(&last, &C::ZERO);
        last.zeroize();
        if !unchanged {
            output.zeroize();
            return Err(KwError::Changed);
        }
        Ok(output)
    }

    /// The number of bytes to which [`wrap_padded`](Self::wrap_padded) wraps a key of `len` bytes; [`usize::MAX`] if
    /// that is more than a `usize` holds.
    pub const fn padded_len(len: usize) -> usize {
        // The length, at least one bit of padding, and the block that shows changes.
        match len.saturating_add(Self::HALF + 1).checked_next_multiple_of(Self::BLOCK) {
            Some(padded) => padded.saturating_add(Self::BLOCK),
            None => usize::MAX,
        }
    }

    /// Wraps a key of more than a block that is not whole blocks, into the beginning of `output`:
    /// [`padded_len`](Self::padded_len) bytes. Returns that part.
    ///
    /// # Errors
    /// The key is whole blocks or shorter than one, or the buffer is too short; nothing is written then.
    pub fn wrap_padded<'a>(&self, key: &[u8], output: &'a mut [u8]) -> Result<&'a mut [u8], KwError> {
        if !is_padded(key.len(), Self::BLOCK) {
            return Err(KwError::Whole);
        }
        let output = output.get_mut(..Self::padded_len(key.len())).ok_or(KwError::Buffer)?;
        let (to, rest) = output.split_at_mut(key.len());
        to.copy_from_slice(key);
        rest.iter_mut().zip(padding(key.len(), Self::HALF)).for_each(|(byte, padding)| *byte = padding);
        self.encrypt(output);
        Ok(output)
    }

    /// The converse of [`wrap_padded`](Self::wrap_padded). It needs a buffer one block shorter than `wrapped`, whatever
    /// the key's length, and erases what of that is longer than the key.
    ///
    /// # Errors
    /// The buffer is too short, or no key is wrapped to as many bytes; nothing is written then. Or the wrapped key was
    /// changed; that much of the buffer is erased then.
    pub fn unwrap_padded<'a>(&self, wrapped: &[u8], output: &'a mut [u8]) -> Result<&'a mut [u8], KwError> {
        let padded = self.unwrap(wrapped, output)?;
        match Self::unpadded_len(padded) {
            Some(len) => {
                // Running time reveals no more of the length than the padded key's length does.
                for (i, byte) in padded.iter_mut().enumerate() {
                    byte.ct_assign(&0, !(i as u64).ct_lt(&(len as u64)));
                }
                Ok(&mut padded[..len])
            }
            None => {
                padded.zeroize();
                Err(KwError::Changed)
            }
        }
    }

    /// The length of a padded key, if the padding is right. Every possible length is tried, whatever the data: only the
    /// answer depends on it.
    fn unpadded_len(padded: &[u8]) -> Option<usize> {
        let longest = padded.len() - Self::HALF - 1;
        let (mut found, mut right) = (0, Choice::FALSE);
        for len in (longest + 1).saturating_sub(Self::BLOCK)..=longest {
            if is_padded(len, Self::BLOCK) {
                let padding = padded[len..].iter().zip(padding(len, Self::HALF));
                let this = padding.fold(0, |all, (byte, expected)| all | (byte ^ expected)).ct_eq(&0);
                found.ct_assign(&(len as u64), this);
                right |= this;
            }
        }
        right.to_bool().then_some(found as usize)
    }

    /// All rounds, in place. Each takes the first half block and one of the others, in turn.
    fn encrypt(&self, data: &mut [u8]) {
        let (first, others) = data.split_at_mut(Self::HALF);
        let mut block = C::ZERO;
        block[..Self::HALF].copy_from_slice(first);
        let len = others.len();
        for round in 0..rounds::<C>(len) {
            let other = &mut others[round * Self::HALF % len..][..Self::HALF];
            block[Self::HALF..].copy_from_slice(other);
            self.cipher.encrypt_block(&mut block);
            let (lower, upper) = block.split_at_mut(Self::HALF);
            other.copy_from_slice(lower);
            lower.copy_from_slice(upper);
            xor(lower, &(round as u64 + 1).to_le_bytes());
        }
        first.copy_from_slice(&block[..Self::HALF]);
        block.zeroize();
    }

    /// The same backwards, with the last block apart from the data.
    fn decrypt(&self, data: &mut [u8], last: &mut Block<C>) {
        let (first, others) = data.split_at_mut(Self::HALF);
        let len = others.len() + Self::BLOCK;
        let mut block = C::ZERO;
        block[Self::HALF..].copy_from_slice(first);
        for round in (0..rounds::<C>(len)).rev() {
            let at = round * Self::HALF % len;
            let other = match at.checked_sub(others.len()) {
                Some(at) => &mut last[at..][..Self::HALF],
                None => &mut others[at..][..Self::HALF],
            };
            let (lower, upper) = block.split_at_mut(Self::HALF);
            xor(upper, &(round as u64 + 1).to_le_bytes());
            lower.copy_from_slice(other);
            self.cipher.decrypt_block(&mut block);
            let (lower, upper) = block.split_at_mut(Self::HALF);
            other.copy_from_slice(upper);
            upper.copy_from_slice(lower);
        }
        first.copy_from_slice(&block[Self::HALF..]);
        block.zeroize();
    }
}

/// Six for each half block but the first; these are `len` bytes.
fn rounds<C: Kalyna>(len: usize) -> usize {
    6 * (len / Kw::<C>::HALF)
}

/// Whether a key of `len` bytes is wrapped with padding.
const fn is_padded(len: usize, block: usize) -> bool {
    len > block && !len.is_multiple_of(block)
}

/// What follows a key of `len` bytes: its length in bits, as half a block, a bit that is set, and endless zeros.
fn padding(len: usize, half: usize) -> impl Iterator<Item = u8> {
    let bits = (8 * len as u64).to_le_bytes().into_iter().chain(repeat(0)).take(half);
    bits.chain([0x80]).chain(repeat(0))
}

keyed_mode!(Kw, "KalynaKw");
