//! The header of a sealed file, and the keys that come of it.
//!
//! Every byte of it is bound: those up to the salt are the info, and the salt the salt, of the HKDF that yields the key
//! check, which is the rest of the header, and the key of the chunks.

use super::secret::{PassphraseCost, Secret};
use super::stream::{ChunkCipher, fill};
use super::{Algorithm, Error};
use ctutils::CtEq;
use hkdf::Hkdf;
use sha2::Sha512;
use std::io::Read;
use zeroize::Zeroizing;

const MAGIC: &[u8; 8] = b"fairseal";
const VERSION: u8 = 1;
const SALT: usize = 32;
const CHECK: usize = 32;
/// Where the salt begins …
const SALT_AT: usize = 20;
/// … and where the key check does.
const CHECK_AT: usize = SALT_AT + SALT;
/// Bytes of a header.
pub(super) const HEADER: usize = CHECK_AT + CHECK;

/// Enough for the key and the nonce prefix of every algorithm.
const MATERIAL: usize = 128;

/// How the header says that a file was sealed with a key, and with a passphrase.
const FROM_KEY: u8 = 0;
const FROM_PASSPHRASE: u8 = 1;

/// What a header says.
#[derive(Clone)]
pub(super) struct Header {
    bytes: [u8; HEADER],
    pub(super) algorithm: Algorithm,
    /// What the passphrase costs; none if the file is sealed with a key.
    pub(super) cost: Option<PassphraseCost>,
}

impl Header {
    /// The header of a new file, still without its key check.
    pub(super) fn new(algorithm: Algorithm, cost: Option<PassphraseCost>) -> Result<Self, Error> {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8] = VERSION;
        bytes[9] = algorithm.number();
        bytes[10] = FROM_KEY;
        if let Some(cost) = cost {
            bytes[10] = FROM_PASSPHRASE;
            bytes[11] = cost.lanes();
            bytes[12..16].copy_from_slice(&cost.memory().to_be_bytes());
            bytes[16..20].copy_from_slice(&cost.passes().to_be_bytes());
        }
        getrandom::fill(&mut bytes[SALT_AT..CHECK_AT]).map_err(Error::Random)?;
        Ok(Self { bytes, algorithm, cost })
    }

    /// Reads a header; nothing of it is verified yet.
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
        let cost = match bytes[10] {
            FROM_KEY => None,
            FROM_PASSPHRASE => Some(PassphraseCost::new(number(12), number(16), bytes[11])?),
            other => return Err(Error::UnknownKeySource(other)),
        };
        Ok(Self { bytes, algorithm, cost })
    }

    /// The bytes of a new file's header, its key check filled in, and its cipher.
    pub(super) fn seal(mut self, secret: Secret) -> Result<([u8; HEADER], Box<dyn ChunkCipher>), Error> {
        let derived = self.derive(secret)?;
        let (check, material) = derived.split_at(CHECK);
        self.bytes[CHECK_AT..].copy_from_slice(check);
        Ok((self.bytes, self.algorithm.cipher(material)))
    }

    /// The cipher of the file that this header begins, if the secret is the right one and the header unchanged.
    pub(super) fn open(&self, secret: Secret) -> Result<Box<dyn ChunkCipher>, Error> {
        let derived = self.derive(secret)?;
        let (check, material) = derived.split_at(CHECK);
        if !check.ct_eq(&self.bytes[CHECK_AT..]).to_bool() {
            return Err(Error::WrongKey);
        }
        Ok(self.algorithm.cipher(material))
    }

    /// Key check ‖ key ‖ nonce prefix.
    fn derive(&self, secret: Secret) -> Result<Zeroizing<[u8; CHECK + MATERIAL]>, Error> {
        let (info, salt) = self.bytes[..CHECK_AT].split_at(SALT_AT);
        let stretched;
        let key = match (secret, self.cost) {
            (Secret::Key(key), None) => key.as_bytes(),
            (Secret::Passphrase(passphrase), Some(cost)) => {
                stretched = cost.stretch(passphrase, salt)?;
                &*stretched
            }
            (Secret::Passphrase(_), None) => return Err(Error::NeedsKey),
            (Secret::Key(_), Some(_)) => return Err(Error::NeedsPassphrase),
        };
        let mut derived = Zeroizing::new([0; CHECK + MATERIAL]);
        let expanded = Hkdf::<Sha512>::new(Some(salt), key).expand(info, &mut *derived);
        expanded.expect("far less than HKDF can give");
        Ok(derived)
    }
}
