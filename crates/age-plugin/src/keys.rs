//! Recipients and identities, and their text.

use crate::bech32::{self, decode, encode};
use fairlane::ml_kem::KeyError;
use fairlane::x_wing::{DecapsulationKey, EncapsulationKey};
use std::fmt;
use zeroize::Zeroizing;

/// Bytes of an encapsulation key.
const KEY: usize = 1216;

/// The prefix of a recipient, `age1pq1…`: the same for age and for plugins.
const RECIPIENT: &str = "age1pq";
/// The prefix of an identity for a plugin, `AGE-PLUGIN-PQ-1…`.
const PLUGIN: &str = "AGE-PLUGIN-PQ-";
/// The prefix of an identity for age 1.3 and newer, `AGE-SECRET-KEY-PQ-1…`. What follows is the same.
const NATIVE: &str = "AGE-SECRET-KEY-PQ-";

/// Why a text is not a recipient or an identity. It shows nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    Text(bech32::Error),
    MlKem,
    X25519,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::MlKem => f.write_str("its part for ML-KEM-768 is no key"),
            Self::X25519 => f.write_str("its part for X25519 is a point of low order, which protects nothing"),
        }
    }
}

impl From<bech32::Error> for Error {
    fn from(error: bech32::Error) -> Self {
        Self::Text(error)
    }
}

/// Whom a file is encrypted to.
pub(crate) struct Recipient(pub(crate) EncapsulationKey);

impl Recipient {
    /// Reads `age1pq1…`.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let bytes = decode::<KEY>(RECIPIENT, text)?;
        if has_low_order(&bytes[..]) {
            return Err(Error::X25519);
        }
        match EncapsulationKey::from_bytes(&bytes[..]) {
            Ok(key) => Ok(Self(key)),
            Err(KeyError::Length) => Err(bech32::Error::Length.into()),
            Err(_) => Err(Error::MlKem),
        }
    }

    pub(crate) fn text(&self) -> String {
        encode(RECIPIENT, self.0.as_bytes()).to_string()
    }
}

/// What opens a file that is encrypted to its recipient. It is erased on drop.
pub(crate) struct Identity(pub(crate) DecapsulationKey);

impl Identity {
    /// A new one.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn generate() -> Result<Self, getrandom::Error> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed)?;
        Ok(Self::of(&seed))
    }

    fn of(seed: &[u8; 32]) -> Self {
        Self(fairlane::kem::KeyInit::new(seed.into()))
    }

    /// Reads `AGE-PLUGIN-PQ-1…`.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        Ok(Self::of(&*decode(PLUGIN, text)?))
    }

    /// Reads `AGE-PLUGIN-PQ-1…` or `AGE-SECRET-KEY-PQ-1…`.
    pub(crate) fn parse_any(text: &str) -> Result<Self, Error> {
        let prefix = if text.starts_with(NATIVE) { NATIVE } else { PLUGIN };
        Ok(Self::of(&*decode(prefix, text)?))
    }

    pub(crate) fn recipient(&self) -> Recipient {
        Recipient(self.0.encapsulation_key().clone())
    }

    /// `AGE-PLUGIN-PQ-1…`
    pub(crate) fn for_plugins(&self) -> Zeroizing<String> {
        encode(PLUGIN, self.0.as_bytes())
    }

    /// `AGE-SECRET-KEY-PQ-1…`
    pub(crate) fn for_age(&self) -> Zeroizing<String> {
        encode(NATIVE, self.0.as_bytes())
    }
}

/// Whether the key of X25519 at the end of a key or a ciphertext has zero as its product with every secret. RFC 9180
/// (section 7.1.4) has such a product refused; X-Wing's draft does not.
pub(crate) fn has_low_order(bytes: &[u8]) -> bool {
    let point = *bytes.last_chunk().expect("a key or a ciphertext is longer");
    // Every secret is a multiple of 8, the order of the largest of these points.
    x25519_dalek::x25519([1; 32], point) == [0; 32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{hex, read};

    /// The coordinates of points whose order divides 8, and other ways to write them (RFC 7748 takes any 32 bytes).
    const LOW_ORDER: [&str; 7] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];

    #[test]
    fn points_of_low_order_are_found() {
        for point in LOW_ORDER {
            let mut point = hex(point);
            assert!(has_low_order(&point));
            point[31] ^= 0x80;
            assert!(has_low_order(&point), "the highest bit does not count");
            point[0] ^= 4;
            assert!(!has_low_order(&point));
        }
    }

    #[test]
    fn recipients_are_checked() {
        let bytes = *Identity::of(&[1; 32]).recipient().0.as_bytes();
        let parse = |bytes: &[u8]| Recipient::parse(&encode(RECIPIENT, bytes)).map(|recipient| recipient.text());
        assert_eq!(parse(&bytes), Ok(encode(RECIPIENT, &bytes).to_string()));
        let mut changed = bytes;
        changed[..2].copy_from_slice(&[0xff; 2]);
        assert_eq!(parse(&changed), Err(Error::MlKem));
        for point in LOW_ORDER {
            let mut changed = bytes;
            changed[1184..].copy_from_slice(&hex(point));
            assert_eq!(parse(&changed), Err(Error::X25519));
        }
        assert_eq!(parse(&bytes[1..]), Err(Error::Text(bech32::Error::Length)));
    }

    #[test]
    fn the_specifications_keys() {
        #[derive(serde::Deserialize)]
        struct Keys {
            identity: String,
            recipient: String,
        }
        let keys: Keys = read("keys.json");
        let identity = Identity::parse_any(&keys.identity).unwrap();
        assert_eq!(*identity.for_age(), keys.identity);
        assert_eq!(identity.recipient().text(), keys.recipient);
        assert_eq!(Recipient::parse(&keys.recipient).unwrap().text(), keys.recipient);
    }

    #[test]
    fn identities_have_two_forms() {
        let identity = Identity::generate().unwrap();
        let (plugin, native) = (identity.for_plugins(), identity.for_age());
        assert!(plugin.starts_with("AGE-PLUGIN-PQ-1") && native.starts_with("AGE-SECRET-KEY-PQ-1"));
        for text in [&plugin, &native] {
            assert_eq!(Identity::parse_any(text).unwrap().for_plugins(), plugin);
        }
        assert_eq!(Identity::parse(&plugin).unwrap().for_age(), native);
        assert_eq!(Identity::parse(&native).err(), Some(Error::Text(bech32::Error::Prefix)));
        assert_eq!(Identity::parse_any(&plugin.to_lowercase()).err(), Some(Error::Text(bech32::Error::Prefix)));
        let classic = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
        assert_eq!(Identity::parse_any(classic).err(), Some(Error::Text(bech32::Error::Prefix)));
        assert!(Identity::generate().unwrap().for_age() != native);
    }
}
