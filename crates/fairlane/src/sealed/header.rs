//! The header of a sealed file, and the derivation of the file's keys.
//!
//! HKDF derives the chunks' key and the key check, which is the end of the header. Its salt is the header's salt; its
//! info is the header before the salt and the KEM's ciphertext. So every byte of the header is authenticated.

use super::secret::{PassphraseCost, Secret};
use super::stream::{StreamBe32, fill};
use super::{Algorithm, Error, Kem, Options, Recipient};
use crate::ct;
use crate::keccak::sha3_256;
use hkdf::Hkdf;
use sha2::Sha512;
use std::io::Read;
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"fairseal";
const VERSION: u8 = 1;
const SALT: usize = 32;
const CHECK: usize = 32;
/// The offset of the salt.
const SALT_AT: usize = 20;
/// The offset of the key check.
const CHECK_AT: usize = SALT_AT + SALT;
/// Bytes of a header, without the KEM's ciphertext that may follow.
pub(super) const HEADER: usize = CHECK_AT + CHECK;

/// Enough for the key and the nonce prefix of every algorithm.
const MATERIAL: usize = 128;

/// The source of the master key, as a byte of the header.
const FROM_KEY: u8 = 0;
const FROM_PASSPHRASE: u8 = 1;
const FROM_KEM: u8 = 2;

/// Where the master key comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Key,
    Passphrase(PassphraseCost),
    Recipient(Kem),
}

/// A parsed header.
pub(super) struct Header {
    bytes: [u8; HEADER],
    /// The KEM's ciphertext; empty if the file is not sealed to a recipient.
    ciphertext: Vec<u8>,
    pub(super) algorithm: Algorithm,
    pub(super) source: Source,
}

/// Returns the header of a new file, and the file's cipher.
pub(super) fn seal(secret: Secret, options: &Options) -> Result<(Vec<u8>, StreamBe32), Error> {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8] = VERSION;
    bytes[9] = options.algorithm.number();
    getrandom::fill(&mut bytes[SALT_AT..CHECK_AT]).map_err(Error::Random)?;
    let mut ciphertext = Vec::new();
    let derived = match secret {
        Secret::Key(key) => {
            bytes[10] = FROM_KEY;
            derive(&bytes, key.as_bytes(), &[])
        }
        Secret::Passphrase(passphrase) => {
            let cost = options.cost;
            bytes[10] = FROM_PASSPHRASE;
            bytes[11] = cost.lanes();
            bytes[12..16].copy_from_slice(&cost.memory().to_be_bytes());
            bytes[16..20].copy_from_slice(&cost.passes().to_be_bytes());
            derive(&bytes, &*cost.stretch(passphrase, &bytes[SALT_AT..CHECK_AT])?, &[])
        }
        Secret::Recipient(recipient) => {
            bytes[10] = FROM_KEM;
            bytes[11] = recipient.kem().number();
            let shared;
            (ciphertext, shared) = recipient.encapsulate()?;
            derive(&bytes, &*shared, &context(recipient, &ciphertext))
        }
        Secret::Identity(identity) => return seal(Secret::Recipient(&identity.recipient()), options),
    };
    let (check, material) = derived.split_at(CHECK);
    bytes[CHECK_AT..].copy_from_slice(check);
    Ok(([&bytes[..], &ciphertext].concat(), options.algorithm.cipher(material)))
}

impl Header {
    /// Reads a header without verifying it.
    pub(super) fn read(reader: &mut dyn Read) -> Result<Self, Error> {
        let mut bytes = [0; HEADER];
        let read = fill(reader, &mut bytes)?;
        if !bytes[..read].starts_with(MAGIC) {
            return Err(Error::NotASealedFile);
        }
        if read > 8 && bytes[8] != VERSION {
            return Err(Error::UnknownVersion(bytes[8]));
        }
        if read < HEADER {
            return Err(Error::Truncated);
        }
        let algorithm = Algorithm::from_number(bytes[9]).ok_or(Error::UnknownAlgorithm(bytes[9]))?;
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let mut ciphertext = Vec::new();
        let source = match bytes[10] {
            FROM_KEY => Source::Key,
            FROM_PASSPHRASE => Source::Passphrase(PassphraseCost::new(number(12), number(16), bytes[11])?),
            FROM_KEM => {
                let kem = Kem::from_number(bytes[11]).ok_or(Error::UnknownKem(bytes[11]))?;
                ciphertext.resize(kem.ciphertext_size(), 0);
                if fill(reader, &mut ciphertext)? < ciphertext.len() {
                    return Err(Error::Truncated);
                }
                Source::Recipient(kem)
            }
            other => return Err(Error::UnknownKeySource(other)),
        };
        Ok(Self { bytes, ciphertext, algorithm, source })
    }

    /// Returns the cipher of the file if the secret is right and the header unchanged.
    pub(super) fn open(&self, secret: Secret) -> Result<StreamBe32, Error> {
        let derived = match (self.source, secret) {
            (Source::Key, Secret::Key(key)) => derive(&self.bytes, key.as_bytes(), &[]),
            (Source::Passphrase(cost), Secret::Passphrase(passphrase)) => {
                derive(&self.bytes, &*cost.stretch(passphrase, &self.bytes[SALT_AT..CHECK_AT])?, &[])
            }
            (Source::Recipient(file), Secret::Identity(identity)) => {
                if identity.kem() != file {
                    return Err(Error::OtherKem { file, identity: identity.kem() });
                }
                let shared = identity.decapsulate(&self.ciphertext)?;
                derive(&self.bytes, &*shared, &context(&identity.recipient(), &self.ciphertext))
            }
            (Source::Key, _) => return Err(Error::NeedsKey),
            (Source::Passphrase(_), _) => return Err(Error::NeedsPassphrase),
            (Source::Recipient(kem), _) => return Err(Error::NeedsIdentity(kem)),
        };
        let (check, material) = derived.split_at(CHECK);
        if !ct::equal(check, &self.bytes[CHECK_AT..]) {
            return Err(match self.source {
                Source::Recipient(_) => Error::WrongIdentity,
                _ => Error::WrongKey,
            });
        }
        Ok(self.algorithm.cipher(material))
    }
}

/// The KEM's part of the info of HKDF: H(ek) ‖ ciphertext.
fn context(recipient: &Recipient, ciphertext: &[u8]) -> Vec<u8> {
    [&sha3_256(recipient.as_bytes()), ciphertext].concat()
}

/// Derives key check ‖ key ‖ nonce prefix.
fn derive(header: &[u8; HEADER], master: &[u8], context: &[u8]) -> Zeroizing<[u8; CHECK + MATERIAL]> {
    let (info, salt) = header[..CHECK_AT].split_at(SALT_AT);
    let mut derived = Zeroizing::new([0; CHECK + MATERIAL]);
    let expanded = Hkdf::<Sha512>::new(Some(salt), master).expand_multi_info(&[info, context], &mut *derived);
    expanded.expect("far less than HKDF can give");
    derived
}
