//! AEADs that take a message in one call, as OpenSSL's CCM does: CCM of SM4, and Kalyna's modes.
//!
//! The calls come in this order: the lengths of IV and tag, or the tag; key and IV; for CCM the length of the message;
//! the associated data; the message. A message with a wrong tag is not written.

use super::Mode;
use crate::border::{Checked, Data, Failure, Output};
use crate::params::Param;
use fairlane::aead::array::ArraySize;
use fairlane::aead::consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16};
use fairlane::aead::{AeadInOut, KeyInit};
use fairlane::dynamic::{Aead, AeadAlgorithm};
use fairlane::sm4::Ccm;
use zeroize::Zeroizing;

/// Which AEAD it is.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// With IVs of 7 to 13 bytes and tags of 4 to 16.
    Sm4Ccm,
    /// With the sizes of the algorithm. A tag to compare with is a whole one; a new one can be had in part.
    Named(AeadAlgorithm),
}

#[derive(Clone)]
enum Keyed {
    Sm4Ccm(Zeroizing<[u8; 16]>),
    Named(Box<dyn Aead>),
}

#[derive(Clone)]
pub(super) struct Whole {
    kind: Kind,
    key: Option<Keyed>,
    encrypting: bool,
    iv_size: usize,
    iv: Option<Vec<u8>>,
    /// Whether the IV has had its message.
    used: bool,
    tag_size: usize,
    /// The tag of the encrypted message, or the one to compare with.
    tag: Option<Vec<u8>>,
    associated: Vec<u8>,
    announced: Option<usize>,
    /// Whether the message has come, and its tag was right if it was decrypted.
    done: bool,
}

/// Bytes of the longest associated data, which is kept until the message comes.
const LONGEST: usize = 1 << 30;

impl Whole {
    pub(super) fn new(kind: Kind) -> Self {
        // Those of OpenSSL's CCM.
        let (iv_size, tag_size) = match kind {
            Kind::Sm4Ccm => (7, 12),
            Kind::Named(algorithm) => (algorithm.nonce_size(), algorithm.tag_size()),
        };
        Self {
            kind,
            key: None,
            encrypting: true,
            iv_size,
            iv: None,
            used: false,
            tag_size,
            tag: None,
            associated: Vec::new(),
            announced: None,
            done: false,
        }
    }

    fn tag_fits(&self, length: usize) -> bool {
        match self.kind {
            Kind::Sm4Ccm => matches!(length, 4 | 6 | 8 | 10 | 12 | 14 | 16),
            Kind::Named(algorithm) => length == algorithm.tag_size(),
        }
    }
}

