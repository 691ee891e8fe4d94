//! Stream ciphers: counter modes, `ChaCha20` with a counter in its IV, and what ChaCha20-Poly1305 is made of.

use super::Mode;
use super::aead::Parts;
use crate::border::{Checked, Data, Failure, Output};
use crate::params::Param;
use core::cell::RefCell;
use fairlane::dynamic::{CipherAlgorithm, StreamCipher};
use fairlane::poly1305::Poly1305;
use zeroize::Zeroizing;

/// A cipher whose IV is that of the algorithm. That of `ChaCha20` is OpenSSL's, which has the number of the first block
/// before the nonce: 4 bytes in little-endian order.
#[derive(Clone)]
pub(super) struct Counter {
    algorithm: CipherAlgorithm,
    key: Option<Zeroizing<Vec<u8>>>,
    /// The IV that was set.
    iv: Vec<u8>,
    /// The IV from which the cipher counts its position.
    first: Vec<u8>,
    cipher: Option<Box<dyn StreamCipher>>,
}

impl Counter {
    pub(super) fn new(algorithm: CipherAlgorithm) -> Self {
        Self { algorithm, key: None, iv: Vec::new(), first: Vec::new(), cipher: None }
    }

    /// Goes to the beginning of an IV's keystream; without a key or an IV there is none.
    fn start(&mut self, first: Vec<u8>) -> Checked<()> {
        self.first = first;
        self.cipher = None;
        let Some(key) = self.key.as_ref().filter(|_| !self.first.is_empty()) else { return Ok(()) };
        let (number, nonce) = self.first.split_at(self.first.len() - self.algorithm.iv_size());
        let mut cipher = self.algorithm.cipher(key, nonce, None)?;
        if let Some(number) = number.first_chunk() {
            cipher.seek(64 * u64::from(u32::from_le_bytes(*number)))?;
        }
        self.cipher = Some(cipher);
        Ok(())
    }

    /// The IV whose keystream begins with the first block that is not begun.
    fn next(&self) -> Checked<Vec<u8>> {
        let mut iv = self.first.clone();
        let position = self.cipher.as_ref().map_or(Ok(0), |cipher| cipher.position())?;
        match self.algorithm {
            _ if position == 0 => {}
            CipherAlgorithm::Sm4Ctr => {
                let number = iv.first_chunk_mut().ok_or(Failure::NoIv)?;
                *number = u128::from_be_bytes(*number).wrapping_add(position.div_ceil(16).into()).to_be_bytes();
            }
            CipherAlgorithm::ChaCha20 => {
                // As OpenSSL has it, the number of a block is carried into the next 4 bytes.
                let number = iv.first_chunk_mut().ok_or(Failure::NoIv)?;
                let carried = u64::from_le_bytes(*number) >> 32 << 32;
                *number = carried.wrapping_add(position.div_ceil(64)).to_le_bytes();
            }
            // No IV continues the keystream of the others, and the first one would repeat it.
            _ => return Err(Failure::Unsupported),
        }
        Ok(iv)
    }

    fn cipher(&mut self) -> Checked<&mut dyn StreamCipher> {
        let missing = if self.key.is_none() { Failure::NoKey } else { Failure::NoIv };
        Ok(&mut **self.cipher.as_mut().ok_or(missing)?)
    }
}

