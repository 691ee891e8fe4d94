//! The seal of a run: a digest of everything else in it, and perhaps the signature of somebody who vouches for it.
//!
//! A digest alone finds damage and careless edits, no more: whoever edits a run can seal it again. A signature shows
//! that the run is what the holder of a key signed.

use super::Run;
use data_encoding::HEXLOWER;
use ed25519_compact::{PublicKey, SecretKey};
use fairlane::keccak::sha3_256;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// What the signed message begins with, before the 32 bytes of the digest.
const CONTEXT: &[u8] = b"fairlane-race-1\0";

/// Whole numbers below this are written alike by every JSON library, with a point or without: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The seal of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// SHA3-256, in hexadecimal digits, of the run without its seal, written as JSON with sorted keys, no spaces, and
    /// whole numbers below 2^53 without a point.
    pub digest: String,
    /// Who vouches for the run; nobody, unless `--sign` was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    /// The digest of the file that it was read from, which another version may have written.
    #[serde(skip)]
    found: Found,
}

/// Where a run comes from is no part of what it is.
#[derive(Clone, Debug, Default)]
struct Found(Option<String>);

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An Ed25519 signature (RFC 8032).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The public key, 32 bytes in hexadecimal digits.
    pub public_key: String,
    /// The signature of `fairlane-race-1`, a zero byte and the digest's 32 bytes: 64 bytes in hexadecimal digits.
    pub signature: String,
}

impl Run {
    /// Seals the run as it is now, without a signature.
    pub fn seal(&mut self) {
        self.seal = Some(Seal { digest: self.digest(), signature: None, found: Found(None) });
    }

    /// Seals the run and signs the seal with a key in PEM (PKCS#8, RFC 8410), as `openssl genpkey -algorithm ed25519`
    /// writes it.
    ///
    /// # Errors
    /// One line, if the text is no such key.
    pub fn sign(&mut self, pem: &str) -> Result<(), String> {
        let key = secret_key(pem)?;
        let digest = self.digest();
        let signature = Signature {
            public_key: HEXLOWER.encode(&*key.public_key()),
            signature: HEXLOWER.encode(&*key.sign(message(&digest), None)),
        };
        self.seal = Some(Seal { digest, signature: Some(signature), found: Found(None) });
        Ok(())
    }

    fn digest(&self) -> String {
        digest(&serde_json::to_value(self).expect("plain data with string keys"))
    }

    /// Remembers the digest of the JSON that the run was read from.
    pub(crate) fn was_read_from(&mut self, value: &Value) {
        if let Some(seal) = &mut self.seal {
            seal.found = Found(Some(digest(value)));
        }
    }

    /// What is wrong with the seal, and at which of its fields; `None` if it is right, or if the run is of a version
    /// that did not seal.
    pub fn broken_seal(&self) -> Option<(&'static str, String)> {
        let Some(seal) = &self.seal else {
            // Every version that writes a plan also seals.
            let cut = !self.settings.plan.is_empty();
            return cut.then(|| ("digest", "the run was sealed, and the seal is gone".to_owned()));
        };
        let found = seal.found.0.clone().unwrap_or_else(|| self.digest());
        if found != seal.digest {
            return Some(("digest", "the run was changed after it was sealed".to_owned()));
        }
        let signature = seal.signature.as_ref()?;
        let right = verify(&seal.digest, signature).is_some();
        (!right).then(|| ("signature", "not the signature of this key for this run".to_owned()))
    }

    /// Whether the run has an unbroken seal with the signature of a public key in PEM (RFC 8410), as `openssl pkey
    /// -pubout` writes it.
    ///
    /// # Errors
    /// One line, if the text is no such key.
    pub fn is_signed_by(&self, pem: &str) -> Result<bool, String> {
        let key = public_key(pem)?;
        let signature = self.seal.as_ref().and_then(|seal| seal.signature.as_ref());
        Ok(self.broken_seal().is_none() && signature.is_some_and(|s| s.public_key == HEXLOWER.encode(&*key)))
    }

    /// What the seal says, in a few words, for people.
    pub fn vouched_for(&self) -> String {
        match &self.seal {
            None => "not sealed, as files of earlier versions".to_owned(),
            Some(Seal { signature: None, .. }) => "not signed".to_owned(),
            Some(Seal { signature: Some(signature), .. }) => format!("signed by {}", signature.public_key),
        }
    }
}

/// Checks that a text is a key to sign with.
///
/// # Errors
/// One line, if it is not.
pub fn check_key(pem: &str) -> Result<(), String> {
    secret_key(pem).map(drop)
}

fn secret_key(pem: &str) -> Result<SecretKey, String> {
    if pem.contains("ENCRYPTED") {
        return Err("is encrypted; give the key as openssl pkey -in KEY writes it".to_owned());
    }
    SecretKey::from_pem(pem)
        .map_err(|_| "is no Ed25519 key in PEM; openssl genpkey -algorithm ed25519 makes one".to_owned())
}

fn public_key(pem: &str) -> Result<PublicKey, String> {
    PublicKey::from_pem(pem)
        .map_err(|_| "is no public Ed25519 key in PEM; openssl pkey -in KEY -pubout writes it".to_owned())
}

fn message(digest: &str) -> Vec<u8> {
    let digest = HEXLOWER.decode(digest.as_bytes()).unwrap_or_default();
    [CONTEXT, &digest].concat()
}

fn verify(digest: &str, signature: &Signature) -> Option<()> {
    let bytes = |text: &str| HEXLOWER.decode(text.as_bytes()).ok();
    let key = PublicKey::from_slice(&bytes(&signature.public_key)?).ok()?;
    let signature = ed25519_compact::Signature::from_slice(&bytes(&signature.signature)?).ok()?;
    key.verify(message(digest), &signature).ok()
}

fn digest(run: &Value) -> String {
    let mut text = String::new();
    match run {
        Value::Object(fields) => {
            let rest = fields.iter().filter(|(name, _)| *name != "seal");
            object(rest, &mut text);
        }
        other => canonical(other, &mut text),
    }
    HEXLOWER.encode(&sha3_256(text.as_bytes()))
}

/// One spelling for each value, whatever order its keys had.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => object(fields.iter(), text),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                canonical(item, text);
            }
            text.push(']');
        }
        Value::Number(number) => match number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < EXACT) {
            Some(whole) => write!(text, "{}", whole as i64).expect("a string takes everything"),
            None => write!(text, "{number}").expect("a string takes everything"),
        },
        plain => write!(text, "{plain}").expect("a string takes everything"),
    }
}

fn object<'a>(fields: impl Iterator<Item = (&'a String, &'a Value)>, text: &mut String) {
    let mut fields: Vec<_> = fields.collect();
    fields.sort_by_key(|(name, _)| *name);
    text.push('{');
    for (at, (name, value)) in fields.into_iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        write!(text, "{comma}{}:", Value::from(name.as_str())).expect("a string takes everything");
        canonical(value, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_and_the_seal_do_not_matter() {
        let one: Value = serde_json::from_str(r#"{"b": [1.50, null, "x\n"], "a": {"d": 1.0, "c": true}}"#).unwrap();
        let other = json!({"a": {"c": true, "d": 1}, "b": [1.5, null, "x\n"], "seal": {"digest": "anything"}});
        assert_eq!(digest(&one), digest(&other));
        let mut text = String::new();
        canonical(&one, &mut text);
        assert_eq!(text, r#"{"a":{"c":true,"d":1},"b":[1.5,null,"x\n"]}"#);
        assert_ne!(digest(&one), digest(&json!({"a": {"c": true, "d": 2}, "b": [1.5, null, "x\n"]})));
    }
}
