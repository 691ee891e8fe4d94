//! ECB and CBC, with or without the padding of PKCS #7.

use super::Mode;
use crate::border::{Checked, Data, Failure, Output};
use crate::params::Param;
use fairlane::dynamic::{BlockMode, BlockModeAlgorithm};
use zeroize::Zeroizing;

/// Bytes of the longest block.
const LONGEST: usize = 64;

#[derive(Clone)]
pub(super) struct Blocks {
    algorithm: BlockModeAlgorithm,
    mode: Option<Box<dyn BlockMode>>,
    encrypting: bool,
    padding: bool,
    /// The IV that was set.
    iv: Vec<u8>,
    /// The IV of the next block: the ciphertext block before it.
    next: Vec<u8>,
    /// The bytes that do not fill a block yet; before the end of a padded message is decrypted, up to a whole block.
    buffer: Zeroizing<[u8; LONGEST]>,
    buffered: usize,
}

impl Blocks {
    pub(super) fn new(algorithm: BlockModeAlgorithm) -> Self {
        Self {
            algorithm,
            mode: None,
            encrypting: true,
            padding: true,
            iv: Vec::new(),
            next: Vec::new(),
            buffer: Zeroizing::new([0; LONGEST]),
            buffered: 0,
        }
    }

    /// The mode, if all is set that it needs.
    fn ready(&self) -> Checked<&dyn BlockMode> {
        if self.iv.len() != self.algorithm.iv_size() {
            return Err(Failure::NoIv);
        }
        self.mode.as_deref().ok_or(Failure::NoKey)
    }

    /// Transforms whole blocks.
    fn transform(&mut self, data: Data<'_>, length: usize) -> Checked<()> {
        if length == 0 {
            return Ok(());
        }
        let (encrypting, iv_size) = (self.encrypting, self.algorithm.iv_size());
        let last = |bytes: &[u8]| bytes[length - iv_size..length].to_vec();
        let before = if encrypting { Vec::new() } else { last(data.input()) };
        let (mode, iv) = (self.ready()?, self.next.as_slice());
        let output = data.transform(
            length,
            |data| if encrypting { mode.encrypt_in_place(iv, data) } else { mode.decrypt_in_place(iv, data) },
            |input, output| if encrypting { mode.encrypt(iv, input, output) } else { mode.decrypt(iv, input, output) },
        )?;
        self.next = if encrypting { last(output) } else { before };
        Ok(())
    }

    /// Transforms the buffer, which holds a block.
    fn transform_buffer(&mut self, output: &mut [u8]) -> Checked<()> {
        let block = self.algorithm.block_size();
        let buffer = self.buffer.clone();
        self.transform(Data::between(&buffer[..block], output), block)?;
        self.buffered = 0;
        Ok(())
    }
}

impl Mode for Blocks {
    fn turn(&mut self, encrypting: bool) {
        self.encrypting = encrypting;
    }

    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        self.buffered = 0;
        if let Some(key) = key {
            self.mode = Some(self.algorithm.mode(key, None)?);
        }
        if let Some(iv) = iv {
            self.iv = iv.to_vec();
        }
        // Without a new IV, messages begin with the one that was set, as with OpenSSL's own CBC.
        self.next.clone_from(&self.iv);
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        self.ready()?;
        let block = self.algorithm.block_size();
        let all = self.buffered + data.len();
        // The last block of a padded message waits for the end.
        let kept = match all % block {
            0 if self.padding && !self.encrypting && all > 0 => block,
            rest => rest,
        };
        let now = all - kept;
        data.check_room(now)?;
        if self.buffered == 0 {
            let rest = Zeroizing::new(data.input()[now..].to_vec());
            self.transform(data, now)?;
            self.buffer[..kept].copy_from_slice(&rest);
            self.buffered = kept;
            return Ok(now);
        }
        let (input, output) = data.apart(now)?;
        let (head, input) = input.split_at(input.len().min(block - self.buffered));
        self.buffer[self.buffered..][..head.len()].copy_from_slice(head);
        self.buffered += head.len();
        if now == 0 {
            return Ok(0);
        }
        let (first, output) = output.split_at_mut(block);
        self.transform_buffer(first)?;
        let (whole, rest) = input.split_at(now - block);
        let length = whole.len();
        self.transform(Data::between(whole, output), length)?;
        self.buffer[..kept].copy_from_slice(rest);
        self.buffered = kept;
        Ok(now)
    }

    fn whole(&mut self, data: Data<'_>) -> Checked<usize> {
        let length = data.len();
        if !length.is_multiple_of(self.algorithm.block_size()) {
            return Err(Failure::NotWholeBlocks);
        }
        self.transform(data, length)?;
        Ok(length)
    }

    fn finish(&mut self, output: Output<'_>) -> Checked<usize> {
        self.ready()?;
        let block = self.algorithm.block_size();
        if self.padding && self.encrypting {
            let missing = block - self.buffered;
            self.buffer[self.buffered..block].fill(missing as u8);
            self.buffered = block;
        } else if !self.padding && self.buffered == 0 {
            return Ok(0);
        }
        if self.buffered != block {
            return Err(Failure::NotWholeBlocks);
        }
        let mut last = Zeroizing::new([0; LONGEST]);
        self.transform_buffer(&mut last[..block])?;
        let mut message = &last[..block];
        if self.padding && !self.encrypting {
            let padding = usize::from(last[block - 1]);
            let (rest, bytes) = message.split_at(block.checked_sub(padding).ok_or(Failure::WrongPadding)?);
            if padding == 0 || bytes.iter().any(|byte| usize::from(*byte) != padding) {
                return Err(Failure::WrongPadding);
            }
            message = rest;
        }
        output.first(message.len())?.copy_from_slice(message);
        Ok(message.len())
    }

    fn iv_size(&self) -> usize {
        self.algorithm.iv_size()
    }

    fn iv(&self, current: bool) -> Checked<Vec<u8>> {
        Ok(if current { &self.next } else { &self.iv }.clone())
    }

    fn get(&self, param: &mut Param) -> Checked<()> {
        match param.name() {
            b"padding" => param.put_number(self.padding.into()),
            b"num" => param.put_number(0),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Checked<()> {
        if param.name() == b"padding" {
            self.padding = param.get_number()? != 0;
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn Mode> {
        Box::new(self.clone())
    }
}
