//! The header of a sealed file, and the derivation of the file's keys.
//!
//! HKDF derives the chunks' key and the key check, which is the end of the header. Its salt is the header's salt; its
//! info is the header before the salt and what follows the check: the stanzas of the recipients, or in files of older
//! versions the ciphertext of the only one. So every byte of the header is authenticated.

use super::secret::{PassphraseCost, Secret};
use super::stanza::{self, FileKey, MAX_RECIPIENTS, Stanza};
use super::stream::{StreamBe32, fill};
use super::{Algorithm, Error, Kem, Options, Recipient};
use crate::ct;
use crate::keccak::sha3_256;
use crate::stack;
use hkdf::Hkdf;
use sha2::Sha512;
use std::io::Read;
use std::slice;
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"fairseal";
const VERSION: u8 = 1;
const SALT: usize = 32;
const CHECK: usize = 32;
/// The offset of the salt.
const SALT_AT: usize = 20;
/// The offset of the key check.
const CHECK_AT: usize = SALT_AT + SALT;
/// Bytes of a header, without the recipients' stanzas that may follow.
pub(super) const HEADER: usize = CHECK_AT + CHECK;

/// Enough for the key and the nonce prefix of every algorithm.
const MATERIAL: usize = 128;

/// The source of the master key, as a byte of the header.
const FROM_KEY: u8 = 0;
const FROM_PASSPHRASE: u8 = 1;
/// Only read: older versions wrote it.
const FROM_KEM: u8 = 2;
const FROM_RECIPIENTS: u8 = 3;

/// Where the master key comes from.
pub(super) enum Source {
    Key,
    Passphrase(PassphraseCost),
    /// The only recipient of a file of an older version: the master key is the secret of this ciphertext.
    Recipient(Kem, Vec<u8>),
    /// Each stanza holds the master key. There is at least one.
    Recipients(Vec<Stanza>),
}

/// A parsed header.
pub(super) struct Header {
    bytes: [u8; HEADER],
    pub(super) algorithm: Algorithm,
    pub(super) source: Source,
}

/// Returns the header of a new file, and the file's cipher. HKDF leaves its keys on the stack, which is erased.
pub(super) fn seal(secret: Secret, options: &Options) -> Result<(Vec<u8>, StreamBe32), Error> {
    stack::erased::<{ stack::AFTER_KEM }, _>(|| make(secret, options))
}

fn make(secret: Secret, options: &Options) -> Result<(Vec<u8>, StreamBe32), Error> {
    permit(options.algorithm.reviewed(), options.algorithm.name(), options.experimental)?;
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8] = VERSION;
    bytes[9] = options.algorithm.number();
    getrandom::fill(&mut bytes[SALT_AT..CHECK_AT]).map_err(Error::Random)?;
    let own;
    let (derived, stanzas) = match secret {
        Secret::Key(key) => {
            bytes[10] = FROM_KEY;
            (derive(&bytes, key.as_bytes(), &[]), Vec::new())
        }
        Secret::Passphrase(passphrase) => {
            let cost = options.cost;
            bytes[10] = FROM_PASSPHRASE;
            bytes[11] = cost.lanes();
            bytes[12..16].copy_from_slice(&cost.memory().to_be_bytes());
            bytes[16..20].copy_from_slice(&cost.passes().to_be_bytes());
            (derive(&bytes, &*cost.stretch(passphrase, &bytes[SALT_AT..CHECK_AT])?, &[]), Vec::new())
        }
        Secret::Recipient(recipient) => to_recipients(&mut bytes, slice::from_ref(recipient), options)?,
        Secret::Recipients(recipients) => to_recipients(&mut bytes, recipients, options)?,
        Secret::Identity(identity) => {
            own = identity.recipient();
            to_recipients(&mut bytes, slice::from_ref(&own), options)?
        }
    };
    let (check, material) = derived.split_at(CHECK);
    bytes[CHECK_AT..].copy_from_slice(check);
    Ok(([&bytes[..], &stanzas].concat(), options.algorithm.cipher(material)))
}

/// Wraps a new file key for each recipient. Returns what is derived from the file key, and the stanzas.
fn to_recipients(
    bytes: &mut [u8; HEADER],
    recipients: &[Recipient],
    options: &Options,
) -> Result<(Derived, Vec<u8>), Error> {
    let count = recipients.len();
    if !(1..=MAX_RECIPIENTS).contains(&count) {
        return Err(Error::RecipientCount(count));
    }
    bytes[10] = FROM_RECIPIENTS;
    bytes[11] = count as u8;
    let mut file_key = FileKey::default();
    getrandom::fill(&mut *file_key).map_err(Error::Random)?;
    let mut stanzas = Vec::new();
    for recipient in recipients {
        permit(recipient.kem().reviewed(), recipient.kem().name(), options.experimental)?;
        let stanza = Stanza::seal(recipient, &bytes[SALT_AT..CHECK_AT], &file_key)?;
        stanzas.extend_from_slice(stanza.as_bytes());
    }
    Ok((derive(bytes, &*file_key, &[&stanzas]), stanzas))
}

