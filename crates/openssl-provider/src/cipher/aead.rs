//! AEADs whose messages come in pieces. As OpenSSL has it, plaintext leaves before the tag is compared.

use super::Mode;
use crate::border::{Checked, Data, Failure, Output, equal};
use crate::params::Param;

/// What differs between the AEADs.
pub(super) trait Parts: Clone + Send + 'static {
    /// Whether it has records of TLS 1.2, as ChaCha20-Poly1305 has (RFC 7905).
    const TLS: bool;

    fn set_key(&mut self, key: &[u8]) -> Checked<()>;
    /// Whether an IV of so many bytes is possible.
    fn iv_fits(length: usize) -> bool;
    /// Begins a message.
    fn begin(&mut self, iv: &[u8]) -> Checked<()>;
    /// Whether it is defined for so many bytes of associated data and of a message.
    fn check_length(associated: u64, length: u64) -> bool;
    /// Takes associated data or ciphertext.
    fn authenticate(&mut self, bytes: &[u8]) -> Checked<()>;
    /// Takes zeros until blocks are whole.
    fn pad(&mut self) -> Checked<()>;
    /// Encrypts or decrypts.
    fn apply(&mut self, data: &mut [u8]) -> Checked<()>;
    /// Ends the message.
    fn tag(&mut self, associated: u64, length: u64) -> Checked<[u8; 16]>;
}

/// What has come of the message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing: the IV, if there is one, is not used yet.
    Before,
    Associated,
    Data,
    /// All of it: another one needs another IV.
    Finished,
    /// A whole record of TLS 1.2, with its tag: the next one brings its own header.
    Recorded,
}

#[derive(Clone)]
pub(super) struct Streaming<P> {
    parts: P,
    encrypting: bool,
    has_key: bool,
    iv_size: usize,
    iv: Option<Vec<u8>>,
    state: State,
    associated: u64,
    length: u64,
    /// The tag: that of an encrypted message, or the one to compare with.
    tag: Option<Tag>,
    /// The header of a record of TLS 1.2, and the bytes of its message.
    record: Option<([u8; 13], usize)>,
}

#[derive(Clone, Copy)]
pub(super) struct Tag {
    bytes: [u8; 16],
    length: usize,
}

impl Tag {
    pub(super) fn new(tag: &[u8]) -> Checked<Self> {
        let mut bytes = [0; 16];
        bytes.get_mut(..tag.len()).filter(|_| !tag.is_empty()).ok_or(Failure::TagLength)?.copy_from_slice(tag);
        Ok(Self { bytes, length: tag.len() })
    }

    /// Whether it is the beginning of `right`, in constant time.
    fn begins(&self, right: &[u8; 16]) -> bool {
        equal(&self.bytes[..self.length], &right[..self.length])
    }
}

/// Bytes that are encrypted and then authenticated while they are near.
const PIECE: usize = 16 << 10;

impl<P: Parts> Streaming<P> {
    pub(super) fn new(parts: P) -> Self {
        Self {
            parts,
            encrypting: true,
            has_key: false,
            iv_size: 12,
            iv: None,
            state: State::Before,
            associated: 0,
            length: 0,
            tag: None,
            record: None,
        }
    }

    /// Begins the message, if nothing of it has come.
    fn ensure_begun(&mut self) -> Checked<()> {
        match self.state {
            State::Before => {
                let iv = self.iv.as_ref().ok_or(if self.has_key { Failure::NoIv } else { Failure::NoKey })?;
                self.parts.begin(iv)?;
                (self.associated, self.length) = (0, 0);
                self.state = State::Associated;
                Ok(())
            }
            State::Finished | State::Recorded => Err(Failure::NoIv),
            State::Associated | State::Data => Ok(()),
        }
    }

    /// Takes note of so many bytes more of the message: all that can be wrong with them, before any is written.
    fn expect(&mut self, length: usize) -> Checked<()> {
        self.ensure_begun()?;
        let length = self.length + length as u64;
        if !P::check_length(self.associated, length) {
            return Err(Failure::TooLong);
        }
        if self.state == State::Associated {
            self.parts.pad()?;
            self.state = State::Data;
        }
        self.length = length;
        Ok(())
    }

    /// Transforms expected bytes in place.
    fn process(&mut self, data: &mut [u8]) -> Checked<()> {
        for piece in data.chunks_mut(PIECE) {
            if self.encrypting {
                self.parts.apply(piece)?;
                self.parts.authenticate(piece)?;
            } else {
                self.parts.authenticate(piece)?;
                self.parts.apply(piece)?;
            }
        }
        Ok(())
    }

    /// Ends the message.
    fn end(&mut self) -> Checked<[u8; 16]> {
        self.ensure_begun()?;
        self.parts.pad()?;
        self.state = State::Finished;
        self.parts.tag(self.associated, self.length)
    }

