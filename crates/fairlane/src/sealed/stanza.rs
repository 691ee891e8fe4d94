//! Stanzas: in each, one recipient finds the file key, which is the master key of a file that is sealed to recipients.
//!
//! A stanza is the number of the KEM, the KEM's ciphertext, and the file key under ChaCha20-Poly1305 with a key that
//! HKDF derives from the KEM's secret. That key is used once, so that the nonce may be zero.

use super::stream::fill;
use super::{Error, Identity, Kem, Recipient, SharedSecret, TAG};
use crate::dynamic::{Aead, AeadAlgorithm};
use crate::keccak::sha3_256;
use hkdf::Hkdf;
use sha2::Sha512;
use std::io::Read;
use zeroize::Zeroizing;

/// The most recipients of a file: 64. A reader tries its identity on each of them.
pub const MAX_RECIPIENTS: usize = 64;

/// The first part of HKDF's info, for these keys alone.
const PURPOSE: &[u8] = b"fairlane stanza 1";

/// The AEAD that wraps the file key, its key and its nonce.
const AEAD: AeadAlgorithm = AeadAlgorithm::ChaCha20Poly1305;
const KEY: usize = 32;
const NONCE: [u8; 12] = [0; 12];

/// Bytes of the file key.
const FILE_KEY: usize = 32;

/// Bytes of a wrapped file key.
const WRAPPED: usize = FILE_KEY + TAG;

/// The file key: random, and another one for each file.
pub(super) type FileKey = Zeroizing<[u8; FILE_KEY]>;

/// A stanza that was read, and not verified.
pub(super) struct Stanza {
    pub(super) kem: Kem,
    bytes: Vec<u8>,
}

impl Stanza {
    /// Wraps the file key for a recipient.
    pub(super) fn seal(recipient: &Recipient, salt: &[u8], file_key: &FileKey) -> Result<Self, Error> {
        let kem = recipient.kem();
        let (ciphertext, shared) = recipient.encapsulate()?;
        let mut bytes = [&[kem.number()], &ciphertext[..], &[0; WRAPPED]].concat();
        let wrapped = &mut bytes[1 + ciphertext.len()..];
        let sealed = wrapping(recipient, salt, &ciphertext, &shared).seal(&NONCE, &[], &**file_key, wrapped);
        sealed.expect("the lengths are right");
        Ok(Self { kem, bytes })
    }

    /// Reads one.
    pub(super) fn read(reader: &mut dyn Read) -> Result<Self, Error> {
        let mut bytes = vec![0];
        if fill(reader, &mut bytes)? == 0 {
            return Err(Error::Truncated);
        }
        let kem = Kem::from_number(bytes[0]).ok_or(Error::UnknownKem(bytes[0]))?;
        bytes.resize(1 + kem.ciphertext_size() + WRAPPED, 0);
        if fill(reader, &mut bytes[1..])? < bytes.len() - 1 {
            return Err(Error::Truncated);
        }
        Ok(Self { kem, bytes })
    }

    /// Its bytes in the file.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file key; `None` if this stanza is for another recipient, or was changed.
    fn open(&self, identity: &Identity, recipient: &Recipient, salt: &[u8]) -> Result<Option<FileKey>, Error> {
        let (ciphertext, wrapped) = self.bytes[1..].split_at(self.kem.ciphertext_size());
        let shared = identity.decapsulate(ciphertext)?;
        let mut file_key = FileKey::default();
        let opened = wrapping(recipient, salt, ciphertext, &shared).open(&NONCE, &[], wrapped, &mut *file_key);
        Ok(opened.is_ok().then_some(file_key))
    }
}

/// Finds the file key in the stanza of the identity's recipient.
pub(super) fn find(stanzas: &[Stanza], identity: &Identity, salt: &[u8]) -> Result<FileKey, Error> {
    if stanzas.iter().all(|stanza| stanza.kem != identity.kem()) {
        return Err(Error::OtherKem { file: stanzas[0].kem, identity: identity.kem() });
    }
    let recipient = identity.recipient();
    for stanza in stanzas.iter().filter(|stanza| stanza.kem == identity.kem()) {
        if let Some(file_key) = stanza.open(identity, &recipient, salt)? {
            return Ok(file_key);
        }
    }
    Err(Error::WrongIdentity)
}

/// The AEAD under the key that wraps the file key for one recipient.
fn wrapping(recipient: &Recipient, salt: &[u8], ciphertext: &[u8], shared: &SharedSecret) -> Box<dyn Aead> {
    let mut key = Zeroizing::new([0; KEY]);
    let info = [PURPOSE, &[recipient.kem().number()], &sha3_256(recipient.as_bytes()), ciphertext];
    let expanded = Hkdf::<Sha512>::new(Some(salt), &**shared).expand_multi_info(&info, &mut *key);
    expanded.expect("far less than HKDF can give");
    AEAD.aead(&*key, None).expect("the length is right")
}