/// Refuses an algorithm that only its authors have analysed, unless such algorithms are allowed.
fn permit(reviewed: bool, name: &'static str, experimental: bool) -> Result<(), Error> {
    if reviewed || experimental { Ok(()) } else { Err(Error::Experimental(name)) }
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
        let mut unused = match bytes[10] {
            FROM_KEY => 11..SALT_AT,
            FROM_KEM | FROM_RECIPIENTS => 12..SALT_AT,
            _ => SALT_AT..SALT_AT,
        };
        if let Some(at) = unused.find(|at| bytes[*at] != 0) {
            return Err(Error::NotZero { at, value: bytes[at] });
        }
        let source = match bytes[10] {
            FROM_KEY => Source::Key,
            FROM_PASSPHRASE => Source::Passphrase(PassphraseCost::new(number(12), number(16), bytes[11])?),
            FROM_KEM => {
                let kem = Kem::from_number(bytes[11]).ok_or(Error::UnknownKem(bytes[11]))?;
                let mut ciphertext = vec![0; kem.ciphertext_size()];
                if fill(reader, &mut ciphertext)? < ciphertext.len() {
                    return Err(Error::Truncated);
                }
                Source::Recipient(kem, ciphertext)
            }
            FROM_RECIPIENTS => {
                let count = usize::from(bytes[11]);
                if !(1..=MAX_RECIPIENTS).contains(&count) {
                    return Err(Error::RecipientCount(count));
                }
                Source::Recipients((0..count).map(|_| Stanza::read(reader)).collect::<Result<_, _>>()?)
            }
            other => return Err(Error::UnknownKeySource(other)),
        };
        Ok(Self { bytes, algorithm, source })
    }

    /// The KEMs of the recipients, of each in its turn.
    pub(super) fn kems(&self) -> Vec<Kem> {
        match &self.source {
            Source::Key | Source::Passphrase(_) => Vec::new(),
            Source::Recipient(kem, _) => vec![*kem],
            Source::Recipients(stanzas) => stanzas.iter().map(|stanza| stanza.kem).collect(),
        }
    }

    /// Returns the cipher of the file if the secret is right and the header unchanged. The stack is erased as by
    /// [`seal`].
    pub(super) fn open(&self, secret: Secret, experimental: bool) -> Result<StreamBe32, Error> {
        stack::erased::<{ stack::AFTER_KEM }, _>(|| self.cipher(secret, experimental))
    }

    fn cipher(&self, secret: Secret, experimental: bool) -> Result<StreamBe32, Error> {
        permit(self.algorithm.reviewed(), self.algorithm.name(), experimental)?;
        if let (Secret::Identity(identity), Source::Recipient(..) | Source::Recipients(_)) = (&secret, &self.source) {
            permit(identity.kem().reviewed(), identity.kem().name(), experimental)?;
        }
        let salt = &self.bytes[SALT_AT..CHECK_AT];
        let derived = match (&self.source, secret) {
            (Source::Key, Secret::Key(key)) => derive(&self.bytes, key.as_bytes(), &[]),
            (Source::Passphrase(cost), Secret::Passphrase(passphrase)) => {
                derive(&self.bytes, &*cost.stretch(passphrase, salt)?, &[])
            }
            (Source::Recipient(file, ciphertext), Secret::Identity(identity)) => {
                if identity.kem() != *file {
                    return Err(Error::OtherKem { file: *file, identity: identity.kem() });
                }
                let shared = identity.decapsulate(ciphertext)?;
                derive(&self.bytes, &*shared, &[&sha3_256(identity.recipient().as_bytes()), ciphertext])
            }
            (Source::Recipients(stanzas), Secret::Identity(identity)) => {
                let file_key = stanza::find(stanzas, identity, salt)?;
                let stanzas: Vec<_> = stanzas.iter().map(Stanza::as_bytes).collect();
                derive(&self.bytes, &*file_key, &stanzas)
            }
            (Source::Key, _) => return Err(Error::NeedsKey),
            (Source::Passphrase(_), _) => return Err(Error::NeedsPassphrase),
            (Source::Recipient(kem, _), _) => return Err(Error::NeedsIdentity(*kem)),
            (Source::Recipients(stanzas), _) => return Err(Error::NeedsIdentity(stanzas[0].kem)),
        };
        let (check, material) = derived.split_at(CHECK);
        if !ct::equal(check, &self.bytes[CHECK_AT..]) {
            return Err(match self.source {
                Source::Key | Source::Passphrase(_) => Error::WrongKey,
                Source::Recipient(..) | Source::Recipients(_) => Error::WrongIdentity,
            });
        }
        Ok(self.algorithm.cipher(material))
    }
}

/// Key check ‖ key ‖ nonce prefix.
type Derived = Zeroizing<[u8; CHECK + MATERIAL]>;

/// Derives them from the master key; `context` is what follows the key check.
fn derive(header: &[u8; HEADER], master: &[u8], context: &[&[u8]]) -> Derived {
    let (info, salt) = header[..CHECK_AT].split_at(SALT_AT);
    let mut derived = Zeroizing::new([0; CHECK + MATERIAL]);
    let info = [&[info], context].concat();
    let expanded = Hkdf::<Sha512>::new(Some(salt), master).expand_multi_info(&info, &mut *derived);
    expanded.expect("far less than HKDF can give");
    derived
}