    /// A record of TLS 1.2: a message of this length and its tag.
    fn record(&mut self, header: [u8; 13], length: usize, data: Data<'_>) -> Checked<()> {
        let fixed = self.iv.as_deref().and_then(|iv| iv.first_chunk::<12>()).ok_or(Failure::NoIv)?;
        let mut nonce = *fixed;
        nonce[4..].iter_mut().zip(&header[..8]).for_each(|(nonce, number)| *nonce ^= number);
        self.parts.begin(&nonce)?;
        (self.associated, self.length, self.state) = (0, 0, State::Associated);
        self.associate(&header)?;
        self.expect(length)?;
        let (message, tag) = data.copied()?.split_last_chunk_mut::<16>().ok_or(Failure::Length)?;
        self.process(message)?;
        let right = self.end()?;
        if self.encrypting {
            *tag = right;
        } else if !(Tag { bytes: *tag, length: 16 }).begins(&right) {
            message.fill(0);
            return Err(Failure::WrongTag);
        }
        self.state = State::Recorded;
        Ok(())
    }
}

impl<P: Parts> Mode for Streaming<P> {
    fn turn(&mut self, encrypting: bool) {
        self.encrypting = encrypting;
    }

    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        if let Some(key) = key {
            self.parts.set_key(key)?;
            self.has_key = true;
        }
        if let Some(iv) = iv {
            self.iv = Some(iv.to_vec());
        } else if key.is_some() && self.state != State::Before {
            // A message had this IV, perhaps under this very key.
            self.iv = None;
        }
        if key.is_some() || iv.is_some() {
            self.state = State::Before;
            self.record = None;
            if self.encrypting {
                self.tag = None;
            }
        }
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        let length = data.len();
        data.check_room(length)?;
        match self.record.take() {
            Some((header, expected)) if length == expected + 16 => {
                self.record(header, expected, data)?;
                Ok(if self.encrypting { length } else { expected })
            }
            Some(_) => Err(Failure::Length),
            None => {
                self.expect(length)?;
                self.process(data.copied()?)?;
                Ok(length)
            }
        }
    }

    fn finish(&mut self, _: Output<'_>) -> Checked<usize> {
        if self.state == State::Recorded {
            return Ok(0);
        }
        let right = self.end()?;
        if self.encrypting {
            self.tag = Some(Tag { bytes: right, length: 16 });
        } else if !self.tag.take().ok_or(Failure::TagLength)?.begins(&right) {
            return Err(Failure::WrongTag);
        }
        Ok(0)
    }

    fn associate(&mut self, data: &[u8]) -> Checked<()> {
        self.ensure_begun()?;
        if self.state != State::Associated {
            return Err(Failure::Order);
        }
        self.associated += data.len() as u64;
        if !P::check_length(self.associated, 0) {
            return Err(Failure::TooLong);
        }
        self.parts.authenticate(data)
    }

    fn iv_size(&self) -> usize {
        self.iv_size
    }

    fn iv(&self, _: bool) -> Checked<Vec<u8>> {
        Ok(self.iv.clone().unwrap_or_default())
    }

    fn get(&self, param: &mut Param) -> Checked<()> {
        match param.name() {
            b"taglen" => param.put_number(self.tag.map_or(16, |tag| tag.length)),
            b"tag" => {
                let (wanted, _) = param.get_octets()?;
                let tag = self.tag.filter(|_| self.encrypting && self.state == State::Finished);
                let tag = tag.ok_or(Failure::Order)?;
                param.put_octets(tag.bytes.get(..wanted).filter(|tag| !tag.is_empty()).ok_or(Failure::TagLength)?)
            }
            b"tlsivgen" => Err(Failure::Unsupported),
            b"tlsaadpad" if P::TLS => param.put_number(16),
            b"padding" | b"num" => param.put_number(0),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Checked<()> {
        match param.name() {
            b"ivlen" => {
                let size = param.get_number()?;
                if !P::iv_fits(size) {
                    return Err(Failure::IvLength);
                }
                if size != self.iv_size {
                    (self.iv_size, self.iv) = (size, None);
                }
            }
            b"tag" => match param.get_octets()? {
                (1..=16, None) => {}
                (_, Some(_)) if self.encrypting && self.has_key => return Err(Failure::Order),
                (_, Some(tag)) => self.tag = Some(Tag::new(tag)?),
                _ => return Err(Failure::TagLength),
            },
            b"tlsaad" if P::TLS => {
                let (_, header) = param.get_octets()?;
                let mut header: [u8; 13] =
                    header.and_then(|header| header.try_into().ok()).ok_or(Failure::WrongParameter)?;
                let mut length = u16::from_be_bytes([header[11], header[12]]);
                if !self.encrypting {
                    length = length.checked_sub(16).ok_or(Failure::Length)?;
                    header[11..].copy_from_slice(&length.to_be_bytes());
                }
                self.record = Some((header, length.into()));
            }
            b"tlsivfixed" if P::TLS => {
                let (_, iv) = param.get_octets()?;
                self.iv = Some(iv.filter(|iv| iv.len() == 12).ok_or(Failure::IvLength)?.to_vec());
            }
            b"tlsaad" | b"tlsivfixed" | b"tlsivinv" => return Err(Failure::Unsupported),
            _ => {}
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn Mode> {
        Box::new(self.clone())
    }
}