impl Mode for Counter {
    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        let first = match iv {
            Some(iv) => {
                self.iv = iv.to_vec();
                self.iv.clone()
            }
            // Without an IV the blocks are counted on, under a new key, too.
            None if key.is_some() || self.algorithm == CipherAlgorithm::Sm4Ctr => self.next().unwrap_or_else(|_| {
                self.iv.clear();
                Vec::new()
            }),
            None => return Ok(()),
        };
        if let Some(key) = key {
            self.key = Some(Zeroizing::new(key.to_vec()));
        }
        self.start(first)
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        let (length, numbers_end) = (data.len(), self.algorithm == CipherAlgorithm::ChaCha20);
        let cipher = self.cipher()?;
        let left = if numbers_end { (64_u64 << 32).saturating_sub(cipher.position()?) } else { u64::MAX };
        if length as u64 > left {
            let (now, rest) = data.copied()?.split_at_mut(left as usize);
            cipher.apply(now)?;
            self.start(self.next()?)?;
            self.cipher()?.apply(rest)?;
            return Ok(length);
        }
        let cipher = RefCell::new(cipher);
        data.transform(
            length,
            |data| cipher.borrow_mut().apply(data),
            |input, output| cipher.borrow_mut().apply_to(input, output),
        )?;
        Ok(length)
    }

    fn finish(&mut self, _: Output<'_>) -> Checked<usize> {
        Ok(0)
    }

    fn iv_size(&self) -> usize {
        self.algorithm.iv_size() + if self.algorithm == CipherAlgorithm::ChaCha20 { 4 } else { 0 }
    }

    fn iv(&self, current: bool) -> Checked<Vec<u8>> {
        if current { self.next() } else { Ok(self.iv.clone()) }
    }

    fn get(&self, param: &mut Param) -> Checked<()> {
        match (param.name(), &self.cipher, self.algorithm) {
            // The counter has gone on, as OpenSSL tells it: for SM4 alone, whose programs may use it.
            (b"num", Some(cipher), CipherAlgorithm::Sm4Ctr) => param.put_number((cipher.position()? % 16) as usize),
            (b"num", ..) => param.put_number(0),
            (b"padding", ..) => param.put_number(0),
            _ => Ok(()),
        }
    }

    fn duplicate(&self) -> Box<dyn Mode> {
        Box::new(self.clone())
    }
}

/// ChaCha20-Poly1305 (RFC 8439) piece by piece.
///
/// The key and the cipher are erased where they are. Poly1305, with the one-time key of a message, moves into the
/// context, and what a move leaves on the stack is not erased.
#[derive(Clone)]
pub(super) struct ChaChaPoly {
    key: Option<Zeroizing<Vec<u8>>>,
    message: Option<(Box<dyn StreamCipher>, Poly1305)>,
}

impl ChaChaPoly {
    pub(super) fn new() -> Self {
        Self { key: None, message: None }
    }

    fn message(&mut self) -> Checked<&mut (Box<dyn StreamCipher>, Poly1305)> {
        self.message.as_mut().ok_or(Failure::NoIv)
    }
}

impl Parts for ChaChaPoly {
    const TLS: bool = true;

    fn set_key(&mut self, key: &[u8]) -> Checked<()> {
        self.key = Some(Zeroizing::new(key.to_vec()));
        Ok(())
    }

    fn iv_fits(length: usize) -> bool {
        length == 12
    }

    fn begin(&mut self, iv: &[u8]) -> Checked<()> {
        let key = self.key.as_ref().ok_or(Failure::NoKey)?;
        let mut cipher = CipherAlgorithm::ChaCha20.cipher(key, iv, None)?;
        let mut one_time = Zeroizing::new([0; 32]);
        cipher.apply(&mut *one_time)?;
        cipher.seek(64)?;
        self.message = Some((cipher, Poly1305::new(&one_time)));
        Ok(())
    }

    fn check_length(_: u64, length: u64) -> bool {
        length <= (1 << 38) - 64
    }

    fn authenticate(&mut self, bytes: &[u8]) -> Checked<()> {
        self.message()?.1.update(bytes);
        Ok(())
    }

    fn pad(&mut self) -> Checked<()> {
        self.message()?.1.update_padded(&[]);
        Ok(())
    }

    fn apply(&mut self, data: &mut [u8]) -> Checked<()> {
        Ok(self.message()?.0.apply(data)?)
    }

    fn tag(&mut self, associated: u64, length: u64) -> Checked<[u8; 16]> {
        let (_, authenticator) = self.message()?;
        authenticator.update(&associated.to_le_bytes());
        authenticator.update(&length.to_le_bytes());
        let tag = authenticator.clone().finalize();
        // It is erased where it is.
        self.message = None;
        Ok(tag)
    }
}
