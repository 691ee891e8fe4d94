//! A file key for one recipient: the stanza `mlkem768x25519` of age's specification (<https://c2sp.org/age>).

use crate::hpke;
use crate::keys::{Identity, Recipient, has_low_order};
use base64ct::{Base64Unpadded, Encoding};
use fairlane::x_wing::Ciphertext;
use zeroize::Zeroizing;

/// The stanza's type, its first word.
pub(crate) const TYPE: &str = "mlkem768x25519";

/// HPKE's `info`.
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";

/// Characters of an encapsulated key in base64.
const ENCAPSULATED: usize = 1494;

/// Bytes of a file key.
pub(crate) const FILE_KEY: usize = 16;

/// The key of a file. It is erased on drop.
pub(crate) type FileKey = Zeroizing<[u8; FILE_KEY]>;

/// A file key, encrypted for one recipient.
pub(crate) struct Wrapped {
    encapsulated: Ciphertext,
    body: [u8; FILE_KEY + hpke::TAG],
}

impl Wrapped {
    /// Encrypts a file key.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn new(file_key: &FileKey, recipient: &Recipient) -> Result<Self, getrandom::Error> {
        // With room for the tag, so that no copy of the file key stays behind.
        let mut body = Zeroizing::new(Vec::with_capacity(FILE_KEY + hpke::TAG));
        body.extend_from_slice(&**file_key);
        let encapsulated = hpke::seal(&recipient.0, INFO, &mut body)?;
        Ok(Self { encapsulated, body: body[..].try_into().expect("a file key and a tag") })
    }

    /// The file key, unless this is for another recipient or was changed.
    pub(crate) fn open(&self, identity: &Identity) -> Option<FileKey> {
        let mut message = Zeroizing::new(self.body.to_vec());
        hpke::open(&identity.0, &self.encapsulated, INFO, &mut message).ok()?;
        Some(Zeroizing::new(message[..].try_into().expect("all but the tag")))
    }

    /// Reads a stanza of this [type](TYPE): the words after the type, and the body.
    pub(crate) fn parse(words: &[&str], body: &[u8]) -> Result<Self, &'static str> {
        let [word] = words else { return Err("it has not exactly one argument") };
        // The length is checked before the tag, lest one body could be opened by several keys.
        let body = body.try_into().map_err(|_| "its body has not 32 bytes")?;
        if word.len() != ENCAPSULATED {
            return Err("its argument has not 1120 bytes");
        }
        let mut encapsulated = Ciphertext::default();
        Base64Unpadded::decode(word, &mut encapsulated).map_err(|_| "its argument is not canonical base64")?;
        if has_low_order(&encapsulated) {
            return Err("its key of X25519 is a point of low order");
        }
        Ok(Self { encapsulated, body })
    }

    /// The word after the type.
    pub(crate) fn word(&self) -> String {
        let mut word = [0; ENCAPSULATED];
        Base64Unpadded::encode(&self.encapsulated, &mut word).expect("there is room for it").to_owned()
    }

    /// The body.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_key_comes_back() {
        let [own, other] = [(); 2].map(|()| Identity::generate().unwrap());
        let file_key = FileKey::new(*b"YELLOW SUBMARINE");
        let wrapped = Wrapped::new(&file_key, &own.recipient()).unwrap();
        let word = wrapped.word();
        let read = Wrapped::parse(&[&word], wrapped.body()).unwrap();
        assert_eq!(read.open(&own), Some(file_key.clone()));
        assert_eq!(read.open(&other), None);
        assert_ne!(Wrapped::new(&file_key, &own.recipient()).unwrap().word(), word);
    }

    #[test]
    fn malformed_stanzas_are_refused() {
        let wrapped = Wrapped::new(&FileKey::default(), &Identity::generate().unwrap().recipient()).unwrap();
        let (word, body) = (&*wrapped.word(), wrapped.body());
        let error = |words: &[&str], body: &[u8]| Wrapped::parse(words, body).err();
        assert_eq!(error(&[word], body), None);
        assert_eq!(error(&[], body), Some("it has not exactly one argument"));
        assert_eq!(error(&[word, word], body), Some("it has not exactly one argument"));
        for body in [&body[1..], &[body, &[0]].concat(), b""] {
            assert_eq!(error(&[word], body), Some("its body has not 32 bytes"));
        }
        for word in [&word[1..], &format!("{word}A"), &format!("{word}=="), ""] {
            assert_eq!(error(&[word], body), Some("its argument has not 1120 bytes"));
        }
        // Bits after the last byte, characters of other alphabets, padding.
        let start = &word[..ENCAPSULATED - 1];
        let last = word.as_bytes()[ENCAPSULATED - 1];
        for end in [char::from(last + 1), '-', '_', ' ', '=', '\n'] {
            assert_eq!(error(&[&format!("{start}{end}")], body), Some("its argument is not canonical base64"));
        }
    }
}
