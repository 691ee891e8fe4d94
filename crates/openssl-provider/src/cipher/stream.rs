//! Stream ciphers: counter modes, `ChaCha20` with a counter in its IV, and what ChaCha20-Poly1305 is made of.

use super::Mode;
use super::aead::Parts;
use crate::border::{Checked, Data, Failure};
use crate::params::Param;
use fairlane::dynamic::{CipherAlgorithm, StreamCipher};
use fairlane::poly1305::Poly1305;
use zeroize::Zeroizing;

/// Applies the keystream to all of the data.
fn apply(cipher: &mut dyn StreamCipher, mut data: Data<'_>) -> Checked<usize> {
    let length = data.len();
    let cipher = core::cell::RefCell::new(cipher);
    data.transform(
        length,
        |data| cipher.borrow_mut().apply(data),
        |input, output| cipher.borrow_mut().apply_to(input, output),
    )?;
    Ok(length)
}

/// A cipher whose IV is that of the algorithm.
#[derive(Clone)]
pub(super) struct Counter {
    algorithm: CipherAlgorithm,
    key: Option<Zeroizing<Vec<u8>>>,
    iv: Vec<u8>,
    cipher: Option<Box<dyn StreamCipher>>,
}

impl Counter {
    pub(super) fn new(algorithm: CipherAlgorithm) -> Self {
        Self { algorithm, key: None, iv: Vec::new(), cipher: None }
    }
}

impl Mode for Counter {
    fn begin(&mut self, _: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        let new = key.is_some() || iv.is_some();
        if let Some(key) = key {
            self.key = Some(Zeroizing::new(key.to_vec()));
        }
        if let Some(iv) = iv {
            self.iv = iv.to_vec();
        }
        // Without anything new, the keystream goes on.
        if let (true, Some(key), [_, ..]) = (new, &self.key, self.iv.as_slice()) {
            self.cipher = Some(self.algorithm.cipher(key, &self.iv, None)?);
        }
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        let missing = if self.key.is_none() { Failure::NoKey } else { Failure::NoIv };
        apply(&mut **self.cipher.as_mut().ok_or(missing)?, data)
    }

    fn finish(&mut self, _: &mut [u8]) -> Checked<usize> {
        Ok(0)
    }

    fn iv_size(&self) -> usize {
        self.algorithm.iv_size()
    }

    fn iv(&self, current: bool) -> Checked<Vec<u8>> {
        let position = match &self.cipher {
            Some(cipher) if current => cipher.position()?,
            _ => 0,
        };
        match (position, self.iv.first_chunk(), self.algorithm) {
            (0, ..) => Ok(self.iv.clone()),
            // The number of the first block that is not begun.
            (_, Some(first), CipherAlgorithm::Sm4Ctr) => {
                let number = u128::from_be_bytes(*first).wrapping_add(position.div_ceil(16).into());
                Ok(number.to_be_bytes().to_vec())
            }
            // No IV continues the keystream of the others, and the first one would repeat it.
            _ => Err(Failure::Unsupported),
        }
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

/// `ChaCha20` as OpenSSL has it: the IV begins with the number of the first block, 4 bytes in little-endian order.
#[derive(Clone)]
pub(super) struct ChaCha(Counter, Vec<u8>);

impl ChaCha {
    pub(super) fn new() -> Self {
        Self(Counter::new(CipherAlgorithm::ChaCha20), Vec::new())
    }
}

impl Mode for ChaCha {
    fn begin(&mut self, encrypting: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        let Self(cipher, whole) = self;
        let new = key.is_some() || iv.is_some();
        if let Some(iv) = iv {
            *whole = iv.to_vec();
        }
        let nonce = iv.and_then(|iv| iv.get(4..));
        cipher.begin(encrypting, key, nonce)?;
        if let (true, Some(cipher), Some(number)) = (new, &mut cipher.cipher, whole.first_chunk()) {
            cipher.seek(64 * u64::from(u32::from_le_bytes(*number)))?;
        }
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        self.0.update(data)
    }

    fn finish(&mut self, output: &mut [u8]) -> Checked<usize> {
        self.0.finish(output)
    }

    fn iv_size(&self) -> usize {
        16
    }

    fn iv(&self, current: bool) -> Checked<Vec<u8>> {
        let mut iv = self.1.clone();
        if let (true, Some(cipher), Some(number)) = (current, &self.0.cipher, iv.first_chunk_mut()) {
            // The number of the first block that is not begun.
            let next = cipher.position()?.div_ceil(64);
            *number = u32::try_from(next).map_err(|_| Failure::Unsupported)?.to_le_bytes();
        }
        Ok(iv)
    }

    fn duplicate(&self) -> Box<dyn Mode> {
        Box::new(self.clone())
    }
}

/// ChaCha20-Poly1305 (RFC 8439) piece by piece.
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
        let (_, mut authenticator) = self.message.take().ok_or(Failure::NoIv)?;
        authenticator.update(&associated.to_le_bytes());
        authenticator.update(&length.to_le_bytes());
        Ok(authenticator.finalize())
    }
}
