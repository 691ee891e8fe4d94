//! SM4-GCM (NIST SP 800-38D) piece by piece.
//!
//! Keys, and what masks a tag, are erased in the context. The powers of H and the sum of GHASH move into it, and so
//! does all of a duplicate: what a move leaves on the stack is not erased.

use super::aead::Parts;
use crate::border::{Checked, Failure};
use fairlane::dynamic::{CipherAlgorithm, StreamCipher};
use fairlane::ghash::GHash;
use fairlane::universal_hash::{KeyInit, UniversalHash};
use zeroize::Zeroizing;

#[derive(Clone)]
pub(super) struct Gcm {
    key: Option<(Zeroizing<Vec<u8>>, GHash)>,
    message: Option<Message>,
}

#[derive(Clone)]
struct Message {
    hash: GHash,
    /// The hashed bytes that do not fill a block yet.
    block: [u8; 16],
    buffered: usize,
    /// The keystream, until the last 32 bits of the counter wrap.
    cipher: Box<dyn StreamCipher>,
    /// So many bytes of it are left.
    left: u64,
    /// The first counter, whose last 32 bits count.
    first: Zeroizing<[u8; 16]>,
    /// The encryption of the first counter.
    mask: Zeroizing<[u8; 16]>,
}

impl Gcm {
    pub(super) fn new() -> Self {
        Self { key: None, message: None }
    }

    fn message(&mut self) -> Checked<&mut Message> {
        self.message.as_mut().ok_or(Failure::NoIv)
    }
}

impl Message {
    fn update(&mut self, mut bytes: &[u8]) {
        if self.buffered > 0 {
            let (head, rest) = bytes.split_at(bytes.len().min(16 - self.buffered));
            self.block[self.buffered..][..head.len()].copy_from_slice(head);
            self.buffered += head.len();
            if self.buffered < 16 {
                return;
            }
            self.hash.update_padded(&self.block);
            self.buffered = 0;
            bytes = rest;
        }
        let (whole, rest) = bytes.split_at(bytes.len() / 16 * 16);
        self.hash.update_padded(whole);
        self.block[..rest.len()].copy_from_slice(rest);
        self.buffered = rest.len();
    }

    fn pad(&mut self) {
        self.hash.update_padded(&self.block[..self.buffered]);
        self.buffered = 0;
    }
}

/// The lengths in bits, which are hashed last.
fn lengths(associated: u64, length: u64) -> [u8; 16] {
    (u128::from(8 * associated) << 64 | u128::from(8 * length)).to_be_bytes()
}

impl Parts for Gcm {
    const TLS: bool = false;

    fn set_key(&mut self, key: &[u8]) -> Checked<()> {
        let mut h = Zeroizing::new([0_u8; 16]);
        CipherAlgorithm::Sm4Ctr.cipher(key, &[0; 16], None)?.apply(&mut *h)?;
        self.key = Some((Zeroizing::new(key.to_vec()), GHash::new((&*h).into())));
        Ok(())
    }

    fn iv_fits(length: usize) -> bool {
        (1..=128).contains(&length)
    }

    fn begin(&mut self, iv: &[u8]) -> Checked<()> {
        let (key, hash) = self.key.as_ref().ok_or(Failure::NoKey)?;
        let mut first = Zeroizing::new([0_u8; 16]);
        if iv.len() == 12 {
            first[..12].copy_from_slice(iv);
            first[15] = 1;
        } else {
            let mut hash = hash.clone();
            hash.update_padded(iv);
            hash.update_padded(&lengths(0, iv.len() as u64));
            *first = hash.finalize().into();
        }
        let counter = u32::from_be_bytes([first[12], first[13], first[14], first[15]]);
        let message = self.message.insert(Message {
            hash: hash.clone(),
            block: [0; 16],
            buffered: 0,
            cipher: CipherAlgorithm::Sm4Ctr.cipher(key, &*first, None)?,
            left: 16 * u64::from(u32::MAX - counter),
            first: Zeroizing::new([0; 16]),
            mask: Zeroizing::new([0; 16]),
        });
        // They are filled where they stay: a move would leave a copy on the stack.
        message.first.copy_from_slice(&*first);
        message.cipher.apply(&mut *message.mask)?;
        Ok(())
    }

    fn check_length(associated: u64, length: u64) -> bool {
        associated < 1 << 61 && length <= (1 << 36) - 32
    }

    fn authenticate(&mut self, bytes: &[u8]) -> Checked<()> {
        self.message()?.update(bytes);
        Ok(())
    }

    fn pad(&mut self) -> Checked<()> {
        self.message()?.pad();
        Ok(())
    }

    fn apply(&mut self, data: &mut [u8]) -> Checked<()> {
        let Some((key, _)) = &self.key else { return Err(Failure::NoKey) };
        let message = self.message.as_mut().ok_or(Failure::NoIv)?;
        let (now, after_wrap) = data.split_at_mut((data.len() as u64).min(message.left) as usize);
        message.cipher.apply(now)?;
        message.left -= now.len() as u64;
        if !after_wrap.is_empty() {
            message.first[12..].fill(0);
            message.cipher = CipherAlgorithm::Sm4Ctr.cipher(key, &*message.first, None)?;
            message.left = 16 << 32;
            message.cipher.apply(after_wrap)?;
            message.left -= after_wrap.len() as u64;
        }
        Ok(())
    }

    fn tag(&mut self, associated: u64, length: u64) -> Checked<[u8; 16]> {
        let Message { hash, mask, .. } = self.message()?;
        hash.update_padded(&lengths(associated, length));
        let mut tag: [u8; 16] = hash.clone().finalize().into();
        tag.iter_mut().zip(&**mask).for_each(|(tag, mask)| *tag ^= mask);
        // It is erased where it is.
        self.message = None;
        Ok(tag)
    }
}