impl Mode for Whole {
    fn turn(&mut self, encrypting: bool) {
        self.encrypting = encrypting;
    }

    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        self.done = false;
        if let Some(key) = key {
            self.key = Some(match self.kind {
                Kind::Sm4Ccm => Keyed::Sm4Ccm(Zeroizing::new(key.try_into().map_err(|_| Failure::KeyLength)?)),
                Kind::Named(algorithm) => Keyed::Named(algorithm.aead(key, None)?),
            });
        }
        if let Some(iv) = iv {
            self.iv = Some(iv.to_vec());
            self.used = false;
            self.associated.clear();
            self.announced = None;
            if self.encrypting {
                self.tag = None;
            }
        }
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        self.done = false;
        let length = data.len();
        if self.announced.is_some_and(|announced| announced != length) {
            return Err(Failure::Length);
        }
        let key = self.key.as_ref().ok_or(Failure::NoKey)?;
        let iv = self.iv.as_deref().filter(|_| !self.used).ok_or(Failure::NoIv)?;
        let mut tag = match (self.encrypting, &self.tag) {
            (true, _) => vec![0; self.tag_size],
            (false, Some(tag)) if tag.len() == self.tag_size => tag.clone(),
            (false, _) => return Err(Failure::TagLength),
        };
        let (input, output) = data.apart(length)?;
        // A call that has failed before, for want of a tag or of room, may come again.
        self.used = true;
        let mut message = input.into_copy();
        let (encrypting, associated) = (self.encrypting, &self.associated);
        match key {
            Keyed::Sm4Ccm(key) => ccm(key, encrypting, iv, associated, &mut message, &mut tag)?,
            Keyed::Named(aead) if encrypting => aead.seal_in_place(iv, associated, &mut message, &mut tag)?,
            Keyed::Named(aead) => aead.open_in_place(iv, associated, &mut message, &tag)?,
        }
        output.copy_from_slice(&message);
        self.tag = Some(tag);
        self.done = true;
        Ok(length)
    }

    fn finish(&mut self, _: Output<'_>) -> Checked<usize> {
        if self.iv.is_some() && !self.used {
            // OpenSSL passes no piece without bytes on: this message may be empty.
            self.update(Data::between(&[], &mut []))?;
        }
        if core::mem::take(&mut self.done) { Ok(0) } else { Err(Failure::Order) }
    }

    fn associate(&mut self, data: &[u8]) -> Checked<()> {
        if self.associated.len() + data.len() > LONGEST {
            return Err(Failure::TooLong);
        }
        self.associated.extend_from_slice(data);
        Ok(())
    }

    fn announce(&mut self, length: usize) -> Checked<()> {
        self.announced = Some(length);
        Ok(())
    }

    fn iv_size(&self) -> usize {
        self.iv_size
    }

    fn iv(&self, _: bool) -> Checked<Vec<u8>> {
        Ok(self.iv.clone().unwrap_or_default())
    }

    fn get(&self, param: &mut Param) -> Checked<()> {
        match param.name() {
            b"taglen" => param.put_number(self.tag_size),
            b"tag" => {
                let tag = self.tag.as_ref().filter(|_| self.encrypting && self.used).ok_or(Failure::Order)?;
                let (wanted, _) = param.get_octets()?;
                param.put_octets(tag.get(..wanted).ok_or(Failure::TagLength)?)
            }
            b"tlsivgen" => Err(Failure::Unsupported),
            b"padding" | b"num" => param.put_number(0),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Checked<()> {
        match param.name() {
            b"ivlen" => {
                let size = param.get_number()?;
                let fits = match self.kind {
                    Kind::Sm4Ccm => (7..=13).contains(&size),
                    Kind::Named(algorithm) => size == algorithm.nonce_size(),
                };
                if !fits {
                    return Err(Failure::IvLength);
                }
                if size != self.iv_size {
                    (self.iv_size, self.iv) = (size, None);
                }
            }
            b"tag" => {
                let (size, tag) = param.get_octets()?;
                if !self.tag_fits(size) {
                    return Err(Failure::TagLength);
                }
                if tag.is_some() && self.encrypting && self.key.is_some() {
                    return Err(Failure::Order);
                }
                self.tag_size = size;
                if let Some(tag) = tag {
                    self.tag = Some(tag.to_vec());
                }
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

/// CCM of SM4 in place. Writes the tag, or compares it.
fn ccm(
    key: &[u8; 16],
    encrypting: bool,
    iv: &[u8],
    associated: &[u8],
    message: &mut [u8],
    tag: &mut [u8],
) -> Checked<()> {
    fn run<N: ArraySize, T: ArraySize>(
        key: &[u8; 16],
        encrypting: bool,
        iv: &[u8],
        associated: &[u8],
        message: &mut [u8],
        tag: &mut [u8],
    ) -> Checked<()> {
        let cipher = Ccm::<N, T>::new(&(*key).into());
        let iv = iv.try_into().map_err(|_| Failure::IvLength)?;
        if encrypting {
            let made = cipher.encrypt_inout_detached(iv, associated, message.into());
            tag.copy_from_slice(&made.map_err(|_| Failure::TooLong)?);
            Ok(())
        } else {
            let tag = (&*tag).try_into().map_err(|_| Failure::TagLength)?;
            let opened = cipher.decrypt_inout_detached(iv, associated, message.into(), tag);
            opened.map_err(|_| Failure::WrongTag)
        }
    }
    macro_rules! sizes {
        ($($iv_size:literal $iv:ident)*) => {
            match (iv.len(), tag.len()) {
                $(
                    ($iv_size, 4) => run::<$iv, U4>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 6) => run::<$iv, U6>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 8) => run::<$iv, U8>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 10) => run::<$iv, U10>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 12) => run::<$iv, U12>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 14) => run::<$iv, U14>(key, encrypting, iv, associated, message, tag),
                    ($iv_size, 16) => run::<$iv, U16>(key, encrypting, iv, associated, message, tag),
                )*
                _ => Err(Failure::TagLength),
            }
        };
    }
    sizes!(7 U7 8 U8 9 U9 10 U10 11 U11 12 U12 13 U13)
}
